from collections.abc import Callable
from typing import Any, Final, final

__all__ = [
    "VERSION", "Ids", "Lines", "Metric", "Pcg64", "Resampler", "Stop", "Tokenized",
    "hold_words", "id_bounds", "invalid_utf8", "lines_end", "make_room", "simd_levels",
    "unicode_versions",
]

VERSION: Final[str]

@final
class Ids:
    def __new__(
        cls, values: Any, offsets: Any | None = None, items: Any | None = None
    ) -> Ids: ...

@final
class Lines:
    def __new__(cls, files: list[tuple[bytes, int, int]]) -> Lines: ...

@final
class Pcg64:
    def __new__(cls, state: int, increment: int) -> Pcg64: ...

@final
class Metric:
    def __new__(cls, name: str, settings: list[tuple[str, str]]) -> Metric: ...
    @property
    def simd(self) -> str: ...
    @property
    def width(self) -> int: ...
    def rows(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[int | None, int | None, int] = ...,
    ) -> bytearray: ...
    def total(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[int | None, int | None, int] = ...,
    ) -> tuple[list[int], int, tuple[int, int], bool]: ...
    def scores(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[int | None, int | None, int] = ...,
    ) -> bytearray: ...
    def prefixes(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[int | None, int | None, int] = ...,
    ) -> tuple[bytearray, bytearray]: ...
    def parts(self, rows: Any) -> bytearray: ...
    def pairwise(
        self,
        columns: tuple[Any, Any | None],
        exact: bool,
        threads: int,
        empty: Any,
        how: tuple[int | None, int | None, int] = ...,
    ) -> Any: ...
    def expected(
        self,
        columns: tuple[Any, Any | None],
        groups: tuple[list[int], list[int] | None, list[float] | None],
        exact: bool,
        threads: int,
        how: tuple[int | None, int | None, int] = ...,
    ) -> list[float]: ...
    def against_others(
        self,
        texts: Any,
        scored: list[int] | None = None,
        how: tuple[int | None, int | None, int] = ...,
    ) -> bytearray: ...
    def values(self, rows: Any) -> bytearray: ...
    def tokens(self, texts: Any) -> list[list[str]]: ...
    def sentence(
        self, hyp: Any, refs: Any
    ) -> tuple[float, float, list[float], list[int], list[int], int, int, int] | None: ...
    def by_order(self, row: list[int]) -> tuple[list[float], list[float]]: ...
    def combine(self, row: list[int]) -> tuple[float, float, list[float]]: ...

@final
class Resampler:
    def __new__(cls, metric: Metric, systems: list[Any]) -> Resampler: ...
    def bootstrap(self, seed: int, first: int, count: int, threads: int) -> bytearray: ...
    def jackknife(self, first: int, count: int, threads: int) -> bytearray: ...
    def permutation(
        self, seed: int, first: int, count: int, threads: int
    ) -> list[tuple[int, int]]: ...
    def numpy_bootstrap(self, draws: Pcg64, count: int, threads: int) -> bytearray: ...
    def numpy_permutation(self, draws: Pcg64, count: int) -> list[tuple[int, int]]: ...

@final
class Stop:
    def __new__(cls) -> Stop: ...
    def obey(self) -> None: ...
    def set(self) -> None: ...

@final
class Tokenized:
    def __new__(
        cls, texts: Any, tokenize: Callable[[str, tuple[Any, ...], int], tuple[Any, ...]]
    ) -> Tokenized: ...

def hold_words(hyps: Any, refs: Any) -> bool: ...
def id_bounds(name: str, column: Any) -> tuple[list[int], bool] | None: ...
def invalid_utf8(data: bytes, start: int = 0, end: int = ...) -> int | None: ...
def lines_end(data: bytes, start: int, most: int) -> tuple[int, int]: ...
def make_room(bytes: int) -> None: ...
def simd_levels() -> list[str]: ...
def unicode_versions() -> tuple[str, str]: ...

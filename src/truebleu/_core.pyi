from collections.abc import Callable, Sequence
from typing import Any, Final, final

__all__ = [
    "TREE_SITTER", "VERSION", "Ids", "LetterCounts", "Lines", "Metric", "Overlap", "Pcg64",
    "Resampler", "Stop", "Syntax", "Tokenized", "best_states", "check_memory", "end_tokens",
    "end_words", "hold_words", "id_bounds", "invalid_utf8", "letters_in", "lines_end", "matches", "places",
    "shared_ends", "signs_in", "simd_levels", "unicode_versions", "without_comments",
]

#: A score, and of BLEU its penalty, its precisions, and the scores of each order and up to each.
_Scored = tuple[float, tuple[float, list[float], list[float], list[float]] | None]

TREE_SITTER: Final[str]
VERSION: Final[str]

@final
class Ids:
    def __new__(
        cls, values: Any, offsets: Any | None = None, items: Any | None = None
    ) -> Ids: ...

@final
class LetterCounts:
    def __new__(cls, codes: Any) -> LetterCounts: ...
    def probabilities(
        self, codes: Any, weights: tuple[float, float, float, float]
    ) -> bytearray: ...

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
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> bytearray: ...
    def rows_of_selections(
        self, hyps: Any, refs: Any, selections: Sequence[Sequence[int]], present: bytes
    ) -> bytearray: ...
    def total(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> tuple[list[int], int, tuple[int, int], bool]: ...
    @staticmethod
    def totals(
        metrics: Sequence[Metric], hyps: Any, refs: Any, threads: int
    ) -> list[tuple[list[int], int, tuple[int, int], bool]]: ...
    def scores(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> bytearray: ...
    def prefixes(
        self,
        hyps: Any,
        refs: Any,
        threads: int,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> tuple[bytearray, bytearray]: ...
    def informed(
        self,
        hyps: Any,
        refs: Any,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> tuple[Metric, int]: ...
    def parts(self, rows: Any) -> bytearray: ...
    def pairwise(
        self,
        columns: tuple[Any, Any | None],
        exact: bool,
        threads: int,
        empty: Any,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> Any: ...
    def expected(
        self,
        columns: tuple[Any, Any | None],
        groups: tuple[list[int], list[int] | None, list[float] | None],
        exact: bool,
        threads: int,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> list[float]: ...
    def against_others(
        self,
        texts: Any,
        scored: list[int] | None = None,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> bytearray: ...
    def values(self, rows: Any) -> bytearray: ...
    def tokens(self, texts: Any) -> list[list[str]]: ...
    def places(self, texts: Sequence[str]) -> list[tuple[bytes, bytes, str | None] | None]: ...
    def sentence(
        self, hyp: Any, refs: Any
    ) -> tuple[float, float, list[float], list[int], list[int], int, int, int] | None: ...
    def corpus(
        self,
        hyps: Any,
        refs: Any,
        formula: Metric,
        threads: int,
        how: tuple[Sequence[int], Sequence[int], int] = ...,
    ) -> tuple[bytearray, tuple[int, int], bool, _Scored]: ...
    def score(self, row: list[int]) -> _Scored: ...

@final
class Overlap:
    def __new__(cls, metric: Metric, systems: list[Any], refs: Any) -> Overlap: ...
    def words(self) -> list[str]: ...
    def texts(self) -> tuple[bytearray, bytearray, bytearray]: ...
    def tally(self, order: int, threads: int) -> bytearray: ...
    def contrast(
        self, classes: list[int], threads: int
    ) -> tuple[bytearray, bytearray, bytearray]: ...

@final
class Resampler:
    def __new__(cls, metric: Metric, systems: list[Any]) -> Resampler: ...
    def bootstrap(self, seed: int, first: int, count: int, threads: int) -> bytearray: ...
    def bootstrap_sums(self, seed: int, first: int, count: int, threads: int) -> bytearray: ...
    def jackknife(self, first: int, count: int, threads: int) -> bytearray: ...
    def permutation(
        self, pairs: list[tuple[int, int]], seed: int, first: int, count: int, threads: int
    ) -> bytearray: ...
    def numpy_bootstrap(self, draws: Pcg64, count: int, threads: int) -> bytearray: ...
    def numpy_permutation(
        self, pairs: list[tuple[int, int]], draws: Pcg64, count: int
    ) -> bytearray: ...

@final
class Stop:
    def __new__(cls) -> Stop: ...
    def adopt(self) -> None: ...
    def is_set(self) -> bool: ...
    def set(self) -> None: ...

@final
class Syntax:
    def __new__(cls, grammar: Any) -> Syntax: ...
    def matches(
        self, hyps: Sequence[str], refs: Sequence[str], threads: int
    ) -> list[tuple[int, int]]: ...

@final
class Tokenized:
    def __new__(
        cls, texts: Any, tokenize: Callable[[str, tuple[Any, ...], int], tuple[Any, ...]]
    ) -> Tokenized: ...

def best_states(
    scores: Any, first: int, refs: int, penalty: float
) -> tuple[bytes, list[float]]: ...
def hold_words(hyps: Any, refs: Any) -> bool: ...
def end_tokens(
    texts: Sequence[str],
    letters: int,
    at_end: bool,
    character: Callable[[str], tuple[str, int, bool]],
) -> list[list[str]]: ...
def end_words(
    texts: Sequence[str],
    letters: int,
    at_end: bool,
    character: Callable[[str], tuple[str, int, bool]],
) -> bytes: ...
def id_bounds(name: str, column: Any) -> tuple[list[int], bool] | None: ...
def invalid_utf8(data: bytes, start: int = 0, end: int = ...) -> int | None: ...
def letters_in(
    texts: Sequence[str], is_letter: bytes
) -> tuple[bytes, bytes, bytes]: ...
def lines_end(data: bytes, start: int, most: int) -> tuple[int, int]: ...
def matches(
    metric: Metric, texts: list[list[str]]
) -> tuple[list[list[tuple[list[list[int]], list[int]]]], list[list[int]]]: ...
def places(text: str, tokens: list[str]) -> tuple[bytes, bytes, str | None] | None: ...
def check_memory(bytes: int) -> None: ...
def shared_ends(
    columns: Sequence[Sequence[str]],
    letters: int,
    at_end: bool,
    character: Callable[[str], tuple[str, int, bool]],
    limits: tuple[int, int],
) -> list[tuple[list[str], list[int], int]]: ...
def signs_in(texts: Sequence[str | None], table: bytes) -> tuple[bytes, bytes, bytes]: ...
def simd_levels() -> list[str]: ...
def unicode_versions() -> tuple[str, str]: ...
def without_comments(texts: Sequence[str], is_python: bool) -> list[str | None]: ...

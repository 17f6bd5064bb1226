from typing import Any, final

__all__ = ["Ids", "Lines", "Plan", "hold_words", "invalid_utf8", "simd_levels", "unicode_versions"]

@final
class Ids:
    def __new__(
        cls, values: Any, offsets: Any | None = None, items: Any | None = None
    ) -> Ids: ...

@final
class Lines:
    def __new__(cls, files: list[bytes]) -> Lines: ...

@final
class Plan:
    def __new__(cls, settings: list[tuple[str, str]]) -> Plan: ...
    @property
    def simd(self) -> str: ...
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
    def values(self, rows: Any) -> bytearray: ...
    def tokens(self, texts: Any) -> list[list[str]]: ...
    def by_order(self, row: list[int]) -> tuple[list[float], list[float]]: ...
    def combine(self, row: list[int]) -> tuple[float, float, list[float]]: ...

def hold_words(hyps: Any, refs: Any) -> bool: ...
def invalid_utf8(data: bytes) -> int | None: ...
def simd_levels() -> list[str]: ...
def unicode_versions() -> tuple[str, str]: ...

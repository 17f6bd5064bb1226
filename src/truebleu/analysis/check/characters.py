# SPDX-License-Identifier: Apache-2.0
"""Characters that do not belong in a segment: marks, separators, controls, spaces, nothings."""

from __future__ import annotations

import re

from truebleu.analysis.check.excerpts import around
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.scripts import UNSPACED, main_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from truebleu.analysis.check.texts import Column, Texts

#: Where `str.splitlines` ends a line beside \n and \r; tools that read files with it do so too.
_SEPARATORS = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f"
#: After these letters a joiner or a zero width space means nothing: Latin, Greek, Cyrillic, Han,
#: kana, Hangul. Persian and the scripts of India need joiners, Thai and Khmer zero width spaces.
_PLAIN = r"\s\x00-\u058f\u2010-\u205e\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3"

_PATTERNS: dict[str, tuple[re.Pattern[str], str, str]] = {
    "carriage-return": (re.compile(r"\r"), " ", "a carriage return"),
    "tab": (re.compile(r"\t"), " ", "a tab"),
    "line-separator": (re.compile(f"[{_SEPARATORS}]"), " ", "a character that ends lines"),
    "control-character": (
        re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"), "", "a control character"
    ),
    "replacement-character": (re.compile("\ufffd"), "\ufffd", "U+FFFD, left by a failed decoding"),
    "odd-space": (re.compile(f"[{_SPACES}\u3000]"), " ", "a space that is not U+0020"),
    "invisible-character": (
        re.compile(
            f"[\xad\u180e\u2060-\u2064\ufeff\ufff9-\ufffb]|(?:^|(?<=[{_PLAIN}]))[\u200b-\u200d]"
        ),
        "",
        "a character that cannot be seen",
    ),
}  # fmt: skip

#: The full-width space is the usual one beside Han, kana and Hangul.
_ODD_BESIDE_CJK = re.compile(f"[{_SPACES}]")
#: Marks of direction, which belong where letters run from right to left.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_FROM_THE_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
#: One search finds out that a text has none of all these: nearly every text.
_ANY = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    "\ufff9-\ufffd]"
)


def find(texts: Texts) -> Iterator[Fault]:
    """Faults of single characters, column by column."""
    for column in texts.columns:
        yield from _byte_order_mark(column)
        odd = [(row, text) for row, text in _without_mark(column) if _ANY.search(text)]
        if not odd:
            continue
        for kind, (pattern, substitute, what) in _PATTERNS.items():
            if kind == "odd-space" and main_script(column.texts) in (*UNSPACED, "Hangul"):
                pattern = _ODD_BESIDE_CJK  # noqa: PLW2901
            yield from _fault(column, odd, kind, pattern, substitute, what)
        odd = [(row, text) for row, text in odd if not _FROM_THE_RIGHT.search(text)]
        what = "a mark of direction, where all letters run from the left"
        yield from _fault(column, odd, "invisible-character", _DIRECTIONS, "", what)


def _byte_order_mark(column: Column) -> Iterator[Fault]:
    if column.texts and (column.texts[0] or "").startswith("\ufeff"):
        yield Fault(
            "byte-order-mark", column, [0], "The first text begins with a byte order mark.",
            evidence=_evidence(column, [(0, column.texts[0] or "")], _ANY),
            fix=lambda text: text.removeprefix("\ufeff"),
        )  # fmt: skip


def _without_mark(column: Column) -> Iterator[tuple[int, str]]:
    return ((row, text if row else text.removeprefix("\ufeff")) for row, text in column.rows())


def _fault(
    column: Column,
    odd: list[tuple[int, str]],
    kind: str,
    pattern: re.Pattern[str],
    substitute: str,
    what: str,
) -> Iterator[Fault]:
    found = [(row, text) for row, text in odd if pattern.search(text)]
    if found:
        codes = sorted({match for _, text in found for match in pattern.findall(text)})
        names = ", ".join(f"U+{ord(code):04X}" for code in codes[:5])
        more = ", …" if len(codes) > 5 else ""
        yield Fault(
            kind, column, [row for row, _ in found], f"There is {what} ({names}{more}).",
            evidence=_evidence(column, found, pattern),
            fix=None if kind == "replacement-character" else _fix(pattern, substitute),
        )  # fmt: skip


def _fix(pattern: re.Pattern[str], substitute: str) -> Callable[[str], str]:
    return lambda text: pattern.sub(substitute, text)


def _evidence(
    column: Column, found: list[tuple[int, str]], pattern: re.Pattern[str]
) -> list[tuple[str, str]]:
    return [(column.where(row), around(text, pattern)) for row, text in found[:3]]

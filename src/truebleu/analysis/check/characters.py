# SPDX-License-Identifier: Apache-2.0
"""Characters that do not belong in a segment: marks, separators, controls, spaces, invisibles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.scripts import UNSPACED, main_script
from truebleu.analysis.check.texts import Column, Texts

#: `str.splitlines` ends a line at these, as at \n and \r; so do tools that use it to read files.
_SEPARATORS = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f"
#: After these letters a joiner or a zero width space means nothing: Latin, Greek, Cyrillic, Han,
#: kana, Hangul. Persian and the scripts of India need joiners, Thai and Khmer zero width spaces.
_PLAIN = r"\s\x00-\u058f\u2010-\u205e\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3"

#: For each kind a pattern, the replacement that repairs it (None: unknown), and its description.
_PATTERNS: dict[str, tuple[re.Pattern[str], str | None, str]] = {
    "carriage-return": (re.compile(r"\r"), " ", "a carriage return"),
    "tab": (re.compile(r"\t"), " ", "a tab"),
    "line-separator": (re.compile(f"[{_SEPARATORS}]"), " ", "a character that ends lines"),
    "control-character": (
        re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"), "", "a control character"
    ),
    "replacement-character": (re.compile("\ufffd"), None, "U+FFFD, left by a failed decoding"),
    "odd-space": (re.compile(f"[{_SPACES}\u3000]"), " ", "a space that is not U+0020"),
    "invisible-character": (
        re.compile(
            f"[\xad\u180e\u2060-\u2064\ufeff\ufff9-\ufffb]|(?:^|(?<=[{_PLAIN}]))[\u200b-\u200d]"
        ),
        "",
        "an invisible character",
    ),
}  # fmt: skip

#: The full-width space is the usual one in Han, kana and Hangul.
_ODD_IN_CJK = re.compile(f"[{_SPACES}]")
#: Marks of direction, which belong where letters run from right to left.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
#: All of these in one pattern: one search clears nearly every text.
_ANY = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    "\ufff9-\ufffd]"
)


def find(texts: Texts) -> Iterator[Fault]:
    """Faults of single characters, column by column."""
    for column in texts.columns:
        odd = [(row, text) for row, text in column.rows() if _ANY.search(text)]
        if odd and odd[0][0] == 0 and odd[0][1].startswith("\ufeff"):
            yield Fault(
                "byte-order-mark", column, [0], "The first text begins with a byte order mark.",
                evidence=column.evidence([0], _ANY), fix=lambda text: text.removeprefix("\ufeff"),
            )  # fmt: skip
            odd[0] = (0, odd[0][1].removeprefix("\ufeff"))
        for kind, (pattern, replacement, what) in _PATTERNS.items() if odd else ():
            if kind == "odd-space" and main_script(column.texts) in (*UNSPACED, "Hangul"):
                pattern = _ODD_IN_CJK  # noqa: PLW2901
            yield from _faults(column, odd, kind, pattern, replacement, what)
        odd = [(row, text) for row, text in odd if not _RIGHT_TO_LEFT.search(text)]
        what = "a mark of direction, but all letters run from left to right"
        yield from _faults(column, odd, "invisible-character", _DIRECTIONS, "", what)


def _faults(
    column: Column,
    odd: list[tuple[int, str]],
    kind: str,
    pattern: re.Pattern[str],
    replacement: str | None,
    what: str,
) -> Iterator[Fault]:
    codes = {row: codes for row, text in odd if (codes := pattern.findall(text))}
    if codes:
        different = sorted({code for row in codes for code in codes[row]})
        names = ", ".join(f"U+{ord(code):04X}" for code in different[:5])
        more = ", …" if len(different) > 5 else ""
        yield Fault(
            kind, column, list(codes), f"There is {what} ({names}{more}).",
            evidence=column.evidence(codes, pattern),
            fix=None if replacement is None else partial(pattern.sub, replacement),
        )  # fmt: skip

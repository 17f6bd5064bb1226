# SPDX-License-Identifier: Apache-2.0
"""Text shown as evidence: short, on one line, with what cannot be seen made visible."""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

#: Characters of text that are shown around what is pointed at.
_BEFORE, _LONGEST = 24, 72


def visible(text: str) -> str:
    r"""`text` with a name in place of each character that a terminal would act on or not show.

    Example:
        >>> print(visible("a\x1b[31m\xa0b"))
        a<U+001B>[31m<U+00A0>b
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    seen = character.isprintable() and not unicodedata.combining(character)
    return character if seen else f"<U+{ord(character):04X}>"


def excerpt(text: str, start: int = 0) -> str:
    """The part of `text` around `start`, visible."""
    begin = max(start - _BEFORE, 0)
    end = begin + _LONGEST
    before, behind = "…" if begin else "", "…" if end < len(text) else ""
    return f"{before}{visible(text[begin:end])}{behind}"


def around(text: str, pattern: re.Pattern[str]) -> str:
    """The part of `text` around the first match of `pattern`, visible."""
    found = pattern.search(text)
    return excerpt(text, found.start() if found else 0)

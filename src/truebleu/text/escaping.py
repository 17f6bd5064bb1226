# SPDX-License-Identifier: Apache-2.0
"""A user's text as a terminal can show it: invisible characters and control codes are escaped."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    r"""`text` with control characters, odd spaces and the like as escapes.

    Example:
        >>> print(visible("a\x1b[31m b\u202e\u00a0c"))
        a\x1b[31m b\u202e\xa0c
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


#: Combining classes from here on are accents; vowels, viramas and tones are ordinary letters.
_ACCENTS = 200


def named(text: str) -> str:
    r"""`text` with the names of characters that a terminal interprets or does not show.

    Example:
        >>> print(named("a\x1b[31m\xa0b"))
        a<U+001B>[31m<U+00A0>b
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() and unicodedata.combining(character) < _ACCENTS
        else f"<U+{ord(character):04X}>"
        for character in text
    )


#: Characters of an excerpt, a third of them before the place that it shows.
LONGEST = 72


def excerpt(text: str | None, start: int = 0) -> str:
    """The part of `text` around `start`, with the names of odd characters."""
    text = text or ""
    begin = max(start - LONGEST // 3, 0)
    end = begin + LONGEST
    before, after = "…" if begin else "", "…" if end < len(text) else ""
    return f"{before}{named(text[begin:end])}{after}"


def columns(text: str) -> int:
    """The columns of a terminal that a visible text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    """The columns of a character: none for a combining mark, two for a wide character."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")


def shortened(text: str, most: int) -> str:
    """A visible text in at most `most` columns, with an ellipsis for its middle.

    The ends are kept, because names of systems differ there.

    Example:
        >>> shortened("transformer-big-run-17", 12), shortened("系统一系统二系统三", 9)
        ('transf…un-17', '系统…统三')
    """
    if columns(text) <= most:
        return text
    if most < 1:
        return ""
    end = (most - 1) // 2
    return f"{_start(text, most - 1 - end)}…{_start(text[::-1], end, backward=True)[::-1]}"


def _start(text: str, most: int, *, backward: bool = False) -> str:
    """As many characters as fit; a combining mark stays with the character before it."""
    end = used = 0
    for i, character in enumerate(text):
        used += _columns(character)
        if used > most:
            break
        if not backward or _columns(character):
            end = i + 1
    return text[:end]

# SPDX-License-Identifier: Apache-2.0
"""Text of users as a terminal may show it: what is invisible, or commands to it, is spelled out."""

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
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def columns(text: str) -> int:
    """How many columns of a terminal a visible text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    """Those of one character: none for a mark on the one before, two for a wide one."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")


def shortened(text: str, most: int) -> str:
    """A visible text in at most so many columns; what is left out is an ellipsis in the middle.

    The ends are kept, because names of systems differ there.

    Example:
        >>> shortened("transformer-big-run-17", 12), shortened("系统一系统二系统三", 9)
        ('transf…un-17', '系统…统三')
    """
    if columns(text) <= most:
        return text
    if most < 1:
        return ""
    behind = (most - 1) // 2
    return f"{_start(text, most - 1 - behind)}…{_start(text[::-1], behind, backward=True)[::-1]}"


def _start(text: str, most: int, *, backward: bool = False) -> str:
    """As many characters as fit; a mark stays with what it stands on, which is before it."""
    taken = used = 0
    for i, character in enumerate(text):
        used += _columns(character)
        if used > most:
            break
        if not backward or _columns(character):
            taken = i + 1
    return text[:taken]

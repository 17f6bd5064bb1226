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
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def columns(text: str) -> int:
    """How many columns of a terminal a visible text takes."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )

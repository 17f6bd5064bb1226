# SPDX-License-Identifier: Apache-2.0
"""Where the tokens of a text are in it, in the units of JavaScript."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    #: Before each token the units that are none of it, and the units of each.
    Spans = tuple[list[int], list[int]]


def units(text: str) -> int:
    """How long a text is to JavaScript, which counts in units of UTF-16.

    Example:
        >>> units("a\U0001f600")
        3
    """
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def locate(text: str, tokens: Sequence[str]) -> tuple[Spans, str] | None:
    """Where the tokens are, one behind the other with nothing but blanks between them.

    Returns:
        The spans, and the text as it is counted: with the case of its tokens, which lowercasing
        may have changed. None if the tokens are not those of the text, such as entities that were
        decoded.

    Example:
        >>> locate("Hello, you", ["hello", ",", "you"])
        (([0, 0, 1], [5, 1, 3]), 'hello, you')
        >>> locate("a &amp; b", ["a", "&", "b"]) is None
        True
    """
    gaps, sizes = [], []
    at = 0
    changed: list[tuple[int, str]] = []
    for token in tokens:
        start = at
        end = start + len(token)
        if text[start:end] != token:
            while text[start : start + 1].isspace():
                start += 1
            end = start + len(token)
            found = text[start:end]
            if found != token:
                if units(found) != units(token) or found.lower() != token.lower():
                    return None
                changed.append((start, token))
        if not token:
            return None
        gaps.append(start - at)
        sizes.append(end - start)
        at = end
    if text[at:].strip():
        return None
    counted = text
    for start, token in changed:
        counted = counted[:start] + token + counted[start + len(token) :]
    if not text.isascii() and max(text) > "\uffff":
        sizes = [units(token) for token in tokens]  # blanks take one unit each
    return (gaps, sizes), counted

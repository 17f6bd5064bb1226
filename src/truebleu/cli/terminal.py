# SPDX-License-Identifier: Apache-2.0
"""The terminal that text is printed to: how wide it is, and how long lines are broken there."""

from __future__ import annotations

import os
import sys

#: The least room behind an indent; where there is less, lines go on at their start.
_LEAST = 24


def room() -> int | None:
    """Columns of the terminal that standard output is; None for any other output.

    None, too, where the terminal does not say, or has no ellipsis among its characters.
    """
    if not sys.stdout.isatty() or "utf" not in (sys.stdout.encoding or "").lower():
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal():
        return int(columns) or None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def show(text: str) -> None:
    """Print text; on a terminal, lines that are too long for it go on below, indented."""
    width = room()
    if width is not None:
        text = "\n".join(broken for line in text.split("\n") for broken in wrapped(line, width))
    print(text)


def wrapped(line: str, width: int) -> list[str]:
    r"""A line in pieces that fit, broken at blanks; what has none is left to the terminal.

    Pieces behind the first begin below its last column, that is behind two blanks or more.

    Example:
        >>> wrapped("  found    eleven | twelve | thirteen | fourteen", 39)
        ['  found    eleven | twelve | thirteen |', '           fourteen']
    """
    import re

    from truebleu.text.escaping import columns

    def size(part: str) -> int:
        return columns(re.sub(r"\x1b\[\d*(?:;\d+)*m", "", part))

    if size(line) <= width:
        return [line]
    gaps = [found.end() for found in re.finditer(r"(?<!^)\S {2,}(?=\S)|^ +", line)]
    indents = [size(line[:end]) for end in gaps]
    indent = max((one for one in indents if width - one >= _LEAST), default=0)
    words = re.findall(r" *[^ ]+", line)
    pieces, piece = [], ""
    for word in words:
        if piece.strip() and size(piece + word) > width:
            pieces.append(piece)
            piece = word.lstrip()
            if size(piece) <= width - indent:  # else at the start of a line, such as a signature
                piece = " " * indent + piece
        else:
            piece += word
    return [*pieces, piece]

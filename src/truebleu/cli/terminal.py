# SPDX-License-Identifier: Apache-2.0
"""Results on standard output: JSON, or text that fits the terminal."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

#: The fewest columns for text after an indent; with less, lines continue at the left edge.
_LEAST = 24


def terminal_width() -> int | None:
    """Columns of the terminal on standard output; None if it is not a terminal.

    None, too, if the width is not known or the terminal cannot show an ellipsis.
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


def has_color(args: Mapping[str, Any]) -> bool:
    """Whether to print colors: on a terminal, without --no-color and NO_COLOR."""
    return sys.stdout.isatty() and "no_color" not in args and not os.environ.get("NO_COLOR")


def looks(args: Mapping[str, Any]) -> dict[str, Any]:
    """What formats need to know: `color`, and the columns of the `terminal`."""
    return {"color": args["format"] == "text" and has_color(args), "terminal": terminal_width()}


def print_result(args: Mapping[str, Any], entry: Callable[[], Any], text: Callable[[], str]) -> None:
    """Print a result in the format that the user asks for: its JSON entry, or its text."""
    if args["format"] == "json":
        from truebleu.text.json_text import json_text

        print(json_text(entry()))
    else:
        print_wrapped(text())


def print_groups(
    args: Mapping[str, Any],
    title: str,
    results: Mapping[str | None, Mapping[str, Any]],
    entry: Callable[[Any], Any],
    text: Callable[[Any], str],
) -> None:
    """Print the result of each system in each group: JSON by their names, text after their names.

    Without groups, there is one, whose name is None; the name of a single system is left out.
    """
    from truebleu.text.tables import grouped

    def each(function: Callable[[Any], Any], systems: Mapping[str, Any]) -> Any:
        results = {name: function(result) for name, result in systems.items()}
        return results if len(results) > 1 else results.popitem()[1]

    def headed(title: str, texts: Any) -> str:
        return texts if isinstance(texts, str) else grouped("text", title, texts, color=has_color(args))

    def entries() -> Any:
        groups = {name: each(entry, systems) for name, systems in results.items()}
        return groups.get(None, groups)

    def texts() -> str:
        groups = {name: headed("system", each(text, systems)) for name, systems in results.items()}
        return headed(title, groups.get(None, groups))

    print_result(args, entries, texts)


def print_wrapped(text: str) -> None:
    """Print text; on a terminal, long lines are wrapped and indented."""
    width = terminal_width()
    if width is not None:
        text = "\n".join(piece for line in text.split("\n") for piece in wrapped(line, width))
    print(text)


def wrapped(line: str, width: int) -> list[str]:
    r"""A line in pieces of at most `width` columns, split at spaces; longer words stay whole.

    Pieces after the first start below the last column of the line: the text after two or more
    spaces.

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
    gaps = [gap.end() for gap in re.finditer(r"(?<!^)\S {2,}(?=\S)|^ +", line)]
    indents = [size(line[:end]) for end in gaps]
    indent = max((indent for indent in indents if width - indent >= _LEAST), default=0)
    pieces, piece = [], ""
    for word in re.findall(r" *[^ ]+", line):
        if piece.strip() and size(piece + word) > width:
            pieces.append(piece)
            piece = word.lstrip()
            if size(piece) <= width - indent:  # longer words, such as signatures, are not indented
                piece = " " * indent + piece
        else:
            piece += word
    return [*pieces, piece]

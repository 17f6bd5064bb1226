# SPDX-License-Identifier: Apache-2.0
"""A table of cells as lines of text, for people, spreadsheets and papers.

Cells are any text: control characters are spelled out, and what a format takes for its own markup
is escaped.
"""

from __future__ import annotations

from truebleu.text.escaping import columns, shortened, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = Sequence[str]

BOLD, DIM, GREEN, RED, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m"

#: Columns of a terminal between two columns of a table; the fewest that a name is shortened to.
_GAP, _SHORTEST = 2, 8


def padded(rows: Sequence[Row], room: int | None = None) -> list[list[str]]:
    """The cells, each as wide as the widest of its column; the first column goes to the left.

    Args:
        room: columns of a terminal. Where the table has more, its first column is shortened, and
            then the last ones give way to an ellipsis.
    """
    table = [[visible(cell) for cell in row] for row in rows]
    if room is not None:
        table = _fitted(table, room)
    widths = _widths(table)
    return [
        [
            " " * (width - columns(cell)) + cell if i else cell + " " * (width - columns(cell))
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in table
    ]


def _widths(table: Sequence[Row]) -> list[int]:
    return [max(map(columns, column)) for column in zip(*table, strict=True)]


def _fitted(table: list[list[str]], room: int) -> list[list[str]]:
    first, *others = _widths(table)
    least = min(first, _SHORTEST)
    kept = len(others)
    # The second column stays, because it is what the table is about.
    while kept > 1 and least + _taken(others, kept) > room:
        kept -= 1
    name = max(least, room - _taken(others, kept))
    more = ["\u2026"] if kept < len(others) else []
    return [[shortened(row[0], name), *row[1 : kept + 1], *more] for row in table]


def _taken(widths: Sequence[int], kept: int) -> int:
    """What so many columns take behind the first, with an ellipsis for those that are left out."""
    ellipsis = _GAP + 1 if kept < len(widths) else 0
    return sum(widths[:kept]) + _GAP * kept + ellipsis


def aligned(rows: Sequence[Row]) -> list[str]:
    """Padded cells with two blanks between them, and a rule below the first row."""
    head, *rest = rows
    rule = ["-" * columns(cell) for cell in head]
    return [(" " * _GAP).join(row).rstrip() for row in (head, rule, *rest)]


def tsv(rows: Sequence[Row]) -> list[str]:
    """Tab-separated values; a tab or a line feed in a cell becomes a blank."""
    blanks = {ord(char): " " for char in "\t\n"}
    return ["\t".join(visible(cell.translate(blanks)) for cell in row) for row in rows]


#: What Markdown would read as more than the character; the colon and the letters begin links.
_MARKDOWN = r"(?i)[\\`*<>&\[\]|~$@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\."
_ENTITIES = {"\\": "&#92;", "<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", ":": "&#58;",
             ".": "&#46;"}  # fmt: skip


def markdown(rows: Sequence[Row]) -> list[str]:
    """A table of GitHub's Markdown; the first row is the head."""

    def line(cells: Row) -> str:
        return "| " + " | ".join(map(_in_markdown, cells)) + " |"

    head, *rest = rows
    rule = "| " + " | ".join([":---", *["---:"] * (len(head) - 1)]) + " |"
    return [line(head), rule, *map(line, rest)]


def _in_markdown(cell: str) -> str:
    import re  # no other format needs it

    def escape(found: re.Match[str]) -> str:
        return _ENTITIES.get(found[0], f"\\{found[0]}")

    return re.sub(_MARKDOWN, escape, visible(cell))


#: A bracket or a star behind the end of a row would be an argument of it.
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip


def latex(rows: Sequence[Row]) -> list[str]:
    """A tabular with the rules of booktabs; the first row is the head."""

    def line(cells: Row) -> str:
        escaped = ("".join(_LATEX.get(char, char) for char in visible(cell)) for cell in cells)
        return " & ".join(escaped) + r" \\"

    head, *rest = rows
    shape = "l" + "r" * (len(head) - 1)
    return [
        rf"\begin{{tabular}}{{{shape}}}", r"\toprule", line(head), r"\midrule",
        *map(line, rest), r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def latex_comment(text: str) -> str:
    """A line that LaTeX passes over, whatever is in the text."""
    return f"% {visible(text)}"


def markdown_code(text: str) -> str:
    """Text as code, whatever is in it."""
    return f"`{visible(text).replace('`', chr(39))}`"

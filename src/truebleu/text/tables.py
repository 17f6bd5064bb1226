# SPDX-License-Identifier: Apache-2.0
"""A table of cells as lines of text, for people, spreadsheets and papers.

Cells hold any text: control characters and the markup of the format are escaped.
"""

from __future__ import annotations

from math import inf, isnan

from truebleu.text.escaping import columns, shortened, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    Row = Sequence[str]

BOLD, DIM, GREEN, RED, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m"

#: Columns of a terminal between two columns of a table; the least width of a shortened name.
_GAP, _SHORTEST = 2, 8


def number(value: float, places: int | None) -> str:
    """A number with so many decimals; with None, with as many as it has."""
    if isnan(value):
        return "NaN"
    return repr(float(value)) if places is None else f"{value:.{places}f}"


def span(interval: Iterable[float], places: int | None) -> str:
    """The ends of an interval, each as a number."""
    return " to ".join(number(end, places) for end in interval)


def padded(rows: Sequence[Row], width: int | None = None) -> list[list[str]]:
    """The cells padded to the width of their column; the first column is aligned to the left.

    Where the table is wider than the `width` of the terminal, its first column is shortened, and
    then an ellipsis replaces the last columns.
    """
    table = [[visible(cell) for cell in row] for row in rows]
    if width is not None:
        table = _fitted(table, width)
    widths = _widths(table)
    return [
        [
            " " * (width - columns(cell)) + cell if i else cell + " " * (width - columns(cell))
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in table
    ]


def blocks(rows: Sequence[Row], width: int | None = None) -> list[list[list[str]]]:
    """Padded tables that fit in the terminal; each has the first column and some of the others."""
    first, *others = _widths([[visible(cell) for cell in row] for row in rows])
    free = inf if width is None else width - min(first, width // 2)
    parts: list[list[int]] = []
    left = 0.0
    for i, size in enumerate(others, start=1):
        left -= _GAP + size
        if left < 0 or not parts:
            parts.append([0])
            left = free - _GAP - size
        parts[-1].append(i)
    return [padded([[row[i] for i in part] for row in rows], width) for part in parts]


def _widths(table: Sequence[Row]) -> list[int]:
    return [max(map(columns, column)) for column in zip(*table, strict=True)]


def _fitted(table: list[list[str]], width: int) -> list[list[str]]:
    first, *others = _widths(table)
    least = min(first, _SHORTEST)
    shown = len(others)
    # The second column stays, because the table is about it.
    while shown > 1 and least + _used(others, shown) > width:
        shown -= 1
    name = max(least, width - _used(others, shown))
    more = ["\u2026"] if shown < len(others) else []
    return [[shortened(row[0], name), *row[1 : shown + 1], *more] for row in table]


def _used(widths: Sequence[int], shown: int) -> int:
    """The width of the first `shown` columns, with an ellipsis for the others."""
    ellipsis = _GAP + 1 if shown < len(widths) else 0
    return sum(widths[:shown]) + _GAP * shown + ellipsis


def aligned(rows: Sequence[Row]) -> list[str]:
    """Padded cells with two spaces between them, and a rule below the first row."""
    head, *body = rows
    rule = ["-" * columns(cell) for cell in head]
    return [(" " * _GAP).join(row).rstrip() for row in (head, rule, *body)]


def tsv(rows: Sequence[Row]) -> list[str]:
    """Tab-separated values; a tab or a line feed in a cell becomes a space."""
    spaces = str.maketrans("\t\n", "  ")
    return ["\t".join(visible(cell.translate(spaces)) for cell in row) for row in rows]


#: Characters that are markup in Markdown, and those that make a link of a text.
_MARKDOWN = r"(?i)[\\`*<>&\[\]|~$@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\."
_ENTITIES = {"\\": "&#92;", "<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", ":": "&#58;",
             ".": "&#46;"}  # fmt: skip


def markdown(rows: Sequence[Row], bold: Container[tuple[int, int]] = ()) -> list[str]:
    """A table of GitHub's Markdown; the first row is the head.

    Cells in `bold`, by row and column from 0, are bold.
    """

    def line(row: int, cells: Row) -> str:
        marks = ("**" if (row, i) in bold else "" for i in range(len(cells)))
        escaped = (f"{mark}{_in_markdown(cell)}{mark}" for mark, cell in zip(marks, cells, strict=True))
        return "| " + " | ".join(escaped) + " |"

    first, *body = (line(row, cells) for row, cells in enumerate(rows))
    rule = "| " + " | ".join([":---", *["---:"] * (len(rows[0]) - 1)]) + " |"
    return [first, rule, *body]


def _in_markdown(cell: str) -> str:
    import re  # no other format needs it

    return re.sub(_MARKDOWN, lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), visible(cell))


#: A bracket or a star after the end of a row would be an argument of it.
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "|": r"\textbar\allowbreak{}", "<": r"\textless{}", ">": r"\textgreater{}", '"': r"\symbol{34}",
    "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip


#: Minus signs before numbers, and marks and limits after them.
_SIGNS = (
    (r"(?<![^ ])-(?=\d)", "$-$"),
    (r"\\textless\{\}=", r"$\\leq$"), (r"(?<=\d)\{\*\}$", "$^{*}$"),
    (r"(?<=\d)\\textasciitilde\{\}$", r"$^{\\sim}$"),
)  # fmt: skip


def latex(rows: Sequence[Row], bold: Container[tuple[int, int]] = (), caption: str = "") -> list[str]:
    """A tabular with the rules of the package booktabs, in a floating table if it has a caption.

    The first row is the head. Cells in `bold`, by row and column from 0, are bold.
    """
    import re  # no other format needs it

    def escaped(text: str) -> str:
        latex = "".join(_LATEX.get(char, char) for char in visible(text))
        for pattern, replacement in _SIGNS:
            latex = re.sub(pattern, replacement, latex)
        return latex

    def line(row: int, cells: Row) -> str:
        shown = (rf"\textbf{{{escaped(cell)}}}" if (row, i) in bold else escaped(cell) for i, cell in enumerate(cells))
        return " & ".join(shown) + r" \\"

    head, *body = (line(row, cells) for row, cells in enumerate(rows))
    shape = "l" + "r" * (len(rows[0]) - 1)
    lines = [
        rf"\begin{{tabular}}{{{shape}}}", r"\toprule", head, r"\midrule",
        *body, r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
    title = rf"\caption{{{escaped(caption)}}}"
    lines = [r"\begin{table}", *lines, title, r"\end{table}"] if caption else lines
    return [r"% \usepackage{booktabs}", *lines]


def grouped(form: str, title: str, texts: Mapping[str, str], *, color: bool = False) -> str:
    r"""The tables of groups below each other, in a format: `text`, `tsv`, `latex` or `markdown`.

    TSV is one table, whose first column has the groups.

    Args:
        form: the format.
        title: what the groups are called, such as `domain`.
        texts: the table of each group.
        color: for terminals: groups in bold.

    Example:
        >>> grouped("tsv", "domain", {"a": "x\ty\n1\t2", "b": "x\ty\n3\t4"}).split("\n")
        ['domain\tx\ty', 'a\t1\t2', 'b\t3\t4']
    """
    if form == "tsv":
        lines: list[str] = []
        for name, text in texts.items():
            head, *rows = text.split("\n")
            (cell,), (label,) = tsv([[name]]), tsv([[title]])
            lines += [*([] if lines else [f"{label}\t{head}"]), *(f"{cell}\t{row}" for row in rows)]
        return "\n".join(lines)
    parts = []
    for name, text in texts.items():
        heading = visible(f"{title}: {name}")
        if form == "latex":
            heading = latex_comment(heading)
        elif form == "markdown":
            heading = f"## {markdown_code(heading)}"
        elif color:
            heading = f"{BOLD}{heading}{PLAIN}"
        parts.append(f"{heading}\n\n{text}")
    return "\n\n".join(parts)


def latex_comment(text: str) -> str:
    """Any text as a line that LaTeX skips."""
    return f"% {visible(text)}"


def markdown_code(text: str) -> str:
    """Any text as code of Markdown."""
    return f"`{visible(text).replace('`', chr(39))}`"

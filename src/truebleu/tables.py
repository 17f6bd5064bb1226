# SPDX-License-Identifier: Apache-2.0
"""A table of cells as lines of text, for people, spreadsheets and papers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = Sequence[str]

BOLD, DIM, GREEN, RED, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m"


def padded(rows: Sequence[Row]) -> list[list[str]]:
    """The cells, each as wide as the widest of its column; the first column goes to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


def aligned(rows: Sequence[Row]) -> list[str]:
    """Padded cells with two blanks between them, and a rule below the first row."""
    head, *rest = rows
    rule = ["-" * len(cell) for cell in head]
    return ["  ".join(row).rstrip() for row in (head, rule, *rest)]


def tsv(rows: Sequence[Row]) -> list[str]:
    """Tab-separated values; a tab or a line feed in a cell becomes a blank."""
    return ["\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) for row in rows]


def markdown(rows: Sequence[Row]) -> list[str]:
    """A table of GitHub's Markdown; the first row is the head."""

    def line(cells: Row) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    head, *rest = rows
    return [line(head), line([":---", *["---:"] * (len(head) - 1)]), *map(line, rest)]


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
}  # fmt: skip


def latex(rows: Sequence[Row]) -> list[str]:
    """A tabular with the rules of booktabs; the first row is the head."""

    def line(cells: Row) -> str:
        escaped = ("".join(_LATEX.get(char, char) for char in cell) for cell in cells)
        return " & ".join(escaped) + r" \\"

    head, *rest = rows
    columns = "l" + "r" * (len(head) - 1)
    return [
        rf"\begin{{tabular}}{{{columns}}}", r"\toprule", line(head), r"\midrule",
        *map(line, rest), r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip

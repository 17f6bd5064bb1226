# SPDX-License-Identifier: Apache-2.0
"""The output of sacreBLEU's command line: texts, tables and colors."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.compat.sacrebleu.significance import Result


class Color:
    """Colors of a terminal."""

    ENABLE_COLORS = True

    _CODES = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}  # noqa: RUF012

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The text in a color, if colors are enabled."""
        if not Color.ENABLE_COLORS:
            return msg
        return f"\x1b[{Color._CODES[color]}m{msg}\x1b[0m"


def print_single_results(results: list[str], args: Namespace) -> None:
    """Print the scores of one system."""
    if args.format == "json":
        print(results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]")
        return
    interval = re.compile(r"\(μ = [0-9\.]+ ± [0-9\.]+\)")
    results = [interval.sub(lambda match: Color.format(match[0], "cyan"), one) for one in results]
    if len(results) == 1:
        print(results[0])
        return
    lines = [line.partition("=") for line in results]
    width = max(len(left.removesuffix(" ")) for left, _, _ in lines)
    for left, equals, right in lines:
        print(f"{left.removesuffix(' '):>{width}} {equals}{right}" if equals else left)


def print_results_table(
    results: dict[str, Any], signatures: dict[str, str], args: Namespace
) -> None:
    """Print the scores of several systems, and the results of a paired test."""
    if args.format == "json":
        keys = ["system" if name == "System" else name for name in results]
        rows = [dict(zip(keys, row, strict=True)) for row in zip(*results.values(), strict=True)]
        print(json.dumps(rows, indent=4, default=_plain))
        return
    boxes = args.format == "text"
    columns = _texts(results, args.width, "\n" if boxes else " ")
    baseline = columns["System"][0]
    if baseline.startswith("Baseline:"):
        for cells in columns.values():
            cells[0] = Color.format(cells[0], "yellow")
    shown = {Color.format(name, "cyan"): cells for name, cells in columns.items()}
    print(_boxes(shown) if boxes else _latex(shown), end="\n\n")
    if args.paired_bs or args.paired_ar:
        _explain_test(baseline if baseline.startswith("Baseline:") else "", args)
    print("-----------------\nMetric signatures\n-----------------")
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature}")


def _plain(value: Any) -> Any:
    # The means of TER are NumPy's floats, with which sacreBLEU fails under NumPy 2.
    return vars(value) if hasattr(value, "__dict__") else float(value)


def _texts(results: dict[str, Any], width: int, separator: str) -> dict[str, list[str]]:
    """The columns as text. A title says whether there are confidence intervals."""
    columns = {}
    intervals = False
    for name, values in results.items():
        intervals |= any(not isinstance(one, str) and one.mean is not None for one in values)
        title = f"{name} (μ ± 95% CI)" if intervals else name
        columns[title] = [_cell(value, width, separator) for value in values]
    return columns


def _cell(result: str | Result, width: int, separator: str) -> str:
    if isinstance(result, str):
        return result
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        p = f"(p = {result.p_value:.4f})"
        text += separator + (Color.format(p, "red") if result.p_value > 0.05 else f"{p}*")
    return text


_ANSI = re.compile(r"\x1b\[\d+m")


def _visible(text: str) -> int:
    return max(len(line) for line in _ANSI.sub("", text).split("\n"))


def _padded(columns: dict[str, list[str]]) -> list[list[list[str]]]:
    """Rows of cells, which are lists of lines; right-aligned in the first column, else centered."""
    padded = []
    for i, (title, cells) in enumerate(columns.items()):
        width = max(_visible(title) + 2, *map(_visible, cells))
        column = []
        for cell in [title, *cells]:
            lines = []
            for line in cell.split("\n"):
                space = width - _visible(line)
                left = space // 2 if i else space
                lines.append(" " * left + line + " " * (space - left))
            column.append(lines)
        padded.append(column)
    return [list(row) for row in zip(*padded, strict=True)]


def _boxes(columns: dict[str, list[str]]) -> str:
    rows = _padded(columns)
    widths = [_visible(cell[0]) + 2 for cell in rows[0]]

    def rule(left: str, line: str, middle: str, right: str) -> str:
        return left + middle.join(line * width for width in widths) + right

    lines = [rule("╒", "═", "╤", "╕")]
    for i, row in enumerate(rows):
        height = max(map(len, row))
        if i:
            lines.append(rule("├", "─", "┼", "┤") if i > 1 else rule("╞", "═", "╪", "╡"))
        for j in range(height):
            cells = [cell[j] if j < len(cell) else " " * _visible(cell[0]) for cell in row]
            lines.append("│ " + " │ ".join(cells) + " │")
    return "\n".join([*lines, rule("╘", "═", "╧", "╛")])


_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "^": r"\^{}", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}  # fmt: skip


def _latex(columns: dict[str, list[str]]) -> str:
    rows = [
        "&".join(" " + "".join(_LATEX.get(char, char) for char in cell[0]) + " " for cell in row)
        + "\\\\"
        for row in _padded(columns)
    ]
    begin = "\\begin{tabular}{r" + "c" * (len(columns) - 1) + "}"
    return "\n".join(
        [begin, "\\toprule", rows[0], "\\midrule", *rows[1:], "\\bottomrule", "\\end{tabular}"]
    )


def _explain_test(baseline: str, args: Namespace) -> None:
    if args.paired_bs:
        kind, count, unit = "bootstrap resampling", args.paired_bs_n, "resampling trials"
        columns = "Actual system score / bootstrap estimated true mean / 95% CI are"
    else:
        kind, count, unit = "approximate randomization", args.paired_ar_n, "trials"
        columns = "Actual system score is"
    title = f"Paired {kind} test with {count} {unit}"
    word, name = Color.format("baseline", "yellow"), Color.format(baseline, "yellow")
    null = Color.format("Null hypothesis", "green")
    print(f"{'-' * len(title)}\n{title}\n{'-' * len(title)}")
    print(f""" - Each system is pairwise compared to {name}.
   {columns} provided for each metric.

 - {null}: the system and the {word} translations are essentially
   generated by the same underlying process. For a given system and the {word},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {word}.
   Otherwise, the p-values are {Color.format("highlighted in red", "red")}.

 - NOTE: Significance does not tell whether a system is "better" than the {word} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
""")

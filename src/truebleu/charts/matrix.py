# SPDX-License-Identifier: Apache-2.0
"""The chart of the differences of many systems: a matrix of all pairs."""

from __future__ import annotations

from truebleu.analysis.compare.comparison import Comparison
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.look import Look
from truebleu.errors import InputError

_BETTER, _WORSE, _NEITHER = "row better", "row worse", "not significant"


def matrix(comparison: Comparison, look: Look | None = None, *, given_order: bool = False) -> Figure:
    """The difference of each pair, row minus column; gray where it is not significant.

    The data of the chart are rows with `system`, `other` (the number of the other system's
    row), `difference`, `p` after the correction, and `result`.
    """
    if comparison.baseline is not None:
        raise InputError("a comparison with a baseline has no matrix; compare all pairs")
    look = look or Look()
    systems = list(comparison.systems) if given_order else comparison.ranked()
    labels = layout.labels((system.name for system in systems), look)
    names = [f"{label} {place}" for place, label in enumerate(labels, start=1)]
    largest = max(abs(pair.difference) for pair in comparison.pairs) or 1.0
    decimals = comparison.pairs[0].decimals
    cells = []
    for name, row in zip(names, systems, strict=True):
        pairs = comparison.pairs_of(row.name)
        for place, other in enumerate(systems, start=1):
            if row is other:
                continue
            pair = pairs[other.name]
            result = {None: _NEITHER, pair.b: _BETTER, pair.a: _WORSE}[pair.better]
            share = 0.8 if result == _NEITHER else 0.2 + 0.6 * abs(pair.difference) / largest
            cells.append(
                {"system": name, "other": str(place), "difference": pair.difference,
                 "p": pair.p_adjusted, "result": result, "share": share,
                 "text": signed(pair.difference, decimals)}
            )  # fmt: skip
    hues = look.palette.systems
    level = f"p \N{LESS-THAN OR EQUAL TO} {comparison.alpha:g}{comparison.corrected}"
    title = f"{comparison.metric}: row minus column, significant if {level}"
    columns = [str(place + 1) for place in range(len(names))]
    colors = {_BETTER: hues[0], _WORSE: hues[1], _NEITHER: look.palette.grid}
    values = layout.Values(cells, names, "difference", decimals, look, "other", columns)
    return layout.table(values, title, "Matrix of the differences of all pairs of systems", colors)


def signed(value: float, decimals: int) -> str:
    """A number with its sign, as papers print it."""
    return f"{value:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")

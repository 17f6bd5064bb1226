# SPDX-License-Identifier: Apache-2.0
"""Charts of n-gram orders: their precisions, and the points lost to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from truebleu.analysis.explain.worksheet import worksheet
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.layout import formatted, marks, nominal, quantitative
from truebleu.charts.look import Look
from truebleu.dialects.signature import parse_signature
from truebleu.errors import InputError
from truebleu.metrics.score import Score

#: Names of systems and their scores, which must be BLEU scores.
Scored = Sequence[tuple[str, Any]]

#: The most systems whose numbers are written next to their marks.
_FEW = 5


def precisions(scores: Scored, look: Look | None = None) -> Figure:
    """n-gram precision against n, a line for each system; of many systems a table.

    Where the marks of all systems would overlap, it shows the difference to the highest precision.

    The data of the chart are rows with `system`, `n`, `precision` in percent, and its `difference`.
    """
    look = look or Look()

    def finite(score: Score) -> dict[int, float]:
        return {n: float(value) for n, value in enumerate(score.precisions, start=1) if isfinite(value)}

    names, rows = _rows(scores, look, "n", "precision", finite)
    orders = sorted({row["n"] for row in rows})
    if len(names) > layout.DISTINCT:
        values = layout.Values(rows, names, "precision", 1, look, "n", orders)
        return values.table("n-gram precision (%) by n", "Table of n-gram precisions in percent, for each system")
    axis = {"values": orders, "format": "d", "grid": False}
    scale = {"domain": [orders[0] - 0.15, orders[-1] + 0.1], "nice": False, "zero": False}
    x = quantitative("n", title="n-gram order n", axis=axis, scale=scale)
    description = "Lines: n-gram precision in percent against the n-gram order, for each system"
    title, value = "n-gram precision (%)", "precision"
    own = {n: [row["precision"] for row in rows if row["n"] == n] for n in orders}
    spread = max(max(precisions) - min(precisions) for precisions in own.values())
    if layout.overlap(spread, max(map(max, own.values())), len(names), look):
        rows = [{**row, "difference": row["precision"] - max(own[row["n"]])} for row in rows]
        title, value = "n-gram precision minus the highest (percentage points)", "difference"
    values = layout.Values(rows, names, value, 1, look)
    return layout.lines(values, x, title, description, from_zero=value == "precision")


def losses(scores: Scored, look: Look | None = None) -> Figure:
    """The points lost to each n-gram order and to the brevity penalty, a mark for each system.

    Of many systems it is a table. The points of a system and its score sum to the scale, divided
    as `truebleu.explain` divides them.

    The data of the chart are rows with `system`, `factor` and `points`.
    """
    look = look or Look()
    names, rows = _rows(scores, look, "factor", "points", lost)
    factors = sorted({row["factor"] for row in rows}, key=lambda f: (f == "brevity", len(f), f))
    scale = scores[0][1].scale
    title, decimals = f"points lost, of {scale}", 1 if scale > 1 else 3
    values = layout.Values(rows, names, "points", decimals, look, "factor", factors)
    if len(names) > layout.DISTINCT:
        return values.table(title, "Table of the points lost to each factor, for each system")
    ends = {"nice": False, **({"domainMax": max(look.values)} if look.values else {})}
    axis = {"tickCount": 5}
    place = {
        "y": layout.name_axis("factor", factors, scale={"paddingInner": 0.25, "paddingOuter": 0.1}),
        "yOffset": nominal("system", sort=names),
        "x": quantitative("points", title=title, axis=axis, scale=ends),
    }
    looks, legend_height = values.looks()
    tooltip = [nominal("system"), nominal("factor"), *formatted(["points"], 2)]
    points = {**place, **looks, "tooltip": tooltip}
    layers = [
        marks("rule", rows, {**place, "color": looks["color"], "x2": {"datum": 0}}, strokeWidth=1),
        marks("point", rows, points, size=look.size * 4.5),
    ]
    few = len(names) <= _FEW
    if few:
        (text,) = formatted(["points"], decimals)
        layers.append(marks("text", rows, {**place, "text": text}, align="left", dx=look.size * 0.6))
    each = max(1.1, len(names) * (0.95 if few else 0.7))
    height = len(factors) * each * 1.2 + 3.5 + legend_height
    description = "Points lost to each n-gram order and to the brevity penalty, for each system"
    return layout.finish(layers, look, height, description)


def lost(score: Score) -> dict[str, float]:
    """Points lost to each factor of a score, by the factor's name."""
    # The tokenizer does not matter here, and may be a function that no signature names in full.
    fields = [field for field in score.signature.split("|") if not field.startswith("tok:")]
    points = worksheet(parse_signature("|".join(fields)), score).lost
    return {
        f"{name.removeprefix('order ')}-grams" if name.startswith("order ") else name: value
        for name, value in points.items()
    }


def _rows(
    scores: Scored, look: Look, column: str, value: str, numbers: Callable[[Score], Mapping[Any, float]]
) -> tuple[list[str], list[dict[str, Any]]]:
    """Labels of the systems, and a row for each of their numbers, by column."""
    if not scores:
        raise InputError("there is no system to draw; give at least one")
    for name, score in scores:
        if not isinstance(score, Score):
            raise InputError(f"the score of {name!r} is {score.name}; this figure needs BLEU")
    names = layout.labels((name for name, _ in scores), look)
    rows = [
        {"system": name, column: key, value: number}
        for name, (_, score) in zip(names, scores, strict=True)
        for key, number in numbers(score).items()
    ]
    if not rows:
        kind = "precision" if value == "precision" else "score"
        raise InputError(f"no {kind} is a number, so there is nothing to draw")
    return names, rows

# SPDX-License-Identifier: Apache-2.0
"""Charts of scores broken down: by length, by document or group, by dialect."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

from truebleu.analysis.diff.surveys import Standing
from truebleu.analysis.slices import Slice
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.layout import formatted, marks, nominal, quantitative
from truebleu.charts.look import Look
from truebleu.errors import InputError


def lengths(buckets: Sequence[Slice], look: Look | None = None) -> Figure:
    """The score of segments of similar length, a line for each system; of many systems a table.

    The data of the chart are rows with `system`, `bucket`, `segments` and `score`.
    """
    look = look or Look()
    order = layout.labels((bucket.name for bucket in buckets), look)
    title, values = _values(buckets, "bucket", order, look)
    counts = {label: f"{bucket.segments:,}" for label, bucket in zip(order, buckets, strict=True)}
    # A JSON literal is also a Vega expression, for any names of buckets.
    label = f"[datum.value, {json.dumps(counts)}[datum.value]]"
    axis = {"labelExpr": label, "labelAngle": 0, "grid": False, "labelFontSize": look.size * 0.8}
    x = nominal("bucket", sort=order, scale={"type": "point", "padding": 0.3}, axis=axis)
    x |= {"type": "ordinal", "title": "tokens of the reference, and number of segments"}
    if len(values.names) > layout.DISTINCT:
        description = f"Table of {title} by reference length, for each system"
        return values.table(f"{title} by reference length in tokens", description)
    description = f"Lines: {title} against reference length in tokens, for each system"
    return layout.lines(values, x, title, description, from_zero=False)


def groups(parts: Sequence[Slice], look: Look | None = None, *, most: int = 30) -> Figure:
    """The score of each document or group, a mark for each system; of many systems a table.

    Those with the most segments are shown, at most `most` of them, in a table those that fit.

    The data of the chart are rows with `system`, `group`, `segments` and `score`; groups
    are sorted by the mean of their scores, the highest first.
    """
    look = look or Look()
    is_table = bool(parts) and len(parts[0].scores) > layout.DISTINCT
    if is_table:
        most = min(most, int(look.points * 0.5 / layout.line_height(look)))
    shown = sorted(parts, key=lambda part: -part.segments)[:most]
    shown.sort(key=_mean, reverse=True)
    order = layout.labels((part.name for part in shown), look)
    title, values = _values(shown, "group", order, look)
    heading = f"the {len(shown)} largest of {len(parts):,} groups"
    if is_table:
        more = f", {heading}" if len(shown) < len(parts) else ""
        return values.table(f"{title} by group{more}", f"Table of {title} of each document or group, for each system")
    y = layout.name_axis("group", order, grid=True)
    lowest, highest = quantitative("score", aggregate="min"), {"field": "score", "aggregate": "max"}
    span = {"y": y, "x": lowest, "x2": highest}
    axis = {"tickCount": 5, "grid": False}
    x = quantitative("score", title=title, axis=axis, scale={"zero": False, "padding": 6})
    tooltip = [nominal("system"), nominal("group"), quantitative("segments"), *formatted(["score"], values.decimals)]
    looks, legend_height = values.looks()
    points = {"y": y, "x": x, **looks, **layout.PALE, "tooltip": tooltip}
    layers = [
        marks("rule", values.rows, span, color=look.palette.faint, strokeWidth=0.5),
        *values.interval_rules({"x": x, "y": y}, "x"),
        marks("point", values.rows, points, size=look.size * 4.5),
    ]
    is_cut = len(shown) < len(parts)
    height = len(shown) + 3.5 + legend_height + is_cut
    description = f"{title} of each document or group, for each system"
    return layout.finish(layers, look, height, description, heading if is_cut else None)


def dialects(standings: Sequence[Standing], look: Look | None = None) -> Figure:
    """The score of one corpus under every dialect, in points of 100, the highest first.

    Dialects with the same score in two decimals are one row, which names sacreBLEU's or the first
    of them; one whose score is not a number is left out.

    The data of the chart are rows with `dialect`, `points` and `dialects`, the names of all.
    """
    look = look or Look()
    points = {
        standing.name: score.value * (100 / score.scale)
        for standing in standings
        if (score := standing.score) is not None and isfinite(score.value)
    }
    if not points:
        raise InputError("no dialect gives a score, so there is nothing to draw")
    rows: list[dict[str, Any]] = []
    for printed in sorted({round(value, 2) for value in points.values()}, reverse=True):
        names = [name for name, value in points.items() if round(value, 2) == printed]
        first, *others = sorted(names, key=lambda name: name != "sacrebleu")
        label = f"{first} and {len(others)} more" if others else first
        rows.append({"dialect": label, "points": points[first], "dialects": ", ".join([first, *others])})
    top = max(*(row["points"] for row in rows), *(look.values or ()), 1e-9)
    scale, title = {"domain": [0, top], "nice": False}, "BLEU in points of 100"
    place = {
        "x": quantitative("points", title=title, axis={"tickCount": 5}, scale=scale),
        "y": layout.name_axis("dialect", [row["dialect"] for row in rows]),
    }
    theirs, ours = look.hues(2)
    is_ours = "split(datum.dialects, ', ')[0] === 'sacrebleu'"
    hue = layout.either(is_ours, ours, theirs)
    (number,) = formatted(["points"], 2)
    points_of = {**place, "color": hue, "tooltip": [nominal("dialects"), number]}
    layers = [
        marks("rule", rows, {**place, "x2": {"datum": 0}, "color": hue}, strokeWidth=0.8),
        marks("point", rows, points_of, size=look.size * 3.5),
        marks("text", rows, {**place, "text": number}, align="left", dx=look.size * 0.6),
    ]
    height = len(rows) * 0.95 + 3
    return layout.finish(layers, look, height, "BLEU of one system under every dialect")


def _values(parts: Sequence[Slice], key: str, order: Sequence[str], look: Look) -> tuple[str, layout.Values]:
    """The name of the scores, and those that are numbers."""
    if not parts:
        raise InputError("there is no segment to draw; give at least one")
    systems = list(parts[0].scores)
    names = layout.labels(systems, look)
    rows = [
        {
            "system": name,
            key: place,
            "segments": part.segments,
            "score": float(score.value),
            **dict(zip(("low", "high"), part.intervals.get(system, ()), strict=False)),
        }
        for system, name in zip(systems, names, strict=True)
        for place, part in zip(order, parts, strict=True)
        if isfinite((score := part.scores[system]).value)
    ]
    if not rows:
        raise InputError("no score is a number, so there is nothing to draw")
    score = next(iter(parts[0].scores.values()))
    decimals = 3 if getattr(score, "scale", 100) == 1 else 1
    return score.name, layout.Values(rows, names, "score", decimals, look, key, order)


def _mean(part: Slice) -> float:
    values = [score.value for score in part.scores.values() if isfinite(score.value)]
    return sum(values) / len(values) if values else float("-inf")

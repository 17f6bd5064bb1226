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
from truebleu.charts.look import Look
from truebleu.errors import InputError


def lengths(buckets: Sequence[Slice], look: Look | None = None) -> Any:
    """The score of segments of similar length, a line for each system; of many systems a table.

    The data of the Altair chart are rows with `system`, `bucket`, `segments` and `score`.
    """
    look = look or Look()
    order = layout.labels((bucket.name for bucket in buckets), look)
    names, rows = _rows(buckets, "bucket", order, look)
    counts = {label: f"{bucket.segments:,}" for label, bucket in zip(order, buckets, strict=True)}
    # A JSON literal is also a Vega expression, for any names of buckets.
    label = f"[datum.value, {json.dumps(counts)}[datum.value]]"
    alt = layout.altair()
    x = alt.X(
        "bucket:O",
        title="reference length in tokens, and number of segments",
        sort=order,
        scale={"type": "point", "padding": 0.3},
        axis=alt.Axis(labelExpr=label, labelAngle=0, grid=False, labelFontSize=look.size * 0.8),
    )
    title, decimals = _measure(buckets)
    if len(names) > layout.DISTINCT:
        return layout.table(
            layout.shaded(rows, "bucket", "score", decimals), names, "bucket", order, look,
            title=f"{title} by reference length in tokens",
            description=f"Table of {title} by reference length, for each system",
        )  # fmt: skip
    description = f"Lines: {title} against reference length in tokens, for each system"
    return layout.lines(
        rows, names, x, "score", look, title=title, decimals=decimals, description=description,
        below=3, from_zero=False,
    )  # fmt: skip


def groups(parts: Sequence[Slice], look: Look | None = None, *, most: int = 30) -> Any:
    """The score of each document or group, a mark for each system; of many systems a table.

    Those with the most segments are shown, at most `most` of them, in a table those that fit.

    The data of the Altair chart are rows with `system`, `group`, `segments` and `score`; groups
    are sorted by the mean of their scores, the highest first.
    """
    look = look or Look()
    alt = layout.altair()
    is_table = bool(parts) and len(parts[0].scores) > layout.DISTINCT
    if is_table:
        most = min(most, int(look.points * 0.5 / layout.line_height(look)))
    shown = sorted(parts, key=lambda part: -part.segments)[:most]
    shown.sort(key=_mean, reverse=True)
    order = layout.labels((part.name for part in shown), look)
    names, rows = _rows(shown, "group", order, look)
    title, decimals = _measure(parts)
    heading = f"the {len(shown)} largest of {len(parts):,} groups"
    if is_table:
        return layout.table(
            layout.shaded(rows, "group", "score", decimals), names, "group", order, look,
            title=f"{title} by group" + (f", {heading}" if len(shown) < len(parts) else ""),
            description=f"Table of {title} of each document or group, for each system",
        )  # fmt: skip
    x = alt.X(
        "score:Q",
        title=title,
        axis=alt.Axis(tickCount=5, grid=False),
        scale={"zero": False, "padding": 6},
    )
    keys = layout.legend(names, look)
    base = alt.Chart(alt.Data(values=rows)).encode(y=layout.name_axis("group", order, grid=True))
    tooltip = ["system:N", "group:N", "segments:Q", alt.Tooltip("score:Q", format=f".{decimals}f")]
    chart = alt.layer(
        base.mark_rule(color=look.palette.faint, strokeWidth=0.5).encode(
            x="min(score):Q", x2="max(score):Q"
        ),
        base.mark_point(size=look.size * 4.5).encode(
            x=x,
            color=layout.color(names, look, keys),
            shape=layout.shape(names, look, keys),
            tooltip=tooltip,
        ),
    )
    height = len(shown) + 3.5 + layout.legend_lines(keys, names)
    if len(shown) < len(parts):
        height += 1
        chart = chart.properties(title=heading)
    description = f"{title} of each document or group, for each system"
    return layout.finish(chart, look, height, description)


def dialects(standings: Sequence[Standing], look: Look | None = None) -> Any:
    """The score of one corpus under every dialect, in points of 100, the highest first.

    A dialect whose score is not a number is left out.

    The data of the Altair chart are rows with `dialect` and `points`.
    """
    look = look or Look()
    alt = layout.altair()
    rows: list[dict[str, Any]] = [
        {"dialect": standing.name, "points": score.value * (100 / score.scale)}
        for standing in standings
        if (score := standing.score) is not None and isfinite(score.value)
    ]
    if not rows:
        raise InputError("no dialect gives a score, so there is nothing to draw")
    rows.sort(key=lambda row: (-row["points"], row["dialect"]))
    top = max(row["points"] for row in rows)
    x = alt.X(
        "points:Q",
        title="BLEU in points of 100",
        axis=alt.Axis(tickCount=5),
        scale={"domain": [0, max(top, 1e-9)], "nice": False},
    )
    y = layout.name_axis("dialect", [row["dialect"] for row in rows])
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, y=y)
    others, ours = look.hues(2)
    hue = alt.condition("datum.dialect === 'sacrebleu'", alt.value(ours), alt.value(others))
    number = alt.Tooltip("points:Q", format=".2f")
    chart = alt.layer(
        base.mark_rule(strokeWidth=0.8).encode(x2=alt.datum(0), color=hue),
        base.mark_point(size=look.size * 3.5).encode(color=hue, tooltip=["dialect:N", number]),
        base.mark_text(align="left", dx=look.size * 0.6).encode(
            text=alt.Text("points:Q", format=".2f")
        ),
    )
    height = len(rows) * 0.95 + 3
    return layout.finish(chart, look, height, "BLEU of one system under every dialect")


def _rows(
    parts: Sequence[Slice], key: str, order: Sequence[str], look: Look
) -> tuple[list[str], list[dict[str, Any]]]:
    """Labels of the systems, and a row for each score that is a number."""
    if not parts:
        raise InputError("there is no segment to draw; give at least one")
    systems = list(parts[0].scores)
    names = layout.labels(systems, look)
    rows = [
        {"system": name, key: place, "segments": part.segments, "score": float(score.value)}
        for system, name in zip(systems, names, strict=True)
        for place, part in zip(order, parts, strict=True)
        if isfinite((score := part.scores[system]).value)
    ]
    if not rows:
        raise InputError("no score is a number, so there is nothing to draw")
    return names, rows


def _measure(parts: Sequence[Slice]) -> tuple[str, int]:
    """The name of the scores, and their decimals."""
    score = next(iter(parts[0].scores.values()))
    return score.name, 3 if getattr(score, "scale", 100) == 1 else 1


def _mean(part: Slice) -> float:
    values = [score.value for score in part.scores.values() if isfinite(score.value)]
    return sum(values) / len(values) if values else float("-inf")

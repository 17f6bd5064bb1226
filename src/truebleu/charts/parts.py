# SPDX-License-Identifier: Apache-2.0
"""Figures of parts of a corpus: by length, by document or group."""

from __future__ import annotations

import json

from truebleu.charts.layout import (
    altair,
    color,
    figure,
    labels,
    legend,
    legend_lines,
    line_height,
    plain,
    shape,
)
from truebleu.charts.lines import lines
from truebleu.charts.look import Look
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.slices import Slice


def lengths(buckets: Sequence[Slice], look: Look | None = None) -> Any:
    """The score of segments of like length, a line for each system.

    Args:
        buckets: as `slices.by_length` gives them.

    Returns:
        An Altair chart. Its data are rows with `system`, `bucket`, `segments` and `score`.

    Raises:
        InputError: there is no segment.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    alt = altair()
    names, rows = _rows(buckets, "bucket", [bucket.name for bucket in buckets], look)
    shown = [bucket.name for bucket in buckets]
    counts = {bucket.name: f"{bucket.segments:,}" for bucket in buckets}
    # A literal of JSON is one of Vega's expressions, whatever the buckets are called.
    label = f"[datum.value, {json.dumps(counts)}[datum.value]]"
    x = alt.X(
        "bucket:O",
        title="tokens of the reference, and segments",
        sort=shown,
        scale=alt.Scale(type="point", padding=0.3),
        axis=alt.Axis(labelExpr=label, labelAngle=0, grid=False, labelFontSize=look.size * 0.8),
    )
    name, decimals = _measure(buckets)
    return lines(
        rows,
        names,
        x,
        "score",
        look,
        title=name,
        decimals=decimals,
        description=f"Lines: {name} against tokens of the reference, for each system",
        below=3,
        from_zero=False,
    )


def groups(parts: Sequence[Slice], look: Look | None = None, *, most: int = 30) -> Any:
    """The score of each document or group, a mark for each system.

    Args:
        parts: as `slices.by_label` gives them.
        most: how many are shown; of more, those with the most segments, which the title says.

    Returns:
        An Altair chart. Its data are rows with `system`, `group`, `segments` and `score`; groups
        are sorted by the mean of their scores, the highest first.

    Raises:
        InputError: there is no segment.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    alt = altair()
    shown = sorted(parts, key=lambda part: -part.segments)[:most]
    shown.sort(key=lambda part: -_mean(part))
    named = labels((part.name for part in shown), look)
    names, rows = _rows(shown, "group", named, look)
    name, decimals = _measure(parts)
    y = alt.Y(
        "group:N",
        sort=named,
        title=None,
        axis=alt.Axis(domain=False, ticks=False, grid=True, labelPadding=6),
    )
    x = alt.X(
        "score:Q",
        title=name,
        axis=alt.Axis(tickCount=5, grid=False),
        scale=alt.Scale(zero=False, padding=6),
    )
    keyed = legend(names, look)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    tooltip = ["system:N", "group:N", "segments:Q", alt.Tooltip("score:Q", format=f".{decimals}f")]
    layers = [
        base.mark_rule(color=look.faint, strokeWidth=0.5).encode(
            x=alt.X("min(score):Q"), x2="max(score):Q"
        ),
        base.mark_point(filled=True, opacity=1, size=look.size * 4.5).encode(
            x=x, color=color(names, look, keyed), shape=shape(names, look, keyed), tooltip=tooltip
        ),
    ]
    chart = alt.layer(*layers)
    if len(shown) < len(parts):
        chart = chart.properties(title=f"the {len(shown)} with most segments, of {len(parts):,}")
    height = len(shown) + 3.5 + legend_lines(names, look) + (len(shown) < len(parts))
    return figure(
        chart,
        look,
        height * line_height(look),
        f"{name} of each document or group, for each system",
    )


def _rows(
    parts: Sequence[Slice], key: str, named: Sequence[str], look: Look
) -> tuple[list[str], list[dict[str, Any]]]:
    """Labels of the systems, and a row for each score that is a number."""
    if not parts:
        raise InputError("there is no segment to draw; give one at least")
    systems = list(parts[0].scores)
    names = labels(systems, look)
    rows = [
        {"system": label, key: place, "segments": part.segments, "score": value}
        for system, label in zip(systems, names, strict=True)
        for place, part in zip(named, parts, strict=True)
        if (value := plain(part.scores[system].value)) is not None
    ]
    if not rows:
        raise InputError("no score is a number; there is no figure")
    return names, rows


def _measure(parts: Sequence[Slice]) -> tuple[str, int]:
    """What the scores are called, and their decimals."""
    score = next(iter(parts[0].scores.values())) if parts else None
    return getattr(score, "name", "score"), 3 if getattr(score, "scale", 100) == 1 else 1


def _mean(part: Slice) -> float:
    values = [plain(score.value) for score in part.scores.values()]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else float("-inf")

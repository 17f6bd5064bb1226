# SPDX-License-Identifier: Apache-2.0
"""Charts of resampling: scores with their intervals, and the distributions of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import Comparison, Pair, percent
from truebleu.charts import layout
from truebleu.charts.look import Look
from truebleu.errors import InputError
from truebleu.text.json_text import for_json

#: Bars of a histogram; the height of the tallest, as a share of a pair's height.
_BINS, _TALLEST = 40, 0.52


def scores(comparison: Comparison, look: Look | None = None) -> Any:
    """The score of each system with its interval, the best first.

    The data of the Altair chart are rows with `system`, `score`, `low`, `high` and `cluster`.
    """
    look = look or Look()
    alt = layout.altair()
    ranked = comparison.ranked()
    names = layout.labels((system.name for system in ranked), look)
    decimals = comparison.pairs[0].decimals
    rows = [
        {
            "system": name,
            "score": system.score.value,
            "low": for_json(system.interval[0]),
            "high": for_json(system.interval[1]),
            "cluster": system.cluster,
            "text": f"{system.score.value:.{decimals}f}",
        }
        for name, system in zip(names, ranked, strict=True)
    ]
    title = f"{ranked[0].score.name} with {percent(1 - comparison.alpha)} interval"
    axis = alt.Axis(tickCount=5)
    x = alt.X("low:Q", title=title, axis=axis, scale={"zero": False, "padding": 8})
    base = alt.Chart(alt.Data(values=rows)).encode(y=layout.name_axis("system", names))
    numbers = [alt.Tooltip(f"{key}:Q", format=f".{decimals}f") for key in ("score", "low", "high")]
    hue = look.palette.systems[0]
    tick = base.mark_tick(thickness=1.2, opacity=1, size=look.size * 0.7, color=hue)
    chart = alt.layer(
        base.mark_rule(strokeWidth=1.2, color=hue).encode(x=x, x2="high:Q"),
        tick.encode(x="low:Q"),
        tick.encode(x="high:Q"),
        base.mark_point(size=look.size * 5, color=hue).encode(
            x="score:Q", tooltip=["system:N", *numbers, "cluster:Q"]
        ),
        base.mark_text(dy=-look.size * 0.95).encode(x="score:Q", text="text:N"),
    )
    height = len(rows) * 2 + 3
    return layout.finish(chart, look, height, "Scores of systems with their intervals")


def difference(
    comparison: Comparison, look: Look | None = None, *, pairs: Sequence[Pair] | None = None
) -> Any:
    """The distribution of the resampled differences of each pair, with its interval.

    The data of the Altair chart are rows with `pair`, `low`, `high` (of a bar) and `share`; the
    intervals are rows with `pair`, `difference`, `low` and `high`.
    """
    look = look or Look()
    alt = layout.altair()
    shown = list(comparison.pairs if pairs is None else pairs)
    if not shown:
        raise InputError("there is no pair to draw; give at least one")
    systems = [system.name for system in comparison.systems]
    names = dict(zip(systems, layout.labels(systems, look), strict=True))
    bars: list[dict[str, Any]] = []
    spans: list[dict[str, Any]] = []
    for place, pair in enumerate(shown):
        floor = len(shown) - 1 - place
        label = f"{names[pair.b]} \N{MINUS SIGN} {names[pair.a]}"
        histogram = _histogram(comparison.differences(pair))
        tallest = max((share for _, _, share in histogram), default=1.0)
        bars += [
            {"pair": label, "low": low, "high": high, "share": share, "floor": floor,
             "top": floor + _TALLEST * share / tallest}
            for low, high, share in histogram
        ]  # fmt: skip
        low, high = map(for_json, pair.interval)
        spans.append(
            {"pair": label, "difference": pair.difference, "low": low, "high": high,
             "floor": floor - 0.16, "line": floor - 0.09, "top": floor + _TALLEST,
             "name": floor + 0.7, "zero": 0.0, "text": _interval_text(pair)}
        )  # fmt: skip
    ends = [bar[end] for bar in bars for end in ("low", "high")]
    ends += [0.0, *(span["difference"] for span in spans)]
    margin = 0.03 * (max(ends) - min(ends) or 1.0)
    scale = {"domain": [min(ends) - margin, max(ends) + margin], "nice": False}
    metric, level = comparison.systems[0].score.name, percent(1 - comparison.alpha)
    title = f"difference in {metric}, with {level} interval"

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", title=title, axis=alt.Axis(tickCount=5, grid=False), scale=scale)

    def y(field: str) -> Any:
        heights = {"domain": [-0.2, len(shown) - 0.2], "nice": False}
        return alt.Y(f"{field}:Q", axis=None, scale=heights)

    # The outline of a histogram has a point at both ends of each bar.
    outline = [{**bar, "low": end} for bar in bars for end in (bar["low"], bar["high"])]
    decimals = f".{shown[0].decimals}f"
    numbers = [alt.Tooltip(f"{key}:Q", format=decimals) for key in ("difference", "low", "high")]
    base = alt.Chart(alt.Data(values=spans))
    chart = alt.layer(
        alt.Chart(alt.Data(values=outline))
        .mark_area(color=look.palette.systems[0], opacity=0.5, line=False)
        .encode(x=x("low"), y=y("top"), y2="floor:Q", detail="pair:N"),
        base.mark_rule(color=look.palette.ink, strokeDash=[3, 2]).encode(
            x=x("zero"), y=y("floor"), y2="top:Q"
        ),
        base.mark_rule(strokeWidth=1.6, color=look.palette.ink).encode(
            x=x("low"), x2="high:Q", y=y("line")
        ),
        base.mark_point(size=look.size * 5, color=look.palette.ink).encode(
            x=x("difference"), y=y("line"), tooltip=["pair:N", *numbers]
        ),
        base.mark_text(align="left", limit=look.points * 0.5).encode(
            x=alt.value(0), y=y("name"), text="pair:N"
        ),
        base.mark_text(align="right").encode(
            x=alt.value({"expr": "width"}), y=y("name"), text="text:N"
        ),
    )
    description = "Distributions of resampled differences of pairs of systems, with their intervals"
    return layout.finish(chart, look, len(shown) * 4.6 + 2.8, description)


def _interval_text(pair: Pair) -> str:
    """The difference and its interval as papers print them."""
    values = (pair.difference, *pair.interval)
    middle, low, high = (
        f"{value:+.{pair.decimals}f}".replace("-", "\N{MINUS SIGN}") for value in values
    )
    return f"{middle} [{low}, {high}]"


def _histogram(values: Any) -> list[tuple[float, float, float]]:
    """Bars: their two ends and the share of the values between them."""
    values = values[np.isfinite(values)]
    if not len(values):
        return []
    low, high = float(values.min()), float(values.max())
    if not low < high:  # the two systems are the same
        half = abs(low) * 1e-3 or 0.05
        return [(low - half, low + half, 1.0)]
    counts, edges = np.histogram(values, bins=_BINS)
    shares, ends = (counts / len(values)).tolist(), edges.tolist()
    return list(zip(ends[:-1], ends[1:], shares, strict=True))

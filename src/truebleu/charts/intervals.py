# SPDX-License-Identifier: Apache-2.0
"""Charts of resampling: scores with their intervals, and the distributions of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import Comparison, Pair, percent
from truebleu.charts import layout
from truebleu.charts.look import Look
from truebleu.charts.matrix import matrix, signed
from truebleu.errors import InputError
from truebleu.text.json_text import for_json

#: Bars of a histogram; the height of the tallest, as a share of a pair's height.
_BINS, _TALLEST = 40, 0.52

#: The most systems whose scores are written above their marks, and the most pairs whose
#: distributions are drawn: those of five systems.
_ROOMY, _PAIRS = 10, 10


def scores(comparison: Comparison, look: Look | None = None, *, given_order: bool = False) -> Any:
    """The score of each system with its interval, the best first unless in the given order.

    The data of the Altair chart are rows with `system`, `score`, `low`, `high` and `cluster`.
    """
    look = look or Look()
    ranked = list(comparison.systems) if given_order else comparison.ranked()
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
    tooltip = ["system:N", *_numbers(("score", "low", "high"), decimals), "cluster:Q"]
    return _intervals(rows, "score", look, title, tooltip, "Scores of systems with their intervals")


def _numbers(fields: Sequence[str], decimals: int) -> list[Any]:
    alt = layout.altair()
    return [alt.Tooltip(f"{field}:Q", format=f".{decimals}f") for field in fields]


def _intervals(
    rows: Sequence[dict[str, Any]],
    value: str,
    look: Look,
    title: str,
    tooltip: Sequence[Any],
    description: str,
) -> Any:
    """A line for each row's `system`, with its `value`, `low`, `high` and `text`.

    The text is above the mark, or of many systems after the name. Rows whose `result` is
    `not significant` are gray. If the values are differences, 0 is marked.
    """
    alt = layout.altair()
    roomy = len(rows) <= _ROOMY
    names = [row["system"] for row in rows]
    labels = None if roomy else {row["system"]: f"{row['system']}  {row['text']}" for row in rows}
    axis = alt.Axis(tickCount=5)
    x = alt.X("low:Q", title=title, axis=axis, scale={"zero": False, "padding": 8})
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        y=layout.name_axis("system", names, labels=labels),
        color=alt.condition(
            "datum.result === 'not significant'",
            alt.value(look.palette.faint),
            alt.value(look.palette.systems[0]),
        ),
    )
    tick = base.mark_tick(thickness=1.2, opacity=1, size=look.size * 0.7)
    layers = [
        base.mark_rule(strokeWidth=1.2).encode(x=x, x2="high:Q"),
        tick.encode(x="low:Q"),
        tick.encode(x="high:Q"),
        base.mark_point(size=look.size * 5).encode(x=f"{value}:Q", tooltip=list(tooltip)),
    ]
    if value == "difference":
        zero = alt.Chart(alt.Data(values=[{"zero": 0}]))
        layers.insert(
            0, zero.mark_rule(color=look.palette.ink, strokeDash=[3, 2]).encode(x="zero:Q")
        )
    if roomy:
        above = base.mark_text(dy=-look.size * 0.95)
        layers.append(
            above.encode(x=f"{value}:Q", text="text:N", color=alt.value(look.palette.ink))
        )
    height = len(rows) * (2 if roomy else 1.15) + 3
    return layout.finish(alt.layer(*layers), look, height, description)


def _from_baseline(comparison: Comparison, look: Look, *, given_order: bool) -> Any:
    """The difference of each system from the baseline, with its interval."""
    pairs = {pair.b: pair for pair in comparison.pairs}
    systems = comparison.systems if given_order else comparison.ranked()
    others = [system for system in systems if system.name in pairs]
    rows = []
    for name, system in zip(layout.labels([one.name for one in others], look), others, strict=True):
        pair = pairs[system.name]
        low, high = map(for_json, pair.interval)
        rows.append(
            {"system": name, "difference": pair.difference, "low": low, "high": high,
             "p": pair.p_adjusted, "result": "significant" if pair.better else "not significant",
             "text": signed(pair.difference, pair.decimals)}
        )  # fmt: skip
    decimals = comparison.pairs[0].decimals
    (baseline,) = layout.labels([comparison.pairs[0].a], look)
    title = f"{comparison.metric} minus {baseline}, {percent(1 - comparison.alpha)} interval"
    tooltip = ["system:N", *_numbers(("difference", "low", "high"), decimals), "p:Q", "result:N"]
    return _intervals(
        rows, "difference", look, title, tooltip,
        "Differences of systems from a baseline with their intervals",
    )  # fmt: skip


def difference(
    comparison: Comparison,
    look: Look | None = None,
    *,
    pairs: Sequence[Pair] | None = None,
    given_order: bool = False,
) -> Any:
    """The distribution of the resampled differences of each pair, with its interval.

    More than ten pairs are a matrix, as those of six systems; with a baseline, lines with the
    interval of each difference.

    Of up to ten pairs, the data of the Altair chart are rows with `pair`, `low`, `high` (of a bar)
    and `share`; the intervals are rows with `pair`, `difference`, `low` and `high`.
    """
    look = look or Look()
    alt = layout.altair()
    shown = list(comparison.pairs if pairs is None else pairs)
    if not shown:
        raise InputError("there is no pair to draw; give at least one")
    if len(shown) > _PAIRS and comparison.baseline is not None:
        return _from_baseline(comparison, look, given_order=given_order)
    if len(shown) > _PAIRS:
        return matrix(comparison, look, given_order=given_order)
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
    middle, low, high = (signed(value, pair.decimals) for value in values)
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

# SPDX-License-Identifier: Apache-2.0
"""Charts of resampling: scores with their intervals, and the distributions of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import Comparison, Pair, percent
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.layout import Spec, marks, nominal, quantitative
from truebleu.charts.look import Look
from truebleu.charts.matrix import matrix, signed
from truebleu.errors import InputError
from truebleu.metrics.intervals import Interval
from truebleu.text.json_text import for_json

#: Bars of a histogram; the height of the tallest, as a share of a pair's height.
_BINS, _TALLEST = 40, 0.52

#: The most systems whose scores are written above their marks, and the most pairs whose
#: distributions are drawn: those of five systems.
_ROOMY, _PAIRS = 10, 10


def scores(comparison: Comparison, look: Look | None = None, *, given_order: bool = False) -> Figure:
    """The score of each system with its interval, the best first unless in the given order.

    The data of the chart are rows with `system`, `score`, `low`, `high` and `cluster`.
    """
    look = look or Look()
    ranked = list(comparison.systems) if given_order else comparison.ranked()
    names = layout.labels((system.name for system in ranked), look)
    decimals = comparison.pairs[0].decimals
    rows = [
        {
            "system": name,
            "score": system.score.value,
            **interval_ends(system.interval),
            "cluster": system.cluster,
            "text": f"{system.score.value:.{decimals}f}",
        }
        for name, system in zip(names, ranked, strict=True)
    ]
    title = f"{ranked[0].score.name} with {percent(1 - comparison.alpha)} interval"
    description = "Scores of systems with their intervals"
    return _intervals(rows, "score", decimals, look, title, description)


def interval_ends(interval: Interval) -> dict[str, float | None]:
    """Both ends of an interval as fields of a row."""
    return dict(zip(("low", "high"), map(for_json, interval), strict=True))


def _numbers(fields: Sequence[str], decimals: int) -> list[Spec]:
    return [quantitative(field, format=f".{decimals}f") for field in fields]


def _intervals(rows: Sequence[Spec], value: str, decimals: int, look: Look, title: str, description: str) -> Figure:
    """A line for each row's `system`, with its `value`, `low`, `high` and `text`.

    The text is above the mark, or of many systems after the name. Rows whose `result` is
    `not significant` are gray. If the values are differences, 0 is marked.
    """
    numbers = (value, "low", "high")
    more = [name for name in rows[0] if name not in ("system", "text", *numbers)]
    tooltip = [nominal("system"), *_numbers(numbers, decimals), *layout.tooltip(rows[0], *more)]
    roomy = len(rows) <= _ROOMY
    names = [row["system"] for row in rows]
    labels = None if roomy else {row["system"]: f"{row['system']}  {row['text']}" for row in rows}
    scale: Spec = {"zero": False, "padding": 8}
    if look.values:
        scale["domain"] = layout.value_ends(rows, value, look)
    x = quantitative("low", title=title, axis={"tickCount": 5}, scale=scale)
    palette = look.palette
    base = {
        "y": layout.name_axis("system", names, labels=labels),
        "color": layout.either("datum.result === 'not significant'", palette.faint, palette.systems[0]),
    }
    tick = {"thickness": 1.2, "opacity": 1, "size": look.size * 0.7}
    point = {**base, "x": quantitative(value)}
    layers = [
        marks("rule", rows, {**base, "x": x, "x2": {"field": "high"}}, strokeWidth=1.2),
        marks("tick", rows, {**base, "x": quantitative("low")}, **tick),
        marks("tick", rows, {**base, "x": quantitative("high")}, **tick),
        marks("point", rows, {**point, "tooltip": tooltip}, size=look.size * 5),
    ]
    if value == "difference":
        zero = {"x": quantitative("zero")}
        layers.insert(0, marks("rule", [{"zero": 0}], zero, color=palette.ink, strokeDash=[3, 2]))
    if roomy:
        text = {**point, "text": nominal("text"), "color": {"value": palette.ink}}
        layers.append(marks("text", rows, text, dy=-look.size * 0.95))
    height = len(rows) * (2 if roomy else 1.15) + 3
    return layout.finish(layers, look, height, description)


def _from_baseline(comparison: Comparison, look: Look, *, given_order: bool) -> Figure:
    """The difference of each system from the baseline, with its interval."""
    by_name = {pair.b: pair for pair in comparison.pairs}
    systems = comparison.systems if given_order else comparison.ranked()
    pairs = [by_name[system.name] for system in systems if system.name in by_name]
    rows = [
        {
            "system": name,
            "difference": pair.difference,
            **interval_ends(pair.interval),
            "p": pair.p_adjusted,
            "result": "significant" if pair.better else "not significant",
            "text": signed(pair.difference, pair.decimals),
        }
        for name, pair in zip(layout.labels((pair.b for pair in pairs), look), pairs, strict=True)
    ]
    (baseline,) = layout.labels([pairs[0].a], look)
    title = f"{comparison.metric} minus {baseline}, {percent(1 - comparison.alpha)} interval"
    description = "Differences of systems from a baseline with their intervals"
    return _intervals(rows, "difference", pairs[0].decimals, look, title, description)


def difference(
    comparison: Comparison, look: Look | None = None, *, pairs: Sequence[Pair] | None = None, given_order: bool = False
) -> Figure:
    """The distribution of the resampled differences of each pair, with its interval.

    More than ten pairs are a matrix, as those of six systems; with a baseline, lines with the
    interval of each difference.

    Of up to ten pairs, the data of the chart are rows with `pair`, `low`, `high` (of a bar)
    and `share`; the intervals are rows with `pair`, `difference`, `low` and `high`.
    """
    look = look or Look()
    shown = list(comparison.pairs if pairs is None else pairs)
    if not shown:
        raise InputError("there is no pair to draw; give at least one")
    if len(shown) > _PAIRS and comparison.baseline is not None:
        return _from_baseline(comparison, look, given_order=given_order)
    if len(shown) > _PAIRS:
        return matrix(comparison, look, given_order=given_order)
    systems = [system.name for system in comparison.systems]
    names = dict(zip(systems, layout.labels(systems, look, 0.3), strict=True))
    bars: list[dict[str, Any]] = []
    spans: list[dict[str, Any]] = []
    for place, pair in enumerate(shown):
        floor = len(shown) - 1 - place
        label = f"{names[pair.b]} \N{MINUS SIGN} {names[pair.a]}"
        histogram = _histogram(comparison.differences(pair))
        tallest = max((share for *_, share in histogram), default=1.0)
        values = (pair.difference, *pair.interval)
        middle, *interval = (signed(value, pair.decimals) for value in values)
        bars += [
            {
                "pair": label,
                "low": low,
                "high": high,
                "share": share,
                "floor": floor,
                "top": floor + _TALLEST * share / tallest,
            }
            for low, high, share in histogram
        ]
        spans.append(
            {"pair": label, "difference": pair.difference, **interval_ends(pair.interval),
             "floor": floor - 0.16, "line": floor - 0.09, "top": floor + _TALLEST,
             "name": floor + 0.7, "zero": 0.0, "text": f"{middle} [{', '.join(interval)}]"}
        )  # fmt: skip
    ends = [bar[end] for bar in bars for end in ("low", "high")]
    ends += [0.0, *(look.values or ()), *(span["difference"] for span in spans)]
    margin = 0.03 * (max(ends) - min(ends) or 1.0)
    scale = {"domain": [min(ends) - margin, max(ends) + margin], "nice": False}
    metric, level = comparison.systems[0].score.name, percent(1 - comparison.alpha)
    title = f"difference in {metric}, with {level} interval"

    heights = {"domain": [-0.2, len(shown) - 0.2], "nice": False}

    def encoding(x: str, y: str, **ends: str) -> Spec:
        axis = {"tickCount": 5, "grid": False}
        return {
            "x": quantitative(x, title=title, axis=axis, scale=scale),
            "y": quantitative(y, axis=None, scale=heights),
            **{channel: {"field": field} for channel, field in ends.items()},
        }

    # The outline of a histogram has a point at both ends of each bar.
    outline = [{**bar, "low": end} for bar in bars for end in (bar["low"], bar["high"])]
    bar = {**encoding("low", "top", y2="floor"), "detail": nominal("pair")}
    zero, line = encoding("zero", "floor", y2="top"), encoding("low", "line", x2="high")
    numbers = _numbers(("difference", "low", "high"), shown[0].decimals)
    point = {**encoding("difference", "line"), "tooltip": [nominal("pair"), *numbers]}
    name = {**encoding("low", "name"), "x": {"value": 0}, "text": nominal("pair")}
    text = {**name, "x": {"value": {"expr": "width"}}, "text": nominal("text")}
    ink = look.palette.ink
    layers = [
        marks("area", outline, bar, color=look.palette.systems[0], opacity=0.5, line=False),
        marks("rule", spans, zero, color=ink, strokeDash=[3, 2]),
        marks("rule", spans, line, color=ink, strokeWidth=1.6),
        marks("point", spans, point, color=ink, size=look.size * 5),
        marks("text", spans, name, align="left", limit=look.points * 0.65),
        marks("text", spans, text, align="right"),
    ]
    description = "Distributions of resampled differences of pairs of systems, with their intervals"
    return layout.finish(layers, look, len(shown) * 4.6 + 2.8, description)


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

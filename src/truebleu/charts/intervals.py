# SPDX-License-Identifier: Apache-2.0
"""Charts of resampling: scores with their intervals, and the distributions of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import Comparison, Pair, percent
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.layout import Spec, formatted, marks, nominal, quantitative
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
    systems = comparison.systems if given_order else comparison.ranked()
    entries = [(own.name, own.score.value, own.interval, {"cluster": own.cluster}) for own in systems]
    title = f"{systems[0].score.name} with"
    return _intervals(comparison, "score", entries, look, title, "Scores of systems with their intervals")


def interval_ends(interval: Interval) -> dict[str, float | None]:
    """Both ends of an interval as fields of a row."""
    return dict(zip(("low", "high"), map(for_json, interval), strict=True))


def _intervals(
    comparison: Comparison,
    value: str,
    entries: Sequence[tuple[str, float, Interval, Spec]],
    look: Look,
    title: str,
    description: str,
) -> Figure:
    """A line for the name, the `value`, the interval and other fields of each entry.

    The value is written above the mark, or of many systems after the name. Entries whose `result`
    is `not significant` are gray. If the values are differences, they have signs, and 0 is marked.
    """
    decimals = comparison.pairs[0].decimals
    names = layout.labels((name for name, *_ in entries), look)
    rows: list[Spec] = []
    for name, (_, number, interval, fields) in zip(names, entries, strict=True):
        printed = signed(number, decimals) if value == "difference" else f"{number:.{decimals}f}"
        rows.append({"system": name, value: number, **interval_ends(interval), **fields, "text": printed})
    numbers = formatted((value, "low", "high"), decimals)
    tooltip = [nominal("system"), *numbers, *layout.tooltip(entries[0][3])]
    roomy = len(rows) <= _ROOMY
    labels = None if roomy else {row["system"]: f"{row['system']}  {row['text']}" for row in rows}
    scale: Spec = {"zero": False, "padding": 8}
    if look.values:
        scale["domain"] = layout.value_ends(rows, value, look)
    title = f"{title} {percent(1 - comparison.alpha)} interval"
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
    entries: list[tuple[str, float, Interval, Spec]] = []
    for pair in (by_name[system.name] for system in systems if system.name in by_name):
        fields = {"p": pair.p_adjusted, "result": "significant" if pair.better else "not significant"}
        entries.append((pair.b, pair.difference, pair.interval, fields))
    (baseline,) = layout.labels([comparison.pairs[0].a], look)
    title = f"{comparison.metric} minus {baseline},"
    description = "Differences of systems from a baseline with their intervals"
    return _intervals(comparison, "difference", entries, look, title, description)


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
    outline: list[Spec] = []  # a point at both ends of each bar
    spans: list[Spec] = []
    for place, pair in enumerate(shown):
        floor = len(shown) - 1 - place
        label = f"{names[pair.b]} \N{MINUS SIGN} {names[pair.a]}"
        histogram = _histogram(comparison.differences(pair))
        tallest = max((share for *_, share in histogram), default=1.0)
        values = (pair.difference, *pair.interval)
        middle, *interval = (signed(value, pair.decimals) for value in values)
        for low, high, share in histogram:
            top = floor + _TALLEST * share / tallest
            bar = {"pair": label, "low": low, "high": high, "share": share, "floor": floor, "top": top}
            outline += [bar, {**bar, "low": high}]
        spans.append(
            {"pair": label, "difference": pair.difference, **interval_ends(pair.interval),
             "floor": floor - 0.16, "line": floor - 0.09, "top": floor + _TALLEST,
             "name": floor + 0.7, "zero": 0.0, "text": f"{middle} [{', '.join(interval)}]"}
        )  # fmt: skip
    ends = [point["low"] for point in outline]
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

    area = {**encoding("low", "top", y2="floor"), "detail": nominal("pair")}
    zero, line = encoding("zero", "floor", y2="top"), encoding("low", "line", x2="high")
    numbers = formatted(("difference", "low", "high"), shown[0].decimals)
    point = {**encoding("difference", "line"), "tooltip": [nominal("pair"), *numbers]}
    name = {**encoding("low", "name"), "x": {"value": 0}, "text": nominal("pair")}
    text = {**name, "x": {"value": {"expr": "width"}}, "text": nominal("text")}
    ink = look.palette.ink
    layers = [
        marks("area", outline, area, color=look.palette.systems[0], opacity=0.5, line=False),
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

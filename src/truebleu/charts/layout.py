# SPDX-License-Identifier: Apache-2.0
"""Parts that charts share: labels, legends, axes, the final layout, and the chart of lines.

Charts are dictionaries of Vega-Lite.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10, sqrt
from typing import Any

from truebleu.charts.figure import Figure
from truebleu.charts.look import Look
from truebleu.inputs.corpus import unused
from truebleu.text.escaping import columns as _width
from truebleu.text.escaping import shortened, visible

#: Height of a line of text and mean width of a letter, in units of the type size.
_LEADING, _LETTER = 1.3, 0.56

#: The most of a figure's width that a name takes.
_NAME_SHARE = 0.45

#: The version of Vega-Lite that charts are written in.
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"

#: The most systems that differ in color and shape; more are the rows of a table of cells.
DISTINCT = 7

#: Properties of JavaScript's objects: Vega looks labels up in such an object.
_PROPERTIES = {
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf",
}  # fmt: skip


#: A chart or a part of one.
Spec = dict[str, Any]


def nominal(field: str, **options: Any) -> Spec:
    """The encoding of a field of names."""
    return {"field": field, "type": "nominal", **options}


def quantitative(field: str, **options: Any) -> Spec:
    """The encoding of a field of numbers."""
    return {"field": field, "type": "quantitative", **options}


def formatted(fields: Iterable[str], decimals: int) -> list[Spec]:
    """The encodings of fields of numbers with so many decimals, for tooltips."""
    return [quantitative(field, format=f".{decimals}f") for field in fields]


def either(test: str, value: str, otherwise: str) -> Spec:
    """The encoding of a color that depends on a test of the row."""
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def marks(kind: str, rows: Iterable[Spec], encoding: Spec, **options: Any) -> Spec:
    """A layer of a chart: a mark for each row, or for each line of rows."""
    mark = {"type": kind, **options}
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": encoding}


def labels(names: Iterable[str], look: Look, share: float = _NAME_SHARE) -> list[str]:
    """Names as a figure can show them: printable, short, all different.

    `share` is the most of its width that a name takes.
    """
    most = max(8, int(look.points * share / (look.size * _LETTER)))
    unique: list[str] = []
    for name in names:
        label = short = shortened(visible(name), most) or "''"
        if short in _PROPERTIES:
            label = f"{short} "  # the blank is not seen
        unique.append(unused(label, unique))
    return unique


def finish(layers: Sequence[Spec], look: Look, height: float, description: str, title: str | None = None) -> Figure:
    """The layers as a figure, exactly as wide as the look says, including its labels.

    `height` is that of the whole figure in lines of text, unless the look has a height.
    """
    spec: Spec = {
        "$schema": SCHEMA,
        "width": look.points,
        "height": look.height or round(height * line_height(look)),
        "description": description,
        "autosize": {"type": "fit", "contains": "padding"},
        # The last number of an axis is half outside of it.
        "padding": {"left": 4, "top": 2, "bottom": 2, "right": 1.2 * look.size},
        "config": look.config(),
        "layer": list(layers),
    }
    if title is not None:
        spec["title"] = title
    return Figure(spec)


def line_height(look: Look) -> float:
    """Points from one line of text to the next."""
    return look.size * _LEADING


def name_axis(
    field: str, order: Sequence[str], *, grid: bool = False, labels: Mapping[str, str] | None = None, **options: Any
) -> Spec:
    """A vertical axis of names, in this order; `labels` are shown instead of the names."""
    axis: Spec = {"domain": False, "ticks": False, "grid": grid, "labelPadding": 6}
    if labels is not None:
        axis["labelExpr"] = f"{json.dumps(labels)}[datum.value]"  # a JSON literal is an expression
    return nominal(field, sort=list(order), title=None, axis=axis, **options)


def legend(names: Sequence[str], look: Look) -> tuple[Spec | None, int]:
    """The systems in lines above a chart, and how many lines; None for a single system."""
    if len(names) < 2:
        return None, 0
    fits = int(look.points * 0.9 / (_text_width(names, look) + 2 * look.size))
    columns = min(max(1, fits), len(names))
    return {"orient": "top", "direction": "horizontal", "columns": columns}, ceil(len(names) / columns)


def _text_width(texts: Iterable[str], look: Look) -> float:
    """Points that the longest text takes, and a few more."""
    widest = max(map(_width, texts), default=0)
    return (widest + 2) * look.size * _LETTER


@dataclass(frozen=True, slots=True)
class Values:
    """Values of systems in columns: their precisions by n, for example.

    Attributes:
        rows: one for each value, those of a system from left to right, with its label as `system`.
        names: the labels of the systems.
        value: the key of the rows that has the value.
        decimals: of values in text.
        look: how a figure of them looks.
        column: the key of the rows that has the column.
        columns: from left to right.
    """

    rows: Sequence[Spec]
    names: Sequence[str]
    value: str
    decimals: int
    look: Look
    column: str = ""
    columns: Sequence[Any] = ()

    def looks(self) -> tuple[Spec, int]:
        """The color and the shape of each system as encodings, and the lines of their legend."""
        count, domain = len(self.names), list(self.names)
        keys, legend_height = legend(domain, self.look)
        ranges = {"color": self.look.hues(count), "shape": self.look.shapes(count)}
        encodings = {
            name: nominal("system", scale={"domain": domain, "range": own}, sort=domain, legend=keys)
            for name, own in ranges.items()
        }
        return encodings, legend_height

    def interval_rules(self, place: Spec, axis: str) -> list[Spec]:
        """A line for each row's interval, those of different systems next to each other."""
        across, first = "xOffset" if axis == "y" else "yOffset", -(len(self.names) - 1) / 2
        place = {**place, axis: {**place[axis], "field": "low"}, f"{axis}2": {"field": "high"}}
        layers = []
        for k, (name, hue) in enumerate(zip(self.names, self.look.hues(len(self.names)), strict=True)):
            own = (row for row in self.rows if row["system"] == name and "low" in row)
            offset = {across: (first + k) * self.look.size / 4}
            layers.append(marks("rule", own, place, color=hue, opacity=0.6, **offset))
        return layers

    def table(self, title: str, description: str) -> Figure:
        """The values as a table: the lowest of each column is the lightest."""
        cells = []
        for row in self.rows:
            own = [other[self.value] for other in self.rows if other[self.column] == row[self.column]]
            share = 0.08 + 0.5 * (row[self.value] - min(own)) / ((max(own) - min(own)) or 1.0)
            text = f"{row[self.value]:.{self.decimals}f}"
            cells.append({**row, self.column: str(row[self.column]), "share": share, "text": text})
        return table(replace(self, rows=cells, columns=list(map(str, self.columns))), title, description)


def tooltip(row: Mapping[str, Any]) -> list[Spec]:
    """What is shown when pointing at a mark: the fields of its row."""
    return [(nominal if isinstance(value, str) else quantitative)(name) for name, value in row.items()]


def table(values: Values, title: str, description: str, colors: Mapping[str, str] | None = None) -> Figure:
    """A shaded cell for each number, a row for each system. Numbers that do not fit are left out.

    Args:
        values: their rows also have `share` (of the darkest shade), `text` and, with `colors`,
            `result`; the columns are texts.
        title: written above the chart.
        colors: a color for each `result`; their legend is above the chart.
    """
    cells, names, columns, look = values.rows, values.names, values.columns, values.look
    shown = min(_text_width(names, look), look.points * 0.45)
    each = (look.points - shown - look.size) / len(columns)
    small = look.size * 0.9
    axis: Spec = {
        "orient": "top", "domain": False, "ticks": False, "labelAngle": 0, "labelFontSize": small,
    }  # fmt: skip
    widest = max(map(_width, columns)) * small * _LETTER
    above = 1.2
    if list(columns) == [str(place + 1) for place in range(len(columns))]:
        if widest > each:
            axis["values"] = [columns[0], *columns[4::5]]
    elif widest > each:
        axis |= {"labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}
        above = (widest + look.size) / line_height(look)
    band = {"paddingInner": 0.06, "paddingOuter": 0}
    x = nominal(values.column, sort=list(columns), title=None, axis=axis, scale=band)
    place = {"x": x, "y": name_axis("system", names, scale=band)}
    fill: Spec = {"value": look.palette.systems[0]}
    legend_height = 0
    if colors is not None:
        keys, legend_height = legend(list(colors), look)
        scale = {"domain": list(colors), "range": list(colors.values())}
        fill = nominal("result", scale=scale, legend={**(keys or {}), "symbolType": "square"})
    fields = {name: field for name, field in cells[0].items() if name not in ("share", "text")}
    shade = quantitative("share", scale=None, legend=None)
    shaded = {**place, "fill": fill, "fillOpacity": shade, "tooltip": tooltip(fields)}
    layers = [marks("rect", cells, shaded)]
    if (max(_width(cell["text"]) for cell in cells) + 1) * small * _LETTER < each:
        layers.append(marks("text", cells, {**place, "text": nominal("text")}, fontSize=small))
    height = len(names) * 1.1 + above + 2 + legend_height
    return finish(layers, look, height, description, title)


def lines(values: Values, x: Spec, title: str, description: str, *, from_zero: bool = True) -> Figure:
    """A line for each system; of several, a legend has their names.

    Args:
        values: the points of the lines.
        x: the horizontal axis.
        title: of the vertical axis; it is written above the chart.
        from_zero: whether the vertical axis begins at 0, however far above it the lines are.
    """
    rows, names, look = values.rows, values.names, values.look
    low, top = value_ends(rows, values.value, look, from_zero=from_zero)
    looks, legend_height = values.looks()
    height = 0.64 * min(look.points, 380) / line_height(look) + legend_height
    axis = {"tickCount": 5, "domain": False, "ticks": False}
    y = quantitative(values.value, title=None, axis=axis, scale={"domain": [low, top], "nice": False})
    place = {"x": x, "y": y}
    # A layer for each line, because a scale of dashes would dash the symbols of the legend, too.
    layers = [
        marks("line", (row for row in rows if row["system"] == name), place, strokeDash=list(dash), color=hue)
        for name, dash, hue in zip(names, look.dashes(len(names)), look.hues(len(names)), strict=True)
    ]
    layers += values.interval_rules(place, "y")
    points = {**place, **looks, "tooltip": tooltip(rows[0]), **PALE}
    layers.append(marks("point", rows, points, size=look.size * 4))
    if len(names) == 1:  # several systems have too many numbers for a chart
        (text,) = formatted([values.value], values.decimals)
        numbers = {**place, "text": text, "color": {"value": look.palette.ink}}
        layers.append(marks("text", rows, numbers, dy=-look.size))
    return finish(layers, look, height, description, title)


def overlap(spread: float, top: float, count: int, look: Look) -> bool:
    """Whether the marks of lines overlap whose values, on an axis from 0 to top, differ so much."""
    return spread * 0.64 * min(look.points, 380) < top * (count - 1) * sqrt(4 * look.size)


#: A single segment has no interval, and is paler.
PALE = {"opacity": {"condition": {"test": "datum.segments < 2", "value": 0.35}, "value": 1}}


def value_ends(
    rows: Sequence[Mapping[str, Any]], value: str, look: Look, *, from_zero: bool = False
) -> tuple[float, float]:
    """The ends of an axis that shows all values and their intervals, and those of the look."""
    values = [row.get(key) for row in rows for key in (value, "low", "high")]
    shown = [number for number in (*values, *(look.values or ())) if number is not None]
    return nice_ends(shown, from_zero=from_zero)


def span_of(figures: Iterable[Figure]) -> tuple[float, float]:
    """The lowest and the highest of the values that figures show."""
    keys = ("precision", "points", "score", "difference", "low", "high")
    rows = (row for own in figures for part in own.spec["layer"] for row in part["data"]["values"])
    values = [row[key] for row in rows for key in keys if row.get(key) is not None]
    return min(values), max(values)


def nice_ends(values: Sequence[float], *, from_zero: bool) -> tuple[float, float]:
    """Round numbers that enclose all values, for an axis of about five steps."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    rough = (high - low) / 5
    if rough <= 0:
        return (0.0, 1.0) if from_zero else (low - 1, high + 1)
    unit = 10.0 ** floor(log10(rough))
    step = next(k * unit for k in (1, 2, 2.5, 5, 10) if k * unit >= rough * (1 - 1e-12))
    return floor(low / step) * step, ceil(high / step * (1 - 1e-12)) * step

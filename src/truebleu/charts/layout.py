# SPDX-License-Identifier: Apache-2.0
"""Parts that charts share: labels, legends, axes, the final layout, and the chart of lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, inf, log10
from typing import Any

from truebleu.charts.look import Look
from truebleu.errors import MissingExtraError
from truebleu.inputs.corpus import unused
from truebleu.text.escaping import columns as _width
from truebleu.text.escaping import shortened, visible

#: Height of a line of text and mean width of a letter, in units of the type size.
_LEADING, _LETTER = 1.3, 0.56

#: The most of a figure's width that a name takes.
_NAME_SHARE = 0.35

#: The most systems that differ in color and shape; more are the rows of a table of cells.
DISTINCT = 7

#: Properties of JavaScript's objects: Vega looks labels up in such an object.
_PROPERTIES = {
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf",
}  # fmt: skip


def altair() -> Any:
    """The library that describes charts, or MissingExtraError."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError.of("a figure", "report") from None
    return alt


def labels(names: Iterable[str], look: Look) -> list[str]:
    """Names as a figure can show them: printable, short, all different."""
    most = max(8, int(look.points * _NAME_SHARE / (look.size * _LETTER)))
    unique: list[str] = []
    for name in names:
        label = short = shortened(visible(name), most) or "''"
        if short in _PROPERTIES:
            label = f"{short} "  # the blank is not seen
        unique.append(unused(label, unique))
    return unique


def finish(chart: Any, look: Look, height: float, description: str) -> Any:
    """The chart with its look, exactly as wide as the look says, including its labels.

    `height` is that of the whole figure in lines of text, unless the look has a height.
    """
    alt = altair()
    return chart.properties(
        width=look.points,
        height=look.height or round(height * line_height(look)),
        description=description,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        padding={"left": 2, "top": 2, "bottom": 2, "right": 4},
        config=alt.Config(**look.config()),
    )


def line_height(look: Look) -> float:
    """Points from one line of text to the next."""
    return look.size * _LEADING


def name_axis(
    field: str,
    order: Sequence[str],
    *,
    grid: bool = False,
    labels: Mapping[str, str] | None = None,
    **options: Any,
) -> Any:
    """A vertical axis of names, in this order; `labels` are shown instead of the names."""
    alt = altair()
    axis = alt.Axis(domain=False, ticks=False, grid=grid, labelPadding=6)
    if labels is not None:
        axis.labelExpr = f"{json.dumps(labels)}[datum.value]"  # a JSON literal is an expression
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=axis, **options)


def legend(names: Sequence[str], look: Look) -> Any:
    """The systems in one or more lines above a chart; None for a single system."""
    if len(names) < 2:
        return None
    fits = int(look.points * 0.9 / (_text_width(names, look) + 2 * look.size))
    columns = min(max(1, fits), len(names))
    return altair().Legend(orient="top", direction="horizontal", columns=columns)


def legend_lines(legend: Any, names: Sequence[str]) -> int:
    """Lines of the legend of these names."""
    return 0 if legend is None else ceil(len(names) / legend.columns)


def _text_width(texts: Iterable[str], look: Look) -> float:
    """Points that the longest text takes, and a few more."""
    widest = max(map(_width, texts), default=0)
    return (widest + 2) * look.size * _LETTER


def color(names: Sequence[str], look: Look, legend: Any = None) -> Any:
    """The color of each system as an encoding, in the order of the systems."""
    scale = {"domain": list(names), "range": look.hues(len(names))}
    return altair().Color("system:N", scale=scale, sort=list(names), legend=legend)


def shape(names: Sequence[str], look: Look, legend: Any = None) -> Any:
    """The shape of each system as an encoding, in the order of the systems."""
    scale = {"domain": list(names), "range": look.shapes(len(names))}
    return altair().Shape("system:N", scale=scale, sort=list(names), legend=legend)


def table(
    cells: Sequence[dict[str, Any]],
    names: Sequence[str],
    column: str,
    columns: Sequence[str],
    look: Look,
    *,
    title: str,
    description: str,
    colors: Mapping[str, str] | None = None,
) -> Any:
    """A shaded cell for each number, a row for each system. Numbers that do not fit are left out.

    Args:
        cells: rows with `system`, the field `column`, `share` (of the darkest shade), `text` and,
            with `colors`, `result`.
        names: of the systems, from top to bottom.
        column: the name of the field that names a column.
        columns: from left to right.
        title: written above the chart.
        colors: a color for each `result`; their legend is above the chart.
    """
    alt = altair()
    shown = min(_text_width(names, look), look.points * 0.45)
    each = (look.points - shown - look.size) / len(columns)
    small = look.size * 0.9
    axis = alt.Axis(orient="top", domain=False, ticks=False, labelAngle=0, labelFontSize=small)
    widest = max(map(_width, columns)) * small * _LETTER
    above = 1.2
    if list(columns) == [str(place + 1) for place in range(len(columns))]:
        if widest > each:
            axis.values = [columns[0], *columns[4::5]]
    elif widest > each:
        axis.labelAngle, axis.labelAlign, axis.labelBaseline = -90, "left", "middle"
        above = (widest + look.size) / line_height(look)
    band = {"paddingInner": 0.06, "paddingOuter": 0}
    base = alt.Chart(alt.Data(values=list(cells))).encode(
        x=alt.X(f"{column}:N", sort=list(columns), title=None, axis=axis, scale=band),
        y=name_axis("system", names, scale=band),
    )
    fill, keys = alt.value(look.palette.systems[0]), None
    if colors is not None:
        keys = legend(list(colors), look)
        keys.symbolType = "square"
        scale = {"domain": list(colors), "range": list(colors.values())}
        fill = alt.Fill("result:N", scale=scale, legend=keys)
    fields = [name for name in cells[0] if name not in ("share", "text")]
    tooltip = [f"{name}:{'N' if isinstance(cells[0][name], str) else 'Q'}" for name in fields]
    shade = alt.FillOpacity("share:Q", scale=None, legend=None)
    layers = [base.mark_rect().encode(fill=fill, fillOpacity=shade, tooltip=tooltip)]
    if (max(_width(cell["text"]) for cell in cells) + 1) * small * _LETTER < each:
        layers.append(base.mark_text(fontSize=small).encode(text="text:N"))
    height = len(names) * 1.1 + above + 2 + legend_lines(keys, list(colors or ()))
    return finish(alt.layer(*layers).properties(title=title), look, height, description)


def shaded(
    rows: Sequence[dict[str, Any]], column: str, value: str, decimals: int
) -> list[dict[str, Any]]:
    """The rows as cells of a table: the lowest value of each column is the lightest."""
    columns: dict[Any, list[float]] = {}
    for row in rows:
        columns.setdefault(row[column], []).append(row[value])
    cells = []
    for row in rows:
        low, high = min(columns[row[column]]), max(columns[row[column]])
        share = 0.08 + 0.5 * (row[value] - low) / ((high - low) or 1.0)
        text = f"{row[value]:.{decimals}f}"
        cells.append({**row, column: str(row[column]), "share": share, "text": text})
    return cells


def lines(
    rows: Sequence[dict[str, Any]],
    names: Sequence[str],
    x: Any,
    value: str,
    look: Look,
    *,
    title: str,
    decimals: int,
    description: str,
    below: int = 2,
    from_zero: bool = True,
) -> Any:
    """A line for each system, with its name at its end, or in a legend where names would overlap.

    Args:
        rows: the points, those of a system from left to right.
        names: of the systems, as in the rows' `system`.
        x: the horizontal axis.
        value: the key of the rows that the vertical axis shows.
        title: of the vertical axis; it is written above the chart.
        below: lines of text below the horizontal axis.
        from_zero: whether the vertical axis begins at 0, however far above it the lines are.
    """
    alt = altair()
    low, top = nice_ends([row[value] for row in rows], from_zero=from_zero)
    height = 0.64 * min(look.points, 380) / line_height(look)
    last = {row["system"]: row for row in rows}
    inner = (look.height or height * line_height(look)) - (below + 2.5) * line_height(look)
    gap = look.size * 1.15 * (top - low) / max(inner, look.size)
    values = [row[value] for row in last.values()]
    places = spaced(values, gap, low, top)
    # A name far from the end of its line would seem to be another line's.
    moved = max(abs(place - one) for place, one in zip(places, values, strict=True))
    is_named = len(names) > 1 and moved <= 1.5 * gap
    keys = None if is_named else legend(names, look)
    height += legend_lines(keys, names)
    axis = alt.Axis(tickCount=5, domain=False, ticks=False)
    y = alt.Y(f"{value}:Q", title=None, axis=axis, scale={"domain": [low, top], "nice": False})
    base = alt.Chart(alt.Data(values=list(rows))).encode(x=x, y=y, color=color(names, look, keys))
    tooltip = [f"{key}:{'N' if isinstance(rows[0][key], str) else 'Q'}" for key in rows[0]]
    points = base.mark_point(size=look.size * 4).encode(
        shape=shape(names, look, keys), tooltip=tooltip
    )
    # A layer for each line, because a scale of dashes would dash the symbols of the legend, too.
    layers = [
        alt.Chart(alt.Data(values=[row for row in rows if row["system"] == name]))
        .mark_line(strokeDash=dash, color=hue)
        .encode(x=x, y=y)
        for name, dash, hue in zip(
            names, look.dashes(len(names)), look.hues(len(names)), strict=True
        )
    ]
    layers.append(points)
    if len(names) == 1:  # several systems have too many numbers for a chart
        numbers = base.mark_text(dy=-look.size)
        text = alt.Text(f"{value}:Q", format=f".{decimals}f")
        layers.append(numbers.encode(text=text, color=alt.value(look.palette.ink)))
    elif is_named:
        ends = [{**row, value: place} for row, place in zip(last.values(), places, strict=True)]
        width = _text_width(names, look)
        layers.append(
            alt.Chart(alt.Data(values=ends))
            .mark_text(align="left", baseline="middle", dx=look.size * 0.8, limit=width)
            .encode(x=x, y=y, text="system:N", color=color(names, look))
        )
    return finish(alt.layer(*layers).properties(title=title), look, height, description)


def spaced(
    positions: Sequence[float], gap: float, low: float = -inf, high: float = inf
) -> list[float]:
    """Positions moved as little as possible until they are at least `gap` apart, in their order.

    Minimizes the sum of squared moves: positions minus rank times gap must not descend, which
    pooling adjacent violators solves (Ayer et al. 1955).

    Args:
        positions: where the items would best be.
        gap: the least distance of two items.
        low, high: the range of the result, if it can hold all items.
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    pools: list[tuple[float, int]] = []  # sums and sizes
    for rank, i in enumerate(order):
        pool = (positions[i] - rank * gap, 1)
        while pools and pools[-1][0] / pools[-1][1] >= pool[0] / pool[1]:
            before = pools.pop()
            pool = (pool[0] + before[0], pool[1] + before[1])
        pools.append(pool)
    means = [total / size for total, size in pools for _ in range(size)]
    highest = max(low, high - (len(means) - 1) * gap)
    places = [0.0] * len(positions)
    for rank, i in enumerate(order):
        places[i] = min(max(means[rank], low), highest) + rank * gap
    return places


def nice_ends(values: Sequence[float], *, from_zero: bool) -> tuple[float, float]:
    """Round numbers that enclose all values, for an axis of about five steps."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    rough = (high - low) / 5
    if rough <= 0:
        return (0.0, 1.0) if from_zero else (low - 1, high + 1)
    unit = 10.0 ** floor(log10(rough))
    step = next(k * unit for k in (1, 2, 2.5, 5, 10) if k * unit >= rough * (1 - 1e-12))
    return floor(low / step) * step, ceil(high / step * (1 - 1e-12)) * step

# SPDX-License-Identifier: Apache-2.0
"""A line for each system, with its name behind its end."""

from __future__ import annotations

from truebleu.charts.layout import (
    altair,
    color,
    figure,
    legend,
    legend_lines,
    line_height,
    nice_ends,
    room,
    shape,
    spaced,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.charts.look import Look


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
    """The chart.

    Args:
        rows: the points, those of a system from left to right.
        names: of the systems, as in the rows' `system`.
        x: the horizontal axis.
        value: the key of what the vertical axis shows.
        title: of the vertical axis; it stands above it, where it is read without turning the page.
        decimals: of numbers.
        description: what the chart shows.
        below: lines of text below the horizontal axis.
        from_zero: whether the vertical axis begins at 0, however far above it the lines are.
    """
    alt = altair()
    low, top = nice_ends([row[value] for row in rows], from_zero=from_zero)
    height = 0.64 * min(look.points, 380)
    last = {row["system"]: row for row in rows}
    inner = (look.height or height) - (below + 2.5) * line_height(look)
    gap = look.size * 1.15 * (top - low) / max(inner, look.size)
    values = [row[value] for row in last.values()]
    places = spaced(values, gap, low, top)
    # Names that are far from their lines would be taken for those of others.
    moved = max(abs(place - one) for place, one in zip(places, values, strict=True))
    named = len(names) > 1 and moved <= 1.5 * gap
    keyed = None if named else legend(names, look)
    if keyed is not None:
        height += legend_lines(names, look) * line_height(look)
    y = alt.Y(
        f"{value}:Q",
        title=None,
        axis=alt.Axis(tickCount=5, domain=False, ticks=False),
        scale=alt.Scale(domain=[low, top], nice=False),
    )
    base = alt.Chart(alt.Data(values=list(rows))).encode(x=x, y=y, color=color(names, look, keyed))
    # A layer for each line: a scale of dashes would put them around the symbols of the legend.
    drawn = [
        alt.Chart(alt.Data(values=[row for row in rows if row["system"] == name]))
        .mark_line(strokeDash=pattern, color=hue)
        .encode(x=x, y=y)
        for name, pattern, hue in zip(
            names, look.dashes(len(names)), look.hues(len(names)), strict=True
        )
    ]
    tooltip = [
        alt.Tooltip(f"{key}:{'N' if isinstance(rows[0][key], str) else 'Q'}") for key in rows[0]
    ]
    layers = [
        *drawn,
        base.mark_point(filled=True, opacity=1, size=look.size * 4).encode(
            shape=shape(names, look, keyed), tooltip=tooltip
        ),
    ]
    if len(names) == 1:  # of several, a table shows the numbers better
        text = alt.Text(f"{value}:Q", format=f".{decimals}f")
        layers.append(
            base.mark_text(dy=-look.size, color=look.ink).encode(
                text=text, color=alt.value(look.ink)
            )
        )
    elif named:
        ends = [{**row, value: place} for row, place in zip(last.values(), places, strict=True)]
        layers.append(
            alt.Chart(alt.Data(values=ends))
            .mark_text(align="left", baseline="middle", dx=look.size * 0.8, limit=room(names, look))
            .encode(x=x, y=y, text="system:N", color=color(names, look))
        )
    return figure(alt.layer(*layers).properties(title=title), look, height, description)

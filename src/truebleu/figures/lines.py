# SPDX-License-Identifier: Apache-2.0
"""A line for each system, with its name behind its end."""

from __future__ import annotations

from truebleu.figures.layout import (
    altair,
    color,
    dash,
    figure,
    line_height,
    nice_top,
    room,
    shape,
    spaced,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.figures.look import Look


def lines(
    rows: Sequence[dict[str, Any]],
    names: Sequence[str],
    x: Any,
    value: str,
    look: Look,
    *,
    title: str,
    decimals: int,
    below: int = 2,
) -> Any:
    """The chart.

    Args:
        rows: the points, those of a system from left to right.
        names: of the systems, as in the rows' `system`.
        x: the horizontal axis.
        value: the key of what the vertical axis shows, from 0 on.
        title: of the vertical axis; it stands above it, where it is read without turning the page.
        decimals: of numbers.
        below: lines of text below the horizontal axis.
    """
    alt = altair()
    top = nice_top(row[value] for row in rows)
    height = 0.64 * min(look.points, 380)
    inner = (look.height or height) - (below + 2.5) * line_height(look)
    y = alt.Y(
        f"{value}:Q",
        title=None,
        axis=alt.Axis(tickCount=5, domain=False, ticks=False),
        scale=alt.Scale(domain=[0, top], nice=False),
    )
    data = alt.Data(values=list(rows))
    base = alt.Chart(data).encode(x=x, y=y, color=color(names, look))
    tooltip = [
        alt.Tooltip(f"{key}:{'N' if isinstance(rows[0][key], str) else 'Q'}") for key in rows[0]
    ]
    layers = [
        base.mark_line().encode(strokeDash=dash(names, look)),
        base.mark_point(filled=True, opacity=1, size=look.size * 4).encode(
            shape=shape(names, look), tooltip=tooltip
        ),
    ]
    if len(names) == 1:  # of several, a table shows the numbers better
        text = alt.Text(f"{value}:Q", format=f".{decimals}f")
        layers.append(
            base.mark_text(dy=-look.size, color=look.ink).encode(
                text=text, color=alt.value(look.ink)
            )
        )
    else:
        last = {row["system"]: row for row in rows}
        per_point = top / inner
        places = spaced([row[value] for row in last.values()], look.size * 1.15 * per_point)
        ends = [{**row, value: place} for row, place in zip(last.values(), places, strict=True)]
        layers.append(
            alt.Chart(alt.Data(values=ends))
            .mark_text(align="left", baseline="middle", dx=look.size * 0.8, limit=room(names, look))
            .encode(x=x, y=y, text="system:N", color=color(names, look))
        )
    return figure(alt.layer(*layers).properties(title=title), look, height)

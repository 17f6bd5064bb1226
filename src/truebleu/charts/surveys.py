# SPDX-License-Identifier: Apache-2.0
"""The figure of what a corpus scores under every dialect."""

from __future__ import annotations

from truebleu.charts.layout import altair, figure, line_height, plain
from truebleu.charts.look import Look
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.diff.surveys import Standing


def dialects(standings: Sequence[Standing], look: Look | None = None) -> Any:
    """The score of one corpus under every dialect, in points of 100, the highest first.

    Args:
        standings: what `survey` gives; those without a score that is a number are left out.

    Returns:
        An Altair chart. Its data are rows with `dialect` and `points`.

    Raises:
        InputError: no dialect has a score.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    alt = altair()
    rows: list[dict[str, Any]] = []
    for standing in standings:
        if standing.score is not None:
            points = plain(standing.score.value * (100 / standing.score.scale))
            if points is not None:
                rows.append({"dialect": standing.name, "points": points})
    if not rows:
        raise InputError("no dialect has a score here; there is no figure")
    rows.sort(key=lambda row: (-row["points"], row["dialect"]))
    top = max(row["points"] for row in rows)
    y = alt.Y(
        "dialect:N",
        sort=[row["dialect"] for row in rows],
        title=None,
        axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
    )
    x = alt.X(
        "points:Q",
        title="BLEU in points of 100",
        axis=alt.Axis(tickCount=5),
        scale=alt.Scale(domain=[0, max(top, 1e-9)], nice=False),
    )
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    ours, others = look.hues(2)[1], look.hues(1)[0]
    hue = alt.condition("datum.dialect === 'sacrebleu'", alt.value(ours), alt.value(others))
    layers = [
        base.mark_rule(strokeWidth=0.8).encode(x=x, x2=alt.datum(0), color=hue),
        base.mark_point(filled=True, opacity=1, size=look.size * 3.5).encode(
            x=x, color=hue, tooltip=["dialect:N", alt.Tooltip("points:Q", format=".2f")]
        ),
        base.mark_text(align="left", dx=look.size * 0.6, color=look.ink).encode(
            x=x, text=alt.Text("points:Q", format=".2f")
        ),
    ]
    height = (len(rows) * 0.95 + 3) * line_height(look)
    return figure(alt.layer(*layers), look, height, "BLEU of one system under every dialect")

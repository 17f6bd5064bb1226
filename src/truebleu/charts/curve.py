# SPDX-License-Identifier: Apache-2.0
"""The chart of a learning curve."""

from __future__ import annotations

from typing import Any

from truebleu.analysis.compare.comparison import percent
from truebleu.campaigns.curves import Curve
from truebleu.charts import layout
from truebleu.charts.figure import Figure
from truebleu.charts.intervals import interval_ends
from truebleu.charts.layout import formatted, marks, nominal, quantitative
from truebleu.charts.look import Look
from truebleu.text.escaping import visible


def curve(result: Curve, look: Look | None = None) -> Figure:
    """The score of each step with its interval.

    Steps that are significantly better than the best before are filled, and those that are worse
    are crosses.

    The data of the chart are rows with `step`, `score`, `low`, `high` and `verdict`.
    """
    look = look or Look()
    rows: list[dict[str, Any]] = [
        {
            "step": point.step,
            "score": point.score,
            **interval_ends(point.interval),
            "verdict": point.verdict or "not significant",
        }
        for point in result.points
    ]
    scale = {"zero": False, "padding": 6}
    axis = {"domain": False, "ticks": False, "grid": False, "tickCount": 6}
    x = quantitative("step", title=visible(result.tag), axis=axis, scale=scale)
    y_axis = {"tickCount": 5, "domain": False, "ticks": False}
    y = quantitative("low", title=None, axis=y_axis, scale={"zero": False})
    hue, ink = look.palette.systems[0], look.palette.ink
    verdicts = ["better", "worse", "not significant"]
    keys, legend_height = layout.legend(verdicts, look)
    numbers = formatted(("score", "low", "high"), result.decimals)

    def by_verdict(*looks: str) -> layout.Spec:
        scale = {"domain": verdicts, "range": list(looks)}
        return nominal("verdict", title=None, legend=keys, sort=verdicts, scale=scale)

    points = {
        "x": x,
        "y": quantitative("score"),
        "tooltip": [quantitative("step"), nominal("verdict"), *numbers],
        "shape": by_verdict("triangle-up", "cross", "circle"),
        "fill": by_verdict(hue, ink, look.palette.faint),
    }
    layers = [
        marks("area", rows, {"x": x, "y": y, "y2": {"field": "high"}}, color=hue, opacity=0.2),
        marks("line", rows, {"x": x, "y": quantitative("score")}, color=hue),
        marks("point", rows, points, size=look.size * 5, stroke=None, opacity=1),
    ]
    height = 0.6 * min(look.points, 380) / layout.line_height(look) + legend_height
    title = f"{result.metric} with {percent(1 - result.alpha)} interval"
    description = f"{title} of each step, against the best step before"
    return layout.finish(layers, look, height, description, title)

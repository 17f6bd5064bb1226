# SPDX-License-Identifier: Apache-2.0
"""Figures of what resampling tells: scores with intervals, and how differences are spread."""

from __future__ import annotations

from truebleu.analysis.compare.comparison import percent
from truebleu.charts.layout import altair, figure, labels, line_height, plain
from truebleu.charts.look import Look
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison, Pair

#: Bars of a distribution, and how tall the tallest is, of the room that a pair has.
_BINS, _TALL = 40, 0.52


def scores(found: Comparison, look: Look | None = None) -> Any:
    """The score of each system with its interval, the best first.

    Args:
        found: what `compare` found.

    Returns:
        An Altair chart. Its data are rows with `system`, `score`, `low`, `high` and `cluster`.

    Raises:
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    alt = altair()
    ranked = found.ranked()
    names = labels((system.name for system in ranked), look)
    decimals = found.pairs[0].decimals
    rows = [
        {
            "system": name,
            "score": system.score.value,
            "low": plain(system.interval[0]),
            "high": plain(system.interval[1]),
            "cluster": system.cluster,
            "text": f"{system.score.value:.{decimals}f}",
        }
        for name, system in zip(names, ranked, strict=True)
    ]
    y = alt.Y(
        "system:N", sort=names, title=None,
        axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
    )  # fmt: skip
    title = f"{ranked[0].score.name} with {percent(1 - found.alpha)} interval"
    x = alt.X(
        "low:Q", title=title, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=False, padding=8)
    )
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    tooltip = [
        *(alt.Tooltip(f"{key}:Q", format=f".{decimals}f") for key in ("score", "low", "high"))
    ]
    tooltip = ["system:N", *tooltip, "cluster:Q"]
    layers = [
        base.mark_rule(strokeWidth=1.2).encode(x=x, x2="high:Q", color=alt.value(look.hues(1)[0])),
        *(
            base.mark_tick(
                thickness=1.2, opacity=1, size=look.size * 0.7, color=look.hues(1)[0]
            ).encode(x=f"{end}:Q")
            for end in ("low", "high")
        ),
        base.mark_point(filled=True, opacity=1, size=look.size * 5, color=look.hues(1)[0]).encode(
            x="score:Q", tooltip=tooltip
        ),
        base.mark_text(dy=-look.size * 0.95, color=look.ink).encode(x="score:Q", text="text:N"),
    ]
    height = (len(rows) * 2 + 3) * line_height(look)
    return figure(alt.layer(*layers), look, height, "Scores of systems with their intervals")


def difference(
    found: Comparison, look: Look | None = None, *, pairs: Sequence[Pair] | None = None
) -> Any:
    """How the resampled differences of each pair are spread, with the interval of each.

    Args:
        found: what `compare` found.
        pairs: which of its pairs are shown; all if not given.

    Returns:
        An Altair chart. Its data are rows with `pair`, `low`, `high` (of a bar) and `share`; the
        intervals are rows with `pair`, `difference`, `low` and `high`.

    Raises:
        InputError: there is no pair.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    alt = altair()
    shown = list(found.pairs if pairs is None else pairs)
    if not shown:
        raise InputError("there is no pair to draw; give one at least")
    names = dict(
        zip(
            (s.name for s in found.systems),
            labels((s.name for s in found.systems), look),
            strict=True,
        )
    )
    bars: list[dict[str, Any]] = []
    spans: list[dict[str, Any]] = []
    for place, pair in enumerate(shown):
        label = f"{names[pair.b]} \u2212 {names[pair.a]}"
        floor = float(len(shown) - 1 - place)
        counted = _histogram(found.differences(pair))
        tallest = max((share for _, _, share in counted), default=1.0)
        bars += [
            {"pair": label, "low": low, "high": high, "share": share, "floor": floor,
             "top": floor + _TALL * share / tallest}
            for low, high, share in counted
        ]  # fmt: skip
        low, high = map(plain, pair.interval)
        spans.append(
            {"pair": label, "difference": pair.difference, "low": low, "high": high,
             "floor": floor - 0.16, "line": floor - 0.09, "top": floor + _TALL, "name": floor + 0.7,
             "zero": 0.0, "text": _figures(pair)}
        )  # fmt: skip
    reach = [value for bar in bars for value in (bar["low"], bar["high"])]
    reach += [0.0, *(span["difference"] for span in spans)]
    margin = 0.03 * (max(reach) - min(reach) or 1.0)
    scale = alt.Scale(domain=[min(reach) - margin, max(reach) + margin], nice=False)
    title = f"difference in {found.systems[0].score.name}, with {percent(1 - found.alpha)} interval"

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", title=title, axis=alt.Axis(tickCount=5, grid=False), scale=scale)

    def y(field: str) -> Any:
        heights = alt.Scale(domain=[-0.2, len(shown) - 0.2], nice=False)
        return alt.Y(f"{field}:Q", axis=None, scale=heights)

    decimals = f".{shown[0].decimals}f"
    tooltip = ["pair:N", *(alt.Tooltip(f"{key}:Q", format=decimals)
                           for key in ("difference", "low", "high"))]  # fmt: skip
    # The last step of the outline has its end, too.
    ends = [{**bar, "low": bar["high"]} for bar in bars]
    outline = [bar for pair in zip(bars, ends, strict=True) for bar in pair]
    base = alt.Chart(alt.Data(values=spans))
    hue = look.hues(1)[0]
    layers = [
        alt.Chart(alt.Data(values=outline))
        .mark_area(color=hue, opacity=0.5, line=False)
        .encode(x=x("low"), y=y("top"), y2="floor:Q", detail="pair:N"),
        base.mark_rule(color=look.ink, strokeDash=[3, 2]).encode(
            x=x("zero"), y=y("floor"), y2="top:Q"
        ),
        base.mark_rule(strokeWidth=1.6, color=look.ink).encode(
            x=x("low"), x2="high:Q", y=y("line")
        ),
        base.mark_point(filled=True, opacity=1, size=look.size * 5, color=look.ink).encode(
            x=x("difference"), y=y("line"), tooltip=tooltip
        ),
        base.mark_text(align="left", limit=look.points * 0.5).encode(
            x=alt.value(0), y=y("name"), text="pair:N"
        ),
        base.mark_text(align="right").encode(
            x=alt.value({"expr": "width"}), y=y("name"), text="text:N"
        ),
    ]
    height = (len(shown) * 4.6 + 2.8) * line_height(look)
    said = "Distributions of resampled differences of pairs of systems, with their intervals"
    return figure(alt.layer(*layers), look, height, said)


def _figures(pair: Pair) -> str:
    """The difference and its interval as papers print them."""
    values = (pair.difference, *pair.interval)
    shown = [f"{value:+.{pair.decimals}f}".replace("-", "\u2212") for value in values]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def _histogram(values: Any) -> list[tuple[float, float, float]]:
    """Bars as their two ends and the share of the values between them."""
    import numpy as np

    values = values[np.isfinite(values)]
    if not len(values):
        return []
    low, high = float(values.min()), float(values.max())
    if not low < high:  # two systems that are the same
        half = abs(low) * 1e-3 or 0.05
        return [(low - half, low + half, 1.0)]
    counts, edges = np.histogram(values, bins=_BINS)
    shares, ends = (counts / len(values)).tolist(), edges.tolist()
    return list(zip(ends[:-1], ends[1:], shares, strict=True))

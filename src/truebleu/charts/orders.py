# SPDX-License-Identifier: Apache-2.0
"""Figures of n-gram orders: their precisions, and the points that each one costs."""

from __future__ import annotations

from truebleu.analysis.explain.worksheet import worksheet
from truebleu.charts.layout import (
    altair,
    color,
    figure,
    labels,
    legend,
    legend_lines,
    line_height,
    plain,
    shape,
)
from truebleu.charts.lines import lines
from truebleu.charts.look import Look
from truebleu.dialects.signature import parse_signature
from truebleu.errors import InputError
from truebleu.metrics.score import Score

#: Systems whose numbers there is room for.
_FEW = 5

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    #: Names with scores, which a check finds to be of BLEU.
    Scored = Sequence[tuple[str, Any]]


def precisions(scores: Scored, look: Look | None = None) -> Any:
    """n-gram precision against n, a line for each system: the plot of the tutorials.

    Args:
        scores: names of systems and their scores.

    Returns:
        An Altair chart. Its data are rows with `system`, `n` and `precision` in percent.

    Raises:
        InputError: there is no system, or a score is not of BLEU.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    _check(scores)
    alt = altair()
    names = labels((name for name, _ in scores), look)
    rows: list[dict[str, Any]] = [
        {"system": name, "n": n, "precision": plain(precision)}
        for name, (_, score) in zip(names, scores, strict=True)
        for n, precision in enumerate(score.precisions, start=1)
    ]
    orders = sorted({row["n"] for row in rows})
    x = alt.X(
        "n:Q",
        title="n-gram order n",
        axis=alt.Axis(values=orders, format="d", grid=False),
        scale=alt.Scale(domain=[orders[0] - 0.15, orders[-1] + 0.1], nice=False, zero=False),
    )
    known = [row for row in rows if row["precision"] is not None]
    if not known:
        raise InputError("no precision is a number; there is no figure")
    title = "n-gram precision (%)"
    said = "Lines: n-gram precision in percent against the n-gram order, for each system"
    return lines(known, names, x, "precision", look, title=title, decimals=1, description=said)


def losses(scores: Scored, look: Look | None = None) -> Any:
    """The points that each n-gram order and brevity cost, a mark for each system.

    The points of a system and its score sum to the scale; see `docs/explain.md` for how they are
    shared.

    Args:
        scores: names of systems and their scores.

    Returns:
        An Altair chart. Its data are rows with `system`, `factor` and `points`.

    Raises:
        InputError: there is no system, or a score is not of BLEU.
        MissingExtraError: Altair is not installed.
    """
    look = Look.given(look)
    _check(scores)
    alt = altair()
    names = labels((name for name, _ in scores), look)
    rows: list[dict[str, Any]] = [
        {"system": name, "factor": _factor(factor), "points": points}
        for name, (_, score) in zip(names, scores, strict=True)
        for factor, points in lost(score).items()
    ]
    if not rows:
        raise InputError("no score is a number, so that no points are lost; there is no figure")
    factors = sorted({row["factor"] for row in rows}, key=_place)
    scale = scores[0][1].scale
    shown = legend(names, look)
    offset = alt.YOffset("system:N", sort=names)
    y = alt.Y(
        "factor:N",
        sort=factors,
        title=None,
        axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
        scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
    )
    x = alt.X(
        "points:Q",
        title=f"points lost, of {scale}",
        axis=alt.Axis(tickCount=5),
        scale=alt.Scale(nice=False),
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=x, y=y, yOffset=offset, color=color(names, look, shown)
    )
    tooltip = ["system:N", "factor:N", alt.Tooltip("points:Q", format=".2f")]
    few = len(names) <= _FEW
    layers = [
        base.mark_rule(strokeWidth=1).encode(x2=alt.datum(0)),
        base.mark_point(filled=True, opacity=1, size=look.size * 4.5).encode(
            shape=shape(names, look, shown), tooltip=tooltip
        ),
    ]
    if few:
        numbers = alt.Text("points:Q", format=".1f" if scale > 1 else ".3f")
        layers.append(
            alt.Chart(alt.Data(values=rows))
            .mark_text(align="left", dx=look.size * 0.6)
            .encode(x=x, y=y, yOffset=offset, text=numbers)
        )
    each = max(1.1, len(names) * (0.95 if few else 0.7))
    height = (len(factors) * each * 1.2 + 3.5 + legend_lines(names, look)) * line_height(look)
    said = "Points that each n-gram order and brevity cost, for each system"
    return figure(alt.layer(*layers), look, height, said)


def lost(score: Score) -> dict[str, float]:
    """Points that each factor of a score costs, by its name."""
    # The tokenizer changes nothing here, and may be a function that no signature names in full.
    fields = [field for field in score.signature.split("|") if not field.startswith("tok:")]
    return worksheet(parse_signature("|".join(fields)), score).lost


def _factor(name: str) -> str:
    return f"{name.removeprefix('order ')}-grams" if name.startswith("order ") else name


def _place(factor: str) -> tuple[bool, int, str]:
    head = factor.removesuffix("-grams")
    return not head.isdigit(), int(head) if head.isdigit() else 0, factor


def _check(scores: Scored) -> None:
    if not scores:
        raise InputError("there is no system to draw; give one at least")
    for name, score in scores:
        if not isinstance(score, Score):
            raise InputError(
                f"{name!r} has a score of {score.name}; this figure is of BLEU's n-grams"
            )

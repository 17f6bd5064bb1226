# SPDX-License-Identifier: Apache-2.0
"""The path from one dialect's score to another's as HTML for notebooks."""

from __future__ import annotations

from typing import Any

from truebleu.text import html
from truebleu.text.html import HTML

#: Smaller effects come from rounding.
_NOTHING = 1e-9


def diff(result: Any) -> str:
    """The result of `diff`."""
    scores = [
        (
            label,
            f"{score.value:.{score._width}f}",
            f"of {score.scale}",
            html.code(score.signature),
        )
        for label, score in (("a", result.score_a), ("b", result.score_b))
    ]
    effects = [step for step in result.steps if not abs(step.effect) < _NOTHING]
    most = max((abs(step.effect) for step in effects), default=0.0)
    rows: list[tuple[str, ...]] = [("points", "effect", "", "decision")]
    rows.append((f"{result.points_a:.4f}", "", "", "a"))
    rows += [
        (f"{step.after:.4f}", f"{step.effect:+.4f}", _bar(step.effect, most),
         ", ".join(map(str, step.decisions)))
        for step in effects
    ]  # fmt: skip
    idle = [d for step in result.steps if step not in effects for d in step.decisions]
    parts = [
        html.table([("", "score", "", "signature"), *scores], left=(0, 2, 3)),
        html.line(f"b - a: {result.difference:+.4f} points of 100"),
        *([html.table(rows, left=(2, 3))] if effects else []),
        *(
            [html.folded(f"{len(idle)} differences without an effect here",
                           *(html.line(str(decision)) for decision in idle))]
            if idle else []
        ),
    ]  # fmt: skip
    count = sum(result.reasons.values())
    reasons = ", ".join(f"{number:,} by {reason}" for reason, number in result.reasons.items())
    text = f"{count:,} of {result.segments:,} segments are counted differently"
    parts.append(html.line(f"{text}: {reasons}." if reasons else f"{text}."))
    pairs: list[tuple[str, ...]] = [("segment", "why", "a", "b")]
    pairs += [
        (str(one.segment), one.reason, *(html.user_text(text or "(none)") for text in pair))
        for one in result.first
        for pair in one.pairs[:3]
    ]
    if result.first:
        parts.append(html.table(pairs, left=(1, 2, 3)))
    return html.block(*parts)


def _bar(effect: float, most: float) -> HTML:
    return html.bar(abs(effect) / most, html.GAIN if effect > 0 else html.LOSS)

# SPDX-License-Identifier: Apache-2.0
"""Explanations as a notebook shows them."""

from __future__ import annotations

from truebleu.analysis.explain.worksheet import figure
from truebleu.text import html

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from truebleu.analysis.explain.overlap import Overlap
    from truebleu.analysis.explain.worksheet import Worksheet
    from truebleu.text.html import HTML

#: Segments and n-grams of a corpus that are shown, of those that cost most.
_WORST, _NGRAMS = 5, 10


def explanation(found: Any) -> str:
    """An explanation without its texts."""
    return html.block(*_sum(found))


def segment(found: Any) -> str:
    """The explanation of a segment."""
    rows: list[tuple[str, ...]] = [("order", "matched", "clipped", "unmatched", "missed")]
    for n, grams in enumerate(found.overlap.ngrams, start=1):
        counts = (
            sum(getattr(gram, name) for gram in grams)
            for name in ("matched", "clipped", "unmatched", "missed")
        )
        rows.append((str(n), *map(str, counts)))
    parts = _sum(found)
    if found.cost is not None:
        parts.append(html.line(f"Without it the corpus gains {found.cost:+.4f} points."))
    parts += [_texts(found.overlap), _legend(), html.title("n-grams"), html.table(rows)]
    return html.block(*parts)


def corpus(found: Any) -> str:
    """The explanation of a corpus: the sum, and what costs most."""
    parts = [*_sum(found), html.title("segments that cost most"), _legend()]
    for number in found.worst(_WORST):
        one = found.segment(number)
        said = f"segment {number}: cost {one.cost:+.4f}, by itself {one.score.value:.2f}"
        parts += [html.line(html.element("b", said)), _texts(one.overlap)]
    for heading, costs in (
        ("n-grams that cost most by not matching",
         [(gram.cost, gram.unmatched, gram) for gram in found.unmatched]),
        ("n-grams of references that cost most by not being there",
         [(gram.missed_cost, gram.missed, gram) for gram in found.missed]),
    ):  # fmt: skip
        rows = [
            (html.user_text(" ".join(gram.words)), f"{times:,}", f"{cost:+.4f}")
            for cost, times, gram in costs[:_NGRAMS]
        ]
        if rows:
            parts += [html.title(heading), html.table([("n-gram", "times", "cost"), *rows])]
    return html.block(*parts)


def _sum(found: Any) -> list[HTML]:
    """The score, its factors, and the points that each one costs."""
    sheet: Worksheet = found.worksheet
    score = found.score
    lost = sheet.lost
    head = ("factor", "derivation", "value", "points lost", "")
    rows: list[tuple[str, ...]] = [
        (f"p{term.order}", f"{term.derivation}{_remark(term.remark)}", figure(term.precision),
         *_points(lost.get(f"order {term.order}"), sheet))
        for term in sheet.terms
    ]  # fmt: skip
    brevity = ("BP", sheet.bp_derivation, figure(sheet.bp), *_points(lost.get("brevity"), sheet))
    others = (
        (name, "", "", *_points(points, sheet))
        for name, points in lost.items()
        if name != "brevity" and not name.startswith("order ")
    )
    return [
        html.headline(
            score.name, f"{score.value:.{score._width}f}", f"of {score.scale}", found.dialect.name
        ),
        *([html.line(sheet.outcome)] if sheet.outcome else []),
        html.table([head, *rows, brevity, *others], left=(0, 1, 4)),
        html.code(score.signature),
    ]


def _remark(remark: str) -> str:
    return f" ({remark})" if remark else ""


def _points(points: float | None, sheet: Worksheet) -> tuple[str, str]:
    if points is None:
        return "", ""
    return f"{points:.{2 if sheet.scale > 1 else 4}f}", html.bar(points / sheet.scale, html.LOSS)


def _texts(shared: Overlap) -> HTML:
    """Tokens of the hypothesis and the references, with what matches."""
    lines: Iterable[tuple[str, Any, Any]] = [
        ("hypothesis", shared.hyp, shared.hyp_covered),
        *(
            (f"reference {i}", words, covered)
            for i, (words, covered) in enumerate(
                zip(shared.refs, shared.refs_covered, strict=True), start=1
            )
        ),
    ]
    return html.element(
        "div",
        *(
            html.element(
                "div",
                html.element("span", label, style="opacity:.7;min-width:6.5em;flex:none"),
                html.tokens(words, covered),
                style="display:flex;gap:.5em;margin:.2em 0",
            )
            for label, words, covered in lines
        ),
    )


def _legend() -> HTML:
    said = "The number behind a token is the length of the longest match that covers it."
    return html.element("div", said, style="opacity:.7;font-size:.85em")

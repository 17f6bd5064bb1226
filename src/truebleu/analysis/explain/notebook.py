# SPDX-License-Identifier: Apache-2.0
"""Explanations as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from truebleu.analysis.explain import formatting
from truebleu.analysis.explain.overlap import Overlap
from truebleu.analysis.explain.worksheet import Worksheet, figure
from truebleu.text import html
from truebleu.text.html import HTML

#: The numbers of costliest segments and n-grams that are shown.
_WORST, _NGRAMS = 5, 10


def segment(why: Any) -> str:
    """The explanation of a segment."""
    rows: list[tuple[str, ...]] = [("order", "matched", "clipped", "unmatched", "missed")]
    for n, grams in enumerate(why.overlap.ngrams, start=1):
        counts = (
            sum(getattr(gram, name) for gram in grams)
            for name in ("matched", "clipped", "unmatched", "missed")
        )
        rows.append((str(n), *map(str, counts)))
    parts = _sum(why)
    if why.cost is not None:
        parts.append(html.line(formatting.removal(why.cost, why.worksheet)))
    parts += [_texts(why.overlap), _legend(), html.title("n-grams"), html.table(rows)]
    return html.block(*parts)


def corpus(why: Any) -> str:
    """The explanation of a corpus: the calculation, the costliest segments and n-grams."""
    parts = [*_sum(why), html.title("costliest segments"), _legend()]
    for number in why.worst(_WORST):
        one = why.segment(number)
        title = f"segment {number}: cost {one.cost:+.4f}, by itself {one.score.value:.2f}"
        parts += [html.line(html.element("b", title)), _texts(one.overlap)]
    for heading, costs in (
        ("costliest unmatched n-grams",
         [(gram.cost, gram.unmatched, gram) for gram in why.unmatched]),
        ("costliest missed n-grams of references",
         [(gram.missed_cost, gram.missed, gram) for gram in why.missed]),
    ):  # fmt: skip
        rows = [
            (html.user_text(" ".join(gram.words)), f"{times:,}", f"{cost:+.4f}")
            for cost, times, gram in costs[:_NGRAMS]
        ]
        if rows:
            parts += [html.title(heading), html.table([("n-gram", "times", "cost"), *rows])]
    return html.block(*parts)


def _sum(why: Any) -> list[HTML]:
    """The score, its factors, and the points lost to each."""
    sheet: Worksheet = why.worksheet
    score = why.score
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
            score.name, f"{score.value:.{score._width}f}", f"of {score.scale}", why.dialect.name
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
    """Tokens of the hypothesis and the references with their matches."""
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
    text = "The number after a token is the length of the longest match that covers it."
    return html.element("div", text, style="opacity:.7;font-size:.85em")

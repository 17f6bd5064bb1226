# SPDX-License-Identifier: Apache-2.0
"""Explanations as a notebook shows them."""

from __future__ import annotations

from truebleu import markup
from truebleu.explanation.worksheet import figure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from truebleu.explanation.overlap import Overlap
    from truebleu.explanation.worksheet import Worksheet
    from truebleu.markup import HTML

#: Segments and n-grams of a corpus that are shown, of those that cost most.
_WORST, _NGRAMS = 5, 10


def explanation(found: Any) -> str:
    """An explanation without its texts."""
    return markup.block(*_sum(found))


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
        parts.append(markup.line(f"Without it the corpus gains {found.cost:+.4f} points."))
    parts += [_texts(found.overlap), _legend(), markup.title("n-grams"), markup.table(rows)]
    return markup.block(*parts)


def corpus(found: Any) -> str:
    """The explanation of a corpus: the sum, and what costs most."""
    parts = [*_sum(found), markup.title("segments that cost most"), _legend()]
    for number in found.worst(_WORST):
        one = found.segment(number)
        said = f"segment {number}: cost {one.cost:+.4f}, by itself {one.score.value:.2f}"
        parts += [markup.line(markup.element("b", said)), _texts(one.overlap)]
    for heading, costs in (
        ("n-grams that cost most by not matching",
         [(gram.cost, gram.unmatched, gram) for gram in found.unmatched]),
        ("n-grams of references that cost most by not being there",
         [(gram.missed_cost, gram.missed, gram) for gram in found.missed]),
    ):  # fmt: skip
        rows = [
            (markup.user_text(" ".join(gram.words)), f"{times:,}", f"{cost:+.4f}")
            for cost, times, gram in costs[:_NGRAMS]
        ]
        if rows:
            parts += [markup.title(heading), markup.table([("n-gram", "times", "cost"), *rows])]
    return markup.block(*parts)


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
        markup.headline(
            score.name, f"{score.value:.{score._width}f}", f"of {score.scale}", found.dialect.name
        ),
        *([markup.line(sheet.outcome)] if sheet.outcome else []),
        markup.table([head, *rows, brevity, *others], left=(0, 1, 4)),
        markup.code(score.signature),
    ]


def _remark(remark: str) -> str:
    return f" ({remark})" if remark else ""


def _points(points: float | None, sheet: Worksheet) -> tuple[str, str]:
    if points is None:
        return "", ""
    return f"{points:.{2 if sheet.scale > 1 else 4}f}", markup.bar(
        points / sheet.scale, markup.LOSS
    )


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
    return markup.element(
        "div",
        *(
            markup.element(
                "div",
                markup.element("span", label, style="opacity:.7;min-width:6.5em;flex:none"),
                markup.tokens(words, covered),
                style="display:flex;gap:.5em;margin:.2em 0",
            )
            for label, words, covered in lines
        ),
    )


def _legend() -> HTML:
    said = "The number behind a token is the length of the longest match that covers it."
    return markup.element("div", said, style="opacity:.7;font-size:.85em")

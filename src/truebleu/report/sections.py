# SPDX-License-Identifier: Apache-2.0
"""The sections of the page besides the segments, in order; they need no script.

To add a section, write a function from `Contents` to its body, and yield it from `folded`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from truebleu.analysis.compare.comparison import Comparison, percent
from truebleu.analysis.compare.formats import notes
from truebleu.analysis.diff.surveys import same_numbers
from truebleu.errors import quantity
from truebleu.metrics.score import Score
from truebleu.report.charts import Charts
from truebleu.report.contents import Contents, Division
from truebleu.report.contrast import contrast_body
from truebleu.report.differences import matrix, pairs_table, warnings
from truebleu.report.elements import headings, interval, number, remark, side_by_side, system, table
from truebleu.report.findings import badges, counts, findings
from truebleu.text.html import HTML, element, join, user_text


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page; a folded one shows its `note` next to its heading."""

    anchor: str
    heading: str
    body: HTML
    note: str = ""


def front(contents: Contents) -> Iterator[Section]:
    """The sections before the segments."""
    yield Section("scores", "Scores", _scores(contents))
    if contents.comparison is not None:
        yield Section("differences", "Differences", _differences(contents, contents.comparison))


def folded(contents: Contents, charts: Charts) -> Iterator[Section]:
    """The sections after the segments, which the reader unfolds."""
    if contents.comparison is not None:
        pairs = quantity(len(contents.comparison.pairs), "pair")
        body = _intervals(contents, contents.comparison, charts)
        yield Section("intervals", "Intervals", body, pairs)
    if contents.contrast is not None:
        body = contrast_body(contents, contents.contrast)
        note = f"{contents.names[0]} over {contents.names[1]}"
        yield Section("contrast", "Why the best is ahead", body, note)
    yield Section("orders", "n-grams", _orders(contents, charts))
    for division in contents.divisions:
        parts = quantity(len(division.parts), {"length": "range"}.get(division.name, division.name))
        yield Section(
            division.name,
            f"{division.name}s".capitalize(),
            _division(contents, division, charts),
            parts,
        )
    if contents.standings:
        tools = quantity(len(contents.standings[0]), "tool")
        yield Section("dialects", "Dialects", _dialects(contents), tools)
    if contents.standings or contents.findings is not None:
        yield Section("findings", "Findings", findings(contents), counts(contents))
    yield Section("settings", "Settings", _settings(contents))


def _scores(contents: Contents) -> HTML:
    comparison, decimals = contents.comparison, contents.decimals
    others = [scores[0].name for scores in contents.scores[1:]]
    head = ["system", "BLEU"]
    head += [f"{percent(1 - contents.alpha)} interval"] if contents.intervals else []
    ranked = comparison.ranked() if comparison and comparison.baseline is None else []
    head += ["rank"] if ranked else []
    head += [*others, "BP", "length"]
    head += ["findings"] if contents.findings else []
    rows = []
    for i, score in enumerate(contents.scores[0]):
        row: list[Any] = [system(contents, i), number(score.value, decimals)]
        row += [interval(contents.intervals[i], decimals)] if contents.intervals else []
        row += [" to ".join(map(str, dict.fromkeys(ranked[i].rank or ())))] if ranked else []
        row += [number(scores[i].value, 1) for scores in contents.scores[1:]]
        row += [number(score.bp, 3), number(score.ratio, 3)]
        rows.append([*row, *([badges(contents.findings[i])] if contents.findings else [])])
    explained = "BP is the brevity penalty; length is tokens to reference tokens."
    if ranked:
        explained += " Rank is the range of places that the tests leave open."
    # The page's script fills it in.
    live = element(
        "p", "Scored in this page: ", element("code"), ". Differences and the sections below the "
        "segments are as the report was written.", id="live-note", class_="remark", hidden=True,
    )  # fmt: skip
    scores = table(head, rows, "Scores of the systems, the best first", names=contents.names)
    return join([scores, live, remark(explained)])


def _differences(contents: Contents, comparison: Comparison) -> HTML:
    draw = matrix if _has_matrix(comparison) else pairs_table
    return join([draw(contents, comparison), warnings(comparison)])


def _has_matrix(comparison: Comparison) -> bool:
    """Whether a matrix shows more than the table of pairs."""
    return len(comparison.systems) > 2 and comparison.baseline is None


def _intervals(contents: Contents, comparison: Comparison, charts: Charts) -> HTML:
    figures = side_by_side(charts["scores"], charts["differences"])
    return join([figures, pairs_table(contents, comparison) if _has_matrix(comparison) else None])


def _orders(contents: Contents, charts: Charts) -> HTML:
    scores, sheets = contents.scores[0], contents.worksheets
    orders = range(1, len(scores[0].precisions) + 1)
    matches = [
        [system(contents, i),
         *(join([number(score.precisions[n - 1], 1), " %: ",
                 f"{score.matches[n - 1]:,} of {score.totals[n - 1]:,}"]) for n in orders),
         f"{score.hyp_len:,} to {score.ref_len:,}"]
        for i, score in enumerate(scores)
    ]  # fmt: skip
    head = ["system", *(f"{n}-grams" for n in orders), "tokens to reference tokens"]
    precisions = table(head, matches, "Precisions: n-grams that the references have")
    factors = list(dict.fromkeys(factor for sheet in sheets for factor in sheet.lost))
    if not factors:
        return side_by_side(charts["precisions"], precisions)
    lost = [
        [system(contents, i), *(
            number(sheet.lost[factor], contents.decimals) if factor in sheet.lost else ""
            for factor in factors
        )]
        for i, sheet in enumerate(sheets)
    ]  # fmt: skip
    scale = contents.bleu.dialect.combine.scale
    caption = f"Points lost to each factor; {scale} minus their sum is the score"
    losses = table(["system", *factors], lost, caption)
    figures = side_by_side(charts["precisions"], charts["losses"])
    return join([figures, side_by_side(precisions, losses)])


def _division(contents: Contents, division: Division, charts: Charts) -> HTML:
    systems = [system(contents, i) for i in range(len(contents.names))]
    rows = [
        [user_text(part.name), f"{part.segments:,}",
         *(number(part.scores[name].value, contents.decimals) for name in contents.names)]
        for part in division.parts
    ]  # fmt: skip
    is_length = division.name == "length"
    caption = (
        f"Score by {'length of the first reference in tokens' if is_length else division.name}"
    )
    parts = table(
        [division.name, "segments", *systems], rows, caption, class_=headings(contents.names)
    )
    return side_by_side(charts[division.name], parts)


def _dialects(contents: Contents) -> HTML:
    rows = []
    own = contents.bleu.dialect.name
    for group in same_numbers(zip(*contents.standings, strict=True)):
        scores = [standing.score for standing in group[0] if isinstance(standing.score, Score)]
        values = [score.value * (100 / score.scale) for score in scores]
        differ = len(set(values)) > 1
        marked = [
            element("b", number(value, 2)) if differ and value == max(values) else number(value, 2)
            for value in values
        ]
        names = [standings[0].name for standings in group]
        shown = [element("b", name) if name == own else name for name in names]
        dialects = join([part for name in shown for part in (", ", name)][1:])
        rows.append([dialects, *marked])
    problems = [
        f"{standing.name}: {standing.problem}"
        for standing in contents.standings[0]
        if standing.problem
    ]
    head = ["dialects", *map(user_text, contents.names)]
    caption = "The score of this corpus in each BLEU tool, in percent; equal ones in one row"
    diff = element("code", "truebleu diff")
    return join([
        remark(element("code", "truebleu dialects"), " lists these tools; ", diff,
               " explains why two of them differ."),
        table(head, rows, caption, class_=headings(contents.names)),
        *map(remark, problems),
    ])  # fmt: skip


def _settings(contents: Contents) -> HTML:
    """The signatures, and how differences were tested."""
    signatures = [
        join([element("dt", scores[0].name), element("dd", element("code", scores[0].signature))])
        for scores in contents.scores
    ]
    tests = notes(contents.comparison, contents.decimals)[:-1] if contents.comparison else []
    return join([element("dl", *signatures, class_="signatures"), *map(remark, tests)])

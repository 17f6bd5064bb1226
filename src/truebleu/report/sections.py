# SPDX-License-Identifier: Apache-2.0
"""The sections of the page besides the segments, in order; they need no script.

To add a section, write a function from `Contents` to its body, and yield it from `folded`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from truebleu.analysis.compare.comparison import Comparison, percent
from truebleu.analysis.compare.formats import notes
from truebleu.analysis.diff.surveys import same_numbers
from truebleu.errors import quantity
from truebleu.metrics.score import Score
from truebleu.report.charts import Charts
from truebleu.report.contents import Contents, Division, by_difference
from truebleu.report.contrast import contrast_body
from truebleu.report.differences import matrix, pairs_table
from truebleu.report.elements import command_line, headings, interval, number, remark, rounded, side_by_side, table
from truebleu.report.findings import badges, counts, findings, links
from truebleu.report.segments import FORMULAS
from truebleu.text.html import HTML, element, join, user_text

#: Segments on which scores from elsewhere disagree most with BLEU.
_OPPOSED = 8


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page; a folded one shows its `note` next to its heading."""

    anchor: str
    heading: str
    body: HTML
    note: str = ""


def folded(contents: Contents, charts: Charts) -> Iterator[Section]:
    """The sections after the segments, which the reader unfolds."""
    if contents.comparison is not None:
        pairs = quantity(len(contents.comparison.pairs), "pair")
        body = _differences(contents, contents.comparison, charts)
        yield Section("differences", "Differences", body, pairs)
    if contents.contrast is not None:
        body = contrast_body(contents, contents.contrast)
        note = f"{contents.names[0]} over {contents.names[1]}"
        yield Section("contrast", "Contrast", body, note)
    yield Section("orders", "n-grams", _orders(contents, charts))
    for division in contents.divisions:
        parts = quantity(len(division.parts), {"length": "range"}.get(division.name, division.name))
        heading, body = f"{division.name}s".capitalize(), _division(contents, division, charts)
        yield Section(division.name, heading, body, parts)
    if contents.standings:
        tools = quantity(len(contents.standings[0]), "tool")
        yield Section("dialects", "Dialects", _dialects(contents), tools)
    if contents.standings or contents.findings is not None:
        yield Section("findings", "Findings", findings(contents), counts(contents))
    yield Section("settings", "Settings", _settings(contents))


def scores_section(contents: Contents) -> Section:
    """The section before the segments: the only table of the systems' scores.

    The page's script fills the columns `selection` and `place`.
    """
    comparison, decimals = contents.comparison, contents.decimals
    ranked = comparison.ranked() if comparison and comparison.baseline is None else []
    kinds = dict.fromkeys(("selection", "place"), "subset")
    kinds |= dict.fromkeys(("rank", "BP", "length"), "detail") | {"findings": "all"}
    marks = list(map(badges, contents.findings or ()))
    columns = contents.columns
    rows = []
    for i, score in enumerate(contents.scores[0]):
        name = contents.names[i]
        value = number(score.value, decimals)
        row: dict[str, Any] = {"system": user_text(name), "BLEU": value}
        if contents.intervals:
            kinds[ends := f"{percent(1 - contents.alpha)} interval"] = "all"
            row[ends] = interval(contents.intervals[i], decimals)
        if ranked:
            row["rank"] = " to ".join(map(str, dict.fromkeys(ranked[i].rank or ())))
        row["selection"] = element(
            "span", rounded(score.value, decimals), data_subset_score=name, data_value=repr(score.value)
        )
        row["place"] = element("span", str(i + 1), data_place=True)
        for head, own, (metric, _) in zip(columns[1:], contents.scores[1:], contents.others, strict=False):
            row[head] = number(own[i].value, 1)
            if isinstance(metric, FORMULAS):
                kinds |= {head: "all", (selection := f"{head}, selection"): "subset other"}
                row[selection] = element("span", rounded(own[i].value, 1), data_subset_metric=True)
        elsewhere = zip(columns[1 + len(contents.others) :], contents.elsewhere, strict=True)
        row |= {head: number(own.means[name], own.decimals) for head, own in elsewhere}
        row |= {"BP": number(score.bp, 3), "length": number(score.ratio, 3)}
        if any(marks):
            row["findings"] = marks[i]
        rows.append(row)
    explained = (
        "Selection is the score on the segments that are listed below, and place the place by it. "
        "BP is the brevity penalty; length is tokens to reference tokens."
    )
    if ranked:
        explained += " Rank is the range of places that the tests leave open."
    # The page's script fills it in.
    others = ". The sections below the segments are as the report was written."
    live = element("p", "Scored in this page: ", element("code"), others, id="live-note", class_="remark", hidden=True)
    cells = [list(row.values()) for row in rows]
    scores = table(list(rows[0]), cells, "Scores of the systems", names=contents.names, kinds=kinds)
    children = [element("button", name, type="button", data_copy=name.lower()) for name in ("LaTeX", "Markdown")]
    children.append(element("span", id="copied", role="status"))
    hidden: dict[str, Any] = {"data_needs_script": True, "hidden": True}
    copy = element("p", "Copy the table: ", *children, id="copy", class_="remark", **hidden)
    return Section("scores", "Scores", join([scores, live, remark(explained), copy]))


def _differences(contents: Contents, comparison: Comparison, charts: Charts) -> HTML:
    """A matrix, where it shows more than the table of pairs, charts, and that table."""
    has_matrix = len(comparison.systems) > 2 and comparison.baseline is None
    figures = side_by_side(charts["scores"], charts["differences"])
    parts = [figures, pairs_table(contents, comparison)]
    return join([matrix(contents, comparison), *parts] if has_matrix else parts)


def elsewhere(contents: Contents) -> HTML:
    """Correlations of scores from elsewhere with sentence BLEU, over all systems and of each."""
    names = contents.names
    lines = []
    for own in contents.elsewhere:
        for of in ((), *((name,) for name in names if len(names) > 1)):
            both = own.correlation(*of)
            who = join([" of ", *map(user_text, of or ["all systems"])])
            values = {"data_pearson": repr(both.pearson), "data_kendall": repr(both.kendall)}
            text = user_text(own.name), " and sentence BLEU", who, f": {both}"
            lines.append(remark(*text, data_correlation="".join(of), **values))
        if opposed := own.opposed(names[0], names[min(1, len(names) - 1)])[:_OPPOSED]:
            where = links([i + 1 for i in opposed])
            lines.append(remark(f"BLEU and {own.name} disagree most about ", where or ""))
    return join(lines)


def _orders(contents: Contents, charts: Charts) -> HTML:
    factors = list(dict.fromkeys(factor for sheet in contents.worksheets for factor in sheet.lost))
    matches, lost = [], []
    for name, score, sheet in zip(contents.names, contents.scores[0], contents.worksheets, strict=True):
        counts = zip(score.precisions, score.matches, score.totals, strict=False)
        cells = [join([number(value, 1), f" %: {own:,} of {total:,}"]) for value, own, total in counts]
        matches.append([user_text(name), *cells, f"{score.hyp_len:,} to {score.ref_len:,}"])
        points = (number(sheet.lost[own], contents.decimals) if own in sheet.lost else "" for own in factors)
        lost.append([user_text(name), *points])
    orders = (f"{n}-grams" for n in range(1, len(matches[0]) - 1))
    head = ["system", *orders, "tokens to reference tokens"]
    precisions = table(head, matches, "Precisions: n-grams that the references have")
    if not factors:
        return side_by_side(charts["precisions"], precisions)
    scale = contents.bleu.dialect.combine.scale
    caption = f"Points lost to each factor; {scale} minus their sum is the score"
    losses = table(["system", *factors], lost, caption)
    figures = side_by_side(charts["precisions"], charts["losses"])
    return join([figures, side_by_side(precisions, losses)])


def _division(contents: Contents, division: Division, charts: Charts) -> HTML:
    names, decimals = contents.names, contents.decimals
    pair, is_length = names[:2] if len(names) > 1 else (), division.name == "length"
    rows, filter_id = [], f"filter-{contents.divisions.index(division)}"
    for part in division.parts if is_length else by_difference(division.parts, names):
        values = [part.scores[name].value for name in names]
        place = str(division.parts.index(part))
        button = element("button", user_text(part.name), type="button", value=place, data_filter=filter_id)
        gap = [number(values[0] - values[1], decimals, "+")] if pair else []
        scores = (number(value, decimals) for value in values)
        rows.append([button, f"{part.segments:,}", *gap, *scores])
    unit = "length of the first reference in tokens" if is_length else division.name
    head = [division.name, "segments", *["first minus second"][: len(pair)]]
    listed = table(
        [*head, *map(user_text, names)], rows, f"Score by {unit}; press a row for its segments", class_=headings(names)
    )
    return side_by_side(charts[division.name], listed)


def _dialects(contents: Contents) -> HTML:
    rows = []
    own = contents.bleu.dialect.name
    for group in same_numbers(zip(*contents.standings, strict=True)):
        scores = (standing.score for standing in group[0] if isinstance(standing.score, Score))
        values = [score.value * (100 / score.scale) for score in scores]
        best = max(values) if len(set(values)) > 1 else None
        marked = [element("b", number(value, 2)) if value == best else number(value, 2) for value in values]
        names = [standings[0].name for standings in group]
        shown = [element("b", name) if name == own else name for name in names]
        dialects = join([part for name in shown for part in (", ", name)][1:])
        rows.append([dialects, *marked])
    problems = [f"{standing.name}: {standing.problem}" for standing in contents.standings[0] if standing.problem]
    head = ["dialects", *map(user_text, contents.names)]
    caption = "The score of this corpus in each BLEU tool, in percent; equal ones in one row"
    tools, diff = element("code", "truebleu dialects"), element("code", "truebleu diff")
    explained = remark(tools, " lists these tools; ", diff, " explains why two of them differ.")
    return join([explained, table(head, rows, caption, class_=headings(contents.names)), *map(remark, problems)])


def _settings(contents: Contents) -> HTML:
    """The signatures, how differences were tested, the command, and what identifies the texts."""
    signatures = [
        join([element("dt", name), element("dd", element("code", scores[0].signature))])
        for name, scores in zip(contents.columns, contents.scores, strict=False)
    ]
    tests = notes(contents.comparison, contents.decimals)[:-1] if contents.comparison else []
    references = {f"reference {n}": lines for n, lines in enumerate(contents.refs, start=1)}
    texts = dict(zip(contents.names, contents.systems, strict=True)) | references
    hashes = []
    for name, lines in texts.items():
        if all(isinstance(line, str) for line in lines):
            digest = sha256("\n".join([*lines, ""]).encode()).hexdigest()
            hashes.append(element("li", user_text(name), ": ", element("code", digest)))
    body = [element("dl", *signatures, class_="signatures"), *map(remark, tests), command_line(contents.command)]
    if hashes:
        body += [remark("SHA-256 of the lines, as sha256sum prints it of a file:"), element("ul", *hashes)]
    return join(body)

# SPDX-License-Identifier: Apache-2.0
"""The sections of the page before the segments: tables, charts and words, which need no script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from truebleu.analysis.check import Finding, effect_text
from truebleu.analysis.check.kinds import SEVERITIES
from truebleu.analysis.compare.comparison import Comparison, p_value, percent
from truebleu.analysis.compare.formats import notes
from truebleu.analysis.compare.intervals import Interval
from truebleu.charts.look import Look
from truebleu.metrics.score import Score
from truebleu.report import charts
from truebleu.report.contents import Contents, Division, ordered_pairs
from truebleu.text.html import HTML, element, join, user_text

#: The most lines of a finding with links to their segments; the others are counted.
_LINKS = 12


def sections(contents: Contents) -> Iterator[tuple[str, str, HTML]]:
    """The sections before the segments, in order: their anchors, headings and bodies."""
    yield ("scores", "Scores", _scores(contents))
    if contents.comparison is not None:
        yield ("differences", "Differences", _differences(contents, contents.comparison))
    yield ("orders", "n-grams and brevity", _orders(contents))
    divisions = join(_division(contents, division) for division in contents.divisions)
    yield ("parts", "Parts of the corpus", divisions)
    yield ("dialects", "Every dialect", _dialects(contents))
    yield ("findings", "Findings", _findings(contents))


def _scores(contents: Contents) -> HTML:
    comparison, decimals = contents.comparison, contents.decimals
    orders = len(contents.scores[0][0].precisions)
    others = [scores[0].name for scores in contents.scores[1:]]
    head = ["system", "BLEU"]
    head += [f"{percent(1 - contents.alpha)} interval"] if contents.intervals else []
    head += ["rank"] if comparison else []
    head += [*others, *(f"p{n}" for n in range(1, orders + 1))]
    head += ["BP", "ratio", "tokens", "ref. tokens"]
    order = sorted(range(len(contents.names)), key=lambda i: -contents.scores[0][i].value)
    rows = []
    for i in order:
        score = contents.scores[0][i]
        row: list[Any] = [_system(contents, i), _number(score.value, decimals)]
        row += [_interval(contents.intervals[i], decimals)] if contents.intervals else []
        if comparison:
            row.append(" to ".join(map(str, dict.fromkeys(comparison.systems[i].rank))))
        row += [_number(scores[i].value, 1) for scores in contents.scores[1:]]
        row += [_number(precision, 1) for precision in score.precisions]
        row += [_number(score.bp, 3), _number(score.ratio, 3)]
        rows.append([*row, str(score.hyp_len), str(score.ref_len)])
    remark = (
        f"p1 to p{orders} are n-gram precisions in percent. BP is the brevity penalty. The ratio "
        "is tokens to reference tokens."
    )
    if comparison:
        remark += " Rank is the range of places that the tests leave open."
    signatures = [
        join([element("dt", scores[0].name), element("dd", element("code", scores[0].signature))])
        for scores in contents.scores
    ]
    return join([
        _table(head, rows, "Scores of the systems, the best first"), _remark(remark),
        element("dl", *signatures, class_="signatures"),
        charts.scores(comparison) if comparison else None,
    ])  # fmt: skip


def _differences(contents: Contents, comparison: Comparison) -> HTML:
    decimals = contents.decimals
    head = ["system", "minus", "difference", f"{percent(1 - contents.alpha)} interval",
            "p after Holm", "better", "detectable"]  # fmt: skip
    pairs = ordered_pairs(comparison)
    rows = [
        [
            user_text(pair.b), user_text(pair.a), _number(pair.difference, decimals, "+"),
            _interval(pair.interval, decimals), p_value(pair.p_holm),
            user_text(pair.better) if pair.better else "no significant difference",
            _number(pair.detectable, decimals),
        ]
        for pair in pairs
    ]  # fmt: skip
    remarks = map(_remark, notes(comparison, decimals)[:-1])  # the signature is above
    table = _table(head, rows, "Differences of pairs of systems, in points", texts=(0, 1, 5))
    return join([table, element("div", *remarks), charts.differences(comparison, pairs)])


def _orders(contents: Contents) -> HTML:
    scores, sheets = contents.scores[0], contents.worksheets
    orders = range(1, len(scores[0].precisions) + 1)
    matches = [
        [_system(contents, i),
         *(f"{score.matches[n - 1]:,} of {score.totals[n - 1]:,}" for n in orders)]
        for i, score in enumerate(scores)
    ]  # fmt: skip
    head = ["system", *(f"{n}-grams" for n in orders)]
    precisions = _table(head, matches, "Matched n-grams of the hypotheses")
    factors = list(dict.fromkeys(factor for sheet in sheets for factor in sheet.lost))
    if not factors:
        return _side_by_side(charts.precisions(contents), precisions)
    lost = [
        [_system(contents, i), *(
            _number(sheet.lost[factor], contents.decimals) if factor in sheet.lost else ""
            for factor in factors
        )]
        for i, sheet in enumerate(sheets)
    ]  # fmt: skip
    scale = contents.bleu.dialect.combine.scale
    caption = f"Points lost to each factor; {scale} minus their sum is the score"
    losses = _table(["system", *factors], lost, caption)
    figures = _side_by_side(charts.precisions(contents), charts.losses(contents))
    return join([figures, _side_by_side(precisions, losses)])


def _division(contents: Contents, division: Division) -> HTML:
    systems = [_system(contents, i) for i in range(len(contents.names))]
    rows = [
        [user_text(part.name), f"{part.segments:,}",
         *(_number(part.scores[name].value, contents.decimals) for name in contents.names)]
        for part in division.parts
    ]  # fmt: skip
    is_length = division.name == "length"
    caption = (
        f"Score by {'length of the first reference in tokens' if is_length else division.name}"
    )
    table = _table([division.name, "segments", *systems], rows, caption)
    return _side_by_side(charts.division(division), table)


def _dialects(contents: Contents) -> HTML:
    rows, problems = [], []
    for standings in zip(*contents.standings, strict=True):
        name = standings[0].name
        scores = [one.score for one in standings if isinstance(one.score, Score)]
        if len(scores) < len(standings):
            problems.append(f"{name}: {standings[0].problem}")
            continue
        decimals = 4 if scores[0].scale == 1 else 2
        values = [score.value for score in scores]
        differ = len(set(values)) > 1
        cells = [_number(value, decimals) for value in values]
        marked = [
            element("b", cell) if differ and value == max(values) else cell
            for value, cell in zip(values, cells, strict=True)
        ]
        is_ours = name == contents.bleu.dialect.name
        rows.append([element("b", name) if is_ours else name, str(scores[0].scale), *marked])
    head = ["dialect", "of", *map(user_text, contents.names)]
    diff = element("code", "truebleu diff")
    return join([
        _remark(element("code", "truebleu dialects"), " lists these tools; ", diff,
                " explains why two of them differ."),
        _table(head, rows, "The score of this corpus in each BLEU tool"),
        *map(_remark, problems),
    ])  # fmt: skip


def _findings(contents: Contents) -> HTML:
    """The findings, the worst first, each once for all systems that have it."""
    if contents.findings is None:
        return element("p", "Lists of words are not checked; pass texts as they are before.")
    same: dict[tuple[object, ...], list[tuple[str, Finding]]] = {}
    for name, findings in zip(contents.names, contents.findings, strict=True):
        for one in findings:
            key = (one.kind, one.column, one.lines, one.message)
            same.setdefault(key, []).append((name, one))
    if not same:
        return element("p", "No problems found.")
    worst = sorted(same.values(), key=lambda each: SEVERITIES.index(each[0][1].severity))
    return element("div", *map(_finding, worst), class_="findings")


def _finding(each: list[tuple[str, Finding]]) -> HTML:
    finding = each[0][1]
    evidence = [
        join([element("dt", user_text(place)), element("dd", element("bdi", text, dir="auto"))])
        for place, text in finding.evidence
    ]
    badge = element("span", finding.severity, class_=f"badge {finding.severity}")
    column = element("small", user_text(finding.column))
    return element(
        "article",
        element("h3", badge, f" {finding.kind} ", column),
        element("p", finding.message),
        element("dl", *evidence) if evidence else None,
        _links(finding.lines),
        _remark("Fix: ", finding.advice),
        *(_remark(user_text(name), ": ", effect_text(one))
          for name, one in each if one.after is not None),
    )  # fmt: skip


def _links(lines: Sequence[int]) -> HTML | None:
    if not lines:
        return None
    parts: list[str] = []
    for line in lines[:_LINKS]:
        parts += [", ", element("a", str(line), href=f"#seg={line}")]
    parts[0] = "segment " if len(lines) == 1 else "segments "
    more = len(lines) - _LINKS
    return element("p", *parts, f" and {more:,} more" if more > 0 else None)


def _system(contents: Contents, i: int) -> HTML:
    """A system's name with its color."""
    name = user_text(contents.names[i])
    if len(contents.names) == 1:
        return name
    key = element("span", class_=f"key s{i % len(Look().palette.systems)}")
    return element("span", key, name, class_="system")


def _number(value: float, decimals: int, sign: str = "") -> HTML:
    """A number for readers, with all its digits for programs that read the page."""
    shown = f"{value:{sign}.{decimals}f}".replace("-", "\N{MINUS SIGN}")
    return element("data", shown, value=repr(float(value)))


def _interval(interval: Interval, decimals: int) -> HTML:
    low, high = (_number(end, decimals) for end in interval)
    return join([low, " to ", high])


def _remark(*children: str) -> HTML:
    return element("p", *children, class_="remark")


def _side_by_side(*parts: HTML) -> HTML:
    """Parts side by side if the window is wide enough."""
    return element("div", *parts, class_="side-by-side")


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, texts: Sequence[int] = (0,)
) -> HTML:
    """A table that scrolls by itself; its columns are numbers, except those in `texts`.

    The first cell of each row is its heading.
    """

    def cell(tag: str, i: int, child: str, scope: str | None = None) -> HTML:
        return element(tag, child, scope=scope, class_=None if i in texts else "number")

    body = [
        element("tr", *(cell("td" if i else "th", i, child, None if i else "row")
                        for i, child in enumerate(row)))
        for row in rows
    ]  # fmt: skip
    heads = [cell("th", i, child, "col") for i, child in enumerate(head)]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *body))
    # The caption stays while the table below it scrolls.
    scroll = element("div", table, class_="scroll", tabindex="0", role="group", aria_label=caption)
    return element("div", element("p", caption, class_="caption"), scroll, class_="tabular")

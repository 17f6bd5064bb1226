# SPDX-License-Identifier: Apache-2.0
"""The parts of the page that are read: tables, charts and words, which need no script."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis.compare.comparison import p_value, percent
from truebleu.analysis.compare.formats import _notes
from truebleu.metrics.score import Score
from truebleu.report import charts
from truebleu.report.faults import faults
from truebleu.report.markup import element, join, table
from truebleu.report.pairs import upright
from truebleu.text.html import HTML, user_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison, Pair
    from truebleu.analysis.compare.intervals import Interval
    from truebleu.report.contents import Contents
    from truebleu.report.divisions import Division


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page.

    Attributes:
        place: its address.
        title: its heading.
        body: what is in it.
    """

    place: str
    title: str
    body: HTML

    def markup(self) -> HTML:
        """The part with its heading."""
        heading = element("h2", self.title, id=f"{self.place}-heading")
        return element(
            "section", heading, self.body, id=self.place, aria_labelledby=f"{self.place}-heading"
        )


def sections(contents: Contents) -> Iterator[Section]:
    """The parts before the segments, in order."""
    yield Section("scores", "Scores", _scores(contents))
    if contents.comparison is not None:
        yield Section("differences", "Differences", _differences(contents, contents.comparison))
    yield Section("orders", "n-grams and brevity", _orders(contents))
    divisions = join(_division(contents, division) for division in contents.divisions)
    yield Section("parts", "Parts of the corpus", divisions)
    yield Section("dialects", "Every dialect", _dialects(contents))
    yield Section("findings", "Findings", faults(contents))


def places(contents: Contents) -> int:
    """Decimals of a score, as `truebleu compare` prints it."""
    return 4 if contents.bleu.dialect.combine.scale == 1 else 1


def number(value: float, decimals: int, sign: str = "") -> HTML:
    """A number as it is read, with all its digits for what reads the page."""
    shown = f"{value:{sign}.{decimals}f}".replace("-", "\N{MINUS SIGN}")
    return element("data", shown, value=repr(float(value)))


def _scores(contents: Contents) -> HTML:
    found, decimals = contents.comparison, places(contents)
    orders = len(contents.scores[0][0].precisions)
    others = [scores[0].name for scores in contents.scores[1:]]
    level = percent(1 - contents.alpha)
    head = ["system", "BLEU"]
    head += [f"{level} interval"] if contents.intervals else []
    head += ["rank"] if found else []
    head += [*others, *(f"p{n}" for n in range(1, orders + 1))]
    head += ["BP", "ratio", "tokens", "ref. tokens"]
    order = sorted(range(len(contents.names)), key=lambda i: -contents.scores[0][i].value)
    rows = []
    for i in order:
        score = contents.scores[0][i]
        row: list[Any] = [_system(contents, i), number(score.value, decimals)]
        row += [_interval(contents.intervals[i], decimals)] if contents.intervals else []
        row += [_rank(found.systems[i].rank)] if found else []
        row += [number(scores[i].value, 1) for scores in contents.scores[1:]]
        row += [number(precision, 1) for precision in score.precisions]
        row += [number(score.bp, 3), number(score.ratio, 3), str(score.hyp_len), str(score.ref_len)]
        rows.append(row)
    caption = "Scores of the systems, the best first"
    remark = (
        f"p1 to p{orders} are n-gram precisions in percent, BP is the brevity penalty, ratio that "
        "of the lengths."
    )
    if found:
        remark += " Rank is the best and the worst place that the tests leave open."
    signatures = [
        join([element("dt", scores[0].name), element("dd", element("code", scores[0].signature))])
        for scores in contents.scores
    ]
    return join([
        table(head, rows, caption=caption), element("p", remark, class_="remark"),
        element("dl", *signatures, class_="signatures"), charts.scores(contents),
    ])  # fmt: skip


def _system(contents: Contents, i: int) -> HTML:
    """A system's name beside its color."""
    if len(contents.names) == 1:
        return user_text(contents.names[i])
    key = element("span", class_=f"key s{i % 7}")
    return element("span", key, user_text(contents.names[i]), class_="system")


def _interval(interval: Interval, decimals: int) -> HTML:
    low, high = (number(end, decimals) for end in interval)
    return join([low, " to ", high])


def _rank(rank: tuple[int, int]) -> str:
    low, high = rank
    return str(low) if low == high else f"{low} to {high}"


def _differences(contents: Contents, found: Comparison) -> HTML:
    decimals = places(contents)
    head = ["system", "less", "difference", f"{percent(1 - contents.alpha)} interval",
            "p after Holm", "better", "detectable"]  # fmt: skip
    rows = [
        [
            user_text(pair.b), user_text(pair.a), number(pair.difference, decimals, "+"),
            _interval(pair.interval, decimals), p_value(pair.p_holm),
            user_text(pair.better) if pair.better else "not told apart",
            number(pair.detectable, decimals),
        ]
        for pair in _ranked(found)
    ]  # fmt: skip
    caption = "Differences of pairs of systems, in points"
    notes = [element("p", note, class_="remark") for note in _notes(found, decimals, None)[:-1]]
    whole = table(head, rows, caption=caption, texts=(0, 1, 5))
    return join([whole, element("div", *notes), charts.differences(found)])


def _ranked(found: Comparison) -> list[Pair]:
    """The pairs, those of the best systems first."""
    place = {system.name: i for i, system in enumerate(found.ranked())}
    pairs = map(upright, found.pairs)
    return sorted(pairs, key=lambda pair: sorted((place[pair.a], place[pair.b])))


def _orders(contents: Contents) -> HTML:
    scores, sheets = contents.scores[0], contents.worksheets
    orders = range(1, len(scores[0].precisions) + 1)
    matched = [
        [_system(contents, i),
         *(f"{score.matches[n - 1]:,} of {score.totals[n - 1]:,}" for n in orders)]
        for i, score in enumerate(scores)
    ]  # fmt: skip
    head = ["system", *(f"{n}-grams" for n in orders)]
    precisions = table(head, matched, caption="n-grams of the hypotheses that match")
    factors = list(dict.fromkeys(factor for sheet in sheets for factor in sheet.lost))
    if not factors:
        return _beside(charts.precisions(contents), precisions)
    lost = [
        [_system(contents, i), *(
            number(sheet.lost[factor], places(contents)) if factor in sheet.lost else ""
            for factor in factors
        )]
        for i, sheet in enumerate(sheets)
    ]  # fmt: skip
    scale = contents.bleu.dialect.combine.scale
    caption = f"Points that each factor costs; {scale} less all of them is the score"
    losses = table(["system", *factors], lost, caption=caption)
    drawn = _beside(charts.precisions(contents), charts.losses(contents))
    return join([drawn, _beside(precisions, losses)])


def _division(contents: Contents, division: Division) -> HTML:
    decimals = places(contents)
    head = [division.name, "segments", *(_system(contents, i) for i in range(len(contents.names)))]
    rows = [
        [user_text(part.name), f"{part.segments:,}",
         *(number(part.scores[name].value, decimals) for name in contents.names)]
        for part in division.parts
    ]  # fmt: skip
    caption = {
        "length": "Score by tokens of the first reference",
        "document": "Score by document",
        "group": "Score by group",
    }[division.name]
    return _beside(charts.division(division), table(head, rows, caption=caption))


def _beside(*parts: HTML | None) -> HTML:
    """Parts side by side where there is room."""
    return element("div", *parts, class_="beside")


def _dialects(contents: Contents) -> HTML:
    head = ["dialect", "of", *map(user_text, contents.names)]
    rows, problems = [], []
    for standings in zip(*contents.standings, strict=True):
        name = standings[0].name
        scores = [standing.score for standing in standings]
        there = [score for score in scores if isinstance(score, Score)]
        if len(there) < len(scores):
            problems.append(f"{name}: {standings[0].problem}")
            continue
        decimals = 4 if there[0].scale == 1 else 2
        best = max(score.value for score in there)
        alike = all(score.value == best for score in there)
        values = [number(score.value, decimals) for score in there]
        marked = [
            element("b", value) if score.value == best and not alike else value
            for value, score in zip(values, there, strict=True)
        ]
        mine = name == contents.bleu.dialect.name
        rows.append([element("b", name) if mine else name, str(there[0].scale), *marked])
    caption = "What each tool that computes BLEU makes of this corpus"
    lines = [element("p", "The tools are the rows of ", element("code", "truebleu dialects"),
                     "; ", element("code", "truebleu diff"), " says why two of them differ.",
                     class_="remark"),
             table(head, rows, caption=caption)]  # fmt: skip
    lines += [element("p", problem, class_="remark") for problem in problems]
    return join(lines)

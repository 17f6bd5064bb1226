# SPDX-License-Identifier: Apache-2.0
"""Which system is ahead, what would change that, and all differences as a matrix and as pairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import isfinite

from truebleu.analysis.agreement import share
from truebleu.analysis.compare.comparison import UNRANKED, Comparison, Pair, p_value, percent
from truebleu.errors import quantity
from truebleu.report.contents import Contents
from truebleu.report.elements import headings, interval, number, remark, rounded, table, tabular
from truebleu.text.escaping import visible
from truebleu.text.html import HTML, element, join, user_text
from truebleu.text.normalizations import TYPOGRAPHY

#: The most systems that the verdict names besides the best; the shades of differences.
_NAMED, _SHADES = 3, 4

_SHARED = {row.name for row in TYPOGRAPHY}


def verdict(contents: Contents) -> HTML | None:
    """One sentence: which system has the highest score, by how much, and how certain that is.

    None for several systems on one segment, which cannot be tested.
    """
    comparison, decimals = contents.comparison, contents.decimals
    if comparison is None:
        if contents.intervals is None or len(contents.names) > 1:
            return None
        score = contents.scores[0][0].value
        ends = _ends(contents.intervals[0], contents.alpha, decimals)
        name = _name(contents.names[0])
        return _sentence(name, f" has {rounded(score, decimals)} BLEU ({ends}).")
    return leader(comparison, decimals)


def leader(comparison: Comparison, decimals: int, *, is_main: bool = True) -> HTML:
    """One sentence: which of several systems has the best score, and how certain that is.

    `is_main` says whether it is the verdict of the page.
    """
    ranked = [system for system in comparison.ranked() if system.cluster is not None]
    if not ranked:
        return _sentence(f"{UNRANKED.capitalize()}.", is_main=is_main)
    first, *lower = ranked
    best, others = first.name, [system.name for system in lower]
    pairs = comparison.pairs_of(best)
    tested = [name for name in others if name in pairs]
    highest, higher = ("highest", "higher") if comparison.higher_is_better else ("lowest", "lower")
    of = f" of {1 + len(others)} systems" if len(others) != 1 else ""
    of += f" on {quantity(len(comparison.strata), 'set')}" if comparison.strata else ""
    fitted = "fitted " * (len(first.strata) < len(comparison.strata))
    claim: list[str] = [_name(best), f" has the {highest} {fitted}{comparison.metric}{of}"]
    if not tested:
        return _sentence(*claim, ".", is_main=is_main)
    ties = [name for name in others if (not pairs[name].better if name in pairs else comparison.baseline is None)]
    if ties:
        claim += [f", but not significantly {higher} than ", _listed(ties)]
    pair = pairs[tested[0]]
    difference = f"{rounded(pair.difference, decimals, '+')} {pair.metric}"
    over = [] if ties == others[:1] == tested[:1] else [" over ", _name(tested[0])]
    if len(pair.strata) < len(comparison.strata):
        over.append(f" on {quantity(len(pair.strata), 'common set')}")
    certainty = f" ({_ends(pair.interval, pair.alpha, decimals)}, {p_text(pair)})."
    return _sentence(*claim, ": ", element("b", difference), *over, certainty, p=repr(pair.p_adjusted), is_main=is_main)


def doubts(contents: Contents) -> HTML | None:
    """What would change the verdict, and what such a difference meant to people."""
    comparison = contents.comparison
    if comparison is None:
        return None
    best = contents.names[0]
    own = [pair.survives for pair in comparison.pairs_of(best).values()]
    survives = "false" if False in own else "true" if True in own else "none"
    lines = map(visible, comparison.survival(contents.decimals))
    next_best = next(own for own in comparison.ordered_pairs() if best in (own.a, own.b))
    text = str(next_best.people or f"agreement with people: {comparison.people or 'unknown'}")
    people = f"{text[0].upper()}{text[1:]}."
    warnings = [f"Warning: {text}" for text in comparison.warnings]
    others = map(remark, [*repairs(contents), *other_tools(contents), people, *warnings])
    return join([element("div", *map(remark, lines), data_survives=survives), *others])


def other_tools(contents: Contents) -> list[str]:
    """How many BLEU tools rank the systems differently."""
    scores = zip(*contents.standings, strict=True)
    values = [[own.score.value for own in row if own.score] for row in scores]
    ranked = [row for row in values if len(row) > 1 and all(map(isfinite, row))]
    changed = sum(row != sorted(row, reverse=True) for row in ranked)
    best = sum(row[0] < max(row) for row in ranked)
    tools = quantity(len(ranked), "BLEU tool")
    other = f"{changed} of {tools} rank systems differently, {best or 'none'} with another first"
    return [other if changed else f"All {tools} rank the systems in this order"] if ranked else []


def repairs(contents: Contents) -> list[str]:
    """Systems whose place changes if a fault that `check` found in their texts is repaired.

    Typography, which all systems and references share, is tried for all of them alike instead.
    """
    lines = []
    values = [score.value for score in contents.scores[0]]
    for i, findings in enumerate(contents.findings or ()):
        after = {
            own.after: own
            for own in findings
            if own.role == "hyp" and own.after is not None and own.normalization not in _SHARED
        }
        if not after:
            continue
        value = max(after)
        place = 1 + sum(other > value for k, other in enumerate(values) if k != i)
        if place < i + 1:
            repaired = after[value]
            lines.append(
                f"{visible(contents.names[i])}: {repaired.kind} in "
                f"{quantity(len(repaired.lines), 'line')}; repaired, its {repaired.metric} is "
                f"{rounded(value, contents.decimals)}: place {place} instead of {i + 1}."
            )
    return lines


def matrix(contents: Contents, comparison: Comparison) -> HTML:
    """The score of each row's system minus that of each column's, the best systems first."""
    caption = f"Differences in {comparison.metric}"
    level = f"{percent(comparison.alpha)}{comparison.corrected}"
    star = f"* marks differences that are significant at {level}, ~ those that do not survive."
    click = element(
        "span", " Press a difference to compare the segments of both systems.", data_needs_script=True, hidden=True
    )
    chosen = element("p", id="pair", role="status", class_="remark")
    differences = square(comparison, contents.names, contents.decimals, caption)
    return join([differences, element("p", star, click, class_="remark"), chosen])


def square(
    comparison: Comparison,
    names: Sequence[str],
    decimals: int,
    caption: str,
    details: Callable[[Pair], str] | None = None,
) -> HTML:
    """A table with a row and a column for each system, and the difference of each pair.

    The difference is a button, or with `details` a text; these are shown after the p-value of a
    cell, whose pair has the row's system as its b.
    """
    different = (abs(pair.difference) for pair in comparison.pairs if pair.better)
    largest = max(different, default=1.0)

    def cell(pair: Pair | None) -> HTML:
        if pair is None:
            return element("td", class_="number")
        value = number(pair.difference, decimals, "+")
        title = f"{_ends(pair.interval, pair.alpha, decimals)}, {p_text(pair)}"
        title += details(pair) if details else ""
        mark = "" if not pair.better else "~" if pair.survives is False else "*"
        shade = 1 + int((_SHADES - 1) * abs(pair.difference) / largest) if mark else 0
        tag, kind = ("span", None) if details else ("button", "button")
        shown = element(tag, value, title=title, type=kind)
        return element("td", shown, mark, class_=f"number shade{shade}")

    heads, rows = [element("th", "row minus column", scope="col")], []
    for i, name in enumerate(names):
        heads.append(element("th", user_text(name), scope="col", data_system=str(i), class_="number"))
        first = element("th", user_text(name), scope="row", data_system=str(i))
        rows.append(element("tr", first, *map(cell, map(comparison.pairs_of(name).get, names))))
    head = element("tr", *heads)
    return tabular(head, rows, caption, class_=join(["matrix ", headings(names)]))


def pairs_table(contents: Contents, comparison: Comparison) -> HTML:
    """Every pair: its difference, interval, p-value and smallest detectable difference."""
    decimals = contents.decimals
    head = ["system", "minus", "difference", f"{percent(1 - contents.alpha)} interval",
            f"p{comparison.corrected}", "people agree", "significantly higher",
            "detectable"]  # fmt: skip
    rows = [
        [
            user_text(pair.b), user_text(pair.a), number(pair.difference, decimals, "+"),
            interval(pair.interval, decimals), p_value(pair.p_adjusted),
            share(pair.agreement) if pair.agreement is not None else "unknown",
            user_text(pair.better) if pair.better else "neither",
            number(pair.detectable, decimals),
        ]
        for pair in comparison.ordered_pairs()
    ]  # fmt: skip
    return table(head, rows, "Differences of pairs of systems, in points", texts=(0, 1, 6))


def _sentence(*parts: str, p: str | None = None, is_main: bool = True) -> HTML:
    text = re.sub(r"[\d.]+ %|p = [\d.]+", r'<span class="whole">\g<0></span>', join(parts))
    return element("p", HTML(text), class_="verdict", data_verdict=is_main, data_p=p)


def _ends(ends: tuple[float, float], alpha: float, decimals: int) -> str:
    low, high = (rounded(end, decimals) for end in ends)
    return f"{percent(1 - alpha)} interval {low} to {high}"


def p_text(pair: Pair) -> str:
    """The corrected p-value, as in `p = 0.01 corrected for 3 pairs`."""
    return f"p = {p_value(pair.p_adjusted)}{pair.corrected}"


def _name(name: str) -> HTML:
    return element("b", user_text(name))


def _listed(names: list[str]) -> HTML:
    """`A`, `A and B`, `A, B and C`, or `A, B and 4 other systems`."""
    shown = names if len(names) <= _NAMED else names[: _NAMED - 1]
    parts: list[str] = list(map(_name, shown))
    if len(shown) < len(names):
        parts.append(quantity(len(names) - len(shown), "other system"))
    *first, last = parts
    return HTML(f"{', '.join(first)} and {last}" if first else last)

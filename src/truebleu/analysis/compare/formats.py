# SPDX-License-Identifier: Apache-2.0
"""Comparisons as text: one table of systems and metrics, or of groups and systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from truebleu.analysis.agreement import people_agreed, share
from truebleu.analysis.compare.comparison import Comparison, Pair, p_value, percent, ranking
from truebleu.analysis.compare.corrections import POWER
from truebleu.errors import quantity
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import BOLD, DIM, GREEN, PLAIN, RED, number, span
from truebleu.version import __version__

#: What the marks of a table mean, what it says, and how that was tested.
Remarks = tuple[list[str], list[str], list[str]]

#: The most systems whose matrix has numbers, which fit a terminal of 100 columns.
_NUMBERS = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """How comparisons are shown.

    Attributes:
        width: decimals of scores and differences; JSON and TSV have all.
        detect: a true difference, to show how many segments detect it.
        given_order: list systems in the order of the arguments instead of the best first.
        pairs: show every pair; in TSV instead of the systems.
        intervals: show the intervals of several metrics, as of one.
        caption: the caption of LaTeX says how often people agreed with such differences.
        color: for terminals: better is green, worse is red.
        terminal: columns of the terminal; None for no limit.
    """

    width: int = 1
    detect: float | None = None
    given_order: bool = False
    pairs: bool = False
    intervals: bool = False
    caption: bool = False
    color: bool = False
    terminal: int | None = None

    def order(self, comparison: Comparison) -> list[str]:
        """The names of the systems, in the order of a table."""
        systems = comparison.systems if self.given_order else comparison.ranked()
        return [system.name for system in systems]


def render(name: str, *comparisons: Comparison, **options: Any) -> str:
    """Comparisons of the same systems, one for each metric, in a format.

    Args:
        name: text, markdown, latex, tsv or json.
        comparisons: one for each metric.
        options: those of `Layout`.

    Raises:
        OptionError: `detect` is not above 0.
    """
    layout, first = Layout(**options), comparisons[0]
    if name == "json":
        return json_text(_entry(comparisons, layout))
    order = layout.order(first)
    if name == "tsv":
        rows = _pairs(comparisons, layout) if layout.pairs else []
        return "\n".join(tables.tsv(rows or _all(comparisons, order)))
    is_full = len(comparisons) == 1
    columns = [["System", *order]]
    for own in comparisons:
        columns += _ranks(own, order, layout) if is_full else _scores(own, order, layout)
    columns += [[own.name, *(f"{own.means[name]:.{own.decimals}f}" for name in order)] for own in first.scores]
    has_marks = len(first.pairs) > 1 or (first.pairs and not is_full) or first.baseline is not None
    lines = [_marks(comparisons)] if has_marks else []
    said = list(_said(comparisons, layout.width))
    texts = [line for own in comparisons for line in notes(own, layout.width, layout.detect)]
    remarks = lines, said, list(dict.fromkeys(texts))
    return _written(name, list(zip(*columns, strict=True)), remarks, comparisons, layout)


def render_groups(name: str, groups: Mapping[str | None, Sequence[Comparison]], title: str, **options: Any) -> str:
    """Comparisons of each group, whose kind is `title`, in a format; see `render`.

    Without groups, there is one, whose name is None. A table has a row for each group, and a column
    for each system and metric.
    """
    if None in groups:
        return render(name, *groups[None], **options)
    layout = Layout(**options)
    named = {str(group): comparisons for group, comparisons in groups.items()}
    if name == "json":
        return json_text({group: _entry(results, layout) for group, results in named.items()})
    if name == "tsv" or layout.pairs:
        texts = {group: render(name, *results, **options) for group, results in named.items()}
        return tables.grouped(name, title, texts, color=layout.color)
    every = list(chain(*named.values()))
    first = next(iter(named.values()))
    orders = [layout.order(own) for own in first]
    rows: list[list[str]] = []
    for group, results in named.items():
        columns = [
            [_headed(own, system, first, head), cell]
            for own, order in zip(results, orders, strict=True)
            for system in order
            for head, cell in _scores(own, [system], layout)
        ]
        corner = title if len(first) > 1 or not first[0].pairs else f"{title}, {first[0].metric}"
        rows = rows or [[corner, *(head for head, _ in columns)]]
        rows.append([group, *(cell for _, cell in columns)])
    lines = [_marks(every)] if first[0].pairs else []
    said = [
        f"{group}, {own.metric}: {line}"
        for group, results in named.items()
        for own in results
        for line in [*own.survival(layout.width), *(scores.sentence() for scores in own.scores)]
    ]
    tests = [line for own in every for line in notes(own, layout.width, within=title)]
    return _written(name, rows, (lines, said, list(dict.fromkeys(tests))), first, layout)


def _headed(own: Comparison, system: str, metrics: Sequence[Comparison], head: str) -> str:
    """The head of a column of a table by group."""
    if head != own.metric or not own.pairs:
        return head
    return system if len(metrics) == 1 else f"{system} {head}"


def _written(
    name: str, table: Sequence[tables.Row], remarks: Remarks, comparisons: Sequence[Comparison], layout: Layout
) -> str:
    """A table with its remarks in a format."""
    marks, said, tests = remarks
    pairs = _pairs(comparisons, layout, names=_SHOWN) if layout.pairs else []
    if name == "latex":
        body = tables.latex(table, caption=_caption(comparisons, marks, tests, layout))
        more = ["", *tables.latex(pairs)] if pairs else []
        return "\n".join([*map(tables.latex_comment, [*said, *tests]), *body, *more])
    if name == "markdown":
        body = [*tables.markdown(table), ""]
        body += [*tables.markdown(pairs), ""] if pairs else []
        lines = [*(line.replace("*", r"\*") for line in marks), *said, *tests]
        return "\n".join([*body, *(f"- {line}" for line in lines)])
    bold, dim, plain = (BOLD, DIM, PLAIN) if layout.color else ("", "", "")
    good = "+" if comparisons[0].higher_is_better else "-"
    text: list[str] = []
    for head, *rows in tables.blocks(table, layout.terminal):
        for row in rows if layout.color else []:
            row[1:] = [f"{bold}{row[1]}{plain}", *(_colored(cell, good) for cell in row[2:])]
        text += [*tables.aligned([head, *rows]), ""]
    text[-1:] = [*marks, ""]
    for own in comparisons if layout.pairs else ():
        text += [*_matrix(own, layout), ""] if len(own.systems) > 2 else []
        text += [visible(pair.sentence(layout.width)) for pair in own.pairs] + [""]
    text += [*map(visible, said), ""] if said else []
    return "\n".join([*text, *(f"{dim}{visible(line)}{plain}" for line in tests)])


def _caption(comparisons: Sequence[Comparison], marks: list[str], tests: list[str], layout: Layout) -> str:
    """Metrics, systems, marks, test and signatures; if asked for, what people said."""
    first = comparisons[0]
    metrics = ", ".join(own.metric for own in comparisons)
    sentences = [f"{metrics} of {quantity(len(first.systems), 'system')}", *marks]
    sentences += [line[0].upper() + line[1:] for line in tests if line.startswith(("test:", "interval:"))]
    sentences += [f"{own.metric} signature: {own.signature}" for own in comparisons]
    if layout.caption:
        people = people_agreed(pair.agreement for own in comparisons for pair in own.pairs)
        sentences += [f"P{people[1:]} ({first.people})"] if people else []
    return " ".join(f"{sentence}." for sentence in sentences)


def _marks(comparisons: Sequence[Comparison]) -> str:
    """What the marks of a table mean."""
    first = comparisons[0]
    level = f"p <= {first.alpha:g}{first.corrected}"
    is_lost = any(pair.survives is False for own in comparisons for pair in own.pairs)
    if first.baseline is not None:
        lost = ", ~ which does not survive" if is_lost else ""
        return f"* significantly different from {first.baseline}: {level}{lost}"
    lost = "; ~ worse by a verdict that does not survive" if is_lost else ""
    return f"* the best, or not significantly worse: {level}{lost}"


def _said(comparisons: Sequence[Comparison], width: int) -> Iterator[str]:
    """The verdict of each metric, and whether it survives."""
    for own in comparisons:
        if own.baseline is None and own.pairs:
            yield own.verdict(width)
        prefix = f"{own.metric}: " if len(comparisons) > 1 else ""
        yield from (f"{prefix}{line}" for line in own.survival(width))
        yield from (scores.sentence() for scores in own.scores)


def notes(comparison: Comparison, width: int, detect: float | None = None, within: str = "") -> list[str]:
    """Test, power, warnings and, last, the signature; `within` names the kind of groups."""
    pairs = len(comparison.pairs)
    unit = comparison.unit
    of = f"the {unit} of each {within}" if within else f"{comparison.units:,} {unit}"
    drawn = f"{quantity(comparison.resamples, 'resample')} of {of}, seed {comparison.seed}"
    lines = [f"interval: bootstrap, {drawn}"]
    if pairs:
        after = f"p-values after {comparison.correction} for {pairs:,} pairs"
        ps = f"{after}, whose intervals hold at once" if pairs > 1 else "p-value"
        lines = [f"test: {comparison.test}, {drawn}; {ps}, level {percent(comparison.alpha)}"]
    detectable = sorted(pair.detectable for pair in comparison.pairs if pair.detectable > 0)
    if detectable and not within:
        least, most = (f"{end:.{width}f}" for end in (detectable[0], detectable[-1]))
        span = least if least == most else f"{least} to {most}"
        detected = f"a true difference of {span} {comparison.metric} {percent(POWER)} of the time"
        lines.append(f"power: one test detects {detected}")
    if detect is not None and pairs:
        needed = max(pair.units_needed(detect) for pair in comparison.pairs)
        aim = f"a true difference of {detect:g} {comparison.metric} as often"
        lines.append(f"power: detecting {aim} takes {quantity(needed, unit[:-1])}")
    if comparison.people:
        lines.append(f"agreement with people: {comparison.people}")
    return [*lines, *[f"warning: {text}" for text in comparison.warnings], f"signature: {comparison.signature}"]


def _level(comparison: Comparison) -> str:
    return f"{percent(1 - comparison.alpha)} interval"


def _scores(comparison: Comparison, order: Sequence[str], layout: Layout) -> list[list[str]]:
    """The columns of a metric beside others: scores with marks, and intervals on request."""
    systems = {system.name: system for system in comparison.systems}
    scores, intervals = [comparison.metric], [_level(comparison)]
    for name in order:
        mark = _score_mark(comparison, name)
        scores.append(f"{systems[name].score.value:.{layout.width}f}{mark}")
        intervals.append(span(systems[name].interval, layout.width))
    return [scores, intervals] if layout.intervals or not comparison.pairs else [scores]


def _score_mark(comparison: Comparison, name: str) -> str:
    """A star: the best or not significantly worse; with a baseline, significantly different."""
    pair = _against(comparison, name)
    if not comparison.pairs:
        return ""
    if comparison.baseline is not None:
        return _mark(pair)
    if pair is None or pair.worse != name:
        return "*"
    return "~" if pair.survives is False else " "


def _ranks(comparison: Comparison, order: Sequence[str], layout: Layout) -> list[list[str]]:
    """The columns of a table of one metric: intervals, and ranks or differences."""
    systems = {system.name: system for system in comparison.systems}
    width, level = layout.width, _level(comparison)
    heads = [comparison.metric, level]
    if comparison.baseline is not None:
        heads += [f"minus {comparison.baseline}", level, "p"]
    elif comparison.pairs:
        heads += comparison.places
    has_marks = comparison.baseline is None and len(comparison.pairs) > 1
    has_people = len(comparison.pairs) > 1 and any(pair.people for pair in comparison.pairs)
    rows = [[*heads, "people agree"] if has_people else heads]
    for name in order:
        system, pair = systems[name], _against(comparison, name)
        mark = _score_mark(comparison, name) if has_marks else ""
        row = [f"{system.score.value:.{width}f}{mark}", span(system.interval, width)]
        if comparison.baseline is None:
            row += ranking(comparison, system) if comparison.pairs else []
        elif pair is None:
            row += ["", "", ""]
        else:
            gain = f"{pair.difference:+.{width}f}{_mark(pair)}"
            row += [gain, span(pair.interval, width), p_value(pair.p_adjusted)]
        people = None if pair is None else pair.agreement
        row += ["" if people is None else share(people)] * has_people
        rows.append(row)
    return [list(column) for column in zip(*rows, strict=True)]


def _against(comparison: Comparison, name: str) -> Pair | None:
    """The pair of a system and the baseline or else the best; None for these, or without one."""
    return comparison.pairs_of(name).get(comparison.baseline or comparison.ranked()[0].name)


def _mark(pair: Pair | None) -> str:
    return " " if pair is None or pair.better is None else "~" if pair.survives is False else "*"


def _all(comparisons: Sequence[Comparison], order: Sequence[str]) -> list[list[str]]:
    """All numbers of each system: the rows of TSV.

    Differences and p-values are those from the baseline or else from the best.
    """
    rows = [["System"], *([name] for name in order)]
    for own in comparisons:
        systems = {system.name: system for system in own.systems}
        names = ["", "low", "high", f"minus {own.baseline or 'best'}", "p", "agreement", "survives",
                 "rank", "wins", "losses", "signature"]  # fmt: skip
        rows[0] += [f"{own.metric} {name}".rstrip() for name in names]
        for row in rows[1:]:
            system, pair = systems[row[0]], _against(own, row[0])
            row += [number(value, None) for value in (system.score.value, *system.interval)]
            if pair is None:
                row += ["", "", "", ""]
            else:
                row += [*map(_exact, (pair.difference, pair.p_adjusted, pair.agreement)), _SURVIVES[pair.survives]]
            row += [*ranking(own, system)[-3:], own.signature]
    for scores in comparisons[0].scores:
        rows[0].append(scores.name)
        for row in rows[1:]:
            row.append(number(scores.means[row[0]], None))
    return rows


def _exact(value: float | str | None) -> str:
    """A number with all its digits, or a text."""
    return number(value, None) if isinstance(value, float) else value or ""


def _matrix(comparison: Comparison, layout: Layout) -> list[str]:
    """The row's score minus the column's, with a mark where the difference is significant.

    With many systems only which of the two is better, and nothing if it is not significant.
    """
    order = layout.order(comparison)
    many = len(order) > _NUMBERS
    title, places = f"{comparison.metric}: row minus column", range(1, len(order) + 1)
    rows = [[title, *map(str, places)]]
    if many:  # one digit below the other
        rows = [["", *(str(place)[:-1] for place in places)]]
        rows.append([title, *(str(place)[-1] for place in places)])
    for place, name in zip(places, order, strict=True):
        rows.append([f"{place} {name}"])
        for pair in map(comparison.pairs_of(name).get, order):
            shown = "" if pair is None else f"{pair.difference:+.{layout.width}f}{_mark(pair)}"
            if many and pair is not None:
                shown = f"{pair.difference:+f}"[0] if pair.better else "."
            rows[-1].append(shown)
    terminal = layout.terminal
    if many and terminal is not None:  # one space between columns leaves more for the names
        terminal += len(order)
    cells = tables.padded(rows, terminal)
    if layout.color:
        good = "+" if comparison.higher_is_better else "-"
        cells = [[row[0], *(_colored(cell, good) for cell in row[1:])] for row in cells]
    level = f"p <= {comparison.alpha:g}{comparison.corrected}"
    is_lost = any(pair.survives is False for pair in comparison.pairs)
    marks = "* ~ significant, ~ does not survive" if is_lost else "* significant"
    signs = "+ - significantly higher or lower" if many else marks
    return [*((" " if many else "  ").join(row).rstrip() for row in cells), f"{signs}: {level}"]


_SURVIVES = {None: "", True: "yes", False: "no"}

#: Columns of pairs for readers, and what papers call them; TSV has all columns.
_SHOWN = {
    "a": "a", "b": "b", "difference": "b minus a", "low": "low", "high": "high", "p": "p",
    "p_adjusted": "corrected p", "agreement": "people agree", "survives": "survives",
}  # fmt: skip
#: Those in points of the score.
_POINTS = ("difference", "low", "high")


def _pairs(
    comparisons: Sequence[Comparison], layout: Layout, names: Mapping[str, str] | None = None
) -> list[list[str]]:
    """A row for each metric and pair; with `names` only these columns, with rounded numbers."""
    rows = []
    for own in comparisons:
        scores = {system.name: system.score.value for system in own.systems}
        for pair in own.pairs:
            (low, high), (least, most) = pair.interval, pair.agreement_interval or (None, None)
            values: dict[str, Any] = {
                "metric": own.metric, "a": pair.a, "b": pair.b, "score_a": scores[pair.a],
                "score_b": scores[pair.b], "difference": pair.difference, "low": low, "high": high,
                "p": pair.p, "p_adjusted": pair.p_adjusted, "correction": pair.correction,
                "effect": pair.effect, "superiority": pair.superiority,
                "detectable": pair.detectable, "agreement": pair.agreement,
                "agreement_low": least, "agreement_high": most, "better": pair.better,
                "survives": _SURVIVES[pair.survives], "mean_difference": pair.mean_difference,
            }  # fmt: skip
            row = {key: _exact(value) for key, value in values.items()}
            if names is not None:
                row |= {key: number(values[key], layout.width) for key in _POINTS}
                row |= {"p": p_value(pair.p), "p_adjusted": p_value(pair.p_adjusted)}
                row["agreement"] = "" if pair.agreement is None else number(pair.agreement, 3)
                has_metric = {"metric": own.metric} if len(comparisons) > 1 else {}
                row = has_metric | {title: row[key] for key, title in names.items()}
            if layout.detect is not None:
                row[f"{own.unit} for {layout.detect:g}"] = str(pair.units_needed(layout.detect))
            rows.append(row)
    return [list(rows[0]), *(list(row.values()) for row in rows)] if rows else []


def _colored(cell: str, good: str) -> str:
    if not cell.endswith(("*", "~", "+", "-")) or cell.strip("*~ ")[:1] not in ("+", "-"):
        return cell
    return f"{GREEN if good in cell else RED}{cell}{PLAIN}"


def _entry(comparisons: Sequence[Comparison], layout: Layout) -> dict[str, Any]:
    """The JSON of comparisons: systems and pairs of all metrics; other keys are of the first."""
    systems, pairs = [], []
    for own in comparisons:
        parsed = own.to_dict()
        systems += [{"metric": own.metric, **system} for system in parsed["systems"]]
        for row, pair in zip(parsed["pairs"], own.pairs, strict=True):
            pairs.append({"metric": own.metric, **row})
            if (detect := layout.detect) is not None:
                pairs[-1]["units_needed"] = {"difference": detect, "units": pair.units_needed(detect)}
    signatures = {own.metric: own.signature for own in comparisons}
    warnings = list(dict.fromkeys(text for own in comparisons for text in own.warnings))
    return {
        **comparisons[0].to_dict(), "signatures": signatures, "warnings": warnings,
        "systems": systems, "pairs": pairs, "truebleu": __version__,
    }  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""Comparisons as text: one function per format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truebleu.analysis.agreement import people_agreed
from truebleu.analysis.compare.comparison import (
    Comparison,
    Pair,
    System,
    after,
    p_value,
    percent,
    ranking,
)
from truebleu.analysis.compare.power import POWER
from truebleu.errors import quantity
from truebleu.metrics.intervals import Interval
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import BOLD, DIM, GREEN, PLAIN, RED, number
from truebleu.version import __version__

#: The most pairs that are shown as sentences; for more, the matrix is enough.
_SENTENCES = 6

#: The most systems whose matrix has numbers, which fit a terminal of 100 columns.
_NUMBERS = 10


def render_groups(
    name: str, groups: Mapping[str | None, Sequence[Comparison]], title: str, **options: Any
) -> str:
    """Comparisons of each group, whose kind is `title`, in one format; see `render`.

    Without groups, there is one, whose name is None.
    """
    if None in groups:
        return render_all(name, groups[None], **options)
    named = {str(group): comparisons for group, comparisons in groups.items()}
    if name == "json":
        detect = options["detect"]
        return json_text({group: _entry(results, detect) for group, results in named.items()})
    texts = {group: render_all(name, results, **options) for group, results in named.items()}
    return tables.grouped(name, title, texts, color=options["color"])


def render_all(name: str, comparisons: Sequence[Comparison], **options: Any) -> str:
    """Comparisons by several metrics in one format; see `render`."""
    if name == "json":
        return json_text(_entry(comparisons, options["detect"]))
    texts = [render(name, comparison, **options) for comparison in comparisons]
    if len(texts) == 1:
        return texts[0]
    if name != "tsv":
        return "\n\n".join(texts)
    by_metric = {
        comparison.metric: text for comparison, text in zip(comparisons, texts, strict=True)
    }
    return tables.grouped("tsv", "metric", by_metric)


def render(
    name: str,
    comparison: Comparison,
    *,
    width: int = 1,
    detect: float | None = None,
    given_order: bool = False,
    caption: bool = False,
    color: bool = False,
    terminal: int | None = None,
) -> str:
    """The comparison in the format called `name`.

    Args:
        width: decimals of scores and differences; JSON and TSV have all.
        detect: a true difference, to show how many segments detect it.
        given_order: list systems in the order of the arguments instead of the best first.
        caption: for LaTeX: floating tables with captions.
        color: for terminals: better is green, worse is red.
        terminal: columns of the terminal; None for no limit.

    Raises:
        OptionError: `detect` is not above 0.
    """
    if name == "json":
        return json_text(_entry([comparison], detect))
    if name == "tsv":
        pairs = _pairs(comparison, None, detect)
        return "\n".join(tables.tsv(pairs or _systems(comparison, comparison.systems, None)))
    pairs = _pairs(comparison, width, detect)
    lines = notes(comparison, width, detect)
    survival = comparison.survival(width)
    order = list(comparison.systems) if given_order else comparison.ranked()
    if name == "text":
        return _text(comparison, order, width, survival, lines, color, terminal)
    systems = _systems(comparison, order, width)
    if name == "latex":
        titles = _captions(comparison) if caption else ("", "")
        comments = map(tables.latex_comment, [*survival, *lines])
        body = tables.latex(systems, caption=titles[0])
        body += ["", *tables.latex(pairs, caption=titles[1])] if pairs else []
        return "\n".join([*comments, *body])
    body = [*tables.markdown(systems), ""]
    if pairs:
        body += [*tables.markdown(pairs), ""]
    return "\n".join([*body, *(f"- {line}" for line in [*survival, *lines])])


def _captions(comparison: Comparison) -> tuple[str, str]:
    """Of the systems, and of the pairs: what such differences meant to people."""
    interval = f"with {percent(1 - comparison.alpha)} intervals."
    people = people_agreed(pair.agreement for pair in comparison.pairs)
    people = people and f" P{people[1:]} ({comparison.people})."
    names = f"{comparison.metric} of the systems {interval}"
    return names, f"Differences in {comparison.metric}, b minus a, {interval}{people}"


def notes(comparison: Comparison, width: int, detect: float | None = None) -> list[str]:
    """Test, power, warnings and, last, the signature."""
    pairs = len(comparison.pairs)
    ps = "p-value" if pairs == 1 else f"p-values{after(comparison.correction)} for {pairs:,} pairs"
    size = f"{quantity(comparison.resamples, 'resample')} of {comparison.units:,} {comparison.unit}"
    test = f"test: {comparison.test}, {size}, seed {comparison.seed}"
    lines = [f"{test}; {ps}, level {percent(comparison.alpha)}"]
    if not pairs:
        lines = [f"interval: bootstrap, {size}, seed {comparison.seed}"]
    detectable = sorted(pair.detectable for pair in comparison.pairs if pair.detectable > 0)
    if detectable:
        least, most = (f"{end:.{width}f}" for end in (detectable[0], detectable[-1]))
        span = least if least == most else f"{least} to {most}"
        lines.append(
            f"power: one test detects a true difference of {span} {comparison.metric} "
            f"{percent(POWER)} of the time"
        )
    if detect is not None and comparison.pairs:
        needed = max(pair.units_needed(detect) for pair in comparison.pairs)
        lines.append(
            f"power: detecting a true difference of {detect:g} {comparison.metric} as often "
            f"takes {quantity(needed, comparison.unit[:-1])}"
        )
    if comparison.people:
        lines.append(f"agreement with people: {comparison.people}")
    warnings = [f"warning: {text}" for text in comparison.warnings]
    return [*lines, *warnings, f"signature: {comparison.signature}"]


def _systems(comparison: Comparison, order: Sequence[System], width: int | None) -> list[list[str]]:
    interval = f"{percent(1 - comparison.alpha)} interval"
    head = ["System", comparison.metric, interval]
    if not comparison.pairs:
        return [head] + [
            [system.name, number(system.score.value, width), _span(system.interval, width)]
            for system in order
        ]
    if comparison.baseline is None:
        head += ["cluster", "rank", "wins", "losses"]
    else:
        head += [f"minus {comparison.baseline}", interval, "p"]
    rows = [head]
    for system in order:
        rows.append([system.name, f"{system.score.value:.{width}f}", _span(system.interval, width)])
        if comparison.baseline is None:
            rows[-1] += ranking(system)
        elif system.name == comparison.baseline:
            rows[-1] += ["", "", ""]
        else:
            pair = comparison.pair(comparison.baseline, system.name)
            gain = f"{pair.difference:+.{width}f}{_mark(pair)}"
            rows[-1] += [gain, _span(pair.interval, width), p_value(pair.p_adjusted)]
    return rows


def _mark(pair: Pair) -> str:
    return " " if pair.better is None else "~" if pair.survives is False else "*"


def _span(interval: Interval, width: int | None) -> str:
    return " to ".join(number(end, width) for end in interval)


def _matrix(comparison: Comparison, order: Sequence[System], width: int) -> list[list[str]]:
    """The row's score minus the column's, with a mark where the difference is significant.

    With many systems only which of the two is better, and nothing if it is not significant.
    """
    by_names = {frozenset((pair.a, pair.b)): pair for pair in comparison.pairs}
    many = len(order) > _NUMBERS
    numbers = [str(place) for place in range(1, len(order) + 1)]
    rows = [["row minus column", *numbers]]
    if many:  # one digit below the other
        rows = [["", *(number[:-1] for number in numbers)]]
        rows.append(["row minus column", *(number[-1] for number in numbers)])
    for place, system in enumerate(order, start=1):
        cells = [f"{place} {system.name}"]
        for other in order:
            if system is other:
                cells.append("")
                continue
            pair = by_names[frozenset((system.name, other.name))]
            gain = pair.difference if system.name == pair.b else -pair.difference
            if many:
                cells.append(f"{gain:+f}"[0] if pair.better else ".")
            else:
                cells.append(f"{gain:+.{width}f}{_mark(pair)}")
        rows.append(cells)
    return rows


def _pairs(comparison: Comparison, width: int | None, detect: float | None) -> list[list[str]]:
    if not comparison.pairs:
        return []
    three = None if width is None else 3
    head = [
        "a", "b", "difference", "low", "high", "p", "p_adjusted", "correction", "effect",
        "superiority", "detectable", "agreement", "agreement_low", "agreement_high", "better",
        "survives", "mean_difference",
    ]  # fmt: skip
    rows = [head] + [
        [
            pair.a,
            pair.b,
            *(number(value, width) for value in (pair.difference, *pair.interval)),
            *(repr(p) if width is None else p_value(p) for p in (pair.p, pair.p_adjusted)),
            pair.correction or "",
            number(pair.effect, three),
            number(pair.superiority, three),
            number(pair.detectable, width),
            *(
                "" if value is None else number(value, three)
                for value in (pair.agreement, *(pair.agreement_interval or (None, None)))
            ),
            pair.better or "",
            {None: "", True: "yes", False: "no"}[pair.survives],
            "" if pair.mean_difference is None else number(pair.mean_difference, width),
        ]
        for pair in comparison.pairs
    ]
    if detect is not None:
        head.append(f"{comparison.unit} for {detect:g}")
        for row, pair in zip(rows[1:], comparison.pairs, strict=True):
            row.append(str(pair.units_needed(detect)))
    return rows


def _text(
    comparison: Comparison,
    order: Sequence[System],
    width: int,
    survival: list[str],
    lines: list[str],
    color: bool,
    terminal: int | None,
) -> str:
    bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
    good = "+" if comparison.higher_is_better else "-"
    level = f"p <= {comparison.alpha:g}{after(comparison.correction)}"
    head, *rows = tables.padded(_systems(comparison, order, width), terminal)
    for row in rows:
        row[1] = f"{bold}{row[1]}{plain}"
        if color and comparison.baseline is not None:
            row[2:] = [_colored(cell, good) for cell in row[2:]]
    text = [*tables.aligned([head, *rows]), ""]
    is_marked = any(pair.survives is False for pair in comparison.pairs)
    marks = "* ~ significant, ~ does not survive" if is_marked else "* significant"
    if comparison.baseline is not None:
        text.insert(-1, f"{marks}: {level}")
    elif len(order) > 2:
        many = len(order) > _NUMBERS
        if many and terminal is not None:  # one space between columns leaves more for the names
            terminal += len(order)
        rows = tables.padded(_matrix(comparison, order, width), terminal)
        if color:
            rows = [[row[0], *(_colored(cell, good) for cell in row[1:])] for row in rows]
        text += [(" " if many else "  ").join(row).rstrip() for row in rows]
        signs = "+ - significantly higher or lower" if many else marks
        text += [f"{signs}: {level}", ""]
    if comparison.baseline is None and 0 < len(comparison.pairs) <= _SENTENCES:
        text += [*(visible(pair.sentence(width)) for pair in comparison.pairs)]
        text += [""] * (not survival)
    if survival:
        text += [*map(visible, survival), ""]
    return "\n".join(text + [f"{dim}{line}{plain}" for line in lines])


def _colored(cell: str, good: str) -> str:
    if not cell.endswith(("*", "~", "+", "-")):
        return cell
    return f"{GREEN if good in cell else RED}{cell}{PLAIN}"


def _entry(comparisons: Sequence[Comparison], detect: float | None) -> Any:
    """The JSON of one comparison, or a list of several."""
    entries = []
    for comparison in comparisons:
        entry = comparison.to_dict()
        if detect is not None:
            for row, pair in zip(entry["pairs"], comparison.pairs, strict=True):
                row["units_needed"] = {"difference": detect, "units": pair.units_needed(detect)}
        entries.append({**entry, "truebleu": __version__})
    return entries[0] if len(entries) == 1 else entries

# SPDX-License-Identifier: Apache-2.0
"""A campaign, and the test sets that were found, as text: one function per format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from truebleu.analysis.agreement import SOURCE, people_agreed, span
from truebleu.analysis.compare import Comparison, Pair, System
from truebleu.analysis.compare.comparison import causes_of, p_value, percent, ranking
from truebleu.campaigns.layouts import Unused
from truebleu.campaigns.results import Campaign, Matrix, Row, best_of
from truebleu.campaigns.sets import SetFiles, all_systems
from truebleu.dialects.languages import OTHERS, TOKENIZED, target, tokenizer
from truebleu.errors import quantity
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.tables import BOLD, DIM, PLAIN
from truebleu.version import __version__

#: The most files that are listed; the others are counted.
_LISTED = 5

#: In text, marks the best of a set and its equals.
_MARK = "*"

#: Marks systems that are worse than the best by a verdict that does not survive.
_LOST = "~"


def render(
    name: str,
    result: Campaign,
    *,
    width: int | None = None,
    given_order: bool = False,
    caption: bool = False,
    color: bool = False,
    terminal: int | None = None,
) -> str:
    """The campaign in the format called `name`: text, json, tsv, latex or markdown.

    Args:
        width: decimals of scores; JSON and TSV have all.
        given_order: list systems in the given order instead of the best first.
        caption: the captions of LaTeX say how often people agreed with such differences.
        color: for terminals: the best of a row and its equals are bold.
        terminal: columns of the terminal; None for no limit.
    """
    if name == "json":
        return json_text({**result.to_dict(), "truebleu": __version__})
    if name == "tsv":
        table = result.table()
        rows = zip(*table.values(), strict=True)
        return "\n".join(tables.tsv([[*table], *([_plain(cell) for cell in row] for row in rows)]))
    parts = []
    for matrix in result.matrices:
        decimals = matrix.decimals if width is None else width
        best_first = [system.name for system in matrix.averages.ranked()]
        order = list(result.systems) if given_order else best_first
        scores = [_ranked(matrix, pair, order if given_order else None, decimals) for pair in matrix.by_pair]
        averages, pairs = _averages(matrix, order, decimals), _pairs(matrix, decimals)
        shown = [*scores, (averages, set()), *([(pairs, set())] if pairs else [])]
        title, lines = _title(matrix), list(notes(result, matrix))
        blocks: list[list[str]]
        if name == "latex":
            of_scores, *others = _captions(matrix, lines, people=caption)
            captions = [of_scores] * len(scores) + others
            blocks = [
                [tables.latex_comment(line) for line in [title, *lines]],
                *(tables.latex(*table, text) for table, text in zip(shown, captions, strict=False)),
            ]
        elif name == "markdown":
            blocks = [
                [f"## {tables.markdown_code(title)}"],
                *(tables.markdown(*table) for table in shown),
                [f"- {line}" for line in lines],
            ]
        else:
            bold, dim, plain = (BOLD, DIM, PLAIN) if color else ("", "", "")
            verdict = [matrix.averages.verdict(decimals), people_text(matrix)] if pairs else []
            blocks = [
                [f"{bold}{title}{plain}"],
                *(_marked(*table, color, terminal) for table in scores),
                tables.aligned(tables.padded(averages, terminal)),
                *([[visible("; ".join(filter(None, verdict)))]] if verdict else []),
                [f"{dim}{visible(line)}{plain}" for line in lines],
            ]
        parts.append("\n\n".join("\n".join(block) for block in blocks))
    return "\n\n".join(parts)


def _plain(cell: object) -> str:
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def _title(matrix: Matrix) -> str:
    return matrix.metric + ("" if matrix.label is None else f", label: {matrix.label}")


#: A table, and the places of its bold cells: the best of a set and those not significantly worse.
_Table = tuple[list[list[str]], set[tuple[int, int]]]


def _cell(row: Row, name: str, width: int) -> str:
    if name not in row.scores:
        return "-"
    return f"{row.scores[name].value:.{width}f}{_LOST * (name in row.lost)}"


def _ranked(matrix: Matrix, pair: str, given: Sequence[str] | None, width: int) -> _Table:
    """A row for each system of a language pair, the best first."""
    rows, comparison = matrix.rows_of(pair), matrix.by_pair[pair]
    systems = {system.name: system for system in comparison.ranked()}
    names = [name for name in given or systems if name in systems]
    table = [[pair or "System", *(row.name or "score" for row in rows)]]
    table += [[name, *(_cell(row, name, width) for row in rows)] for name in names]
    bests = [row.equals for row in rows]
    if pair in dict(matrix.averaged()):
        bests.append(best_of(comparison))
        table[0] += _averages_head(comparison)[:2]
        for row in table[1:]:
            row.extend(_average(systems[row[0]], width))
    bold = {(1 + names.index(name), place) for place, equals in enumerate(bests, start=1) for name in equals}
    return table, bold


def _marked(rows: list[list[str]], bold: set[tuple[int, int]], color: bool, terminal: int | None) -> list[str]:
    """The matrix as text, with stars and, in color, in bold; if it is too wide, in parts."""
    starred = []
    for i, (head, *cells) in enumerate(rows):
        marks = (_MARK if (i, j) in bold else " " for j in range(1, len(rows[0])))
        marked = zip(cells, marks, strict=True)
        starred.append([head, *(cell if cell.endswith(_LOST) else cell + mark for cell, mark in marked)])
    lines = []
    for block in tables.blocks(starred, terminal):
        for row in block if color else ():
            row[1:] = [f"{BOLD}{cell}{PLAIN}" if cell.endswith(_MARK) else cell for cell in row[1:]]
        lines += ["", *tables.aligned(block)]
    return lines[1:]


def _averages(matrix: Matrix, order: Sequence[str], width: int) -> list[list[str]]:
    rows = [["System", *_averages_head(matrix.averages)]]
    averages = {average.name: average for average in matrix.averages.systems}
    for own in (averages[name] for name in order if name in averages):
        places = [*ranking(matrix.averages, own), *map(str, matrix.set_record(own))]
        rows.append([own.name, *_average(own, width), f"{len(own.strata)} of {len(matrix.rows)}", *places])
    return rows


def _average(system: System, width: int) -> list[str]:
    return [f"{system.score.value:.{width}f}", tables.span(system.interval, width)]


def _averages_head(averages: Comparison) -> list[str]:
    """The head of a table of averages after the name of the system."""
    level = f"{percent(1 - averages.alpha)} interval"
    return [averages.metric, level, "sets", *averages.places, "set wins", "set losses"]


def _pairs(matrix: Matrix, width: int) -> list[list[str]]:
    head = ["a", "b", "b minus a", "low", "high", "p", "p adjusted", "people agree",
            "better", "sets", "won by b", "won by a"]  # fmt: skip
    rows = [
        [
            pair.a, pair.b, f"{pair.difference:+.{width}f}",
            *(f"{end:+.{width}f}" for end in pair.interval), p_value(pair.p),
            p_value(pair.p_adjusted), _people(matrix, pair), pair.better or "",
            str(len(pair.strata)), *map(str, matrix.pair_record(pair)),
        ]
        for pair in matrix.averages.pairs
    ]  # fmt: skip
    return [head, *rows] if rows else []


def people_text(matrix: Matrix) -> str:
    """How often people agreed that the best is better than others, by their differences on sets."""
    best = matrix.averages.ranked()[0].name
    return _agreed(matrix, matrix.averages.pairs_of(best).values())


def _agreed(matrix: Matrix, pairs: Iterable[Pair]) -> str:
    """How often people agreed with the differences of these pairs on sets."""
    shares = (share for pair in pairs for share in matrix.pair_agreement(pair))
    return people_agreed(shares, "those on single sets")


def _people(matrix: Matrix, pair: Pair) -> str:
    """How often people agreed with differences like those on the sets of a pair."""
    shares = matrix.pair_agreement(pair)
    return span((min(shares), max(shares))) if shares else "unknown"


def _captions(matrix: Matrix, lines: Sequence[str], *, people: bool) -> list[str]:
    """Of the scores, the averages, and the pairs; on request what differences meant to people."""
    shown = (_MARK, _LOST, "test", "signature")
    details = "".join(f" {line[0].upper()}{line[1:]}." for line in lines if line.startswith(shown))
    agreed = _agreed(matrix, matrix.averages.pairs) if people else ""
    said = agreed and f" P{agreed[1:]} ({SOURCE})."
    title = _title(matrix)
    return [
        f"{title} of each system.{details}",
        f"{title}: averages.{details}",
        f"{title}: differences of averages, b minus a.{details}{said}",
    ]


def notes(result: Campaign, matrix: Matrix) -> Iterator[str]:
    """What the marks mean, how averages were tested, and the signatures of the cells."""
    averages = matrix.averages
    corrected = " corrected for its pairs" if averages.correction else ""
    level = f"p <= {result.alpha:g}{corrected}"
    yield f"{_MARK} the best of its set, or not significantly worse: {level}"
    lost = [pair for row in matrix.rows for pair in row.lost.values()]
    if lost:
        yield f"{_LOST} worse than the best of its set, which does not survive: {causes_of(lost)}"
    yield from fit_text(matrix)
    ps = quantity(len(averages.pairs), "pair")
    yield (
        f"test of averages: {result.test}, {quantity(averages.resamples, 'resample')} within each "
        f"of {quantity(len(matrix.rows), 'set')}, {averages.units:,} {result.unit}, seed "
        f"{result.seed}; {ps}, level {percent(result.alpha)}"
    )
    reasons = dict.fromkeys(row.comparison.people for row in matrix.rows if row.comparison)
    yield from (f"agreement with people: {text}" for text in reasons)
    yield from (f"warning: {text}" for text in averages.warnings)
    if result.tokenizers and matrix.metric.lower().startswith(TOKENIZED):
        yield tokenizers_text(result.tokenizers)
    yield from (f"signature: {line}" for line in matrix.signatures())


def fit_text(matrix: Matrix) -> Iterator[str]:
    """How systems that lack a set are ranked, if there are some."""
    averages = matrix.averages
    lacking = [own for own in averages.systems if len(own.strata) < len(matrix.rows)]
    if lacking and lacking[0].cluster is None:
        yield "systems that lack a set are not ranked: common sets do not connect all systems"
    elif lacking:
        misfit = "no score is left to check it"
        if averages.misfit:
            misfit = f"off by {averages.misfit:.{matrix.decimals}f}, the standard deviation"
        yield (
            "the average of a system that lacks a set is that of a fit, score = set + system, by "
            f"least squares ({misfit}); pairs are compared over the sets that both have"
        )


def tokenizers_text(pairs: Iterable[str]) -> str:
    """The tokenizers of BLEU that follow the target languages of these pairs.

    Example:
        >>> tokenizers_text(["en-de", "en-zh", "ja-zh"])
        'tokenizer by target language: zh for zh, 13a for all others'
    """
    by_language = {target(pair): tokenizer(pair) for pair in pairs}
    named = [f"{name} for {language}" for language, name in by_language.items() if name != OTHERS]
    others = f"{OTHERS} for all{' others' if named else ''}"
    return f"tokenizer by target language: {', '.join([*named, others])}"


def found_text(
    sets: Sequence[SetFiles], unused: Unused, terminal: int | None = None, *, follows: bool = True
) -> list[str]:
    """The sets and systems that were found, what is missing, and what was not used.

    `follows` says whether to show the tokenizers that follow the target language.
    """
    systems = all_systems(sets)
    head = ["Set", "references", "source", "documents", "labels", "systems"]
    rows = [head + ["tokenizer"] * follows]
    for own in sets:
        others = ["yes" if path else "-" for path in (own.source, own.documents, own.labels)]
        count = f"{len(own.systems)} of {len(systems)}"
        names = [tokenizer(own.pair)] * follows
        rows.append([own.title, str(len(own.references)), *others, count, *names])
    pairs = {test_set.pair for test_set in sets}
    sizes = {"set": sets, "language pair": pairs, "system": systems}
    size = ", ".join(quantity(len(items), name) for name, items in sizes.items())
    lines = [f"{size}: {', '.join(systems)}", ""]
    lines += [*tables.aligned(tables.padded(rows, terminal)), ""]
    missing = [f"{name} on {test_set.title}" for test_set in sets for name in systems if name not in test_set.systems]
    if missing:
        lines.append(_some("missing output", missing))
    if unused:
        lines.append(_some("unused file", [f"{path} ({why})" for path, why in unused]))
    if follows:
        lines.append(tokenizers_text(test_set.pair for test_set in sets))
    return [visible(line) for line in lines]


def _some(what: str, texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _LISTED:,} more" if len(texts) > _LISTED else ""
    return f"{quantity(len(texts), what)}: {', '.join(texts[:_LISTED])}{more}"

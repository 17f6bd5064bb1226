# SPDX-License-Identifier: Apache-2.0
"""Trials: the differences of a comparison with other texts and settings that anyone could choose.

Each trial scores all systems again and tests the pairs with the resamples of the comparison. Only
the lines that a trial changes are counted again. docs/survive.md says which trials lose a verdict.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import ALL_TYPOGRAPHY, Comparison, Pair, Trial
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.inputs.corpus import as_python, reference_columns
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.nist import NIST
from truebleu.metrics.recounting import arguments, recounted
from truebleu.metrics.resampling import Resampling
from truebleu.metrics.runs import Run
from truebleu.metrics.stats import Rows
from truebleu.metrics.ter import TER
from truebleu.text.normalization import Fix, substitution
from truebleu.text.normalizations import TYPOGRAPHY
from truebleu.text.signs import alphabet, flags, main_script

#: A trial in which p is this or more loses a verdict, whatever the level of the comparison. With
#: 0.05, one verdict in five would fail by chance alone: those whose p is near the level.
LOST = 0.10

#: Trials run by default for at most this many segments of all systems together: in 3 seconds.
MOST_SEGMENTS = 50_000

#: Rows that a trial adds up in a twentieth of a second, rows that take as long as the score of a
#: difference, and the fewest resamples: with them, the error of p is 0.01 where p is 0.10.
_ADDED, _SCORED, _LEAST = 1 << 29, 2_000, 1_000

#: Scripts without blanks between words, if most letters are of them: Burmese is Myanmar's.
_UNSPACED = ("Thai", "Lao", "Myanmar", "Khmer", "Kana", "Japanese", "Han")

#: The lines of each system, or of each reference.
Columns = Sequence[Sequence[str | None]]

#: Lines that a trial changes, by their places.
Changes = dict[int, str]


def typography(lines: Sequence[str]) -> Iterator[tuple[str, Changes]]:
    """What each row of typography changes, and then all of them in turn."""
    patterns = [row.pattern for row in TYPOGRAPHY]
    marks = flags(lines, patterns)
    together: Changes = {}
    left = marks.copy()  # what the changed lines still have
    for bit, row in enumerate(TYPOGRAPHY):
        alone = _changed(lines, row.fix, np.flatnonzero(marks >> bit & 1).tolist())
        yield row.name, alone
        changed = {
            i: row.fix(together[i]) if i in together else alone.get(i, lines[i])
            for i in np.flatnonzero(left >> bit & 1).tolist()
        }
        left[[*changed]] = flags([*changed.values()], patterns)
        together |= changed
    yield ALL_TYPOGRAPHY, {i: text for i, text in together.items() if text != lines[i]}


def no_punctuation(lines: Sequence[str]) -> Changes:
    """The lines without any character but letters, digits, their marks and white space."""
    signs = re.escape("".join(filter(_is_punctuation, alphabet(lines))))
    return _changed(lines, substitution(f"[{signs}]"), range(len(lines))) if signs else {}


def _is_punctuation(sign: str) -> bool:
    return not (sign == "_" or sign.isalnum() or sign.isspace()) and unicodedata.category(sign)[0] not in "MC"


def _changed(lines: Sequence[str], fix: Fix, places: Iterable[int]) -> Changes:
    return {i: new for i in places if (new := fix(lines[i])) != lines[i]}


#: A trial of all systems: its name, its family, and the metric that scores these statistics.
Scored = tuple[str, str, Any, Sequence[Rows]]


def _trials(
    metric: Any, systems: Columns, refs: Columns, stats: Sequence[Rows], *, is_decided: bool
) -> Iterator[Scored]:
    """The trials of systems: typography, and if a verdict is at stake, other settings and metrics.

    Args:
        metric: of the comparison.
        systems: the lines of each.
        refs: the first references of all segments, the second ones, and so on; None if absent.
        stats: of each system; those of a trial that leaves a system as it is are the same object.
        is_decided: whether there is a verdict.
    """
    columns = [[line or "" for line in column] for column in (*refs, *systems)]

    def changed(changes: Sequence[Changes]) -> list[Rows]:
        """The statistics of all systems with these changes of each reference and system."""
        of_refs, of_systems = changes[: len(refs)], changes[len(refs) :]
        return [
            recounted(metric, rows, (lines, *refs), (own, *of_refs))
            for rows, lines, own in zip(stats, systems, of_systems, strict=True)
        ]

    def counted(metric: Any, refs: Columns) -> list[Rows]:
        """The statistics of all systems by another metric, or with other references."""
        return [metric.stats(*arguments((lines, *refs))) for lines in systems]

    for named in zip(*map(typography, columns), strict=True):
        changes = [own for _, own in named]
        if any(changes):
            yield named[0][0], "typography", metric, changed(changes)
    if not is_decided:
        return
    yield "no punctuation", "no punctuation", metric, changed([no_punctuation(column) for column in columns])
    lower = changed([_changed(column, str.lower, range(len(columns[0]))) for column in columns])
    yield "lower case", "lower case", metric, lower
    is_spaced = main_script(alphabet(columns[0])) not in _UNSPACED
    for name, kind, other in _others(metric, is_spaced):
        yield name, kind, other, counted(other, refs)
    for place, own in enumerate(refs, 1):
        if len(refs) > 1 and None not in own:
            yield f"reference {place}", "reference", metric, counted(metric, [own])


def _others(metric: Any, is_spaced: bool) -> Iterator[tuple[str, str, Any]]:
    """Name, family and metric of the trials by another tokenizer or metric.

    chrF and TER have no tokenizer to change: BLEU and BLEU of characters try them instead.
    """
    threads, reader = metric.threads, metric.reader
    name = "intl"
    if reader is None or reader.dialect.tokenize.tokenize == "intl":
        name = "BLEU" if reader is None else "13a"
    for own in [name] * is_spaced + ["characters"]:
        tokenize = {"BLEU": "13a", "characters": "char"}.get(own, own)
        if isinstance(metric, BLEU) or reader is None:
            yield own, own, BLEU(getattr(metric, "dialect", "sacrebleu"), threads=threads, tokenize=tokenize)
        else:
            yield own, own, type(metric)(threads=threads, **{**metric.settings, "tokenize": tokenize})
    for other in (CHRF(threads=threads), CHRF(threads=threads, word_order=2)):
        if other.signature != metric.signature:
            yield other.name, "chrF", other


def _texts(metric: Any, *columns: Any) -> list[Any]:
    """Columns as Python strings; none if there is nothing to try: no text, or a metric of code."""
    is_text = not any(isinstance(column, (Ids, Rows, Run)) for column in columns)
    if type(metric) not in (BLEU, CHRF, TER, GLEU, NIST) or not is_text:
        return [None]
    refs, *systems = (as_python("a column", column) for column in columns)
    return [refs, *systems] if all(isinstance(lines[0], str) for lines in systems) else [None]


def is_tried(stats: Sequence[Rows]) -> bool:
    """Whether systems with these statistics are tried by default."""
    return len(stats) * len(stats[0]) <= MOST_SEGMENTS


def with_trials(
    comparison: Comparison,
    metric: Any,
    systems: Mapping[str, Any],
    refs: Any,
    stats: Sequence[Rows],
    united: Callable[[Sequence[Rows]], Sequence[Rows]] = lambda stats: stats,
    progress: Callable[[float], None] = lambda _: None,
    *,
    only: str | None = None,
) -> Comparison:
    """The comparison with trials: all of a pair with a significant verdict, else all typography.

    Args:
        comparison: of one test set.
        metric, systems, refs: what was compared.
        stats: of the systems, with a row for each segment.
        united: from rows for segments to rows for the units that resamples draw.
        only: try only the pairs of this system.
        progress: called with the share of the work that is done.
    """
    rows, *texts = _texts(metric, refs, *systems.values())
    if not texts:
        return comparison
    names = [system.name for system in comparison.systems]
    pairs = [pair for pair in comparison.pairs if only is None or only in (pair.a, pair.b)]
    test = TESTS[comparison.test]
    most = max(_LEAST, _ADDED // (len(names) * len(rows) + _SCORED * len(pairs)))
    resamples = min(comparison.resamples, test.resamples, most)
    results: dict[Pair, list[Trial]] = {pair: [] for pair in pairs}
    trials = _trials(metric, texts, reference_columns(rows), stats, is_decided=any(pair.better for pair in pairs))
    for done, (name, kind, scorer, rows_of) in enumerate(trials, start=1):
        changed = {system for system, own, before in zip(names, rows_of, stats, strict=True) if own is not before}
        values = [scorer.score(own).value for own in rows_of]
        is_whole = name == ALL_TYPOGRAPHY
        places = {pair: (names.index(pair.a), names.index(pair.b)) for pair in pairs if is_whole or pair.better}
        difference_of = {pair: values[b] - values[a] for pair, (a, b) in places.items()}
        finite = [pair for pair, difference in difference_of.items() if isfinite(difference)]
        new = [pair for pair in finite if not changed.isdisjoint((pair.a, pair.b))]
        ps: dict[Pair, float] = {}
        if new:
            resampling = Resampling(scorer, united(rows_of))
            resampling.pairs = [places[pair] for pair in new]
            ps = dict(zip(new, test.p_values(resampling, values, resamples, comparison.seed), strict=True))
        for pair in new if kind == "typography" else finite:
            p, difference = ps.get(pair, pair.p), difference_of[pair]
            gain = difference if scorer.higher_is_better else -difference
            ahead = pair.b if gain > 0 else pair.a
            changes = pair in ps and (p >= LOST or ahead != pair.better)
            if not pair.better:  # after Bonferroni's correction
                changes = p * len(comparison.pairs) <= comparison.alpha
            results[pair].append(Trial(name, kind, difference, p, changes))
        progress(min(1.0, done / (len(TYPOGRAPHY) + 8)))
    progress(1.0)
    tried = (replace(pair, trials=tuple(results.get(pair, ()))) for pair in comparison.pairs)
    return replace(comparison, pairs=tuple(tried))

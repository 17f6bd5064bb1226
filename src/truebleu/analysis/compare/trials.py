# SPDX-License-Identifier: Apache-2.0
"""Trials: the differences of a comparison with other texts and settings that anyone could choose.

Each trial scores all systems again and tests the pairs with the resamples of the comparison. Only
the lines that a trial changes are counted again. docs/survive.md says which trials lose a verdict.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite
from re import compile as compiled
from typing import Any

import numpy as np

from truebleu.analysis.compare.comparison import ALL_TYPOGRAPHY, Comparison, Pair, Trial
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.inputs.corpus import as_python, reference_columns
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.nist import NIST
from truebleu.metrics.resampling import Resampling
from truebleu.metrics.runs import Run
from truebleu.metrics.stats import Rows
from truebleu.metrics.ter import TER
from truebleu.text.normalizations import TYPOGRAPHY
from truebleu.text.signs import flags

#: A trial in which p is this or more loses a verdict, whatever the level of the comparison. With
#: 0.05, one verdict in five would fail by chance alone: those whose p is near the level.
LOST = 0.10

#: Trials run by default for at most this many segments of all systems together: in 3 seconds.
MOST_SEGMENTS = 50_000

#: Integers of all systems of the trials that are resampled together: 64 MB.
_TOGETHER = 1 << 23

#: Differences that a trial draws, a tenth of a second, if this leaves a pair the least number of
#: resamples; with 1,000, the error of p is 0.01 where p is 0.10.
_DIFFERENCES, _LEAST = 500_000, 1_000

#: Letters of scripts without blanks between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
_UNSPACED = compiled(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)

#: Whether a text has what a row of typography changes, for each row.
_SEARCHES = tuple(compiled(row.pattern).search for row in TYPOGRAPHY)

#: Lines that a trial changes, by their places.
Changes = dict[int, str]


class _Column:
    """Lines as code points, in which all lines are searched at once."""

    def __init__(self, lines: Sequence[str | None]) -> None:
        self.lines = [line or "" for line in lines]
        text = "".join(f"{line}\n" for line in self.lines)
        self.codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        lengths = np.fromiter(map(len, self.lines), np.intp, len(lines)) + 1
        self._starts = np.cumsum(lengths) - lengths
        self.distinct = np.flatnonzero(np.bincount(self.codes))

    def typography(self) -> Iterator[tuple[str, Changes]]:
        """What each row of typography changes, and then all of them in turn."""
        marks = flags(self.lines, [row.pattern for row in TYPOGRAPHY])
        started: dict[int, tuple[int, str]] = {}
        for bit, row in enumerate(TYPOGRAPHY):
            changes = self._changed(row, np.flatnonzero(marks >> bit & 1).tolist())
            yield row.name, changes
            started = {**{place: (bit + 1, text) for place, text in changes.items()}, **started}
        yield ALL_TYPOGRAPHY, {
            place: new for place in sorted(started)
            if (new := _in_turn(*started[place])) != self.lines[place]
        }  # fmt: skip

    def no_punctuation(self) -> Changes:
        """The lines without any character but letters, digits, their marks and white space."""
        is_text = np.zeros(int(self.distinct[-1]) + 1, dtype=bool)
        is_text[self.distinct] = [
            sign == "_" or sign.isalnum() or sign.isspace() or unicodedata.category(sign)[0] in "MC"
            for sign in map(chr, self.distinct.tolist())
        ]
        mask = is_text[self.codes]
        text = self.codes[mask].tobytes().decode("utf-32-le", "surrogatepass")
        lengths = np.add.reduceat(mask, self._starts, dtype=np.intp)
        ends = np.cumsum(lengths)
        new = [text[end - length : end - 1] for end, length in zip(ends, lengths, strict=True)]
        return {i: line for i, line in enumerate(new) if line != self.lines[i]}

    def lower_case(self) -> Changes:
        """The lines in lower case."""
        return self._changed(str.lower, range(len(self.lines)))

    def _changed(self, fix: Callable[[str], str], places: Any) -> Changes:
        lines = self.lines
        return {i: new for i in places if (new := fix(lines[i])) != lines[i]}


@dataclass(frozen=True, slots=True)
class _Scored:
    """A trial of all systems: the metric that scores their statistics, and those."""

    name: str
    kind: str
    metric: Any
    stats: Sequence[Rows]


class _Trials:
    """The trials of a comparison by `metric`.

    Args:
        systems: the lines of each.
        refs: the first references of all segments, the second ones, and so on; None if absent.
        stats: of each system.
    """

    def __init__(
        self,
        metric: Any,
        systems: Sequence[Sequence[str]],
        refs: Sequence[Sequence[str | None]],
        stats: Sequence[Rows],
    ) -> None:
        self._metric = metric
        self._systems = systems
        self._refs = refs
        self._rows = list(zip(*refs, strict=True))
        self._stats = stats
        self._columns = tuple(map(_Column, (*refs, *systems)))

    def typography(self) -> Iterator[_Scored]:
        """Each row that changes something, and all rows together."""
        for named in zip(*(column.typography() for column in self._columns), strict=True):
            changes = [own for _, own in named]
            if any(changes):
                yield _Scored(named[0][0], "typography", self._metric, self._recounted(changes))

    def families(self) -> Iterator[_Scored]:
        """Other settings and metrics, family by family, and each reference alone."""
        metric, systems, columns = self._metric, self._systems, self._columns
        bare = self._recounted([column.no_punctuation() for column in columns])
        yield _Scored("no punctuation", "no punctuation", metric, bare)
        lower = self._recounted([column.lower_case() for column in columns])
        yield _Scored("lower case", "lower case", metric, lower)
        for name, kind, other in _others(metric, self._is_spaced()):
            yield _Scored(name, kind, other, [other.stats(own, self._rows) for own in systems])
        for place, refs in enumerate(self._refs, 1):
            if len(self._refs) > 1 and None not in refs:
                stats = [metric.stats(own, refs) for own in systems]
                yield _Scored(f"reference {place}", "reference", metric, stats)

    def _is_spaced(self) -> bool:
        """Whether most characters of the references are of scripts with blanks between words."""
        text = "".join("".join(self._columns[0].lines).split())
        return 2 * len(_UNSPACED.findall(text)) < len(text)

    def _recounted(self, changes: Sequence[Changes]) -> list[Rows]:
        """The statistics of all systems with these changes of each reference and system.

        Those of a system without a change are the same object.
        """
        count = len(self._refs)
        refs: dict[int, list[str | None]] = {}
        for k, own in enumerate(changes[:count]):
            for place, text in own.items():
                refs.setdefault(place, list(self._rows[place]))[k] = text
        # NIST weighs n-grams by all references.
        is_whole = type(self._metric)._ready is not Metric._ready
        results = list(self._stats)
        for i, (lines, own) in enumerate(zip(self._systems, changes[count:], strict=True)):
            if places := sorted(refs.keys() | own.keys()):
                places = list(range(len(lines))) if is_whole else places
                table = np.array(self._stats[i])
                table[places] = self._metric.stats(
                    [own.get(place, lines[place]) for place in places],
                    [refs.get(place, self._rows[place]) for place in places],
                )
                results[i] = self._stats[i].like(table)
        return results


def _in_turn(first: int, text: str) -> str:
    """The text after all rows of typography from this one on."""
    for row, search in zip(TYPOGRAPHY[first:], _SEARCHES[first:], strict=True):
        if search(text):
            text = row(text)
    return text


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
            yield own, own, BLEU(getattr(metric, "dialect", "sacrebleu"), threads=threads,
                                 tokenize=tokenize)  # fmt: skip
        else:
            settings = {**metric.settings, "tokenize": tokenize}
            yield own, own, type(metric)(threads=threads, **settings)
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
    *,
    only: str | None = None,
    progress: Callable[[float], None] = lambda _: None,
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
    resamples = min(comparison.resamples, test.resamples, max(_LEAST, _DIFFERENCES // len(pairs)))
    results: dict[Pair, list[Trial]] = {pair: [] for pair in pairs}

    def is_shared(trial: _Scored) -> bool:
        """Whether a sum has the same score as by the metric of the comparison."""
        return trial.metric is metric or type(trial.metric) is type(metric) is not CHRF

    def run(batch: Sequence[_Scored]) -> None:
        """Test trials whose sums have the same score by one metric."""
        units: list[Rows] = []
        values: list[float] = []
        tested: list[tuple[_Scored, Pair, tuple[int, int], bool]] = []
        for trial in batch:
            start = len(units)
            units += united(trial.stats)
            values += [trial.metric.score(own).value for own in trial.stats]
            is_changed = [own is not before for own, before in zip(trial.stats, stats, strict=True)]
            for pair in pairs:
                a, b = names.index(pair.a), names.index(pair.b)
                is_new = is_changed[a] or is_changed[b]
                is_tried = is_new if trial.kind == "typography" else True
                is_tried &= trial.name == ALL_TYPOGRAPHY or pair.better is not None
                if is_tried and isfinite(values[start + b] - values[start + a]):
                    tested.append((trial, pair, (start + a, start + b), is_new))
        resampling = Resampling(batch[0].metric, units)
        resampling.pairs = [columns for *_, columns, is_new in tested if is_new]
        ps: Iterator[float] = iter(())
        if resampling.pairs:
            ps = iter(test.p_values(resampling, values, resamples, comparison.seed))
        for trial, pair, (a, b), is_new in tested:
            difference, p = values[b] - values[a], next(ps) if is_new else pair.p
            sign = 1 if trial.metric.higher_is_better else -1
            ahead = pair.b if sign * difference > 0 else pair.a
            changes = is_new and (p >= LOST or ahead != pair.better)
            if not pair.better:  # after Bonferroni's correction
                changes = p * len(comparison.pairs) <= comparison.alpha
            results[pair].append(Trial(trial.name, trial.kind, difference, p, changes))

    trials = _Trials(metric, texts, reference_columns(rows), stats)
    families = trials.families() if any(pair.better for pair in pairs) else ()
    most = max(1, _TOGETHER // (len(names) * len(rows) * metric.zero_stats().width))
    batch: list[_Scored] = []
    for done, trial in enumerate(chain(trials.typography(), families), 1):
        if batch and (len(batch) == most or not is_shared(trial) or not is_shared(batch[0])):
            run(batch)
            batch = []
        batch.append(trial)
        progress(min(1.0, done / (len(TYPOGRAPHY) + 8)))
    if batch:
        run(batch)
    progress(1.0)
    tried = (
        replace(pair, trials=tuple(results[pair])) if pair in results else pair
        for pair in comparison.pairs
    )
    return replace(comparison, pairs=tuple(tried))

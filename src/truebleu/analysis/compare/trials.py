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
from numpy.typing import NDArray

from truebleu.analysis.compare.comparison import ALL_TYPOGRAPHY, Comparison, Pair, Trial
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.resampling import Resampling
from truebleu.inputs.corpus import as_python, reference_columns
from truebleu.inputs.ids import Ids
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.nist import NIST
from truebleu.metrics.runs import Run
from truebleu.metrics.stats import Rows
from truebleu.metrics.ter import TER
from truebleu.text.normalizations import TYPOGRAPHY

#: A trial in which p is this or more loses a verdict, whatever the level of the comparison. With
#: 0.05, one verdict in five would fail by chance alone: those whose p is near the level.
LOST = 0.10

#: Trials run by default for at most this many segments of all systems together: in 3 seconds.
MOST_SEGMENTS = 50_000

#: Integers of all systems of the trials that are resampled together: 64 MB.
_TOGETHER = 1 << 23

#: Scripts without blanks between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip

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
        flags = self._flags()
        for bit, row in enumerate(TYPOGRAPHY):
            yield row.name, self._changed(row, np.flatnonzero(flags >> bit & 1))
        bits = flags.tolist()

        def in_turn(place: int) -> str:
            line = text = self.lines[place]
            for bit, (row, search) in enumerate(zip(TYPOGRAPHY, _SEARCHES, strict=True)):
                if bits[place] >> bit & 1 if text is line else search(text):
                    text = row(text)
            return text

        places = np.flatnonzero(flags).tolist()
        yield ALL_TYPOGRAPHY, {i: new for i in places if (new := in_turn(i)) != self.lines[i]}

    def _flags(self) -> NDArray[np.uint32]:
        """For each line, a bit for each row of typography that may change it.

        A pattern matches characters, or runs of a character.
        """
        alone, repeated = np.zeros((2, int(self.distinct[-1]) + 1), dtype=np.uint32)
        for bit, search in enumerate(_SEARCHES):
            for code in self.distinct.tolist():
                if search(chr(code)):
                    alone[code] |= 1 << bit
                elif search(4 * chr(code)):
                    repeated[code] |= 1 << bit
        marks = alone[self.codes]
        marks[1:] |= np.where(self.codes[1:] == self.codes[:-1], repeated[self.codes[1:]], 0)
        result: NDArray[np.uint32] = np.bitwise_or.reduceat(marks, self._starts)
        return result

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
        return {int(i): new for i in places if (new := fix(lines[i])) != lines[i]}


@dataclass(frozen=True, slots=True)
class _Texts:
    """Systems and references as Python strings.

    Attributes:
        systems: the lines of each.
        refs: the first references of all segments, the second ones, and so on; None if absent.
    """

    systems: tuple[Sequence[str], ...]
    refs: tuple[Sequence[str | None], ...]

    def rows(self) -> list[tuple[str | None, ...]]:
        """The references of each segment."""
        return list(zip(*self.refs, strict=True))


def _texts(metric: Any, systems: Mapping[str, Any], refs: Any) -> _Texts | None:
    """What trials read; None if they have nothing to try: no text, or a metric of code."""
    if type(metric) not in (BLEU, CHRF, TER, GLEU, NIST) or not systems:
        return None
    if any(isinstance(column, (Ids, Rows, Run)) for column in (refs, *systems.values())):
        return None
    columns = tuple(as_python(f"system {name!r}", hyps) for name, hyps in systems.items())
    rows = as_python("refs", refs)
    if not rows or not all(isinstance(lines[0], str) for lines in columns):
        return None
    return _Texts(columns, reference_columns(rows))


@dataclass(frozen=True, slots=True)
class _Scored:
    """A trial of all systems: the metric that scores their statistics, and those."""

    name: str
    kind: str
    metric: Any
    stats: Sequence[Rows]
    #: Whether a sum has the same score as by the metric of the comparison.
    same: bool = True


class _Trials:
    """The trials of a comparison."""

    def __init__(self, metric: Any, texts: _Texts, stats: Sequence[Rows]) -> None:
        self._metric = metric
        self._texts = texts
        self._stats = stats
        self._columns = tuple(map(_Column, (*texts.refs, *texts.systems)))

    def typography(self) -> Iterator[_Scored]:
        """Each row that changes something, and all rows together."""
        for named in zip(*(column.typography() for column in self._columns), strict=True):
            changes = [own for _, own in named]
            if any(changes):
                yield _Scored(named[0][0], "typography", self._metric, self._recounted(changes))

    def families(self) -> Iterator[_Scored]:
        """Other settings and metrics, family by family, and each reference alone."""
        metric, texts = self._metric, self._texts
        for name, column_changes in (
            ("no punctuation", _Column.no_punctuation),
            ("lower case", _Column.lower_case),
        ):
            yield _Scored(
                name, name, metric, self._recounted([*map(column_changes, self._columns)])
            )
        rows = texts.rows()
        for name, kind, other in _others(metric, self._is_spaced()):
            stats = [other.stats(lines, rows) for lines in texts.systems]
            yield _Scored(name, kind, other, stats, same=type(other) is type(metric) is not CHRF)
        for place, refs in enumerate(texts.refs, 1):
            if len(texts.refs) > 1 and None not in refs:
                stats = [metric.stats(lines, refs) for lines in texts.systems]
                yield _Scored(f"reference {place}", "reference", metric, stats)

    def _is_spaced(self) -> bool:
        """Whether most characters of the references are of scripts with blanks between words."""
        codes = np.concatenate([column.codes for column in self._columns[: len(self._texts.refs)]])
        unspaced = sum(
            np.count_nonzero((codes >= first) & (codes <= last)) for first, last in _UNSPACED
        )
        return bool(2 * unspaced < np.count_nonzero(codes > ord(" ")))

    def _recounted(self, changes: Sequence[Changes]) -> list[Rows]:
        """The statistics of all systems with these changes of each reference and system."""
        count = len(self._texts.refs)
        refs, systems = self._texts.rows(), self._texts.systems
        by_place: dict[int, list[str | None]] = {}
        for k, own in enumerate(changes[:count]):
            for place, text in own.items():
                by_place.setdefault(place, list(refs[place]))[k] = text
        # NIST weighs n-grams by all references.
        is_whole = type(self._metric)._ready is not Metric._ready
        results = []
        for rows, lines, own in zip(self._stats, systems, changes[count:], strict=True):
            places = range(len(lines)) if is_whole else sorted(by_place.keys() | own.keys())
            table = np.array(rows)
            if places:
                table[places] = self._metric.stats(
                    [own.get(place, lines[place]) for place in places],
                    [by_place.get(place, refs[place]) for place in places],
                )
            results.append(rows.like(table))
        return results


def _others(metric: Any, is_spaced: bool) -> Iterator[tuple[str, str, Any]]:
    """Name, family and metric of the trials by another tokenizer or metric.

    chrF and TER have no tokenizer to change: BLEU and BLEU of characters try them instead.
    """
    threads = metric.threads
    reader = metric.reader
    if reader is None:
        tokenizers = [("BLEU", "13a")]
    else:
        is_intl = reader.dialect.tokenize.tokenize == "intl"
        tokenizers = [("13a", "13a") if is_intl else ("intl", "intl")]
    for name, tokenize in [*tokenizers * is_spaced, ("characters", "char")]:
        if isinstance(metric, BLEU):
            yield name, name, BLEU(metric.dialect, threads=threads, tokenize=tokenize)
        elif reader is not None:
            settings = {**metric.settings, "tokenize": tokenize}
            yield name, name, type(metric)(threads=threads, **settings)
        else:
            yield name, name, BLEU(threads=threads, tokenize=tokenize)
    for other in (CHRF(threads=threads), CHRF(threads=threads, word_order=2)):
        if other.signature != metric.signature:
            yield other.name, "chrF", other


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
    texts = _texts(metric, systems, refs)
    if texts is None:
        return comparison
    names = [system.name for system in comparison.systems]
    pairs = [pair for pair in comparison.pairs if only is None or only in (pair.a, pair.b)]
    places = [(names.index(pair.a), names.index(pair.b)) for pair in pairs]
    test = TESTS[comparison.test]
    resamples = min(comparison.resamples, test.resamples)
    results: dict[Pair, list[Trial]] = {pair: [] for pair in pairs}

    def run(batch: Sequence[_Scored]) -> None:
        """Test trials whose sums have the same score by one metric."""
        rows: list[Rows] = []
        observed: list[float] = []
        columns: list[tuple[int, int]] = []
        tested: list[tuple[_Scored, Pair]] = []
        for trial in batch:
            for (a, b), pair in zip(places, pairs, strict=True):
                if pair.better or trial.name == ALL_TYPOGRAPHY:
                    tested.append((trial, pair))
                    columns.append((len(rows) + a, len(rows) + b))
            observed += [trial.metric.score(own).value for own in trial.stats]
            rows += united(trial.stats)
        if not tested:
            return
        resampling = Resampling(batch[0].metric, rows)
        resampling.pairs = columns
        ps = test.p_values(resampling, observed, resamples, comparison.seed)
        for (trial, pair), (a, b), p in zip(tested, columns, ps, strict=True):
            difference = observed[b] - observed[a]
            if isfinite(difference):
                sign = 1 if trial.metric.higher_is_better else -1
                ahead = pair.b if sign * difference > 0 else pair.a
                changes = p >= LOST or ahead != pair.better
                if not pair.better:  # after Bonferroni's correction
                    changes = p * len(comparison.pairs) <= comparison.alpha
                results[pair].append(Trial(trial.name, trial.kind, difference, p, changes))

    trials = _Trials(metric, texts, stats)
    families = trials.families() if any(pair.better for pair in pairs) else ()
    most = max(1, _TOGETHER // (len(names) * len(texts.systems[0]) * metric.zero_stats().width))
    batch: list[_Scored] = []
    for done, trial in enumerate(chain(trials.typography(), families), 1):
        if batch and (len(batch) == most or not (trial.same and batch[0].same)):
            run(batch)
            batch = []
        batch.append(trial)
        progress(min(1.0, done / (len(TYPOGRAPHY) + 8)))
    run(batch)
    progress(1.0)
    tried = (
        replace(pair, trials=tuple(results[pair])) if pair in results else pair
        for pair in comparison.pairs
    )
    return replace(comparison, pairs=tuple(tried))

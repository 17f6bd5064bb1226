# SPDX-License-Identifier: Apache-2.0
"""Why one system scores higher than another: by kind of n-gram, by segment, by part of a corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from truebleu.analysis import slices
from truebleu.analysis.contrast import groups
from truebleu.analysis.contrast.breakdowns import by_words, of_scores, word_classes
from truebleu.analysis.contrast.result import Contrast
from truebleu.analysis.contrast.segments import SegmentContrast, segment_contrast
from truebleu.analysis.explain.influence import gains, segment_costs
from truebleu.analysis.segment_scores import joined
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, check_int, quantity
from truebleu.inputs import corpus
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.bleu import BLEU, cached_bleu
from truebleu.metrics.intervals import Interval, percentile
from truebleu.metrics.kernel import Resampler
from truebleu.metrics.overlap import Floats, Integers, Overlap
from truebleu.metrics.recounting import arguments
from truebleu.metrics.stats import Stats
from truebleu.text.normalizations import TYPOGRAPHY, normalizer

#: The level of the intervals.
_LEVEL = 0.95

#: Resamples in a step.
_AT_ONCE = 512


def contrast(
    a: Any,
    b: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    names: tuple[str, str] = ("A", "B"),
    domains: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
    frequencies: Any = None,
    scores: Any = None,
    segments: int = 5,
    ngrams: int = 10,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
    **changes: Unpack[BLEUChanges],
) -> Contrast:
    """Explain why system A scores higher or lower than system B.

    Args:
        a, b: the hypotheses of both systems, as for `corpus_bleu`, but not token ids.
        refs: as for `corpus_bleu`.
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        names: of the systems.
        domains: a label for each segment, such as its domain or source.
        documents: a label for each segment; the bootstrap draws segments with the same label
            together.
        frequencies: texts to count the frequencies of words in, such as the training data
            (default: the references).
        scores: of segments from elsewhere, as for `compare`.
        segments: the largest number of decisive segments to show.
        ngrams: the largest number of n-grams for each group and system.
        resamples: of the bootstrap, for the intervals.
        seed: random seed.
        threads: the most threads to use; they never change a result.
        changes: options of the dialect to change, by name.

    Returns:
        The difference as a sum over groups with intervals, typography first; the segments that
        decide it; and both systems by word frequency, position, length and domain.

    Raises:
        InputError: the columns are not aligned, or not text.
        OptionError: a dialect, an option or a value does not exist, or the dialect smooths each
            segment before it adds them.

    Example:
        >>> import truebleu as tb
        >>> refs = ["on 4 May the cat sat on the mat", "the dog ran home"] * 50
        >>> b = ["on May the cat sat on the mat", "the dog ran home"] * 50
        >>> result = tb.contrast(refs, b, refs)
        >>> {group.name: round(group.points, 1) for group in result.groups}
        {'words': 0.0, 'names and numbers': 17.2, 'punctuation': 0.0, 'order': 0.0, 'length': 0.0}
        >>> sum(group.points for group in result.groups) == result.difference
        True
        >>> result.groups[1].ngrams[0].words
        ('4',)
    """
    metric = cached_bleu(dialect, threads, changes)
    bleu = cached_bleu(metric.dialect, threads, {"normalize": ()})  # stages are normalized
    if bleu.dialect.aggregate.join != "rows":
        raise OptionError(
            f"{bleu.dialect.name} does not add the counts of segments "
            f'(join={bleu.dialect.aggregate.join}); set join to "rows", or take another dialect'
        )
    segments, ngrams = check_int("segments", segments, 0), check_int("ngrams", ngrams, 0)
    resamples, seed = check_int("resamples", resamples, 1), check_int("seed", seed, 0)
    if len(names) != 2:
        raise OptionError(f"names has {quantity(len(names), 'name')}; give one each for a and b")
    systems = [corpus.as_words(name, hyps) for name, hyps in (("a", a), ("b", b))]
    refs = corpus.as_words("refs", refs)
    if len(systems[0]) != len(systems[1]):
        sizes = " and ".join(quantity(len(hyps), "segment") for hyps in systems)
        raise InputError(f"a and b have {sizes}; give both for the same references")
    score_a, score_b = (metric.corpus(hyps, refs) for hyps in systems)
    reached = _stages(bleu, systems, refs, metric.dialect.normalize.normalize)
    whole, last = reached[0], reached[-1]
    texts = Overlap(bleu, last.systems, last.refs)
    classes = word_classes(bleu, texts, last.systems, last.refs)
    differences, hits, tally = texts.contrast(classes)

    counted = [*map(np.asarray, last.stats), *differences.transpose(1, 0, 2)]
    earlier = [np.asarray(rows) for stage in reached[:-1] for rows in stage.stats]
    values = groups.values_of_sets(bleu, np.array([[table.sum(axis=0) for table in counted]]))[0]
    points = groups.exact_points(values, whole.gap, [a.gap - b.gap for a, b in pairwise(reached)])

    def points_of(sums: Integers) -> Floats:
        """The points of typography and groups, then the difference."""
        values = groups.values_of_sets(bleu, sums[:, : len(counted)])
        pairs = groups.differences_of_pairs(bleu, sums[:, len(counted) :])
        gaps = np.column_stack([pairs, values[:, -1] - values[:, 0]])
        return np.column_stack([-np.diff(gaps), groups.resampled_points(values), gaps[:, 0]])

    units, resampled = _resampled(bleu, [*counted, *earlier], points_of, documents, resamples, seed)
    *intervals, interval = map(_interval, resampled.T)
    typography = [stage.name for stage in reached[1:]]
    grams = [*([()] * len(typography)), *groups.group_ngrams(tally, texts, _worth(bleu, last.stats), ngrams)]
    parts = tuple(map(groups.Group, [*typography, *groups.GROUPS], points, intervals, grams))
    named = dict(zip("ab", whole.stats, strict=True))
    lengths = slices.reference_lengths(whole.systems[0], whole.refs, bleu)
    elsewhere = () if scores is None else joined(scores, metric, dict(zip(names, systems, strict=True)), refs)
    by_domain = () if domains is None else of_scores(slices.by_label(bleu, named, domains))
    by_length, deciding = of_scores(slices.by_length(bleu, named, lengths)), _decisive(bleu, whole, segments)
    by_frequency, by_position = by_words(texts, hits, classes, _frequencies(metric, texts, frequencies))
    tables = by_frequency, by_position, by_length, by_domain
    return Contrast(*names, score_a, score_b, interval, parts, deciding, *tables, units, elsewhere)


@dataclass(frozen=True, slots=True)
class _Stage:
    """Two systems and their references after a normalization and those before it.

    Attributes:
        name: the group that the normalization is; empty for the texts as they are.
        systems: the hypotheses of A and of B.
        refs: their references.
        stats: of A and of B.
        gap: the score of A minus that of B.
    """

    name: str
    systems: Sequence[Any]
    refs: Any
    stats: Sequence[Stats]
    gap: float


def _stages(bleu: BLEU, systems: Sequence[Any], refs: Any, names: tuple[Any, ...] = ()) -> list[_Stage]:
    """The texts, then those after each typographic normalization that changes the difference.

    Args:
        bleu: the metric.
        systems: the hypotheses of A and of B.
        refs: their references.
        names: normalizations of all stages.
    """
    reached: list[_Stage] = []
    for name, pair, rows in _written(systems, refs, names):
        stats = [bleu.stats(hyps, rows) for hyps in pair]
        value_a, value_b = (float(bleu.values(own.sum())[0]) for own in stats)
        gap = value_a - value_b
        if reached and not math.isfinite(gap):
            break  # the tool crashes on the text that is left
        if not reached or gap != reached[-1].gap:
            reached.append(_Stage(name, pair, rows, stats, gap))
    return reached


def _written(systems: Sequence[Any], refs: Any, names: tuple[Any, ...]) -> Iterator[tuple[str, Sequence[Any], Any]]:
    """The name and the texts of each stage; lists of words have one."""
    if not systems[0] or not isinstance(systems[0][0], str):
        yield "", systems, refs
        return
    columns = [*map(list, systems), *map(list, corpus.reference_columns(refs))]
    fixes = {"": normalizer(names), **{row.kind.replace("-", " "): row.fix for row in TYPOGRAPHY}}
    for name, fix in fixes.items():
        after = [[text and fix(text) for text in column] for column in columns]
        if after != columns or not name:
            columns = after
            yield name, columns[:2], arguments(columns[1:])[1]


def _resampled(
    bleu: BLEU,
    tables: list[Integers],
    points_of: Callable[[Integers], Floats],
    documents: Any,
    resamples: int,
    seed: int,
) -> tuple[int, Floats]:
    """The units that are drawn, and the points of each resample."""
    if documents is not None:
        documents = corpus.label_list("documents", documents)
        labels, places = group_places(documents, len(tables[0]), "documents")
        tables = [group_sums(table, places, len(labels)) for table in tables]
    kernel = Resampler(bleu.plan, [np.ascontiguousarray(table) for table in tables])
    steps = []
    for first in range(0, resamples, _AT_ONCE):
        count = min(_AT_ONCE, resamples - first)
        drawn = kernel.bootstrap_sums(seed, (first, count), bleu.threads)
        steps.append(points_of(np.frombuffer(drawn, dtype=np.int64).reshape(count, len(tables), -1)))
    return len(tables[0]), np.concatenate(steps)


def _interval(values: Floats) -> Interval:
    ordered = np.sort(values)
    return percentile(ordered, _LEVEL) if np.isfinite(ordered).all() else (math.nan, math.nan)


def _worth(bleu: BLEU, stats: Sequence[Stats]) -> Floats:
    """For each order the points of one more match, the mean of both systems."""
    orders, more = range(1, stats[0].orders + 1), np.array([1])
    points = [[gains(bleu, np.array(rows.sum()[0]), order, more)[0] for order in orders] for rows in stats]
    return np.asarray((np.nan_to_num(points) / 2).sum(axis=0))


def _decisive(bleu: BLEU, whole: _Stage, most: int) -> tuple[SegmentContrast, ...]:
    """The segments without which the difference would be smallest; if it is 0, farthest from 0."""
    a, b = (segment_costs(bleu, rows) for rows in whole.stats)
    with np.errstate(invalid="ignore"):
        influence = b - a
    strength = influence * np.sign(whole.gap) if whole.gap else np.abs(influence)
    return tuple(
        segment_contrast(bleu, i + 1, float(influence[i]), [hyps[i] for hyps in whole.systems], whole.refs[i])
        for i in np.argsort(-strength, kind="stable")[:most].tolist()
        if strength[i] > 0
    )


def _frequencies(bleu: BLEU, texts: Overlap, given: Any) -> Integers:
    """The frequency of each token in some texts, by default in the references."""
    size = len(texts.vocabulary)
    if given is None:
        return np.bincount(texts.tokens[np.repeat(texts.are_references(), texts.lengths())], minlength=size)
    given = corpus.as_words("frequencies", given)
    counted = Overlap(bleu, [given], given)
    times = np.bincount(counted.tokens, minlength=len(counted.vocabulary)) // 2  # read as both
    found = dict(zip(counted.vocabulary, times.tolist(), strict=True))
    return np.array([found.get(word, 0) for word in texts.vocabulary], dtype=np.int64)

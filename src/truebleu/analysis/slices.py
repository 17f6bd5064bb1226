# SPDX-License-Identifier: Apache-2.0
"""Scores of parts of a corpus: segments of similar length, documents, groups."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truebleu.analysis.explain.overlap import reference_list
from truebleu.inputs.corpus import as_words, columns, label_list, label_names
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.intervals import Interval, score_spread
from truebleu.metrics.score import MetricScore

#: The last length of each bucket but the last, in tokens.
EDGES = (10, 20, 30, 40, 50, 60)
_BUCKETS = ("0\u201310", *(f"{edge - 9}\u2013{edge}" for edge in EDGES[1:]), "61+")


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a corpus; its scores and their 95 % intervals by the system's name."""

    name: str
    segments: int
    scores: dict[str, MetricScore]
    intervals: Mapping[str, Interval] = field(default_factory=dict)


def by_label(
    metric: Any, systems: Mapping[str, Any], labels: Iterable[Any], *, intervals: bool | Collection[str] = False
) -> list[Slice]:
    """The scores of the segments with each label, in the order in which the labels first occur.

    Args:
        metric: a metric, such as `BLEU()`.
        systems: statistics of each system, from `metric.stats`.
        labels: one for each segment.
        intervals: whether to resample the segments of each label, or the names of some labels.

    Raises:
        InputError: there are more or fewer labels than segments.
    """
    labels = label_list("labels", labels)
    names, places = group_places(labels, len(next(iter(systems.values()))))
    counts = Counter(places.tolist())
    by_label = label_names(names)
    resampled = by_label.values() if intervals is True else intervals or ()
    scores: list[dict[str, Any]] = [{} for _ in names]
    ends: list[dict[str, Interval]] = [{} for _ in names]
    for name, stats in systems.items():
        sums = stats.like(group_sums(stats, places, len(names)))
        for i, of_systems in enumerate(scores):
            of_systems[name] = metric.score(sums[i : i + 1])
            if by_label[names[i]] in resampled and (spread := score_spread(metric, stats[places == i], 0.95, 1000)):
                ends[i][name] = spread.interval
    return [Slice(by_label[label], counts[i], scores[i], ends[i]) for i, label in enumerate(names)]


def by_length(
    metric: Any, systems: Mapping[str, Any], lengths: Sequence[int], *, intervals: bool = False
) -> list[Slice]:
    """The scores of segments of similar length, the shortest first; empty buckets are left out.

    Args:
        metric, systems, intervals: as for `by_label`.
        lengths: of each segment, the same for all systems; see `reference_lengths`.
    """
    slices = by_label(metric, systems, length_labels(lengths), intervals=intervals)
    return sorted(slices, key=lambda part: _BUCKETS.index(part.name))


def length_labels(lengths: Iterable[int]) -> list[str]:
    """The bucket of each length, such as `11\u201320`."""
    return [_BUCKETS[bisect_left(EDGES, length)] for length in lengths]


def reference_lengths(hyps: Any, refs: Any, bleu: BLEU | None = None) -> list[int]:
    """Tokens of the first reference of each segment.

    BLEU's own reference length can differ between systems: with several references, it depends on
    the hypothesis.

    Args:
        hyps: of any system; they show whether segments are strings or lists of words.
        refs: as for `BLEU.corpus`.
        bleu: the metric whose tokenizer is used (default: sacreBLEU's, 13a).
    """
    hyps, refs = columns(hyps, refs)
    hyps, refs = as_words("hyps", hyps), as_words("refs", refs)
    firsts = [reference_list(hyp, row)[0] for hyp, row in zip(hyps, refs, strict=True)]
    return [row[0] for row in (bleu or BLEU()).stats(firsts, firsts)]

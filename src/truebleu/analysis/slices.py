# SPDX-License-Identifier: Apache-2.0
"""Scores of parts of a corpus: of segments of like length, of documents, of groups."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis.explain.overlap import reference_list
from truebleu.errors import InputError
from truebleu.inputs.corpus import as_words, columns
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

#: Where one bucket of lengths ends and the next begins, in tokens.
EDGES = (10, 20, 30, 40, 50, 60)


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a corpus.

    Attributes:
        name: of the part.
        segments: how many it has.
        scores: by the system's name.
    """

    name: str
    segments: int
    scores: dict[str, Any]


def by_label(metric: Any, systems: Mapping[str, Any], labels: Iterable[Any]) -> list[Slice]:
    """The scores of the segments that have the same label, for each label as it first comes.

    Args:
        metric: a BLEU, CHRF or TER.
        systems: statistics of each system, as `metric.stats` gives them.
        labels: one for each segment.

    Raises:
        InputError: there are more or fewer labels than segments.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU(max_ngram_order=1)
        >>> stats = bleu.stats(["a b", "c d", "e f"], ["a b", "c x", "y z"])
        >>> parts = by_label(bleu, {"A": stats}, "121")
        >>> [(part.name, part.segments, round(part.scores["A"].value, 1)) for part in parts]
        [('1', 2, 50.0), ('2', 1, 50.0)]
    """
    import numpy as np

    labels = list(labels)
    names, places = group_places(labels)
    counts = np.bincount(places, minlength=len(names)).tolist()
    scores: list[dict[str, Any]] = [{} for _ in names]
    for name, stats in systems.items():
        if len(stats) != len(labels):
            raise InputError(f"{len(labels)} labels for {len(stats)} segments; give one for each")
        rows = stats.like(group_sums(stats, places, len(names)))
        for i, found in enumerate(scores):
            found[name] = metric.score(rows[i : i + 1])
    return [
        Slice(str(label), count, found)
        for label, count, found in zip(names, counts, scores, strict=True)
    ]


def by_length(
    metric: Any,
    systems: Mapping[str, Any],
    lengths: Sequence[int],
    edges: Sequence[int] = EDGES,
) -> list[Slice]:
    """The scores of segments of like length, the shortest first; empty buckets are left out.

    Args:
        metric: a BLEU, CHRF or TER.
        systems: statistics of each system, as `metric.stats` gives them.
        lengths: of each segment, the same for all systems; see `reference_lengths`.
        edges: the last length of each bucket but the last.
    """
    labels = length_labels(lengths, edges)
    order = _buckets(edges)
    found = by_label(metric, systems, labels)
    return sorted(found, key=lambda part: order.index(part.name))


def length_labels(lengths: Iterable[int], edges: Sequence[int] = EDGES) -> list[str]:
    """For each length the bucket that it is in, such as `11\u201320`."""
    from bisect import bisect_left

    names = _buckets(edges)
    return [names[bisect_left(edges, length)] for length in lengths]


def _buckets(edges: Sequence[int]) -> list[str]:
    starts = [0, *(edge + 1 for edge in edges)]
    names = [f"{low}\u2013{high}" for low, high in zip(starts, edges, strict=False)]
    return [*names, f"{starts[-1]}+"]


def reference_lengths(hyps: Any, refs: Any, bleu: BLEU | None = None) -> list[int]:
    """Tokens of the first reference of each segment.

    Not the reference length of BLEU, which of several references is one near the hypothesis, and
    so not the same for each system.

    Args:
        hyps: of any system; they say whether segments are strings or lists of words.
        refs: as for `BLEU.corpus`.
        bleu: what tokenizes; without, sacreBLEU's 13a.
    """
    hyps, refs = columns(hyps, refs)
    hyps, refs = as_words("hyps", hyps), as_words("refs", refs)
    firsts = [reference_list(hyp, row)[0] for hyp, row in zip(hyps, refs, strict=True)]
    return [row[0] for row in (bleu or BLEU()).stats(firsts, firsts)]

# SPDX-License-Identifier: Apache-2.0
"""The costs of segments and n-grams of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.bleu import BLEU
from truebleu.metrics.overlap import Integers, Overlap, frequent
from truebleu.metrics.stats import Stats
from truebleu.text.results import Record

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NgramCost(Record):
    """An n-gram of a corpus and its cost.

    Attributes:
        words: its tokens.
        in_hyps: occurrences in hypotheses.
        matched: occurrences that match; if recall is measured, those in references.
        unmatched: occurrences in hypotheses that do not match; 0 if recall is measured.
        missed: occurrences in a reference that the hypothesis lacks; if recall is measured, in all
            references.
        cost: change of the corpus score if the unmatched occurrences matched; if recall is
            measured, if the missed ones matched.
        missed_cost: change of the corpus score if the missed occurrences replaced other unmatched
            n-grams, as far as there are any.
    """

    words: tuple[str, ...]
    in_hyps: int
    matched: int
    unmatched: int
    missed: int
    cost: float
    missed_cost: float


#: Whether an n-gram leads, and the n-gram.
_Ranked = tuple[bool, NgramCost]


def segment_costs(bleu: BLEU, stats: Stats) -> NDArray[np.float64]:
    """For each segment, the corpus score without it minus the corpus score."""
    total = stats.sum()
    costs = bleu.values(Stats.from_buffer(np.ascontiguousarray(np.asarray(total) - np.asarray(stats)), stats.orders))
    with np.errstate(invalid="ignore"):  # smoothing values of users can make scores infinite
        costs -= bleu.values(total)[0]
    return costs


def ngram_costs(
    bleu: BLEU, total: Stats, hyps: Any, refs: Any, most: int
) -> tuple[tuple[NgramCost, ...], tuple[NgramCost, ...]]:
    """The costliest unmatched and missed n-grams; those of frequent words alone come last.

    An unmatched n-gram leads if the references do not use all its words all the time; a missed one,
    if the hypotheses do not. So a comma or an article does not lead, unless the other side writes
    it differently.

    Args:
        bleu: the metric.
        total: the statistics of the corpus.
        hyps, refs: as `BLEU.corpus` takes them.
        most: the largest number of n-grams of each kind.
    """
    if not most:
        return (), ()
    texts = Overlap(bleu, [hyps], refs)
    in_refs = np.repeat(texts.are_references(), texts.lengths())
    words = len(texts.vocabulary)
    rare = [~frequent(np.bincount(texts.tokens[side], minlength=words)) for side in (in_refs, ~in_refs)]

    def costliest(ranked: Iterable[_Ranked], name: str) -> tuple[NgramCost, ...]:
        ordered = sorted(ranked, key=lambda own: (not own[0], -getattr(own[1], name), len(own[1].words), own[1].words))
        return tuple(gram for _, gram in ordered[:most])

    orders = range(1, bleu.dialect.count.max_ngram_order + 1)
    kinds = zip(*(_of_order(bleu, texts, rare, total, most, n) for n in orders), strict=True)
    unmatched, missed = map(chain.from_iterable, kinds)
    return costliest(unmatched, "cost"), costliest(missed, "missed_cost")


def _of_order(
    bleu: BLEU, texts: Overlap, rare: Sequence[Flags], total: Stats, most: int, order: int
) -> tuple[list[_Ranked], list[_Ranked]]:
    """The costliest unmatched and missed n-grams of an order."""
    tally = texts.tally(order)
    if not len(tally.starts):
        return [], []
    in_hyps, matched, missed = tally.counts.T
    recall = bleu.dialect.count.measure == "recall"
    unmatched = np.zeros_like(in_hyps) if recall else np.maximum(in_hyps - matched, 0)
    weighted = missed
    if recall and order == 1:
        keywords = bleu.dialect.count.keywords
        weights = np.array([5 if word in keywords else 1 for word in texts.vocabulary])
        weighted = missed * weights[texts.tokens[tally.starts]]
    row = np.array(total[0])
    free = row[1 + total.orders + order] - row[1 + order]
    costs = gains(bleu, row, order, weighted if recall else unmatched)
    missed_costs = gains(bleu, row, order, np.minimum(weighted, free))

    def largest(values: NDArray[np.float64], times: Integers, rare: Flags) -> list[_Ranked]:
        present = np.flatnonzero(times)
        leads = np.zeros(len(present), dtype=bool)
        for place in range(order):
            leads |= rare[texts.tokens[tally.starts[present] + place]]
        # With equal costs, the n-gram that occurs first comes first.
        keys = (tally.starts[present], -times[present], -values[present], ~leads)
        return [(bool(leads[i]), entry(int(present[i]))) for i in np.lexsort(keys)[:most]]

    counts = np.column_stack([in_hyps, matched, unmatched, missed])

    def entry(gram: int) -> NgramCost:
        words = texts.words(int(tally.starts[gram]), order)
        times, matches, others, absent = counts[gram].tolist()
        return NgramCost(words, times, matches, others, absent, float(costs[gram]), float(missed_costs[gram]))

    return largest(costs, unmatched, rare[0]), largest(missed_costs, missed, rare[1])


def gains(bleu: BLEU, row: Integers, order: int, more: Integers) -> NDArray[np.float64]:
    """The change of the score with this many more matches of an order."""
    different = np.flatnonzero(np.bincount(more))
    rows = np.tile(row, (len(different) + 1, 1))
    rows[1:, 1 + order] += different
    values = bleu.values(Stats.from_buffer(rows, bleu.dialect.counted_orders))
    with np.errstate(invalid="ignore"):
        changes: NDArray[np.float64] = (values[1:] - values[0])[np.searchsorted(different, more)]
    return changes

# SPDX-License-Identifier: Apache-2.0
"""The costs of segments and n-grams of a corpus."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.dialects.decisions import Dialect
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.stats import Stats
from truebleu.metrics.workers import ordered
from truebleu.text.json_text import for_json

Tokens = Sequence[str]
Integers = NDArray[np.int64]


#: Corpora with more tokens are sorted on another thread, so that signals are handled meanwhile.
_LARGE = 1 << 20


@dataclass(frozen=True, slots=True)
class NgramCost:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        costs = {name: for_json(getattr(self, name)) for name in ("cost", "missed_cost")}
        return {**asdict(self), **costs}


def segment_costs(bleu: BLEU, stats: Stats) -> NDArray[np.float64]:
    """For each segment, the corpus score without it minus the corpus score."""
    total = stats.sum()
    without = np.ascontiguousarray(np.asarray(total) - np.asarray(stats))
    costs = bleu.values(Stats.from_buffer(without, stats.orders))
    with np.errstate(invalid="ignore"):  # smoothing values of users can make scores infinite
        costs -= bleu.values(total)[0]
    return costs


def ngram_costs(
    bleu: BLEU, total: Stats, segments: Iterable[tuple[Tokens, Sequence[Tokens]]], most: int
) -> tuple[tuple[NgramCost, ...], tuple[NgramCost, ...]]:
    """The costliest unmatched and missed n-grams.

    Args:
        bleu: the metric.
        total: the statistics of the corpus.
        segments: the tokens of each hypothesis and of its references.
        most: the largest number of n-grams of each kind.
    """
    if not most:
        return (), ()
    if bleu.dialect.count.references == "first":
        segments = ((hyp, refs[:1]) for hyp, refs in segments)
    texts = _Texts(segments)
    unmatched: list[NgramCost] = []
    missed: list[NgramCost] = []
    of_order = partial(_of_order, bleu, texts, total, most)
    # NumPy may sort for seconds, and does not handle signals meanwhile.
    threads = 2 if len(texts.tokens) > _LARGE else 1
    for order in range(1, bleu.dialect.count.max_ngram_order + 1):
        ((some_unmatched, some_missed),) = ordered(of_order, (order,), threads)
        unmatched += some_unmatched
        missed += some_missed
    unmatched.sort(key=lambda gram: (-gram.cost, len(gram.words), gram.words))
    missed.sort(key=lambda gram: (-gram.missed_cost, len(gram.words), gram.words))
    return tuple(unmatched[:most]), tuple(missed[:most])


class _Texts:
    """All tokens of a corpus in a row, as numbers."""

    def __init__(self, segments: Iterable[tuple[Tokens, Sequence[Tokens]]]) -> None:
        numbers: dict[str, int] = {}
        tokens, owners = array("q"), array("q")
        ends, segment_of, is_hyp = array("q"), array("q"), array("b")
        for i, (hyp, refs) in enumerate(segments):
            for place, text in enumerate((hyp, *refs)):
                tokens.extend([numbers.setdefault(token, len(numbers)) for token in text])
                owners.extend(array("q", (len(ends),)) * len(text))
                ends.append(len(tokens))
                segment_of.append(i)
                is_hyp.append(place == 0)
        self.vocabulary = list(numbers)
        self.tokens: Integers = np.asarray(tokens)
        #: The number of the text that each token belongs to.
        self.owners: Integers = np.asarray(owners)
        #: For each text its segment, and whether it is the hypothesis.
        self.segment_of: Integers = np.asarray(segment_of)
        self.is_hyp = np.asarray(is_hyp).astype(bool)
        self._ends: Integers = np.asarray(ends)
        self._grams = self.tokens

    def grams(self, order: int) -> tuple[Integers, Integers]:
        """Start and number of each n-gram of an order; call this for orders 1, 2 and so on."""
        positions = np.arange(len(self.tokens))
        starts = np.flatnonzero(positions + order <= self._ends[self.owners])
        if order > 1:
            longer = self._grams[starts] * len(self.vocabulary) + self.tokens[starts + order - 1]
            self._grams = np.zeros_like(self.tokens)
            self._grams[starts] = _ranked(longer)[1]
        return starts, self._grams[starts]

    def words(self, start: int, order: int) -> tuple[str, ...]:
        """The n-gram of an order that starts at a token."""
        return tuple(self.vocabulary[i] for i in self.tokens[start : start + order])


def _of_order(
    bleu: BLEU, texts: _Texts, total: Stats, most: int, order: int
) -> tuple[list[NgramCost], list[NgramCost]]:
    """The costliest unmatched and missed n-grams of an order."""
    starts, grams = texts.grams(order)
    if not len(starts):
        return [], []
    kinds = int(grams.max()) + 1
    in_hyps, matched, unmatched, missed = _counts(bleu.dialect, texts, starts, grams, kinds)
    recall = bleu.dialect.count.measure == "recall"
    weights = np.ones(kinds, dtype=np.int64)
    if recall and order == 1:
        known = bleu.dialect.count.keywords
        keywords = [i for i, word in enumerate(texts.vocabulary) if word in known]
        weights[grams[np.isin(texts.tokens[starts], keywords)]] = 5
    row = np.array(total[0])
    free = row[1 + total.orders + order] - row[1 + order]
    costs = _gains(bleu, row, order, weights * missed if recall else unmatched)
    missed_costs = _gains(bleu, row, order, np.minimum(weights * missed, free))
    first = np.zeros(kinds, dtype=np.int64)
    first[grams[::-1]] = starts[::-1]

    def entry(gram: int) -> NgramCost:
        return NgramCost(
            texts.words(int(first[gram]), order),
            int(in_hyps[gram]), int(matched[gram]), int(unmatched[gram]), int(missed[gram]),
            float(costs[gram]), float(missed_costs[gram]),
        )  # fmt: skip

    def largest(values: NDArray[np.float64], counts: Integers) -> list[NgramCost]:
        present = np.flatnonzero(counts)
        if len(present) > most:  # sorting all takes a quarter of the time
            losses = -values[present]
            present = present[~(losses > np.partition(losses, most - 1)[most - 1])]
        # With equal costs, the n-gram that occurs first comes first.
        best = np.lexsort((first[present], -counts[present], -values[present]))[:most]
        return [entry(gram) for gram in present[best]]

    return largest(costs, unmatched), largest(missed_costs, missed)


def _counts(
    dialect: Dialect, texts: _Texts, starts: Integers, grams: Integers, kinds: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """For each n-gram, its occurrences in hypotheses: all, matched, unmatched and missed."""
    keys, times = np.unique(texts.owners[starts] * kinds + grams, return_counts=True)
    owners, gram = keys // kinds, keys % kinds
    of_hyp = texts.is_hyp[owners]
    # This n-gram in this segment.
    pairs, where = _ranked(texts.segment_of[owners] * kinds + gram)
    in_hyp = np.zeros(len(pairs), dtype=np.int64)
    in_hyp[where[of_hyp]] = times[of_hyp]
    kind = pairs % kinds
    if dialect.count.measure == "recall":
        shared = np.minimum(times, in_hyp[where])[~of_hyp]
        matched = _sum_by(gram[~of_hyp], shared, kinds)
        missed = _sum_by(gram[~of_hyp], times[~of_hyp], kinds) - matched
        return _sum_by(kind, in_hyp, kinds), matched, np.zeros_like(matched), missed
    allowed = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(allowed, where[~of_hyp], times[~of_hyp])
    in_hyps = _sum_by(kind, in_hyp, kinds)
    matched = _sum_by(kind, np.minimum(in_hyp, allowed), kinds)
    missed = _sum_by(kind, np.maximum(allowed - in_hyp, 0), kinds)
    return in_hyps, matched, in_hyps - matched, missed


def _ranked(values: Integers) -> tuple[Integers, Integers]:
    """The distinct values in order, and the position of each value among them."""
    distinct, ranks = np.unique(values, return_inverse=True)
    return distinct, ranks.reshape(-1)


def _sum_by(keys: Integers, values: Integers, kinds: int) -> Integers:
    sums = np.zeros(kinds, dtype=np.int64)
    np.add.at(sums, keys, values)
    return sums


def _gains(bleu: BLEU, row: Integers, order: int, more: Integers) -> NDArray[np.float64]:
    """The change of the score with this many more matches of an order."""
    different, where = _ranked(more)
    rows = np.tile(row, (len(different) + 1, 1))
    rows[1:, 1 + order] += different
    values = bleu.values(Stats.from_buffer(rows, bleu.dialect.counted_orders))
    with np.errstate(invalid="ignore"):
        gains: NDArray[np.float64] = (values[1:] - values[0])[where]
    return gains

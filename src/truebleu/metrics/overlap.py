# SPDX-License-Identifier: Apache-2.0
"""The n-grams that hypotheses share with their references, counted over a whole corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.inputs.corpus import PLAIN
from truebleu.metrics import kernel
from truebleu.metrics.bleu import BLEU

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Distinct n-grams with their counts; arrays with an entry for each.

    Attributes:
        starts: the position of its first occurrence among the tokens.
        orders: its length in tokens.
        groups: the group that it was counted in.
        counts: its counts, in three columns.
    """

    starts: Integers
    orders: Integers
    groups: Integers
    counts: Integers

    @classmethod
    def of_buffer(cls, buffer: Any) -> Tally:
        """The tally that the kernel wrote."""
        table = np.frombuffer(buffer, dtype=np.int64).reshape(-1, 6)
        return cls(table[:, 0], table[:, 1], table[:, 2], table[:, 3:])


class Overlap:
    """Systems and their references as numbers of tokens, to count n-grams of.

    Args:
        bleu: the metric, which tokenizes and counts.
        systems: the hypotheses of one or two systems.
        refs: their references.

    Attributes:
        vocabulary: the tokens, by number.
        tokens: the numbers of all tokens: for each segment those of the hypotheses, then those of
            the references that count.
        bounds: the texts: text i is `tokens[bounds[i]:bounds[i + 1]]`.
        segments: the first text of each segment, and the number of texts.
        systems: the number of systems.
    """

    def __init__(self, bleu: BLEU, systems: Sequence[Any], refs: Any) -> None:
        columns = [bleu._columns(hyps, refs, PLAIN) for hyps in systems]
        self._threads = bleu.threads
        self._kernel = kernel.Overlap(bleu.plan, [hyps for hyps, _ in columns], columns[0][1])
        texts = (np.frombuffer(part, dtype=np.int64) for part in self._kernel.texts())
        self.tokens, self.bounds, self.segments = texts
        self.vocabulary = self._kernel.words()
        self.systems = len(systems)

    def words(self, start: int, order: int) -> tuple[str, ...]:
        """The n-gram of an order that starts at a token."""
        return tuple(self.vocabulary[i] for i in self.tokens[start : start + order])

    def lengths(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)

    def are_references(self) -> NDArray[np.bool_]:
        """For each text, whether it is a reference."""
        flags = np.ones(len(self.bounds) - 1, dtype=bool)
        for system in range(self.systems):
            flags[self.segments[:-1] + system] = False
        return flags

    def tally(self, order: int) -> Tally:
        """For each n-gram of an order its occurrences in hypotheses, those that match, and misses.

        These are of the first system. A miss is an occurrence in a reference that the hypothesis
        lacks; if recall is measured, in all references.
        """
        return Tally.of_buffer(self._kernel.tally(order, self._threads))

    def contrast(self, classes: NDArray[np.uint8]) -> tuple[Integers, NDArray[np.uint8], Tally]:
        """What only one of two systems matches, by group.

        The groups are the three classes of words, and then order. An n-gram that only one system
        matches in a segment belongs to the class of its first word that only this system matches
        there; if there is none, to order.

        Args:
            classes: the class of each token of the vocabulary, below 3.

        Returns:
            For each segment and group a row: the first system's tokens, the second's, and the
            matches and totals of the first minus those of the second; for each token of the
            references a byte with bit 0 if the first system matches it, and bit 1 if the second
            does; and for each n-gram the matches of the first system alone, of the second alone,
            and 0.
        """
        rows, hits, tally = self._kernel.contrast(classes.tolist(), self._threads)
        shape = (len(self.segments) - 1, 4, -1)
        differences = np.frombuffer(rows, dtype=np.int64).reshape(shape)
        return differences, np.frombuffer(hits, dtype=np.uint8), Tally.of_buffer(tally)


def frequent(counts: Integers) -> NDArray[np.bool_]:
    """Which words make up the most frequent half of a text, with their counts.

    Of words with equal counts, all or none belong to it, so that a short text has none.
    """
    if not counts.any():
        return np.zeros(len(counts), dtype=bool)
    ordered = np.sort(counts)[::-1]
    sums = np.cumsum(ordered)
    last = ordered[np.searchsorted(sums, sums[-1] / 2, "right")]
    return np.asarray(counts > last)

# SPDX-License-Identifier: Apache-2.0
"""Similar texts, and which rows of two columns belong together if lines were lost or inserted.

Dynamic programming over a band (Needleman and Wunsch 1970) finds the pairs, in order, with the
highest sum of similarities minus a penalty for each unpaired row. The offset of a pair is how many
rows below its hypothesis the reference is: 0 in aligned files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.chrf import CHRF
from truebleu.metrics.kernel import best_states

Pairs = Sequence[tuple[int | None, int | None]]

#: The penalty of an unpaired row in mean similarities of a pair, and its bounds. In aligned files,
#: another offset adds at most 0.6 to a stretch (62 pairs of WMT files, similarities of 0.3 to 0.65)
#: and costs two penalties; it adds 5 to the one misaligned stretch of 11 lines.
_PENALTY, _HIGHEST, _LOWEST = 1.25, 0.75, 0.05
#: Offsets to try beyond the difference in length.
_MARGIN = 2
#: The most similarities to compute for two columns, which take about 15 s, and the most offsets.
_MOST_PAIRS, _MOST_OFFSETS = 4_000_000, 1_000
#: Orders 2 and 3 separate related Chinese texts from others; 3 and 4 do so for alphabets.
_ORDERS = (2, 3, 4)
#: Added for equal length: decides if a line shares no n-gram with either side.
_LENGTH = 0.05
#: Pairs of columns whose similarities are kept, and columns whose lengths are.
_KEPT = 8
#: A line less similar to the one it faces than this, and than this share of the mean, may belong
#: elsewhere.
_DOUBTFUL, _DOUBTFUL_SHARE = 0.15, 0.5
#: Any other line is at most this share as similar to those elsewhere.
_ELSEWHERE = 0.5


class Similarity:
    """The mean F-score of character n-grams of orders 2 to 4, from 0 to 1, as in chrF.

    Unlike words, characters need no tokenizer. A weak translation has 0.10 to 0.45 on average in
    the examples, a line of another segment 0.00 to 0.08.
    """

    def __init__(self, threads: int) -> None:
        self._chrf = CHRF(char_order=max(_ORDERS), lowercase=True, threads=threads)
        self._of_columns: list[tuple[Sequence[str], Sequence[str], int, NDArray[np.float64]]] = []
        self._lengths: list[tuple[Sequence[str], NDArray[np.float64]]] = []

    def of_pairs(self, hyps: Sequence[str], refs: Sequence[str]) -> NDArray[np.float64]:
        """The similarity of each pair."""
        if not hyps:
            return np.zeros(0)
        rows = np.asarray(self._chrf.stats(hyps, refs)).astype(float)
        scores = np.zeros(len(hyps))
        for order in _ORDERS:
            own, facing, same = rows[:, 3 * order - 3 : 3 * order].T
            scores += 2 * same / np.maximum(own + facing, 1)
        return scores / len(_ORDERS)

    def of_columns(
        self, hyps: Sequence[str], refs: Sequence[str], offset: int = 0
    ) -> NDArray[np.float64]:
        """The similarity of each pair of whole columns, for which several detectors ask.

        Args:
            offset: how many rows below its hypothesis each reference is. Hypotheses and references
                without a counterpart are left out.
        """
        kept = self._of_columns
        for own, facing, at, scores in kept:
            if own is hyps and facing is refs and at == offset:
                return scores
        own = hyps[max(-offset, 0) : max(len(refs) - offset, 0)]
        facing = refs[max(offset, 0) :][: len(own)]
        scores = self.of_pairs(own, facing)
        self._of_columns = [(hyps, refs, offset, scores), *kept][:_KEPT]
        return scores

    def lengths(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The number of characters of each text, and 1."""
        for own, lengths in self._lengths:
            if own is texts:
                return lengths
        lengths = np.fromiter(map(len, texts), float, len(texts)) + 1
        self._lengths = [(texts, lengths), *self._lengths][:_KEPT]
        return lengths

    def at_offset(
        self,
        hyps: Sequence[str],
        refs: Sequence[str],
        offset: int,
        rows: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float64]:
        """The similarity of each hypothesis, or of some, and the reference `offset` rows below it.

        It is 0 where there is none.
        """
        every = np.arange(len(hyps)) if rows is None else rows
        inside = every[(every + offset >= 0) & (every + offset < len(refs))]
        scores = np.zeros(len(hyps))
        if rows is None:
            alike = self.of_columns(hyps, refs, offset)
        else:
            own = [hyps[row] for row in inside.tolist()]
            alike = self.of_pairs(own, [refs[row] for row in (inside + offset).tolist()])
        sizes = self.lengths(hyps)[inside], self.lengths(refs)[inside + offset]
        scores[inside] = alike + _LENGTH * (np.minimum(*sizes) / np.maximum(*sizes))
        return scores


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which rows of two columns belong together.

    Attributes:
        crooked: pairs of a hypothesis row and a reference row, one of them None if the other is
            unpaired. They are None if row i of one column belongs to row i of the other.
    """

    rows: int
    similarity: float
    crooked: Pairs | None = None

    @property
    def is_straight(self) -> bool:
        """Whether row i of one column belongs to row i of the other."""
        return self.crooked is None

    @property
    def pairs(self) -> Pairs:
        """All pairs, also of a straight alignment."""
        straight = range(self.rows)
        return list(zip(straight, straight, strict=True)) if self.crooked is None else self.crooked


def align(
    hyps: Sequence[str], columns: Sequence[Sequence[str]], similarity: Similarity
) -> Alignment | None:
    """Align hypotheses with one or more columns of references of equal length.

    Returns:
        None if the numbers of lines differ too much.
    """
    difference = len(columns[0]) - len(hyps)
    offsets = range(min(0, difference) - _MARGIN, max(0, difference) + _MARGIN + 1)
    if len(offsets) * len(hyps) > _MOST_PAIRS or len(offsets) > _MOST_OFFSETS:
        return None

    def best(offset: int, rows: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        # A line is similar to at least one of its references.
        of_columns = [similarity.at_offset(hyps, refs, offset, rows) for refs in columns]
        scores: NDArray[np.float64] = np.max(of_columns, axis=0)
        return scores

    # Where lines face similar ones at the first or the last offset, the others need no look.
    ends = {offset: best(offset) for offset in {0, difference}}
    facing = np.max(list(ends.values()), axis=0)
    is_doubtful = facing < max(_DOUBTFUL, _DOUBTFUL_SHARE * facing.mean())
    doubtful = np.flatnonzero(is_doubtful)
    scores = np.array(
        [
            ends[offset] if offset in ends
            else np.where(is_doubtful, best(offset, doubtful), _ELSEWHERE * facing)
            for offset in offsets
        ]
    )  # fmt: skip
    penalty = _penalty(scores)
    if difference == 0:
        if not _any_gain(scores, offsets, penalty):
            return Alignment(len(hyps), float(facing.mean()))
        # Where a stretch ends depends on all lines.
        scores = np.array([best(offset) for offset in offsets])
        penalty = _penalty(scores)
    pairs = _best_pairs(scores, offsets, len(columns[0]), penalty)
    total = sum(
        scores[offsets.index(ref - hyp), hyp]
        for hyp, ref in pairs if hyp is not None and ref is not None
    )  # fmt: skip
    is_straight = all(hyp == ref for hyp, ref in pairs)
    return Alignment(len(hyps), float(total) / len(hyps), None if is_straight else pairs)


def _penalty(scores: NDArray[np.float64]) -> float:
    return min(max(_PENALTY * float(scores.max(axis=0).mean()), _LOWEST), _HIGHEST)


def _any_gain(scores: NDArray[np.float64], offsets: range, penalty: float) -> bool:
    """Whether some stretch gains more by another offset than unpaired rows at its ends cost."""
    for row, offset in enumerate(offsets):
        gains = np.concatenate([[0.0], np.cumsum(scores[row] - scores[offsets.index(0)])])
        if (gains - np.minimum.accumulate(gains)).max() > 2 * penalty * abs(offset) > 0:
            return True
    return False


def _best_pairs(scores: NDArray[np.float64], offsets: range, refs: int, penalty: float) -> Pairs:
    """The pairs with the highest sum.

    `best[s]` is the highest sum so far if the last paired reference is `offsets[s]` below the last
    row. A row pairs at that offset or a higher one, or stays unpaired, which lowers it by 1.
    """
    states, rows = scores.shape
    steps, best = best_states(scores, offsets.start, refs, penalty)
    came_from = np.frombuffer(steps, np.int32).reshape(rows, states)
    # References below the last paired one are unpaired, too.
    below = np.maximum(refs - rows - np.array(offsets), 0)
    state = int((np.array(best) - penalty * below).argmax())
    pairs: list[tuple[int | None, int | None]] = []
    ref = refs
    for row in range(rows - 1, -1, -1):
        before = int(came_from[row, state])
        if before < 0:
            pairs.append((row, None))
            state += 1
            continue
        own = row + offsets[state]
        pairs += [(None, skipped) for skipped in range(ref - 1, own, -1)]
        pairs.append((row, own))
        ref, state = own, before
    pairs += [(None, skipped) for skipped in range(ref - 1, -1, -1)]
    return pairs[::-1]

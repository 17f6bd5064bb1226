# SPDX-License-Identifier: Apache-2.0
"""Which rows of two columns belong together if lines were lost, inserted, shifted or shuffled.

Dynamic programming over a band (Needleman and Wunsch 1970) finds the pairs, in order, with the
highest sum of similarities minus a penalty for each unpaired row. The offset of a pair is how many
rows below its hypothesis the reference is: 0 in aligned files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from truebleu.analysis.check.judge import LINES, UNLIKE, Floats, Judge
from truebleu.text.normalization import WRITTEN_BY_PROGRAMS

Pairs = list[tuple[int | None, int | None]]

#: The penalty of an unpaired row in mean similarities of a pair. In aligned files of WMT, another
#: offset adds at most 0.6 to a stretch, and costs two penalties.
_PENALTY = 1.25
#: Offsets to try beyond the difference in length, and the most similarities to compute: 15 s.
_MARGIN, _MOST = 2, 4_000_000
#: A line less similar to the line it faces than this share of the mean may belong elsewhere, and
#: files whose lines are less than twice as similar as others are unrelated: weak systems are three
#: times as similar to their references, and the best of many pairings up to twice.
DOUBTFUL = 0.5
#: Added for equal length: decides if a line shares no n-gram with either side.
_LENGTH = 0.05
#: Characters that two lines rarely share unless they belong together.
_GRAM = 6


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of rows of hypotheses and references, in order; None if each row faces its own."""

    similarity: float
    pairs: Pairs | None = None


class Aligner:
    """Similarities of lines at other offsets: case and spaces do not count."""

    def __init__(self, threads: int) -> None:
        self._judge = Judge(threads, whitespace=False)

    def similarity(self, hyps: Sequence[str], refs: Sequence[str]) -> Floats:
        """The similarity of each pair, and a little for equal length."""
        own, other = (np.fromiter(map(len, texts), float, len(texts)) + 1 for texts in (hyps, refs))
        scores: Floats = self._judge.similarity(hyps, [refs]) + _LENGTH * (
            np.minimum(own, other) / np.maximum(own, other)
        )
        return scores

    def align(self, hyps: Sequence[str], columns: Sequence[Sequence[str]]) -> Alignment | None:
        """The alignment to references of the same length; None if lines are unrelated.

        A line is similar to at least one of its references.
        """
        size = len(columns[0])
        difference = size - len(hyps)
        offsets = range(min(0, difference) - _MARGIN, max(0, difference) + _MARGIN + 1)
        if len(offsets) * max(len(hyps), LINES) > _MOST:
            return None
        every = np.arange(len(hyps))
        ends = {offset: self._at(hyps, columns, offset, every) for offset in {0, difference}}
        facing = np.max(list(ends.values()), axis=0)
        doubtful = np.flatnonzero(facing < DOUBTFUL * facing.mean())
        near = np.array([
            ends[offset] if offset in ends else self._at(hyps, columns, offset, doubtful, facing)
            for offset in offsets
        ])  # fmt: skip
        alignment = Alignment(float(facing.mean()))
        if difference or _any_gain(near, offsets):
            if not difference:  # where a stretch ends depends on all lines
                near = np.array([self._at(hyps, columns, offset, every) for offset in offsets])
            pairs = _best_pairs(near, offsets, size, _penalty(near))
            total = sum(near[ref - hyp - offsets[0], hyp] for hyp, ref in pairs
                        if hyp is not None and ref is not None)  # fmt: skip
            is_straight = all(hyp == ref for hyp, ref in pairs)
            alignment = Alignment(total / len(hyps), None if is_straight else pairs)
        return alignment if self._is_related(alignment, hyps, columns) else None

    def _at(
        self, hyps: Sequence[str], columns: Sequence[Sequence[str]], offset: int,
        rows: np.ndarray, other: Floats | None = None,
    ) -> Floats:  # fmt: skip
        """The similarity of some hypotheses and the references `offset` rows below them.

        Elsewhere, other lines are at most half as similar as those that they face.
        """
        scores = np.zeros(len(hyps)) if other is None else DOUBTFUL * other
        inside = rows[(rows + offset >= 0) & (rows + offset < len(columns[0]))].tolist()
        if inside:
            scores[inside] = self.pairs(hyps, columns, {row: row + offset for row in inside})
        return scores

    def pairs(
        self, hyps: Sequence[str], columns: Sequence[Sequence[str]], pairs: Mapping[int, int]
    ) -> Floats:
        """The similarity of some hypotheses and the most similar reference in other rows."""
        own = [hyps[row] for row in pairs]
        facing = [[refs[row] for row in pairs.values()] for refs in columns]
        best: Floats = np.max([self.similarity(own, refs) for refs in facing], axis=0)
        return best

    def _is_related(
        self, alignment: Alignment, hyps: Sequence[str], columns: Sequence[Sequence[str]]
    ) -> bool:
        """Whether lines are more similar to those that they face than to others."""
        half = min(len(hyps), len(columns[0])) // 2
        if half <= WRITTEN_BY_PROGRAMS:
            return True
        elsewhere = self.similarity(hyps[:half], columns[0][half : 2 * half]).mean() + _LENGTH
        return alignment.similarity > min(float(elsewhere) / DOUBTFUL, UNLIKE)

    def moved(
        self, hyps: Sequence[str], columns: Sequence[Sequence[str]], *, every: bool
    ) -> dict[int, int]:
        """Hypotheses that belong to other segments: lines of another order, by their rare n-grams.

        Args:
            every: whether to look at all lines, not only at those unlike the line they face.
        """
        facing = self.pairs(hyps, columns, {row: row for row in range(len(hyps))})
        doubtful = np.flatnonzero(every | (facing < DOUBTFUL * facing.mean())).tolist()
        doubtful = doubtful[: 10 * LINES]  # they take 2 s
        place: dict[str, int] = {}
        for segment in doubtful:
            for gram in _grams("\n".join(refs[segment] for refs in columns), 1):
                place[gram] = segment if place.setdefault(gram, segment) == segment else -1
        best: dict[int, int] = {}
        for row in doubtful:
            votes = Counter(place.get(gram, -1) for gram in _grams(hyps[row], _GRAM // 2))
            segment = max({*votes} - {-1}, key=votes.__getitem__, default=row)
            if abs(segment - row) > _MARGIN:
                best[row] = segment
        if not best:
            return {}
        there = self.pairs(hyps, columns, best)
        least = DOUBTFUL * (there if every else facing).mean()
        times = Counter(best.values())
        better = {
            row: segment
            for (row, segment), score in zip(best.items(), there.tolist(), strict=True)
            if score > max(facing[row] / DOUBTFUL, least) and times[segment] == 1
        }
        # What leaves its place makes it free for another; similar lines alone do not.
        targets = set(better.values())
        return {row: to for row, to in better.items() if row in targets or to in better}


def _grams(text: str, step: int) -> set[str]:
    text = text.lower()
    return {text[at : at + _GRAM] for at in range(0, max(len(text) - _GRAM, 0) + 1, step)}


def _penalty(scores: Floats) -> float:
    return max(_PENALTY * float(scores.max(axis=0).mean()), _LENGTH)


def _any_gain(scores: Floats, offsets: range) -> bool:
    """Whether a stretch gains more by another offset than unpaired rows at its ends cost."""
    penalty = _penalty(scores)
    for row, offset in enumerate(offsets):
        gains = np.concatenate([[0.0], np.cumsum(scores[row] - scores[-offsets[0]])])
        if (gains - np.minimum.accumulate(gains)).max() > 2 * penalty * abs(offset) > 0:
            return True
    return False


def _best_pairs(scores: Floats, offsets: range, refs: int, penalty: float) -> Pairs:
    """The pairs with the highest sum.

    `best[s]` is the highest sum so far if the last paired reference is `offsets[s]` below the last
    row. A row pairs at that offset or a higher one, or stays unpaired, which lowers it by 1.
    """
    states, rows = scores.shape
    every, below = np.arange(states), np.array(offsets)
    best = np.where(below >= 0, -penalty * below, -np.inf)
    came_from = np.empty((rows, states), np.int64)
    for row in range(rows):
        lifted = best + penalty * every
        highest = np.maximum.accumulate(lifted)
        before = np.maximum.accumulate(np.where(lifted == highest, every, 0))
        inside = (row + below >= 0) & (row + below < refs)
        paired = np.where(inside, highest - penalty * every + scores[:, row], -np.inf)
        unpaired = np.append(best[1:], -np.inf) - penalty
        best = np.maximum(paired, unpaired)
        came_from[row] = np.where(paired >= unpaired, before, -1)
    # References below the last paired one are unpaired, too.
    state = int((best - penalty * np.maximum(refs - rows - below, 0)).argmax())
    pairs: Pairs = []
    ref = refs
    for row in range(rows - 1, -1, -1):
        step = int(came_from[row, state])
        if step < 0:
            pairs.append((row, None))
            state += 1
            continue
        own = row + offsets[state]
        pairs += [(None, skipped) for skipped in range(ref - 1, own, -1)]
        pairs.append((row, own))
        ref, state = own, step
    pairs += [(None, skipped) for skipped in range(ref - 1, -1, -1)]
    return pairs[::-1]

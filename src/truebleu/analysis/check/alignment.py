# SPDX-License-Identifier: Apache-2.0
"""Which row of one column belongs to which of another, when lines were lost or inserted.

Dynamic programming over a band (Needleman and Wunsch 1970): the pairs, in order, of the highest
sum of similarities, less a price for each row that is left alone. The offset of a pair is how many
rows below its hypothesis the reference stands: 0 in files that are in step.
"""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.check.similarity import Similarity

#: The price of a row alone, in mean similarities of a pair, and the most it is. A stretch of files
#: in step gains at most 0.6 by another offset (62 pairs of WMT files, similarities of 0.3 to 0.65),
#: and would pay two prices; the one stretch of 11 lines out of step gains 5.
_PRICE, _HIGHEST, _LOWEST = 1.25, 0.75, 0.05
#: Offsets beyond those that the numbers of lines ask for.
_MARGIN = 2
#: The most similarities that are computed to align two columns, which take about 15 s, and the most
#: lines by which they may differ.
_MOST_PAIRS, _MOST_OFFSETS = 4_000_000, 1_000


class Alignment(Frozen):
    """Two columns in step.

    Attributes:
        pairs: (hypothesis row, reference row) in order; None on one side where a row is alone.
        similarity: the mean over all hypotheses.
    """

    __slots__ = ("pairs", "similarity")

    pairs: tuple[tuple[int | None, int | None], ...]
    similarity: float

    def __init__(self, pairs: Sequence[tuple[int | None, int | None]], similarity: float) -> None:
        object.__setattr__(self, "pairs", tuple(pairs))
        object.__setattr__(self, "similarity", similarity)

    @property
    def in_step(self) -> bool:
        """Whether row i of one column belongs to row i of the other."""
        return all(hyp == ref for hyp, ref in self.pairs)


def align(
    hyps: Sequence[str], columns: Sequence[Sequence[str]], similarity: Similarity
) -> Alignment | None:
    """Bring hypotheses into step with one or more columns of references, of one length.

    Returns None if they differ by too many lines to find out how.
    """
    import numpy as np

    difference = len(columns[0]) - len(hyps)
    offsets = range(min(0, difference) - _MARGIN, max(0, difference) + _MARGIN + 1)
    if len(offsets) * len(hyps) > _MOST_PAIRS or len(offsets) > _MOST_OFFSETS:
        return None
    # A line that belongs is like one reference at least.
    scores = np.stack(
        [
            np.max([similarity.at_offset(hyps, refs, offset) for refs in columns], axis=0)
            for offset in offsets
        ]
    )
    here = offsets.index(0)
    price = min(max(_PRICE * float(scores.max(axis=0).mean()), _LOWEST), _HIGHEST)
    if difference == 0 and not _any_gain(scores, offsets, price):
        return Alignment([(row, row) for row in range(len(hyps))], float(scores[here].mean()))
    pairs = _best_pairs(scores, offsets, len(columns[0]), price)
    total = sum(
        scores[ref - hyp + here, hyp] for hyp, ref in pairs if hyp is not None and ref is not None
    )
    return Alignment(pairs, float(total) / len(hyps))


def _any_gain(scores: NDArray[np.float64], offsets: range, price: float) -> bool:
    """Whether some stretch gains more by another offset than rows alone at its two ends cost."""
    import numpy as np

    for row, offset in enumerate(offsets):
        gains = np.concatenate([[0.0], np.cumsum(scores[row] - scores[offsets.index(0)])])
        if (gains - np.minimum.accumulate(gains)).max() > 2 * price * abs(offset) > 0:
            return True
    return False


def _best_pairs(
    scores: NDArray[np.float64], offsets: range, refs: int, price: float
) -> list[tuple[int | None, int | None]]:
    """The pairs of the highest sum.

    `best[s]` is the sum so far if the last reference used stands `offsets[s]` below the last row.
    A row pairs at that offset or one further down, or stays alone, which lowers the offset by 1.
    """
    import numpy as np

    states, rows = scores.shape
    values = np.array(offsets, dtype=float)
    ladder = price * values  # to step up from one state to another costs their difference
    # Before the first row no reference is used, which is offset 0.
    best = np.where(values == 0, 0.0, -np.inf)
    alone = -1
    came_from = np.empty((rows, states), dtype=np.int32)
    every = np.arange(states)
    last = np.array([refs - 1 - value for value in values])  # the last row that can pair
    for row in range(rows):
        steps = best + ladder
        highest = np.maximum.accumulate(steps)
        nearest = np.maximum.accumulate(np.where(steps == highest, every, 0))
        paired = highest - ladder + scores[:, row]
        paired[(row + values < 0) | (row > last)] = -np.inf
        left = np.append(best[1:] - price, -np.inf)
        came_from[row] = np.where(paired >= left, nearest, alone)
        best = np.maximum(paired, left)
    # References below the last one used are alone too.
    state = int((best - price * np.maximum(refs - rows - values, 0)).argmax())
    pairs: list[tuple[int | None, int | None]] = []
    ref = refs
    for row in range(rows - 1, -1, -1):
        before = int(came_from[row, state])
        if before == alone:
            pairs.append((row, None))
            state += 1
            continue
        own = row + offsets[state]
        pairs += [(None, skipped) for skipped in range(ref - 1, own, -1)]
        pairs.append((row, own))
        ref, state = own, before
    pairs += [(None, skipped) for skipped in range(ref - 1, -1, -1)]
    return pairs[::-1]

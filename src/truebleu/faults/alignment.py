# SPDX-License-Identifier: Apache-2.0
"""Which row of one column belongs to which of another, when lines were lost or inserted.

Each hypothesis has an offset: how many rows below its own its reference stands. In aligned files
all offsets are 0; from a lost line on they are 1, from an inserted line on -1. The best path of
offsets is found by dynamic programming: the sum of the similarities less a price for each step.
"""

from __future__ import annotations

from truebleu.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.faults.similarity import Similarity

#: What a step costs in similarity. Out of step and back costs two: among 62 pairs of WMT files no
#: aligned stretch gains more than 0.6 by another offset, the one misaligned block of 11 lines 5.
PRICE = 0.75
#: Offsets beyond those that the numbers of lines ask for.
_MARGIN = 2
#: The most similarities that are computed to align two columns: 4 million take about 15 s.
_MOST_PAIRS = 4_000_000
#: How far from a step its exact row is looked for.
_NEAR = 12


class Alignment(Frozen):
    """Two columns in step.

    Attributes:
        pairs: (hypothesis row, reference row) in order; None on one side where a row is alone.
        similarity: the mean over the rows that are paired.
    """

    __slots__ = ("pairs", "similarity")

    pairs: tuple[tuple[int | None, int | None], ...]
    similarity: float

    def __init__(self, pairs: Sequence[tuple[int | None, int | None]], similarity: float) -> None:
        object.__setattr__(self, "pairs", tuple(pairs))
        object.__setattr__(self, "similarity", similarity)

    @property
    def lost(self) -> list[int]:
        """References without a hypothesis."""
        return [ref for hyp, ref in self.pairs if hyp is None and ref is not None]

    @property
    def inserted(self) -> list[int]:
        """Hypotheses without a reference."""
        return [hyp for hyp, ref in self.pairs if ref is None and hyp is not None]

    @property
    def in_step(self) -> bool:
        """Whether row i of one column belongs to row i of the other."""
        return all(hyp == ref for hyp, ref in self.pairs)


def align(hyps: Sequence[str], refs: Sequence[str], similarity: Similarity) -> Alignment | None:
    """Bring two columns into step; None if they differ by too many lines to find out how."""
    import numpy as np

    difference = len(refs) - len(hyps)
    offsets = list(range(min(0, difference) - _MARGIN, max(0, difference) + _MARGIN + 1))
    if len(offsets) * len(hyps) > _MOST_PAIRS or not hyps or not refs:
        return None
    scores = np.stack([similarity.at_offset(hyps, refs, offset) for offset in offsets])
    here = offsets.index(0)
    if difference == 0 and not _any_gain(scores, offsets):
        pairs = [(row, row) for row in range(len(hyps))]
        return Alignment(pairs, float(scores[here].mean()))
    path = [offsets[state] for state in _best_path(scores, offsets, difference)]
    rows = np.arange(len(hyps))
    return _pairs(
        path, scores, offsets, len(refs), float(scores[_states(path, offsets), rows].mean())
    )


def _states(path: list[int], offsets: list[int]) -> list[int]:
    return [offset - offsets[0] for offset in path]


def _any_gain(scores: NDArray[np.float64], offsets: list[int]) -> bool:
    """Whether some stretch gains more by another offset than leaving step and return cost."""
    import numpy as np

    for row, offset in enumerate(offsets):
        gains = np.concatenate([[0.0], np.cumsum(scores[row] - scores[offsets.index(0)])])
        if (gains - np.minimum.accumulate(gains)).max() > 2 * PRICE * abs(offset) > 0:
            return True
    return False


def _best_path(scores: NDArray[np.float64], offsets: list[int], difference: int) -> list[int]:
    """The state of each row on the path of the highest sum (Viterbi)."""
    import numpy as np

    values = np.array(offsets, dtype=float)
    prices = PRICE * np.abs(values[:, None] - values[None, :])
    best = scores[:, 0] - PRICE * np.abs(values)
    came_from = np.zeros((scores.shape[1], len(offsets)), dtype=np.int32)
    states = np.arange(len(offsets))
    for row in range(1, scores.shape[1]):
        steps = best[:, None] - prices
        came_from[row] = steps.argmax(axis=0)
        best = steps[came_from[row], states] + scores[:, row]
    path = [int((best - PRICE * np.abs(values - difference)).argmax())]
    for row in range(scores.shape[1] - 1, 0, -1):
        path.append(int(came_from[row, path[-1]]))
    return path[::-1]


def _pairs(
    path: list[int],
    scores: NDArray[np.float64],
    offsets: list[int],
    refs: int,
    mean: float,
) -> Alignment:
    """The path as pairs: where it steps up references are alone, where down hypotheses."""
    hyps = len(path)
    alone = [False] * hyps
    ends = [0, *path, refs - hyps]
    falls = [row for row in range(hyps + 1) if ends[row + 1] < ends[row]]
    for row in falls:
        before, after = ends[row], ends[row + 1]
        extra = _inserted(row, before, after, scores, offsets)
        for i in extra:
            alone[i] = True
        # The path gives a row on either side of the step; the rows between have one offset.
        path[row : extra.start] = [before] * len(range(row, extra.start))
        path[extra.stop : row] = [after] * len(range(extra.stop, row))
    pairs: list[tuple[int | None, int | None]] = []
    ref = 0
    for row in range(hyps):
        if alone[row]:
            pairs.append((row, None))
            continue
        # Whatever the path says of rows beside an insertion, references only go forward.
        own = min(max(ref, row + path[row]), refs)
        pairs += [(None, skipped) for skipped in range(ref, own)]
        ref = own
        if ref < refs:
            pairs.append((row, ref))
            ref += 1
        else:
            pairs.append((row, None))
    pairs += [(None, skipped) for skipped in range(ref, refs)]
    return Alignment(pairs, mean)


def _inserted(
    row: int, before: int, after: int, scores: NDArray[np.float64], offsets: list[int]
) -> range:
    """The rows without a reference where the offset falls at `row` from `before` to `after`."""
    import numpy as np

    extra = before - after
    start, end = max(0, row - extra - _NEAR), min(scores.shape[1], row + extra + _NEAR)
    old = np.concatenate([[0.0], np.cumsum(scores[before - offsets[0], start:end])])
    new = np.concatenate([[0.0], np.cumsum(scores[after - offsets[0], start:end])])
    # Rows below `at` keep the old offset, `extra` rows are left out, the rest has the new one.
    sums = [old[at] + new[-1] - new[at + extra] for at in range(end - start - extra + 1)]
    first = start + int(np.argmax(sums)) if sums else row
    return range(first, first + extra)

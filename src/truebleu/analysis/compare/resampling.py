# SPDX-License-Identifier: Apache-2.0
"""Systems on the same units, resampled by the kernel, in steps that take about as long as a blink.

Each random number is a function of the seed and its place, so neither the steps nor the threads
change a result: SplitMix64 by place (Steele, Lea and Flood 2014, *Fast splittable pseudorandom
number generators*). A unit is what is drawn: a segment, or a document.
"""

from __future__ import annotations

from itertools import combinations

from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import Pcg64, Resampler, make_room
from truebleu.metrics.ter import TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.stats import Rows

    #: For each pair of systems, how many resamples differ more than they do, and how many as much.
    Counts = list[tuple[int, int]]

#: Bytes that a pair of systems takes until it is part of a comparison.
_PAIR = 1 << 11

#: Resamples in a step: few where each has much to add up.
_MOST_IN_A_STEP, _FEWEST_IN_A_STEP, _ADDED_IN_A_STEP = 2048, 64, 1 << 27


def make_room_for_pairs(systems: int) -> None:
    """Make sure that there is memory for all pairs of so many systems."""
    make_room(_PAIR * systems * (systems - 1) // 2)


class Resampling:
    """The systems' statistics, held by the kernel; `Stats` are not needed any more.

    Args:
        metric: the BLEU, CHRF or TER whose scores are resampled.
        systems: statistics of each system, a row for each unit.
        progress: is called with the number of resamples or units that were done in a step.
    """

    def __init__(
        self,
        metric: Any,
        systems: Sequence[Rows],
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.units = len(systems[0])
        self.systems = len(systems)
        make_room_for_pairs(self.systems)
        self.pairs = list(combinations(range(len(systems)), 2))
        self._kernel = Resampler(metric.plan, [stats.buffer for stats in systems])
        self._threads = metric.threads
        #: What makes more of a score better.
        self.sign = 1 if metric.higher_is_better else -1
        self.metric = metric
        self._progress = progress

    def bootstrap(self, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
        """Scores of resamples drawn with replacement: arrays with a column for each system."""
        for first, count in self._steps(resamples):
            yield self._table(self._kernel.bootstrap(seed, first, count, self._threads))

    def permutation(self, resamples: int, seed: int) -> Counts:
        """How scores differ when each unit's rows change places or not, by a coin."""
        return self._sum(
            self._kernel.permutation(seed, first, count, self._threads)
            for first, count in self._steps(resamples)
        )

    def jackknife(self) -> Iterator[NDArray[np.float64]]:
        """Scores without one unit after the other: arrays with a column for each system."""
        for first, count in self._steps(self.units):
            yield self._table(self._kernel.jackknife(first, count, self._threads))

    def numpy_bootstrap(self, resamples: int, draws: Pcg64) -> list[NDArray[Any]]:
        """The scores of each system, with sacreBLEU's draws and in its 32-bit floats (of NumPy 2).

        Its BLEU ends in 64 bits, because the exponential function does.

        Raises:
            OverflowError: 32 bits would not hold the sums.
        """
        import numpy as np

        steps = [
            self._table(self._kernel.numpy_bootstrap(draws, count, self._threads))
            for _, count in self._steps(resamples)
        ]
        scores = np.concatenate(steps).T
        if isinstance(self.metric, BLEU):
            return list(scores)
        # A chrF of 0 is a number of Python's there, and one of them makes 64 bits of all.
        short = isinstance(self.metric, TER)
        return [one.astype(np.float32) if short or one.all() else one for one in scores]

    def numpy_permutation(self, resamples: int, draws: Pcg64) -> Counts:
        """As `permutation`, with sacreBLEU's draws."""
        return self._sum(
            self._kernel.numpy_permutation(draws, count) for _, count in self._steps(resamples)
        )

    def _sum(self, parts: Iterable[Counts]) -> Counts:
        counts = [(0, 0)] * len(self.pairs)
        for part in parts:
            counts = [
                (more + new_more, equal + new_equal)
                for (more, equal), (new_more, new_equal) in zip(counts, part, strict=True)
            ]
        return counts

    def _steps(self, count: int) -> Iterator[tuple[int, int]]:
        most = _ADDED_IN_A_STEP // (self.units * self.systems)
        step = min(max(most, _FEWEST_IN_A_STEP), _MOST_IN_A_STEP)
        # So many coins of sacreBLEU's end where a number of its generator ends.
        step -= step % _FEWEST_IN_A_STEP
        for first in range(0, count, step):
            done = min(step, count - first)
            yield first, done
            self._progress(done)

    def _table(self, scores: Any) -> NDArray[np.float64]:
        import numpy as np

        return np.frombuffer(scores, dtype=np.float64).reshape(-1, self.systems)


def numpy_draws(generator: np.random.Generator) -> Pcg64:
    """What a new `numpy.random.default_rng(seed)` would draw, for the kernel to draw."""
    state = generator.bit_generator.state["state"]
    return Pcg64(state["state"], state["inc"])

# SPDX-License-Identifier: Apache-2.0
"""Resampling by the kernel, in steps that each take a fraction of a second.

Each random number is a function of the seed and its index, so neither the steps nor the threads
change a result: SplitMix64 (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
generators*). The units that are drawn are segments or documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import Pcg64, Resampler
from truebleu.metrics.stats import Rows
from truebleu.metrics.ter import TER

#: For each pair of systems: resamples with a larger difference, and with an equal one.
Counts = list[tuple[int, int]]

#: Resamples in a step: few where each has much to add up.
_MOST_IN_A_STEP, _FEWEST_IN_A_STEP, _ADDED_IN_A_STEP = 2048, 64, 1 << 27


class Resampling:
    """Several systems' statistics, one row per unit, and their resamples.

    `progress` is called with the number of resamples or units of each step.
    """

    def __init__(
        self,
        metric: Any,
        systems: Sequence[Rows],
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.metric = metric
        self.units = len(systems[0])
        self.systems = len(systems)
        self.pairs = list(combinations(range(self.systems), 2))
        #: 1 if a higher score is better, else -1.
        self.sign = 1 if metric.higher_is_better else -1
        self._kernel = Resampler(metric.plan, [stats.buffer for stats in systems])
        self._progress = progress

    def bootstrap(self, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
        """Scores of resamples drawn with replacement: arrays with one column per system."""
        for first, count in self._steps(resamples):
            yield self._table(self._kernel.bootstrap(seed, first, count, self.metric.threads))

    def permutation(self, resamples: int, seed: int) -> Counts:
        """Counts of differences; a coin toss per unit decides whether its rows are exchanged."""
        return self._sum(
            self._kernel.permutation(seed, first, count, self.metric.threads)
            for first, count in self._steps(resamples)
        )

    def jackknife(self) -> Iterator[NDArray[np.float64]]:
        """Scores without each unit in turn: arrays with one column per system."""
        for first, count in self._steps(self.units):
            yield self._table(self._kernel.jackknife(first, count, self.metric.threads))

    def numpy_bootstrap(self, resamples: int, draws: Pcg64) -> list[NDArray[Any]]:
        """The scores of each system, with sacreBLEU's draws and in its 32-bit floats (of NumPy 2).

        Its BLEU ends in 64 bits, because the exponential function does.

        Raises:
            OverflowError: the sums do not fit into 32 bits.
        """
        steps = [
            self._table(self._kernel.numpy_bootstrap(draws, count, self.metric.threads))
            for _, count in self._steps(resamples)
        ]
        scores = np.concatenate(steps).T
        if isinstance(self.metric, BLEU):
            return list(scores)
        # There, a chrF of 0 is a Python float, and one of them makes the array 64-bit.
        short = isinstance(self.metric, TER)
        return [one.astype(np.float32) if short or one.all() else one for one in scores]

    def numpy_permutation(self, resamples: int, draws: Pcg64) -> Counts:
        """As `permutation`, with sacreBLEU's draws."""
        return self._sum(
            self._kernel.numpy_permutation(draws, count) for _, count in self._steps(resamples)
        )

    def _sum(self, parts: Iterable[Counts]) -> Counts:
        counts = np.zeros((len(self.pairs), 2), dtype=np.int64)
        for part in parts:
            counts += np.array(part)
        return [(more, equal) for more, equal in counts.tolist()]

    def _steps(self, count: int) -> Iterator[tuple[int, int]]:
        """The first resample and the number of resamples of each step."""
        most = _ADDED_IN_A_STEP // (self.units * self.systems)
        step = min(max(most, _FEWEST_IN_A_STEP), _MOST_IN_A_STEP)
        # sacreBLEU's coins of this many resamples end where a number of its generator ends.
        step -= step % _FEWEST_IN_A_STEP
        for first in range(0, count, step):
            done = min(step, count - first)
            yield first, done
            self._progress(done)

    def _table(self, scores: Any) -> NDArray[np.float64]:
        return np.frombuffer(scores, dtype=np.float64).reshape(-1, self.systems)


def numpy_draws(generator: np.random.Generator) -> Pcg64:
    """The kernel's copy of a new `numpy.random.default_rng(seed)`."""
    state = generator.bit_generator.state["state"]
    return Pcg64(state["state"], state["inc"])

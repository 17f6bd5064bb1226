# SPDX-License-Identifier: Apache-2.0
"""Resampling by the kernel, in steps that each take a fraction of a second.

Each random number is a function of the seed and its index, so neither the steps nor the threads
change a result: SplitMix64 (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
generators*). The units that are drawn are segments or documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.kernel import Pcg64, Resampler
from truebleu.metrics.stats import Rows

Array = NDArray[np.float64]

#: sacreBLEU's random seed.
SEED = 12345

#: Resampled scores of all systems together that are kept for intervals: 8 MB. p-values count every
#: resample.
KEPT = 1 << 20

#: Resamples in a step: few where each has much to add up, or many pairs.
_MOST_IN_A_STEP, _FEWEST_IN_A_STEP, _ADDED_IN_A_STEP = 2048, 64, 1 << 27
_DIFFERENCES_IN_A_STEP = 1 << 20


class Resampling:
    """Several systems' statistics, one row per unit, and their resamples.

    Pairs are all, or those with the system `baseline`, by its place. `progress` is called with the
    number of resamples or units of each step.
    """

    def __init__(
        self,
        metric: Any,
        systems: Sequence[Rows],
        progress: Callable[[int], None] = lambda _: None,
        baseline: int | None = None,
    ) -> None:
        self.metric = metric
        self.units = len(systems[0])
        self.systems = len(systems)
        #: Rows of all systems together.
        self.rows = self.units * self.systems
        self.pairs = pair_places(self.systems, baseline)
        #: The names of the strata, if scores are means over some.
        self.strata: tuple[str, ...] = ()
        #: Whether the systems can be ranked among each other.
        self.is_ranked = True
        #: The standard deviation of scores from the fit of strata and systems, if there is one.
        self.misfit = 0.0
        #: 1 if a higher score is better, else -1.
        self.sign = 1 if metric.higher_is_better else -1
        self._kernel = Resampler(metric.plan, [stats.buffer for stats in systems])
        self.progress = progress

    def column(self, place: int) -> tuple[int, tuple[str, ...]]:
        """The place of the system whose scores are in a column, and its strata."""
        return place, self.strata

    def bootstrap(self, resamples: int, seed: int, start: int = 0) -> Iterator[Array]:
        """Scores of resamples drawn with replacement: arrays with one column per system.

        `start` is the number of the first resample.
        """
        for first, count in self._steps(resamples):
            yield self.drawn(seed, start + first, count)

    def permutation(self, resamples: int, seed: int, start: int = 0) -> Iterator[Array]:
        """Absolute differences after exchanges of units: arrays with one column per pair.

        A coin toss per unit decides whether each pair exchanges its rows, the same toss for all.
        """
        for first, count in self._steps(resamples):
            yield np.abs(self.exchanged(seed, start + first, count))

    def jackknife(self) -> Iterator[Array]:
        """Scores without each unit in turn: arrays with one column per system."""
        for first, count in self._steps(self.units):
            yield self._table(self._kernel.jackknife((first, count), self.metric.threads))

    def drawn(self, seed: int, first: int, count: int) -> Array:
        """A step of `bootstrap`: the scores of `count` resamples from number `first` on."""
        return self._table(self._kernel.bootstrap(seed, (first, count), self.metric.threads))

    def exchanged(self, seed: int, first: int, count: int) -> Array:
        """A step of `permutation` with signs: the second of each pair minus the first."""
        drawn = self._kernel.permutation(self.pairs, seed, (first, count), self.metric.threads)
        return self._table(drawn, len(self.pairs))

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
        if self.metric.name == "BLEU":
            return list(scores)
        # There, a chrF of 0 is a Python float, and one of them makes the array 64-bit.
        short = self.metric.name == "TER"
        return [values.astype(np.float32) if short or values.all() else values for values in scores]

    def numpy_permutation(self, resamples: int, draws: Pcg64) -> Iterator[Array]:
        """As `permutation`, with sacreBLEU's draws."""
        for _, count in self._steps(resamples):
            drawn = self._kernel.numpy_permutation(self.pairs, draws, count)
            yield np.abs(self._table(drawn, len(self.pairs)))

    def _steps(self, count: int) -> Iterator[tuple[int, int]]:
        """The first resample and the number of resamples of each step."""
        most = min(_ADDED_IN_A_STEP // self.rows, _DIFFERENCES_IN_A_STEP // max(1, len(self.pairs)))
        step = min(max(most, _FEWEST_IN_A_STEP), _MOST_IN_A_STEP)
        # sacreBLEU's coins of this many resamples end where a number of its generator ends.
        step -= step % _FEWEST_IN_A_STEP
        for first in range(0, count, step):
            done = min(step, count - first)
            yield first, done
            self.progress(done)

    def _table(self, values: Any, columns: int = 0) -> Array:
        return np.frombuffer(values, dtype=np.float64).reshape(-1, columns or self.systems)


def pair_places(systems: int, baseline: int | None) -> list[tuple[int, int]]:
    """All pairs of systems, or those with the baseline."""
    if baseline is None:
        return list(combinations(range(systems), 2))
    return [(baseline, other) for other in range(systems) if other != baseline]


def resampled_scores(resampling: Resampling, resamples: int, seed: int) -> Array:
    """Scores of bootstrap resamples, for intervals; one column per system."""
    return np.concatenate(list(resampling.bootstrap(min(resamples, kept(resampling)), seed)))


def kept(resampling: Resampling) -> int:
    """Resamples whose scores are kept."""
    return max(1, KEPT // resampling.systems)


def numpy_draws(generator: np.random.Generator) -> Pcg64:
    """The kernel's copy of a new `numpy.random.default_rng(seed)`."""
    state = generator.bit_generator.state["state"]
    return Pcg64(state["state"], state["inc"])

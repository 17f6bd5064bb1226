# SPDX-License-Identifier: Apache-2.0
"""Paired tests: for each, resampled scores and p-values of every pair of systems.

A p-value is (c + 1) / (n + 1): c of n resamples are at least as extreme as the observed difference,
which counts as one of them. So the level holds for any n (Phipson and Smyth 2010, *Permutation
p-values should never be zero*).

All pairs share the draws. So the resamples are also a sample of how the differences of all pairs
vary together, which step-down maxT needs. The differences of a pair are divided by their root mean
square over further resamples of their own: these do not depend on which of the resamples is the
observed one, so the level holds for any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truebleu.analysis.compare.corrections import max_t
from truebleu.errors import InputError, OptionError
from truebleu.metrics.resampling import Array, Resampling, kept, numpy_draws, resampled_scores

#: Resampled scores, one column per system; a p-value per pair; and those after maxT.
Result = tuple[Array, list[float], list[float]]

#: Resamples that estimate how much the differences of each pair vary: to 2 %.
PILOT = 1024


def permutation(resampling: Resampling, observed: Sequence[float], resamples: int, seed: int) -> Result:
    """Paired approximate randomization, two-sided.

    If two systems are equally good, their outputs of a unit can be exchanged (Noreen 1989,
    *Computer-intensive methods for testing hypotheses*; Riezler and Maxwell 2005).
    """
    scores = resampled_scores(resampling, resamples, seed)
    scale = _scale(resampling, resampling.permutation(PILOT, seed, resamples))
    return scores, *max_t(_gaps(resampling, observed), scale, resampling.permutation(resamples, seed))


def bootstrap(resampling: Resampling, observed: Sequence[float], resamples: int, seed: int) -> Result:
    """A paired bootstrap, two-sided.

    The spread of the resampled differences around the observed one estimates its error (Hall and
    Wilson 1991, *Two guidelines for bootstrap hypothesis testing*).
    """
    a, b = np.transpose(resampling.pairs)
    differences = np.subtract(*(np.array(observed)[places] for places in (b, a)))
    stored: list[Array] = []

    def errors(resamples: int, start: int = 0) -> Iterator[Array]:
        left = 0 if start else kept(resampling)
        for scores in resampling.bootstrap(resamples, seed, start):
            if left > 0:  # an empty view would keep the memory of its step
                stored.append(scores[:left])
                left -= len(scores)
            yield np.abs(scores[:, b] - scores[:, a] - differences)

    ps = max_t(np.abs(differences), _scale(resampling, errors(PILOT, resamples)), errors(resamples))
    return np.concatenate(stored), *ps


def sacrebleu_ar(resampling: Resampling, observed: Sequence[float], resamples: int, seed: int) -> Result:
    """sacreBLEU's approximate randomization, with its draws; a tie does not count as extreme."""
    scores = resampled_scores(resampling, resamples, seed)
    steps = resampling.numpy_permutation(resamples, numpy_draws(np.random.default_rng(seed)))
    gaps = _gaps(resampling, observed)
    counts = np.zeros(len(gaps), dtype=np.int64)
    for step in steps:
        counts += len(step) - np.count_nonzero(step <= gaps, axis=0)
    return scores, ((counts + 1) / (resamples + 1)).tolist(), []


def sacrebleu_bootstrap(resampling: Resampling, observed: Sequence[float], resamples: int, seed: int) -> Result:
    """sacreBLEU's paired bootstrap, which is Moses': anti-conservative.

    It centers absolute differences and so uses one tail of two: at a level of 5 % it calls about
    10 % of equal systems different.

    Raises:
        InputError: the test set is too large for sacreBLEU's 32-bit floats.
        OptionError: too many resamples for the memory of a test.
    """
    most = kept(resampling)
    if resamples > most:  # p-values need the mean of all scores, and intervals their order
        raise OptionError(
            f"sacrebleu-bootstrap keeps all scores: resamples can be at most {most} for "
            f"{resampling.systems} systems; use the test bootstrap for more"
        )
    try:
        scores = resampling.numpy_bootstrap(resamples, numpy_draws(np.random.default_rng(seed)))
    except OverflowError as error:
        raise InputError(f"{error}, more than sacreBLEU's 32-bit floats can count; use the test bootstrap") from None
    ps = []
    for a, b in resampling.pairs:
        gap = abs(observed[b] - observed[a])
        differences = np.abs(scores[b] - scores[a])
        ps.append(float((np.count_nonzero(differences - differences.mean() > gap) + 1) / (resamples + 1)))
    return np.column_stack(scores), ps, []


def _gaps(resampling: Resampling, observed: Sequence[float]) -> Array:
    return np.array([abs(observed[a] - observed[b]) for a, b in resampling.pairs])


def _scale(resampling: Resampling, steps: Iterator[Array]) -> Array:
    """The root mean square of each pair's differences; 1 for a single pair, which needs none."""
    if len(resampling.pairs) == 1:
        return np.ones(1)
    return np.asarray(np.sqrt((np.nan_to_num(np.concatenate(list(steps))) ** 2).mean(axis=0)))


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test; sacreBLEU's has the same number of resamples for any number of pairs, and no maxT."""

    run: Callable[[Resampling, Sequence[float], int, int], Result]
    resamples: int = 10_000
    sacrebleu: bool = False
    warning: str = ""

    def p_values(self, resampling: Resampling, observed: Sequence[float], resamples: int, seed: int) -> list[float]:
        """The p-values of `run`, without its scores and its correction."""
        if self.run is not permutation:
            return self.run(resampling, observed, resamples, seed)[1]
        gaps = _gaps(resampling, observed)
        return max_t(gaps, np.ones(len(gaps)), resampling.permutation(resamples, seed))[0]


TESTS = {
    "permutation": PairedTest(permutation),
    "bootstrap": PairedTest(bootstrap),
    "sacrebleu-ar": PairedTest(sacrebleu_ar, sacrebleu=True),
    "sacrebleu-bootstrap": PairedTest(
        sacrebleu_bootstrap,
        resamples=1_000,
        sacrebleu=True,
        warning="sacreBLEU's bootstrap is anti-conservative: at a level of 5 % it calls about 10 % "
        "of equal systems different; the tests permutation and bootstrap keep their level",
    ),
}

# SPDX-License-Identifier: Apache-2.0
"""Paired tests: for each, resampled scores and a p-value of every pair of systems.

A p-value is (c + 1) / (n + 1): c of n resamples are at least as extreme as the observed difference,
which counts as one of them. So the level holds for any n (Phipson and Smyth 2010, *Permutation
p-values should never be zero*).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.compare.resampling import Resampling, numpy_draws
from truebleu.errors import InputError, OptionError

#: Resampled scores, one column per system, and a p-value per pair.
Result = tuple[NDArray[np.float64], list[float]]

#: Resampled scores of all systems together that are kept for intervals: 8 MB. p-values count every
#: resample.
KEPT = 1 << 20


def permutation(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Result:
    """Paired approximate randomization, two-sided.

    If two systems are equally good, their outputs of a unit can be exchanged (Noreen 1989,
    *Computer-intensive methods for testing hypotheses*; Riezler and Maxwell 2005).
    """
    scores, _ = _bootstrap(resampling, observed, min(resamples, _kept(resampling)), seed)
    counts = resampling.permutation(resamples, seed)
    return scores, [(more + equal + 1) / (resamples + 1) for more, equal in counts]


def bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Result:
    """A paired bootstrap, two-sided.

    The spread of the resampled differences around the observed one estimates its error (Hall and
    Wilson 1991, *Two guidelines for bootstrap hypothesis testing*).
    """
    scores, counts = _bootstrap(resampling, observed, resamples, seed)
    return scores, [(count + 1) / (resamples + 1) for count in counts]


def sacrebleu_ar(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Result:
    """sacreBLEU's approximate randomization, with its draws; a tie does not count as extreme."""
    scores, _ = _bootstrap(resampling, observed, min(resamples, _kept(resampling)), seed)
    draws = numpy_draws(np.random.default_rng(seed))
    counts = resampling.numpy_permutation(resamples, draws)
    return scores, [(more + 1) / (resamples + 1) for more, _ in counts]


def sacrebleu_bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Result:
    """sacreBLEU's paired bootstrap, which is Moses': anti-conservative.

    It centers absolute differences and so uses one tail of two: at a level of 5 % it calls about
    10 % of equal systems different.

    Raises:
        InputError: the test set is too large for sacreBLEU's 32-bit floats.
        OptionError: too many resamples for the memory of a test.
    """
    most = _kept(resampling)
    if resamples > most:  # p-values need the mean of all scores, and intervals their order
        raise OptionError(
            f"sacrebleu-bootstrap keeps all scores: resamples can be at most {most} for "
            f"{resampling.systems} systems; use the test bootstrap for more"
        )
    try:
        scores = resampling.numpy_bootstrap(resamples, numpy_draws(np.random.default_rng(seed)))
    except OverflowError as error:
        raise InputError(
            f"{error}, more than sacreBLEU's 32-bit floats can count; use the test bootstrap"
        ) from None
    ps = []
    for a, b in resampling.pairs:
        gap = abs(observed[b] - observed[a])
        differences = np.abs(scores[b] - scores[a])
        ps.append(exceeding(differences - differences.mean(), gap))
    return np.column_stack(scores), ps


def exceeding(values: NDArray[np.float64], gap: float) -> float:
    """sacreBLEU's p-value: the share of values above `gap`, counting one more of each."""
    return float((np.count_nonzero(values > gap) + 1) / (len(values) + 1))


def _kept(resampling: Resampling) -> int:
    """Resamples whose scores are kept."""
    return max(1, KEPT // resampling.systems)


def _bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> tuple[NDArray[np.float64], list[int]]:
    """The first resampled scores, and for each pair the number of extreme differences."""
    blocks, left = [], _kept(resampling)
    counts = [0] * len(resampling.pairs)
    for scores in resampling.bootstrap(resamples, seed):
        if left > 0:  # an empty view would keep the memory of its step
            blocks.append(scores[:left])
            left -= len(scores)
        for i, (a, b) in enumerate(resampling.pairs):
            gap = observed[b] - observed[a]
            error = np.abs(scores[:, b] - scores[:, a] - gap)
            # NaN counts as extreme: it is not evidence of a difference.
            counts[i] += len(scores) - int(np.count_nonzero(error < abs(gap)))
    return np.concatenate(blocks), counts


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test; sacreBLEU's has the same number of resamples for any number of pairs."""

    run: Callable[[Resampling, Sequence[float], int, int], Result]
    resamples: int = 10_000
    sacrebleu: bool = False
    warning: str = ""


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

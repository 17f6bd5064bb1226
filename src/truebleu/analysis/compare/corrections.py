# SPDX-License-Identifier: Apache-2.0
"""Many tests at once: corrected p-values, the resamples they need, ranks, and power.

Power is the smallest difference that a test set detects, and the size that detects a difference. A
difference of scores is close to normal, and its standard error falls with the square root of the
number of segments (Cohen 1988, *Statistical power analysis*; for translation, Card and others 2020,
*With little power comes great responsibility*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from truebleu.errors import InputError, OptionError, quantity

Array = NDArray[np.float64]

#: Corrections by option, and the names of their methods.
CORRECTIONS = {"maxt": "maxT", "holm": "Holm", "bh": "Benjamini-Hochberg"}

#: The most resamples that a test draws by default: minutes for a hundred systems.
_MOST = 1_000_000


def max_t(gaps: Array, scale: Array, steps: Iterable[Array]) -> tuple[list[float], list[float]]:
    """p-values of each test alone, and after the step-down maxT correction.

    Westfall and Young 1993, *Resampling-Based Multiple Testing*, algorithm 4.1. A test is compared
    with the largest statistic, in each resample, of all tests with no more evidence than it has.
    The correction thus knows how the tests depend on each other, and the probability of even one
    error stays below the level.

    Args:
        gaps: the observed differences, above 0; a column for each test.
        scale: by which differences are divided, so that those of all tests vary alike.
        steps: differences of resamples if there is no true difference, a row for each resample.
            NaN counts as extreme: it is not evidence of a difference.
    """
    scale = np.where(scale > 0, scale, 1.0)
    order = np.argsort(gaps / scale, kind="stable")
    observed = (gaps / scale)[order]
    alone, joint = np.zeros((2, len(gaps)), dtype=np.int64)
    resamples = 0
    for step in steps:
        resamples += len(step)
        alone += len(step) - np.count_nonzero(step < gaps, axis=0)
        largest = np.maximum.accumulate((step / scale)[:, order], axis=1)
        joint[order] += len(step) - np.count_nonzero(largest < observed, axis=0)
    # No test may have a smaller value than one with more evidence.
    joint[order] = np.maximum.accumulate(joint[order][::-1])[::-1]
    of_each, after = (((counts + 1) / (resamples + 1)).tolist() for counts in (alone, joint))
    return of_each, after


def holm(ps: Sequence[float]) -> list[float]:
    """p-values after Holm's correction: the probability of even one error stays below the level.

    It holds for dependent tests (Holm 1979, *A simple sequentially rejective multiple test
    procedure*).
    """
    return _in_order_of(ps, np.maximum.accumulate(np.sort(ps) * np.arange(len(ps), 0, -1)))


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """p-values after Benjamini and Hochberg's correction, which bounds the share of errors.

    Less strict than Holm (Benjamini and Hochberg 1995, *Controlling the false discovery rate*).
    """
    return _in_order_of(ps, np.minimum.accumulate((np.sort(ps) * (len(ps) / np.arange(1, len(ps) + 1)))[::-1])[::-1])


def _in_order_of(ps: Sequence[float], ascending: Array) -> list[float]:
    """Corrected p-values, at most 1, of which those of the smallest come first."""
    corrected = np.empty(len(ps))
    corrected[np.argsort(ps, kind="stable")] = np.minimum(ascending, 1)
    return list(map(float, corrected))


def resamples_needed(tests: int, alpha: float, least: int = 1) -> int:
    """The number of resamples that let p-values that are multiplied reach a tenth of the level.

    The smallest p-value of n resamples is 1 / (n + 1). Holm's correction multiplies it by the
    number of tests, and so does Benjamini and Hochberg's if it is the only small one; maxT does
    not multiply. The result is at least `least` and at most a million.
    """
    return max(least, ceil(min(10 * tests / alpha, _MOST)))


def resamples_warning(tests: int, alpha: float, resamples: int, after: str) -> str:
    """A warning if this many resamples do not reach a tenth of the level; else empty.

    `tests` is the number that the smallest p-value is multiplied by; `after` names the correction.
    """
    smallest = min(1.0, tests / (resamples + 1))
    if smallest <= alpha / 10:
        return ""
    result = "no difference can be significant" if smallest > alpha else "p-values are coarse"
    pairs = f" of {quantity(tests, 'pair')}" if tests > 1 else ""
    return (
        f"{result}: p{after} is {smallest:.2g} or more with {quantity(resamples, 'resample')}"
        f"{pairs}, and the level is {alpha:g}; draw {10 * tests / alpha:,.0f} or more"
    )


def after(correction: str | None, pairs: int) -> str:
    """The end of a sentence about a p-value that was corrected for pairs, or for other tests."""
    if correction and pairs > 1:
        return f" corrected for {pairs:,} pairs"
    return f" after {correction}" if correction else ""


def clusters(scores: Sequence[float], differ: Callable[[int, int], bool]) -> list[int]:
    """The cluster of each system, as WMT ranks systems (Bojar and others 2013, section 3.4).

    Each system of a cluster differs from each system of the later ones; 1 is the best.

    Args:
        scores: of the systems; more is better.
        differ: whether two systems differ significantly, by their indices in `scores`.
    """
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    cluster_of = [1] * len(scores)
    cluster = 1
    for place, i in enumerate(order):
        above, below = order[:place], order[place:]
        if place and all(differ(high, low) for high in above for low in below):
            cluster += 1
        cluster_of[i] = cluster
    return cluster_of


#: The conventional probability of detecting a true difference.
POWER = 0.8


def detectable(standard_error: float, alpha: float = 0.05, power: float = POWER) -> float:
    """The smallest true difference that a two-sided test detects with this power."""
    return (NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)) * standard_error


def units_needed(difference: float, standard_error: float, units: int, alpha: float = 0.05) -> int:
    """The number of segments that detect a true difference with the conventional power."""
    if not 0 < difference < inf:
        raise OptionError(f"the difference to detect cannot be {difference!r}; give one above 0")
    if not 0 <= standard_error < inf:
        raise InputError("the standard error of the difference is not finite; power is unknown")
    return ceil(units * (detectable(standard_error, alpha) / difference) ** 2)

# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals of scores and differences, from their values on resamples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.resampling import SEED, Resampling, resampled_scores
from truebleu.metrics.stats import Rows

Array = NDArray[np.float64]
#: Lower and upper end.
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spread:
    """The variation of resampled values; `above` is the share above 0, a value of 0 counts half."""

    interval: Interval
    percentile: Interval
    mean: float
    standard_error: float
    above: float


def spreads(resampling: Resampling, observed: list[float], resampled: Array, level: float) -> list[Spread]:
    """The spreads of all systems, then those of all pairs; `resampled` has a column per system.

    The intervals of several pairs hold at once with the probability `level`.
    """

    def column(scores: Array, b: int, a: int | None) -> Array:
        return scores[:, b] if a is None else scores[:, b] - scores[:, a]

    columns: list[tuple[int, int | None]] = [(i, None) for i in range(len(observed))]
    columns += [(b, a) for a, b in resampling.pairs]
    first, second = np.array(resampling.pairs, dtype=np.intp).reshape(-1, 2).T
    powers = np.zeros((len(columns), 3))
    whole = np.array([observed])
    for scores in resampling.jackknife():
        left_out = np.ascontiguousarray((whole - scores).T)
        moved = np.concatenate([left_out, left_out[second] - left_out[first]])
        squares = moved * moved
        powers += np.transpose([power.sum(axis=1) for power in (moved, squares, squares * moved)])
    pairs = columns[len(observed) :]
    joint = level
    if len(pairs) > 1:
        joint = _joint_level((column(resampled, *pair) for pair in pairs), level)
    return [
        spread(
            column(resampled, *which),
            column(whole, *which).item(),
            acceleration(resampling.units, *sums),
            level if which[1] is None else joint,
        )
        for which, sums in zip(columns, powers.tolist(), strict=True)
    ]


def _joint_level(columns: Iterable[Array], level: float) -> float:
    """The level at which each interval covers its value, so that all do with the level given.

    Normal intervals cover all values at once if they are as wide as the largest deviation, in
    standard errors, of that share of the resamples (the single-step maxT of Westfall and Young
    1993).
    """
    largest = np.zeros(1)
    for values in columns:
        moved = np.abs(values - values.mean()) / (values.std() or 1.0)
        largest = np.maximum(largest, moved)
    width = float(np.quantile(largest, level))
    return level if isnan(width) else max(level, 2 * NormalDist().cdf(width) - 1)


def spread(values: Array, estimate: float, acceleration: float, level: float) -> Spread:
    """The spread of resampled values; see `bca` for the arguments."""
    ordered = np.sort(values)
    mean, deviation = float(ordered.mean()), float(ordered.std())
    if isnan(mean):
        return Spread((nan, nan), (nan, nan), nan, nan, nan)
    at_most, below = (int(ordered.searchsorted(0.0, side)) for side in ("right", "left"))
    return Spread(
        bca(ordered, estimate, acceleration, level),
        percentile(ordered, level),
        mean,
        deviation,
        1 - (at_most + below) / (2 * len(ordered)),
    )


def score_spread(metric: Any, stats: Rows, level: float, resamples: int = 10_000, seed: int = SEED) -> Spread | None:
    """The spread of a system's score over resamples, as in `compare`; None for one row or NaN."""
    observed = metric.score(stats).value
    if len(stats) < 2 or isnan(observed):
        return None
    resampling = Resampling(metric, [stats])
    scores = resampled_scores(resampling, resamples, seed)
    return spreads(resampling, [observed], scores, level)[0]


def percentile(ordered: Array, level: float = 0.95) -> Interval:
    """The percentile interval of ascending values (Efron 1981)."""
    tail = (1 - level) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def bca(ordered: Array, estimate: float, acceleration: float, level: float = 0.95) -> Interval:
    """The percentile interval corrected for bias and skewness.

    Efron 1987, *Better bootstrap confidence intervals*.

    Args:
        ordered: the resampled values, ascending.
        estimate: the value on the test set.
        acceleration: how fast the standard error changes with the value; see `acceleration`.
        level: the share of intervals built this way that contain the true score.
    """
    if ordered[0] == ordered[-1]:
        return float(ordered[0]), float(ordered[0])
    normal = NormalDist()
    below, up_to = (int(ordered.searchsorted(estimate, side)) for side in ("left", "right"))
    half = 0.5 / len(ordered)  # keeps the share of an estimate beyond all resamples off 0 and 1
    share = min(max((below + up_to) * half, half), 1 - half)
    bias = normal.inv_cdf(share)

    def corrected(tail: float) -> float:
        shifted = bias + normal.inv_cdf(tail)
        stretch = 1 - acceleration * shifted
        return normal.cdf(bias + shifted / stretch) if stretch > 0 else float(shifted > 0)

    tail = (1 - level) / 2
    return _quantile(ordered, corrected(tail)), _quantile(ordered, corrected(1 - tail))


def acceleration(units: int, first: float, second: float, third: float) -> float:
    """BCa's acceleration, from sums of powers of the whole minus each jackknife value."""
    mean = first / units
    squares = second - units * mean**2
    cubes = third - 3 * mean * second + 2 * units * mean**3
    scale = 6 * squares**1.5 if squares > 0 else 0.0  # 0 for scores of 1e-200, as NLTK gives them
    return cubes / scale if scale > 0 else 0.0


def mean_and_half_width(values: Array) -> Interval:
    """sacreBLEU's interval: the mean of resampled scores, and half the width of 95 % of them."""
    ordered = np.sort(values)
    tail = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - tail - 1] - ordered[tail])


def _quantile(ordered: Array, share: float) -> float:
    """The quantile by linear interpolation."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (ordered[high] - ordered[low]) * (place - low))

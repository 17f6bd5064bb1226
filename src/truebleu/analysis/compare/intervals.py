# SPDX-License-Identifier: Apache-2.0
"""How far a score or a difference varies, from what it is on resamples."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: Lower and upper end.
    Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spread:
    """What resampled values tell of the value that was observed.

    Attributes:
        interval: BCa.
        percentile: the middle of them.
        mean: of them.
        standard_error: their standard deviation.
        above: the share that is above 0; what is 0 counts half.
    """

    interval: Interval
    percentile: Interval
    mean: float
    standard_error: float
    above: float


def spread(
    values: NDArray[np.float64], estimate: float, acceleration: float, level: float
) -> Spread:
    """The spread of resampled values; see `bca` for the arguments."""
    import numpy as np

    ordered = np.sort(values)
    mean, deviation = float(ordered.mean()), float(ordered.std())
    if mean != mean:  # noqa: PLR0124  (one of them is no number)
        return Spread((nan, nan), (nan, nan), nan, nan, nan)
    at_most, below = (int(ordered.searchsorted(0.0, side)) for side in ("right", "left"))
    return Spread(
        bca(ordered, estimate, acceleration, level), percentile(ordered, level), mean, deviation,
        1 - (at_most + below) / (2 * len(ordered)),
    )  # fmt: skip


def percentile(ordered: NDArray[np.float64], level: float = 0.95) -> Interval:
    """The middle of the resampled values (Efron 1981).

    Args:
        ordered: the values, ascending.
        level: how much of them lies between the ends.
    """
    tail = (1 - level) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def bca(
    ordered: NDArray[np.float64], estimate: float, acceleration: float, level: float = 0.95
) -> Interval:
    """BCa: the same, corrected for bias and skewness.

    Efron 1987, *Better bootstrap confidence intervals*.

    Args:
        ordered: the resampled values, ascending.
        estimate: the value on the test set.
        acceleration: how fast the standard error changes with the value; see `acceleration`.
        level: how often intervals made so hold the true value.
    """
    from statistics import NormalDist

    if ordered[0] == ordered[-1]:
        return float(ordered[0]), float(ordered[0])
    normal = NormalDist()
    below, up_to = (int(ordered.searchsorted(estimate, side)) for side in ("left", "right"))
    half = 0.5 / len(ordered)  # an estimate beyond all resamples has no share that a normal has
    share = min(max((below + up_to) * half, half), 1 - half)
    bias = normal.inv_cdf(share)

    def corrected(tail: float) -> float:
        shifted = bias + normal.inv_cdf(tail)
        stretch = 1 - acceleration * shifted
        return normal.cdf(bias + shifted / stretch) if stretch > 0 else float(shifted > 0)

    tail = (1 - level) / 2
    return _quantile(ordered, corrected(tail)), _quantile(ordered, corrected(1 - tail))


def acceleration(units: int, first: float, second: float, third: float) -> float:
    """BCa's acceleration, from the jackknife.

    Args:
        units: how many values there are, each without one unit.
        first, second, third: sums of the powers of how far each is below the whole.
    """
    mean = first / units
    squares = second - units * mean**2
    cubes = third - 3 * mean * second + 2 * units * mean**3
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def mean_and_half_width(values: NDArray[np.float64]) -> Interval:
    """sacreBLEU's interval: the mean of resampled scores, and half the width of 95 % of them."""
    import numpy as np

    ordered = np.sort(values)
    tail = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - tail - 1] - ordered[tail])


def _quantile(ordered: NDArray[np.float64], share: float) -> float:
    """Between two values, as far as the share goes from one to the other."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (ordered[high] - ordered[low]) * (place - low))

# SPDX-License-Identifier: Apache-2.0
"""Many tests at once: corrected p-values, the resamples they need, and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from truebleu.errors import quantity

#: The most resamples that a test draws by default: minutes for a hundred systems.
_MOST = 1_000_000


def holm(ps: Sequence[float]) -> list[float]:
    """p-values after Holm's correction: the probability of even one error stays below the level.

    It holds for dependent tests (Holm 1979, *A simple sequentially rejective multiple test
    procedure*).
    """
    corrected = [0.0] * len(ps)
    largest = 0.0
    for done, i in enumerate(_ascending(ps)):
        largest = max(largest, min(1.0, (len(ps) - done) * ps[i]))
        corrected[i] = largest
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """p-values after Benjamini and Hochberg's correction, which bounds the share of errors.

    Less strict than Holm (Benjamini and Hochberg 1995, *Controlling the false discovery rate*).
    """
    corrected = [0.0] * len(ps)
    smallest = 1.0
    for rank, i in reversed(list(enumerate(_ascending(ps), start=1))):
        smallest = min(smallest, ps[i] * (len(ps) / rank))
        corrected[i] = smallest
    return corrected


def _ascending(ps: Sequence[float]) -> list[int]:
    return sorted(range(len(ps)), key=ps.__getitem__)


def resamples_needed(pairs: int, alpha: float, least: int = 1) -> int:
    """The number of resamples that let Holm's correction reject at a tenth of the level.

    The smallest p-value of n resamples is 1 / (n + 1), and the correction multiplies it by the
    number of pairs. The result is at least `least` and at most a million.
    """
    return max(least, ceil(min(10 * pairs / alpha, _MOST)))


def resamples_warning(pairs: int, alpha: float, resamples: int) -> str:
    """A warning if this many resamples do not reach a tenth of the level; else empty."""
    smallest = min(1.0, pairs / (resamples + 1))
    if smallest <= alpha / 10:
        return ""
    result = "no difference can be significant" if smallest > alpha else "p-values are coarse"
    return (
        f"{result}: p after Holm is {smallest:.2g} or more with {quantity(resamples, 'resample')} "
        f"of {quantity(pairs, 'pair')}, and the level is {alpha:g}; draw "
        f"{10 * pairs / alpha:,.0f} or more"
    )


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

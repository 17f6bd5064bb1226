# SPDX-License-Identifier: Apache-2.0
"""Many tests at once: p-values that allow for it, and ranks that follow from all of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """p-values after Holm's correction: the chance that any of them errs stays below the level.

    It holds however the tests depend on each other (Holm 1979, *A simple sequentially rejective
    multiple test procedure*).

    Example:
        >>> from truebleu.analysis.compare.corrections import holm
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(ps)
    largest = 0.0
    for done, i in enumerate(_ascending(ps)):
        largest = max(largest, min(1.0, (len(ps) - done) * ps[i]))
        corrected[i] = largest
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """p-values after Benjamini and Hochberg's correction: so large a share of finds may be wrong.

    Less strict than Holm (Benjamini and Hochberg 1995, *Controlling the false discovery rate*).

    Example:
        >>> from truebleu.analysis.compare.corrections import benjamini_hochberg
        >>> benjamini_hochberg([0.01, 0.04, 0.03])
        [0.03, 0.04, 0.04]
    """
    corrected = [0.0] * len(ps)
    smallest = 1.0
    for rank, i in reversed(list(enumerate(_ascending(ps), start=1))):
        smallest = min(smallest, ps[i] * (len(ps) / rank))
        corrected[i] = smallest
    return corrected


def _ascending(ps: Sequence[float]) -> list[int]:
    return sorted(range(len(ps)), key=ps.__getitem__)


def clusters(scores: Sequence[float], differ: Callable[[int, int], bool]) -> list[int]:
    """The cluster of each system, the best is 1: all above a border differ from all below it.

    So the translation tasks of WMT rank systems (Bojar and others 2013, section 3.4).

    Args:
        scores: of the systems; more is better.
        differ: whether a test tells two systems apart, by their places in `scores`.

    Example:
        >>> from truebleu.analysis.compare.corrections import clusters
        >>> clusters([30.0, 32.0, 29.5], lambda i, j: 1 in (i, j))
        [2, 1, 2]
    """
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    found = [1] * len(scores)
    cluster = 1
    for place, i in enumerate(order):
        above, below = order[:place], order[place:]
        if place and all(differ(high, low) for high in above for low in below):
            cluster += 1
        found[i] = cluster
    return found

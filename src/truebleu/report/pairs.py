# SPDX-License-Identifier: Apache-2.0
"""Pairs of systems as the page shows them: what is better less what is worse."""

from __future__ import annotations

from dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.compare.comparison import Pair


def upright(pair: Pair) -> Pair:
    """The pair in the order in which the difference is not below 0."""
    if pair.difference >= 0:
        return pair
    (low, high), (least, most) = pair.interval, pair.percentile
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        difference=-pair.difference,
        interval=(-high, -low),
        percentile=(-most, -least),
        effect=-pair.effect,
        superiority=1 - pair.superiority,
    )

# SPDX-License-Identifier: Apache-2.0
"""Intervals of simulated systems contain the true value as often as their level says."""

import pytest
from support.simulated_systems import error, population, samples

from truebleu import compare
from truebleu.metrics.intervals import acceleration


@pytest.mark.parametrize(
    ("segments", "replicates"),
    [(200, 300), *(pytest.param(n, 2000, marks=pytest.mark.slow) for n in (100, 200, 600))],
)
def test_intervals_hold_the_truth_as_often_as_they_say(segments, replicates):
    tables, (a, b) = population(0.1)
    hits = dict.fromkeys(["BCa", "percentile", "BCa of a difference", "percentile of one"], 0)
    for systems in samples(tables, segments, replicates):
        result = compare(systems, resamples=999, test="bootstrap", threads=1)
        system, pair = result.systems[0], result.pairs[0]
        for name, (low, high), truth in zip(
            hits,
            (system.interval, system.percentile, pair.interval, pair.percentile),
            (a, a, b - a, b - a),
            strict=True,
        ):
            hits[name] += low <= truth <= high
    for name, count in hits.items():
        share = count / replicates
        # A bootstrap of few segments is a little too sure of itself: 1 % at 100 of them.
        assert abs(share - 0.95) < 0.012 + 3 * error(0.95, replicates), (name, share)


def test_scores_near_zero_have_an_interval():
    # The cube of the square root of 1e-220 is no double.
    assert acceleration(10, 0.0, 1e-220, 0.0) == 0.0

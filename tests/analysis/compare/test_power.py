# SPDX-License-Identifier: Apache-2.0
"""Forecasts of power are kept on simulated systems."""

import math
from statistics import NormalDist

import pytest
from support.simulated_systems import error, p_value, population, samples

from truebleu import BLEU, compare
from truebleu.analysis.compare.power import detectable, units_needed


def test_power_is_the_normal_distributions():
    assert detectable(1.0) == pytest.approx(1.959964 + 0.841621, abs=1e-6)
    assert detectable(2.0, alpha=0.01, power=0.9) == pytest.approx(2 * (2.575829 + 1.281552))
    assert units_needed(detectable(0.5), 0.5, 1000) in (1000, 1001)
    assert units_needed(detectable(0.5) / 2, 0.5, 1000) in (4000, 4001)


def share_of_finds(tables, segments, replicates):
    """How many test sets of so many segments show that two systems differ."""
    bleu = BLEU(threads=1)
    finds = sum(
        p_value(bleu, list(systems.values()), "permutation", 499, i) <= 0.05
        for i, systems in enumerate(samples(tables, segments, replicates))
    )
    return finds / replicates


@pytest.mark.parametrize(
    ("segments", "replicates"),
    [(200, 300), pytest.param(200, 2000, marks=pytest.mark.slow),
     pytest.param(600, 2000, marks=pytest.mark.slow)],
)  # fmt: skip
@pytest.mark.parametrize("gain", [0.08, 0.15])
def test_a_difference_is_found_as_often_as_forecast(gain, segments, replicates):
    """The forecast is made from one test set, and kept on others."""
    tables, (a, b) = population(gain)
    first = next(samples(tables, 5000, 1, seed=1))
    pair = compare(first, resamples=2000, test="bootstrap").pairs[0]
    deviation = pair.standard_error * math.sqrt(5000)
    level = NormalDist().inv_cdf(0.975)
    forecast = NormalDist().cdf((b - a) / (deviation / math.sqrt(segments)) - level)
    share = share_of_finds(tables, segments, replicates)
    assert abs(share - forecast) < 0.03 + 3 * error(forecast, replicates), (share, forecast)


@pytest.mark.parametrize("replicates", [300, pytest.param(2000, marks=pytest.mark.slow)])
def test_so_many_segments_find_the_difference_four_times_in_five(replicates):
    tables, (a, b) = population(0.12)
    pair = compare(next(samples(tables, 3000, 1, seed=2)), resamples=2000).pairs[0]
    segments = pair.units_needed(b - a)
    share = share_of_finds(tables, segments, replicates)
    assert abs(share - 0.8) < 0.04 + 3 * error(0.8, replicates), (share, segments)

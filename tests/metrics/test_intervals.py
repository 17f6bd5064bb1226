# SPDX-License-Identifier: Apache-2.0
"""Intervals of simulated systems contain the true value as often as their level says."""

import pickle

import pytest
from support.example_texts import HYPS, REFS, TWO_REFS
from support.simulated_systems import error, population, samples

from truebleu import BLEU, CHRF, NIST, TER, compare, corpus_bleu
from truebleu.metrics.intervals import acceleration


@pytest.mark.parametrize(
    ("segments", "replicates"), [(200, 300), *(pytest.param(n, 2000, marks=pytest.mark.slow) for n in (100, 200, 600))]
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


@pytest.mark.parametrize("metric", [BLEU(), CHRF(), TER(), NIST()], ids=lambda metric: metric.name)
def test_one_system_has_the_interval_of_a_comparison(metric):
    score = metric.corpus(HYPS, TWO_REFS, confidence=0.9)
    for systems in ({"A": HYPS}, {"A": HYPS, "B": REFS}):
        system = compare(systems, TWO_REFS, metric=metric, alpha=0.1, robustness=False).systems[0]
        assert score.interval == pytest.approx(system.interval, rel=1e-12)
        assert score.standard_error == pytest.approx(system.standard_error, rel=1e-12)
    assert score.value == metric.corpus(HYPS, TWO_REFS).value
    assert pickle.loads(pickle.dumps(score)) == score  # noqa: S301
    low, high = score.interval
    assert score.to_dict()["interval"] == [low, high]
    assert str(score).endswith(f" 90 % interval {low:.{score._width}f} to {high:.{score._width}f}")


def test_an_interval_needs_segments():
    assert corpus_bleu(HYPS[:1], REFS[:1], confidence=0.95).interval is None


def test_scores_near_zero_have_an_interval():
    # The cube of the square root of 1e-220 is no double.
    assert acceleration(10, 0.0, 1e-220, 0.0) == 0.0

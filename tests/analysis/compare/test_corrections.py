# SPDX-License-Identifier: Apache-2.0
"""Corrections by their definitions, and clusters by theirs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu.analysis.compare.corrections import (
    benjamini_hochberg,
    clusters,
    holm,
    max_t,
    resamples_needed,
    resamples_warning,
)

ps = st.lists(st.integers(1, 1000).map(lambda n: n / 1000), min_size=1, max_size=12)
levels = st.integers(1, 999).map(lambda n: (n + 0.5) / 1000)


@given(ps, levels)
def test_holm_rejects_while_the_smallest_are_below_their_share(p_values, level):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    rejected = set()
    for done, i in enumerate(order):
        if p_values[i] > level / (len(p_values) - done):
            break
        rejected.add(i)
    corrected = holm(p_values)
    borders = {p_values[i] * (len(p_values) - done) for done, i in enumerate(order)}
    if not any(border == pytest.approx(level, rel=1e-9) for border in borders):
        assert {i for i, p in enumerate(corrected) if p <= level} == rejected


@given(ps, levels)
def test_benjamini_hochberg_rejects_up_to_the_last_below_its_share(p_values, level):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    last = max((rank for rank, i in enumerate(order, 1) if p_values[i] <= level * rank / len(p_values)), default=0)
    borders = {p_values[i] * len(p_values) / rank for rank, i in enumerate(order, 1)}
    corrected = benjamini_hochberg(p_values)
    if not any(border == pytest.approx(level, rel=1e-9) for border in borders):
        assert {i for i, p in enumerate(corrected) if p <= level} == set(order[:last])


@given(ps)
def test_corrected_values_are_no_smaller_and_keep_their_order(p_values):
    for correct in (holm, benjamini_hochberg):
        corrected = correct(p_values)
        assert all(p <= after <= 1 for p, after in zip(p_values, corrected, strict=True))
        pairs = sorted(zip(p_values, corrected, strict=True))
        assert [after for _, after in pairs] == sorted(after for _, after in pairs)
    both = zip(benjamini_hochberg(p_values), holm(p_values), strict=True)
    assert all(less <= more for less, more in both)


@given(st.data())
def test_max_t_compares_each_test_with_the_largest_of_those_with_no_more_evidence(data):
    tests = data.draw(st.integers(1, 5))
    drawn = data.draw(st.lists(st.lists(st.integers(0, 6), min_size=tests, max_size=tests), min_size=2))
    gaps, *resamples = np.array(drawn, dtype=float)
    scale = np.array(data.draw(st.lists(st.integers(0, 3), min_size=tests, max_size=tests)))
    sizes = [size or 1 for size in scale.tolist()]
    statistics = [[gap / size for gap, size in zip(row, sizes, strict=True)] for row in drawn]
    observed, *others = statistics
    expected = []
    for i in range(tests):
        # The largest value of all tests with at least as much evidence.
        at_least = []
        for k in range(tests):
            if observed[k] >= observed[i]:
                weaker = [j for j in range(tests) if observed[j] <= observed[k]]
                extreme = sum(max(row[j] for j in weaker) >= observed[k] for row in others)
                at_least.append((extreme + 1) / (len(others) + 1))
        expected.append(max(at_least))
    cut = len(resamples) // 2 + 1
    alone, joint = max_t(gaps, scale, [np.array(resamples[:cut]), np.array(resamples[cut:]).reshape(-1, tests)])
    assert joint == pytest.approx(expected)
    assert alone == [(sum(row[i] >= gaps[i] for row in resamples) + 1) / (len(resamples) + 1) for i in range(tests)]
    assert all(one <= other for one, other in zip(alone, joint, strict=True))


def test_nan_is_not_evidence():
    steps = [np.array([[0.0, np.nan]] * 9)]
    alone, joint = max_t(np.array([2.0, 1.0]), np.ones(2), steps)
    assert (alone, joint) == ([0.1, 1.0], [1.0, 1.0])


def test_published_values():
    """The example of Benjamini and Hochberg 1995, section 3.2: at 5 %, 4 finds; Bonferroni 3."""
    p_values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
             0.4262, 0.5719, 0.6528, 0.7590, 1.0000]  # fmt: skip
    assert sum(p <= 0.05 for p in benjamini_hochberg(p_values)) == 4
    assert sum(p <= 0.05 for p in holm(p_values)) == 3


@given(st.data())
def test_systems_of_a_cluster_beat_all_below_and_clusters_are_as_many_as_can_be(data):
    scores = data.draw(st.lists(st.integers(0, 30).map(float), min_size=1, max_size=8))
    different = data.draw(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))

    def differ(i, j):
        return scores[i] != scores[j] and ((i, j) in different or (j, i) in different)

    groups = clusters(scores, differ)
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    assert groups[order[0]] == 1
    for place in range(1, len(order)):
        border = all(differ(i, j) for i in order[:place] for j in order[place:])
        assert groups[order[place]] - groups[order[place - 1]] == border


@pytest.mark.parametrize("systems", [2, 10, 11, 33, 100])
@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.3])
def test_resamples_reach_a_tenth_of_the_level(systems, alpha):
    pairs = systems * (systems - 1) // 2
    resamples = resamples_needed(pairs, alpha)
    smallest = min(holm([1 / (resamples + 1)] * pairs))
    assert smallest <= alpha / 10 or resamples == 1_000_000
    assert pairs / resamples >= alpha / 10 * 0.97
    assert resamples_needed(pairs, alpha, 10_000) == max(resamples, 10_000)
    assert (resamples_warning(pairs, alpha, resamples, "") == "") == (smallest <= alpha / 10)


def test_too_few_resamples_leave_a_warning():
    assert resamples_warning(55, 0.05, 1_000, " after Holm") == (
        "no difference can be significant: p after Holm is 0.055 or more with 1,000 resamples of "
        "55 pairs, and the level is 0.05; draw 11,000 or more"
    )
    few = "p-values are coarse: p is 0.01 or more with 99 resamples, and the level is 0.05; draw 200"
    assert resamples_warning(1, 0.05, 99, "").startswith(few)
    assert resamples_needed(1, 1e-300) == 1_000_000

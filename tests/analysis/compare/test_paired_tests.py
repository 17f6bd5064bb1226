# SPDX-License-Identifier: Apache-2.0
"""Paired tests: against enumeration, against sacreBLEU, and the level on simulated systems.

The simulated systems have known quality. Each share is of seeded replicates, and may differ from
the expected one by a few of its standard errors; the slow profile has more replicates.
"""

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest
from support import simulated_systems as simulated
from support.example_texts import NAMED as SYSTEMS
from support.example_texts import REFS, TWO_REFS, lines
from support.golden import golden
from support.profiles import few
from support.simulated_systems import as_stats, error, p_value, pair_of, rejections, rows

import truebleu as tb
from truebleu import BLEU, compare
from truebleu.analysis.compare.corrections import detectable, units_needed

OURS = ("permutation", "bootstrap")


def score_of(metric, stats, rows):
    """The score of the sum of some rows."""
    return metric.score(stats.like_rows([np.asarray(rows, dtype=object).sum(axis=0).tolist()])).value


@pytest.mark.parametrize(
    ("metric", "seed"),
    [
        (tb.BLEU(), 0),
        (tb.BLEU(), 1),
        (tb.BLEU(), 2),
        (tb.CHRF(word_order=2), None),
        (tb.CHRF(eps_smoothing=True, beta=0.3), None),
        (tb.TER(), None),
    ],
    ids=str,
)
def test_the_permutation_test_estimates_what_enumeration_counts(metric, seed):
    if seed is None:
        hyps = [SYSTEMS["aurora"][:8], SYSTEMS["basalt"][:8]]
        systems = dict(zip("AB", (metric.stats(one, REFS[:8]) for one in hyps), strict=True))
    else:
        systems = pair_of(9, gain=0.15 * seed, seed=seed)
    first = systems["A"]
    a, b = (np.asarray(one).astype(object) for one in systems.values())
    gap = abs(score_of(metric, first, a) - score_of(metric, first, b))
    gaps = []
    for swaps in itertools.product([False, True], repeat=len(a)):
        swap = np.array(swaps)[:, None]
        one, other = (score_of(metric, first, np.where(swap, *pair)) for pair in ((a, b), (b, a)))
        gaps.append(abs(one - other))
    exact = sum(other >= gap for other in gaps) / len(gaps)
    (pair,) = tb.compare(systems, metric=metric, resamples=40_000).pairs
    assert abs(pair.p - exact) < 4 * error(exact, 40_000) + 1 / 40_000


@pytest.mark.parametrize("seed", [0, 2])
def test_the_bootstrap_estimates_what_enumeration_counts(seed):
    bleu = tb.BLEU()
    a, b = pair_of(5, gain=0.2 * seed, seed=seed).values()
    gap = bleu.score(b).value - bleu.score(a).value
    gaps = []
    for picks in itertools.product(range(5), repeat=5):
        one, other = (
            bleu.score(tb.Stats([np.asarray(stats)[list(picks)].sum(axis=0).tolist()])).value for stats in (a, b)
        )
        gaps.append(other - one)
    exact = np.mean([abs(other - gap) >= abs(gap) for other in gaps])
    comparison = tb.compare({"A": a, "B": b}, test="bootstrap", resamples=40_000, seed=seed)
    (pair,) = comparison.pairs
    assert abs(pair.p - exact) < 4 * error(exact, 40_000) + 1 / 40_000
    assert pair.standard_error == pytest.approx(np.std(gaps), rel=0.02)
    for end, share in zip(pair.percentile, (0.025, 0.975), strict=True):
        assert np.quantile(gaps, share - 0.005) <= end <= np.quantile(gaps, share + 0.005)
    above = np.mean([(gap > 0) + (gap == 0) / 2 for gap in gaps])
    assert pair.superiority == pytest.approx(above, abs=0.015)


def test_resamples_that_memory_does_not_hold():
    # Others count as they go; sacreBLEU's bootstrap needs all scores at once.
    stats = {name: tb.BLEU().stats(["a b c d"] * 2, ["a b c d"] * 2) for name in "ABC"}
    with pytest.raises(tb.OptionError, match="resamples can be at most 349525 for 3 systems"):
        tb.compare(stats, test="sacrebleu-bootstrap", resamples=349_526)


def test_thirds_of_words_are_refused_in_32_bits():
    refs = [["a b", "a b", "a"]] * 4
    with pytest.raises(tb.InputError, match=r"not whole sixteenths of words.* use the test bootstrap"):
        tb.compare({"A": ["a"] * 4, "B": ["b"] * 4}, refs, metric=tb.TER(), test="sacrebleu-bootstrap")
    comparison = tb.compare({"A": ["a"] * 4, "B": ["b"] * 4}, refs, metric=tb.TER())
    assert comparison.systems[0].score.value == 0


@pytest.mark.parametrize(
    ("test", "refs"),
    few(
        [("sacrebleu-ar", "A"), ("sacrebleu-ar", "A+B"), ("sacrebleu-bootstrap", "A+B"), ("sacrebleu-bootstrap", "A")],
        every=2,
    ),
)
def test_sacrebleu_number_for_number(shared, test, refs):
    folder = shared / "data" / "wmt22" / "en-de"
    kind = "paired_" + {"sacrebleu-ar": "ar", "sacrebleu-bootstrap": "bs"}[test]
    expected = [
        row
        for row in golden(shared, "sacrebleu_significance.tsv.gz")
        if (row["metric"], row["refs"]) == ("BLEU", refs) and row["config"].startswith(kind)
    ]
    assert len(expected) == 9

    systems = {row["system"]: lines(folder / f"hyp.{row['system']}.txt") for row in expected}
    references = tb.streams(*(lines(folder / f"ref.{ref}.txt") for ref in refs.split("+")))
    comparison = tb.compare(systems, references, test=test, seed=12345)
    baseline = expected[0]["baseline"]
    for row, system in zip(expected, comparison.systems, strict=True):
        assert system.name == row["system"]
        assert system.score.value == pytest.approx(float(row["value"]), rel=1e-12)
        if system.name != baseline:
            assert repr(comparison.pair(baseline, system.name).p) == row["p_value"]
        if test == "sacrebleu-bootstrap":
            low, high = system.interval
            assert system.mean == pytest.approx(float(row["mean"]), rel=1e-6)
            assert (high - low) / 2 == pytest.approx(float(row["ci"]), rel=1e-5)


@pytest.mark.parametrize(
    ("metric", "theirs"),
    few(
        [
            (tb.CHRF(word_order=2), sacrebleu.CHRF(word_order=2)),
            (tb.TER(), sacrebleu.TER()),
            (tb.CHRF(), sacrebleu.CHRF()),
            (tb.CHRF(eps_smoothing=True), sacrebleu.CHRF(eps_smoothing=True)),
        ],
        every=4,
    ),
)
def test_sacrebleu_tests_are_those_of_sacrebleu(monkeypatch, metric, theirs):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    streams = [list(column) for column in zip(*TWO_REFS, strict=True)]
    for test, kind in (("sacrebleu-bootstrap", "bs"), ("sacrebleu-ar", "ar")):
        comparison = tb.compare(SYSTEMS, TWO_REFS, metric=metric, test=test, resamples=200)
        _, expected = PairedTest(list(SYSTEMS.items()), {"m": theirs}, streams, kind, 200)()
        name = next(name for name in expected if name != "System")
        for system, result in zip(comparison.systems, expected[name], strict=True):
            assert system.score.value == result.score
            if kind == "bs":
                half = (system.interval[1] - system.interval[0]) / 2
                assert system.mean == result.mean
                assert half == pytest.approx(float(result.ci), rel=1e-6)
        for pair, result in zip(comparison.pairs[:2], expected[name][1:], strict=True):
            assert pair.p == result.p_value


@pytest.mark.parametrize("test", OURS)
def test_equal_systems_differ_as_often_as_the_level_says(test):
    assert abs(rejections(test, 150, 400) - 0.05) < 3 * error(0.05, 400)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk-method2", "multi-bleu"])
@pytest.mark.parametrize("segments", [100, 200, 600])
@pytest.mark.parametrize("test", OURS)
def test_the_level_for_sizes_and_dialects(test, segments, dialect):
    """4 % to 6 %, where 6,000 replicates have a standard error of 0.3 %."""
    assert 0.04 <= rejections(test, segments, 6000, dialect=dialect, resamples=499) <= 0.06


@pytest.mark.parametrize("test", OURS)
def test_the_familywise_error_of_simulated_systems(test):
    """Of six equal systems, one of fifteen pairs is called different on 5 % of the test sets."""
    rng = np.random.default_rng(6)
    maxt, by_holm = simulated.familywise(
        tb.BLEU(threads=1), lambda _: (as_stats(rows(rng, 100, 6)), [0] * 6), 300, test=test, resamples=199
    )
    assert abs(maxt - 0.05) < 3 * error(0.05, 300)
    assert by_holm < maxt


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "segments", "test"),
    [
        ([0] * 6, 100, "permutation"),
        ([0] * 6, 600, "permutation"),
        ([0] * 9, 300, "permutation"),
        ([0] * 6, 600, "bootstrap"),
        ([0] * 6, 1500, "bootstrap"),
        # Only some systems are equal: the worse three and the better three.
        ([0] * 3 + [1] * 3, 600, "permutation"),
    ],
)
def test_the_familywise_error_of_real_outputs_exchanged_at_random(shared, monkeypatch, groups, segments, test):
    """4 % to 6 %, where 3,000 replicates have a standard error of 0.4 %."""
    monkeypatch.setattr("truebleu.metrics.resampling.KEPT", 1)  # no intervals
    bleu = tb.BLEU(threads=1)
    folder = shared / "data" / "wmt22" / "en-de"
    refs = lines(folder / "ref.A.txt")
    systems = [bleu.stats(lines(path), refs) for path in sorted(folder.glob("hyp.*.txt"))]
    systems.sort(key=lambda stats: bleu.score(stats).value)
    tables = np.stack([np.asarray(stats) for stats in systems[: len(groups)]])

    def draw(replicate):
        return simulated.swapped(tables, groups, segments, replicate)

    maxt, by_holm = simulated.familywise(bleu, draw, 3000, test=test)
    assert (0.0 if any(groups) else 0.04) <= maxt <= 0.06
    assert by_holm < maxt


@pytest.mark.slow
@pytest.mark.parametrize("test", OURS)
def test_maxt_finds_more_pairs_than_holm(shared, test):
    """Of 30 systems: nine real ones, and mixtures of two of them, segment by segment."""
    folder = shared / "data" / "wmt22" / "en-de"
    refs = lines(folder / "ref.A.txt")
    counted = [tb.BLEU().stats(lines(path), refs) for path in sorted(folder.glob("hyp.*.txt"))]
    tables = [np.asarray(stats) for stats in counted]
    rng = np.random.default_rng(30)
    while len(tables) < 30:
        a, b = rng.choice(len(counted), 2, replace=False)
        takes_a = rng.random(len(refs)) < rng.random()
        tables.append(np.where(takes_a[:, None], tables[a], tables[b]))
    systems = {f"system {i}": stats for i, stats in enumerate(as_stats(tables))}
    different = {
        correction: {
            (pair.a, pair.b) for pair in tb.compare(systems, test=test, correction=correction).pairs if pair.better
        }
        for correction in ("maxt", "holm")
    }
    assert different["holm"] < different["maxt"]
    assert len(different["maxt"]) >= 1.05 * len(different["holm"])


def test_sacrebleus_bootstrap_rejects_twice_as_often():
    """So docs/significance.md says; it is why its test is not ours."""
    assert rejections("sacrebleu-bootstrap", 150, 400) > 0.08


@pytest.mark.slow
@pytest.mark.parametrize("segments", [100, 200, 600])
def test_sacrebleus_tests_at_length(segments):
    assert 0.04 <= rejections("sacrebleu-ar", segments, 6000, resamples=499) <= 0.06
    assert 0.09 <= rejections("sacrebleu-bootstrap", segments, 6000, resamples=499) <= 0.13


def test_documents_that_hang_together_need_to_be_drawn_together():
    """Five copies of a segment are one: the test by document keeps its level, by segment not."""
    rng = np.random.default_rng(4)
    bleu = tb.BLEU(threads=1)
    alone = together = 0
    for replicate in range(200):
        few = as_stats(rows(rng, 60))
        many = [tb.Stats.concat([stats] * 5) for stats in few]
        alone += p_value(bleu, many, "permutation", 199, replicate) <= 0.05
        together += p_value(bleu, few, "permutation", 199, replicate) <= 0.05
    assert alone / 200 > 0.25
    assert together / 200 < 0.05 + 3 * error(0.05, 200)


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
        for i, systems in enumerate(simulated.samples(tables, segments, replicates))
    )
    return finds / replicates


@pytest.mark.parametrize(
    ("segments", "replicates"),
    [(200, 300), pytest.param(200, 2000, marks=pytest.mark.slow), pytest.param(600, 2000, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("gain", [0.08, 0.15])
def test_a_difference_is_found_as_often_as_forecast(gain, segments, replicates):
    """The forecast is made from one test set, and kept on others."""
    tables, (a, b) = simulated.population(gain)
    first = next(simulated.samples(tables, 5000, 1, seed=1))
    pair = compare(first, resamples=2000, test="bootstrap").pairs[0]
    deviation = pair.standard_error * math.sqrt(5000)
    level = NormalDist().inv_cdf(0.975)
    forecast = NormalDist().cdf((b - a) / (deviation / math.sqrt(segments)) - level)
    share = share_of_finds(tables, segments, replicates)
    assert abs(share - forecast) < 0.03 + 3 * error(forecast, replicates), (share, forecast)


@pytest.mark.parametrize("replicates", [300, pytest.param(2000, marks=pytest.mark.slow)])
def test_so_many_segments_find_the_difference_four_times_in_five(replicates):
    tables, (a, b) = simulated.population(0.12)
    pair = compare(next(simulated.samples(tables, 3000, 1, seed=2)), resamples=2000).pairs[0]
    segments = pair.units_needed(b - a)
    share = share_of_finds(tables, segments, replicates)
    assert abs(share - 0.8) < 0.04 + 3 * error(0.8, replicates), (share, segments)

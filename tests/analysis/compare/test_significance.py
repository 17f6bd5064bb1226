# SPDX-License-Identifier: Apache-2.0
"""compare(): results, refusals, and the forms of its input."""

import itertools
import json

import numpy as np
import pytest
from support.example_texts import NAMED as SYSTEMS
from support.example_texts import REFS, TWO_REFS
from support.simulated_systems import as_stats, pair_of, rows

import truebleu as tb
from truebleu.analysis.compare.corrections import benjamini_hochberg, holm
from truebleu.analysis.compare.formats import render
from truebleu.analysis.compare.paired_tests import TESTS

OURS = ("permutation", "bootstrap")
METRICS = (
    tb.CHRF(), tb.CHRF(word_order=2, lowercase=True), tb.TER(),
    *map(tb.BLEU, ("nltk", "nltk-method5", "multi-bleu", "torchmetrics", "papineni-2002")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "test"),
    [
        *((tb.BLEU(), test) for test in TESTS),
        *((metric, "permutation") for metric in METRICS),
        (METRICS[1], "bootstrap"),
        (tb.TER(), "sacrebleu-bootstrap"),
    ],
    ids=str,
)
def test_every_pair_of_the_examples(metric, test):
    result = tb.compare(SYSTEMS, TWO_REFS, metric=metric, test=test)
    assert [system.name for system in result.systems] == list(SYSTEMS)
    assert [system.name for system in result.ranked()] == list(SYSTEMS)
    assert [(pair.a, pair.b) for pair in result.pairs] == list(itertools.combinations(SYSTEMS, 2))
    assert [system.cluster for system in result.systems] == [1, 2, 3]
    assert [system.rank for system in result.systems] == [(1, 1), (2, 2), (3, 3)]
    assert [(system.wins, system.losses) for system in result.systems] == [(2, 0), (1, 1), (0, 2)]
    assert result.signature == metric.corpus(SYSTEMS["aurora"], TWO_REFS).signature
    assert result.higher_is_better == (not isinstance(metric, tb.TER))
    for system in result.systems:
        assert system.score == metric.corpus(SYSTEMS[system.name], TWO_REFS)
        for low, high in (system.interval, system.percentile):
            assert low < system.score.value < high
        assert abs(system.mean - system.score.value) < system.standard_error
    scores = {system.name: system.score.value for system in result.systems}
    for pair in result.pairs:
        assert pair.difference == scores[pair.b] - scores[pair.a]
        assert (pair.difference < 0) == result.higher_is_better
        assert (pair.better, pair.worse) == (pair.a, pair.b)
        assert pair.interval[0] < pair.difference < pair.interval[1]
        assert pair.p <= pair.p_adjusted <= 3 * pair.p * (1 + 1e-9)
        assert pair.correction == ("Holm" if test.startswith("sacrebleu") else "maxT")
        assert pair.superiority < 0.01
        assert (pair.effect < 0) == (pair.difference < 0)
        assert pair.units_needed(pair.detectable) in (48, 49)
        assert f" {result.metric}, 95 % interval" in str(pair)
    assert result.pair("cinder", "aurora") is result.pairs[1]
    with pytest.raises(tb.OptionError, match="no pair of 'cinder' and 'nobody'; the systems are"):
        result.pair("cinder", "nobody")


@pytest.mark.parametrize("test", OURS)
def test_systems_that_are_equal_do_not_differ(test):
    result = tb.compare({"A": SYSTEMS["aurora"], "B": list(SYSTEMS["aurora"])}, REFS, test=test)
    (pair,) = result.pairs
    assert (pair.p, pair.p_adjusted, pair.correction) == (1, 1, None)
    assert (pair.difference, pair.interval, pair.percentile) == (0, (0, 0), (0, 0))
    assert (pair.better, pair.effect, pair.superiority, pair.detectable) == (None, 0, 0.5, 0)
    assert [system.cluster for system in result.systems] == [1, 1]
    assert str(pair) == (
        "no significant difference between B and A: B minus A +0.0 BLEU, 95 % interval 0.0 to 0.0, p = 1.00"
    )


def test_sacrebleu_finds_equal_systems_different_but_we_do_not_repeat_it():
    """Its `>` is false for all of n differences of 0, so p is 1 / (n + 1); no one is better."""
    for test in ("sacrebleu-ar", "sacrebleu-bootstrap"):
        same = {"A": SYSTEMS["aurora"], "B": SYSTEMS["aurora"]}
        (pair,) = tb.compare(same, REFS, test=test, resamples=99).pairs
        assert (pair.p, pair.better) == (0.01, None)


@pytest.mark.parametrize("test", TESTS)
def test_threads_change_nothing(test):
    systems = dict(zip("ABCD", as_stats(rows(np.random.default_rng(1), 2500, 4)), strict=True))
    results = [tb.compare(systems, test=test, resamples=800, threads=n) for n in (1, 2, 7)]
    assert results[0] == results[1] == results[2]


def test_seeds_change_what_is_drawn():
    systems = pair_of(100, 0.05)
    ps = {seed: tb.compare(systems, seed=seed, resamples=500).pairs[0].p for seed in range(8)}
    again = {seed: tb.compare(systems, seed=seed, resamples=500).pairs[0].p for seed in range(8)}
    assert ps == again
    assert len(set(ps.values())) > 3


def test_order_changes_signs_alone():
    systems = pair_of(200, 0.1)
    one = tb.compare(systems).pairs[0]
    other = tb.compare(dict(reversed(systems.items()))).pairs[0]
    assert (other.p, other.better) == (one.p, one.better)
    assert other.difference == -one.difference
    assert other.interval == pytest.approx([-end for end in reversed(one.interval)], rel=1e-9)


def test_systems_come_in_any_form():
    expected = tb.compare(SYSTEMS, REFS, resamples=50)
    bleu = tb.BLEU()
    for systems in (
        list(SYSTEMS.items()),
        iter(SYSTEMS.items()),
        {name: iter(hyps) for name, hyps in SYSTEMS.items()},
        {name: np.array(hyps, dtype=object) for name, hyps in SYSTEMS.items()},
    ):
        assert tb.compare(systems, iter(REFS), resamples=50) == expected
    stats = {name: bleu.stats(hyps, REFS) for name, hyps in SYSTEMS.items()}
    from_stats = tb.compare(stats, resamples=50)
    untried = tb.compare(SYSTEMS, REFS, resamples=50, robustness=False)
    assert from_stats.pairs == untried.pairs
    signatures = [from_stats.signature, *(one.score.signature for one in from_stats.systems)]
    assert set(signatures) == {bleu.signature}
    assert tb.compare({**stats, "cinder": SYSTEMS["cinder"]}, REFS, resamples=50) == untried
    assert tb.compare(SYSTEMS, REFS, metric=tb.BLEU("nltk")) == tb.compare(SYSTEMS, REFS, "nltk")


def test_documents_are_drawn_whole():
    documents = [i // 6 for i in range(48)]
    result = tb.compare(SYSTEMS, REFS, documents=documents, resamples=300, robustness=False)
    bleu = tb.BLEU()
    summed = {
        name: tb.Stats.concat(bleu.stats(hyps, REFS)[i : i + 6].sum() for i in range(0, 48, 6))
        for name, hyps in SYSTEMS.items()
    }
    assert result.pairs == tb.compare(summed, resamples=300).pairs
    assert (result.units, result.unit) == (8, "documents")
    scattered = tb.compare(
        {name: hyps[::-1] for name, hyps in SYSTEMS.items()}, REFS[::-1], documents=map(str, documents), resamples=300
    )
    assert scattered.systems[0].score.value == result.systems[0].score.value


@pytest.mark.parametrize("test", OURS)
@pytest.mark.parametrize("correction", [None, "holm", "bh"])
def test_many_systems_need_no_more_resamples_unless_p_values_are_multiplied(test, correction):
    rng = np.random.default_rng(1)
    better = as_stats(rows(rng, 60, 2, gain=3.0))[1]
    systems = {"best": better} | {f"s{k}": one for k, one in enumerate(as_stats(rows(rng, 60, 11)))}
    result = tb.compare(systems, test=test, correction=correction)
    expected = 13_200 if correction else 10_000
    assert (len(result.pairs), result.resamples, result.warnings) == (66, expected, ())
    assert result.ranked()[0].wins == 11
    assert {pair.correction for pair in result.pairs} == {result.correction}
    few = tb.compare(systems, test=test, correction=correction, resamples=1000)
    assert few.ranked()[0].wins == (0 if correction == "holm" else 11)
    assert (few.warnings == ()) == (correction is None)


def test_corrections_of_the_same_values():
    systems = dict(zip("ABCDEF", as_stats(rows(np.random.default_rng(3), 150, 6, 0.1)), strict=True))
    by = {name: tb.compare(systems, correction=name).pairs for name in ("maxt", "holm", "bh")}
    assert len({tuple(pair.p for pair in pairs) for pairs in by.values()}) == 1
    ps = [pair.p for pair in by["holm"]]
    assert [pair.p_adjusted for pair in by["holm"]] == holm(ps)
    assert [pair.p_adjusted for pair in by["bh"]] == benjamini_hochberg(ps)
    assert [pairs[0].correction for pairs in by.values()] == ["maxT", "Holm", "Benjamini-Hochberg"]
    sharper = zip(by["maxt"], by["holm"], strict=True)
    assert sum(one.p_adjusted < other.p_adjusted for one, other in sharper) > 10


@pytest.mark.parametrize("test", TESTS)
def test_a_baseline_is_compared_with_all_others_and_these_pairs_are_corrected(test):
    stats = as_stats(rows(np.random.default_rng(7), 150, 5, 0.3))
    systems = dict(zip("ABCDE", stats, strict=True))
    result = tb.compare(systems, test=test, baseline="C")
    assert [(pair.a, pair.b) for pair in result.pairs] == [("C", name) for name in "ABDE"]
    whole = tb.compare(systems, test=test)
    for pair in result.pairs:
        other = whole.pair("C", pair.b)
        assert pair.p == other.p
        assert pair.p_adjusted <= other.p_adjusted
        assert abs(pair.difference) == abs(other.difference)
        assert pair.difference == systems_score(result, pair.b) - systems_score(result, "C")
    assert result.baseline == "C"
    assert [system.wins for system in result.systems] == [0, 0, 0, 0, 1]
    with pytest.raises(tb.OptionError, match="no pair of 'A' and 'B'; every pair has the baseline"):
        result.pair("A", "B")
    with pytest.raises(tb.OptionError, match="no system is named 'X'"):
        tb.compare(systems, test=test, baseline="X")


def systems_score(result, name):
    return next(system.score.value for system in result.systems if system.name == name)


def test_two_segments_and_one_resample_are_enough_and_numbers_may_be_huge():
    result = tb.compare({"A": ["a b", "c d"], "B": ["a b", "c e"]}, ["a b", "c d"], resamples=1)
    assert result.pairs[0].p in (0.5, 1.0)
    huge = [tb.Stats((np.asarray(rows) * 10**6).tolist()) for rows in pair_of(30).values()]
    assert tb.compare(dict(zip("AB", huge, strict=True)), resamples=10).units == 30


def test_scores_that_are_sometimes_no_number_have_no_interval():
    hyps = {"A": ["a b", ""], "B": ["a b", "c"]}
    result = tb.compare(hyps, ["a b", "c d"], undefined="empty-hyp", max_ngram_order=1)
    assert np.isnan(result.systems[0].interval).all()
    assert not np.isnan(result.systems[1].interval).any()
    with pytest.raises(tb.InputError, match="standard error of the difference is not finite"):
        result.pairs[0].units_needed(1.0)
    with pytest.raises(tb.OptionError, match=r"the difference to detect cannot be 0\.0"):
        result.pairs[0].units_needed(0.0)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["pairs"][0]["interval"] == [None, None]


def of_strata(systems, refs, strata, labels):
    """The texts of these strata alone, as test sets of a campaign."""
    sets = []
    for stratum in strata:
        places = [i for i, label in enumerate(labels) if label == stratum]
        own = {
            name: [hyps[i] for i in places]
            for name, hyps in systems.items()
            if any(hyps[i] is not None for i in places)
        }
        sets.append(tb.TestSet(stratum, [refs[i] for i in places], own))
    return sets


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("lacking", [(), ("cinder",)])
def test_strata_are_the_sets_of_a_campaign(metric, test, lacking):
    labels = ["news" if i % 3 else "chat" for i in range(len(REFS))]
    systems = {
        name: [None if name in lacking and label == "chat" else hyp for hyp, label in zip(hyps, labels, strict=True)]
        for name, hyps in SYSTEMS.items()
    }
    options = {"test": test, "correction": "maxt", "resamples": 300}
    result = tb.compare(systems, REFS, metric=metric, strata=labels, **options)
    sets = of_strata(systems, REFS, result.strata, labels)
    expected = tb.campaign(sets, metrics=[metric], **options).matrix().averages
    assert result.pairs == expected.pairs
    assert (result.strata, result.units) == (("chat", "news"), len(REFS))
    for ours, its in zip(result.systems, expected.systems, strict=True):
        assert (ours.score.value, ours.interval, ours.rank) == (its.score.value, its.interval, its.rank)
        assert ours.rank is not None
    for pair in result.pairs:
        assert pair.strata == (("news",) if {pair.a, pair.b} & {*lacking} else ("chat", "news"))
        spread = np.std(result.differences(pair))
        assert spread == pytest.approx(pair.standard_error)
    listed = result.to_dict()
    assert listed["strata"] == ["chat", "news"]
    assert "strata" not in tb.compare(SYSTEMS, REFS, resamples=50).to_dict()
    bleu = tb.BLEU() if metric == "bleu" else tb.TER()
    if not lacking:
        stats = {name: bleu.stats(hyps, REFS) for name, hyps in systems.items()}
        assert tb.compare(stats, metric=bleu, strata=labels, **options).pairs == result.pairs
    (one, other) = tb.compare(systems, REFS, metric=metric, strata=labels, baseline="basalt", **options).pairs
    assert (one.a, one.b, other.a, other.b) == ("basalt", "aurora", "basalt", "cinder")
    assert {one.p, other.p} == {result.pairs[0].p, result.pairs[2].p}


def test_strata_of_token_ids():
    rng = np.random.default_rng(1)
    refs = rng.integers(0, 9, (40, 12))
    a, b = (np.where(rng.random((40, 12)) < share, refs, 9) for share in (0.7, 0.9))
    labels = [i % 2 for i in range(40)]
    listed = tb.compare({"a": a.tolist(), "b": b.tolist()}, refs.tolist(), strata=labels)
    assert tb.compare({"a": a, "b": b}, refs, strata=labels).pairs == listed.pairs
    assert listed.strata == ("0", "1")


def test_systems_without_a_common_stratum_are_no_pair():
    parts = {"a": [*REFS[:4], *[None] * 4], "b": [*[None] * 4, *REFS[4:8]]}
    result = tb.compare(parts, REFS[:8], strata=["x"] * 4 + ["y"] * 4, resamples=50)
    assert result.pairs == ()
    lines = [f"{name}: 100.0 average BLEU, 95 % interval 100.0 to 100.0" for name in parts]
    assert str(result).split("\n") == lines
    assert all(line in result._repr_html_() for line in lines)
    parts["c"] = REFS[:8]
    result = tb.compare(parts, REFS[:8], strata=["x"] * 4 + ["y"] * 4, resamples=50, baseline="a")
    (row,) = (line for line in render("text", result).split("\n") if line.startswith("b "))
    assert row.endswith("100.0 to 100.0")  # and no difference from a

# SPDX-License-Identifier: Apache-2.0
"""compare() with chrF and TER: sums by brute force, sacreBLEU's numbers, less that is better."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest
from support.example_texts import REFS, TWO_REFS, lines

import truebleu as tb
from truebleu.analysis.compare.formats import render
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.resampling import Resampling

SYSTEMS = {name: lines(f"de-en/hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")}
METRICS = {
    "chrf": tb.CHRF(), "chrf++": tb.CHRF(word_order=2, lowercase=True),
    "eps": tb.CHRF(eps_smoothing=True, beta=0.3), "ter": tb.TER(),
    "ter-normalized": tb.TER(normalized=True, case_sensitive=True),
}  # fmt: skip
each_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


def counted(metric, refs=REFS, segments=None):
    return [metric.stats(hyps[:segments], refs[:segments]) for hyps in SYSTEMS.values()]


def score_of(metric, rows):
    """The score of a sum of rows, which are lists of integers."""
    total = np.asarray(rows, dtype=object).sum(axis=0).tolist()
    return metric.score(metric.stats(["a"], ["a"]).like_rows([total])).value


@each_metric
def test_resampled_scores_are_scores_of_sums(metric):
    systems = counted(metric, TWO_REFS)
    resampling = Resampling(metric, systems)
    tables = [np.asarray(one) for one in systems]
    without = np.concatenate(list(resampling.jackknife()))
    for unit, row in enumerate(without):
        expected = [score_of(metric, np.delete(one, unit, axis=0)) for one in tables]
        assert row.tolist() == expected
    # The kernel's picks are not told, so every score must be one that picks can make.
    few = Resampling(metric, [one[:3] for one in systems])
    made = {
        tuple(score_of(metric, one[list(picks)]) for one in tables)
        for picks in itertools.product(range(3), repeat=3)
    }
    drawn = {tuple(row) for row in np.concatenate(list(few.bootstrap(2_000, 1))).tolist()}
    assert drawn == made


@each_metric
def test_the_permutation_test_estimates_what_enumeration_counts(metric):
    systems = counted(metric, segments=8)[:2]
    a, b = (np.asarray(one).astype(object) for one in systems)
    gap = abs(score_of(metric, a) - score_of(metric, b))
    gaps = []
    for swaps in itertools.product([False, True], repeat=len(a)):
        swap = np.array(swaps)[:, None]
        one, other = (score_of(metric, np.where(swap, *pair)) for pair in ((a, b), (b, a)))
        gaps.append(abs(one - other))
    exact = sum(other >= gap for other in gaps) / len(gaps)
    (pair,) = tb.compare(
        dict(zip("AB", systems, strict=True)), metric=metric, resamples=40_000
    ).pairs
    assert abs(pair.p - exact) < 4 * math.sqrt(exact * (1 - exact) / 40_000) + 1 / 40_000


@pytest.mark.parametrize("test", TESTS)
@each_metric
def test_every_pair_of_the_examples(metric, test):
    found = tb.compare(SYSTEMS, TWO_REFS, metric=metric, test=test, resamples=2_000)
    assert [system.cluster for system in found.systems] == [1, 2, 3]
    assert [system.rank for system in found.systems] == [(1, 1), (2, 2), (3, 3)]
    assert [(system.wins, system.losses) for system in found.systems] == [(2, 0), (1, 1), (0, 2)]
    assert [system.name for system in found.ranked()] == list(SYSTEMS)
    assert found.signature == metric.corpus(SYSTEMS["aurora"], TWO_REFS).signature
    assert found.higher_is_better == (not isinstance(metric, tb.TER))
    values = {system.name: system.score.value for system in found.systems}
    for system in found.systems:
        assert system.score == metric.corpus(SYSTEMS[system.name], TWO_REFS)
        assert system.interval[0] < system.score.value < system.interval[1]
    for pair in found.pairs:
        assert pair.difference == values[pair.b] - values[pair.a]
        assert (pair.difference < 0) == found.higher_is_better
        assert pair.better == pair.a
        assert pair.superiority < 0.01
        assert pair.interval[0] < pair.difference < pair.interval[1]
        assert f" {found.metric}, 95 % interval" in str(pair)
        assert found.metric in ("chrF2", "chrF2++", "chrF0.3", "TER")


def test_less_ter_is_better_in_words_and_tables():
    systems = {name: SYSTEMS[name] for name in ("cinder", "aurora")}
    found = tb.compare(systems, REFS, metric=tb.TER())
    assert [system.cluster for system in found.systems] == [2, 1]
    (pair,) = found.pairs
    assert (pair.better, pair.worse) == ("aurora", "cinder")
    assert pair.difference < 0
    assert pair.superiority > 0.99
    assert str(pair).startswith(f"aurora is better than cinder: {pair.difference:+.1f} TER, ")
    text = render("text", tb.compare(SYSTEMS, REFS, metric=tb.TER()), color=True)
    assert text.index("aurora") < text.index("basalt") < text.index("cinder")
    first = next(line for line in text.splitlines() if line.startswith("1 aurora"))
    assert "\033[32m" in first  # less than the others: green
    assert "\033[31m" not in first
    assert "BLEU" not in text


def test_sacrebleu_tests_are_those_of_sacrebleu(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    pairs = [
        (tb.CHRF(tie="first"), sacrebleu.CHRF()),
        (tb.CHRF(word_order=2, tie="first"), sacrebleu.CHRF(word_order=2)),
        (tb.CHRF(eps_smoothing=True, tie="first"), sacrebleu.CHRF(eps_smoothing=True)),
        (tb.TER(), sacrebleu.TER()),
    ]
    streams = [list(column) for column in zip(*TWO_REFS, strict=True)]
    for metric, theirs in pairs:
        for test, kind in (("sacrebleu-bootstrap", "bs"), ("sacrebleu-ar", "ar")):
            found = tb.compare(SYSTEMS, TWO_REFS, metric=metric, test=test, resamples=200)
            _, expected = PairedTest(list(SYSTEMS.items()), {"m": theirs}, streams, kind, 200)()
            name = next(name for name in expected if name != "System")
            for system, result in zip(found.systems, expected[name], strict=True):
                assert system.score.value == result.score
                if kind == "bs":
                    half = (system.interval[1] - system.interval[0]) / 2
                    assert system.mean == result.mean
                    assert half == pytest.approx(float(result.ci), rel=1e-6)
            for pair, result in zip(found.pairs[:2], expected[name][1:], strict=True):
                assert pair.p == result.p_value


def test_thirds_of_words_are_refused_in_32_bits():
    refs = [["a b", "a b", "a"]] * 4
    with pytest.raises(
        tb.InputError, match=r"no whole sixteenths of words.* use the test bootstrap"
    ):
        tb.compare(
            {"A": ["a"] * 4, "B": ["b"] * 4}, refs, metric=tb.TER(), test="sacrebleu-bootstrap"
        )
    found = tb.compare({"A": ["a"] * 4, "B": ["b"] * 4}, refs, metric=tb.TER())
    assert found.systems[0].score.value == 0


def test_documents_statistics_and_bleu_as_a_metric():
    chrf = tb.CHRF()
    labels = [i // 4 for i in range(len(REFS))]
    by_texts = tb.compare(SYSTEMS, REFS, metric=chrf, documents=labels)
    stats = dict(zip(SYSTEMS, counted(chrf), strict=True))
    by_stats = tb.compare(stats, metric=chrf, documents=labels)
    assert [pair.p for pair in by_stats.pairs] == [pair.p for pair in by_texts.pairs]
    assert by_texts.units == len(set(labels))
    assert tb.compare(SYSTEMS, REFS, metric=tb.BLEU("nltk")) == tb.compare(SYSTEMS, REFS, "nltk")


def test_what_does_not_fit_is_refused():
    stats = dict(zip(SYSTEMS, counted(tb.CHRF()), strict=True))
    for metric in (tb.TER(), tb.CHRF(word_order=2), tb.BLEU()):
        with pytest.raises(tb.InputError, match="the statistics"):
            tb.compare(stats, metric=metric)
    for other in ({"dialect": "nltk"}, {"lowercase": True}, {"threads": 2}):
        with pytest.raises(
            tb.OptionError, match=f"metric has its own options; pass {next(iter(other))}"
        ):
            tb.compare(SYSTEMS, REFS, metric=tb.CHRF(), **other)
    with pytest.raises(
        tb.OptionError, match="metric cannot be 'chrf'; give a BLEU, a CHRF or a TER"
    ):
        tb.compare(SYSTEMS, REFS, metric="chrf")

# SPDX-License-Identifier: Apache-2.0
"""Matrices of chrF and TER are what single pairs score, to the last bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpora import texts

import truebleu as tb
from truebleu._core import simd_levels

CHRF, PLUS = tb.CHRF(threads=1), tb.CHRF(word_order=2, threads=1)
OTHERS = [
    tb.CHRF(lowercase=True, whitespace=True),
    tb.CHRF(eps_smoothing=True, word_order=1),
    tb.CHRF(char_order=0, word_order=3),
    tb.CHRF(char_order=9, beta=0.7),
    tb.CHRF(char_order=1),
]


def check(metric, hyps, refs=None):
    others = hyps if refs is None else refs
    expected = [metric.sentences([hyp] * len(others), others) for hyp in hyps]
    scores = metric.pairwise(hyps, refs)
    assert scores.dtype == np.float64
    assert scores.shape == (len(hyps), len(others))
    assert scores.tobytes() == np.array(expected).tobytes()
    return scores


@given(st.lists(texts, min_size=1, max_size=6), st.lists(texts, min_size=1, max_size=6))
def test_random_texts_score_as_single_pairs(hyps, refs):
    for metric in (CHRF, PLUS):
        check(metric, hyps)
        check(metric, hyps, refs)


few_letters = st.lists(st.text("ab.- é", max_size=12), min_size=1, max_size=8)


@settings(max_examples=30)
@pytest.mark.parametrize("metric", [*OTHERS, tb.TER()], ids=repr)
@given(hyps=few_letters, refs=few_letters)
def test_every_option_scores_as_single_pairs(metric, hyps, refs):
    check(metric, hyps)
    check(metric, hyps, refs)


def letters(length, seed=0):
    rng = np.random.default_rng(length + 7919 * seed)
    return "".join("abcdefgh .éя\U00020000"[n % 13] for n in rng.zipf(1.3, size=length) % 97)


@pytest.mark.parametrize(
    "lengths", [range(71), [0, 247, 248, 249, 255, 256, 257], [511, 512, 513], [2_047, 2_050]]
)
def test_all_lengths(lengths):
    some = [letters(length, seed) for length in lengths for seed in (0, 1)]
    for metric in (CHRF, PLUS, tb.CHRF(whitespace=True)):
        check(metric, some)
        check(metric, some[::3], some[1::2])


def test_counts_that_need_more_than_a_byte():
    some = ["a" * 700, "ab" * 300, "b" * 254, "a" * 255, "a" * 248, "a b " * 200, "c " * 300]
    check(CHRF, some)
    check(PLUS, some, some[1:])


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128, 129, 256, 257, 511, 513])
def test_all_sizes(count):
    some = [f"{letters(12, i)} {i % 5}" for i in range(count)]
    check(PLUS, some[:3], some)
    check(PLUS, some[:70])


def test_nothing_and_one():
    assert CHRF.pairwise([]).shape == (0, 0)
    assert CHRF.pairwise([], ["a", "b"]).shape == (0, 2)
    assert CHRF.pairwise(["a", "b"], []).shape == (2, 0)
    assert CHRF.pairwise(["abcdef"]).tolist() == [[100.0]]
    assert CHRF.pairwise([""], ["", "a"]).tolist() == [[0.0, 0.0]]
    assert tb.TER().pairwise(["", "a"], []).shape == (2, 0)


def test_sacrebleu_agrees(example):
    for metric, peer in ((CHRF, sacrebleu.CHRF()), (PLUS, sacrebleu.CHRF(word_order=2))):
        some = example[:12]
        expected = [[peer.sentence_score(hyp, [ref]).score for ref in some] for hyp in some]
        assert metric.pairwise(some).tolist() == expected
        assert tb.pairwise(some, metric=metric).tolist() == expected


def test_real_candidates_score_as_single_pairs(shared):
    folder = shared / "data" / "wmt22" / "en-ja"
    systems = [
        path.read_text(encoding="utf-8").split("\n") for path in sorted(folder.glob("hyp.*"))
    ]
    for source in range(0, 1_500, 300):
        check(PLUS, [lines[source] for lines in systems])
    check(CHRF, systems[0][:150], systems[1][:150])


def test_threads_and_instruction_sets_change_nothing(example, monkeypatch):
    some = [f"{text} {i % 7}" for i, text in enumerate(example * 7)][:300]
    one = PLUS.pairwise(some)
    for threads in (2, 3, 16):
        scores = tb.CHRF(word_order=2, threads=threads).pairwise(some)
        assert scores.tobytes() == one.tobytes()
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        assert tb.CHRF(word_order=2).pairwise(some).tobytes() == one.tobytes(), level


def test_columns_of_all_kinds(example):
    pa = pytest.importorskip("pyarrow")
    few = example[:20]
    expected = CHRF.pairwise(few).tobytes()
    for column in (tuple(few), iter(few), np.array(few, object), pa.array(few)):
        assert CHRF.pairwise(column).tobytes() == expected
    words = [text.split() for text in few]
    joined = [" ".join(text) for text in words]
    assert PLUS.pairwise(words).tobytes() == PLUS.pairwise(joined).tobytes()


@pytest.mark.parametrize(
    ("hyps", "refs", "message"),
    [
        ("abc", None, "candidates is one str"),
        (["a", None], None, r"candidates\[1\] is None"),
        (["a"], ["b", 3], r"references\[1\] is of type int"),
        (["a"], [["b"]], "tokenize both or neither"),
        (["a", "\ud800"], None, r"candidates\[1\] holds the lone surrogate"),
        (["a"], ["b", "\ud800"], r"references\[1\] holds the lone surrogate"),
    ],
)
def test_what_is_no_column_is_refused(hyps, refs, message):
    for metric in (CHRF, tb.TER()):
        with pytest.raises(tb.InputError, match=message):
            metric.pairwise(hyps, refs)


@settings(max_examples=40)
@given(few_letters, few_letters, st.lists(st.floats(0.01, 9), min_size=8, max_size=8))
def test_mbr_finds_the_best_mean(candidates, references, weights):
    for metric in (CHRF, PLUS, tb.TER()):
        for refs in (None, references):
            others = candidates if refs is None else refs
            shares = weights[: len(others)]
            found = tb.mbr(candidates, shares, refs, metric=metric)
            expected = np.average(metric.pairwise(candidates, others), axis=1, weights=shares)
            np.testing.assert_allclose(found.scores, expected, rtol=1e-12)
            best = max(found.scores) if metric.higher_is_better else min(found.scores)
            assert found.index == found.scores.index(best)
    many = tb.mbr([candidates, references], metric=CHRF)
    assert many == [tb.mbr(candidates, metric=CHRF), tb.mbr(references, metric=CHRF)]


def test_a_metric_has_its_own_options(example):
    for call in (tb.pairwise, tb.mbr):
        for other in ({"threads": 1}, {"dialect": "nltk"}, {"lowercase": True}):
            with pytest.raises(tb.OptionError, match="metric has its own options"):
                call(example[:2], metric=CHRF, **other)
    bleu = tb.BLEU("nltk-method1")
    scores = tb.pairwise(example[:5], metric=bleu, exact=True)
    assert (
        scores.tobytes() == tb.pairwise(example[:5], dialect="nltk-method1", exact=True).tobytes()
    )
    for i, j in itertools.product(range(5), repeat=2):
        assert scores[i, j] == bleu.sentence(example[i], example[j]).value


@pytest.mark.parametrize("metric", [CHRF, tb.TER()], ids=repr)
def test_ids_have_no_letters(metric):
    ids = [[1, 2, 3], [4, 5]]
    for call in (tb.pairwise, tb.mbr):
        for column in (ids, np.array([[1, 2], [3, 4]])):
            with pytest.raises(tb.InputError, match=r"candidates\[0\] holds token ids, .*strings"):
                call(column, metric=metric)
        with pytest.raises(tb.InputError, match=r"pad_id and eos_id mark token ids, .*leave them"):
            call(["a", "b"], metric=metric, pad_id=0)


@pytest.mark.parametrize("metric", [CHRF, PLUS, tb.TER()], ids=repr)
def test_groups_and_threads_of_sources(metric, example):
    some = example[:24]
    sources = [some[i : i + 4] for i in range(0, 24, 4)]
    expected = tb.mbr(sources, metric=metric)
    assert tb.mbr(some, metric=metric, group=4) == expected
    two = type(metric)(threads=2, **vars(metric.options))
    assert tb.mbr(some, metric=two, group=4) == expected
    alone = tb.mbr(some * 30, metric=metric)
    assert tb.mbr(some * 30, metric=two) == alone

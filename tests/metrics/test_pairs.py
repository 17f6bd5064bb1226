# SPDX-License-Identifier: Apache-2.0
"""Matrices are what single pairs score, whatever the lengths and sizes; MBR is their best mean."""

import copy
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import few_words, texts, words
from support.profiles import examples

from truebleu import BLEU, CHRF, DIALECTS, GLEU, MBR, TER, InputError, mbr, pairwise
from truebleu._core import simd_levels

#: A few units of the last place, far below the 1e-12 that is promised.
CLOSE = 1e-14
#: Where 2.2e-308 stands for a precision of zero, the logarithm is so large that the formula itself
#: is not closer to the real number.
PROMISED = 1e-12

METRICS = [BLEU(threads=1), CHRF(threads=1), CHRF(word_order=2, threads=1), TER(threads=1)]
PLUS = METRICS[2]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)


def check(metric, hyps, refs=None, close=CLOSE):
    """The matrix is what `sentences` scores: exactly, or closely for BLEU by square roots."""
    others = hyps if refs is None else refs
    expected = np.array([metric.sentences([hyp] * len(others), others) for hyp in hyps])
    exact = metric.pairwise(hyps, refs, exact=True)
    assert (exact.dtype, exact.shape) == (np.float64, (len(hyps), len(others)))
    assert exact.tobytes() == expected.tobytes(), metric.signature
    close = close if isinstance(metric, BLEU) else 0
    np.testing.assert_allclose(metric.pairwise(hyps, refs), expected, rtol=close, atol=0)


some_texts = st.lists(texts, min_size=1, max_size=6)


@given(some_texts, some_texts)
def test_random_texts_score_as_single_pairs(hyps, refs):
    for metric in (*METRICS[:3], BLEU(tokenize="none", smooth_method="floor")):
        check(metric, hyps)
        check(metric, hyps, refs)


@examples(share=4)
@given(hyps=st.lists(few_words, min_size=1, max_size=12), refs=st.lists(few_words, min_size=1))
def test_every_dialect_scores_as_single_pairs(hyps, refs):
    for dialect in DIALECTS:
        bleu = BLEU(dialect, threads=1)
        check(bleu, hyps, close=PROMISED)
        check(bleu, hyps, refs, close=PROMISED)


few_letters = st.lists(st.text("ab.- é", max_size=12), min_size=1, max_size=8)


@pytest.mark.parametrize("metric", [
    CHRF(lowercase=True, whitespace=True), CHRF(eps_smoothing=True, word_order=1),
    CHRF(char_order=0, word_order=3), CHRF(char_order=9, beta=0.7), CHRF(char_order=1), TER(),
], ids=repr)  # fmt: skip
@given(hyps=few_letters, refs=few_letters)
def test_every_option_of_chrf_and_ter_scores_as_single_pairs(metric, hyps, refs):
    check(metric, hyps)
    check(metric, hyps, refs)


@pytest.mark.parametrize("changes", [
    {"max_ngram_order": 1}, {"max_ngram_order": 9}, {"weights": (1, 0, 2, 0.5)},
    {"smooth_method": "none"}, {"smooth_method": "add-k"}, {"sentence_effective_order": False},
    {"summation": "exact"}, {"scale": 1}, {"lowercase": True}, {"ref_len": "longest"},
], ids=str)  # fmt: skip
def test_changed_options_count(changes, example):
    check(BLEU(**changes), example[:40], example[20:70])


def letters(length, seed=0):
    rng = np.random.default_rng(length + 7919 * seed)
    return "".join("abcdefgh .éя\U00020000"[n % 13] for n in rng.zipf(1.3, size=length) % 97)


LENGTHS = [range(71), [0, 247, 248, 249, 255, 256, 257], [511, 512, 513], [3, 2_047, 2_048, 2_050]]


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_all_lengths(lengths):
    check(BLEU(tokenize="none"), [words(length, seed) for length in lengths for seed in (0, 1)])
    some = [letters(length, seed) for length in lengths for seed in (0, 1)]
    for metric in (*METRICS[1:3], CHRF(whitespace=True)):
        check(metric, some)
        check(metric, some[::3], some[1::2])


def test_counts_that_need_more_than_a_byte():
    some = ["a " * 300, "a b " * 150, "b " * 254, "a " * 255, "a " * 248, "b " * 249]
    check(BLEU(tokenize="none"), some)
    some = ["a" * 700, "ab" * 300, "b" * 254, "a" * 255, "a" * 248, "a b " * 200, "c " * 300]
    check(METRICS[1], some)
    check(PLUS, some, some[1:])


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 129, 257, 511, 513])
def test_all_sizes(count, example):
    some = [f"{text} {i % 5}" for i, text in enumerate(example * 12)][:count]
    check(METRICS[0], some[:5], some)
    check(METRICS[0], some[:120])
    some = [f"{letters(12, i)} {i % 5}" for i in range(count)]
    check(PLUS, some[:3], some)
    check(PLUS, some[:70])


@each_metric
def test_nothing_and_one(metric):
    assert metric.pairwise([]).shape == (0, 0)
    assert metric.pairwise([], ["a", "b"]).shape == (0, 2)
    assert metric.pairwise(["a", "b"], []).shape == (2, 0)
    perfect = {"BLEU": 100.00000000000004, "TER": 0.0}.get(metric.name, 100.0)
    assert metric.pairwise(["abc def ghi jkl"], exact=True).tolist() == [[perfect]]
    assert metric.pairwise([""]).tolist() == [[0.0]]


@each_metric
def test_threads_and_instruction_sets_change_nothing(metric, example, monkeypatch):
    count = 40 if metric.name == "TER" else 500
    some = [f"{text} {i % 7}" for i, text in enumerate(example * 14)][:count]
    kind, options = type(metric), {} if metric.name == "BLEU" else vars(metric.options)
    for exact in (False, True):
        one = metric.pairwise(some, exact=exact).tobytes()
        for threads in (2, 3, 16):
            several = kind(threads=threads, **options)
            assert several.pairwise(some, exact=exact).tobytes() == one
        for level in simd_levels():
            with monkeypatch.context() as patch:
                patch.setenv("TRUEBLEU_SIMD", level)
                other = kind(threads=1, **options)
            assert other.plan.simd == level
            assert other.pairwise(some, exact=exact).tobytes() == one, level


def test_a_metric_may_be_named_and_have_options(example):
    for name, metric in (("bleu", BLEU()), ("chrf", CHRF()), ("ter", TER())):
        named = pairwise(example[:3], metric=name)
        assert named.tobytes() == metric.pairwise(example[:3]).tobytes()
    named = pairwise(example[:3], metric="chrf", word_order=2)
    assert named.tobytes() == PLUS.pairwise(example[:3]).tobytes()
    named = pairwise(example[:3], metric="gleu", dialect="nltk", max_len=2)
    assert named.tobytes() == GLEU("nltk", max_len=2).pairwise(example[:3]).tobytes()
    named = pairwise(example[:5], dialect="nltk-method1", exact=True)
    assert named.tobytes() == BLEU("nltk-method1").pairwise(example[:5], exact=True).tobytes()


def test_memory_is_bounded_by_the_result():
    """Beyond the matrix, a table of features and its blocks: far less than a set for each feature
    of the width of all candidates, which would be some hundred megabytes here."""
    code = """
import resource, sys
from truebleu import pairwise
texts = [" ".join(f"w{(i * 31 + j * j) % 997}" for j in range(25)) for i in range(3000)]
pairwise(texts[:10])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
scores = pairwise(texts, threads=1)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024 - scores.nbytes)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    assert int(done.stdout) < 40_000_000


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_fault_is_reported_by_any_number_of_threads(threads):
    some = [f"a b c{i % 40} d {i % 90}" for i in range(800)]
    faulty = some.copy()
    for place in (310, 330, 700):
        faulty[place] = "\ud800"
    for arguments, name in (((faulty,), "candidates"), ((some, faulty), "references")):
        with pytest.raises(InputError, match=rf"{name}\[310\]"):
            pairwise(*arguments, threads=threads)


# Minimum Bayes risk.

some = st.lists(few_words, min_size=1, max_size=7)
some_weights = st.lists(st.floats(0.01, 9), min_size=7, max_size=7)


@given(some, some, some_weights)
def test_expected_scores_are_weighted_means(candidates, references, weights):
    for metric in METRICS:
        for refs in (None, references):
            others = candidates if refs is None else refs
            for shares in (None, weights[: len(others)]):
                matrix = metric.pairwise(candidates, others, exact=True)
                expected = np.average(matrix, axis=1, weights=shares)
                best = max if metric.higher_is_better else min
                for exact in (False, True):
                    result = mbr(candidates, shares, refs, metric=metric, exact=exact)
                    np.testing.assert_allclose(result.scores, expected, rtol=PROMISED)
                    assert result.best == candidates[result.index]
                    # The first of those with the best score.
                    assert result.index == result.scores.index(best(result.scores))


@given(st.lists(st.tuples(some, some), min_size=1, max_size=6))
def test_each_of_many_sources_is_scored_by_itself(sources):
    candidates = [source for source, _ in sources]
    references = [refs for _, refs in sources]
    weights = [[i + 1 for i in range(len(refs))] for refs in references]
    assert mbr(candidates) == [mbr(one) for one in candidates]
    assert mbr(candidates, metric=PLUS) == [mbr(one, metric=PLUS) for one in candidates]
    result = mbr(candidates, weights, references, threads=3)
    assert result == [mbr(*three) for three in zip(candidates, weights, references, strict=True)]
    split = [[text.split() for text in one] for one in candidates]
    assert [one.scores for one in mbr(split, tokenize="none")] == [
        one.scores for one in mbr(candidates, tokenize="none")
    ]


@each_metric
def test_groups_and_threads_of_sources(metric, example):
    some = example[:24]
    sources = [some[i : i + 4] for i in range(0, 24, 4)]
    expected = mbr(sources, metric=metric)
    assert mbr(some, metric=metric, group=4) == expected
    two = type(metric)(threads=2, **({} if metric.name == "BLEU" else vars(metric.options)))
    assert mbr(some, metric=two, group=4) == expected
    assert mbr(some * 9, metric=two) == mbr(some * 9, metric=metric)


def test_the_first_of_equals_wins_and_nan_never():
    assert mbr(["a b c d", "a b c d", "x"]).index == 0
    assert mbr(["x", "a b c d", "a b c d"]).index == 1
    assert mbr(["", ""]).index == 0
    assert mbr([["a"]])[0].best == "a"
    result = mbr(["", "a b c d e"], references=["a b c d e"], dialect="hf-bleu")
    assert (result.index, math.isnan(result.scores[0])) == (1, True)
    assert mbr(["", ""], dialect="hf-bleu").index == 0


def test_a_result_is_a_value():
    result = mbr(["a b", "a b c"])
    again = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert copy.deepcopy(result) == result == again
    assert hash(result) == hash(again)
    assert result != MBR("a b", 0, (1.0, 2.0))
    with pytest.raises(AttributeError):
        result.index = 1
    assert repr(MBR("a", 0, (50.0,))) == "MBR(best='a', index=0, score=50.00)"

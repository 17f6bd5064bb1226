# SPDX-License-Identifier: Apache-2.0
"""Random corpora and smoothing functions, the user's own too, are as NLTK has them."""

import fractions
from copy import copy
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.twins_nltk import CORPUS, DEFAULT, HYP, REFS, WEIGHTS, alike, check, described, method, segment_lists


def spy(module, calls):
    """A user's smoothing that looks at all it is given, and changes the list."""

    def smooth(p_n, *args, **kwargs):
        calls.append((described(p_n), args, sorted(kwargs), kwargs["references"], kwargs["hypothesis"]))
        calls.append((type(p_n).__name__, kwargs["hyp_len"], described(p_n[0] + p_n[1])))
        assert all(isinstance(p, module.Fraction) for p in p_n)
        p_n[0] = 0.5
        return p_n

    return smooth


@pytest.mark.parametrize("corpus", [CORPUS, ([[[1, 2]], [[3, 4, 5]]], [[1, 2], [3, 4, 5]])])
def test_own_smoothing_gets_the_same_arguments(corpus):
    def call(module):
        calls = []
        score = module.corpus_bleu(*corpus, smoothing_function=spy(module, calls))
        assert calls
        return score, repr(calls)

    alike(call)


@pytest.mark.parametrize(
    "smooth",
    [
        lambda _: lambda p_n, **_: (p for p in p_n),
        lambda _: lambda p_n, **_: [0.5] * 9,
        lambda _: lambda p_n, **_: [-1, None],
        lambda _: lambda p_n, **_: None,
        lambda _: lambda p_n, **_: np.array(p_n, dtype=float),
        lambda _: lambda p_n: p_n,
        lambda _: lambda p_n, references, hypothesis, hyp_len: [p_n[0]] * hyp_len,
        lambda _: 7,
        lambda _: "",
        lambda module: module.SmoothingFunction,
        lambda module: module.SmoothingFunction.method4,
        lambda module: partial(module.SmoothingFunction.method4, module.SmoothingFunction(k=2)),
        lambda module: module.SmoothingFunction(epsilon=0).method1,
        lambda module: module.SmoothingFunction(epsilon=fractions.Fraction(1, 3)).method1,
        lambda module: module.SmoothingFunction(epsilon="0.1").method1,
        lambda module: module.SmoothingFunction(k=0).method4,
        lambda module: module.SmoothingFunction(alpha=0).method6,
        lambda module: type("Own", (module.SmoothingFunction,), {"epsilon": 3})().method3,
        lambda module: type(
            "Own", (module.SmoothingFunction,), {"method4": lambda self, p, *_: [self.k, *p[1:]]}
        )().method7,
        lambda module: type(
            "Own", (module.SmoothingFunction,),
            {"method1": lambda self, p_n, **rest: super(type(self), self).method1(p_n, **rest)},
        )().method1,
    ],
)  # fmt: skip
def test_smoothing_of_all_kinds(smooth):
    for corpus in (CORPUS, ([[["a"]]], [["a"]]), ([[["a"]]], [["b"]]), ([REFS], [HYP])):
        alike(lambda module, corpus=corpus: module.corpus_bleu(*corpus, smoothing_function=smooth(module)))


@pytest.mark.parametrize("name", [f"method{i}" for i in range(8)])
def test_smoothing_methods_called_alone(name):
    for p_n in ([], [0.5], [1, 2], (1, 2, 3, 4), None, np.array([0.5, 0.25, 0.125])):
        for args in ((), (REFS, HYP), (REFS, HYP, 4), (REFS, HYP, 4, "more"), (REFS, [])):
            alike(lambda module, p_n=p_n, args=args: method(module, name)(copy(p_n), *args))


def test_fractions_are_alike():
    cases = [
        (), (2, 4), (2, 4, True), (2, 4, False), (0, 3), (0, 0), (3, 0), (-2, 4), (2, -4), (5,),
        ("1/2",), (0.5,), (fractions.Fraction(1, 2), 3), (True, 2), (2, True), (1.5, 2), (None,),
        (10**400, 2 * 10**400), (np.int64(2), 4),
    ]  # fmt: skip
    uses = [
        float, hash, repr, str, bool, abs, lambda p: p + 1, lambda p: p * p, lambda p: p**2,
        lambda p: p / 3, lambda p: 1 - p, lambda p: p > 0, lambda p: p < 0, lambda p: p > 0,
        lambda p: p > 0.25, lambda p: p > True, lambda p: p > None,
        lambda p: p >= 0, lambda p: p < 1, lambda p: p == 0, lambda p: p == 0.5, lambda p: p,
        lambda p: p > 0.0, lambda p: p > fractions.Fraction(1, 3), lambda p: round(p, 1),
    ]  # fmt: skip
    for case in cases:
        fraction, _ = alike(lambda module, case=case: module.Fraction(*case))
        if fraction[0] == "Fraction":
            for use in uses:
                alike(lambda module, case=case, use=use: use(module.Fraction(*case)))


#: With each corpus: every method.
METHODS = [None, *(f"method{i}" for i in range(8))]


@given(segment_lists(), st.data(), st.booleans(), st.booleans())
def test_corpora_score_alike(corpus, data, default, reweigh):
    for name in METHODS:
        weights = DEFAULT if default else data.draw(st.sampled_from(WEIGHTS))
        alike(lambda m: m.corpus_bleu(*corpus, weights, method(m, name), reweigh))  # noqa: B023


@given(segment_lists(), st.sampled_from(WEIGHTS), st.sampled_from([1, 5, 7.5]), st.booleans())
def test_sentences_score_alike(corpus, weights, k, reweigh):
    references, hypothesis = (column[0] for column in corpus)
    for name in METHODS:

        def score(module, name=name):
            smooth = name and getattr(module.SmoothingFunction(0.01, 3, k), name)
            return module.sentence_bleu(references, hypothesis, weights, smooth, reweigh)

        alike(score)


@given(segment_lists(), st.integers(0, 70))
def test_parts_are_alike(corpus, order):
    references, hypothesis = (column[0] for column in corpus)
    for n in {1, 2, 3, 4, 5, order}:
        check("modified_precision", references, hypothesis, n)
        check("ngrams", hypothesis, n, pad_left=True, right_pad_symbol="</s>")
    check("closest_ref_length", references, len(hypothesis))
    check("brevity_penalty", order, len(hypothesis))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=1, max_size=6), st.data())
def test_smoothing_alone_is_alike(counts, data):
    """Methods called by themselves give the same objects, Fractions where NLTK gives them."""
    segment = [["a", "b", "a", "c"]], ["a", "b", "a"]
    hyp_len = data.draw(st.sampled_from([None, 0, 1, 3, 40]))
    for name in METHODS[1:]:

        def smoothed(module, name=name):
            p_n = [module.Fraction(min(pair), max(pair), _normalize=False) for pair in counts]
            return method(module, name)(p_n, *segment, hyp_len)

        alike(smoothed)

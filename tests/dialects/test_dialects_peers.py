# SPDX-License-Identifier: Apache-2.0
"""Rows beside the tools that they reproduce, where pip can install these."""

from __future__ import annotations

import math
import warnings

import bleuscore
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk
from support.corpora import corpora

from truebleu import BLEU

SMOOTHING = nltk.SmoothingFunction()


def words_of(hyps, refs):
    present = [[ref for ref in row if ref is not None] for row in refs]
    return [hyp.split() for hyp in hyps], [[ref.split() for ref in row] for row in present]


def nltk_score(hyps, refs, method, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of method 0
        return nltk.corpus_bleu(refs, hyps, smoothing_function=method, **options)


weights = st.one_of(
    st.none(),
    st.lists(st.floats(0, 1), min_size=1, max_size=5).filter(any).map(tuple),
)


@pytest.mark.parametrize("method", range(5))
@given(corpora(), weights)
def test_nltk_to_the_last_bit(method, corpus, weights):
    name = f"nltk-method{method}" if method else "nltk"
    hyps, refs = words_of(*corpus)
    smoothing = getattr(SMOOTHING, f"method{method}")
    options = {} if weights is None else {"weights": weights}
    bleu = BLEU(name, **options)
    assert bleu.corpus(*corpus).value == nltk_score(hyps, refs, smoothing, **options)
    sentences = [
        nltk_score([h], [r], smoothing, **options) for h, r in zip(hyps, refs, strict=True)
    ]
    assert list(bleu.sentences(*corpus)) == sentences


@given(corpora())
def test_nltk_reweighs_short_corpora(corpus):
    hyps, refs = words_of(*corpus)
    assume(any(hyps))
    expected = nltk_score(hyps, refs, SMOOTHING.method1, auto_reweigh=True)
    assert BLEU("nltk-method1", auto_reweigh=True).corpus(*corpus).value == expected


@pytest.mark.parametrize("epsilon", [0.01, 0.5])
@given(corpora())
def test_nltk_takes_its_epsilon_and_k(epsilon, corpus):
    hyps, refs = words_of(*corpus)
    smoothing = nltk.SmoothingFunction(epsilon=epsilon, k=10 * epsilon)
    for method in (1, 4):
        value = epsilon if method == 1 else 10 * epsilon
        found = BLEU(f"nltk-method{method}", smooth_value=value).corpus(*corpus).value
        assert found == nltk_score(hyps, refs, getattr(smoothing, f"method{method}"))


@pytest.mark.parametrize("method", [5, 6, 7])
@given(corpora())
def test_nltk_of_single_segments_by_methods_that_look_at_the_last_one(method, corpus):
    hyps, refs = words_of(*corpus)
    scores = BLEU(f"nltk-method{method}").sentences(*corpus)
    for found, hyp, row in zip(scores, hyps, refs, strict=True):
        try:
            expected = nltk_score([hyp], [row], getattr(SMOOTHING, f"method{method}"))
        except AssertionError:
            expected = math.nan
        assert found == pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)


@pytest.mark.parametrize("smooth", [False, True])
@given(corpora())
def test_bleuscore(smooth, corpus):
    hyps, refs = corpus
    present = [[ref for ref in row if ref is not None] for row in refs]
    changes = {"smooth_method": "add-k-all"} if smooth else {}
    parts = [(hyps, present), *(([hyp], [row]) for hyp, row in zip(hyps, present, strict=True))]
    for order in range(1, 5):
        bleu = BLEU("bleuscore", max_ngram_order=order, **changes)
        for some_hyps, some_refs in parts:
            scored = bleuscore.compute(
                predictions=some_hyps, references=some_refs, max_order=order, smooth=smooth
            )
            found = bleu.corpus(some_hyps, some_refs).value
            assert found == pytest.approx(scored["bleu"], rel=1e-12, abs=0)

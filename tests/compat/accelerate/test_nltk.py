# SPDX-License-Identifier: Apache-2.0
"""Accelerated NLTK does what NLTK does: values, types, errors, and warnings with their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score, gleu_score, nist_score
from support.twins_nltk import CORPUS, WEIGHTS, method, outcome_with_places, segment_lists

import truebleu
from truebleu.compat.accelerate import is_accelerated


def alike(call):
    assert not is_accelerated("nltk")
    theirs = outcome_with_places(call)
    with truebleu.accelerate("nltk"):
        mine = outcome_with_places(call)
    assert mine == theirs
    return theirs[0]


@given(segment_lists(), st.sampled_from(WEIGHTS), st.booleans())
def test_bleu(corpus, weights, reweigh):
    references, hypotheses = corpus
    for name in (None, *(f"method{i}" for i in range(8))):
        smooth = method(bleu_score, name)
        options = weights, smooth, reweigh
        alike(lambda options=options: bleu_score.corpus_bleu(*corpus, *options))
        alike(lambda options=options: bleu_score.sentence_bleu(references[0], hypotheses[0], *options))
    for n in (0, 1, 4, 70):
        alike(lambda n=n: bleu_score.modified_precision(references[0], hypotheses[0], n))


@given(segment_lists(), st.integers(-1, 3), st.integers(-1, 70))
def test_gleu_and_nist(corpus, shortest, longest):
    alike(lambda: gleu_score.corpus_gleu(*corpus))
    alike(lambda: gleu_score.corpus_gleu(*corpus, shortest, longest))
    alike(lambda: nist_score.corpus_nist(*corpus, longest))
    segment = corpus[0][0], corpus[1][0]
    alike(lambda: gleu_score.sentence_gleu(*segment))
    alike(lambda: nist_score.sentence_nist(*segment, 2))


@pytest.mark.parametrize(
    "corpus",
    [
        (3, 4), ([], []), ([[]], []), ([[["a"]]], [3]), ([3], [["a"]]), ([[["a"]]], [None]),
        ("ab", "ab"), ([["a b"]], ["a b"]), (iter(CORPUS[0]), iter(CORPUS[1])),
        ({0: 1}, {0: 1}), ([[[["a"]]]], [[["a"]]]),
    ],
)  # fmt: skip
def test_wrong_corpora(corpus):
    for function in (bleu_score.corpus_bleu, gleu_score.corpus_gleu, nist_score.corpus_nist):
        alike(lambda function=function: function(*corpus))


def test_the_kernel_counts(monkeypatch):
    """With NLTK's own methods of smoothing, and from names that were imported before."""

    def counted(*_):
        raise ArithmeticError

    corpus_bleu, sentence_bleu = bleu_score.corpus_bleu, bleu_score.sentence_bleu
    monkeypatch.setattr("truebleu.compat.nltk.count", counted)
    with truebleu.accelerate("nltk"):
        for call in (lambda: corpus_bleu(*CORPUS), lambda: sentence_bleu(CORPUS[0][0], CORPUS[1][0])):
            with pytest.raises(ArithmeticError):
                call()

# SPDX-License-Identifier: Apache-2.0
"""Accelerated NLTK does what NLTK does: values, types, errors, and warnings with their places."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score, gleu_score, nist_score
from support.accelerated import accelerated
from support.twins_nltk import CORPUS, WEIGHTS, method, outcome_with_places, segment_lists


def alike(*calls):
    def outcomes():
        return [outcome_with_places(call) for call in calls]

    assert accelerated(["nltk"], outcomes) == outcomes()


@given(segment_lists(), st.sampled_from(WEIGHTS), st.booleans())
def test_bleu(corpus, weights, reweigh):
    segment = corpus[0][0], corpus[1][0]
    names = None, *(f"method{i}" for i in range(8))
    options = [(weights, method(bleu_score, name), reweigh) for name in names]
    alike(
        *(partial(bleu_score.corpus_bleu, *corpus, *each) for each in options),
        *(partial(bleu_score.sentence_bleu, *segment, *each) for each in options),
        *(partial(bleu_score.modified_precision, *segment, n) for n in (0, 1, 4, 70)),
    )


@given(segment_lists(), st.integers(-1, 3), st.integers(-1, 70))
def test_gleu_and_nist(corpus, shortest, longest):
    segment = corpus[0][0], corpus[1][0]
    alike(
        partial(gleu_score.corpus_gleu, *corpus),
        partial(gleu_score.corpus_gleu, *corpus, shortest, longest),
        partial(nist_score.corpus_nist, *corpus, longest),
        partial(gleu_score.sentence_gleu, *segment),
        partial(nist_score.sentence_nist, *segment, 2),
    )


@pytest.mark.parametrize(
    "corpus",
    [
        (3, 4), ([], []), ([[]], []), ([[["a"]]], [3]), ([3], [["a"]]), ([[["a"]]], [None]),
        ("ab", "ab"), ([["a b"]], ["a b"]), (iter(CORPUS[0]), iter(CORPUS[1])),
        ({0: 1}, {0: 1}), ([[[["a"]]]], [[["a"]]]),
    ],
)  # fmt: skip
def test_wrong_corpora(corpus):
    functions = bleu_score.corpus_bleu, gleu_score.corpus_gleu, nist_score.corpus_nist
    alike(*(partial(function, *corpus) for function in functions))


def test_the_kernel_counts(monkeypatch):
    """With NLTK's own methods of smoothing, and from names that were imported before."""

    def counted(*_):
        raise ArithmeticError

    corpus_bleu, sentence_bleu = bleu_score.corpus_bleu, bleu_score.sentence_bleu
    monkeypatch.setattr("truebleu.compat.nltk.count", counted)
    for call in (lambda: corpus_bleu(*CORPUS), lambda: sentence_bleu(CORPUS[0][0], CORPUS[1][0])):
        with pytest.raises(AssertionError, match="ArithmeticError"):
            accelerated(["nltk"], call)

# SPDX-License-Identifier: Apache-2.0
"""Rows compared with the tools that they reproduce.

Tools that pip cannot install everywhere are skipped.
"""

import math
import warnings

import bleuscore
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk
from support.corpora import corpora, present
from support.profiles import SLOW

from truebleu import BLEU

SMOOTHING = nltk.SmoothingFunction()


def words_of(hyps, refs):
    return [hyp.split() for hyp in hyps], [[ref.split() for ref in row] for row in present(refs)]


def nltk_score(hyps, refs, method, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of method 0
        return nltk.corpus_bleu(refs, hyps, smoothing_function=method, **options)


nltk_weights = st.one_of(st.none(), st.lists(st.floats(0, 1), min_size=1, max_size=5).filter(any).map(tuple))


@pytest.mark.parametrize("method", range(5))
@given(corpora(), nltk_weights)
def test_nltk_to_the_last_bit(method, corpus, weights):
    name = f"nltk-method{method}" if method else "nltk"
    hyps, refs = words_of(*corpus)
    smoothing = getattr(SMOOTHING, f"method{method}")
    options = {} if weights is None else {"weights": weights}
    bleu = BLEU(name, **options)
    assert bleu.corpus(*corpus).value == nltk_score(hyps, refs, smoothing, **options)
    sentences = [nltk_score([h], [r], smoothing, **options) for h, r in zip(hyps, refs, strict=True)]
    assert list(bleu.sentences(*corpus)) == sentences


@pytest.mark.parametrize("epsilon", [0.01, 0.5])
@given(corpora())
def test_nltk_takes_its_epsilon_and_k(epsilon, corpus):
    hyps, refs = words_of(*corpus)
    smoothing = nltk.SmoothingFunction(epsilon=epsilon, k=10 * epsilon)
    for method in (1, 4):
        value = epsilon if method == 1 else 10 * epsilon
        ours = BLEU(f"nltk-method{method}", smooth_value=value).corpus(*corpus).value
        assert ours == nltk_score(hyps, refs, getattr(smoothing, f"method{method}"))


@pytest.mark.parametrize("method", [5, 6, 7])
@given(corpora())
def test_nltk_of_single_segments_by_methods_that_look_at_the_last_one(method, corpus):
    hyps, refs = words_of(*corpus)
    scores = BLEU(f"nltk-method{method}").sentences(*corpus)
    for ours, hyp, row in zip(scores, hyps, refs, strict=True):
        try:
            expected = nltk_score([hyp], [row], getattr(SMOOTHING, f"method{method}"))
        except AssertionError:
            expected = math.nan
        assert ours == pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)


@pytest.mark.parametrize("smooth", [False, True])
@given(corpora())
def test_bleuscore(smooth, corpus):
    hyps, refs = corpus
    changes = {"smooth_method": "add-k-all"} if smooth else {}
    for order in range(1, 5):
        bleu = BLEU("bleuscore", max_ngram_order=order, **changes)
        for some_hyps, some_refs in parts_of(hyps, present(refs)):
            scored = bleuscore.compute(predictions=some_hyps, references=some_refs, max_order=order, smooth=smooth)
            ours = bleu.corpus(some_hyps, some_refs).value
            assert ours == pytest.approx(scored["bleu"], rel=1e-12, abs=0)


#: At least 20,000 comparisons with each tool in the slow profile.
many = settings(max_examples=6_000 if SLOW else 25)

#: Words without spaces, some of them keywords of Python, to which CodeBLEU gives weights.
words = st.sampled_from(["if", "else", "x", "y", "(", ")", ":", "return", "中", "the"])
lists = st.lists(words, max_size=14)


@st.composite
def word_corpora(draw, max_refs=3):
    """Lists of words with references that often contain the hypothesis."""
    hyps, refs = [], []
    for _ in range(draw(st.integers(1, 8))):
        hyp = draw(lists)
        near = st.tuples(lists, st.just(hyp), lists).map(lambda parts: [*parts[0], *parts[1], *parts[2]])
        hyps.append(hyp)
        refs.append(draw(st.lists(st.one_of(lists, near), min_size=1, max_size=max_refs)))
    return hyps, refs


def parts_of(hyps, refs):
    """The corpus, and each segment by itself."""
    return [(hyps, refs), *(([hyp], [row]) for hyp, row in zip(hyps, refs, strict=True))]


def near(value):
    return pytest.approx(value, rel=1e-12, abs=0)


def near_single(value):
    """The tolerance for tools that compute in single precision."""
    return pytest.approx(value, rel=1e-6, abs=1e-12)


@many
@given(word_corpora())
def test_codebleus_n_gram_match(corpus):
    theirs = pytest.importorskip("codebleu.bleu", reason="pip did not install codebleu")
    hyps, refs = corpus
    bleu = BLEU("codebleu-ngram")
    assert bleu.corpus(hyps, refs).value == theirs.corpus_bleu(refs, hyps)
    expected = [theirs.sentence_bleu(row, hyp) for hyp, row in zip(hyps, refs, strict=True)]
    assert list(bleu.sentences(hyps, refs)) == expected


@many
@given(word_corpora())
def test_codebleus_weighted_n_gram_match(corpus):
    theirs = pytest.importorskip("codebleu.weighted_ngram_match", reason="pip did not install codebleu")
    hyps, refs = corpus
    bleu = BLEU("codebleu-weighted")
    keywords = set(bleu.dialect.count.keywords)
    for some_hyps, some_refs in parts_of(hyps, refs):
        weighted = [[[ref, {word: 1 if word in keywords else 0.2 for word in ref}] for ref in row] for row in some_refs]
        expected = theirs.corpus_bleu(weighted, some_hyps)
        assert bleu.corpus(some_hyps, some_refs).value == near(expected)


@many
@given(word_corpora(max_refs=1))
def test_compare_mt(corpus):
    theirs = pytest.importorskip("compare_mt.scorers", reason="pip did not install compare-mt")
    hyps, refs = corpus
    bleu, scorer = BLEU("compare-mt"), theirs.BleuScorer()
    for some_hyps, some_refs in parts_of(hyps, refs):
        expected, _ = scorer.score_corpus([row[0] for row in some_refs], some_hyps)
        ours = bleu.corpus(some_hyps, some_refs).value
        assert ours == near(expected)


@settings(max_examples=6_000 if SLOW else 10)  # each call of it starts threads
@given(word_corpora())
def test_fast_bleu(corpus):
    theirs = pytest.importorskip("fast_bleu", reason="pip did not build fast-bleu")
    hyps, refs = corpus
    ours = BLEU("fast-bleu").sentences(hyps, refs)
    for value, hyp, row in zip(ours, hyps, refs, strict=True):
        (expected,) = theirs.BLEU(row).get_score([hyp])[4]
        assert value == pytest.approx(expected, rel=1e-6, abs=0)


single = pytest.mark.parametrize("smooth", [False, True])


@single
@many
@given(corpus=word_corpora())
def test_torchmetrics(smooth, corpus):
    theirs = pytest.importorskip("torchmetrics.functional.text", reason="torch and torchmetrics are not installed")
    hyps, refs = [" ".join(hyp) for hyp in corpus[0]], [[*map(" ".join, row)] for row in corpus[1]]
    bleu = BLEU("torchmetrics", **({"smooth_method": "add-k"} if smooth else {}))
    for some_hyps, some_refs in parts_of(hyps, refs):
        expected = theirs.bleu_score(some_hyps, some_refs, smooth=smooth).item()
        ours = bleu.corpus(some_hyps, some_refs).value
        assert ours == near_single(expected)

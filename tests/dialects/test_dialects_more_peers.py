# SPDX-License-Identifier: Apache-2.0
"""Rows beside tools that bring much of their own: compilers, graphics, gigabytes of PyTorch.

`make` installs the small ones where pip can; each test says what it lacks where it is skipped.
evaluate downloads its metric from a hub at run time, so that its test needs a checkout.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
import types
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpora import corpora

from truebleu import BLEU

#: At least 20,000 comparisons with each tool in the slow profile.
many = settings(max_examples=6_000 if os.environ.get("HYPOTHESIS_PROFILE") == "slow" else 150)

#: Words without blanks in them, some of them Python's keywords, which CodeBLEU weighs.
words = st.sampled_from(["if", "else", "x", "y", "(", ")", ":", "return", "中", "the"])
lists = st.lists(words, max_size=14)


@st.composite
def word_corpora(draw, max_refs=3):
    """Lists of words with one reference or more, which often share parts of their hypothesis."""
    hyps, refs = [], []
    for _ in range(draw(st.integers(1, 8))):
        hyp = draw(lists)
        near = st.tuples(lists, st.just(hyp), lists).map(
            lambda parts: [*parts[0], *parts[1], *parts[2]]
        )
        hyps.append(hyp)
        refs.append(draw(st.lists(st.one_of(lists, near), min_size=1, max_size=max_refs)))
    return hyps, refs


def parts_of(hyps, refs):
    """The corpus, and each segment by itself."""
    return [(hyps, refs), *(([hyp], [row]) for hyp, row in zip(hyps, refs, strict=True))]


def near(value):
    return pytest.approx(value, rel=1e-12, abs=0)


def near_single(value):
    """What a row of a tool that computes in single precision promises."""
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
    theirs = pytest.importorskip(
        "codebleu.weighted_ngram_match", reason="pip did not install codebleu"
    )
    hyps, refs = corpus
    bleu = BLEU("codebleu-weighted")
    keywords = set(bleu.dialect.count.keywords)
    for some_hyps, some_refs in parts_of(hyps, refs):
        weighted = [
            [[ref, {word: 1 if word in keywords else 0.2 for word in ref}] for ref in row]
            for row in some_refs
        ]
        expected = theirs.corpus_bleu(weighted, some_hyps)
        assert bleu.corpus(some_hyps, some_refs).value == near(expected)


def test_codebleus_keywords_are_those_of_its_list():
    theirs = pytest.importorskip("codebleu", reason="pip did not install codebleu")
    listed = Path(theirs.__file__).parent / "keywords" / "python.txt"
    found = set(BLEU("codebleu-weighted").dialect.count.keywords)
    assert found == set(listed.read_text(encoding="utf-8").split())


@many
@given(word_corpora(max_refs=1))
def test_compare_mt(corpus):
    theirs = pytest.importorskip("compare_mt.scorers", reason="pip did not install compare-mt")
    hyps, refs = corpus
    bleu, scorer = BLEU("compare-mt"), theirs.BleuScorer()
    for some_hyps, some_refs in parts_of(hyps, refs):
        expected, _ = scorer.score_corpus([row[0] for row in some_refs], some_hyps)
        found = bleu.corpus(some_hyps, some_refs).value
        assert found == near(expected)


@many
@given(word_corpora())
def test_fast_bleu(corpus):
    theirs = pytest.importorskip("fast_bleu", reason="pip did not build fast-bleu")
    hyps, refs = corpus
    found = BLEU("fast-bleu").sentences(hyps, refs)
    for value, hyp, row in zip(found, hyps, refs, strict=True):
        (expected,) = theirs.BLEU(row).get_score([hyp])[4]
        assert value == pytest.approx(expected, rel=1e-6, abs=0)


@pytest.fixture(scope="module")
def evaluates_metric():
    """`compute_bleu` of evaluate's metric with its tokenizer, from a checkout of its sources."""
    folder = os.environ.get("TRUEBLEU_EVALUATE")
    if not folder:
        pytest.skip(
            "evaluate downloads its metric; TRUEBLEU_EVALUATE names a folder with metrics/bleu of "
            "huggingface/evaluate in which nmt_bleu.py is tensorflow/nmt's nmt/scripts/bleu.py"
        )
    for name in ("datasets", "evaluate"):  # what the metric imports for its own description
        pytest.importorskip(name)
    package = types.ModuleType("evaluates_bleu")
    package.__path__ = [folder]
    sys.modules["evaluates_bleu"] = package
    return importlib.import_module("evaluates_bleu.bleu")


@pytest.mark.parametrize("smooth", [False, True])
@many
@given(corpus=corpora())
def test_evaluate(evaluates_metric, smooth, corpus):
    hyps, refs = corpus
    present = [[ref for ref in row if ref is not None] for row in refs]
    metric = evaluates_metric.Bleu.__new__(evaluates_metric.Bleu)
    bleu = BLEU("hf-bleu", **({"smooth_method": "add-k-all"} if smooth else {}))
    for some_hyps, some_refs in parts_of(hyps, present):
        found = bleu.corpus(some_hyps, some_refs).value
        try:
            expected = metric._compute(some_hyps, some_refs, smooth=smooth)["bleu"]
        except ZeroDivisionError:
            assert math.isnan(found)
        else:
            assert found == expected


single = pytest.mark.parametrize("smooth", [False, True])


@single
@many
@given(corpus=word_corpora())
def test_torchmetrics(smooth, corpus):
    theirs = pytest.importorskip(
        "torchmetrics.functional.text", reason="torch and torchmetrics are not installed"
    )
    hyps, refs = [" ".join(hyp) for hyp in corpus[0]], [[*map(" ".join, row)] for row in corpus[1]]
    bleu = BLEU("torchmetrics", **({"smooth_method": "add-k"} if smooth else {}))
    for some_hyps, some_refs in parts_of(hyps, refs):
        expected = theirs.bleu_score(some_hyps, some_refs, smooth=smooth).item()
        found = bleu.corpus(some_hyps, some_refs).value
        assert found == near_single(expected)


@single
@pytest.mark.parametrize("tokenize", ["13a", "none", "char", "intl", "zh"])
@many
@given(corpus=corpora())
def test_torchmetrics_like_sacrebleu(tokenize, smooth, corpus):
    theirs = pytest.importorskip(
        "torchmetrics.functional.text", reason="torch and torchmetrics are not installed"
    )
    hyps, refs = corpus
    present = [[ref for ref in row if ref is not None] for row in refs]
    bleu = BLEU(
        "torchmetrics-sacre", tokenize=tokenize, **({"smooth_method": "add-k"} if smooth else {})
    )
    expected = theirs.sacre_bleu_score(hyps, present, smooth=smooth, tokenize=tokenize).item()
    assert bleu.corpus(hyps, present).value == near_single(expected)

# SPDX-License-Identifier: Apache-2.0
"""The kernel, the specification and the installed sacreBLEU agree to the last bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU
from support.corpora import SMOOTHINGS, SUMMATION, corpora, segments, texts

from truebleu import BLEU, spec
from truebleu._core import simd_levels

TOKENIZERS = ["none", "13a", "intl", "zh", "char"]
LEVELS = simd_levels()


def bleus(**changes) -> list[BLEU]:
    """One metric for each instruction set of this machine."""
    found = []
    for level in LEVELS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TRUEBLEU_SIMD", level)
            found.append(BLEU(summation=SUMMATION, threads=1, **changes))
    return found


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_tokens_equal_those_of_sacrebleu_and_the_specification(tokenize, lowercase):
    metrics = bleus(tokenize=tokenize, lowercase=lowercase)
    peer = SacreBLEU(tokenize=tokenize, lowercase=lowercase)

    @given(texts)
    def check(text):
        expected = peer._preprocess_segment(text).split()
        dialect = metrics[0].dialect
        assert spec.tokenize(dialect, spec.normalize(dialect, text)) == expected
        for level, bleu in zip(LEVELS, metrics, strict=True):
            assert bleu.tokens(text) == expected, level

    check()


@pytest.mark.parametrize("tokenize", [*TOKENIZERS, "zh-fixed"])
@pytest.mark.parametrize("whitespace", ["python", "ascii"])
@pytest.mark.parametrize("lowercase_rule", ["unicode", "ascii"])
def test_tokens_equal_those_of_the_specification(tokenize, whitespace, lowercase_rule):
    metrics = bleus(
        tokenize=tokenize,
        whitespace=whitespace,
        lowercase=True,
        lowercase_rule=lowercase_rule,
        strip="none",
    )

    @given(texts)
    def check(text):
        dialect = metrics[0].dialect
        expected = spec.tokenize(dialect, spec.normalize(dialect, text))
        for level, bleu in zip(LEVELS, metrics, strict=True):
            assert bleu.tokens(text) == expected, level

    check()


@pytest.mark.parametrize("tokenize", TOKENIZERS)
@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_statistics_equal_those_of_sacrebleu_and_the_specification(tokenize, order):
    metrics = bleus(tokenize=tokenize, max_ngram_order=order)
    peer = SacreBLEU(tokenize=tokenize, max_ngram_order=order)

    @given(corpora())
    def check(corpus):
        hyps, refs = corpus
        expected = [tuple(row) for row in peer._extract_corpus_statistics(hyps, streams_of(refs))]
        present = [[ref for ref in row if ref is not None] for row in refs]
        rows = [
            tuple(spec.segment_stats(metrics[0].dialect, hyp, row))
            for hyp, row in zip(hyps, present, strict=True)
        ]
        assert rows == expected
        for level, bleu in zip(LEVELS, metrics, strict=True):
            assert list(bleu.stats(hyps, refs)) == expected, level

    check()


def streams_of(refs):
    """sacreBLEU's [reference][segment] layout, with None where a segment has fewer."""
    most = max(map(len, refs))
    return [[row[i] if i < len(row) else None for row in refs] for i in range(most)]


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
def test_scores_equal_those_of_sacrebleu_and_the_specification(method, value, effective_order):
    options = {
        "smooth_method": method,
        "smooth_value": value,
        "effective_order": effective_order,
    }
    metrics = bleus(tokenize="none", **options)
    peer = SacreBLEU(tokenize="none", **options)

    @given(corpora())
    def check(corpus):
        hyps, refs = corpus
        streams = streams_of(refs)
        expected = peer.corpus_score(hyps, streams)
        dialect = metrics[0].dialect
        present = [[ref for ref in row if ref is not None] for row in refs]
        assert spec.corpus_bleu(dialect, hyps, present) == expected.score
        sentences = [
            peer.sentence_score(hyp, row).score for hyp, row in zip(hyps, present, strict=True)
        ]
        for level, bleu in zip(LEVELS, metrics, strict=True):
            score = bleu.corpus(hyps, refs)
            assert score.value == expected.score, level
            assert list(score.precisions) == expected.precisions, level
            assert score.bp == expected.bp, level
            assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len), level
            assert str(score) == str(expected), level
            assert list(bleu.sentences(hyps, refs)) == sentences, level

    check()


@pytest.mark.parametrize("summation", ["naive", "compensated"])
@given(corpora(), st.lists(st.floats(0, 10), min_size=1, max_size=6).filter(any))
def test_weighted_scores_equal_those_of_the_specification(summation, corpus, weights):
    hyps, refs = corpus
    present = [[ref for ref in row if ref is not None] for row in refs]
    for effective_order in (False, True):
        bleu = BLEU(weights=weights, summation=summation, effective_order=effective_order)
        expected = spec.corpus_bleu(bleu.dialect, hyps, present)
        assert bleu.corpus(hyps, refs).value == expected


@pytest.mark.parametrize("rule", ["closest", "closest-first", "shortest", "longest", "first"])
@given(corpora(max_refs=4))
def test_reference_lengths_equal_those_of_the_specification(rule, corpus):
    hyps, refs = corpus
    present = [[ref for ref in row if ref is not None] for row in refs]
    bleu = BLEU(tokenize="none", ref_len=rule)
    rows = [
        tuple(spec.segment_stats(bleu.dialect, hyp, row))
        for hyp, row in zip(hyps, present, strict=True)
    ]
    assert list(bleu.stats(hyps, refs)) == rows


@pytest.mark.parametrize("length", [*range(71), 127, 128, 129, 255, 256, 257, 511, 512, 513, 600])
def test_segments_of_all_lengths_are_counted_alike(length):
    words = [f"{'w' * (i % 19)}{i % 13}" for i in range(length)]
    reference = " ".join(words)
    hypothesis = " ".join(words[::2] + words[1::3] + words[:40])
    for bleu in bleus(tokenize="none"):
        for hyp, ref in [(hypothesis, reference), (reference, hypothesis), (reference, reference)]:
            row = tuple(spec.segment_stats(bleu.dialect, hyp, [ref]))
            assert bleu.stats([hyp], [ref])[0] == row
            several = [ref, hyp[::-1], ref[: len(ref) // 2]]
            row = tuple(spec.segment_stats(bleu.dialect, hyp, several))
            assert bleu.stats([hyp], [several])[0] == row


@given(st.lists(segments, min_size=1, max_size=3))
def test_words_given_equal_words_found(texts):
    bleu = BLEU(tokenize="none")
    words = [text.split() for text in texts]
    refs = words[1:] + words[:1]
    found = bleu.stats(texts, texts[1:] + texts[:1])
    assert bleu.stats(words, refs) == found
    assert bleu.stats(words, [[ref] for ref in refs]) == found

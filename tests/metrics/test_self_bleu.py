# SPDX-License-Identifier: Apache-2.0
"""Self-BLEU in one pass is the mean of what each text scores against all the others."""

import itertools
import math
import pickle
import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import CHUNK, few_words, texts, words
from support.profiles import examples

from truebleu import BLEU, DIALECTS, SelfBLEU, self_bleu
from truebleu._core import simd_levels


def one_by_one(listed, **options):
    """Each text against the others, by the front door."""
    bleu = BLEU(options.pop("dialect", "sacrebleu"), **options)
    return [bleu.sentence(text, listed[:i] + listed[i + 1 :]).value for i, text in enumerate(listed)]


def check(listed, **options):
    expected = one_by_one(listed, **options)
    result = self_bleu(listed, **options)
    assert result.scores.tobytes() == np.array(expected).tobytes(), options
    mean = math.fsum(expected) / len(expected)
    assert result.hex() == mean.hex()
    assert (result.texts, result.scored, result.interval) == (len(listed), len(listed), None)


@given(st.lists(texts, min_size=2, max_size=8))
def test_random_texts_score_as_each_by_itself(listed):
    check(listed)
    check(listed, tokenize="none", smooth_method="add-k")


@examples(share=4)
@given(listed=st.lists(few_words, min_size=2, max_size=9))
def test_every_dialect_scores_as_each_by_itself(listed):
    for dialect in DIALECTS:
        check(listed, dialect=dialect)


@pytest.mark.parametrize("rule", ["closest", "closest-first", "shortest", "longest", "average", "first"])
@given(listed=st.lists(few_words, min_size=2, max_size=9))
def test_reference_lengths_are_those_of_the_others(rule, listed):
    check(listed, tokenize="none", ref_len=rule)


@pytest.mark.parametrize("lengths", [range(71), [0, 511, 512, 513], [3, 2_047, 2_048, 2_049, 2_050]])
def test_all_lengths(lengths):
    check([words(length, seed) for length in lengths for seed in (0, 1)], tokenize="none")


@given(st.lists(few_words, min_size=2, max_size=12), st.data())
def test_a_sample_has_the_scores_of_all(listed, data):
    sample = data.draw(st.integers(2, len(listed)))
    for rule in ("closest", "first", "closest-first"):
        everything = one_by_one(listed, ref_len=rule)
        result = self_bleu(listed, sample=sample, seed=3, ref_len=rule)
        drawn = sorted(random.Random(3).sample(range(len(listed)), sample))
        assert result.scores.tolist() == [everything[place] for place in drawn]
        assert result.value == math.fsum(result.scores) / sample
        low, high = result.interval
        assert low <= result.value <= high
        assert (result.texts, result.scored) == (len(listed), sample)


def test_intervals_hold_the_value_of_all_as_often_as_they_say():
    listed = [words(6 + i % 9, i) for i in range(400)]
    value = self_bleu(listed, tokenize="none")
    hits = 0
    for seed in range(400):
        low, high = self_bleu(listed, sample=60, seed=seed, tokenize="none").interval
        hits += low <= value <= high
    assert 360 <= hits <= 396  # 95 % of 400 are 380; the normal interval is a little short


def test_pairwise_definitions(example):
    assert self_bleu(["a b c d e"] * 3) == pytest.approx(100, rel=1e-12)
    listed = example[:15]
    pairs = list(itertools.permutations(listed, 2))
    bleu = BLEU()
    scores = [bleu.sentence(hyp, ref).value for hyp, ref in pairs]
    result = self_bleu(listed, definition="pairwise")
    assert result == pytest.approx(math.fsum(scores) / len(scores), rel=1e-13)
    assert (result.scores, result.definition) == (None, "pairwise")
    assert "eff:yes" in result.signature
    hyps, refs = zip(*pairs, strict=True)
    result = self_bleu(listed, definition="pairwise-corpus")
    assert result == bleu.corpus(hyps, refs).value
    assert "eff:no" in result.signature


def test_instruction_sets_change_nothing(example, monkeypatch):
    one = self_bleu(example).scores.tobytes()
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        monkeypatch.setattr("truebleu.metrics.metric._BUILT", {})  # those of another level
        assert self_bleu(example).scores.tobytes() == one, level


def test_columns_of_all_kinds(example):
    for changes in ({}, {"sample": 9}, {"definition": "pairwise"}, {"tokenize": str.split}):
        expected = self_bleu(example, **changes)
        for make in (tuple, iter, np.array, pa.array):
            result = self_bleu(make(example), **changes)
            assert (result, result.texts) == (expected, len(example))
            assert result.interval == expected.interval
    assert self_bleu([BLEU().tokens(text) for text in example]) == self_bleu(example)
    assert self_bleu(example, tokenize=str.split) == self_bleu(example, tokenize="none")


def test_the_value_is_an_immutable_float(example):
    result = self_bleu(example, sample=5)
    assert isinstance(result, float)
    assert isinstance(result, SelfBLEU)
    assert type(result.value) is float
    again = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert (again, again.interval, again.signature) == (result, result.interval, result.signature)
    assert repr(result) == repr(result.value)
    with pytest.raises(AttributeError, match="texts"):
        result.texts = 3
    with pytest.raises(ValueError, match="read-only"):
        result.scores[0] = 1


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, CHUNK + 1])
@pytest.mark.parametrize("form", [str, str.split], ids=["texts", "words"])
@pytest.mark.parametrize("kind", [list, iter])
def test_self_bleu_in_parts(size, form, kind):
    texts = [f"a {i % 3} b {i % 501} c {i}" for i in range(size)]
    result = self_bleu(kind([form(text) for text in texts]), tokenize="none")
    assert result.texts == size
    bleu = BLEU(tokenize="none")
    for at in (0, 1, CHUNK - 2, size - 1):
        others = texts[:at] + texts[at + 1 :]
        assert result.scores[at] == bleu.sentence(texts[at], others).value

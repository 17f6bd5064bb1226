# SPDX-License-Identifier: Apache-2.0
"""The score after each token is the score of what stands there by then."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inputs.test_ids import EDGES

from truebleu import BLEU, InputError
from truebleu._core import simd_levels

METRIC = BLEU(threads=1)

rows = st.lists(st.integers(0, 4), max_size=80)


def one_by_one(bleu, hyps, refs):
    """The same by scoring every prefix."""
    lists = [[hyp[:end] for end in range(1, len(hyp) + 1)] for hyp in hyps]
    offsets = np.cumsum([0, *map(len, lists)])
    flat = [prefix for prefixes in lists for prefix in prefixes]
    their_refs = [ref for ref, prefixes in zip(refs, lists, strict=True) for _ in prefixes]
    scores = bleu.sentences(flat, their_refs).tolist() if flat else []
    return scores, offsets.tolist()


def as_lists(found):
    scores, offsets = found
    assert (scores.dtype, offsets.dtype) == (np.float64, np.int64)
    return scores.tolist(), offsets.tolist()


@given(st.lists(st.tuples(rows, st.lists(rows, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_prefixes_are_scored_one_by_one(pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    assert as_lists(METRIC.prefixes(hyps, refs)) == one_by_one(METRIC, hyps, refs)


@pytest.mark.parametrize("level", simd_levels())
def test_all_lengths_on_all_levels(level, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", level)
    bleu = BLEU(threads=1)
    rng = random.Random(3)
    for length in EDGES[::5] + EDGES[-9:]:
        hyp = [rng.randrange(5) for _ in range(60)]
        ref = [rng.randrange(5) for _ in range(length)]
        assert as_lists(bleu.prefixes([hyp], [ref])) == one_by_one(bleu, [hyp], [ref])


@pytest.mark.parametrize(
    "dialect",
    ["nltk-method1", "nltk-method3", "mteval-v13a", "torchmetrics", "fairseq", "multi-bleu"],
)
def test_prefixes_of_other_dialects(dialect):
    bleu = BLEU(dialect, threads=1)
    hyps, refs = [[1, 2, 3, 1, 2, 3, 4], [4]], [[[1, 2, 3, 4, 4], [2, 3, 1]], [[4], [5]]]
    assert as_lists(bleu.prefixes(hyps, refs)) == one_by_one(bleu, hyps, refs)


def test_prefixes_of_six_orders():
    bleu = BLEU(max_ngram_order=6, threads=1)
    hyps, refs = [[1, 2, 3, 1, 2, 3, 4, 5]], [[[2, 3, 1, 2, 3, 4, 6], [1, 2, 3]]]
    assert as_lists(bleu.prefixes(hyps, refs)) == one_by_one(bleu, hyps, refs)


@pytest.mark.parametrize("dialect", ["codebleu-weighted", "bleu-from-scratch-as-coded"])
def test_prefixes_where_words_have_weights_or_letters(dialect):
    bleu = BLEU(dialect, threads=1)
    hyps, refs = [["def", "naïve", "a", "a"], ["b"]], [[["def", "a", "a", "c"], ["a"]], [["c"]]]
    assert as_lists(bleu.prefixes(hyps, refs)) == one_by_one(bleu, hyps, refs)


def test_prefixes_of_text_are_those_of_its_tokens():
    scores, offsets = METRIC.prefixes(["a, b", ""], ["a b c", "d"])
    assert offsets.tolist() == [0, 3, 3]
    expected, _ = METRIC.prefixes([["a", ",", "b"]], [["a", "b", "c"]])
    assert scores.tolist() == expected.tolist()


def test_the_last_prefix_is_the_segment_and_groups_share_references():
    rng = np.random.default_rng(1)
    hyps = rng.integers(0, 9, (12, 30), dtype=np.int32)
    refs = rng.integers(0, 9, (3, 40), dtype=np.int32)
    how = {"pad_id": 0, "group": 4}
    scores, offsets = METRIC.prefixes(hyps, refs, **how)
    assert scores[offsets[1:] - 1].tolist() == METRIC.sentences(hyps, refs, **how).tolist()


def test_prefixes_need_tokens_that_count():
    with pytest.raises(InputError, match="letters"):
        BLEU("bleu-from-scratch-as-coded").prefixes([[1]], [[1]])


def test_parts_are_those_of_single_scores():
    hyps = [[1, 2, 3, 4, 5], [1, 2], [], [7]]
    refs = [[1, 2, 3, 4, 6], [1, 2, 3], [4], [7]]
    for name in ("sacrebleu", "nltk-method1", "mteval-v13a"):
        bleu = BLEU(name, threads=1)
        parts = bleu.parts(bleu.stats(hyps, refs))
        each = [bleu.sentence(hyp, [ref]) for hyp, ref in zip(hyps, refs, strict=True)]
        # `repr`, because a score of nothing is NaN in some dialects.
        assert repr(parts.values.tolist()) == repr([score.value for score in each])
        assert repr(parts.values.tolist()) == repr(bleu.sentences(hyps, refs).tolist())
        assert parts.bps.tolist() == [score.bp for score in each]
        assert parts.precisions.tolist() == [list(score.precisions) for score in each]
        assert repr(parts) == "<Parts of 4 scores>"
        copy = pickle.loads(pickle.dumps(parts))  # noqa: S301
        assert repr(copy.precisions) == repr(parts.precisions)
        assert copy.stats == parts.stats
    nothing = METRIC.parts(METRIC.stats(hyps, refs)[:0])
    assert (len(nothing), nothing.values.tolist(), nothing.precisions.shape) == (0, [], (0, 4))


def test_parts_of_other_orders_are_an_error():
    with pytest.raises(InputError, match="order"):
        METRIC.parts(BLEU(max_ngram_order=2).stats([[1]], [[1]]))

# SPDX-License-Identifier: Apache-2.0
"""Pairs, minimum Bayes risk and self-BLEU of token ids are those of the words they stand for."""

from itertools import product

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.id_columns import COLUMNS, EDGES, HYPS, REFS, SEVERAL_COLUMNS, ByDlpack, padded, ragged, words

from truebleu import BLEU, DIALECTS, Ids, InputError, mbr, pairwise, self_bleu
from truebleu._core import simd_levels
from truebleu.metrics.self_bleu import DEFINITIONS

#: Candidates of three sources.
GROUPS = [[HYPS[0], REFS[0], [5, 7]], [HYPS[1], REFS[1], []], [HYPS[4], REFS[4], [7, 5, 7]]]


def text(rows):
    return [" ".join(row) for row in words(rows)]


def same_matrix(matrix, hyps, refs=None, **options):
    others = None if refs is None else text(refs)
    expected = pairwise(text(hyps), others, tokenize="none", **options)
    assert matrix.shape == expected.shape
    assert matrix.tobytes() == expected.tobytes()


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_of_ids_scores_as_text(make):
    for exact in (False, True):
        same_matrix(pairwise(make(HYPS), pad_id=0, exact=exact), HYPS, exact=exact)
        for hyps, refs in [(make(HYPS), make(REFS)), (HYPS, make(REFS)), (make(HYPS), REFS)]:
            same_matrix(pairwise(hyps, refs, pad_id=0, exact=exact), HYPS, REFS, exact=exact)
    expected = mbr(text(HYPS), None, text(REFS), tokenize="none")
    result = mbr(make(HYPS), None, make(REFS), pad_id=0)
    assert (result.index, result.scores) == (expected.index, expected.scores)
    assert [i for i in result.best if i] == HYPS[result.index]
    for definition in DEFINITIONS:
        expected = self_bleu(text(HYPS), tokenize="none", definition=definition)
        assert self_bleu(make(HYPS), pad_id=0, definition=definition).hex() == expected.hex()
    expected = self_bleu(text(HYPS), tokenize="none", sample=3)
    result = self_bleu(make(HYPS), pad_id=0, sample=3)
    assert result.scores.tolist() == expected.scores.tolist()
    assert result.interval == expected.interval


SOURCES = {
    **SEVERAL_COLUMNS,
    "3-D": lambda groups: np.array([padded([*rows, [1] * 9])[:-1] for rows in groups]),
    "3-D by DLPack": lambda groups: ByCube(SOURCES["3-D"](groups).astype(np.int32)),
    "list of arrays": lambda groups: [padded(rows) for rows in groups],
    "polars frame": lambda groups: pl.DataFrame({"ids": groups}),
}


class ByCube(ByDlpack):
    @property
    def ndim(self):
        return self.array.ndim


@pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)
def test_many_sources_are_each_by_itself(make):
    weights = [[1, 2, 3], [3, 0, 1], [1, 1, 1]]
    for others in (None, GROUPS[::-1]):
        refs = None if others is None else make(others)
        result = mbr(make(GROUPS), weights, refs, pad_id=0)
        expected = mbr(
            [text(rows) for rows in GROUPS], weights, others and [text(rows) for rows in others], tokenize="none"
        )
        assert [one.scores for one in result] == [one.scores for one in expected]
        for one, rows in zip(result, GROUPS, strict=True):
            assert [int(i) for i in one.best if i] == rows[one.index]


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_a_group_is_a_source(make):
    flat = [row for rows in GROUPS for row in rows]
    expected = mbr(GROUPS)
    assert [one.scores for one in mbr(make(flat), group=3, pad_id=0)] == [one.scores for one in expected]
    weights = np.arange(1.0, 10.0)
    several = mbr(GROUPS, weights.reshape(3, 3).tolist())
    for own_weights in (weights, weights.reshape(3, 3)):
        result = mbr(make(flat), own_weights, group=3, pad_id=0)
        assert [one.scores for one in result] == [one.scores for one in several]
    # Two references for each source.
    refs = flat[:6]
    result = mbr(make(flat), None, make(refs), group=3, pad_id=0)
    expected = mbr(GROUPS, None, [refs[:2], refs[2:4], refs[4:]])
    assert [one.scores for one in result] == [one.scores for one in expected]


def test_marks_bound_rows():
    rows = np.array([[0, 0, 5, 7, 2, 9], [5, 0, 7, 9, 0, 0], [2, 5, 5, 5, 5, 5]], np.int32)
    clean = [[5, 7], [5, 7, 9], []]
    marks = {"pad_id": 0, "eos_id": 2}
    same_matrix(pairwise(rows, **marks), clean)
    assert mbr(rows, **marks).scores == mbr(text(clean)).scores
    assert self_bleu(rows, **marks) == self_bleu(text(clean), tokenize="none")


def test_the_best_is_a_view_and_results_compare():
    rows = padded(HYPS)
    result = mbr(rows, pad_id=0)
    assert np.shares_memory(result.best, rows)
    assert result == mbr(padded(HYPS), pad_id=0)
    assert result != mbr(padded(REFS), pad_id=0)
    assert hash(result) == hash(mbr(padded(HYPS), pad_id=0))
    assert np.shares_memory(mbr(Ids(*ragged(HYPS))).best, Ids(*ragged(HYPS)).values) is False


ids = st.one_of(st.integers(0, 4), st.integers(0, (1 << 63) - 1), st.just((1 << 31) - 1))
rows = st.lists(st.lists(ids, max_size=30), min_size=2, max_size=7)


@given(rows, rows)
def test_random_ids_score_as_text(hyps, refs):
    for exact in (False, True):
        same_matrix(pairwise(hyps, refs, exact=exact), hyps, refs, exact=exact)
        same_matrix(pairwise(Ids(*ragged(hyps, np.int64))), hyps)
    expected = self_bleu(text(hyps), tokenize="none").scores
    assert self_bleu(pa.array(hyps, pa.list_(pa.int64()))).scores.tobytes() == expected.tobytes()


def test_every_dialect_scores_ids_as_words_or_refuses_them():
    of_letters = {"codebleu-weighted", "bleu-from-scratch-as-coded"}
    methods = ("sentences", "prefixes")
    scores = (lambda rows, dialect, name=name: getattr(BLEU(dialect), name)(rows, rows) for name in methods)
    for dialect, call in product(of_letters, (pairwise, mbr, self_bleu, *scores)):
        with pytest.raises(InputError, match="looks at the letters of words"):
            call(HYPS, dialect=dialect)
    for dialect in DIALECTS.keys() - of_letters:
        expected = pairwise(words(HYPS), words(REFS), dialect, exact=True).tobytes()
        assert pairwise(HYPS, REFS, dialect, exact=True).tobytes() == expected, dialect
        expected = self_bleu(words(HYPS), dialect).scores.tobytes()
        assert self_bleu(padded(HYPS), dialect, pad_id=0).scores.tobytes() == expected, dialect


@pytest.mark.parametrize("top", [4, 1 << 31, (1 << 63) - 1])
def test_all_lengths_on_all_levels(top, monkeypatch):
    rng = np.random.default_rng(7)
    pool = np.array([0, 1, 2, 3, 5, top])
    hyps = [pool[rng.zipf(1.3, size=length) % 6].tolist() for length in EDGES]
    expected = pairwise(text(hyps), tokenize="none", exact=True).tobytes()
    alone = self_bleu(text(hyps), tokenize="none").scores.tobytes()
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        monkeypatch.setattr("truebleu.metrics.metric._BUILT", {})  # those of another level
        assert pairwise(Ids(*ragged(hyps, np.int64)), exact=True).tobytes() == expected, level
        assert self_bleu(hyps).scores.tobytes() == alone, level

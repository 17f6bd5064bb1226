# SPDX-License-Identifier: Apache-2.0
"""Token ids score as the words they stand for, whatever holds them."""

import itertools
import pickle
import random
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.id_columns import (
    COLUMNS,
    EDGES,
    HYPS,
    REFS,
    SEVERAL,
    SEVERAL_COLUMNS,
    ByDlpack,
    flat,
    padded,
    ragged,
    words,
)

from truebleu import BLEU, Ids, InputError, corpus_bleu, sentence_bleu, spec
from truebleu._core import simd_levels

METRIC = BLEU(threads=1)
BY_BLANKS = BLEU(tokenize="none").dialect


def in_slack_3d(cube):
    """A part of a larger array in all three dimensions."""
    count, each, width = cube.shape
    wide = np.full((count + 1, each + 1, width + 3), 77)
    wide[:count, :each, 1 : width + 1] = cube
    return wide[:count, :each, 1 : width + 1]


def backwards(cube):
    return np.array(cube[::-1, ::-1])[::-1, ::-1]


def words_of_several(refs):
    return [words(rows) for rows in refs]


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_of_ids_scores_as_words(make):
    expected = METRIC.sentences(words(HYPS), words(REFS))
    stats = METRIC.stats(words(HYPS), words(REFS))
    for hyps, refs in [(make(HYPS), make(REFS)), (HYPS, make(REFS)), (make(HYPS), REFS)]:
        assert METRIC.sentences(hyps, refs, pad_id=0).tolist() == expected.tolist()
    assert METRIC.stats(make(HYPS), make(REFS), pad_id=0) == stats
    assert METRIC.corpus(make(HYPS), make(REFS), pad_id=0).stats == stats.sum()
    accumulator = METRIC.accumulator()
    accumulator.update(make(HYPS), make(REFS), pad_id=0)
    assert accumulator.compute() == METRIC.corpus(HYPS, REFS)


SEVERAL_AND_NULLS = SEVERAL_COLUMNS | {"Arrow nulls": lambda refs: pa.array([[None, *rows, None] for rows in refs])}


@pytest.mark.parametrize("make", SEVERAL_AND_NULLS.values(), ids=SEVERAL_AND_NULLS)
def test_any_column_of_several_references_scores_as_words(make):
    expected = METRIC.sentences(words(HYPS), words_of_several(SEVERAL)).tolist()
    assert METRIC.sentences(HYPS, make(SEVERAL), pad_id=0).tolist() == expected
    assert METRIC.sentences(Ids(*ragged(HYPS)), make(SEVERAL), pad_id=0).tolist() == expected


@pytest.mark.parametrize("pad", [0, -100])
@pytest.mark.parametrize("kind", [np.array, ByDlpack, np.asfortranarray, in_slack_3d, backwards])
def test_padding_in_a_3d_array_is_an_absent_reference(kind, pad):
    refs = [[row for row in rows if row] for rows in SEVERAL]
    most = max(map(len, refs))
    cube = np.array([padded([*rows, *[[]] * (most - len(rows)), [1] * 9], pad)[:-1] for rows in refs])
    how = {"pad_id": [0, -100]}
    assert METRIC.stats(HYPS, kind(cube), **how) == METRIC.stats(HYPS, refs)
    assert METRIC.corpus(HYPS, Ids(kind(cube)), **how) == METRIC.corpus(HYPS, refs)
    assert METRIC.corpus(HYPS, kind(cube), **how).signature.startswith("nrefs:var|")
    twice = [hyp for hyp in HYPS for _ in range(2)]
    assert METRIC.stats(twice, kind(cube), group=2, **how) == METRIC.stats(twice, refs, group=2)
    for hyp, rows, own in zip(HYPS, cube, refs, strict=True):
        assert METRIC.sentence(hyp, rows, **how) == METRIC.sentence(hyp, own)
    cube[1] = pad
    with pytest.raises(InputError, match=r"refs\[1\] has no reference"):
        METRIC.stats(HYPS, kind(cube), **how)
    # A row that holds an end is a reference without tokens.
    cube[1, 0, 0] = 9
    assert METRIC.stats(HYPS[1:2], kind(cube[1:2]), eos_id=9, **how) == METRIC.stats(HYPS[1:2], [[]])


def test_one_segment_is_a_row():
    expected = METRIC.sentence(words(HYPS)[0], words_of_several(SEVERAL)[0])
    for hyp in (HYPS[0], np.array(HYPS[0]), tuple(HYPS[0])):
        assert METRIC.sentence(hyp, SEVERAL[0]) == expected
        assert METRIC.sentence(hyp, [np.array(row) for row in SEVERAL[0]]) == expected
    assert METRIC.sentence([*HYPS[0], 2, 0], padded(SEVERAL[0]), pad_id=0, eos_id=2) == expected


@given(
    st.lists(st.lists(st.integers(-2, 4), min_size=40, max_size=40), min_size=1, max_size=4),
    st.lists(st.integers(-2, 4), max_size=3),
    st.lists(st.integers(-2, 4), max_size=3),
)
def test_several_ids_may_be_padding_or_ends(rows, pads, ends):
    pads += [-1, -2]  # only padding may be negative
    kept = [list(itertools.dropwhile(pads.__contains__, row)) for row in rows]
    kept = [list(itertools.takewhile(lambda i: i not in ends, row)) for row in kept]
    kept = [[i for i in row if i not in pads] for row in kept]
    expected = METRIC.stats(kept, kept[::-1])
    for make in (list, np.array, lambda rows: np.array(rows, np.int32)):
        for marks in (list, set, np.array, tuple):
            how = {"pad_id": marks(pads), "eos_id": marks(ends)}
            assert METRIC.stats(make(rows), make(rows[::-1]), **how) == expected


def test_a_mark_that_no_row_can_hold_marks_nothing():
    hyps = padded(HYPS, pad=1 << 20)
    marks = {"pad_id": 1 << 20, "eos_id": 1 << 40}
    assert METRIC.stats(hyps, REFS, **marks) == METRIC.stats(HYPS, REFS)


@pytest.mark.parametrize("group", [1, 2, 3, 4])
def test_a_group_shares_its_references(group):
    rng = random.Random(group)
    refs = [[[rng.randrange(6) for _ in range(9)] for _ in range(1 + i % 3)] for i in range(7)]
    hyps = [[rng.randrange(6) for _ in range(rng.randrange(12))] for _ in range(7 * group)]
    repeated = [refs[i // group] for i in range(len(hyps))]
    expected = METRIC.sentences(hyps, repeated).tolist()
    assert METRIC.sentences(hyps, refs, group=group).tolist() == expected
    assert METRIC.sentences(padded(hyps, 9), refs, pad_id=9, group=group).tolist() == expected
    texts, ref_texts = [" ".join(row) for row in words(hyps)], words_of_several(refs)
    ref_texts = [[" ".join(row) for row in rows] for rows in ref_texts]
    assert METRIC.sentences(texts, ref_texts, group=group).tolist() == expected
    assert METRIC.corpus(hyps, refs, group=group) == METRIC.corpus(hyps, repeated)
    assert METRIC.stats(hyps, refs, group=group) == METRIC.stats(hyps, repeated)


ids = st.one_of(st.integers(0, 5), st.integers(0, (1 << 63) - 1), st.just((1 << 31) - 1))
rows = st.lists(ids, max_size=90)


@st.composite
def batches(draw):
    hyps, refs = [], []
    for _ in range(draw(st.integers(1, 10))):
        hyp = draw(rows)
        other = st.one_of(rows, st.just(hyp), st.tuples(rows, st.just(hyp)).map(lambda p: p[0] + p[1]))
        hyps.append(hyp)
        refs.append(draw(st.lists(other, min_size=1, max_size=3)))
    return hyps, refs


@given(batches())
def test_ids_words_and_the_readable_bleu_agree(batch):
    hyps, refs = batch
    stats = METRIC.stats(hyps, refs)
    assert stats == METRIC.stats(words(hyps), words_of_several(refs))
    assert stats == METRIC.stats(pa.array(hyps, pa.list_(pa.int64())), refs)
    texts = [" ".join(row) for row in words(hyps)]
    ref_texts = [[" ".join(row) for row in words(rows)] for rows in refs]
    readable = spec.corpus_bleu(BY_BLANKS, texts, ref_texts)
    assert METRIC.corpus(hyps, refs).value == readable


@pytest.mark.parametrize("level", simd_levels())
@pytest.mark.parametrize("top", [4, 1 << 31, (1 << 63) - 1])
def test_all_lengths_on_all_levels(level, top, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", level)
    bleu = BLEU(threads=1)
    rng = random.Random(top)
    pool = [0, 1, 2, 3, rng.randrange(top), top]
    hyps = [[rng.choice(pool) for _ in range(length)] for length in EDGES]
    for shift in (0, 1, 40):
        refs = [hyp[shift:] + [rng.choice(pool) for _ in range(shift)] for hyp in hyps]
        stats = bleu.stats(hyps, refs)
        assert stats == METRIC.stats(words(hyps), words(refs))
        assert bleu.stats(hyps[::-1], refs).sum() == METRIC.stats(words(hyps)[::-1], words(refs)).sum()
        values, offsets = ragged(hyps, np.int64)
        assert bleu.stats(Ids(values, offsets), refs) == stats


def test_two_threads_score_ids_as_one_does():
    rng = np.random.default_rng(5)
    hyps = rng.integers(0, 9, (20_000, 40), dtype=np.int32)
    refs = rng.integers(0, 9, (5_000, 44), dtype=np.int32)
    one, two = BLEU(threads=1), BLEU(threads=2)
    how = {"pad_id": 0, "eos_id": 1, "group": 4}
    assert one.sentences(hyps, refs, **how).tolist() == two.sentences(hyps, refs, **how).tolist()
    assert one.corpus(hyps, refs, **how) == two.corpus(hyps, refs, **how)
    mine, theirs = one.prefixes(hyps, refs, **how), two.prefixes(hyps, refs, **how)
    assert [part.tobytes() for part in mine] == [part.tobytes() for part in theirs]


@pytest.mark.parametrize("make", [lambda a: a, ByDlpack, lambda a: a[:, :100]], ids=["whole", "dlpack", "columns"])
def test_arrays_are_read_where_they_are(make):
    array = np.arange(4000 * 128, dtype=np.int64).reshape(4000, 128)
    kept = Ids(make(array)).values
    assert kept.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    assert np.shares_memory(kept, array)
    METRIC.sentences(array, array)
    tracemalloc.start()
    METRIC.sentences(make(array), make(array))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < array.nbytes // 20  # a score each, and little more


def test_ids_are_frozen_and_say_what_they_are():
    column = Ids(*ragged(HYPS))
    assert repr(column) == "<Ids: 5 of int32>"
    copy = pickle.loads(pickle.dumps(column))  # noqa: S301
    assert METRIC.sentences(copy, REFS).tolist() == METRIC.sentences(HYPS, REFS).tolist()
    assert len(Ids(padded(flat(SEVERAL)[0]), items=flat(SEVERAL)[1])) == len(SEVERAL)
    with pytest.raises(AttributeError):
        column.values = None


FAULTS = [
    ([[1, -7]], r"hyps\[0\] holds the id -7; ids are 0 or more \(pad_id=-7 declares"),
    (np.array([[3, 1], [1, -1]]), r"hyps\[1\] holds the id -1"),
    ([[1, 2.0]], r"hyps\[0\]\[1\] is of type float; it must be an integer"),
    ([[1.5]], r"hyps\[0\]\[0\] is of type float"),
    ([[True, 1]], r"hyps\[0\]\[0\] is of type bool"),
    ([[1, "a"]], r"hyps\[0\]\[1\] is of type str; it must be an integer"),
    ([["a", 1]], r"hyps\[0\]\[1\] is of type int; it must be a string"),
    ([[1, None]], r"hyps\[0\]\[1\] is of type NoneType"),
    ([[1], 2], r"hyps\[1\] is of type int; it must be a list"),
    ([[1], None], r"hyps\[1\] is of type NoneType; it must be a list"),
    ([[1 << 63]], r"hyps\[0\]\[0\] is 9223372036854775808, which is not a 64-bit id"),
    ([1, 2], r"hyps\[0\] is of type int; it must be a string, or a list of words or token ids"),
    (np.array([1, 2]), "hyps: ids are 1-D; give 2-D or 3-D"),
    (np.zeros((1, 2, 2), int), "hyps are nested too deep; each is a row of token ids"),
    (np.zeros((1, 2)), "hyps: ids are of type float64; they must be integers"),
    (np.zeros((1, 2), bool), "hyps: ids are of type bool"),
    (np.array([[1 << 63]], np.uint64), "hyps: an id is 9223372036854775808, which is not a 64"),
    (pa.array([[1.0]]), "hyps has ids of type Float64; cast them"),
    (pa.array([[1 << 63]], pa.list_(pa.uint64())), "hyps: Cast error: 9223372036854775808 is not"),
    (pa.array([[True]]), "hyps has ids of type Boolean"),
    (pa.array([[1, None]]), "hyps has a null among the ids of row 1"),
    (pa.array([None, [1]]), r"hyps\[0\] is missing"),
    (ByDlpack(np.zeros((1, 2), int), device=(2, 0)), r"hyps are on \(?2.*give x.cpu\(\)"),
    ([[["a"]]], "refs hold token ids, but hyps hold lists of words"),
    ([[[1]]], "hyps are nested too deep"),
    (["a"], "refs hold token ids, but hyps hold strings"),
    ([["a"]], "refs hold token ids, but hyps hold lists of words"),
]  # fmt: skip


@pytest.mark.parametrize(("hyps", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_one_clear_error(hyps, message):
    refs = [[1, 2]] * len(hyps) if hasattr(hyps, "__len__") else [[1, 2]]
    with pytest.raises(InputError, match=message):
        METRIC.sentences(hyps, refs)


def test_marks_are_for_ids():
    padded_ids = np.array([[1, 2, 3, 0]])
    assert corpus_bleu(padded_ids, padded_ids, pad_id=0).hyp_len == 3
    assert sentence_bleu([1, 2, 3, 0], [[1, 2, 3]], eos_id=[0], group=1).hyp_len == 3


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", ">i4", ">u2"])
def test_ids_are_of_any_integer_type(kind):
    rows = np.array([[1, 2, 3, 4, 100], [5, 6, 7, 8, 9]])
    stats = METRIC.stats(rows.astype(kind), rows)
    assert stats == METRIC.stats(rows, rows)


def test_masked_rows_in_lists_are_as_in_an_array():
    hyps = np.ma.array([[1, 2, 3, 9], [4, 9, 5, 6]], mask=[[0, 0, 0, 1], [0, 1, 0, 0]])
    refs = np.ma.array(np.arange(16).reshape(2, 2, 4), mask=[[[0] * 4, [1] * 4], [[0, 0, 1, 1], [0] * 4]])
    assert BLEU().stats(list(hyps), list(refs)) == BLEU().stats(hyps, refs)
    assert BLEU().stats(list(hyps), [row[:1] for row in refs]) == BLEU().stats(hyps, refs[:, 0])


def test_masked_ids_are_no_tokens_and_masked_rows_no_references():
    hyps = np.ma.array([[1, 2, 3, 9], [4, 9, 5, 6]], mask=[[0, 0, 0, 1], [0, 1, 0, 0]])
    refs = np.ma.array(
        [[[1, 2, 3], [1, 9, 9]], [[4, 5, 6], [9, 9, 9]]], mask=[[[0, 0, 0], [0, 1, 1]], [[0, 0, 0], [1, 1, 1]]]
    )
    expected = METRIC.corpus([[1, 2, 3], [4, 5, 6]], [[[1, 2, 3], [1]], [[4, 5, 6]]])
    assert METRIC.corpus(hyps, refs) == expected

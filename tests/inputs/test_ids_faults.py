# SPDX-License-Identifier: Apache-2.0
"""Token ids that cannot be scored, and what is said of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from inputs.test_ids import METRIC, ByDlpack

from truebleu import BLEU, Ids, InputError, OptionError, check, explain, reconcile

FAULTS = [
    ([[1, -7]], r"hyps\[0\] holds the id -7; ids are 0 or more \(pad_id=-7 says"),
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
    (np.array([1, 2]), "hyps is a 1-D array of numbers"),
    (np.zeros((1, 2, 2), int), "hyps is a 3-D array of numbers"),
    (np.zeros((1, 2)), "hyps: ids are of type float64; they must be int32 or int64"),
    (np.zeros((1, 2), bool), "hyps: ids are of type bool"),
    (np.zeros((1, 2), np.uint8), "hyps: ids are of type uint8"),
    (np.zeros((1, 2), ">i4"), "hyps: ids are of type >i4"),
    (pa.array([[1.0]]), "hyps has ids of type Float64; cast them"),
    (pa.array([[True]]), "hyps has ids of type Boolean"),
    (pa.array([[1]], pa.list_(pa.uint32())), "hyps has ids of type UInt32"),
    (pa.array([[1, None]]), "hyps has a null among the ids of row 0"),
    (pa.array([None, [1]]), r"hyps\[0\] is None"),
    (ByDlpack(np.zeros((1, 2), int), device=(2, 0)), r"hyps lie on \(?2.*give x.cpu\(\)"),
    ([[["a"]]], "refs hold token ids, but hyps hold lists of words"),
    ([[[1]]], "hyps are nested too deep"),
    (["a"], "refs hold token ids, but hyps hold strings"),
    ([["a"]], "refs hold token ids, but hyps hold lists of words"),
    ([], "hyps is empty"),
]  # fmt: skip


@pytest.mark.parametrize(("hyps", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_one_clear_error(hyps, message):
    refs = [[1, 2]] * len(hyps) if hasattr(hyps, "__len__") else [[1, 2]]
    with pytest.raises(InputError, match=message):
        METRIC.sentences(hyps, refs)


def test_references_have_faults_too():
    with pytest.raises(InputError, match=r"refs\[1\] holds the id -1"):
        METRIC.sentences([[1], [1]], [[[1], [2]], [[1], [-1]]])
    with pytest.raises(InputError, match=r"refs\[1\] holds the id -1"):
        METRIC.sentences([[1]] * 4, [[1], [-1]], group=2)
    with pytest.raises(InputError, match="nested too deep"):
        METRIC.sentences([[1]], [[[[1]]]])


BAD_OFFSETS = [
    ([0, 3, 1], "offsets descend from 3 to 1"),
    ([0, 4], "offsets go from 0 to 4, and there are 3 values"),
    ([-1, 3], "offsets go from -1 to 3"),
    (np.array([0.0, 3.0]), "offsets are 1-D float64"),
    ([], "offsets are 1-D float64; they must be 1-D integers"),
    ([[0, 3]], "offsets are 2-D"),
]  # fmt: skip


@pytest.mark.parametrize(("offsets", "message"), BAD_OFFSETS)
def test_offsets_that_do_not_fit_are_an_error(offsets, message):
    with pytest.raises(InputError, match=message):
        METRIC.sentences(Ids(np.array([1, 2, 3]), offsets), [[1]] * (np.size(offsets) - 1))
    with pytest.raises(
        InputError, match=message.replace("offsets", "items").replace("value", "row")
    ):
        METRIC.sentences([[1]] * (np.size(offsets) - 1), Ids(np.ones((3, 2), int), items=offsets))


def test_arrays_of_another_shape_are_an_error():
    for values, offsets in [(np.ones(3, int), None), (np.ones((2, 2), int), [0, 1, 2])]:
        with pytest.raises(InputError, match=r"ids are .-D; they must be"):
            Ids(values, offsets)


def test_marks_are_for_ids():
    with pytest.raises(InputError, match="pad_id and eos_id mark token ids"):
        METRIC.sentences(["a"], ["a"], pad_id=0)
    for name in ("pad_id", "eos_id"):
        for value in (1.0, "0", True, 1 << 63):
            with pytest.raises(OptionError, match=name):
                METRIC.sentences([[1]], [[1]], **{name: value})


@pytest.mark.parametrize("dialect", ["codebleu-weighted", "bleu-from-scratch-as-coded"])
def test_dialects_that_look_at_letters_refuse_ids(dialect):
    with pytest.raises(InputError, match="looks at the letters of words"):
        BLEU(dialect).sentences([[1]], [[1]])


@pytest.mark.parametrize(
    "rows", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]])], ids=["lists", "array"]
)
def test_functions_that_look_at_words_refuse_ids(rows):
    calls = [
        lambda: explain(rows, rows),
        lambda: explain(rows[0], [rows[1]], segment=True),
        lambda: check(rows, rows),
        lambda: reconcile(rows, rows, 50),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"hold token ids; give strings or lists of words"):
            call()

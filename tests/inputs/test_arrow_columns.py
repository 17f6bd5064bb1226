# SPDX-License-Identifier: Apache-2.0
"""Columns of Arrow: types that hold text; bad rows and broken data are named, rows skipped."""

import ctypes

import pyarrow as pa
import pytest
from support import tables
from support.command import refusal, scored
from support.tables import COLUMNS

import truebleu as tb

BLEU = tb.BLEU()


def not_utf8(*items):
    """Strings of Arrow that are not UTF-8, as a careless writer leaves them."""
    return pa.array(items).cast(pa.binary()).view(pa.string())


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_bad_row_is_named_or_skipped(name, folder):
    column, message = pa.array(["a", None, "b"]), "'mt' is null"
    count = 30
    rest = pa.array(["x y z"] * count)
    rows = pa.table({"mt": pa.concat_arrays([rest, column]), "ref": ["x y"] * (count + 3)})
    tables.WRITERS[name](folder / name, rows)
    assert refusal("score", name, *COLUMNS).startswith(f"{name}: row {count + 2}: {message};")
    line, notices = scored("score", name, *COLUMNS, "--on-error", "skip", "--per-segment", "o.tsv")
    good = ["x y z"] * count + [column[0].as_py(), column[2].as_py()]
    expected = tb.corpus_bleu(good, ["x y"] * (count + 2)).format(1, signature=True)
    assert line == expected + "\n"
    assert f"{name}: row {count + 2}: {message}" in notices
    numbers = [line.split("\t")[0] for line in (folder / "o.tsv").read_text().splitlines()[1:]]
    assert numbers == [str(i) for i in range(1, count + 4) if i != count + 2]


def test_lists_without_a_reference_are_named_or_skipped(folder):
    table = pa.table({"mt": ["a b", "a", "c"], "ref": [["a b"], [], ["c"]]})
    tables.parquet(folder / "t.parquet", table)
    assert refusal("score", "t.parquet", *COLUMNS).startswith("t.parquet: row 2: there is no ref")
    line, _ = scored("score", "t.parquet", *COLUMNS, "--on-error", "skip")
    assert line == tb.corpus_bleu(["a b", "c"], ["a b", "c"]).format(1, signature=True) + "\n"


def test_a_file_with_text_that_is_not_utf8_is_refused(folder):
    table = pa.table({"mt": not_utf8(b"a b", b"\xff"), "ref": ["a b", "c"]})
    tables.parquet(folder / "t.parquet", table)
    message = refusal("score", "t.parquet", *COLUMNS, "--on-error", "skip")
    assert message.startswith("t.parquet: from row 1 on: damaged Arrow data: ")
    assert "UTF8" in message


@pytest.mark.parametrize("tokenize", ["13a", "none", "intl", "zh", "char"])
@pytest.mark.parametrize("tail", [b"\xf0", b"\xe4a!", b"\xed\xa0\x80"])
def test_text_that_is_not_utf8_is_refused(tokenize, tail):
    bleu = tb.BLEU(tokenize=tokenize)
    for length in (0, 5, 62, 63, 64):
        good, bad = b"a" * length, b"a" * length + tail
        with pytest.raises(tb.InputError, match=rf"refs\[1\] is not UTF-8 from byte {length + 1} on"):
            bleu.corpus(not_utf8(good, good), not_utf8(good, bad))


class Broken:
    """Exports Arrow text that claims to have one buffer."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.array(["a", "b"]).__arrow_c_array__(requested_schema)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # length, null_count, offset, n_buffers
        (ctypes.c_int64 * 4).from_address(pointer(array, b"arrow_array"))[3] = 1
        return schema, array


def test_arrays_that_break_the_format_are_refused():
    with pytest.raises(tb.InputError, match=r"^hyps: these Arrow data cannot be read: .*$"):
        tb.corpus_bleu(Broken(), ["a", "b"])
    with pytest.raises(tb.InputError, match="references: these Arrow data cannot be read"):
        tb.pairwise(["a"], Broken())

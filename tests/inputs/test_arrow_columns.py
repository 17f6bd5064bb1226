# SPDX-License-Identifier: Apache-2.0
"""Columns of Arrow: which types hold text, and bad rows, which are named or skipped."""

import pyarrow as pa
import pytest
from support import tables
from support.bad_rows import COLUMNS
from support.command import refusal, scored
from support.tables import HYPS, REFS

import truebleu as tb

BLEU = tb.BLEU()


def not_utf8(*items):
    """Strings of Arrow that are not UTF-8, as a careless writer leaves them."""
    return pa.array(items).cast(pa.binary()).view(pa.string())


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["a", None, "b"]), "'mt' is null"),
        (not_utf8(b"a b", b"\xff", b"c"), "'mt' is not utf-8"),
    ],
    ids=["null", "invalid UTF-8"],
)
def test_a_bad_row_is_named_or_skipped(name, column, message, folder):
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


def test_bad_lists_of_references_are_named_or_skipped(folder):
    strings = not_utf8(b"a b", b"a", b"\xff", b"c")
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 1, 3, 4], pa.int32()), strings)
    tables.parquet(folder / "t.parquet", pa.table({"mt": ["a b", "a", "a", "c"], "ref": lists}))
    assert refusal("score", "t.parquet", *COLUMNS).startswith("t.parquet: row 2: 'ref' has no ref")
    line, notices = scored("score", "t.parquet", *COLUMNS, "--on-error", "skip")
    expected = tb.corpus_bleu(["a b", "c"], [["a b"], ["c"]]).format(1, signature=True)
    assert line == expected + "\n"
    assert "t.parquet: row 3: 'ref' is not utf-8" in notices


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), "dictionary"])
def test_every_type_that_holds_text_is_read(kind, tmp_path):
    if kind == "dictionary":
        kind = pa.dictionary(pa.int32(), pa.string())
    lists = pa.array([[ref] for ref in REFS], type=pa.large_list(pa.large_string()))
    fixed = pa.array([[ref] for ref in REFS], type=pa.list_(pa.string(), 1))
    columns = {"mt": pa.array(HYPS).cast(kind), "ref": pa.array(REFS).cast(kind)}
    rows = pa.table({**columns, "lists": lists, "fixed": fixed, "year": range(len(HYPS))})
    tables.stream(tmp_path / "t.arrows", rows)
    for ref in ("ref", "lists", "fixed"):
        scan = tb.scan(tmp_path / "t.arrows", "mt", ref)
        assert BLEU.corpus(scan) == BLEU.corpus(HYPS, REFS)
    assert len(tb.scan(tmp_path / "t.arrows", "mt", "ref", "year").groups(BLEU)) == len(HYPS)

# SPDX-License-Identifier: Apache-2.0
"""Rows of several files side by side: bad ones are left out of all, and none is lost."""

import gzip

import polars as pl
import pyarrow as pa
import pytest
from support import tables
from support.command import refusal, scored
from support.tables import COLUMNS, GOOD, HYPS, MORE, REFS

import truebleu as tb

BLEU = tb.BLEU()


def test_bad_lines_of_text_are_skipped_in_all_files(folder):
    hyps, refs = ([row[i].encode() for row in GOOD] for i in (0, 1))
    hyps[3], refs[3], refs[9] = b"\xff", b"\xfe", b"a \x80"
    (folder / "hyp").write_bytes(b"\n".join(hyps))
    (folder / "ref").write_bytes(b"\n".join(refs))
    good = [row for i, row in enumerate(GOOD) if i not in (3, 9)]
    expected = tb.corpus_bleu(*map(list, zip(*good, strict=True))).format(1, signature=True)
    line, notices = scored("score", "ref", "-i", "hyp", "--on-error", "skip")
    assert line == expected + "\n"
    assert f"skipped 2 bad rows of {len(GOOD)}:" in notices
    assert "ref:4: byte 1 of the line is not utf-8" in notices
    assert "ref:10: byte 3 of the line" in notices
    packed = gzip.compress(b"\n".join(hyps))
    assert refusal("score", "hyp", stdin=packed).startswith("hyp:4: byte 1 of the line is not utf-")


def test_tables_without_a_good_row_have_no_segments(folder):
    tables.parquet(folder / "t.parquet", pa.table({"mt": [None, None], "ref": ["a", "b"]}))
    flags = ("--on-error", "skip", "--per-segment", "o.tsv")
    assert refusal("score", "t.parquet", *COLUMNS, *flags).startswith("all rows are bad")
    tables.parquet(folder / "t.parquet", pa.table({"mt": pa.array([], pa.string()), "ref": []}))
    assert refusal("score", "t.parquet", *COLUMNS).startswith("there are no rows")
    assert not list(folder.glob("o.*"))


def test_numbers_of_segments_are_those_of_their_rows(tmp_path):
    (tmp_path / "t.tsv").write_text("mt\tref\na\ta\nbad\nb\tb\n")
    scan = tb.scan(tmp_path / "t.tsv", "mt", "ref", on_error="skip")
    (batch,) = scan
    assert (list(batch.numbers), batch.hyps, len(batch), scan.skipped) == ([1, 3], ["a", "b"], 2, 1)
    assert BLEU.sentences(scan).shape == (2,)


def test_files_of_unequal_length_are_named(folder):
    (folder / "short").write_text("a\n")
    (folder / "long").write_text("a\n" * 30_000)
    for size in (1, 9999):
        with pytest.raises(tb.InputError, match=r"^short: 1 line, but ref has 3; line i of each"):
            list(tb.scan("ref", hyps="short", batch_size=size, on_error="skip"))
        with pytest.raises(tb.InputError, match=r"^long: 30,000 lines, but ref has 3; line i of"):
            list(tb.scan("ref", hyps="long", batch_size=size))


def test_tab_separated_references_are_split_batch_by_batch(folder):
    rows = "".join(f"{a}\t{b}\n" for a, b in zip(REFS, MORE, strict=True))
    (folder / "ref").write_bytes(gzip.compress(rows.encode()))
    (folder / "hyp").write_text("".join(f"{text}\n" for text in HYPS))
    expected = tb.corpus_bleu(HYPS, list(zip(REFS, MORE, strict=True))).format(1, signature=True)
    assert scored("score", "ref", "-nr", "2", "-i", "hyp") == (expected + "\n", "")
    (folder / "hyp").write_text("a\nb\nc\n")
    for pack in (bytes, gzip.compress):
        (folder / "ref").write_bytes(pack(b"a\tb\nc\nd\te\n"))
        message = refusal("score", "ref", "-nr", "2", "-i", "hyp")
        assert message.startswith("ref:2: 1 tab-separated reference, expected 2;")


def test_absent_references_are_absent(tmp_path):
    refs = [[ref, None] if i % 2 else [ref] for i, ref in enumerate(REFS)]
    more = [None if i % 3 else ref for i, ref in enumerate(MORE)]
    rows = pa.table({"mt": HYPS, "refs": refs, "more": more})
    expected = [[*row, *([] if other is None else [other])] for row, other in zip(refs, more, strict=True)]
    tables.parquet(tmp_path / "t.parquet", rows)
    tables.jsonl(tmp_path / "t.jsonl", rows)
    for name in ("t.parquet", "t.jsonl"):
        scan = tb.scan(tmp_path / name, "mt", ["refs", "more"], batch_size=4)
        assert BLEU.corpus(scan) == BLEU.corpus(HYPS, expected)
        labelled = tb.scan(tmp_path / name, "mt", ["refs", "more"], "mt", batch_size=4)
        assert labelled.groups(BLEU)[HYPS[0]] == BLEU.corpus(HYPS[:1], expected[:1])
    tables.parquet(tmp_path / "t.parquet", pa.table({"mt": ["a"], "r": [None], "s": [None]}))
    with pytest.raises(tb.InputError, match=r"t.parquet: row 1: there is no reference"):
        list(tb.scan(tmp_path / "t.parquet", "mt", ["r", "s"]))


def test_batches_are_arrow_data(tmp_path):
    tables.comma(tmp_path / "t.csv", tables.table())
    for batch in tb.scan(tmp_path / "t.csv", "mt", ["ref", "more"], "domain", batch_size=10):
        frame = pl.from_arrow(pa.record_batch(batch))
        assert frame.columns == ["hyp", "ref", "by"]
        assert frame["hyp"].to_list() == batch.hyps

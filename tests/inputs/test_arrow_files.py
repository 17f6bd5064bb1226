# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files, whole and damaged, and batches of other libraries."""

import subprocess
import sys

import polars as pl
import pyarrow as pa
import pytest
from support import tables
from support.command import refusal
from support.tables import COLUMNS, HYPS, MORE, REFS

import truebleu as tb

BLEU = tb.BLEU()
WHOLE = BLEU.corpus(HYPS, REFS)


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows"])
def test_truncated_files_are_one_line(name, folder):
    tables.WRITERS[name](folder / name, tables.table())
    whole = (folder / name).read_bytes()
    for size in (0, 3, 100, len(whole) // 2, len(whole) - 9):
        (folder / name).write_bytes(whole[:size])
        message = refusal("score", name, *COLUMNS, "--per-segment", "o.tsv")
        assert message.startswith(f"{name}: damaged or huge: ")
        assert message.endswith("; copy it again")
    assert not (folder / "o.tsv").exists()


def test_a_damaged_page_is_one_line(folder):
    tables.parquet(folder / "t.parquet", tables.table(), compression="zstd", use_dictionary=False)
    data = bytearray((folder / "t.parquet").read_bytes())
    data[60:90] = bytes(30)
    (folder / "t.parquet").write_bytes(data)
    assert refusal("score", "t.parquet", *COLUMNS).startswith("t.parquet: ")


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_truncated_while_it_is_read_ends_no_process():
    """A file that is mapped to memory would end it by SIGBUS."""
    batch = pa.record_batch({"mt": ["a b c d " * 20] * 4096, "ref": ["a b c d"] * 4096})
    with pa.OSFile("t.arrow", "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        for _ in range(16):
            writer.write(batch)
    code = """
import os, truebleu as tb
rows = iter(tb.scan("t.arrow", "mt", "ref", batch_size=64))
next(rows)
os.truncate("t.arrow", 4096)
try:
    list(rows)
except tb.InputError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.startswith(b"t.arrow: damaged or huge: ")


def test_batches_of_other_libraries_are_read():
    rows = tables.table()
    renamed = rows.rename_columns(["hyp", "ref", "more", "both", "domain", "texts"])
    for size in (1, 4, 999):
        assert BLEU.corpus(iter(renamed.to_batches(size))) == WHOLE
        reader = pa.RecordBatchReader.from_batches(renamed.schema, renamed.to_batches(size))
        assert BLEU.corpus(reader) == WHOLE
        scan = tb.scan(iter(rows.to_batches(size)), "mt", "both")
        assert BLEU.corpus(scan) == BLEU.corpus(HYPS, list(zip(REFS, MORE, strict=True)))
    assert BLEU.corpus(pl.from_arrow(renamed).iter_slices(5)) == WHOLE
    assert BLEU.corpus(tb.scan(pl.from_arrow(rows).iter_slices(5), "mt", "ref")) == WHOLE
    scores = BLEU.sentences(iter(renamed.to_batches(3)))
    assert scores.tobytes() == BLEU.sentences(HYPS, REFS).tobytes()


def test_errors_of_an_iterator_of_batches_are_the_callers():
    def batches():
        yield pa.record_batch({"hyp": ["a"], "ref": ["a"]})
        raise ConnectionError("the database is gone")

    for source in (batches(), tb.scan(batches(), "hyp", "ref")):
        with pytest.raises(ConnectionError, match="gone"):
            BLEU.corpus(source)
    for wrong in (iter([1]), iter([pa.record_batch({"mt": ["a"]})]), 5, "text", ["a"]):
        with pytest.raises(tb.InputError):
            BLEU.corpus(wrong)
    with pytest.raises(tb.InputError, match="batches: not Arrow, but int"):
        BLEU.corpus(tb.scan(iter([1]), "hyp", "ref"))

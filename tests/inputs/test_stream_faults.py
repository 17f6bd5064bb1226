# SPDX-License-Identifier: Apache-2.0
"""Bad rows are named or counted; damaged files and full disks are one line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import resource
import subprocess

import pyarrow as pa
import pytest
from support import tables
from support.command import COMMAND, refusal, run, scored
from support.tables import HYPS, REFS

import truebleu as tb

COLUMNS = ("--hyp-col", "mt", "--ref-col", "ref")
GOOD = [(hyp, ref) for hyp, ref in zip(HYPS, REFS, strict=True) if "\u2028" not in hyp + ref]


def rows_around(bad, at, *, raw=False):
    """Lines of which one is bad."""
    form = "{}\t{}" if raw else json.dumps({"mt": "{}", "ref": "{}"}).replace("{}", "%s")
    lines = [
        (form.format(*row) if raw else json.dumps({"mt": row[0], "ref": row[1]})).encode()
        for row in GOOD
    ]
    return [*lines[:at], bad, *lines[at:]]


BAD_JSON = {
    "invalid UTF-8": (b'{"mt": "\xff", "ref": "b"}', "byte 9 of the line is not utf-8"),
    "no JSON": (b'{"mt": "a", ', "no JSON"),
    "empty": (b"", "the line is empty"),
    "no object": (b'["a", "b"]', "there is no field 'ref'"),
    "a missing field": (b'{"mt": "a"}', "there is no field 'ref'"),
    "null": (b'{"mt": null, "ref": "b"}', "'mt' is null"),
    "null for a reference": (b'{"mt": "a", "ref": null}', "'ref' is null"),
    "no reference": (b'{"mt": "a", "ref": [null]}', "'ref' has no reference"),
    "a number": (b'{"mt": 1.0, "ref": "b"}', "'mt' is of type float"),
    "a number as reference": (b'{"mt": "a", "ref": ["b", 1]}', "'ref' holds what is no text"),
    "a surrogate": (b'{"mt": "\\ud800", "ref": "b"}', "'mt' holds a lone surrogate"),
}


def check_bad(path, names, at, message):
    """A bad row is named; skipped, it is counted and named, and the rest is scored."""
    lines = len(GOOD) + 1
    expected = tb.corpus_bleu(*map(list, zip(*GOOD, strict=True))).format(1, signature=True) + "\n"
    assert message in refusal("score", path, *names)
    assert refusal("score", path, *names).startswith(f"{path}:{at}: ")
    line, notices = scored("score", path, *names, "--on-error", "skip")
    assert line == expected
    first, second = notices.splitlines()
    assert first == f"truebleu: notice: 1 of {lines} rows were bad and are left out:"
    assert second.startswith(f"truebleu: notice: {path}:{at}: ")
    assert message in second


@pytest.mark.parametrize("kind", BAD_JSON)
def test_a_bad_row_of_json_lines_is_named_or_skipped(kind, folder):
    bad, message = BAD_JSON[kind]
    (folder / "t.jsonl").write_bytes(b"\n".join(rows_around(bad, 11)))
    check_bad("t.jsonl", COLUMNS, 12, message)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"a\xc3\tb", "byte 2 of the line is not utf-8"),
        (b"a", "1 fields, but the first line has 2"),
        (b"a\tb\tc", "3 fields"),
        (b"", "1 fields"),
    ],
)
def test_a_bad_row_of_tsv_is_named_or_skipped(bad, message, folder):
    rows = [b"mt\tref", *rows_around(bad, 5, raw=True)]
    (folder / "t.tsv").write_bytes(b"\n".join(rows) + b"\n")
    check_bad("t.tsv", COLUMNS, 7, message)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'"a\n\xff",b', "line 8: byte 1 of the line is not utf-8"),
        (b"a", "1 fields, but the first line has 2"),
        (b'"a"b,c', "no CSV"),
        (b"a\rb,c", "no CSV"),
    ],
)
def test_a_bad_row_of_csv_is_named_or_skipped(bad, message, folder):
    rows = [row.replace(b'"', b'""') for row in rows_around(b"", 5, raw=True)]
    rows = [b'"' + row.replace(b"\t", b'","') + b'"' for row in rows]
    rows[5] = bad
    (folder / "t.csv").write_bytes(b"\n".join([b"mt,ref", *rows]) + b"\n")
    check_bad("t.csv", COLUMNS, 7, message)


def test_a_quote_that_never_ends_is_named(folder):
    (folder / "t.csv").write_text('mt,ref\na,b\n"c,d\ne,f\n')
    assert refusal("score", "t.csv", *COLUMNS).startswith("t.csv:3: no CSV: unexpected end")


def test_bad_lines_of_text_are_skipped_in_all_files(folder):
    hyps, refs = ([row[i].encode() for row in GOOD] for i in (0, 1))
    hyps[3], refs[3], refs[9] = b"\xff", b"\xfe", b"a \x80"
    (folder / "hyp").write_bytes(b"\n".join(hyps))
    (folder / "ref").write_bytes(b"\n".join(refs))
    good = [row for i, row in enumerate(GOOD) if i not in (3, 9)]
    expected = tb.corpus_bleu(*map(list, zip(*good, strict=True))).format(1, signature=True)
    line, notices = scored("score", "ref", "-i", "hyp", "--on-error", "skip")
    assert line == expected + "\n"
    assert f"2 of {len(GOOD)} rows were bad" in notices
    assert "ref:4: byte 1 of the line is not utf-8" in notices
    assert "ref:10: byte 3 of the line" in notices
    packed = gzip.compress(b"\n".join(hyps))
    assert refusal("score", "hyp", stdin=packed).startswith(
        "hyp:4: byte 1 of the line is not utf-8"
    )


def not_utf8():
    """A string of Arrow that is none, as a careless writer leaves it."""
    return pa.array([b"a b", b"\xff", b"c"]).cast(pa.binary()).view(pa.string())


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["a", None, "b"]), "'mt' is null"),
        (not_utf8(), "'mt' is not utf-8"),
    ],
    ids=["null", "invalid UTF-8"],
)
def test_a_bad_row_of_arrow_is_named_or_skipped(name, column, message, folder):
    count = 30
    rest = pa.array(["x y z"] * count)
    rows = pa.table({"mt": pa.concat_arrays([rest, column]), "ref": ["x y"] * (count + 3)})
    {"t.parquet": tables.parquet, "t.arrow": tables.ipc}[name](folder / name, rows)
    assert refusal("score", name, *COLUMNS).startswith(f"{name}: row {count + 2}: {message};")
    line, notices = scored("score", name, *COLUMNS, "--on-error", "skip", "--per-segment", "o.tsv")
    good = ["x y z"] * count + [column[0].as_py(), column[2].as_py()]
    expected = tb.corpus_bleu(good, ["x y"] * (count + 2)).format(1, signature=True)
    assert line == expected + "\n"
    assert f"{name}: row {count + 2}: {message}" in notices
    numbers = [line.split("\t")[0] for line in (folder / "o.tsv").read_text().splitlines()[1:]]
    assert numbers == [str(i) for i in range(1, count + 4) if i != count + 2]


def test_bad_lists_of_references_are_named_or_skipped(folder):
    strings = pa.array([b"a b", b"a", b"\xff", b"c"]).cast(pa.binary()).view(pa.string())
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 1, 3, 4], pa.int32()), strings)
    rows = pa.table({"mt": ["a b", "a", "a", "c"], "ref": lists})
    tables.parquet(folder / "t.parquet", rows)
    assert refusal("score", "t.parquet", *COLUMNS).startswith("t.parquet: row 2: 'ref' has no ref")
    line, notices = scored("score", "t.parquet", *COLUMNS, "--on-error", "skip")
    expected = tb.corpus_bleu(["a b", "c"], [["a b"], ["c"]]).format(1, signature=True)
    assert line == expected + "\n"
    assert "t.parquet: row 3: 'ref' is not utf-8" in notices


def test_rows_that_are_all_bad_are_no_segments(folder):
    tables.parquet(folder / "t.parquet", pa.table({"mt": [None, None], "ref": ["a", "b"]}))
    message = refusal(
        "score", "t.parquet", *COLUMNS, "--on-error", "skip", "--per-segment", "o.tsv"
    )
    assert message.startswith("each row is bad")
    tables.parquet(folder / "t.parquet", pa.table({"mt": pa.array([], pa.string()), "ref": []}))
    assert refusal("score", "t.parquet", *COLUMNS).startswith("there is no row")
    assert not list(folder.glob("o.*"))


# Damaged files.


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, bz2.compress, lzma.compress, tables.zstd],
    ids=lambda pack: pack.__module__,
)
@pytest.mark.parametrize("behind", [b"", b"\0\0\0\0"])
def test_cut_compressed_files_are_one_line(pack, behind, folder):
    whole = pack("".join(f"{hyp}\n" for hyp in HYPS * 9).encode())
    (folder / "ref").write_text("".join(f"{ref}\n" for ref in REFS * 9))
    (folder / "whole").write_bytes(whole + behind)
    expected = tb.corpus_bleu(HYPS * 9, REFS * 9).format(1, signature=True) + "\n"
    assert scored("score", "ref", "-i", "whole") == (expected, "")
    for damaged in (whole[:-1], whole[: len(whole) // 2], whole + b"garbage"):
        (folder / "cut").write_bytes(damaged)
        message = refusal("score", "ref", "-i", "cut", "--per-segment", "o.tsv")
        assert message.startswith("cut: damaged ")
        with pytest.raises(tb.InputError, match="cut: damaged"):
            tb.BLEU().corpus(tb.scan("ref", hyps="cut"))
    assert not (folder / "o.tsv").exists()


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows"])
def test_cut_tables_are_one_line(name, folder):
    tables.WRITERS[name](folder / name, tables.table())
    whole = (folder / name).read_bytes()
    for size in (0, 3, 100, len(whole) // 2, len(whole) - 9):
        (folder / name).write_bytes(whole[:size])
        message = refusal("score", name, *COLUMNS, "--per-segment", "o.tsv")
        assert message.startswith(f"{name}: no whole Parquet or Arrow file: ")
    assert not (folder / "o.tsv").exists()


def test_a_damaged_page_is_one_line(folder):
    tables.parquet(folder / "t.parquet", tables.table(), compression="zstd", use_dictionary=False)
    data = bytearray((folder / "t.parquet").read_bytes())
    data[60:90] = bytes(30)
    (folder / "t.parquet").write_bytes(data)
    assert refusal("score", "t.parquet", *COLUMNS).startswith("t.parquet: ")


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), RuntimeError("a fault")])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_reader_that_fails_fails_behind_the_rows_before(error, threads):
    """What was read before is worked on, so that a bad row there is what is named."""
    from truebleu.metrics.workers import ordered

    def items(count):
        yield from range(count)
        raise error

    done = []
    with pytest.raises(type(error)) as raised:
        done.extend(ordered(lambda item: item, items(20), threads))
    assert raised.value is error

    def work(item):
        if item == 7:
            raise tb.InputError("row 7")
        return item

    found = []
    with pytest.raises(tb.InputError, match="row 7"):
        found.extend(ordered(work, items(9), threads))
    assert found == list(range(7))


def test_an_iterator_of_batches_that_fails_is_heard(folder):
    def batches():
        yield pa.record_batch({"hyp": ["a"], "ref": ["a"]})
        raise ConnectionError("the database is gone")

    for taken in (batches(), tb.scan(batches(), "hyp", "ref")):
        with pytest.raises(ConnectionError, match="gone"):
            tb.BLEU().corpus(taken)
    for wrong in (iter([1]), iter([pa.record_batch({"mt": ["a"]})]), 5, "text", ["a"]):
        with pytest.raises(tb.InputError):
            tb.BLEU().corpus(wrong)
    assert os.listdir(folder)


# Outputs that cannot be written.


@pytest.mark.parametrize("name", ["o.tsv", "o.jsonl", "o.parquet"])
def test_a_full_disk_is_one_line_and_leaves_no_output(name, folder):
    """A limit on the size of files stands for the end of the disk."""
    count = 20_000
    (folder / "hyp").write_text("a b c d\n" * count)
    done = subprocess.run(
        [COMMAND, "score", "hyp", "-i", "hyp", "--per-segment", name],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )
    message = done.stderr.decode()
    assert (done.returncode, done.stdout, message.count("\n")) == (2, b"", 1)
    assert message.startswith(f"truebleu: {name}: cannot be written: ")
    assert sorted(os.listdir(folder)) == ["hyp", "ref"]


def test_an_output_that_cannot_be_made_is_one_line(folder):
    (folder / "o.tsv").mkdir()
    assert "o.tsv: this is no file" in refusal(
        "score", "ref", "-i", "hyp", "--per-segment", "o.tsv"
    )
    message = refusal("score", "ref", "-i", "hyp", "--per-segment", "ref/o.tsv")
    assert message.startswith("ref/o.tsv: cannot be written: Not a directory")


def test_a_checkpoint_that_cannot_be_written_is_one_line(folder):
    (folder / "file").touch()
    flags = ("--checkpoint", "file/kept", "--checkpoint-every", "0")
    message = refusal("score", "ref", "-i", "hyp", *flags)
    assert message.startswith("file/kept: cannot be written: ")
    assert "--checkpoint" in message


def test_an_earlier_output_stays_until_a_new_one_is_complete(folder):
    (folder / "o.tsv").write_text("earlier")
    (folder / "bad").write_bytes(b"a\n\xff\nc\n")
    assert refusal("score", "ref", "-i", "bad", "--per-segment", "o.tsv").startswith("bad:2: ")
    assert (folder / "o.tsv").read_text() == "earlier"
    assert run("score", "ref", "-i", "hyp", "--per-segment", "o.tsv").returncode == 0
    assert (folder / "o.tsv").read_text().startswith("row\tbleu\t")

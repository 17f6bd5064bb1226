# SPDX-License-Identifier: Apache-2.0
"""Whatever the file and the size of batches, the score is that of the texts in memory."""

from __future__ import annotations

import bz2
import gzip
import lzma

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import tables
from support.tables import DOMAINS, HYPS, MORE, REFS, WRITERS

import truebleu as tb

BLEU = tb.BLEU()
WHOLE = BLEU.corpus(HYPS, REFS)
OF_TWO = BLEU.corpus(HYPS, list(zip(REFS, MORE, strict=True)))
NESTED = ["t.parquet", "t.arrow", "t.arrows", "t.feather", "t.jsonl", "t.jsonl.gz"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for name, write in WRITERS.items():
        write(folder / name, tables.table())
    tables.parquet(folder / "single.parquet", tables.table(), row_group_size=1)
    return folder


@pytest.mark.parametrize("name", [*WRITERS, "single.parquet"])
@pytest.mark.parametrize("size", [1, 2, 7, len(HYPS), 8192])
def test_every_file_scores_as_its_texts(name, size, made):
    scan = tb.scan(made / name, "mt", "ref", batch_size=size)
    assert BLEU.corpus(scan) == WHOLE
    assert BLEU.corpus(scan) == WHOLE  # read anew
    assert (BLEU.sentences(scan) == BLEU.sentences(HYPS, REFS)).all()
    assert max(map(len, scan)) <= size
    several = tb.scan(made / name, "mt", ["ref", "more"], batch_size=size)
    assert BLEU.corpus(several) == OF_TWO


@pytest.mark.parametrize("metric", [tb.CHRF(), tb.TER(), tb.BLEU(tokenize=str.split)])
@pytest.mark.parametrize("name", ["t.parquet", "t.csv"])
def test_every_metric_takes_a_scan(metric, name, made):
    scan = tb.scan(made / name, "mt", ["ref", "more"], batch_size=5)
    refs = list(zip(REFS, MORE, strict=True))
    assert metric.corpus(scan) == metric.corpus(HYPS, refs)
    assert (metric.sentences(scan) == metric.sentences(HYPS, refs)).all()


@pytest.mark.parametrize("metric", [None, "sacrebleu", 4])
def test_a_scan_takes_nothing_but_metrics(metric, made):
    scan = tb.scan(made / "t.csv", "mt", "ref", by="mt")
    for score in (scan.score, scan.groups):
        with pytest.raises(tb.OptionError, match="give a BLEU, a CHRF or a TER"):
            score(metric)


@pytest.mark.parametrize("name", NESTED)
def test_dots_lead_into_fields_and_lists_are_several_references(name, made):
    assert BLEU.corpus(tb.scan(made / name, "texts.de", "texts.in.en")) == WHOLE
    assert BLEU.corpus(tb.scan(made / name, "texts.de", "both", batch_size=3)) == OF_TWO
    assert BLEU.corpus(tb.scan(made / name, "mt", ["both", "texts.in.en"])) == BLEU.corpus(
        HYPS, list(zip(REFS, MORE, REFS, strict=True))
    )


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("size", [1, 8192])
def test_groups_score_as_their_texts(name, size, made):
    expected = {}
    for domain in sorted(set(DOMAINS)):
        rows = [i for i, other in enumerate(DOMAINS) if other == domain]
        expected[domain] = BLEU.corpus([HYPS[i] for i in rows], [REFS[i] for i in rows])
    assert tb.scan(made / name, "mt", "ref", "domain", batch_size=size).groups(BLEU) == expected


def test_folders_and_patterns_are_one_table(tmp_path):
    rows = tables.table()
    folder = tmp_path / "data"
    (folder / "part=b").mkdir(parents=True)
    (folder / "_temporary").mkdir()
    tables.parquet(folder / "0.parquet", rows.slice(0, 5))
    tables.parquet(folder / "1.parquet", rows.slice(0, 0))
    tables.parquet(folder / "part=b" / "2.parquet", rows.slice(5))
    for hidden in (folder / "_SUCCESS", folder / ".crc", folder / "_temporary" / "x.parquet"):
        hidden.write_bytes(b"no table")
    for path in (
        folder,
        [folder / "*.parquet", folder / "part=?"],
        [folder / "[01]*", folder / "*=b"],
    ):
        assert BLEU.corpus(tb.scan(path, "mt", "ref", batch_size=4)) == WHOLE
    lines = tmp_path / "lines"
    lines.mkdir()
    (lines / "1").write_text("".join(f"{line}\n" for line in HYPS[:9]))
    (lines / "2").write_text("")
    (lines / "3").write_text("\n".join(HYPS[9:]))
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in REFS))
    assert BLEU.corpus(tb.scan(tmp_path / "ref", hyps=lines, batch_size=4)) == WHOLE


@pytest.mark.parametrize(
    ("end", "write"),
    [("tsv", tables.tsv), ("csv", tables.comma), ("jsonl", tables.jsonl), ("arrow", tables.ipc)],
)
def test_empty_partitions_have_no_rows(end, write, tmp_path):
    rows = tables.table()
    for name, part in (("0", rows[:0]), ("1", rows[:5]), ("3", rows[:0]), ("4", rows[5:])):
        write(tmp_path / f"{name}.{end}", part)
    if end != "arrow":
        (tmp_path / f"2.{end}").touch()
    for size in (1, 4, 99):
        scan = tb.scan(tmp_path, "mt", "ref", batch_size=size)
        assert BLEU.corpus(scan) == WHOLE
        assert [hyp for batch in scan for hyp in batch.to_arrow()["hyp"].to_pylist()] == HYPS


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress, tables.zstd])
@pytest.mark.parametrize("size", [1, 3, 8192])
def test_lines_score_as_their_texts(pack, size, tmp_path):
    (tmp_path / "hyp").write_bytes(b"".join(pack(f"{line}\n".encode()) for line in HYPS))
    (tmp_path / "ref").write_bytes(pack("\n".join(REFS).encode()))
    (tmp_path / "more").write_bytes(b"\xef\xbb\xbf" + "\n".join(MORE).encode() + b"\n")
    texts = {"hyps": tmp_path / "hyp", "batch_size": size}
    assert BLEU.corpus(tb.scan(tmp_path / "ref", **texts)) == WHOLE
    assert BLEU.corpus(tb.scan([tmp_path / "ref", tmp_path / "more"], **texts)) == OF_TWO


@given(
    st.lists(st.text("ab \r\x0b\x85\u2028é中", max_size=9), min_size=1, max_size=30),
    st.integers(1, 9),
    st.sampled_from(["utf-8", "utf-16", "latin-1", "shift_jis"]),
    st.booleans(),
)
def test_lines_are_those_of_a_whole_read(tmp_path_factory, texts, size, encoding, ended):
    from truebleu.inputs.files import read_lines

    path = tmp_path_factory.mktemp("lines") / "lines"
    text = "\n".join(texts) + "\n" * ended or "\n"
    path.write_bytes(text.encode(encoding, errors="replace"))
    with_small_blocks(path, encoding, size, list(read_lines(str(path), encoding)))


def with_small_blocks(path, encoding, size, expected):
    """Blocks of few bytes, so that lines and characters are cut everywhere."""
    from truebleu import _core
    from truebleu.inputs import text_lines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lines, "BLOCK", size)
        found = []
        for rows in text_lines.read_text([str(path)], _core, encoding):
            first, rest = rows.split(rows.count // 2)
            for part in (first, rest):
                found += part.columns()[0][0] if part.count else []
        assert found == expected


def test_batches_of_other_libraries_are_taken(made):
    rows = tables.table()
    renamed = rows.rename_columns(["hyp", "ref", "more", "both", "domain", "texts"])
    for size in (1, 4, 999):
        assert BLEU.corpus(iter(renamed.to_batches(size))) == WHOLE
        assert BLEU.corpus(
            pa.RecordBatchReader.from_batches(renamed.schema, renamed.to_batches(size))
        )
        scan = tb.scan(iter(rows.to_batches(size)), "mt", "both")
        assert BLEU.corpus(scan) == OF_TWO
    frames = pl.from_arrow(renamed).iter_slices(5)
    assert BLEU.corpus(iter(frames)) == WHOLE
    assert BLEU.corpus(tb.scan(pl.from_arrow(rows).iter_slices(5), "mt", "ref")) == WHOLE
    assert (BLEU.sentences(iter(renamed.to_batches(3))) == BLEU.sentences(HYPS, REFS)).all()
    for batch in tb.scan(made / "t.csv", "mt", ["ref", "more"], "domain", batch_size=10):
        assert pl.from_arrow(pa.record_batch(batch)).columns == ["hyp", "ref", "by"]


def test_absent_references_are_absent(tmp_path):
    refs = [[ref, None] if i % 2 else [ref] for i, ref in enumerate(REFS)]
    more = [None if i % 3 else ref for i, ref in enumerate(MORE)]
    rows = pa.table({"mt": HYPS, "refs": refs, "more": more})
    expected = [
        [*row, *([] if other is None else [other])] for row, other in zip(refs, more, strict=True)
    ]
    tables.parquet(tmp_path / "t.parquet", rows)
    tables.jsonl(tmp_path / "t.jsonl", rows)
    for name in ("t.parquet", "t.jsonl"):
        scan = tb.scan(tmp_path / name, "mt", ["refs", "more"], batch_size=4)
        assert BLEU.corpus(scan) == BLEU.corpus(HYPS, expected)
        labelled = tb.scan(tmp_path / name, "mt", ["refs", "more"], "mt", batch_size=4)
        assert labelled.groups(BLEU)[HYPS[0]] == BLEU.corpus(HYPS[:1], expected[:1])


def test_types_of_arrow_that_hold_text_are_taken(tmp_path):
    kinds = [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
    for kind in kinds:
        lists = pa.array([[ref] for ref in REFS], type=pa.large_list(pa.large_string()))
        fixed = pa.array([[ref] for ref in REFS], type=pa.list_(pa.string(), 1))
        columns = {"mt": pa.array(HYPS).cast(kind), "ref": pa.array(REFS).cast(kind)}
        rows = pa.table({**columns, "lists": lists, "fixed": fixed, "year": range(len(HYPS))})
        tables.stream(tmp_path / "t.arrows", rows)
        for ref in ("ref", "lists", "fixed"):
            assert BLEU.corpus(tb.scan(tmp_path / "t.arrows", "mt", ref)) == WHOLE
        assert len(tb.scan(tmp_path / "t.arrows", "mt", "ref", "year").groups(BLEU)) == len(HYPS)


def test_quotes_of_csv_may_hold_lines(tmp_path):
    (tmp_path / "t.csv").write_bytes(
        b'mt,"the\nref"\r\n"a ""b""\r\nc d e","a ""b""\nc d e"\r\n,"x, y"\r\n'
    )
    for size in (1, 9):
        batches = list(tb.scan(tmp_path / "t.csv", "mt", "the\nref", batch_size=size))
        assert [hyp for batch in batches for hyp in batch.hyps] == ['a "b"\r\nc d e', ""]
        assert [ref for batch in batches for ref in batch.refs] == ['a "b"\nc d e', "x, y"]


def test_columns_by_number_are_of_files_without_names(tmp_path):
    for name, separator in (("t.tsv", "\t"), ("t.csv", ",")):
        (tmp_path / name).write_text(f"a b{separator}x{separator}a c\nd{separator}y{separator}d\n")
        scan = tb.scan(tmp_path / name, "3", "1", "2")
        (batch,) = scan
        assert (batch.hyps, batch.refs, batch.by) == (["a c", "d"], ["a b", "d"], ["x", "y"])
        with pytest.raises(tb.OptionError, match="no column 4"):
            list(tb.scan(tmp_path / name, "4", "1"))


def test_numbers_of_segments_tell_where_they_were(tmp_path):
    (tmp_path / "t.tsv").write_text("mt\tref\na\ta\nbad\nb\tb\n")
    scan = tb.scan(tmp_path / "t.tsv", "mt", "ref", on_error="skip")
    (batch,) = scan
    assert (list(batch.numbers), batch.hyps, len(batch), scan.skipped) == ([1, 3], ["a", "b"], 2, 1)
    assert np.asarray(BLEU.sentences(scan)).shape == (2,)

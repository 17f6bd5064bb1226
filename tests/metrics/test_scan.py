# SPDX-License-Identifier: Apache-2.0
"""Whatever the file and the size of batches, the score is that of the texts in memory."""

import pytest
from support import tables
from support.each_metric import METRICS
from support.tables import DOMAINS, HYPS, MORE, REFS, WRITERS

import truebleu as tb
from truebleu.inputs.columns import as_list

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
@pytest.mark.parametrize("size", [1, 7, len(HYPS)])
def test_every_file_scores_as_its_texts(name, size, made):
    scan = tb.scan(made / name, "mt", "ref", batch_size=size)
    assert BLEU.corpus(scan) == WHOLE
    assert BLEU.corpus(scan) == WHOLE  # read anew
    assert (BLEU.sentences(scan) == BLEU.sentences(HYPS, REFS)).all()
    assert max(map(len, scan)) <= size
    several = tb.scan(made / name, "mt", ["ref", "more"], batch_size=size)
    assert BLEU.corpus(several) == OF_TWO


@pytest.mark.parametrize("metric", [*METRICS, tb.BLEU(tokenize=str.split)], ids=repr)
@pytest.mark.parametrize("name", ["t.parquet", "t.csv"])
def test_every_metric_takes_a_scan(metric, name, made):
    scan = tb.scan(made / name, "mt", ["ref", "more"], batch_size=5)
    refs = list(zip(REFS, MORE, strict=True))
    assert metric.corpus(scan) == metric.corpus(HYPS, refs)
    assert (metric.sentences(scan) == metric.sentences(HYPS, refs)).all()


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
    for path in (folder, [folder / "*.parquet", folder / "part=?"], [folder / "[01]*", folder / "*=b"]):
        assert BLEU.corpus(tb.scan(path, "mt", "ref", batch_size=4)) == WHOLE


@pytest.mark.parametrize(
    ("end", "write"), [("tsv", tables.tsv), ("csv", tables.comma), ("jsonl", tables.jsonl), ("arrow", tables.ipc)]
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
        assert [hyp for batch in scan for hyp in as_list(batch.hyps)] == HYPS

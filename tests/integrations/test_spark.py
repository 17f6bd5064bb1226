# SPDX-License-Identifier: Apache-2.0
"""Spark gives what memory gives: with executors that are processes, one of which is killed."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from support.engine_texts import (
    DOCS,
    METRIC,
    OTHERS,
    TABLE,
    dying,
    fatal_table,
    grouped,
    write_parts,
)
from support.example_texts import HYPS, REFS
from support.page_blocks import run_blocks
from support.started_engines import slow, spark_started

import truebleu as tb
from truebleu.integrations import spark as on_spark
from truebleu.integrations.distributed import file_tasks

BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


@pytest.fixture(scope="module")
def spark():
    pytest.importorskip("pyspark", reason="Spark cannot be had here; pip install --group engines")
    try:
        with spark_started() as spark:
            yield spark
    except ImportError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(TABLE)


@pytest.fixture
def batch_size(spark):
    """Sets how many rows Spark puts into a batch, for one test."""
    usual = spark.conf.get(BATCH)
    yield lambda rows: spark.conf.set(BATCH, str(rows))
    spark.conf.set(BATCH, usual)


@pytest.mark.parametrize("rows", [slow(10_000), 1, slow(7)])
def test_a_corpus_scores_as_in_memory(frame, batch_size, rows):
    batch_size(rows)
    score = on_spark.corpus(frame)
    assert score == METRIC.corpus(HYPS, REFS)
    assert "nrefs:1" in score.signature


@pytest.mark.slow
def test_groups_score_as_in_memory(frame, batch_size):
    batch_size(9)
    assert on_spark.corpus(frame, by="lang") == grouped(METRIC, "hyp", "ref", "lang")


def test_empty_partitions_and_groups_of_two_columns(frame):
    few = frame.filter("id < 30").repartition(4, "lang")
    assert few.selectExpr("spark_partition_id() AS part").distinct().count() < 4
    found = on_spark.corpus(few, by=["lang", "doc"])
    rows = [i for i in range(30) if (TABLE["lang"][i].as_py(), DOCS[i]) == (None, "doc 3")]
    assert found[None, "doc 3"] == METRIC.corpus([HYPS[i] for i in rows], [REFS[i] for i in rows])


@pytest.mark.parametrize("refs", [slow("refs"), ["ref", "second"]])
@pytest.mark.parametrize("metric", [slow(tb.BLEU("nltk")), slow(tb.CHRF()), tb.TER()], ids=repr)
def test_several_references_and_any_metric(frame, metric, refs):
    expected = metric.corpus(HYPS, TABLE["refs"].to_pylist())
    assert on_spark.corpus(frame, refs=refs, metric=metric) == expected


@pytest.mark.slow
def test_segments_get_their_scores_and_statistics(frame, batch_size):
    batch_size(11)
    found = on_spark.with_scores(frame, stats=True).toArrow()
    assert found.select(TABLE.column_names) == TABLE.cast(found.select(TABLE.column_names).schema)
    assert found["bleu"].to_pylist() == METRIC.sentences(HYPS, REFS).tolist()
    assert found["bleu_match_1"].to_pylist() == [row[2] for row in METRIC.stats(HYPS, REFS)]


@pytest.mark.parametrize("documents", [None, slow("doc")])
def test_two_systems_compare_as_in_memory(frame, batch_size, documents):
    batch_size(40)
    found = on_spark.compare(frame, "hyp", "other", documents=documents, resamples=300)
    labels = DOCS if documents else None
    systems = {"hyp": HYPS, "other": OTHERS}
    assert found == tb.compare(systems, REFS, documents=labels, resamples=300)


def test_a_killed_executor_changes_nothing(spark, tmp_path):
    flag = tmp_path / "killed"
    metric = tb.BLEU(tokenize=dying(str(flag), "CoarseGrainedExecutorBackend"))
    score = on_spark.corpus(spark.createDataFrame(fatal_table()), metric=metric)
    assert flag.exists()
    hyps, refs = (fatal_table()[name].to_pylist() for name in ("hyp", "ref"))
    assert score.stats == tb.BLEU(tokenize="none").corpus(hyps, refs).stats


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"refs": "second"}, r"column 'second' is null, row \d of partition \d \(where 'hyp' is "),
        slow({"refs": "id"}, "column 'id' has the type int64, which does not go with column 'hyp'"),
        ({"refs": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        ({"by": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
    ],
)
def test_a_mistake_is_one_line(frame, arguments, message):
    with pytest.raises(tb.InputError, match=message) as caught:
        on_spark.corpus(frame, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_mistake_in_a_lazy_column_is_in_what_spark_raises(frame):
    with pytest.raises(Exception, match="InputError: column 'second' is null, row"):
        on_spark.with_scores(frame, refs="second").collect()
    with pytest.raises(tb.InputError, match="there is a column 'doc' already"):
        on_spark.with_scores(frame, column="doc")


@pytest.mark.slow
def test_no_rows_are_an_error_and_no_groups_are_none(frame):
    nothing = frame.limit(0)
    with pytest.raises(tb.InputError, match="there are no rows"):
        on_spark.corpus(nothing)
    assert on_spark.corpus(nothing, by="lang") == {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("outputs")
    write_parts(path)
    return path


@pytest.fixture
def small_tasks(monkeypatch):
    """Tasks of a few files, and of parts of them."""
    monkeypatch.setattr(file_tasks, "_FEWEST", 3000)
    monkeypatch.setattr(file_tasks, "_OPENING", 300)


@pytest.mark.usefixtures("spark", "small_tasks")
def test_files_score_and_compare_as_in_memory(folder):
    assert on_spark.corpus(folder) == METRIC.corpus(HYPS, REFS)
    by_language = on_spark.corpus(str(folder / "*.parquet"), by="lang")
    assert by_language == grouped(METRIC, "hyp", "ref", "lang")
    systems = {"hyp": HYPS, "other": OTHERS}
    found = on_spark.compare(folder, "hyp", "other", resamples=300)
    assert found == tb.compare(systems, REFS, resamples=300)


@pytest.mark.slow
@pytest.mark.usefixtures("spark", "small_tasks")
def test_files_with_several_references_in_any_metric_and_by_document(folder):
    files = sorted(folder.iterdir())
    for metric in (tb.CHRF(), tb.TER()):
        expected = metric.corpus(HYPS, TABLE["refs"].to_pylist())
        assert on_spark.corpus(files, refs="refs", metric=metric) == expected
        assert on_spark.corpus(folder.as_uri(), refs=["ref", "second"], metric=metric) == expected
    found = on_spark.compare(folder, "hyp", "other", documents="doc", resamples=300)
    systems = {"hyp": HYPS, "other": OTHERS}
    assert found == tb.compare(systems, REFS, documents=DOCS, resamples=300)


@pytest.mark.slow
@pytest.mark.usefixtures("spark")
def test_a_killed_executor_that_reads_files_changes_nothing(tmp_path):
    flag = tmp_path / "killed"
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    write_parts(outputs, fatal_table())
    score = on_spark.corpus(
        outputs, metric=tb.BLEU(tokenize=dying(str(flag), "CoarseGrainedExecutorBackend"))
    )
    assert flag.exists()
    hyps, refs = (fatal_table()[name].to_pylist() for name in ("hyp", "ref"))
    assert score.stats == tb.BLEU(tokenize="none").corpus(hyps, refs).stats


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        slow(
            {"refs": "second"}, r"column 'second' is null, row \d of .*\d\.parquet \(where 'hyp' "
        ),
        ({"refs": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        slow({"refs": "id"}, "column 'id' has the type int64, which does not go with column 'hyp'"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(folder, arguments, message):
    with pytest.raises(tb.InputError, match=message) as caught:
        on_spark.corpus(folder, **arguments)
    assert type(caught.value) is tb.InputError
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.usefixtures("spark")
def test_a_broken_file_is_named(folder, tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes((folder / "001.parquet").read_bytes()[:-50])
    with pytest.raises(tb.InputError, match=r"broken\.parquet: damaged Parquet or Arrow file: "):
        on_spark.corpus([folder, path])


@pytest.mark.usefixtures("spark")
def test_files_without_rows_are_an_error_and_no_groups_are_none(folder):
    nothing = folder / "000.parquet"
    with pytest.raises(tb.InputError, match="there are no rows"):
        on_spark.corpus(nothing)
    assert on_spark.corpus(nothing, by="lang") == {}
    with pytest.raises(tb.InputError, match="read the files"):
        on_spark.with_scores(folder)


@pytest.mark.usefixtures("spark")
def test_examples_on_the_page(tmp_path):
    pq.write_table(TABLE, tmp_path / "part.parquet")
    made = run_blocks("distributed.md", "Spark", {"outputs/": str(tmp_path)})
    assert made["score"] == METRIC.corpus(HYPS, REFS)
    assert made["by_language"] == grouped(METRIC, "hyp", "ref", "lang")
    assert made["best"] == (METRIC.sentences(HYPS, REFS) > 40).sum()
    systems = {"hyp": HYPS, "other": OTHERS}
    assert made["comparison"] == tb.compare(systems, REFS, documents=DOCS)

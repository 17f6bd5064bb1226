# SPDX-License-Identifier: Apache-2.0
"""Ray gives what memory gives: by group, by segment, compared, with a worker killed."""

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
    parts,
    write_parts,
)
from support.example_texts import HYPS, REFS
from support.page_blocks import run_blocks
from support.started_engines import ray_started, slow

import truebleu as tb
from truebleu.integrations import ray as on_ray
from truebleu.integrations.distributed import file_tasks


@pytest.fixture(scope="module")
def ray():
    pytest.importorskip("ray", reason="Ray cannot be had here; pip install --group engines")
    with ray_started() as ray:
        yield ray


@pytest.fixture(scope="module")
def dataset(ray):
    return ray.data.from_arrow(parts())


@pytest.mark.parametrize("batch_size", [slow(None), 1, slow(7)])
def test_a_corpus_scores_as_in_memory(dataset, batch_size):
    score = on_ray.corpus(dataset, batch_size=batch_size)
    assert score == METRIC.corpus(HYPS, REFS)
    assert "nrefs:1" in score.signature


@pytest.mark.slow
def test_groups_score_as_in_memory(dataset):
    assert on_ray.corpus(dataset, by="lang") == grouped(METRIC, "hyp", "ref", "lang")


@pytest.mark.slow
def test_groups_of_two_columns_have_tuples_for_keys(dataset):
    found = on_ray.corpus(dataset, by=["doc", "lang"], batch_size=50)
    rows = [i for i, (doc, lang) in enumerate(zip(DOCS, TABLE["lang"].to_pylist(), strict=True))
            if (doc, lang) == ("doc 3", None)]  # fmt: skip
    assert found["doc 3", None] == METRIC.corpus([HYPS[i] for i in rows], [REFS[i] for i in rows])


@pytest.mark.parametrize("refs", [slow("refs"), ["ref", "second"]])
@pytest.mark.parametrize("metric", [slow(tb.BLEU("nltk")), slow(tb.CHRF()), tb.TER()], ids=repr)
def test_several_references_and_any_metric(dataset, metric, refs):
    expected = metric.corpus(HYPS, TABLE["refs"].to_pylist())
    assert on_ray.corpus(dataset, refs=refs, metric=metric) == expected


@pytest.mark.slow
def test_segments_get_their_scores_and_statistics(dataset):
    rows = on_ray.with_scores(dataset, stats=True).take_all()
    rows.sort(key=lambda row: row["id"])
    assert [row["hyp"] for row in rows] == HYPS
    assert [row["bleu"] for row in rows] == METRIC.sentences(HYPS, REFS).tolist()
    assert [row["bleu_match_1"] for row in rows] == [row[2] for row in METRIC.stats(HYPS, REFS)]
    scored = on_ray.with_scores(dataset, metric=tb.CHRF(), column="chrf", batch_size=11)
    assert {row["id"]: row["chrf"] for row in scored.take_all()} == dict(
        enumerate(tb.CHRF().sentences(HYPS, REFS).tolist())
    )


@pytest.mark.parametrize("documents", [None, slow("doc")])
def test_two_systems_compare_as_in_memory(dataset, documents):
    found = on_ray.compare(dataset, "hyp", "other", documents=documents, resamples=300)
    labels = DOCS if documents else None
    systems = {"hyp": HYPS, "other": OTHERS}
    assert found == tb.compare(systems, REFS, documents=labels, resamples=300)
    assert not dataset.context.execution_options.preserve_order


def test_a_killed_worker_changes_nothing(ray, tmp_path):
    flag = tmp_path / "killed"
    metric = tb.BLEU(tokenize=dying(str(flag)))
    dataset = ray.data.from_arrow(parts(fatal_table()))
    score = on_ray.corpus(dataset, metric=metric)
    assert flag.exists()
    hyps, refs = (fatal_table()[name].to_pylist() for name in ("hyp", "ref"))
    assert score.stats == tb.BLEU(tokenize="none").corpus(hyps, refs).stats


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"refs": "second"}, r"column 'second' is null, row 0 of a batch \(where 'hyp' is "),
        slow({"refs": "id"}, "column 'id' has the type int64, which does not go with column 'hyp'"),
        slow({"hyp": "id"}, "column 'id' has the type int64; it must be strings"),
        ({"refs": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        ({"by": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
    ],
)
def test_a_mistake_is_one_line(dataset, arguments, message):
    with pytest.raises(tb.InputError, match=message) as caught:
        on_ray.corpus(dataset, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_mistake_behind_a_column_that_is_only_known_later(dataset):
    later = dataset.map_batches(lambda table: table, batch_format="pyarrow")
    with pytest.raises(tb.InputError, match="there is no column 'nowhere'; there are id, hyp, "):
        on_ray.corpus(later, refs="nowhere")


@pytest.mark.slow
def test_a_mistake_in_a_lazy_column_is_in_what_ray_raises(dataset):
    with pytest.raises(Exception, match="InputError: column 'second' is null, row 0"):
        on_ray.with_scores(dataset, refs="second").take_all()
    with pytest.raises(tb.InputError, match="there is a column 'doc' already"):
        on_ray.with_scores(dataset, column="doc")


@pytest.mark.slow
def test_no_rows_are_an_error_and_no_groups_are_none(ray):
    nothing = ray.data.from_arrow(TABLE.slice(0, 0))
    with pytest.raises(tb.InputError, match="there are no rows"):
        on_ray.corpus(nothing)
    assert on_ray.corpus(nothing, by="lang") == {}


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


@pytest.mark.usefixtures("ray", "small_tasks")
def test_files_score_and_compare_as_in_memory(folder):
    assert on_ray.corpus(folder) == METRIC.corpus(HYPS, REFS)
    by_language = on_ray.corpus(str(folder / "*.parquet"), by="lang")
    assert by_language == grouped(METRIC, "hyp", "ref", "lang")
    systems = {"hyp": HYPS, "other": OTHERS}
    found = on_ray.compare(folder, "hyp", "other", resamples=300)
    assert found == tb.compare(systems, REFS, resamples=300)


@pytest.mark.slow
@pytest.mark.usefixtures("ray", "small_tasks")
def test_files_with_several_references_in_any_metric_and_by_document(folder):
    files = sorted(folder.iterdir())
    for metric in (tb.CHRF(), tb.TER()):
        expected = metric.corpus(HYPS, TABLE["refs"].to_pylist())
        assert on_ray.corpus(files, refs="refs", metric=metric) == expected
        assert on_ray.corpus(folder.as_uri(), refs=["ref", "second"], metric=metric) == expected
    found = on_ray.compare(folder, "hyp", "other", documents="doc", resamples=300)
    systems = {"hyp": HYPS, "other": OTHERS}
    assert found == tb.compare(systems, REFS, documents=DOCS, resamples=300)


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_a_killed_worker_that_reads_files_changes_nothing(tmp_path):
    flag = tmp_path / "killed"
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    write_parts(outputs, fatal_table())
    score = on_ray.corpus(outputs, metric=tb.BLEU(tokenize=dying(str(flag))))
    assert flag.exists()
    hyps, refs = (fatal_table()[name].to_pylist() for name in ("hyp", "ref"))
    assert score.stats == tb.BLEU(tokenize="none").corpus(hyps, refs).stats


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"refs": "second"}, r"column 'second' is null, row \d of .*\d\.parquet \(where 'hyp' "),
        ({"refs": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        slow({"refs": "id"}, "column 'id' has the type int64, which does not go with column 'hyp'"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(folder, arguments, message):
    with pytest.raises(tb.InputError, match=message) as caught:
        on_ray.corpus(folder, **arguments)
    assert type(caught.value) is tb.InputError
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_a_broken_file_is_named(folder, tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes((folder / "001.parquet").read_bytes()[:-50])
    with pytest.raises(tb.InputError, match=r"broken\.parquet: damaged Parquet or Arrow file: "):
        on_ray.corpus([folder, path])


@pytest.mark.usefixtures("ray")
def test_files_without_rows_are_an_error_and_no_groups_are_none(folder):
    nothing = folder / "000.parquet"
    with pytest.raises(tb.InputError, match="there are no rows"):
        on_ray.corpus(nothing)
    assert on_ray.corpus(nothing, by="lang") == {}
    with pytest.raises(tb.InputError, match="read the files"):
        on_ray.with_scores(folder)


@pytest.mark.slow
def test_many_groups_are_added_by_ray(dataset, monkeypatch):
    monkeypatch.setattr(on_ray, "_HERE", 3)
    assert on_ray.corpus(dataset, by="lang") == grouped(METRIC, "hyp", "ref", "lang")
    doc = grouped(METRIC, "hyp", "ref", "doc")
    assert on_ray.corpus(dataset, by="doc", batch_size=3) == doc


@pytest.mark.usefixtures("ray")
def test_examples_on_the_page(tmp_path):
    pq.write_table(TABLE, tmp_path / "part.parquet")
    made = run_blocks("distributed.md", "Ray", {"outputs/": str(tmp_path)})
    assert made["score"] == METRIC.corpus(HYPS, REFS)
    assert made["by_language"] == grouped(METRIC, "hyp", "ref", "lang")
    assert made["best"] == (METRIC.sentences(HYPS, REFS) > 40).sum()
    systems = {"hyp": HYPS, "other": OTHERS}
    assert made["comparison"] == tb.compare(systems, REFS, documents=DOCS)

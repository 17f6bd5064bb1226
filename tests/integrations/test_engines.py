# SPDX-License-Identifier: Apache-2.0
"""Ray and Spark give the results of memory: by group, by segment, compared, with a worker killed.

They are slow: to start an engine takes half a minute.
"""

import pyarrow.parquet as pq
import pytest
from support.engine_texts import DOCS, METRIC, OTHERS, TABLE, dying, fatal_table, grouped, parts, write_parts
from support.example_texts import HYPS, REFS
from support.page_blocks import run_blocks
from support.started_engines import ray_started, spark_started

import truebleu as tb
from truebleu.integrations import parquet
from truebleu.integrations import ray as on_ray
from truebleu.integrations import spark as on_spark

pytestmark = pytest.mark.slow

NO_COLUMN = "there is no column 'nowhere'; there are id, hyp, "
WRONG_TYPE = "hyps in column 'hyp' and refs in 'id': refs has the Arrow type Int64; cast it"


class Ray:
    """Ray, and the functions for its data sets."""

    door = on_ray
    place = "with "
    victim = None

    def __init__(self, ray):
        self.ray = ray

    def data(self, table=TABLE):
        return self.ray.data.from_arrow(parts(table))

    def rows(self, data):
        return sorted(data.take_all(), key=lambda row: row["id"])

    def nothing(self):
        return self.ray.data.from_arrow(TABLE.slice(0, 0))


class Spark:
    """Spark with small batches, and the functions for its data frames."""

    door = on_spark
    place = r"partition \d, from row \d on: with "
    victim = "CoarseGrainedExecutorBackend"

    def __init__(self, session):
        self.session = session

    def data(self, table=TABLE):
        return self.session.createDataFrame(table)

    def rows(self, data):
        return sorted((row.asDict() for row in data.collect()), key=lambda row: row["id"])

    def nothing(self):
        return self.data().limit(0)


@pytest.fixture(scope="module", params=["ray", "spark"])
def engine(request):
    if request.param == "ray":
        pytest.importorskip("ray", reason="Ray is not installed; scripts/install ray")
        with ray_started() as ray:
            yield Ray(ray)
    else:
        pytest.importorskip("pyspark", reason="PySpark is not installed; scripts/install spark")
        try:
            with spark_started(**{"spark.sql.execution.arrow.maxRecordsPerBatch": 9}) as session:
                yield Spark(session)
        except ImportError as error:
            pytest.skip(str(error))


@pytest.fixture(scope="module")
def data(engine):
    return engine.data()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("outputs")
    write_parts(path)
    return path


@pytest.fixture
def _small_tasks(monkeypatch):
    """Tasks of a few files, and of parts of them."""
    monkeypatch.setattr(parquet, "_MIN_BYTES", 3000)
    monkeypatch.setattr(parquet, "_OPENING_BYTES", 300)


def test_a_corpus_and_its_groups_score_as_in_memory(engine, data):
    score = engine.door.corpus(data)
    assert score == METRIC.corpus(HYPS, REFS)
    assert "nrefs:1" in score.signature
    assert engine.door.corpus(data, by="lang") == grouped(METRIC, "hyp", "ref", "lang")
    pairs = engine.door.corpus(data, by=["doc", "lang"])
    rows = [
        i
        for i, (doc, lang) in enumerate(zip(DOCS, TABLE["lang"].to_pylist(), strict=True))
        if (doc, lang) == ("doc 3", None)
    ]
    assert pairs["doc 3", None] == METRIC.corpus([HYPS[i] for i in rows], [REFS[i] for i in rows])


@pytest.mark.parametrize("refs", ["refs", ["ref", "second"]])
@pytest.mark.parametrize("metric", [tb.TER(), tb.BLEU("nltk"), tb.CHRF()], ids=repr)
def test_several_references_and_any_metric(engine, data, metric, refs):
    expected = metric.corpus(HYPS, TABLE["refs"].to_pylist())
    assert engine.door.corpus(data, refs=refs, metric=metric) == expected


def test_segments_get_their_scores_and_statistics(engine, data):
    rows = engine.rows(engine.door.with_scores(data, stats=True))
    assert [row["hyp"] for row in rows] == HYPS
    assert [row["bleu"] for row in rows] == METRIC.sentences(HYPS, REFS).tolist()
    assert [row["bleu_match_1"] for row in rows] == [row[2] for row in METRIC.stats(HYPS, REFS)]


@pytest.mark.parametrize("documents", [None, "doc"])
def test_two_systems_compare_as_in_memory(engine, data, documents):
    result = engine.door.compare(data, "hyp", "other", documents=documents, resamples=300)
    labels = DOCS if documents else None
    systems = {"hyp": HYPS, "other": OTHERS}
    assert result == tb.compare(systems, REFS, documents=labels, resamples=300, robustness=False)
    if isinstance(engine, Ray):
        assert not data.context.execution_options.preserve_order


@pytest.mark.parametrize("as_files", [False, True])
def test_a_killed_worker_changes_nothing(engine, tmp_path, as_files):
    flag, outputs = tmp_path / "killed", tmp_path / "outputs"
    outputs.mkdir()
    write_parts(outputs, fatal_table())
    data = outputs if as_files else engine.data(fatal_table())
    score = engine.door.corpus(data, metric=tb.BLEU(tokenize=dying(str(flag), engine.victim)))
    assert flag.exists()
    hyps, refs = (fatal_table()[name].to_pylist() for name in ("hyp", "ref"))
    assert score.stats == tb.BLEU(tokenize="none").corpus(hyps, refs).stats


def test_an_error_is_one_line(engine, data, folder):
    null = r"hyps in column 'hyp' and refs in 'second': refs\[\d\] has no reference"
    for arguments, message, in_file in (
        ({"refs": "second"}, rf"{engine.place}{null}", rf"\.parquet, from row 1 on: .*{null}"),
        ({"refs": "id"}, WRONG_TYPE, WRONG_TYPE),
        ({"refs": "nowhere"}, NO_COLUMN, NO_COLUMN),
        ({"by": "nowhere"}, NO_COLUMN, NO_COLUMN),
    ):
        for source, pattern in ((data, message), (folder, in_file)):
            with pytest.raises(tb.InputError, match=pattern) as caught:
                engine.door.corpus(source, **arguments)
            assert type(caught.value) is tb.InputError
            assert "\n" not in str(caught.value)


def test_errors_of_a_lazy_column(engine, data):
    with pytest.raises(Exception, match=r"InputError: .*refs in 'second': refs.* has no reference"):
        engine.rows(engine.door.with_scores(data, refs="second"))
    with pytest.raises(tb.InputError, match="there is a column 'doc' already"):
        engine.door.with_scores(data, column="doc")
    with pytest.raises(tb.InputError, match="read the files"):
        engine.door.with_scores("outputs")


def test_no_rows_are_an_error_and_no_groups_an_empty_dictionary(engine, folder):
    for nothing in (engine.nothing(), folder / "000.parquet"):
        with pytest.raises(tb.InputError, match="there are no rows"):
            engine.door.corpus(nothing)
        assert engine.door.corpus(nothing, by="lang") == {}


@pytest.mark.usefixtures("_small_tasks")
def test_files_score_and_compare_as_in_memory(engine, folder):
    assert engine.door.corpus(folder) == METRIC.corpus(HYPS, REFS)
    by_language = engine.door.corpus(str(folder / "*.parquet"), by="lang")
    assert by_language == grouped(METRIC, "hyp", "ref", "lang")
    expected = tb.TER().corpus(HYPS, TABLE["refs"].to_pylist())
    assert engine.door.corpus(folder.as_uri(), refs="refs", metric=tb.TER()) == expected
    systems = {"hyp": HYPS, "other": OTHERS}
    result = engine.door.compare(sorted(folder.iterdir()), "hyp", "other", resamples=300)
    assert result == tb.compare(systems, REFS, resamples=300, robustness=False)


def test_a_broken_file_is_named(engine, folder, tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes((folder / "001.parquet").read_bytes()[:-50])
    with pytest.raises(tb.InputError, match=r"broken\.parquet: damaged or huge: "):
        engine.door.corpus([folder, path])


def test_examples_on_the_page(engine, tmp_path):
    pq.write_table(TABLE, tmp_path / "part.parquet")
    files = {"outputs/": str(tmp_path)}
    if isinstance(engine, Ray):
        made = run_blocks("distributed.md", "Ray", files)
    else:
        made = run_blocks("distributed.md", "Spark", files)
    assert made["score"] == METRIC.corpus(HYPS, REFS)
    assert made["by_language"] == grouped(METRIC, "hyp", "ref", "lang")
    assert made["best"] == (METRIC.sentences(HYPS, REFS) > 40).sum()
    systems = {"hyp": HYPS, "other": OTHERS}
    assert made["comparison"] == tb.compare(systems, REFS, documents=DOCS, robustness=False)


def test_many_groups_are_added_by_the_engine(engine, data, monkeypatch):
    monkeypatch.setattr(on_ray, "_ROWS_ADDED_HERE", 3)
    assert engine.door.corpus(data, by="doc") == grouped(METRIC, "hyp", "ref", "doc")

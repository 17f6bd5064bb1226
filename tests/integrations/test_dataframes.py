# SPDX-License-Identifier: Apache-2.0
"""Scores in Polars, pandas and DuckDB are those in memory, and text is read where it is."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_texts import METRIC, TABLE, grouped
from support.example_texts import HYPS, REFS

import truebleu as tb
from truebleu.integrations import duckdb as in_duckdb
from truebleu.integrations import pandas, polars  # noqa: F401  # accessors

METRICS = [METRIC, tb.BLEU("nltk-method1"), tb.CHRF(), tb.TER()]
SEVERAL = ["refs", ["ref", "second"]]
REFS_OF_EACH = TABLE["refs"].to_pylist()

each_metric = pytest.mark.parametrize("metric", METRICS, ids=repr)
each_refs = pytest.mark.parametrize("refs", SEVERAL, ids=str)


def values(scores):
    return {key: score.value for key, score in scores.items()}


# Polars.

FRAME = pl.from_arrow(TABLE)
COLLECTORS = {
    "eager": lambda frame, make: make(frame),
    "lazy": lambda frame, make: make(frame.lazy()).collect(),
    "streaming": lambda frame, make: make(frame.lazy()).collect(engine="streaming"),
}
each_collector = pytest.mark.parametrize("collect", COLLECTORS.values(), ids=COLLECTORS)


@each_collector
@each_metric
def test_polars_groups_score_as_in_memory(metric, collect):
    score = pl.col("hyp").bleu.score(pl.col("ref"), metric=metric)
    result = collect(FRAME, lambda frame: frame.group_by("lang").agg(score))
    assert dict(result.iter_rows()) == values(grouped(metric, "hyp", "ref", "lang"))
    whole = collect(FRAME, lambda frame: frame.select(score))
    assert whole.item() == metric.corpus(HYPS, REFS).value


@each_refs
@each_collector
def test_polars_takes_several_references(refs, collect):
    score = pl.col("hyp").bleu.score(refs)
    result = collect(FRAME, lambda frame: frame.group_by("lang").agg(score))
    assert dict(result.iter_rows()) == values(grouped(METRIC, "hyp", "refs", "lang"))
    sentences = collect(FRAME, lambda frame: frame.select(pl.col("hyp").bleu.sentences(refs)))
    expected = METRIC.sentences(HYPS, REFS_OF_EACH).tolist()
    assert sentences.to_series().to_list() == expected


@each_metric
def test_polars_segments_and_statistics(metric):
    column = pl.col("hyp").bleu
    result = FRAME.select(scores=column.sentences("ref", metric=metric), stats=column.stats("ref", metric=metric))
    assert result["scores"].to_list() == metric.sentences(HYPS, REFS).tolist()
    assert result["stats"].struct.unnest().rows() == list(metric.stats(HYPS, REFS))


def test_polars_scores_over_a_window_and_of_nothing():
    score = pl.col("hyp").bleu.score("ref")
    result = FRAME.select("lang", over=score.over("lang"))
    expected = values(grouped(METRIC, "hyp", "ref", "lang"))
    assert all(expected[lang] == value for lang, value in result.iter_rows())
    nothing = FRAME.clear()
    assert nothing.select(score).item() is None
    assert nothing.select(pl.col("hyp").bleu.sentences("ref")).to_series().to_list() == []
    assert nothing.select(pl.col("hyp").bleu.stats("ref")).height == 0
    assert nothing.group_by("lang").agg(score).height == 0


def test_polars_reads_words_and_ids():
    frame = pl.DataFrame({"hyp": [["a", "b"], ["c"]], "ref": [["a", "b"], ["d"]]})
    expected = METRIC.sentences(frame["hyp"].to_list(), frame["ref"].to_list()).tolist()
    result = frame.select(pl.col("hyp").bleu.sentences("ref")).to_series().to_list()
    assert result == expected
    with pytest.raises(tb.InputError, match="column 'ref' has the type List"):
        frame.select(pl.col("hyp").bleu.sentences(["ref", "ref"]))


def addresses(series):
    """Where the bytes of long strings lie."""
    array = pa.chunked_array(series).combine_chunks()
    return [buffer.address for buffer in array.buffers()[2:] if buffer]


def test_polars_text_stays_where_it_is(monkeypatch):
    columns = []

    def stats(metric, hyps, refs):
        columns.extend([hyps, refs])
        return counted(metric, hyps, refs)

    counted = tb.BLEU.stats
    monkeypatch.setattr(tb.BLEU, "stats", stats)
    frame = FRAME.rechunk()
    frame.group_by("lang").agg(pl.col("hyp").bleu.score("ref"))
    assert addresses(frame["hyp"])
    assert list(map(addresses, columns)) == [addresses(frame[name]) for name in ("hyp", "ref")]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (lambda c: c.bleu.score("second"), "in column 'hyp' and refs in 'second': refs.0. has no reference"),
        (lambda c: c.bleu.sentences("second"), "'hyp' and refs in 'second': refs.0. has no reference"),
        (lambda c: c.bleu.score("id"), "hyps in column 'hyp' and refs in 'id': .*Int64; cast it"),
        (lambda c: c.bleu.score(["ref", "id"]), "column 'id' has the type Int64; of several"),
    ],
)
def test_polars_names_column_and_row(expression, message):
    with pytest.raises(tb.InputError, match=message):
        FRAME.select(expression(pl.col("hyp")))


TEXT = st.text(max_size=12)


@given(st.lists(st.tuples(TEXT, TEXT, st.integers(0, 3)), min_size=1, max_size=12))
def test_any_text_in_any_group(rows):
    hyps, refs, groups = map(list, zip(*rows, strict=True))
    expected = {
        group: METRIC.corpus(*zip(*[(h, r) for h, r, g in rows if g == group], strict=True)).value
        for group in set(groups)
    }
    frame = pl.DataFrame({"hyp": hyps, "ref": refs, "group": groups})
    result = frame.group_by("group").agg(pl.col("hyp").bleu.score("ref"))
    assert dict(result.iter_rows()) == expected
    assert frame.to_pandas().bleu.corpus(by="group")["score"].to_dict() == expected


# pandas.

DTYPES = ["object", "str", "string[python]", "string[pyarrow]", "category",
          pd.ArrowDtype(pa.string()),
          pd.ArrowDtype(pa.dictionary(pa.int16(), pa.string()))]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pandas_columns_of_any_kind(dtype):
    frame = TABLE.to_pandas().astype({"hyp": dtype, "ref": dtype})
    frame.index = range(100, 100 + len(frame))
    assert frame.bleu.corpus() == METRIC.corpus(HYPS, REFS)
    assert frame.bleu.sentences().tolist() == METRIC.sentences(HYPS, REFS).tolist()
    assert frame.bleu.sentences().index.equals(frame.index)
    assert list(frame.bleu.stats().itertuples(index=False, name=None)) == list(METRIC.stats(HYPS, REFS))
    scores = grouped(METRIC, "hyp", "ref", "lang")
    result = frame.bleu.corpus(by="lang")
    by_lang = {None if pd.isna(key) else key: value for key, value in result["score"].items()}
    assert by_lang == values(scores)
    assert set(result["signature"]) == {METRIC.corpus(HYPS, REFS).signature}
    assert result["segments"].sum() == len(HYPS)


@each_refs
@each_metric
@pytest.mark.parametrize("in_arrow", [False, True])
def test_pandas_several_references(refs, metric, in_arrow):
    frame = TABLE.to_pandas(types_mapper=pd.ArrowDtype if in_arrow else None)
    assert frame.bleu.corpus(refs=refs, metric=metric) == metric.corpus(HYPS, REFS_OF_EACH)
    result = frame.bleu.corpus(refs=refs, metric=metric, by=["doc", "lang"])
    assert len(result) > 10
    by_doc = frame.bleu.corpus(refs=refs, metric=metric, by="doc")
    scores = grouped(metric, "hyp", "refs", "doc")
    assert by_doc["score"].to_dict() == values(scores)
    assert by_doc["signature"].tolist() == [score.signature for score in scores.values()]


def test_pandas_text_in_arrow_stays_where_it_is(monkeypatch):
    columns = []
    monkeypatch.setattr(tb.BLEU, "corpus", lambda metric, hyps, refs: columns.extend([hyps, refs]))
    frame = TABLE.to_pandas(types_mapper=pd.ArrowDtype)
    frame.bleu.corpus()
    for name, column in zip(("hyp", "ref"), columns, strict=True):
        before, after = (one.chunk(0).buffers()[2].address for one in (TABLE[name], column))
        assert before == after


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"refs": "second"}, r"in column 'hyp' and refs in 'second': refs\[0\] has no reference"),
        ({"refs": "id"}, r"hyps in column 'hyp' and refs in 'id': refs\[0\] is of type int"),
        ({"hyp": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        ({"by": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        ({"refs": ["second", "second"]}, r"refs\[0\] has no reference"),
        ({"hyp": 7}, "there is no column 7; there are id, hyp, "),
        ({"hyp": {"hyp": 1}}, r"there is no column {'hyp': 1}; there are id"),
        ({"hyp": None}, "there is no column None; there are id"),
        ({"refs": []}, r"\[\] names no column; give at least one"),
        ({"by": []}, r"\[\] names no column; give at least one"),
    ],
)
def test_pandas_names_column_and_row(arguments, message):
    frame = TABLE.to_pandas()
    frame.index = ["a", *frame.index[1:]]
    with pytest.raises(tb.InputError, match=message):
        frame.bleu.corpus(**arguments)


def test_pandas_columns_may_have_numbers_and_tuples_for_names():
    frame = TABLE.select(["hyp", "ref", "lang"]).to_pandas()
    expected = frame.bleu.corpus(by="lang")["score"].tolist()
    for labels in ([0, 1, 2], [("a", "hyp"), ("a", "ref"), ("b", "lang")]):
        frame.columns = pd.MultiIndex.from_tuples(labels) if isinstance(labels[0], tuple) else labels
        hyp, ref, lang = labels
        assert frame.bleu.corpus(hyp, ref) == METRIC.corpus(HYPS, REFS)
        assert frame.bleu.corpus(hyp, ref, by=lang)["score"].tolist() == expected
        assert frame.bleu.sentences(hyp, [ref]).tolist() == METRIC.sentences(HYPS, REFS).tolist()
    with pytest.raises(tb.InputError, match="there is no column 'hyp'"):
        frame.bleu.corpus()


def test_pandas_columns_with_one_name_are_refused():
    frame = TABLE.select(["hyp", "ref", "second", "lang"]).to_pandas()
    frame.columns = ["hyp", "ref", "ref", "lang"]
    for call in (frame.bleu.corpus, frame.bleu.sentences, frame.bleu.stats):
        with pytest.raises(tb.InputError, match="2 columns have the name 'ref'; rename them"):
            call()


# DuckDB.


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        connection.register("texts", TABLE)
        yield connection


@pytest.mark.parametrize("batch_size", [1, 7, 100_000])
def test_duckdb_scores_as_in_memory(connection, batch_size):
    relation = connection.table("texts")
    score = METRIC.corpus(HYPS, REFS)
    result = in_duckdb.corpus(relation, batch_size=batch_size)
    assert result.columns == ["score", "segments", "signature"]
    assert result.fetchall() == [(score.value, len(HYPS), score.signature)]
    groups = in_duckdb.corpus(relation, by="lang", batch_size=batch_size)
    expected = values(grouped(METRIC, "hyp", "ref", "lang"))
    assert dict(groups.project("lang, score").fetchall()) == expected
    # The result is a relation of the same connection.
    assert groups.set_alias("g").join(relation.set_alias("t"), "lang").count("*").fetchall()


@each_refs
@each_metric
def test_duckdb_several_references_and_segments(connection, metric, refs):
    relation = connection.table("texts")
    result = in_duckdb.corpus(relation, refs=refs, metric=metric).fetchall()
    score = metric.corpus(HYPS, REFS_OF_EACH)
    assert result == [(score.value, len(HYPS), score.signature)]
    scored = in_duckdb.with_scores(relation, refs=refs, metric=metric, connection=connection)
    assert scored.columns == [*TABLE.column_names, "bleu"]
    expected = list(enumerate(metric.sentences(HYPS, REFS_OF_EACH).tolist()))
    for _ in range(2):  # a relation can be read again
        assert sorted(scored.project("id, bleu").fetchall()) == expected


def test_duckdb_mistakes_name_column_and_row(connection):
    relation = connection.table("texts")
    for arguments, message in (
        ({"refs": "second"}, r"the relation, from row 1 on: .* in 'second': refs\[\d\] has no reference"),
        ({"refs": "id"}, "hyps in column 'hyp' and refs in 'id': refs has the Arrow type Int64"),
        ({"refs": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
        ({"by": "nowhere"}, "there is no column 'nowhere'; there are id, hyp, "),
    ):
        with pytest.raises(tb.InputError, match=message):
            in_duckdb.corpus(relation, **arguments)
    nothing = relation.filter("id < 0")
    with pytest.raises(tb.InputError, match="there are no rows"):
        in_duckdb.corpus(nothing)
    assert in_duckdb.corpus(nothing, by="lang").fetchall() == []
    with pytest.raises(tb.InputError, match="there is a column 'doc' already"):
        in_duckdb.with_scores(relation, column="doc", connection=connection)
    with pytest.raises(tb.InputError, match="has another connection; set connection="):
        in_duckdb.with_scores(relation)
    scored = in_duckdb.with_scores(relation, refs="second", connection=connection)
    with pytest.raises(duckdb.Error, match="InputError: with hyps in column 'hyp' and refs in"):
        scored.fetchall()

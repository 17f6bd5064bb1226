# SPDX-License-Identifier: Apache-2.0
"""From Arrow batch to Arrow batch: however rows are cut and grouped, sums give the same score."""

import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_texts import DOCS, METRIC, OTHERS, TABLE, grouped, parts
from support.example_texts import HYPS, REFS
from support.page_blocks import run_blocks

import truebleu as tb
from truebleu.integrations import engine
from truebleu.integrations.batches import Batches

METRICS = [METRIC, tb.BLEU("nltk", max_ngram_order=2), tb.CHRF(word_order=2), tb.TER()]
REFERENCES = [["ref"], ["refs"], ["ref", "second"]]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=repr)
each_refs = pytest.mark.parametrize("refs", REFERENCES, ids=str)


def in_memory(refs):
    return REFS if refs == ["ref"] else TABLE["refs"].to_pylist()


@each_metric
@each_refs
@pytest.mark.parametrize("rows", [1, 7])
def test_batches_of_any_size_give_the_whole(metric, refs, rows):
    batches = Batches(metric, ["hyp"], refs)
    expected = metric.corpus(HYPS, in_memory(refs))
    for count in (batches.partial, batches.rows):
        sums = pa.concat_tables(map(count, parts(rows=rows)))
        assert batches.scores(sums) == expected
    by = Batches(metric, ["hyp"], refs, ["lang"])
    column = "ref" if refs == ["ref"] else "refs"
    for count in (by.partial, by.rows):
        sums = pa.concat_tables(map(count, parts(rows=rows)))
        assert by.scores(sums) == grouped(metric, "hyp", column, "lang")


TEXT = st.text(max_size=10)
ROW = st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3), st.integers(0, 2) | st.none())


@given(st.lists(ROW, min_size=1, max_size=15), st.integers(1, 5), st.sampled_from(METRICS))
def test_any_text_in_any_group_and_batch(rows, step, metric):
    hyps, refs, keys = map(list, zip(*rows, strict=True))
    table = pa.table({"h": hyps, "r": refs, "k": pa.array(keys, pa.int64())})
    cut = [table.slice(start, step) for start in range(0, len(rows), step)]
    whole, by = Batches(metric, ["h"], ["r"]), Batches(metric, ["h"], ["r"], ["k"])
    assert whole.scores(pa.concat_tables(map(whole.partial, cut))) == metric.corpus(hyps, refs)
    assert by.scores(pa.concat_tables(map(by.partial, cut))) == {
        key: metric.corpus(*zip(*[(h, r) for h, r, k in rows if k == key], strict=True)) for key in keys
    }
    scored = pa.concat_tables(whole.scored(part, "s", stats=True) for part in cut)
    assert scored["s"].to_pylist() == metric.sentences(hyps, refs).tolist()
    names = whole.score_columns("s", stats=True)[1:]
    counted = zip(*(scored[name].to_pylist() for name in names), strict=True)
    assert list(counted) == list(metric.stats(hyps, refs))


def kinds():
    words = [hyp.split() for hyp in HYPS]
    ids = [[len(word) for word in row] for row in words]
    yield "words", pa.array(words), pa.array(words[1:] + words[:1])
    yield "several words", pa.array(words), pa.array([[row, row[1:]] for row in words])
    yield "ids", pa.array(ids), pa.array(ids[1:] + ids[:1])
    yield "32-bit ids", pa.array(ids, pa.list_(pa.int32())), pa.array(ids, pa.list_(pa.int32()))


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind[0])
def test_columns_of_any_type_score_as_lists(kind):
    _, hyps, refs = kind
    table = pa.table({"hyp": hyps, "ref": refs, "lang": TABLE["lang"]})
    batches = Batches(METRIC, ["hyp"], ["ref"])
    expected = METRIC.corpus(hyps.to_pylist(), refs.to_pylist())
    for count in (batches.partial, batches.rows):
        sums = pa.concat_tables(count(table.slice(start, 5)) for start in range(0, len(HYPS), 5))
        assert batches.scores(sums) == expected
    chunks = pa.concat_tables([table.slice(0, 9), table.slice(9, 30), table.slice(39)])
    assert batches.scores(batches.rows(chunks)) == expected


def test_what_is_sent_to_a_worker_is_small_and_uses_one_thread():
    for metric in METRICS:
        batches = Batches(metric, ["hyp"], ["ref"], ["lang"])
        data = pickle.dumps(batches)
        assert len(data) < 2_000
        there = pickle.loads(data)  # noqa: S301
        assert there.metric.threads == 1
        assert there.metric.signature == metric.signature
        assert there.partial(TABLE).equals(batches.partial(TABLE))


class Local:
    """An engine that is this process."""

    def sums(self, batches):
        return self.rows(batches, batches.partial)

    def rows(self, _batches, count):
        return pa.concat_tables(map(count, parts(rows=9)))


@each_metric
@pytest.mark.parametrize("documents", [None, "doc"])
def test_an_engine_scores_and_compares_as_in_memory(metric, documents):
    batches = Batches(metric, ["hyp"], "ref", documents)
    expected = grouped(metric, "hyp", "ref", "doc") if documents else metric.corpus(HYPS, REFS)
    assert engine.score(Local(), batches) == expected
    options = {"resamples": 200, "seed": 7, "test": "bootstrap"}
    arguments = ("hyp", "other", "ref", documents, "sacrebleu", metric, options)
    labels = DOCS if documents else None
    systems = {"hyp": HYPS, "other": OTHERS}
    expected = tb.compare(systems, REFS, metric=metric, documents=labels, robustness=False, **options)
    assert engine.compare(Local(), *arguments) == expected


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        (RuntimeError("a\ntruebleu.errors.InputError: row 1: b\nc"), tb.InputError, "row 1: b"),
        (RuntimeError("x truebleu.errors.OptionError: no"), tb.OptionError, "no"),
        (tb.InputError("plain"), tb.InputError, "plain"),
        (RuntimeError("out of memory"), RuntimeError, "out of memory"),
    ],
)  # fmt: skip
def test_an_error_of_a_worker_is_raised_here(raised, kind, message):
    with pytest.raises(kind, match=f"^{message}$"), engine.worker_errors():
        raise raised


ROWS = {"hyp": ["a", "b", "c"], "ref": ["x", "y", "z"]}


@pytest.mark.parametrize(
    ("columns", "refs", "message"),
    [
        ({"hyp": ["a", None, "c"]}, ["ref"], r"hyps in column 'hyp' and .*: hyps\[1\] is missing"),
        ({"ref": ["x", "y", None]}, ["ref"], r"hyp' and refs in 'ref': refs\[2\] has no reference"),
        ({"ref": [["x"], None, ["z"]]}, ["ref"], r"refs in 'ref': refs\[1\] is null"),
        ({"ref": [["x"], ["y"], []]}, ["ref"], r"refs in 'ref': refs\[2\] has no reference"),
        ({"ref": [["x"], [None], ["z"]]}, ["ref"], r"refs in 'ref': refs\[1\] has no reference"),
        ({"more": [None] * 3, "ref": ["x", None, "z"]}, ["ref", "more"], r"refs\[1\] has no ref"),
        ({"hyp": [1.0, 2.0, 3.0]}, ["ref"], "'hyp' and .*: hyps has the Arrow type Float64"),
        ({"hyp": [1, 2, 3]}, ["ref"], "'hyp' and .*: hyps has the Arrow type Int64; cast it"),
        ({"hyp": [[["a"]]] * 3}, ["ref"], "'hyp' and .*: hyps are nested too deep"),
        ({"ref": [1, 2, 3]}, ["ref"], "in 'ref': refs has the Arrow type Int64"),
        ({"ref": [[["x"]]] * 3}, ["ref"], "in 'ref': refs are nested too deep"),
        ({"more": [["x"]] * 3}, ["ref", "more"], "column 'more' has the type list.*; of several"),
        ({}, ["nowhere"], "there is no column 'nowhere'; there are hyp, ref"),
    ],
)
def test_a_mistake_names_column_and_row(columns, refs, message):
    batches = Batches(METRIC, ["hyp"], refs)
    table = pa.table(ROWS | columns)
    for count in (batches.partial, batches.rows):
        with pytest.raises(tb.InputError, match=message) as caught:
            count(table)
        assert "\n" not in str(caught.value)
    with pytest.raises(tb.InputError, match=message):
        batches.scored(table, "bleu", stats=False)


def test_examples_on_the_page(tmp_path):
    pq.write_table(TABLE, tmp_path / "part.parquet")
    made = run_blocks("distributed.md", "Other engines", {"outputs/": str(tmp_path)})
    assert made["by_language"] == grouped(METRIC, "hyp", "ref", "lang")

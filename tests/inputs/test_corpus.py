# SPDX-License-Identifier: Apache-2.0
"""Whatever holds the texts, the score is the same; a mistake is an error that names it."""

import sys
import tracemalloc
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.corpora import CHUNK, present
from support.example_texts import HYPS, METRIC, RAGGED, REFS, TWO_REFS, WHOLE, WHOLE_OF_TWO

import truebleu as tb
from truebleu import BLEU, CHRF, TER, InputError, corpus_bleu, streams

MANY_HYPS = [f"a b c {i % 7} d" for i in range(CHUNK + 1)]
MANY_REFS = [f"a b c {i % 5} d" for i in range(CHUNK + 1)]
ONE = BLEU(threads=1)
THREE = ["a", "b", "c"]


#: NumPy's type of strings, which it has from 2.0 on.
STRINGS = np.dtypes.StringDType() if hasattr(np.dtypes, "StringDType") else object

COLUMNS = {
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy U": np.array,
    "list of numpy": lambda values: list(np.array(values)),  # of a subclass of str
    "numpy strings": lambda values: np.array(values, dtype=STRINGS),
    "numpy strided": lambda values: np.repeat(np.array(values), 2)[::2],
    "pandas": lambda values: pd.Series(values, dtype=object, index=range(len(values), 0, -1)),
    "pandas strings": lambda values: pd.Series(values, dtype="string"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "Arrow chunks sliced": lambda values: pa.chunked_array([["before", *values[:3]], values[3:]])[1:],
    "Arrow table": lambda values: pa.table({"text": values}),
    "Arrow batch": lambda values: pa.record_batch({"text": pa.array(values)}),
    "polars sliced": lambda values: pl.Series(["before", *values])[1:],
    "polars frame": lambda values: pl.DataFrame({"text": values}),
}


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_scores_as_a_list(make):
    assert METRIC.corpus(make(HYPS), make(REFS)) == WHOLE
    assert METRIC.corpus(make(HYPS), REFS) == WHOLE
    assert METRIC.corpus(HYPS, make(REFS)) == WHOLE
    assert METRIC.stats(make(HYPS), make(REFS)) == METRIC.stats(HYPS, REFS)
    by_function = BLEU(tokenize=str.split)
    assert by_function.corpus(make(HYPS), make(REFS)) == by_function.corpus(HYPS, REFS)


@pytest.mark.parametrize("dtype", [object, pd.StringDtype("python")], ids=str)
def test_columns_of_pandas_do_not_need_pyarrow(dtype, monkeypatch):
    hyps, refs = pd.Series(HYPS, dtype=dtype), pd.Series(REFS, dtype=dtype)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert METRIC.corpus(hyps, refs) == WHOLE


def chunked_lists(values):
    kind = pa.large_list(pa.large_string())
    return pa.chunked_array([values[:5], [], values[5:]], type=kind)


#: More of Arrow: test_kinds_of_columns.py.
LIST_COLUMNS = {
    "lists": lambda values: [list(value) for value in values],
    "tuples": lambda values: tuple(tuple(value) for value in values),
    "generator": lambda values: (list(value) for value in values),
    "numpy of lists": lambda values: pd.Series([list(v) for v in values]).to_numpy(),
    "pandas of lists": lambda values: pd.Series([list(value) for value in values]),
    "list of arrays": lambda values: [np.array(value, dtype=object) for value in values],
    "Arrow chunks": chunked_lists,
    "polars": lambda values: pl.Series([list(value) for value in values]),
}


@pytest.mark.parametrize("make", LIST_COLUMNS.values(), ids=LIST_COLUMNS)
@pytest.mark.parametrize("refs", [TWO_REFS, RAGGED], ids=["two", "ragged"])
def test_any_column_of_references_scores_as_a_list(make, refs):
    assert METRIC.corpus(HYPS, make(refs)) == METRIC.corpus(HYPS, refs)


@pytest.mark.parametrize("dtype", ["U", object, STRINGS])
def test_a_table_of_numpy_has_a_row_of_references_for_each_segment(dtype):
    assert METRIC.corpus(HYPS, np.array(TWO_REFS, dtype=dtype)) == WHOLE_OF_TWO


def test_a_null_among_references_is_an_absent_one():
    refs = [[a, None] if i % 2 else [None, b, a] for i, (a, b) in enumerate(TWO_REFS)]
    expected = METRIC.corpus(HYPS, present(refs))
    for make in (list, pa.array, chunked_lists, pl.Series, pd.Series):
        assert METRIC.corpus(HYPS, make(refs)) == expected


def test_streams_are_the_transposed_references():
    two = list(zip(*TWO_REFS, strict=True))
    assert METRIC.corpus(HYPS, streams(*two)) == WHOLE_OF_TWO
    assert METRIC.corpus(HYPS, streams(pa.array(two[0]), np.array(two[1]))) == WHOLE_OF_TWO


TWO = ["a", "b"]
FAULTS = [
    (["a", item, "b"], THREE, r"hyps\[1\]")
    for item in (None, 3.5, float("nan"), 7, b"bytes", ["word"], object())
] + [
    (THREE, ["a", "b", 7], r"refs\[2\]"), (TWO, [["a"], ["a", "b", b"bytes"]], r"refs\[1\]\[2\]"),
    (TWO, [["a"], ["a", "b", 3.5]], r"refs\[1\]\[2\]"), ([b"bytes", "a"], TWO, r"hyps\[0\]"),
    ([b"a\nb"], [b"\xff"], "bytes"), (np.arange(2), TWO, "hyps"), (pa.array([1, 2]), TWO, "hyps"),
    (pl.Series([1, 2]), TWO, "hyps"), ([1, 2], TWO, "hyps"),
    *((column, TWO, r"hyps\[1\]") for column in (
        pd.Series(["a", None]), pd.Series(["a", None], dtype="string"),
        np.array(["a", np.nan], dtype=object), pa.array(["a", None]),
        pa.chunked_array([["a"], [None]]), pa.array(["before", "a", None])[1:],
        pl.Series(["a", None]))),
    *((TWO, make(["a", None]), r"refs\[1\]") for make in (list, pa.array, pl.Series, pd.Series)),
    (TWO, [["a"], [None]], r"refs\[1\]"), (TWO, [["a"], []], r"refs\[1\]"),
    (TWO, [["a"], [None, None]], r"refs\[1\]"),
    (TWO, streams(["a", None], ["b", None]), r"refs\[1\]"), (TWO, ["a", ["b"]], r"refs\[1\]"),
    (TWO, [["a"], "b"], r"refs\[1\]"), ([["a"], ["b"]], TWO, "tokenize"), ("abc", THREE, "hyps"),
    (THREE, "abc", "refs"), (3, THREE, "hyps"), (THREE, None, "refs"),
    (pd.DataFrame({"a": ["b"]}), ["a"], "hyps is a DataFrame; give one column of it"),
]  # fmt: skip


@pytest.mark.parametrize(("hyps", "refs", "message"), FAULTS, ids=range(len(FAULTS)))
def test_what_is_not_text_is_named_by_its_place(hyps, refs, message):
    with pytest.raises(InputError, match=message):
        corpus_bleu(hyps, refs)
    with pytest.raises(InputError):
        corpus_bleu(hyps, refs, tokenize=str.split)


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC80, 0xDFFF])
def test_a_lone_surrogate_is_named(code):
    bad = f"b {chr(code)} c"
    expected = rf"\[1\] holds the lone surrogate U\+{code:04X}"
    for tokenize in ("13a", "none", "intl", "zh", "char", str.split):
        with pytest.raises(InputError, match="hyps" + expected):
            corpus_bleu(["a", bad], ["a", "b"], tokenize=tokenize)
        with pytest.raises(InputError, match="refs" + expected):
            corpus_bleu(["a", "b"], ["a", bad], tokenize=tokenize)
        with pytest.raises(InputError, match="refs" + expected):
            corpus_bleu(["a", "b"], [["a"], ["b", bad]], tokenize=tokenize, lowercase=True)


@pytest.mark.parametrize(
    "column",
    [
        [],
        iter([]),
        np.array([]),
        pd.Series([]),
        pa.array([], pa.string()),
        pa.chunked_array([], pa.string()),
        pl.Series([], dtype=pl.String),
        pl.Series([]),
    ],
    ids=["list", "iterator", "numpy", "pandas", "array", "chunks", "polars", "polars without a type"],
)
def test_nothing_counts_nothing_and_has_no_score(column):
    metric = BLEU()
    assert len(metric.stats(column, column)) == len(metric.sentences(column, column)) == 0
    accumulator = metric.accumulator()
    accumulator.update(column, column)
    assert accumulator.segments == 0
    with pytest.raises(InputError, match="hyps is empty"):
        metric.corpus(column, column)


NAN = float("nan")


#: Absent values.
ABSENT = (
    None, NAN, np.float16(NAN), np.float32(NAN), np.float64(NAN), np.longdouble(NAN), np.datetime64("NaT"), pd.NaT,
    pd.NA, np.ma.masked,
)  # fmt: skip


@pytest.mark.parametrize("missing", ABSENT, ids=repr)
@pytest.mark.parametrize("tokenize", ["13a", str.split])
def test_a_missing_reference_is_absent(missing, tokenize):
    metric = BLEU(tokenize=tokenize)
    refs = [[missing, "a b c d"], ["a b", missing], ["e f g h", "e f"]]
    expected = metric.corpus(HYPS[:3], [["a b c d"], ["a b"], ["e f g h", "e f"]])
    assert metric.corpus(HYPS[:3], refs) == expected
    # pandas writes NumPy's mask as "--" in columns of strings.
    for dtype in (object, "string", "category")[: 1 if missing is np.ma.masked else 3]:
        columns = [pd.Series(column, dtype=dtype) for column in zip(*refs, strict=True)]
        assert metric.corpus(HYPS[:3], streams(*columns)) == expected
    with pytest.raises(InputError, match=r"hyps\[1\]"):
        metric.corpus(["a", missing], ["a", "b"])


@pytest.mark.parametrize(("indices", "kind"), [(None, None), ([1, 0, 2], None), (None, "numpy")])
def test_a_column_of_datasets_is_read_at_once(indices, kind):
    class Column:
        __module__ = "datasets.arrow_dataset"
        column_name = "hyp"
        rows = indices and pa.table({"indices": indices})
        source = SimpleNamespace(_indices=rows, format={"type": kind}, data=pa.table({"hyp": HYPS}))

        def __getitem__(self, rows):
            assert kind, "Arrow data are faster"
            return HYPS[rows]

    hyps = [HYPS[i] for i in indices or range(len(HYPS))]
    assert BLEU().stats(Column(), hyps) == BLEU().stats(hyps, hyps)


@pytest.mark.parametrize("metric", [ONE, BLEU(tokenize=str.split), CHRF(), TER()], ids=repr)
def test_an_iterator_is_as_good_as_a_list(metric):
    expected = metric.corpus(MANY_HYPS, MANY_REFS)
    for hyps, refs in [(iter(MANY_HYPS), iter(MANY_REFS)), (iter(MANY_HYPS), MANY_REFS), (MANY_HYPS, iter(MANY_REFS))]:
        assert metric.corpus(hyps, refs) == expected
    scores = metric.sentences(MANY_HYPS, MANY_REFS)
    assert metric.sentences(iter(MANY_HYPS), iter(MANY_REFS)).tobytes() == scores.tobytes()
    accumulator = metric.accumulator()
    accumulator.update(iter(MANY_HYPS), iter(MANY_REFS))
    assert accumulator.segments == len(MANY_HYPS)
    assert accumulator.compute() == expected


@pytest.mark.parametrize(
    "items",
    [
        [np.array(["a", "b"])] * 3,
        [[]] * 40 + [["a", "b"]],
        [[]] * 40 + [[5, 6]],
        [["a", "b"], []] * 20,
        [np.array([5, 6, 7])] * 3,
    ],
    ids=["arrays", "empty lists first", "empty rows first", "empty lists", "rows"],
)
def test_an_iterator_holds_any_kind_of_item(items):
    refs = [[item] for item in items]
    assert ONE.corpus(iter(items), iter(items)) == ONE.corpus(items, items)
    assert ONE.corpus(iter(items), iter(refs)) == ONE.corpus(items, refs)


def test_scored_texts_are_released():
    def made(count):
        return (f"{i} " * 60 for i in range(count))

    peaks = []
    for count in (2 * CHUNK, 8 * CHUNK):
        tracemalloc.start()
        assert ONE.corpus(made(count), made(count)).value == pytest.approx(100)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


@pytest.mark.parametrize(
    ("hyps", "refs", "group", "message"),
    [
        (5, 3, 1, "hyps has 5 segments, refs has 3$"),
        (3, 5, 1, "hyps has 3 segments, refs has 5$"),
        (CHUNK + 1, 3, 1, f"hyps has {CHUNK} or more segments, refs has 3$"),
        (3, CHUNK + 1, 1, f"hyps has 3 segments, refs has {CHUNK} or more$"),
        (CHUNK, CHUNK + 1, 1, f"hyps has {CHUNK} segments, refs has {CHUNK + 1}$"),
        (CHUNK + 1, CHUNK, 1, f"hyps has {CHUNK + 1} segments, refs has {CHUNK}$"),
        (5, 2, 2, "hyps has 5 segments, refs has 2 for groups of 2$"),
        (0, 3, 1, "hyps has 0 segments, refs has 3$"),
    ],
)
def test_columns_of_unequal_length(hyps, refs, group, message):
    with pytest.raises(InputError, match=message):
        ONE.corpus(iter(MANY_HYPS[:hyps]), iter(MANY_REFS[:refs]), group=group)
    known = [(MANY_HYPS[:hyps], iter(MANY_REFS[:refs])), (iter(MANY_HYPS[:hyps]), MANY_REFS[:refs])]
    kinds = (np.array, pd.Series, pa.array, pl.Series)
    known += [(make(MANY_HYPS[:hyps]), make(MANY_REFS[:refs])) for make in kinds]
    for columns, metric in product(known, (ONE, BLEU(tokenize=str.split))):
        with pytest.raises(InputError, match=r"hyps (has|is)"):
            metric.corpus(*columns, group=group)


@pytest.mark.parametrize("at", [0, 5, CHUNK])
def test_what_a_generator_raises_is_what_the_caller_sees(at):
    def broken(items):
        for i, item in enumerate(items):
            if i == at:
                raise TypeError("mine")
            yield item

    for hyps, refs in [(broken(MANY_HYPS), iter(MANY_REFS)), (MANY_HYPS, broken(MANY_REFS))]:
        with pytest.raises(TypeError, match="mine"):
            ONE.corpus(hyps, refs)
    for call in (tb.self_bleu, tb.pairwise):
        with pytest.raises(TypeError, match="mine"):
            call(broken(MANY_HYPS))
    with pytest.raises(TypeError, match="mine"):
        tb.explain(broken(MANY_HYPS), MANY_REFS)


@pytest.mark.parametrize("kind", [list, pa.array])
def test_statistics_larger_than_memory_are_refused(kind):
    count = 20_000_000  # rows of 16 kB
    texts = kind(["a"]).take(np.zeros(count, dtype=np.int32)) if kind is pa.array else ["a"] * count
    with pytest.raises(InputError, match=r"this takes up to [\d.]+ GB of memory"):
        BLEU(max_ngram_order=1000).stats(texts, texts)


@pytest.mark.parametrize("absent", ABSENT, ids=repr)
def test_absent_values_are_absent_in_every_analysis(absent):
    hyps, refs, plain = ["a b", "c"], [["a b", absent], [absent, "c"]], [["a b", None], [None, "c"]]
    assert tb.streams(["a b", "c"], [absent] * 2) == [["a b", None], ["c", None]]
    assert tb.trivial_ngrams([*hyps, absent]) == tb.trivial_ngrams(hyps)
    metric = tb.CodeBLEU("python", weights=(0.5, 0.25, 0.25, 0))
    split, numbers = [["a", "b"], ["c"]], [[5, 6], [7]]
    for call in (
        tb.repair,
        metric.corpus,
        tb.explain,
        lambda hyps, refs: tb.explain(hyps[0], refs[0]),
        lambda hyps, refs: tb.contrast(hyps, hyps, refs),
        lambda hyps, refs: tb.diff(hyps, refs, "sacrebleu", "nltk"),
        lambda hyps, refs: tb.reconcile(hyps, refs, 34.2),
        lambda hyps, refs: tb.compare({"a": hyps, "b": hyps[::-1]}, refs),
    ):
        assert str(call(hyps, refs)) == str(call(hyps, plain))
    for texts in (split, numbers):
        rows = [[texts[0], absent], [absent, texts[1]]]
        assert METRIC.corpus(texts, rows) == METRIC.corpus(texts, [[row] for row in texts])
    for column in ([absent, *hyps], [*hyps, absent], [*split, absent], [*numbers, absent]):
        for refuse in (
            tb.self_bleu,
            lambda texts: tb.self_bleu(texts, definition="pairwise"),
            tb.mbr,
            tb.pairwise,
            lambda texts: tb.mbr(texts[1:2], texts),
            lambda texts: tb.explain(texts, texts),
            lambda texts: tb.diff(texts, texts, "sacrebleu", "nltk"),
            lambda texts: tb.compare({"a": texts, "b": texts}, texts),
            lambda texts: METRIC.corpus(texts, texts),
        ):
            with pytest.raises(InputError):
                refuse(column)


def test_a_metric_with_a_list_of_weights_is_built_once():
    assert tb.BLEU(weights=[0.5, 0.5]).plan is tb.BLEU(weights=[0.5, 0.5]).plan


def test_codebleu_warns_of_references_without_data_flow():
    with pytest.warns(UserWarning, match="references have no data flow"):
        tb.CodeBLEU("python").corpus(["x"], ["x"])

# SPDX-License-Identifier: Apache-2.0
"""Whatever holds the texts, the score is the same."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sacrebleu
from support.corpora import SUMMATION
from support.example_texts import HYPS, METRIC, RAGGED, REFS, TWO_REFS, WHOLE, WHOLE_OF_TWO

from truebleu import (
    BLEU,
    InputError,
    corpus_bleu,
    streams,
)

# Columns of one text for each segment.


def sliced(values):
    return pa.array(["before", *values, "behind", None])[1:-2]


def chunked(values):
    return pa.chunked_array([values[:3], [], values[3:]], type=pa.string())


COLUMNS = {
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy U": np.array,
    "numpy strided": lambda values: np.repeat(np.array(values), 2)[::2],
    "pandas": lambda values: pd.Series(values, dtype=object, index=range(len(values), 0, -1)),
    "pandas strings": lambda values: pd.Series(values, dtype="string"),
    "pandas Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "Arrow": pa.array,
    "Arrow large": lambda values: pa.array(values, pa.large_string()),
    "Arrow views": lambda values: pa.array(values, pa.string_view()),
    "Arrow sliced": sliced,
    "Arrow sliced views": lambda values: sliced(values).cast(pa.string_view()),
    "Arrow sliced large": lambda values: sliced(values).cast(pa.large_string()),
    "Arrow chunks": chunked,
    "Arrow chunks sliced": lambda values: chunked(["before", *values])[1:],
    "Arrow table": lambda values: pa.table({"text": values}),
    "Arrow batch": lambda values: pa.record_batch({"text": pa.array(values)}),
    "polars": pl.Series,
    "polars sliced": lambda values: pl.Series(["before", *values])[1:],
    "polars frame": lambda values: pl.DataFrame({"text": values}),
}


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_scores_as_a_list(make):
    assert METRIC.corpus(make(HYPS), make(REFS)) == WHOLE
    assert METRIC.corpus(make(HYPS), REFS) == WHOLE
    assert METRIC.corpus(HYPS, make(REFS)) == WHOLE
    assert METRIC.stats(make(HYPS), make(REFS)) == METRIC.stats(HYPS, REFS)


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_any_column_goes_through_a_tokenizer_in_python(make):
    metric = BLEU(tokenize=str.split)
    assert metric.corpus(make(HYPS), make(REFS)) == metric.corpus(HYPS, REFS)


@pytest.mark.parametrize("dtype", [object, pd.StringDtype("python")], ids=str)
def test_columns_of_pandas_do_not_need_pyarrow(dtype, monkeypatch):
    hyps, refs = pd.Series(HYPS, dtype=dtype), pd.Series(REFS, dtype=dtype)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert METRIC.corpus(hyps, refs) == WHOLE


def test_a_frame_of_pandas_is_not_taken_for_its_column_names():
    frame = pd.DataFrame({"a name": ["a text"]})
    try:
        score = corpus_bleu(frame, ["a text"])
    except InputError:
        return
    assert score == corpus_bleu(["a text"], ["a text"])


# Columns of several texts for each segment.


def sliced_lists(values):
    return pa.array([["before"], *values, [], ["behind", None]], pa.list_(pa.string()))[1:-2]


def chunked_lists(values):
    kind = pa.large_list(pa.large_string())
    return pa.chunked_array([values[:5], [], values[5:]], type=kind)


LIST_COLUMNS = {
    "lists": lambda values: [list(value) for value in values],
    "tuples": lambda values: tuple(tuple(value) for value in values),
    "generator": lambda values: (list(value) for value in values),
    "numpy of lists": lambda values: pd.Series([list(v) for v in values]).to_numpy(),
    "pandas of lists": lambda values: pd.Series([list(value) for value in values]),
    "list of arrays": lambda values: [np.array(value, dtype=object) for value in values],
    "Arrow": pa.array,
    "Arrow large": lambda values: pa.array(values, pa.large_list(pa.string())),
    "Arrow views": lambda values: pa.array(values, pa.list_(pa.string_view())),
    "Arrow sliced": sliced_lists,
    "Arrow chunks": chunked_lists,
    "polars": lambda values: pl.Series([list(value) for value in values]),
}


@pytest.mark.parametrize("make", LIST_COLUMNS.values(), ids=LIST_COLUMNS)
@pytest.mark.parametrize("refs", [TWO_REFS, RAGGED], ids=["two", "ragged"])
def test_any_column_of_references_scores_as_a_list(make, refs):
    assert METRIC.corpus(HYPS, make(refs)) == METRIC.corpus(HYPS, refs)


@pytest.mark.parametrize("dtype", ["U", object])
def test_a_table_of_numpy_has_a_row_of_references_for_each_segment(dtype):
    assert METRIC.corpus(HYPS, np.array(TWO_REFS, dtype=dtype)) == WHOLE_OF_TWO


def test_a_null_among_references_is_an_absent_one():
    refs = [[a, None] if i % 2 else [None, b, a] for i, (a, b) in enumerate(TWO_REFS)]
    present = [[ref for ref in row if ref is not None] for row in refs]
    expected = METRIC.corpus(HYPS, present)
    for make in (list, pa.array, sliced_lists, chunked_lists, pl.Series, pd.Series):
        assert METRIC.corpus(HYPS, make(refs)) == expected


def test_a_null_among_single_references_is_an_error_in_any_column():
    for make in (list, pa.array, pl.Series, pd.Series):
        with pytest.raises(InputError, match=r"refs\[1\]"):
            METRIC.corpus(["a", "b"], make(["a", None]))


def test_subclasses_of_str_are_strings():
    assert METRIC.corpus(list(np.array(HYPS)), list(np.array(REFS))) == WHOLE


def test_streams_are_the_transposed_references():
    two = list(zip(*TWO_REFS, strict=True))
    assert METRIC.corpus(HYPS, streams(*two)) == WHOLE_OF_TWO
    assert METRIC.corpus(HYPS, streams(pa.array(two[0]), np.array(two[1]))) == WHOLE_OF_TWO


def test_a_batch_of_sentences_is_scored_as_its_sentences():
    each = [METRIC.sentence(hyp, refs).value for hyp, refs in zip(HYPS, RAGGED, strict=True)]
    assert METRIC.sentences(HYPS, RAGGED).tolist() == each
    assert METRIC.sentences(pa.array(HYPS), pa.array(RAGGED)).tolist() == each


def test_two_threads_score_arrow_as_one_does():
    hyps, refs = pa.array(HYPS * 500), pa.array(RAGGED * 500)
    one, two = BLEU(threads=1), BLEU(threads=2)
    assert len(hyps) > 20_000
    assert one.corpus(hyps, refs) == two.corpus(hyps, refs)
    assert one.stats(hyps, refs) == two.stats(hyps, refs)


# References that vary in number, against sacreBLEU.


def test_ragged_and_absent_references_score_as_in_sacrebleu():
    first = [a for a, _ in TWO_REFS]
    second = [b if i % 3 else None for i, (_, b) in enumerate(TWO_REFS)]
    theirs = sacrebleu.BLEU()
    expected = theirs.corpus_score(HYPS, [first, second])
    for refs in (streams(first, second), RAGGED):
        score = METRIC.corpus(HYPS, refs)
        assert score.value == expected.score
        assert (score.matches, score.totals) == (expected.counts, expected.totals)
        assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len)
        assert str(score) == str(expected)
        signature = score.signature.replace(f"summation:{SUMMATION}|", "")
        assert signature == theirs.get_signature().format()

# SPDX-License-Identifier: Apache-2.0
"""A mistake in Python is an error that names it; what is no mistake is scored."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sacrebleu
from support.command import HYPS, REFS

from truebleu import (
    BLEU,
    CHRF,
    Ids,
    InputError,
    OptionError,
    TrueBLEUError,
    corpus_bleu,
    dialect,
    mbr,
    pairwise,
    sentence_bleu,
    streams,
)

# The API: items.


def test_what_is_no_string_is_named_by_its_index():
    for item in (None, 3.5, float("nan"), 7, b"bytes", ["word"], object()):
        with pytest.raises(InputError, match=r"hyps\[1\]"):
            corpus_bleu(["a", item, "b"], ["a", "b", "c"])
        with pytest.raises(InputError, match=r"hyps\[1\]"):
            corpus_bleu(["a", item, "b"], ["a", "b", "c"], tokenize=str.split)
        with pytest.raises(InputError, match=r"refs\[2\]"):
            corpus_bleu(["a", "b", "c"], ["a", "b", item])


@pytest.mark.parametrize("item", [None, 3.5, 7, b"bytes"])
def test_what_is_no_string_is_named_if_it_is_the_first(item):
    with pytest.raises(InputError, match=r"hyps\[0\]"):
        corpus_bleu([item, "a"], ["a", "b"])
    with pytest.raises(InputError, match=r"refs\[0\]"):
        corpus_bleu(["a", "b"], [item, "a"])
    with pytest.raises(InputError, match=r"hyps\[0\]"):
        sentence_bleu(item, ["a"])


def test_bytes_are_no_text_even_if_all_are():
    for column in ([b"a"], (b"a\nb",), [b"\xff"]):
        with pytest.raises(InputError, match="bytes"):
            corpus_bleu(column, column)


def test_a_missing_value_in_a_column_is_named_by_its_index():
    columns = [
        pd.Series(["a", None]),
        pd.Series(["a", None], dtype="string"),
        np.array(["a", np.nan], dtype=object),
        pa.array(["a", None]),
        pa.chunked_array([["a"], [None]]),
        pa.array(["before", "a", None])[1:],
        pl.Series(["a", None]),
    ]
    for column in columns:
        with pytest.raises(InputError, match=r"hyps\[1\]"):
            corpus_bleu(column, ["a", "b"])


@pytest.mark.parametrize("column", [np.arange(2), pa.array([1, 2]), pl.Series([1, 2]), [1, 2]])
def test_a_column_of_numbers_is_refused(column):
    with pytest.raises(InputError, match="hyps"):
        corpus_bleu(column, ["a", "b"])


def test_a_wrong_reference_is_named_by_both_indices():
    for item in (3.5, 7, b"bytes"):
        with pytest.raises(InputError, match=r"refs\[1\]\[2\]"):
            corpus_bleu(["a", "b"], [["a"], ["a", "b", item]])


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


def test_every_hypothesis_has_a_reference():
    for refs in (["a", None], [["a"], [None]], [["a"], []], [["a"], [None, None]]):
        with pytest.raises(InputError, match=r"refs\[1\]"):
            corpus_bleu(["a", "b"], refs)
    with pytest.raises(InputError, match=r"refs\[1\]"):
        corpus_bleu(["a", "b"], streams(["a", None], ["b", None]))


def test_strings_and_lists_do_not_mix():
    for refs in (["a", ["b"]], [["a"], "b"]):
        with pytest.raises(InputError, match=r"refs\[1\]"):
            corpus_bleu(["a", "b"], refs)
    with pytest.raises(InputError, match="tokenize"):
        corpus_bleu([["a"], ["b"]], ["a", "b"])


# The API: shapes.

THREE = ["a", "b", "c"]


@pytest.mark.parametrize(
    "refs",
    [
        [THREE, THREE],
        [THREE],
        (tuple(THREE),) * 4,
        np.array([THREE, THREE]),
        (iter([THREE, THREE])),
        [np.array(THREE), np.array(THREE)],
        [pd.Series(THREE), pd.Series(THREE)],
        [pa.array(THREE), pa.array(THREE)],
    ],
    ids=["lists", "one", "tuples", "numpy", "iterator", "arrays", "series", "arrow"],
)
def test_transposed_references_name_streams(refs):
    with pytest.raises(InputError, match="streams"):
        corpus_bleu(THREE, refs)


@pytest.mark.parametrize("make", [tuple, np.array, pd.Series, pa.array, pl.Series])
def test_transposed_references_name_streams_for_any_column(make):
    with pytest.raises(InputError, match="streams"):
        corpus_bleu(make(THREE), [THREE, THREE])


@pytest.mark.parametrize("make", [list, iter, np.array, pd.Series, pa.array, pl.Series])
def test_unequal_lengths_are_named(make):
    for hyps, refs in (("abc", "ab"), ("a", "ab")):
        with pytest.raises(InputError, match=f"{len(hyps)}.*{len(refs)}"):
            corpus_bleu(make(list(hyps)), make(list(refs)))
        with pytest.raises(InputError, match=f"{len(hyps)}.*{len(refs)}"):
            BLEU(tokenize=str.split).stats(make(list(hyps)), make(list(refs)))


@pytest.mark.parametrize("make", [list, iter, np.array, pd.Series])
def test_nothing_is_not_scored(make):
    with pytest.raises(InputError, match="hyps is empty"):
        corpus_bleu(make([]), make([]))


@pytest.mark.parametrize(
    "column",
    [pa.array([], pa.string()), pa.chunked_array([], pa.string()), pl.Series([], dtype=pl.String)],
    ids=["array", "chunks", "polars"],
)
def test_nothing_is_not_scored_from_arrow(column):
    metric = BLEU()
    for score in (metric.corpus, metric.stats, metric.sentences, metric.accumulator().update):
        with pytest.raises(InputError, match="hyps is empty"):
            score(column, column)


def test_a_single_string_is_no_column():
    for hyps, refs in (("abc", THREE), (THREE, "abc"), (b"abc", THREE), (3, THREE), (THREE, None)):
        with pytest.raises(InputError, match=r"hyps|refs"):
            corpus_bleu(hyps, refs)


def test_streams_are_checked():
    with pytest.raises(InputError, match="1 and 2"):
        streams(["a"], ["a", "b"])
    with pytest.raises(InputError, match="column 1"):
        streams(["a"], "a")
    with pytest.raises(InputError, match="one column"):
        streams()


# The API: options.


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"smooth_method": "floor", "smooth_value": -1}, "smooth_value.*-1"),
        ({"smooth_method": "add-k", "smooth_value": float("nan")}, "smooth_value.*nan"),
        ({"smooth_method": "add-k", "smooth_value": float("inf")}, "smooth_value.*inf"),
        ({"smooth_method": "floor", "smooth_value": "0.1"}, "smooth_value"),
        ({"max_ngram_order": 0}, "max_ngram_order.*0"),
        ({"max_ngram_order": -1}, "max_ngram_order.*-1"),
        ({"max_ngram_order": 2.0}, "max_ngram_order.*whole"),
        ({"max_ngram_order": True}, "max_ngram_order"),
        ({"weights": [0.5, 0.5], "max_ngram_order": 4}, "2 numbers.*4"),
        ({"weights": [0.5, -0.5]}, "weights"),
        ({"weights": []}, "weights"),
        ({"weights": 1}, "weights"),
        ({"weights": [0.0, 0.0]}, "weights"),
        ({"tokenize": "13b"}, "'13b'.*13a"),
        ({"tokenize": "flores20"}, "flores200"),
        ({"tokenize": None}, "tokenize"),
        ({"tokenise": "13a"}, "'tokenise'.*tokenize"),
        ({"smooth_method": "flor"}, "floor"),
        ({"dialect": "sacrebleau"}, "'sacrebleau'.*sacrebleu"),
        ({"dialect": 3}, "3"),
        ({"lowercase": "yes"}, "lowercase"),
        ({"threads": 0}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"threads": 2**70}, "threads"),
    ],
    ids=str,
)
def test_a_bad_value_of_an_option_is_named(options, named):
    corpus_bleu(HYPS, REFS, max_ngram_order=2, threads=1)  # equals one of them, and is remembered
    with pytest.raises(OptionError, match=named):
        corpus_bleu(HYPS, REFS, **options)


def test_errors_are_also_those_of_python():
    assert issubclass(InputError, (TrueBLEUError, ValueError))
    with pytest.raises(ValueError, match="13a"):
        dialect("sacrebleu", tokenize="13b")


def test_what_a_tokenizer_of_the_caller_raises_is_the_callers():
    def fails(text):
        raise ZeroDivisionError(text)

    with pytest.raises(ZeroDivisionError):
        corpus_bleu(HYPS, REFS, tokenize=fails)


@pytest.mark.parametrize("found", [[1, 2], [None], [b"a"], 7, None])
def test_a_tokenizer_of_the_caller_must_find_strings(found):
    with pytest.raises(InputError):
        corpus_bleu(HYPS, REFS, tokenize=lambda _: found)


def test_what_is_no_mistake_scores_as_in_sacrebleu():
    hyps = ["", " ", "\x00 a", "a" * 100_000, "\ufeff", "\r", "e\u0301 é"]
    refs = ["", "a", "\x00 a", "a" * 100_000, "b", "\r", "é é"]
    expected = sacrebleu.corpus_bleu(hyps, [refs])
    score = corpus_bleu(hyps, refs)
    assert str(score) == str(expected)
    assert (score.matches, score.totals) == (expected.counts, expected.totals)


# Nested lists.


def in_itself():
    column = []
    column.append(column)
    return column


def test_a_list_that_holds_itself_is_nested_too_deep():
    for call in (
        lambda: corpus_bleu(in_itself(), in_itself()),
        lambda: corpus_bleu([["a"]], in_itself()),
        lambda: pairwise(in_itself()),
        lambda: mbr(in_itself()),
        lambda: CHRF().corpus(in_itself(), ["a"]),
    ):
        with pytest.raises(InputError, match="nested too deep"):
            call()


def test_ids_are_lists_of_one_length():
    deep = 1
    for _ in range(100):
        deep = [deep]
    for values in ([[1], [2, 3]], deep):
        with pytest.raises(InputError):
            Ids(values)

# SPDX-License-Identifier: Apache-2.0
"""Columns of every kind that holds text give the statistics of the same texts in a list."""

from itertools import accumulate, groupby

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.profiles import examples

import truebleu as tb
from truebleu.integrations.batches import Batches

BLEU = tb.BLEU()


def dictionary(kind, index="int8"):
    """A dictionary with unused values, with one text twice, and with null as a value and a key."""

    def make(texts):
        values = ["unused", *dict.fromkeys(texts), *texts[-1:], None]
        places = [values.index(text, 1) for text in texts]
        if texts and texts[-1] is not None:
            places[-1] = len(values) - 2
        keys = [
            None if text is None and i % 2 else place for i, (text, place) in enumerate(zip(texts, places, strict=True))
        ]
        return pa.DictionaryArray.from_arrays(pa.array(keys).cast(index), pa.array(values, kind))

    return make


def runs(kind, ends="int32", values=None):
    """Run-end encoding of equal texts that follow one another."""

    def make(texts):
        heads = [text for text, _ in groupby(texts)]
        heads = values(heads) if values else pa.array(heads, kind)
        until = list(accumulate(len(list(run)) for _, run in groupby(texts)))
        return pa.RunEndEncodedArray.from_arrays(pa.array(until, pa.int64()).cast(ends), heads)

    return make


#: Arrays of PyArrow.
ARROW = {
    "string": lambda texts: pa.array(texts, pa.string()),
    "large string": lambda texts: pa.array(texts, pa.large_string()),
    "view": lambda texts: pa.array(texts, pa.string_view()),
    "dictionary": dictionary(pa.string()),
    "large dictionary": dictionary(pa.large_string(), "int64"),
    "dictionary of views": dictionary(pa.string_view(), "uint16"),
    "runs": runs(pa.string(), "int16"),
    "runs of views": runs(pa.string_view(), "int64"),
    "runs in a dictionary": runs(None, values=dictionary(pa.string())),
    "categorical": lambda texts: pl.Series(texts, dtype=pl.Categorical).to_arrow(),
}
#: Columns of other libraries.
OTHERS = {
    "Polars": lambda texts: pl.Series(texts, dtype=pl.String),
    "Polars categorical": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "Polars enum": lambda texts: pl.Series(texts, dtype=pl.Enum(sorted({text for text in texts if text is not None}))),
    "pandas categorical": lambda texts: pd.Series(texts, dtype="category"),
    "pandas Arrow dictionary": lambda texts: pd.Series(
        texts, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
}
each_kind = pytest.mark.parametrize("make", [*ARROW.values(), *OTHERS.values()], ids=[*ARROW, *OTHERS])
each_arrow_kind = pytest.mark.parametrize("make", ARROW.values(), ids=ARROW)

WORD = st.sampled_from(["a b c d e", "a b c d f", "", "naïve 中文 👍"]) | st.text(max_size=8)
PAIRS = st.lists(st.tuples(WORD, WORD), min_size=1, max_size=8)


def sliced(make, texts):
    """The texts as a slice of a longer array."""
    column = make(["before", *texts, texts[0], "after"])
    return column.slice(1, len(texts))


def chunked(make, texts):
    """The texts in chunks, of which one is empty, each with a dictionary of its own."""
    middle = len(texts) // 2
    parts = [texts[:middle], [], texts[middle:]]
    return pa.chunked_array([make(part) for part in parts])


def lists(make, rows, cls=pa.ListArray):
    """Lists of texts as a slice of an array with more lists."""
    flat = [text for row in rows for text in row]
    bounds = [0, 1]
    for row in rows:
        bounds.append(bounds[-1] + len(row))
    offsets = pa.array([*bounds, bounds[-1] + 1], pa.int32() if cls is pa.ListArray else pa.int64())
    return cls.from_arrays(offsets, make(["before", *flat, "after"])).slice(1, len(rows))


@each_kind
@examples(share=3)
@given(PAIRS)
def test_any_column_scores_as_the_list(make, pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    for metric in (BLEU, tb.BLEU(tokenize=str.split)):
        assert metric.stats(make(hyps), make(refs)) == metric.stats(hyps, refs)


@each_arrow_kind
@examples(share=3)
@given(PAIRS)
def test_slices_and_chunks_score_as_the_list(make, pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    expected = BLEU.stats(hyps, refs)
    assert BLEU.stats(sliced(make, hyps), chunked(make, refs)) == expected
    assert BLEU.stats(chunked(make, hyps), sliced(make, refs)) == expected


@each_arrow_kind
@examples(share=3)
@given(PAIRS)
def test_lists_of_references_score_as_the_lists(make, pairs):
    hyps = [hyp for hyp, _ in pairs]
    refs = [[ref, None, hyp][: 1 + i % 3] for i, (hyp, ref) in enumerate(pairs)]
    expected = BLEU.stats(hyps, refs)
    for cls in (pa.ListArray, pa.LargeListArray):
        assert BLEU.stats(make(hyps), lists(make, refs, cls)) == expected
    table = pa.table({"hyp": sliced(make, hyps), "ref": lists(make, refs)})
    scan = tb.scan(iter([table]), "hyp", "ref")
    score = BLEU.corpus(hyps, refs)
    assert BLEU.corpus(scan) == score
    batches = Batches(BLEU, ["hyp"], ["ref"])
    assert batches.scores(batches.partial(table)) == score
    assert batches.partial(table.slice(0, 0)).num_rows == 0


@each_arrow_kind
def test_lists_of_one_length_and_null_lists(make):
    texts = ["a b c d e", None, "a c", "b", "a", "b c"]
    fixed = pa.FixedSizeListArray.from_arrays(make(texts), 2).slice(1)
    table = pa.table({"hyp": ["a c b", "a d"], "ref": fixed})
    batches = Batches(BLEU, ["hyp"], ["ref"])
    expected = BLEU.corpus(["a c b", "a d"], [["a c", "b"], ["a", "b c"]])
    assert batches.scores(batches.partial(table)) == expected
    assert BLEU.corpus(table["hyp"], fixed).stats == expected.stats
    assert BLEU.corpus(tb.scan(iter([table]), "hyp", "ref")) == expected
    offsets = pa.array([0, 2, None, 6], pa.int32())
    some = pa.ListArray.from_arrays(offsets, make(texts)).slice(1)
    table = pa.table({"hyp": ["a c b", "a d"], "ref": some})
    with pytest.raises(tb.InputError, match=r"refs in 'ref': refs\[1\] is null"):
        batches.partial(table)


@each_arrow_kind
def test_a_null_list_of_words_is_an_absent_reference(make):
    mask = pa.array([True, False, False, True])  # of which the first has a word
    words = pa.ListArray.from_arrays(pa.array([0, 1, 3, 5, 5]), make(["x", "a", "b", "a", "c"]), mask=mask)
    refs = pa.ListArray.from_arrays(pa.array([0, 2, 4]), words)
    stats = BLEU.stats([["a", "b"], ["a", "c", "d"]], refs)
    assert stats == BLEU.stats([["a", "b"], ["a", "c", "d"]], [[None, ["a", "b"]], [["a", "c"], None]])
    assert BLEU.stats([["a", "c", "d"]], refs.slice(1)) == stats[1:]


@each_arrow_kind
@examples(share=3)
@given(PAIRS, st.lists(st.sampled_from(["de", "", None]), min_size=8, max_size=8))
def test_engines_and_scans_group_by_any_column(make, pairs, labels):
    hyps, refs = map(list, zip(*pairs, strict=True))
    labels = labels[: len(hyps)]
    expected = {
        label: BLEU.corpus(*zip(*[pair for pair, one in zip(pairs, labels, strict=True) if one == label], strict=True))
        for label in labels
    }
    columns = {"hyp": chunked(make, hyps), "second": make([None] * len(hyps)), "ref": make(refs)}
    table = pa.table({**columns, "by": sliced(make, labels)})
    for several in ("ref", ["second", "ref"]):
        batches = Batches(BLEU, ["hyp"], several, "by")
        assert batches.scores(batches.partial(table)) == expected
    assert tb.scan(iter([table]), "hyp", "ref", "by").groups(BLEU) == expected


@each_kind
def test_a_null_is_named_by_its_row(make):
    texts = ["a", "a", None]
    with pytest.raises(tb.InputError, match=r"hyps\[2\] is (missing|of type)"):
        BLEU.corpus(make(texts), ["a"] * 3)
    if make in ARROW.values():
        table = pa.table({"hyp": chunked(make, texts), "ref": ["a"] * 3})
        batches = Batches(BLEU, ["hyp"], ["ref"])
        with pytest.raises(tb.InputError, match=r"refs in 'ref': hyps\[2\] is missing"):
            batches.partial(table)
        with pytest.raises(tb.InputError, match="batches: row 3: 'hyp' is null"):
            BLEU.corpus(tb.scan(iter([table]), "hyp", "ref"))


@pytest.mark.parametrize("make", [ARROW["dictionary"], ARROW["runs"], ARROW["view"]])
def test_a_column_without_texts(make):
    with pytest.raises(tb.InputError, match="hyps is empty"):
        BLEU.corpus(make([]), make([]))
    empty = pa.array([], pa.string()).dictionary_encode()
    nulls = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int32()), empty.dictionary)
    with pytest.raises(tb.InputError, match=r"hyps\[0\] is missing"):
        BLEU.corpus(nulls, ["a", "b"])

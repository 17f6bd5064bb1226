# SPDX-License-Identifier: Apache-2.0
"""Columns of the page hold the texts and the tokens that the metric counts."""

import zlib
from array import array
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from truebleu import BLEU
from truebleu.analysis.explain.overlap import token_reader
from truebleu.metrics.kernel import places
from truebleu.report.segments import Streams, units

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
OPTIONS = [{}, {"lowercase": True}, {"tokenize": "char"}, {"tokenize": str.split}]


def decoded(streams, name):
    kind, data = streams.types[name], zlib.decompress(b64decode(streams.encoded()[name]))
    return data.decode() if kind == "text" else np.frombuffer(data, f"<{kind}").tolist()


@settings(max_examples=100)
@given(st.lists(st.none() | TEXT, max_size=6), st.sampled_from(OPTIONS))
def test_columns_hold_texts_and_tokens(texts, options):
    """Read as data.js reads them, in units of UTF-16, they give what the metric counts."""
    bleu = BLEU(**options)
    tokens = token_reader(bleu)
    with ThreadPoolExecutor(1) as pool:
        streams = Streams(pool)
        about = streams.add_column("c", texts, bleu)
    whole = decoded(streams, "c.text").encode("utf-16-le")
    counted = whole
    if "c.counted" in streams.types:
        counted = decoded(streams, "c.counted").encode("utf-16-le")
    assert len(counted) == len(whole)
    lengths, counts, gaps, sizes = (decoded(streams, f"c.{name}") for name in ("lengths", "counts", "gaps", "sizes"))
    start = k = 0
    for i, (text, length, count) in enumerate(zip(texts, lengths, counts, strict=True)):
        assert whole[2 * start : 2 * (start + length)].decode("utf-16-le") == (text or "")
        assert (i in about["absent"]) == (text is None)
        at, words = start, []
        for gap, size in zip(gaps[k : k + count], sizes[k : k + count], strict=True):
            at += gap
            words.append(counted[2 * at : 2 * (at + size)].decode("utf-16-le"))
            at += size
        assert at <= start + length
        assert about["spelled"].get(i, words) == tokens(text or "")
        start, k = start + length, k + count


@given(TEXT)
def test_lengths_are_those_of_javascript(text):
    assert units(text) == len(text.encode("utf-16-le")) // 2


def numbers(*values):
    return array("I", values).tobytes()


def test_tokens_are_found_between_white_space():
    found = places("\x1cHello, 😀\u3000you ", ["hello", ",", "😀", "you"])
    assert found == (numbers(1, 0, 1, 1), numbers(5, 1, 2, 3), "\x1chello, 😀\u3000you ")
    assert places("a &amp; b", ["a", "&", "b"]) is None
    assert places("a b", ["a"]) is None
    assert places("a b", ["a", "", "b"]) is None
    assert places("a", ["a", "b"]) is None
    assert places("\ud800 a", ["a"]) is None

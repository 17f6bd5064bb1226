# SPDX-License-Identifier: Apache-2.0
"""Values of options: errors name the option."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import truebleu
from truebleu import CHRF, OptionError, corpus_bleu, scan


@pytest.mark.parametrize("text", [None, 5, b"tok:13a", ["tok:13a"], np.zeros(2)])
def test_a_signature_is_a_string(text):
    with pytest.raises(OptionError, match="string"):
        truebleu.parse_signature(text)


@pytest.mark.parametrize("value", [np.array([]), np.array([1, 2]), pa.array([1]), [True]])
def test_an_option_is_no_array(value):
    for name in ("lowercase", "effective_order", "max_ngram_order", "smooth_value", "tokenize"):
        with pytest.raises(OptionError, match=name):
            corpus_bleu(["a"], ["a"], **{name: value})


def test_an_array_without_an_axis_is_a_number():
    expected = corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=0.5)
    for value in (np.float64(0.5), np.array(0.5)):
        found = corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=value)
        assert found.value == expected.value
    assert corpus_bleu(["A"], ["a"], lowercase=np.array(True)).matches[0] == 1


def test_an_option_is_no_larger_than_floats_are():
    for changes in ({"smooth_value": 10**400}, {"weights": [10**400]}, {"smooth_value": np.inf}):
        (name,) = changes
        with pytest.raises(OptionError, match=f"{name} cannot be"):
            corpus_bleu(["a"], ["a"], **changes)


def test_a_value_that_cannot_be_shown_is_named_by_its_type():
    deep = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(OptionError, match="lowercase cannot be of type list;"):
        corpus_bleu(["a"], ["a"], lowercase=deep)
    with pytest.raises(OptionError, match="no dialect is named 'of type list'"):
        truebleu.dialect(deep)
    with pytest.raises(OptionError, match="on_error cannot be"):
        scan("x", "a", "b", on_error=np.zeros(2))
    with pytest.raises(OptionError, match=r"^lowercase cannot be '(\\n|a)+\.\.\.; .{10,40}$"):
        corpus_bleu(["a"], ["a"], lowercase="\n" + "a" * 10_000)


@pytest.mark.parametrize("width", [-1, 101, 10**9, "", "1", 2.0, True, [1]])
def test_a_score_has_a_number_of_decimals(width):
    for score in (corpus_bleu(["a"], ["a"]), CHRF().corpus(["a"], ["a"])):
        with pytest.raises(OptionError, match="width cannot be"):
            score.format(width)

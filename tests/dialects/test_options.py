# SPDX-License-Identifier: Apache-2.0
"""Values of options: errors name the option."""

import json
import re

import numpy as np
import pyarrow as pa
import pytest
from conftest import ROOT
from support.command import HYPS, REFS

import truebleu
from truebleu import BLEU, CHRF, InputError, OptionError, TrueBLEUError, corpus_bleu, dialect, scan


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
        score = corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=value)
        assert score.value == expected.value
    assert corpus_bleu(["A"], ["a"], lowercase=np.array(True)).matches[0] == 1


def test_an_option_is_no_larger_than_floats_are():
    for changes in ({"smooth_value": 10**400}, {"weights": [10**400]}, {"smooth_value": np.inf}):
        (name,) = changes
        with pytest.raises(OptionError, match=f"{name} cannot be"):
            corpus_bleu(["a"], ["a"], **changes)


def test_a_value_that_cannot_be_shown_is_named_by_its_type():
    deep = []
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(OptionError, match="lowercase cannot be of type list;"):
        corpus_bleu(["a"], ["a"], lowercase=deep)
    with pytest.raises(OptionError, match="a reported score cannot be"):
        truebleu.reconcile(["a"], ["a"], deep)
    with pytest.raises(InputError, match="of type list"):
        CHRF().column(deep, 7)
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


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"smooth_method": "add-k", "smooth_value": float("nan")}, "smooth_value.*nan"),
        ({"smooth_method": "add-k", "smooth_value": float("inf")}, "smooth_value.*inf"),
        ({"weights": [0.5, 0.5], "max_ngram_order": 4}, "2 numbers.*4"),
        ({"tokenize": "13b"}, "'13b'.*13a"), ({"tokenize": "flores20"}, "flores200"),
        ({"tokenise": "13a"}, "'tokenise'.*tokenize"), ({"smooth_method": "flor"}, "floor"),
        ({"dialect": "sacrebleau"}, "'sacrebleau'.*sacrebleu"), ({"dialect": 3}, "3"),
        ({"threads": 2**70}, "threads"),
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_value_of_an_option_is_named(options, named):
    corpus_bleu(HYPS, REFS, max_ngram_order=2, threads=1)  # equals one of them, and is remembered
    with pytest.raises(OptionError, match=named):
        corpus_bleu(HYPS, REFS, **options)


#: Options and the signatures or errors that follow, which web pages are tested with, too.
CASES = json.loads((ROOT / "tests" / "golden" / "options.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["options"]))
def test_options_are_checked_and_written_in_signatures(case):
    options = case["options"]
    if "refused" in case:
        with pytest.raises(OptionError, match=f"^{re.escape(case['refused'])};"):
            BLEU(**options)
        return
    bleu = BLEU(**options)
    for name, score in (
        ("signature", bleu.corpus(["a"], ["a"])), ("sentence", bleu.sentence("a", "a"))
    ):  # fmt: skip
        assert re.sub(r"(categories|lower)-[\d.]+", r"\1", score.signature) == case[name]


def test_errors_are_also_those_of_python():
    assert issubclass(InputError, TrueBLEUError)
    assert issubclass(InputError, ValueError)
    with pytest.raises(ValueError, match="13a"):
        dialect("sacrebleu", tokenize="13b")

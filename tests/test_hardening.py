# SPDX-License-Identifier: Apache-2.0
"""What fuzzers found, each once more; and fuzzers, for a few seconds. See docs/hardening.md."""

from __future__ import annotations

from zlib import crc32

import fuzz_api
import fuzzed_calls
import numpy as np
import pyarrow as pa
import pytest

import truebleu
from truebleu import BLEU, CHRF, TER, Ids, InputError, OptionError, Stats, corpus_bleu, mbr, pairwise
from truebleu._core import Metric, Plan

# Input.


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


def arrow_text(*texts):
    """A column of Arrow text that nobody has checked: what a damaged file holds."""
    bounds = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


@pytest.mark.parametrize("tokenize", ["13a", "none", "intl", "zh", "char", str.split])
@pytest.mark.parametrize("tail", [b"\xf0", b"\xe4", b"\xf0\x90", b"\xff", b"\xe4a!", b"\xed\xa0\x80"])
def test_arrow_text_that_is_not_utf8_is_named(tokenize, tail):
    bleu = BLEU(tokenize=tokenize)
    for length in (0, 5, 60, 61, 62, 63, 64):
        good, bad = b"a" * length, b"a" * length + tail
        with pytest.raises(ValueError, match="UTF-8|utf-8"):
            bleu.corpus(arrow_text(good, bad), arrow_text(good, good))
        if callable(tokenize):
            continue
        with pytest.raises(InputError, match=rf"refs\[1\] is not UTF-8 from byte {length + 1} on"):
            bleu.corpus(arrow_text(good, good), arrow_text(good, bad))


@pytest.mark.parametrize("metric", [CHRF(), TER()])
def test_other_metrics_name_it_too(metric):
    with pytest.raises(InputError, match=r"hyps\[1\] is not UTF-8 from byte 3 on"):
        metric.corpus(arrow_text(b"a", b"a \xff"), ["a", "b"])
    with pytest.raises(InputError, match=r"hyps\[1\] is not UTF-8 from byte 3 on"):
        metric.corpus(arrow_text(b"a", b"a \xff"), pa.array(["a", "b"]))


def test_lists_that_are_no_array_of_ids_are_refused():
    deep = 1
    for _ in range(100):
        deep = [deep]
    for values in ([[1], [2, 3]], deep):
        with pytest.raises(InputError):
            Ids(values)


# Statistics.


@pytest.mark.parametrize("orders", [0, -1, True, 2.0, None, "4", 1 << 40, 1 << 63])
def test_statistics_have_a_number_of_orders(orders):
    with pytest.raises(InputError, match="orders?"):
        Stats([], orders)
    with pytest.raises(InputError, match="orders?"):
        Stats.from_buffer(b"", orders)


def test_saved_statistics_of_too_many_orders_are_refused():
    for orders in (0, 1 << 40, 1 << 63):
        head = (orders, 0, crc32(b""))
        data = b"TBLEU\x00\x01\x00" + b"".join(value.to_bytes(8, "little") for value in head)
        with pytest.raises(InputError, match="orders?"):
            Stats.from_bytes(data)


@pytest.mark.parametrize("data", [None, "text", 5, [1], np.zeros(3), memoryview(b"a")])
def test_what_is_no_bytes_is_no_saved_statistics(data):
    with pytest.raises(InputError, match="bytes"):
        Stats.from_bytes(data)


@pytest.mark.parametrize("part", ["a", None, 5, (1, 2), np.zeros((1, 10))])
def test_statistics_are_joined_with_statistics_alone(part):
    with pytest.raises(InputError, match="Stats"):
        Stats.concat([Stats([[1] * 10]), part])


@pytest.mark.parametrize("row", [5, None, 1.5])
def test_a_row_is_a_sequence(row):
    with pytest.raises(InputError, match="row 0"):
        Stats([row])


# Settings.


@pytest.mark.parametrize("text", [None, 5, b"tok:13a", ["tok:13a"], np.zeros(2)])
def test_a_signature_is_a_string(text):
    with pytest.raises(OptionError, match="string"):
        truebleu.parse_signature(text)


@pytest.mark.parametrize("value", [np.array([]), np.array([1, 2]), pa.array([1]), [True]])
def test_an_option_is_no_array(value):
    for name in ("lowercase", "effective_order", "max_ngram_order", "smooth_value", "tokenize"):
        with pytest.raises(OptionError, match=name):
            corpus_bleu(["a"], ["a"], **{name: value})


def test_the_kernel_itself_bounds_its_orders():
    for orders in ("0", "1001", str(1 << 60), str((1 << 64) - 1), str(1 << 64)):
        with pytest.raises(ValueError, match="max_ngram_order"):
            Plan([("max_ngram_order", orders)])
        if orders != "0":
            with pytest.raises(ValueError, match="char_order"):
                Metric("chrf", [("char_order", orders)])


# The fuzzers.


def test_every_public_name_is_called_or_a_result():
    assert set(fuzzed_calls.ENTRIES) | fuzzed_calls.RESULTS == set(truebleu.__all__)


@pytest.mark.parametrize(
    "seconds", [8, pytest.param(120, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_calls_and_commands_of_any_kind_end_well(seconds):
    first = 0 if seconds < 10 else 1_000_000
    ended, faults = fuzz_api.fuzz(seconds, first)
    assert not faults, faults[0]
    assert ended

# SPDX-License-Identifier: Apache-2.0
"""What fuzzers found, each once more. See docs/hardening.md."""

from __future__ import annotations

import ctypes
import gzip
from zlib import crc32

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import ROOT

import truebleu
from truebleu import (
    BLEU,
    CHRF,
    TER,
    Ids,
    InputError,
    InternalError,
    OptionError,
    Stats,
    TrueBLEUError,
    corpus_bleu,
    mbr,
    pairwise,
    scan,
)
from truebleu._core import Metric, Resampler
from truebleu.analysis.explain.overlap import token_reader
from truebleu.cli import main
from truebleu.dialects.signature import named_references
from truebleu.inputs.files import read_lines

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
@pytest.mark.parametrize(
    "tail", [b"\xf0", b"\xe4", b"\xf0\x90", b"\xff", b"\xe4a!", b"\xed\xa0\x80"]
)
def test_arrow_text_that_is_not_utf8_is_named(tokenize, tail):
    bleu = BLEU(tokenize=tokenize)
    for length in (0, 5, 60, 61, 62, 63, 64):
        good, bad = b"a" * length, b"a" * length + tail
        with pytest.raises(ValueError, match=r"UTF-8|utf-8"):
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


class Broken:
    """Exports Arrow text that says it has one buffer."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.array(["a", "b"]).__arrow_c_array__(requested_schema)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # length, null_count, offset, n_buffers
        (ctypes.c_int64 * 4).from_address(pointer(array, b"arrow_array"))[3] = 1
        return schema, array


def test_arrow_data_that_break_the_format_are_refused():
    with pytest.raises(InputError, match=r"^hyps: these Arrow data cannot be read: .*$"):
        corpus_bleu(Broken(), ["a", "b"])
    with pytest.raises(InputError, match="references: these Arrow data cannot be read"):
        pairwise(["a"], Broken())


def test_lists_that_are_no_array_of_ids_are_refused():
    deep = 1
    for _ in range(100):
        deep = [deep]
    for values in ([[1], [2, 3]], deep):
        with pytest.raises(InputError):
            Ids(values)


def test_what_reads_words_names_it_too():
    bad = arrow_text(b"a \xff")
    for call in (
        lambda: truebleu.reconcile(bad, ["a"], "12.3"),
        lambda: BLEU(tokenize=str.split).corpus(bad, bad),
    ):
        with pytest.raises(InputError, match="hyps holds text that is not UTF-8"):
            call()


def test_lists_of_arrow_text_that_is_not_utf8_are_refused():
    with pytest.raises(InputError, match="hyps holds text that is not UTF-8"):
        corpus_bleu([arrow_text(b"a", b"\xff")], [["a", "b"]])


def test_a_system_is_a_name_with_segments():
    for systems in (["ab", ()], [5, 6], ["abc", "abd"]):
        with pytest.raises(InputError, match="a system is"):
            truebleu.compare(systems, ["a"])


def test_a_figure_and_a_page_are_of_systems_too(tmp_path):
    for systems in (["ab", ()], [5, 6], ["a"]):
        with pytest.raises(InputError, match="a system is"):
            truebleu.plot(systems, ["a"])
        with pytest.raises(InputError, match="a system is"):
            truebleu.write_report(tmp_path / "page.html", systems, ["a"])


def test_the_drop_in_refuses_a_damaged_file_in_a_line(tmp_path, monkeypatch, caplog):
    data = bytearray(gzip.compress(b"a b c d\n" * 100))
    data[12:20] = b"\xff" * 8
    (tmp_path / "hyp.gz").write_bytes(data)
    (tmp_path / "ref").write_text("a\n" * 100)
    monkeypatch.chdir(tmp_path)
    assert main(["sacrebleu", "ref", "-i", "hyp.gz"]) == 1
    assert caplog.records


# Statistics.


@pytest.mark.parametrize("orders", [0, -1, True, 2.0, None, "4", 1 << 40, 1 << 63])
def test_statistics_have_a_number_of_orders(orders):
    with pytest.raises(InputError, match=r"orders?"):
        Stats([], orders)
    with pytest.raises(InputError, match=r"orders?"):
        Stats.from_buffer(b"", orders)


def test_saved_statistics_of_too_many_orders_are_refused():
    for orders in (0, 1 << 40, 1 << 63):
        head = (orders, 0, crc32(b""))
        data = b"TBLEU\x00\x01\x00" + b"".join(value.to_bytes(8, "little") for value in head)
        with pytest.raises(InputError, match=r"orders?"):
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


# Tables and numbers.


@pytest.mark.parametrize(
    ("name", "rows"), [("t.jsonl", '{"a": "x"}\n{}\n'), ("t.tsv", "hyp\tref\nx\n")]
)
def test_a_table_of_bad_rows_alone_is_refused(tmp_path, name, rows):
    path = tmp_path / name
    path.write_text(rows)
    with pytest.raises(InputError, match=rf"{name}:[12]: "):
        scan(path, "hyp", "ref").score(BLEU())
    with pytest.raises(InputError):
        scan(path, "hyp", "ref", on_error="skip").score(BLEU())


def test_numbers_of_thousands_of_digits_are_refused(tmp_path, monkeypatch):
    digits = "9" * 5_000
    (tmp_path / "t.tsv").write_text("a\tb\n")
    (tmp_path / "t.jsonl").write_text('{"a": ["b"]}\n')
    with pytest.raises(OptionError, match="column"):
        scan(tmp_path / "t.tsv", digits, digits).score(BLEU())
    with pytest.raises(InputError, match="no field"):
        scan(tmp_path / "t.jsonl", f"a.{digits}", "a.0").score(BLEU())
    assert named_references(f"nrefs:{digits}|tok:13a") is None
    monkeypatch.setenv("TRUEBLEU_NUM_THREADS", digits)
    with pytest.raises(OptionError, match="TRUEBLEU_NUM_THREADS"):
        BLEU()


def test_where_words_are_read_too():
    with pytest.raises(InputError):
        truebleu.explain(in_itself(), [["a"]])


def test_ids_have_no_case():
    assert token_reader(BLEU(lowercase=True))([1, "A"]) == [1, "a"]


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


@pytest.mark.parametrize("value", [np.array([]), np.array([1, 2]), ["a"]])
def test_a_dialect_is_no_array(value):
    for metric, says in (
        (CHRF(), "metric has options of its own; give dialect"),
        (None, "dialect"),
    ):
        with pytest.raises(OptionError, match=says):
            truebleu.mbr([["a", "b"]], dialect=value, metric=metric)
        with pytest.raises(OptionError, match=says):
            truebleu.plot({"a": ["a"]}, ["a"], dialect=value, metric=metric)


@pytest.mark.parametrize("value", [np.array([]), np.array([1, 2]), ["a"]])
def test_what_is_shown_is_no_array(value, tmp_path):
    hyps, refs = ["a b c d", "b"], ["a b c e", "b"]
    with pytest.raises(OptionError, match="look"):
        truebleu.plot({"a": hyps}, refs, look=value)
    with pytest.raises(OptionError, match="title"):
        truebleu.write_report(tmp_path / "page.html", {"a": hyps}, refs, title=value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [np.array([1, 2]), pd.Series([1, 2])])
def test_a_flag_is_no_array(value):
    hyps, refs = ["a b c d", "b"], ["a b c e", "b"]
    for result in (
        truebleu.diff(hyps, refs, "sacrebleu", "nltk"),
        truebleu.explain(hyps, refs),
        truebleu.explain(hyps[0], refs[0]),
        truebleu.reconcile(hyps, refs, "12.3"),
    ):
        with pytest.raises(OptionError, match="color cannot be"):
            result.format(color=value)
    with pytest.raises(OptionError, match="segment cannot be"):
        truebleu.explain(hyps, refs, segment=value)


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


@pytest.mark.parametrize("width", [-1, 101, 10**9, "", "1", 2.0, True, [1]])
def test_a_score_has_a_number_of_decimals(width):
    for score in (corpus_bleu(["a"], ["a"]), CHRF().corpus(["a"], ["a"])):
        with pytest.raises(OptionError, match="width cannot be"):
            score.format(width)


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


def test_the_kernel_itself_bounds_its_orders():
    for orders in ("0", "1001", str(1 << 60), str((1 << 64) - 1), str(1 << 64)):
        with pytest.raises(ValueError, match="max_ngram_order"):
            Metric("bleu", [("max_ngram_order", orders)])
        if orders != "0":
            with pytest.raises(ValueError, match="char_order"):
                Metric("chrf", [("char_order", orders)])


def test_a_panic_is_an_error_that_asks_for_a_report(capfd):
    resampler = Resampler(Metric("bleu", []), [np.ones(10, dtype=np.int64)])
    with pytest.raises(InternalError, match=r"^internal error: .*please report it") as caught:
        resampler.bootstrap(0, 0, 1 << 60, 1)  # nobody above the kernel asks for so many
    assert isinstance(caught.value, TrueBLEUError)
    assert isinstance(caught.value, RuntimeError)
    # Where it was is for the report.
    assert "panicked at" in capfd.readouterr().err


# Names.


@pytest.mark.parametrize("names", [np.zeros(3), pd.Series(["a", "b"]) == "a", [b"a", b"b"]])
def test_names_are_strings(names):
    with pytest.raises(OptionError, match="is no name of a column; give strings"):
        scan(str(ROOT / "examples"), hyp="a", ref=names)
    with pytest.raises(OptionError, match="no dialect is named"):
        truebleu.reconcile(["a"], ["a"], "12.3", dialects=names)


def test_columns_may_be_named_in_an_array(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("mt\tone\ttwo\na b\ta b\tc d\n")
    by_array, by_list = (
        scan(path, hyp="mt", ref=names(["one", "two"])) for names in (np.array, list)
    )
    assert BLEU().corpus(by_array) == BLEU().corpus(by_list)


@pytest.mark.parametrize("name", ["\ud800", "a\0b"])
def test_a_name_that_no_file_or_encoding_has_is_refused(tmp_path, name):
    for force in (False, True):
        with pytest.raises(OptionError, match="cannot be the name of a file"):
            truebleu.write_report(name, {"a": ["a b"]}, ["a b"], force=force)
    path = tmp_path / "lines"
    path.write_text("a\n")
    for read in (
        lambda: read_lines(str(path), name),
        lambda: list(scan(path, hyps=path, encoding=name)),
    ):
        with pytest.raises(InputError):
            read()

# SPDX-License-Identifier: Apache-2.0
"""Batches accumulate to the whole, and statistics can be kept, joined and sliced."""

from __future__ import annotations

import pickle
from zlib import crc32

import numpy as np
import pyarrow as pa
import pytest
from support.example_texts import HYPS, METRIC, RAGGED, REFS, TWO_REFS, WHOLE, WHOLE_OF_TWO

from truebleu import BLEU, CHRF, TER, InputError, Stats, compare

# Scores of rows.


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk-method7", "matlab"])
def test_values_are_the_scores_of_single_rows(dialect):
    metric = BLEU(dialect, tokenize="13a")
    stats = metric.stats(HYPS, TWO_REFS)
    values = metric.values(stats)
    assert values.tolist() == [metric.score(stats[i : i + 1]).value for i in range(len(stats))]
    assert metric.values(stats[:0]).tolist() == []


def test_values_need_the_orders_of_the_dialect():
    with pytest.raises(InputError, match="have order 3, but the metric order 4"):
        METRIC.values(Stats([[0] * 8], 3))


# Accumulators.


def test_batches_accumulate_to_the_whole():
    accumulator = METRIC.accumulator()
    for i in range(0, len(HYPS), 7):
        accumulator.update(HYPS[i : i + 7], TWO_REFS[i : i + 7])
    assert accumulator.segments == len(HYPS)
    assert accumulator.compute() == WHOLE_OF_TWO


def test_merged_accumulators_are_the_whole():
    parts = [METRIC.accumulator() for _ in range(3)]
    for i, part in enumerate(parts):
        part.update(HYPS[i::3], RAGGED[i::3])
    total = METRIC.accumulator()
    for part in (*parts, METRIC.accumulator()):
        total.merge(part)
    assert total.compute() == METRIC.corpus(HYPS, RAGGED)


def test_batches_with_other_numbers_of_references_are_signed_as_varying():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS[:1], REFS[:1])
    accumulator.update(HYPS[1:], TWO_REFS[1:])
    assert accumulator.compute() == METRIC.corpus(HYPS, [REFS[:1], *TWO_REFS[1:]])


def test_a_reset_accumulator_is_a_new_one():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS[:5], TWO_REFS[:5])
    accumulator.reset()
    with pytest.raises(InputError, match="update"):
        accumulator.compute()
    accumulator.update(HYPS, REFS)
    assert accumulator.compute() == WHOLE


def test_a_bad_batch_leaves_the_accumulator_as_it_was():
    accumulator = METRIC.accumulator()
    accumulator.update(HYPS, REFS)
    with pytest.raises(InputError):
        accumulator.update(["a", None], ["a", "b"])
    assert accumulator.compute() == WHOLE


def test_accumulators_of_two_dialects_do_not_merge():
    other = BLEU(tokenize="char").accumulator()
    other.update(HYPS, REFS)
    with pytest.raises(InputError, match="tok:char"):
        METRIC.accumulator().merge(other)


# Stats.

STATS = METRIC.stats(HYPS, REFS)


def test_stats_of_parts_join_to_those_of_the_whole():
    parts = [METRIC.stats(HYPS[i : i + 10], REFS[i : i + 10]) for i in range(0, len(HYPS), 10)]
    assert Stats.concat(parts) == STATS
    assert METRIC.score(Stats.concat(parts)).value == WHOLE.value


def test_stats_slice_as_a_list_does():
    rows = list(STATS)
    for part in (slice(3, 9), slice(None, None, -1), slice(-5, None), slice(9, 3), slice(1, 40, 3)):
        assert list(STATS[part]) == rows[part]
    assert (STATS[0], STATS[-1], len(STATS)) == (rows[0], rows[-1], len(rows))
    with pytest.raises(IndexError):
        STATS[len(STATS)]


def test_stats_add_row_by_row():
    expected = [tuple(2 * value for value in row) for row in STATS]
    assert list(STATS + STATS) == expected
    with pytest.raises(InputError, match="do not add"):
        STATS + STATS[1:]
    with pytest.raises(InputError, match="do not add"):
        STATS + BLEU(max_ngram_order=2).stats(HYPS, REFS)


def test_stats_are_read_by_numpy():
    array = np.asarray(STATS)
    assert (array.dtype, array.shape) == (np.int64, (len(HYPS), STATS.width))
    assert array.tolist() == [list(row) for row in STATS]
    assert np.asarray(STATS, dtype=float).dtype == float
    assert tuple(array.sum(axis=0)) == STATS.sum()[0]


def test_stats_are_read_by_arrow():
    array = pa.array(STATS)
    assert [tuple(row.values()) for row in array.to_pylist()] == list(STATS)
    assert [field.name for field in array.type] == STATS.column_names()


def test_stats_survive_saving_and_pickling():
    for stats in (STATS, STATS[:0], BLEU(max_ngram_order=7).stats(HYPS, REFS)):
        assert Stats.from_bytes(stats.to_bytes()) == stats
        assert pickle.loads(pickle.dumps(stats)) == stats  # noqa: S301
        assert hash(Stats.from_bytes(stats.to_bytes())) == hash(stats)


def test_stats_do_not_change():
    before = STATS.to_bytes()
    with pytest.raises(AttributeError):
        STATS.orders = 5
    with pytest.raises(AttributeError):
        del STATS.orders
    with pytest.raises(TypeError):
        STATS[0] = (0,) * 10
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(STATS)[0, 0] = 9
    BLEU(smooth_method="add-k").score(STATS)
    assert STATS.to_bytes() == before


def test_a_copy_of_stats_in_numpy_is_the_callers():
    copied = np.array(STATS)
    copied[0, 0] += 1
    assert copied[0, 0] != STATS[0][0]


@pytest.mark.parametrize("at", range(40))
def test_a_damaged_head_of_saved_stats_is_noticed(at):
    data = bytearray(STATS.to_bytes())
    data[at] ^= 0xFF
    with pytest.raises(InputError):
        Stats.from_bytes(bytes(data))


def test_cut_or_overlong_saved_stats_are_noticed():
    data = STATS.to_bytes()
    for damaged in (b"", data[:7], data[:23], data[:-1], data[:-8], data + b"\0", b"x" + data):
        with pytest.raises(InputError):
            Stats.from_bytes(damaged)


@pytest.mark.parametrize("rows", [[[1, 2]], [["a"] * 10], [[2**63] + [0] * 9], [[None] * 10]])
def test_rows_that_are_no_statistics_are_refused(rows):
    with pytest.raises(InputError, match="row 0"):
        Stats(rows)


def test_statistics_are_whole_numbers():
    with pytest.raises(InputError, match="row 0"):
        Stats([[1.5] + [0] * 9])


@pytest.mark.parametrize("count", [2, 200])
def test_a_sum_that_no_longer_fits_is_an_error(count):
    with pytest.raises(InputError):
        Stats([[2**62] * 10] * count).sum()


def test_statistics_of_another_order_are_not_scored():
    with pytest.raises(InputError, match="have order 4, but the metric order 2"):
        BLEU(max_ngram_order=2).score(STATS)


# Faults.


@pytest.mark.parametrize("orders", [0, -1, True, 2.0, None, "4", 1 << 40, 1 << 63])
def test_statistics_have_a_number_of_orders(orders):
    with pytest.raises(InputError, match=r"orders?"):
        Stats([], orders)
    with pytest.raises(InputError, match=r"orders?"):
        Stats.from_buffer(b"", orders)


def test_saved_statistics_of_too_many_orders_are_refused():
    for orders in (0, 1 << 40, 1 << 63):
        head = (orders, 0, 0, crc32(b""))
        data = b"TBLEU\x00\x02\x00" + b"".join(value.to_bytes(8, "little") for value in head)
        with pytest.raises(InputError, match=r"orders?"):
            Stats.from_bytes(data)


@pytest.mark.parametrize("data", [None, "text", 5, [1], np.zeros(3), memoryview(b"a")])
def test_saved_statistics_are_bytes(data):
    with pytest.raises(InputError, match="bytes"):
        Stats.from_bytes(data)


@pytest.mark.parametrize("part", ["a", None, 5, (1, 2), np.zeros((1, 10))])
def test_only_statistics_join_statistics(part):
    with pytest.raises(InputError, match="Stats"):
        Stats.concat([Stats([[1] * 10]), part])


@pytest.mark.parametrize("row", [5, None, 1.5])
def test_a_row_is_a_sequence(row):
    with pytest.raises(InputError, match="row 0"):
        Stats([row])


# Statistics carry the signature of the metric that counted them.

ZH = BLEU(tokenize="zh").stats(HYPS, REFS)


def test_statistics_say_how_they_were_counted():
    assert (STATS.signature, ZH.signature) == ("case:mixed|tok:13a", "case:mixed|tok:zh")
    assert Stats(list(STATS)).signature is None
    parts = (ZH[:3], ZH[::2], ZH[[0, 5]], ZH.sum(), ZH + ZH, Stats.concat([ZH, Stats(list(ZH))]))
    for part in (*parts, Stats.from_bytes(ZH.to_bytes()), pickle.loads(pickle.dumps(ZH))):  # noqa: S301
        assert part.signature == ZH.signature
    accumulator = BLEU(tokenize="zh").accumulator()
    accumulator.update(HYPS, REFS)
    assert accumulator.stats.signature == accumulator.compute().stats.signature == ZH.signature


@pytest.mark.parametrize(
    "mix",
    [
        lambda: STATS + ZH,
        lambda: Stats.concat([STATS, ZH]),
        lambda: METRIC.score(ZH),
        lambda: METRIC.values(ZH),
        lambda: METRIC.parts(ZH),
        lambda: compare({"A": ZH, "B": ZH}),
        lambda: compare({"A": STATS, "B": ZH}, metric=BLEU(tokenize="zh")),
    ],
)
def test_statistics_counted_in_different_ways_do_not_mix(mix):
    with pytest.raises(InputError, match=r"tok:(13a|zh).*tok:(13a|zh)"):
        mix()


def test_a_dialect_scores_what_another_one_counted_alike():
    floor = BLEU(smooth_method="floor")
    assert floor.score(STATS).value == floor.corpus(HYPS, REFS).value
    assert BLEU("mteval-v13a", lowercase=False).stats(HYPS, REFS).signature is not None
    by_hand = Stats(list(ZH))
    assert METRIC.score(by_hand).stats == ZH.sum()
    assert compare({"A": by_hand, "B": ZH}, metric=BLEU(tokenize="zh"), resamples=20).pairs
    assert CHRF().stats(HYPS, REFS).signature != CHRF(beta=3).stats(HYPS, REFS).signature


def test_rows_are_selected_as_numpy_does():
    rows = np.asarray(STATS)
    mask = rows[:, 0] > rows[:, 0].mean()
    for index in ([0, 5], [-1], [], mask, mask.tolist(), np.array([3, 3, 1]), np.arange(2)):
        part = STATS[index]
        assert (
            np.asarray(part).tolist()
            == rows[np.asarray(index, dtype=None if len(index) else int)].tolist()
        )
        assert type(part) is Stats
    assert STATS[np.int64(2)] == STATS[2]
    for wrong in ([len(STATS)], [True], np.ones(3, dtype=bool)):
        with pytest.raises(IndexError):
            STATS[wrong]
    for wrong in ("a", (0, 5), [0.5], None, rows):
        with pytest.raises(TypeError, match="rows are selected by"):
            STATS[wrong]


def test_lengths_of_ter_are_in_words():
    stats = TER().stats(["a b c", "d"], [["a b d", "a b"], ["e"]])
    assert stats.column_names() == ["edits", "ref_len_units"]
    columns = {"edits": [1, 1], "ref_len": [2.5, 1.0]}
    assert {name: column.tolist() for name, column in stats.columns().items()} == columns
    assert pa.array(stats).to_pylist() == [
        {"edits": 1, "ref_len": 2.5},
        {"edits": 1, "ref_len": 1.0},
    ]
    assert TER().score(stats).counts() == {"edits": 2, "ref_len": 3.5}
    assert "2.50" in stats._repr_html_()


def test_rows_saved_by_another_version_are_told():
    data = STATS.to_bytes()
    with pytest.raises(InputError, match="of another version of TrueBLEU; count them again"):
        Stats.from_bytes(data[:6] + b"\x01" + data[7:])

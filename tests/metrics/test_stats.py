# SPDX-License-Identifier: Apache-2.0
"""Rows of statistics add, slice, travel, and say how they were counted."""

import pickle
import random
from contextlib import suppress
from zlib import crc32

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.example_texts import HYPS, METRIC, REFS
from support.judged_cases import MIXED
from support.profiles import SLOW

import truebleu as tb
from truebleu import BLEU, CHRF, TER, InputError, Stats, compare
from truebleu.dialects.decisions import OPTIONS

STATS = METRIC.stats(HYPS, REFS)


rows = st.lists(st.integers(-(2**40), 2**40), min_size=10, max_size=10)
stats = st.lists(rows, min_size=1, max_size=5).map(Stats)


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(rows, min_size=n, max_size=n)] * 3)))
def test_rows_are_a_commutative_monoid(three):
    a, b, c = map(Stats, three)
    zero = Stats([[0] * 10] * len(a))
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + zero == a


@pytest.mark.parametrize("count", [2, 200])
def test_a_sum_that_does_not_fit_is_an_error(count):
    with pytest.raises(InputError):
        Stats([[2**62] * 10] * count).sum()


def test_rows_are_selected_as_in_a_list():
    listed = list(STATS)
    for part in (slice(3, 9), slice(None, None, -1), slice(-5, None), slice(9, 3), slice(1, 40, 3)):
        assert list(STATS[part]) == listed[part]
    assert (STATS[0], STATS[-1], len(STATS)) == (listed[0], listed[-1], len(listed))
    with pytest.raises(IndexError):
        STATS[len(STATS)]


def test_rows_are_selected_as_numpy_does():
    rows = np.asarray(STATS)
    mask = rows[:, 0] > rows[:, 0].mean()
    for index in ([0, 5], [-1], [], mask, mask.tolist(), np.array([3, 3, 1]), np.arange(2)):
        part = STATS[index]
        assert np.asarray(part).tolist() == rows[np.asarray(index, dtype=None if len(index) else int)].tolist()
        assert type(part) is Stats
    assert STATS[np.int64(2)] == STATS[2]
    for wrong in ([len(STATS)], [True], np.ones(3, dtype=bool)):
        with pytest.raises(IndexError):
            STATS[wrong]
    for wrong in ("a", (0, 5), [0.5], None, rows):
        with pytest.raises(TypeError, match="rows are selected by"):
            STATS[wrong]


def test_numpy_and_arrow_read_rows():
    array = np.asarray(STATS)
    assert (array.dtype, array.shape) == (np.int64, (len(HYPS), STATS.width))
    assert array.tolist() == [list(row) for row in STATS]
    assert np.asarray(STATS, dtype=float).dtype == float
    copied = np.array(STATS)
    copied[0, 0] += 1
    assert copied[0, 0] != STATS[0][0]
    arrow = pa.array(STATS)
    assert [tuple(row.values()) for row in arrow.to_pylist()] == list(STATS)
    assert [field.name for field in arrow.type] == STATS.column_names()


def test_lengths_of_ter_are_in_words():
    stats = TER().stats(["a b c", "d"], [["a b d", "a b"], ["e"]])
    assert stats.column_names() == ["edits", "ref_len_units"]
    columns = {"edits": [1, 1], "ref_len": [2.5, 1.0]}
    assert {name: column.tolist() for name, column in stats.columns().items()} == columns
    assert pa.array(stats).to_pylist() == [{"edits": 1, "ref_len": 2.5}, {"edits": 1, "ref_len": 1.0}]
    assert TER().score(stats).counts() == {"edits": 2, "ref_len": 3.5}


def test_statistics_do_not_change():
    before = STATS.to_bytes()
    for change in (lambda: setattr(STATS, "shape", (5,)), lambda: delattr(STATS, "signature")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError):
        STATS[0] = (0,) * 10
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(STATS)[0, 0] = 9
    BLEU(smooth_method="add-k").score(STATS)
    assert STATS.to_bytes() == before


def test_damaged_statistics_are_noticed():
    data = STATS.to_bytes()
    for at in range(60):
        damaged = bytearray(data)
        damaged[at] ^= 0xFF
        with pytest.raises(InputError):
            Stats.from_bytes(bytes(damaged))
    for cut in (b"", data[:7], data[:23], data[:-1], data[:-8], data + b"\0", b"x" + data):
        with pytest.raises(InputError):
            Stats.from_bytes(cut)
    for orders in (0, 1 << 40, 1 << 63):
        head = (orders, 0, 0, crc32(b""))
        made = data[:8] + b"".join(value.to_bytes(8, "little") for value in head)
        with pytest.raises(InputError, match="order"):
            Stats.from_bytes(made)
    for wrong in (None, "text", 5, [1], np.zeros(3), memoryview(b"a")):
        with pytest.raises(InputError, match="bytes"):
            Stats.from_bytes(wrong)
    with pytest.raises(InputError, match="not saved Stats"):
        Stats.from_bytes(TER().stats(HYPS, REFS).to_bytes())
    with pytest.raises(InputError, match="of another version of TrueBLEU; count them again"):
        Stats.from_bytes(data[:6] + b"\x01" + data[7:])


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
        lambda: STATS + ZH, lambda: Stats.concat([STATS, ZH]), lambda: METRIC.score(ZH),
        lambda: METRIC.values(ZH), lambda: METRIC.parts(ZH), lambda: compare({"A": ZH, "B": ZH}),
        lambda: compare({"A": STATS, "B": ZH}, metric=BLEU(tokenize="zh")),
    ],
)  # fmt: skip
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


LINES = ["The  cat\x1csat on the mat .", "", "a b c d e", "A-b, c (d) e", "x", "a\u3000b c &lt;"]
ANSWERS = [["the cat sat on a mat."], ["a"], ["a b c d", "b c d e f"], ["a - B , c (d) e f"],
        ["y z"], ["a b\x0bc <", ""]]  # fmt: skip
CHOICES = {
    **MIXED,
    **{name: OPTIONS[name].choices for name in (
        "lowercase_rule", "lowercase_when", "strip", "markup", "whitespace",
    )},
    "tokenize": ("none", "13a", "char", "intl", "space", "words", "re:(?s:.)", r"re:\w+"),
    "lowercase": (False, True),
    "scale": (1, 100),
}  # fmt: skip


def _metric(draw, dialect, most):
    changes = {name: draw.choice(CHOICES[name]) for name in draw.sample(sorted(CHOICES), most)}
    if changes.get("weights"):
        changes["max_ngram_order"] = len(changes["weights"])
    with suppress(tb.OptionError):
        return tb.BLEU(dialect.replace(**changes), threads=1)
    return tb.BLEU(dialect, threads=1)


def test_statistics_of_changed_dialects_are_right_or_refused():
    draw, outcomes = random.Random(4), {"right": 0, "refused": 0}
    for pair in range(5000 if SLOW else 500):
        row = tb.DIALECTS[draw.choice(sorted(tb.DIALECTS))].replace(tokenize="none")
        first = _metric(draw, row, draw.randint(0, 3))
        second = _metric(draw, first.dialect, draw.randint(1, 2))
        halves = (first.stats(LINES[:3], ANSWERS[:3]), second.stats(LINES[3:], ANSWERS[3:]))
        try:
            mixed = tb.Stats.concat(halves)
            for metric in (first, second):
                value, expected = (metric.score(mixed).value, metric.corpus(LINES, ANSWERS).value)
                assert repr(value) == repr(expected), (pair, first.signature, second.signature)
            outcomes["right"] += 1
        except tb.InputError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 50


def test_functions_of_one_name_do_not_mix():
    class Splitter:
        def words(self, text):
            return text.split()

    splitter = Splitter()
    same = [tb.BLEU(tokenize=splitter.words).stats(LINES, ANSWERS) for _ in range(2)]
    assert same[0] + same[1]
    functions = [lambda text: text.split(), lambda text: list(text)]  # noqa: PLW0108
    for metric in (tb.BLEU, tb.NIST):
        first, second = (metric(tokenize=tokenize).stats(LINES, ANSWERS) for tokenize in functions)
        with pytest.raises(tb.InputError, match=r"<lambda>@\d+#2"):
            first + second


def test_functions_of_the_same_lines_and_values_mix():
    def splitter(mark, limit=-1, last=None):
        return lambda text, limit=limit, *, last=last: text.split(mark, limit)[:last]

    def counted(*values):
        return tb.BLEU(tokenize=splitter(*values)).stats(LINES, ANSWERS)

    assert counted(" ") + counted(" ")
    for other in (counted("a"), counted(" ", 3), counted(" ", -1, 4)):
        assert "#" not in str(other.signature)  # a number differs between processes
        with pytest.raises(tb.InputError, match=r"<lambda>@\d+-"):
            counted(" ") + other

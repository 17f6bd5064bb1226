# SPDX-License-Identifier: Apache-2.0
"""What an iterator gives is scored as it comes, and never held as a whole."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

import truebleu as tb
from truebleu import BLEU, CHRF, TER, InputError

#: Segments that one thread reads at a time (crates/python/src/chunks.rs).
CHUNK = 1 << 13
HYPS = [f"a b c {i % 7} d" for i in range(CHUNK + 1)]
REFS = [f"a b c {i % 5} d" for i in range(CHUNK + 1)]
ONE = BLEU(threads=1)


@pytest.mark.parametrize("metric", [ONE, BLEU(tokenize=str.split), CHRF(), TER()], ids=repr)
def test_an_iterator_is_as_good_as_a_list(metric):
    expected = metric.corpus(HYPS, REFS)
    for hyps, refs in [(iter(HYPS), iter(REFS)), (iter(HYPS), REFS), (HYPS, iter(REFS))]:
        assert metric.corpus(hyps, refs) == expected
    scores = metric.sentences(HYPS, REFS)
    assert metric.sentences(iter(HYPS), iter(REFS)).tobytes() == scores.tobytes()
    accumulator = metric.accumulator()
    accumulator.update(iter(HYPS), iter(REFS))
    assert accumulator.segments == len(HYPS)
    assert accumulator.compute() == expected


@pytest.mark.parametrize(
    "items",
    [
        [np.array(["a", "b"])] * 3,
        [[]] * 40 + [["a", "b"]],
        [[]] * 40 + [[5, 6]],
        [["a", "b"], []] * 20,
        [np.array([5, 6, 7])] * 3,
    ],
    ids=["arrays", "empty lists first", "empty rows first", "empty lists", "rows"],
)
def test_what_an_iterator_holds_is_found_out(items):
    refs = [[item] for item in items]
    assert ONE.corpus(iter(items), iter(items)) == ONE.corpus(items, items)
    assert ONE.corpus(iter(items), iter(refs)) == ONE.corpus(items, refs)


def test_what_is_scored_is_not_held():
    def made(count):
        return (f"{i} " * 200 for i in range(count))

    peaks = []
    for count in (2 * CHUNK, 8 * CHUNK):
        tracemalloc.start()
        assert ONE.corpus(made(count), made(count)).value == pytest.approx(100)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


@pytest.mark.parametrize(
    ("hyps", "refs", "group", "message"),
    [
        (5, 3, 1, "hyps has 5 segments, refs has 3$"),
        (3, 5, 1, "hyps has 3 segments, refs has 5$"),
        (CHUNK + 1, 3, 1, f"hyps has {CHUNK} or more segments, refs has 3$"),
        (3, CHUNK + 1, 1, f"hyps has 3 segments, refs has {CHUNK} or more$"),
        (CHUNK, CHUNK + 1, 1, f"hyps has {CHUNK} segments, refs has {CHUNK + 1}$"),
        (CHUNK + 1, CHUNK, 1, f"hyps has {CHUNK + 1} segments, refs has {CHUNK}$"),
        (5, 2, 2, "hyps has 5 segments, refs has 2 for groups of 2$"),
        (0, 0, 1, "hyps is empty; give one segment at least"),
        (0, 3, 1, "hyps is empty; give one segment at least"),
    ],
)
def test_columns_of_unequal_length(hyps, refs, group, message):
    with pytest.raises(InputError, match=message):
        ONE.corpus(iter(HYPS[:hyps]), iter(REFS[:refs]), group=group)
    known = [(HYPS[:hyps], iter(REFS[:refs])), (iter(HYPS[:hyps]), REFS[:refs])]
    for columns in known:
        with pytest.raises(InputError, match=r"hyps (has|is)"):
            ONE.corpus(*columns, group=group)


def test_the_layout_of_sacrebleu_is_named():
    few = HYPS[:3]
    for hyps in (few, iter(few)):
        with pytest.raises(InputError, match=r"pass refs=truebleu.streams\(\*refs\)"):
            ONE.corpus(hyps, iter([few, few]))


@pytest.mark.parametrize("at", [0, 5, CHUNK])
def test_what_a_generator_raises_is_what_the_caller_sees(at):
    def broken(items):
        for i, item in enumerate(items):
            if i == at:
                raise TypeError("mine")
            yield item

    for hyps, refs in [(broken(HYPS), iter(REFS)), (HYPS, broken(REFS))]:
        with pytest.raises(TypeError, match="mine"):
            ONE.corpus(hyps, refs)
    for call in (tb.self_bleu, tb.pairwise):
        with pytest.raises(TypeError, match="mine"):
            call(broken(HYPS))
    with pytest.raises(TypeError, match="mine"):
        tb.explain(broken(HYPS), REFS)


@pytest.mark.parametrize("at", [0, 5, CHUNK])
@pytest.mark.parametrize(
    "item", [None, 7, ["a"], "\udc80"], ids=["None", "int", "list", "surrogate"]
)
def test_a_fault_is_named_by_its_place(at, item):
    bad = [*HYPS[:at], item, *HYPS[at + 1 :]]
    where = at or int(isinstance(item, list))  # a list that comes first says what all are
    with pytest.raises(InputError, match=rf"^hyps(\[{where}\]| hold)"):
        ONE.corpus(iter(bad), iter(REFS))
    with pytest.raises(InputError, match=rf"^texts(\[{where}\]| hold)"):
        tb.self_bleu(iter(bad))


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, CHUNK + 1])
@pytest.mark.parametrize("form", [str, str.split], ids=["texts", "words"])
@pytest.mark.parametrize("kind", [list, iter])
def test_self_bleu_in_parts(size, form, kind):
    texts = [f"a {i % 3} b {i % 501} c {i}" for i in range(size)]
    found = tb.self_bleu(kind([form(text) for text in texts]), tokenize="none")
    assert found.texts == size
    bleu = BLEU(tokenize="none")
    for at in (0, 1, CHUNK - 2, size - 1):
        others = texts[:at] + texts[at + 1 :]
        assert found.scores[at] == bleu.sentence(texts[at], others).value


def test_self_bleu_of_an_iterator():
    texts = HYPS[:50] + REFS[:50]
    for changes in ({}, {"sample": 7}, {"definition": "pairwise"}, {"tokenize": str.split}):
        expected = tb.self_bleu(texts, **changes)
        found = tb.self_bleu(iter(texts), **changes)
        assert (found, found.texts, found.interval) == (expected, 100, expected.interval)


def test_a_group_that_is_larger_than_a_part():
    count = 2 * CHUNK + 5
    hyps = [f"a b c {i}" for i in range(2 * count)]
    refs = ["a b c 7", "a b d 7"]
    expected = ONE.sentences(hyps, [ref for ref in refs for _ in range(count)])
    for columns in [(iter(hyps), iter(refs)), (hyps, iter(refs)), (iter(hyps), refs)]:
        assert ONE.sentences(*columns, group=count).tobytes() == expected.tobytes()


def test_a_list_that_is_shortened_meanwhile():
    refs = list(REFS)

    def shortening():
        for i, hyp in enumerate(HYPS):
            if i == CHUNK - 1:
                del refs[5:]
            yield hyp

    with pytest.raises(InputError, match="a list was shortened while it was read"):
        ONE.corpus(shortening(), refs)


@pytest.mark.parametrize("kind", [list, pa.array])
def test_what_nobody_has_room_for_is_not_counted(kind):
    count = 20_000_000  # rows of 16 kB
    texts = kind(["a"]).take(np.zeros(count, dtype=np.int32)) if kind is pa.array else ["a"] * count
    with pytest.raises(InputError, match=r"this takes up to [\d.]+ GB of memory"):
        BLEU(max_ngram_order=1000).stats(texts, texts)

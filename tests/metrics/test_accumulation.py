# SPDX-License-Identifier: Apache-2.0
"""A corpus is the sum of its parts: batches, processes, groups."""

import json
import pickle
from copy import copy, deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each_metric import METRICS
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS
from support.id_columns import ByDlpack
from support.profiles import examples

from truebleu import BLEU, CHRF, NIST, InputError
from truebleu.metrics.accumulation import accumulator_of, group_places, group_sums, states

BLEU_13A = BLEU(threads=1)
each_metric = pytest.mark.parametrize("metric", METRICS, ids=range(len(METRICS)))
each_refs = pytest.mark.parametrize("refs", [REFS, TWO_REFS, RAGGED], ids=["one", "two", "ragged"])


def accumulated(hyps, refs, metric=BLEU_13A):
    accumulator = metric.accumulator()
    if hyps:
        accumulator.update(hyps, refs)
    return accumulator


@each_metric
@each_refs
def test_batches_shards_and_sums_of_states_give_the_whole(metric, refs):
    expected = metric.corpus(HYPS, refs)
    batches, merged, summed = (metric.accumulator() for _ in range(3))
    for i in range(0, len(HYPS), 7):
        batches.update(HYPS[i : i + 7], refs[i : i + 7])
    shards = [accumulated(HYPS[i::3], refs[i::3], metric) for i in range(3)]
    for shard in (*shards, metric.accumulator()):
        merged.merge(shard)
    summed.state = sum(shard.state for shard in shards)
    for total in (batches, merged, summed, sum(shards)):
        assert total.compute() == expected
        assert total.segments == len(HYPS)
        assert total.stats == metric.stats(HYPS, refs).sum()


def test_batches_with_other_numbers_of_references_are_signed_as_varying():
    one, two = accumulated(HYPS[:4], REFS[:4]), accumulated(HYPS[4:], TWO_REFS[4:])
    one.merge(two)
    refs = [[ref] for ref in REFS[:4]] + [list(row) for row in TWO_REFS[4:]]
    assert one.compute() == BLEU_13A.corpus(HYPS, refs)
    assert "nrefs:var" in one.compute().signature
    total = BLEU_13A.accumulator()
    total.state = accumulated([[1, 2]], [[1, 2]]).state
    assert "tok:given" in total.compute().signature


def test_accumulators_add_and_keep_their_threads(monkeypatch):
    one, two = (accumulated(HYPS[half], REFS[half], BLEU(threads=1)) for half in (slice(4), slice(4, None)))
    assert (one + two).metric.threads == 1
    assert repr(one).endswith(f"version:2.6.0: {one.segments} segments>")
    with pytest.raises(TypeError):
        one + 1
    for metric in (one.metric, CHRF(threads=1), NIST(threads=1, info=REFS)):
        monkeypatch.setenv("TRUEBLEU_NUM_THREADS", "1")
        pickled = pickle.dumps(metric)
        monkeypatch.setenv("TRUEBLEU_NUM_THREADS", "2")  # another machine
        copies = copy(metric), deepcopy(metric), pickle.loads(pickled)  # noqa: S301
        assert [other.threads for other in copies] == [1, 1, 1]


def test_a_reset_accumulator_is_a_new_one():
    accumulator = accumulated(HYPS[:5], TWO_REFS[:5])
    accumulator.reset()
    with pytest.raises(InputError, match="update"):
        accumulator.compute()
    accumulator.update(HYPS, REFS)
    assert accumulator.compute() == BLEU_13A.corpus(HYPS, REFS)


@each_metric
def test_a_bad_batch_leaves_the_accumulator_as_it_was(metric):
    accumulator = accumulated(HYPS, REFS, metric)
    with pytest.raises(InputError):
        accumulator.update(["a", None], ["a", "b"])
    assert accumulator.compute() == metric.corpus(HYPS, REFS)


def test_accumulators_of_different_metrics_do_not_merge():
    for other in (BLEU(tokenize="char"), BLEU(lowercase=True), *METRICS[1:]):
        with pytest.raises(InputError, match="do not merge"):
            BLEU_13A.accumulator().merge(accumulated(HYPS, REFS, other))
        with pytest.raises(InputError, match=r"not a state of .*, but of"):
            BLEU_13A.accumulator().load_state_dict(other.accumulator().state_dict())
    for wrong in ({}, None, {"signature": BLEU_13A.signature}):
        with pytest.raises(InputError, match=r"not a state of|a state has 15 integers"):
            BLEU_13A.accumulator().load_state_dict(wrong)


def test_a_state_is_small_and_of_int64():
    state = accumulated(HYPS, TWO_REFS).state
    assert (state.dtype, len(state)) == (np.int64, 15)
    state[:] = 0
    assert accumulated(HYPS, TWO_REFS).segments == len(HYPS)


@each_metric
def test_a_state_survives_pickle_and_json_and_goes_on(metric):
    half = accumulated(HYPS[:9], TWO_REFS[:9], metric)
    through = metric.accumulator()
    through.load_state_dict(json.loads(json.dumps(half.state_dict())))
    pickled = pickle.loads(pickle.dumps(half))  # noqa: S301
    for other in (pickled, through):
        other.update(HYPS[9:], TWO_REFS[9:])
        assert other.compute() == metric.corpus(HYPS, TWO_REFS)
    assert half.segments == 9


def test_a_state_may_hold_fewer_than_no_n_grams():
    metric = BLEU("pymteval")  # which counts -1 trigrams in one word
    short, whole = accumulated(["a"], ["a"], metric), metric.accumulator()
    assert short.stats[0][-2:] == (-1, -2)
    whole.load_state_dict(short.state_dict())
    whole.update(HYPS, REFS)
    assert whole.compute() == metric.corpus(["a", *HYPS], ["a", *REFS])


@pytest.mark.parametrize(
    "state",
    [
        [1, 2],
        [0.0] * 15,
        [[0] * 15],
        [True] * 15,
        [-1, *[0] * 14],
        "no",
        None,
        ByDlpack(np.zeros(15, int), device=(2, 0)),
    ],
    ids=["short", "floats", "nested", "booleans", "negative", "text", "None", "on a GPU"],
)
def test_bad_states_are_refused(state):
    accumulator = accumulated(HYPS, REFS)
    with pytest.raises(InputError, match="state"):
        accumulator.state = state
    assert accumulator.compute() == BLEU_13A.corpus(HYPS, REFS)


@each_metric
@examples(share=4)
@given(labels=st.lists(st.integers(0, 4), min_size=len(HYPS), max_size=len(HYPS)))
def test_states_of_segments_add_to_those_of_groups(metric, labels):
    known, places = group_places(labels)
    assert known == list(dict.fromkeys(labels))
    rows = states(metric, HYPS, TWO_REFS, 2)
    sums = group_sums(rows, places, len(known) + 1)
    assert not sums[-1].any()
    for label, state in zip(known, sums, strict=False):
        segments = [i for i, one in enumerate(labels) if one == label]
        hyps, refs = [HYPS[i] for i in segments], [TWO_REFS[i] for i in segments]
        assert accumulator_of(metric, state).compute() == metric.corpus(hyps, refs)

# SPDX-License-Identifier: Apache-2.0
"""Inside of training loops: state that adds, processes, threads, frameworks, memory."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import sys

import numpy as np
import pytest
import sacrebleu
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS

from truebleu import BLEU, InputError, MissingExtraError
from truebleu.integrations.huggingface import compute, compute_metrics, reward

METRIC = BLEU(threads=1)


def accumulated(hyps, refs):
    accumulator = METRIC.accumulator()
    if hyps:
        accumulator.update(hyps, refs)
    return accumulator


# State.


@pytest.mark.parametrize("refs", [REFS, TWO_REFS, RAGGED], ids=["one", "two", "ragged"])
def test_states_of_shards_add_to_the_whole(refs):
    for shards in (1, 2, 3, len(HYPS)):
        parts = [accumulated(HYPS[i::shards], refs[i::shards]) for i in range(shards)]
        total = METRIC.accumulator()
        total.state = sum(part.state for part in parts)
        assert total.compute() == METRIC.corpus(HYPS, refs)
        assert total.segments == len(HYPS)


def test_shards_with_other_numbers_of_references_are_signed_as_varying():
    one, two = accumulated(HYPS[:4], REFS[:4]), accumulated(HYPS[4:], TWO_REFS[4:])
    total = METRIC.accumulator()
    total.state = one.state + two.state + METRIC.accumulator().state
    refs = [[ref] for ref in REFS[:4]] + [list(row) for row in TWO_REFS[4:]]
    assert total.compute() == METRIC.corpus(HYPS, refs)
    assert "nrefs:var" in total.compute().signature


def test_given_tokens_are_remembered():
    total = METRIC.accumulator()
    total.state = accumulated([[1, 2]], [[1, 2]]).state
    assert "tok:given" in total.compute().signature


def test_a_state_is_small_and_of_int64():
    state = accumulated(HYPS, TWO_REFS).state
    assert state.dtype == np.int64
    assert len(state) == 15
    state[:] = 0
    assert accumulated(HYPS, TWO_REFS).segments == len(HYPS)


def test_a_state_survives_pickle_and_json_and_goes_on():
    half = accumulated(HYPS[:9], TWO_REFS[:9])
    through = METRIC.accumulator()
    through.load_state_dict(json.loads(json.dumps(half.state_dict())))
    pickled = pickle.loads(pickle.dumps(half))  # noqa: S301
    for copy in (pickled, through):
        copy.update(HYPS[9:], TWO_REFS[9:])
        assert copy.compute() == METRIC.corpus(HYPS, TWO_REFS)
    assert half.segments == 9


@pytest.mark.parametrize(
    "state",
    [[1, 2], [0.0] * 15, [[0] * 15], [True] * 15, [-1, *[0] * 14], "no", None],
    ids=str,
)
def test_what_is_no_state_is_refused(state):
    accumulator = accumulated(HYPS, REFS)
    before = accumulator.compute()
    with pytest.raises(InputError, match="state"):
        accumulator.state = state
    assert accumulator.compute() == before


def test_a_state_of_another_dialect_is_refused():
    other = BLEU(lowercase=True).accumulator()
    with pytest.raises(InputError, match="case:lc"):
        METRIC.accumulator().load_state_dict(other.state_dict())
    for wrong in ({}, None, {"signature": METRIC.signature}):
        with pytest.raises(InputError, match="not a state"):
            METRIC.accumulator().load_state_dict(wrong)


# Processes.


def _score_in_child(queue):
    queue.put(METRIC.corpus([[1, 2, 3, 4]], [[1, 2, 3, 5]]).value)


def test_a_forked_child_can_score():
    if sys.platform != "linux":
        pytest.skip("processes are not forked here by default")
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_score_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=30) == METRIC.corpus([[1, 2, 3, 4]], [[1, 2, 3, 5]]).value
    child.join()


# Columns of strings that NumPy has since version 2.


def test_string_arrays_of_numpy_2_score_as_lists():
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy before 2.0 has no StringDType")
    dtype = np.dtypes.StringDType()
    hyps, refs = np.array(HYPS, dtype=dtype), np.array(REFS, dtype=dtype)
    assert METRIC.sentences(hyps, refs).tolist() == METRIC.sentences(HYPS, REFS).tolist()
    two = np.array(TWO_REFS, dtype=dtype)
    assert METRIC.stats(hyps, two) == METRIC.stats(HYPS, TWO_REFS)


def test_results_are_arrays():
    scores = METRIC.sentences(HYPS, REFS)
    rows = np.asarray(METRIC.stats(HYPS, REFS))
    assert (scores.dtype, scores.shape) == (np.float64, (len(HYPS),))
    assert (rows.dtype, rows.shape) == (np.int64, (len(HYPS), 10))


# Doors to frameworks that need no framework.


def test_compute_gives_what_evaluate_gives():
    # evaluate's own module hands out these attributes of sacreBLEU's score; it is downloaded when
    # it is used, so that it cannot be asked here.
    found = compute(predictions=HYPS, references=TWO_REFS, summation=SUMMATION)
    streams = [list(stream) for stream in zip(*TWO_REFS, strict=True)]
    theirs = sacrebleu.corpus_bleu(HYPS, streams)
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"):
        assert found[name] == getattr(theirs, name)
    ragged = compute(predictions=HYPS, references=RAGGED, dialect="nltk", weights=(0.5, 0.5))
    assert ragged["score"] == BLEU("nltk", weights=(0.5, 0.5)).corpus(HYPS, RAGGED).value


class Prediction:
    def __init__(self, predictions, label_ids):
        self.predictions = predictions
        self.label_ids = label_ids


class Tokenizer:
    """Ids are the places of letters."""

    pad_token_id = 0

    def batch_decode(self, rows, *, skip_special_tokens):
        assert skip_special_tokens
        return [" ".join("_abcdefgh"[i] for i in row if i) for row in rows.tolist()]


def test_compute_metrics_reads_a_prediction():
    hyps = np.array([[1, 2, 3, 4, 0], [5, 6, 7, 8, -100]])
    labels = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])
    expected = METRIC.corpus(["a b c d", "e f g h"], ["a b c d", "e f g"])
    for predictions in (hyps, (hyps, "more")):
        found = compute_metrics(Tokenizer())(Prediction(predictions, labels))
        assert found == {
            "bleu": expected.value, "brevity_penalty": expected.bp, "length_ratio": expected.ratio,
        }  # fmt: skip
        found = compute_metrics(pad_id=0, eos_id=9)(Prediction(predictions, labels))
        assert found["bleu"] == expected.value
    # What generation begins with is no token, even if it ends segments, too.
    for start in (9, 8):
        begun = np.hstack([np.full((2, 1), start), np.where(hyps == -100, 0, hyps)])
        how = {"pad_id": 0, "eos_id": 9, "start_id": None if start == 9 else start}
        assert compute_metrics(**how)(Prediction(begun, labels))["bleu"] == expected.value
    with pytest.raises(InputError, match="predict_with_generate=True"):
        compute_metrics()(Prediction(np.zeros((2, 3, 4)), labels))


def test_a_reward_is_a_list_of_floats_from_0_to_1():
    function = reward(column="answer")
    values = function(prompts=HYPS, completions=HYPS, answer=TWO_REFS, other=[0] * len(HYPS))
    assert all(type(value) is float for value in values)
    assert values == (METRIC.sentences(HYPS, TWO_REFS) / 100).tolist()
    chats = [[{"role": "assistant", "content": hyp}] for hyp in HYPS]
    assert function(prompts=HYPS, completions=chats, answer=TWO_REFS) == values
    assert reward("nltk-method1", column="answer")(HYPS, answer=REFS)[0] <= 1
    some = [None, *TWO_REFS[1:]]
    assert function(prompts=HYPS, completions=HYPS, answer=some) == [None, *values[1:]]
    assert function(completions=HYPS[:1], answer=[None]) == [None]
    called = [*chats[0][:1], {"role": "tool", "content": None}]
    assert function(completions=[called], answer=TWO_REFS[:1]) == values[:1]
    with pytest.raises(InputError, match="hyps has 1 segments, refs has 2"):
        function(completions=HYPS[:1], answer=REFS[:2])
    with pytest.raises(InputError, match="no column 'answer'"):
        function(prompts=HYPS, completions=HYPS)


def test_a_missing_library_is_named_with_the_line_that_installs_it(monkeypatch):
    from truebleu.integrations.torchmetrics import bleu_metric

    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'truebleu\[torchmetrics\]'"):
        bleu_metric()

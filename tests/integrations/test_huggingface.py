# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's evaluate, transformers and trl: functions that need none of them."""

import numpy as np
import pytest
import sacrebleu
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS

from truebleu import BLEU, InputError
from truebleu.integrations.huggingface import compute, compute_metrics, reward

METRIC = BLEU(threads=1)


def test_compute_gives_what_evaluate_gives():
    # evaluate's own module hands out these attributes of sacreBLEU's score; it is downloaded when
    # it is used, so that it cannot be asked here.
    result = compute(predictions=HYPS, references=TWO_REFS, summation=SUMMATION)
    streams = [list(stream) for stream in zip(*TWO_REFS, strict=True)]
    theirs = sacrebleu.corpus_bleu(HYPS, streams)
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"):
        assert result[name] == getattr(theirs, name)
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
        result = compute_metrics(Tokenizer())(Prediction(predictions, labels))
        assert result == {
            "bleu": expected.value, "brevity_penalty": expected.bp, "length_ratio": expected.ratio,
        }  # fmt: skip
        result = compute_metrics(pad_id=0, eos_id=9)(Prediction(predictions, labels))
        assert result["bleu"] == expected.value
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
    with pytest.raises(InputError, match="hyps has 1 segment, refs has 2"):
        function(completions=HYPS[:1], answer=REFS[:2])
    with pytest.raises(InputError, match="no column 'answer'"):
        function(prompts=HYPS, completions=HYPS)

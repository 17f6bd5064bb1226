# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's evaluate, transformers and trl: functions that need none of them."""

import pickle
import sys
from contextlib import nullcontext
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from support.corpora import SUMMATION
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS

from truebleu import BLEU, CHRF, GLEU, TER, InputError, MissingExtraError, OptionError, load_run
from truebleu.integrations.huggingface import compute, compute_metrics, reward, run_callback

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

    def batch_decode(self, rows, *, skip_special_tokens):
        assert skip_special_tokens
        assert all(i >= 0 for row in rows for i in row)
        return [" ".join("_abcdefgh"[i] for i in row if i) for row in rows]


def test_a_callback_saves_runs(tmp_path, monkeypatch):
    """test_frameworks.py has the same with Transformers, which not every machine has."""
    folder = tmp_path / "run-7"
    with pytest.raises(MissingExtraError) if find_spec("transformers") is None else nullcontext():
        run_callback(folder, Tokenizer())
    stub = SimpleNamespace(TrainerCallback=object)
    monkeypatch.setitem(sys.modules, "transformers", stub)
    labels = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])
    options = {"metrics": ["bleu", "chrf"], "tags": {"lang": "de"}}
    callback = run_callback(folder, Tokenizer(), **options)
    expected = {}
    for step, is_first in ((0, True), (100, True), (200, False)):
        state = SimpleNamespace(global_step=step, is_world_process_zero=is_first)
        if step:
            callback.on_step_end(None, state, None, model=None)
        prediction = Prediction(np.where(labels == 3, 3 + (step == 100), labels), labels)
        expected[step] = compute_metrics(Tokenizer(), metrics=["bleu", "chrf"])(prediction)
        assert callback.compute_metrics(prediction) == expected[step]
    assert sorted(path.name for path in folder.iterdir()) == ["step-0.bleu", "step-100.bleu"]
    for step in (0, 100):
        run = load_run(folder / f"step-{step}.bleu")
        assert run.tags == {"lang": "de", "step": step}
        bleu, chrf = run.scores["run-7"]
        assert (bleu.value, chrf.value) == (expected[step]["bleu"], expected[step]["chrf"])
    (tmp_path / "text").write_text("")
    with pytest.raises(OptionError, match="text cannot be made"):
        run_callback(tmp_path / "text", Tokenizer(), **options)
    with pytest.raises(OptionError, match="give the tokenizer"):
        run_callback(folder, None, **options)


def test_compute_metrics_reads_a_prediction():
    hyps = np.array([[1, 2, 3, 4, 0], [5, 6, 7, 8, -100]])
    labels = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])
    expected = METRIC.corpus(["a b c d", "e f g h"], ["a b c d", "e f g"])
    for predictions in (hyps, (hyps, "more")):
        result = compute_metrics(Tokenizer())(Prediction(predictions, labels))
        assert result == {"bleu": expected.value, "brevity_penalty": expected.bp, "length_ratio": expected.ratio}
        result = compute_metrics(pad_id=0, eos_id=9)(Prediction(predictions, labels))
        assert result["bleu"] == expected.value
    # What generation begins with is no token, even if it ends segments, too.
    for start in (9, 8):
        begun = np.hstack([np.full((2, 1), start), np.where(hyps == -100, 0, hyps)])
        how = {"pad_id": 0, "eos_id": 9, "start_id": None if start == 9 else start}
        assert compute_metrics(**how)(Prediction(begun, labels))["bleu"] == expected.value
    # Several ends, of which generation begins with one.
    ended = [[8, 1, 2, 3, 4, 9], [8, 5, 6, 7, 8, 1]]
    result = compute_metrics(pad_id=[0], eos_id=[9, 8])(Prediction(np.array(ended), labels))
    clean = [[1, 2, 3, 4], [5, 6, 7]]
    assert result["bleu"] == METRIC.corpus(clean, clean).value
    masked = np.ma.array(np.abs(labels).astype("uint16"), mask=labels < 0)
    for predictions in (hyps, [(hyps[:1], 0), (hyps[1:], 0)]):
        result = compute_metrics(pad_id=0)(Prediction(predictions, masked))
        assert result["bleu"] == expected.value
    for prediction, message in (
        (Prediction(np.zeros((2, 3, 4)), labels), "predict_with_generate=True"),
        ((hyps, None), "no labels"),
        ((hyps,) * 3, "predictions and labels"),
        (([[1], [1, 2]], labels), "differ in length"),
    ):
        with pytest.raises(InputError, match=message):
            compute_metrics()(prediction)


def test_compute_metrics_has_chrf_and_ter():
    hyps = np.array([[1, 2, 3, 4, 0], [5, 6, 7, 8, -100]])
    labels = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])
    texts = ["a b c d", "e f g h"], ["a b c d", "e f g"]
    prediction = Prediction(hyps, labels)
    several = compute_metrics(Tokenizer(), metrics=["bleu", "chrf", "ter"], smooth_method="add-k")
    bleu, ter = BLEU(smooth_method="add-k").corpus(*texts), TER().corpus(*texts)
    assert several(prediction) == {
        "bleu": bleu.value, "brevity_penalty": bleu.bp, "length_ratio": bleu.ratio,
        "chrf": CHRF().corpus(*texts).value, "ter": ter.value,
    }  # fmt: skip
    assert compute_metrics(Tokenizer(), metrics="ter")(prediction) == {"ter": ter.value}
    plus = CHRF(word_order=2)
    for metrics in (plus, [plus]):
        result = compute_metrics(Tokenizer(), metrics=metrics)(prediction)
        assert result == {"chrf": plus.corpus(*texts).value}
    of_a_kind = compute_metrics(Tokenizer(), metrics=["chrf", plus])
    expected = {"chrf": CHRF().corpus(*texts).value, "chrf_nw-2": plus.corpus(*texts).value}
    short = hyps[:1], labels[:1, :3]  # the Trainer's flags give tuples, batches, or one at a time
    assert of_a_kind((hyps, labels)) == expected
    parts = [[short[0], hyps[1:]], [labels[:1], labels[1:]]]
    assert of_a_kind(Prediction(*parts)) == expected
    assert of_a_kind((hyps[:1], labels[:1]), compute_result=False) == {}
    assert of_a_kind((hyps[1:], labels[1:]), compute_result=True) == expected


def test_a_reward_is_a_list_of_floats_from_0_to_1():
    function = reward(column="answer")
    values = function(prompts=HYPS, completions=HYPS, answer=TWO_REFS, other=[0] * len(HYPS))
    assert all(type(value) is float for value in values)
    assert values == (METRIC.sentences(HYPS, TWO_REFS) / 100).clip(max=1).tolist()
    assert function(completions=REFS[:1], answer=REFS[:1]) == [1.0]
    assert function(completions=HYPS[:2], answer=[[None], REFS[1]])[0] is None
    chats = [[{"role": "assistant", "content": hyp}] for hyp in HYPS]
    assert function(prompts=HYPS, completions=chats, answer=TWO_REFS) == values
    assert reward("nltk-method1", column="answer")(HYPS, answer=REFS)[0] <= 1
    some = [None, *TWO_REFS[1:]]
    assert function(prompts=HYPS, completions=HYPS, answer=some) == [None, *values[1:]]
    assert function(completions=HYPS[:1], answer=[None]) == [None]
    called = [*chats[0][:1], {"role": "tool", "content": None}]
    assert function(completions=[called], answer=TWO_REFS[:1]) == values[:1]
    parts = [[{"content": [{"type": "image"}, {"type": "text", "text": hyp}]}] for hyp in HYPS]
    assert function(completions=parts, answer=TWO_REFS) == values
    absent = [float("nan"), pd.NA, [float("nan")], [None, None], (None,), ()]
    assert function(completions=HYPS[: len(absent)], answer=absent) == [None] * len(absent)
    assert function(completions=HYPS, answer=[np.array(row, object) for row in TWO_REFS]) == values
    assert reward("hf-bleu")(completions=[""], reference=["a b"]) == [0.0]
    fenced = ["```py\nx = f(1)\n```", "~~~\nx = f(1)\n~~~", "so:\n```\nx = f(1)", "x = f(1)"]
    of_code = reward(metric="codebleu", lang="python")
    values_of_code = of_code(fenced, reference=["x = f(1)"] * 4)
    assert values_of_code == values_of_code[3:] * 4
    assert of_code(fenced, reference=[[None, code] for code in fenced]) == values_of_code
    told = [[{"role": "assistant", "content": ref}] for ref in REFS]
    assert function(completions=HYPS, answer=told) == function(completions=HYPS, answer=REFS)
    with pytest.raises(InputError, match="hyps has 1 segment, refs has 2"):
        function(completions=HYPS[:1], answer=REFS[:2])
    with pytest.raises(InputError, match="no column 'answer'"):
        function(prompts=HYPS, completions=HYPS)


@pytest.mark.parametrize(
    ("options", "name", "best"),
    [
        ({}, "bleu", BLEU()),
        ({"dialect": "nltk-method1", "lowercase": True}, "bleu_nltk-method1_case-lc", None),
        ({"metric": BLEU(smooth_method="add-k")}, "bleu_smooth-add-k-1.00", None),
        ({"sentence_effective_order": False}, "bleu_eff-no", None),
        ({"metric": "chrf"}, "chrf", CHRF()),
        ({"metric": "chrf", "word_order": 2}, "chrf_nw-2", CHRF(word_order=2)),
        ({"metric": "chrf", "beta": 1}, "chrf_chrF1", CHRF(beta=1)),
        ({"metric": "ter"}, "ter", TER()),
        ({"metric": "gleu"}, "gleu", GLEU()),
        ({"metric": "chrf", "name": "style"}, "style", CHRF()),
    ],
)
def test_a_reward_has_a_metric_and_a_name(options, name, best):
    function = pickle.loads(pickle.dumps(reward(**options)))  # noqa: S301
    assert function.__name__ == name
    values = function(completions=HYPS, reference=TWO_REFS)
    assert function(completions=[REFS[0]], reference=REFS[:1]) == [pytest.approx(1)]
    if best is not None:
        scores = best.sentences(HYPS, TWO_REFS) / best.corpus(HYPS, TWO_REFS).scale
        assert values == (scores if best.higher_is_better else 1 - scores).clip(max=1).tolist()

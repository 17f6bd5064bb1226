# SPDX-License-Identifier: Apache-2.0
"""The doors to frameworks, each opened by its framework: a step of training, an evaluation."""

import re

import numpy as np
import pytest
from conftest import ROOT
from support.example_texts import HYPS, REFS
from support.page_blocks import run_blocks

from truebleu import BLEU, load_run
from truebleu.integrations.huggingface import run_callback
from truebleu.integrations.torchmetrics import bleu_metric

torch = pytest.importorskip("torch", reason="PyTorch is several GB; no group here installs it")

pytestmark = pytest.mark.torch

METRIC = BLEU(threads=1)
WORDS = ["<pad>", "<eos>", *(f"w{i}" for i in range(30))]


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"):
        monkeypatch.setenv(name, "1")


def make_tokenizer(vocabulary=WORDS):
    """Words that are looked up in a list: no file, no download."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    numbers = {word: i for i, word in enumerate(vocabulary)}
    model = tokenizers.models.WordLevel(numbers, unk_token=WORDS[0])
    words = tokenizers.Tokenizer(model)
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    pad, eos = WORDS[:2]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token=pad, eos_token=eos, unk_token=pad, padding_side="left"
    )


def make_decoder(size):
    """A model that continues texts, with random weights."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch.manual_seed(1)
    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=size,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=128,
            pad_token_id=0,
            eos_token_id=1,
            bos_token_id=1,
        )
    )


def make_translator(size):
    """A model that translates, with random weights."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch.manual_seed(2)
    model = transformers.BartForConditionalGeneration(
        transformers.BartConfig(
            vocab_size=size,
            d_model=16,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=16,
            decoder_ffn_dim=16,
            max_position_embeddings=64,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=1,
            decoder_start_token_id=1,
            forced_eos_token_id=None,
        )
    )
    model.generation_config.min_new_tokens = 5  # it would end at once
    return model


@pytest.mark.parametrize(
    ("section", "model", "name"),
    [("Transformers", make_translator, "Helsinki-NLP/opus-mt-de-en"), ("TRL", make_decoder, "Qwen/Qwen3-0.6B")],
)
def test_the_page_trains_a_model(section, model, name, tmp_path, monkeypatch):
    for library in ("transformers", "datasets", "trl"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    page = (ROOT / "docs" / "training.md").read_text("utf-8")
    vocabulary = list(dict.fromkeys([*WORDS[:2], *re.findall(r"\w+", page)]))
    make_tokenizer(vocabulary).save_pretrained(tmp_path / "model")
    model(len(vocabulary)).save_pretrained(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    replaced = {name: "model", '"checkpoints",': '"checkpoints", use_cpu=True,'}
    if section == "Transformers":
        made = run_blocks("training.md", "Transformers", replaced)
        result = made["result"]
        assert result["eval_bleu"] >= 0
        assert result["eval_chrf"] > 0
        assert result["eval_ter"] > 0
        assert made["trainer"].state.best_metric == result["eval_chrf"]
    else:
        made = run_blocks("training.md", "TRL", replaced)
        assert 0 <= made["log"]["rewards/bleu/mean"] < made["log"]["rewards/chrf_nw-2/mean"] < 1


def settings(folder, **more):
    """Arguments of trainers: nothing is reported or saved."""
    return {
        "output_dir": str(folder), "use_cpu": True, "report_to": [], "save_strategy": "no",
        "max_steps": 1, "logging_steps": 1, "bf16": False, "disable_tqdm": True, **more,
    }  # fmt: skip


def sequences(datasets):
    """Sources, and targets of another length each, as ids."""
    rng = np.random.default_rng(3)
    rows = [rng.integers(2, len(WORDS), 4 + i % 5).tolist() for i in range(12)]
    return datasets.Dataset.from_dict({"input_ids": rows, "labels": [row[::-1] for row in rows]})


def test_a_training_saves_runs(tmp_path):
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    tokenizer = make_tokenizer()
    callback = run_callback(tmp_path / "run", tokenizer, metrics=["bleu", "chrf"])
    rows = sequences(datasets)
    trainer = transformers.Seq2SeqTrainer(
        model=make_translator(len(WORDS)),
        args=transformers.Seq2SeqTrainingArguments(
            **{**settings(tmp_path), "max_steps": 4},
            eval_strategy="steps",
            eval_steps=2,
            predict_with_generate=True,
            generation_max_length=12,
        ),
        train_dataset=rows,
        eval_dataset=rows,
        processing_class=tokenizer,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer),
        compute_metrics=callback.compute_metrics,
        callbacks=[callback],
    )
    trainer.train()
    logged = {log["step"]: log for log in trainer.state.log_history if "eval_bleu" in log}
    runs = map(load_run, (tmp_path / "run").iterdir())
    scores = {run.tags["step"]: [one.value for one in run.scores["run"]] for run in runs}
    assert scores == {step: [log["eval_bleu"], log["eval_chrf"]] for step, log in logged.items()}


def test_metrics_of_torchmetrics_are_collected():
    torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    collection = torchmetrics.MetricCollection(
        {
            "cased": bleu_metric(),
            "lower": bleu_metric(lowercase=True),
            "fraction": bleu_metric("papineni-2002"),  # equal counts, another scale
        }
    )
    for start in range(0, len(HYPS), 5):
        collection.update(HYPS[start : start + 5], REFS[start : start + 5])
    result = collection.compute()
    # A collection computes metrics with equal states once; these differ in their options.
    assert result["cased"].item() == METRIC.corpus(HYPS, REFS).value
    assert result["lower"].item() == BLEU(lowercase=True).corpus(HYPS, REFS).value
    assert result["fraction"].item() == BLEU("papineni-2002").corpus(HYPS, REFS).value
    collection.reset()
    assert collection["cased"].counts.sum() == 0
    copy = collection.clone(prefix="test_")
    copy.update(HYPS, REFS)
    assert copy.compute()["test_cased"].item() == METRIC.corpus(HYPS, REFS).value

# SPDX-License-Identifier: Apache-2.0
"""Metrics of evaluate and lm_eval give the same results, and faster, without a changed line.

`pytest -m toolkits -s` prints the times. TRUEBLEU_EVALUATE_METRICS names the folder `metrics` of a
copy of evaluate's repository, because its package downloads them.
"""

import logging
import os
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from support.example_texts import ENGLISH, SYSTEMS

import truebleu

pytestmark = pytest.mark.toolkits

HYPS, *REFS = (Path(path).read_text("utf-8").splitlines() * 20 for path in (SYSTEMS[0], *ENGLISH))


def compare(name, call):
    """Assert that a call has the same result with and without acceleration."""
    results, seconds = [], []
    for context in (nullcontext, truebleu.accelerate):
        with context():
            start = time.perf_counter()
            results.append(repr(call()))
            seconds.append(time.perf_counter() - start)
    print(f"{name}: {seconds[0] * 1e3:.0f} ms, accelerated {seconds[1] * 1e3:.0f} ms")
    assert results[1] == results[0]
    return seconds


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sacrebleu", {}),
        ("sacrebleu", {"tokenize": "intl", "lowercase": True, "smooth_method": "add-k"}),
        ("chrf", {"word_order": 2}),
        ("ter", {"case_sensitive": True}),
        ("google_bleu", {}),
    ],
)
def test_evaluate(name, options, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate")
    folder = os.environ.get("TRUEBLEU_EVALUATE_METRICS")
    if not folder:
        pytest.skip("TRUEBLEU_EVALUATE_METRICS does not name evaluate's metrics")
    metric = evaluate.load(str(Path(folder) / name), cache_dir=str(tmp_path), keep_in_memory=True)
    refs = [list(row) for row in zip(*REFS, strict=True)]
    part = slice(None, 200 if name == "ter" else None)
    compare(
        f"evaluate, {name}",
        lambda: metric.compute(predictions=HYPS[part], references=refs[part], **options),
    )


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
def test_lm_eval(name, caplog):
    metrics = pytest.importorskip("lm_eval.api.metrics")
    caplog.set_level(logging.ERROR, "sacrebleu")
    function = getattr(metrics, name.replace("++", "pp"))
    part = slice(None, 200 if name == "ter" else None)
    items = list(zip(REFS[0], HYPS, strict=True))[part]
    before, after = compare(f"lm_eval, {name}", lambda: function(items))
    assert after < before

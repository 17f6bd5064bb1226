# SPDX-License-Identifier: Apache-2.0
"""Metrics of lm_eval and evaluate give the same results accelerated, without a changed line.

`pytest -m torch -s` prints both times. TRUEBLEU_EVALUATE_METRICS names the folder `metrics` of a
copy of evaluate's repository, which evaluate downloads otherwise.
"""

import os
import time

import pytest
from support.accelerated import accelerated
from support.example_texts import HYPS, TWO_REFS

pytestmark = pytest.mark.torch

METRICS = os.environ.get("TRUEBLEU_EVALUATE_METRICS")
PREDICTIONS, REFERENCES = HYPS * 20, [list(refs) for refs in TWO_REFS] * 20


def compare(name, call):
    """Assert that a call has the same result with and without acceleration."""

    def timed():
        start = time.perf_counter()
        return repr(call()), time.perf_counter() - start

    (theirs, long), (mine, short) = timed(), accelerated([], timed)
    print(f"{name}: {long * 1e3:.0f} ms, accelerated {short * 1e3:.0f} ms")
    assert mine == theirs
    assert short < long


@pytest.mark.parametrize(("name", "segments"), [("bleu", 960), ("chrf", 960), ("ter", 96)])
def test_lm_eval(name, segments):
    metrics = pytest.importorskip("lm_eval.api.metrics", reason="lm_eval is not installed")
    items = [(refs[0], hyp) for refs, hyp in zip(REFERENCES, PREDICTIONS, strict=True)][:segments]
    compare(f"lm_eval, {name}", lambda: getattr(metrics, name)(items))


@pytest.mark.skipif(not METRICS, reason="TRUEBLEU_EVALUATE_METRICS names no folder")
@pytest.mark.parametrize(("name", "segments"), [("sacrebleu", 960), ("chrf", 960), ("ter", 96), ("google_bleu", 960)])
def test_evaluate(name, segments, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed")
    metric = evaluate.load(f"{METRICS}/{name}", cache_dir=str(tmp_path), keep_in_memory=True)
    corpus = {"predictions": PREDICTIONS[:segments], "references": REFERENCES[:segments]}
    compare(f"evaluate, {name}", lambda: metric.compute(**corpus))

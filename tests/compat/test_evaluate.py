# SPDX-License-Identifier: Apache-2.0
"""The drop-in for evaluate gives what the libraries compute that its metrics call."""

import inspect
import pickle
from collections import Counter
from functools import reduce
from math import exp, log
from operator import or_

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from nltk.util import ngrams
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from support.corpora import corpora, present

from truebleu.compat import evaluate

#: From the documentation of evaluate's metrics.
PREDICTIONS = ["hello there general kenobi", "on our way to ankh morpork"]
REFERENCES = [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]]


def computed(name, corpus, **options):
    predictions, references = corpus
    metric = evaluate.load(name)
    return metric.compute(predictions=predictions, references=references, **options)


def words(text):
    return Tokenizer13a()(text).split()


def test_chrf_and_ter_are_those_of_sacrebleu():
    streams = [list(refs) for refs in zip(*REFERENCES, strict=True)]
    for refs, columns in ((REFERENCES, streams), (streams[0], streams[:1])):
        corpus = PREDICTIONS, refs
        chrf = sacrebleu.CHRF(word_order=2, beta=3, lowercase=True).corpus_score(corpus[0], columns)
        expected = {"score": chrf.score, "char_order": 6, "word_order": 2, "beta": 3}
        assert computed("chrf", corpus, word_order=2, beta=3, lowercase=True) == expected
        ter = sacrebleu.TER(normalized=True, no_punct=True).corpus_score(corpus[0], columns)
        expected = {"num_edits": ter.num_edits, "ref_length": ter.ref_length, "score": ter.score}
        assert computed("ter", corpus, normalized=True, ignore_punct=True) == expected
    for name in ("chrf", "ter"):
        with pytest.raises(ValueError, match="requires the same number of references"):
            computed(name, (PREDICTIONS, [["a"], ["b", "c"]]))


def test_combined_metrics_have_prefixes_for_equal_keys():
    pair = {"predictions": PREDICTIONS, "references": REFERENCES}
    both = evaluate.combine(["bleu", evaluate.load("ter"), "chrf"])
    both.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    both.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    result = both.compute()
    assert result["ter_score"] == computed("ter", (PREDICTIONS, REFERENCES))["score"]
    assert {"bleu", "ter_score", "chrf_score", "num_edits", "beta"} <= result.keys()
    twice = evaluate.combine(["ter", "ter"]).compute(**pair)
    assert list(twice)[::3] == ["ter_0_score", "ter_1_score"]
    named = evaluate.combine({"edits": "ter"}, force_prefix=True)
    assert list(named.compute(**pair)) == ["edits_score", "edits_num_edits", "edits_ref_length"]


def recount(hyps, refs, order, smooth):
    """The definition of `bleu`, in the order of arithmetic of its source."""
    matches, totals = [0] * order, [0] * order
    for hyp, row in zip(hyps, refs, strict=True):
        for n in range(1, order + 1):
            mine, *others = (Counter(ngrams(text, n)) for text in (hyp, *row))
            matches[n - 1] += sum((mine & reduce(or_, others)).values())
            totals[n - 1] += sum(mine.values())
    precisions = [(m + smooth) / (t + smooth) if t + smooth else 0.0 for m, t in zip(matches, totals, strict=True)]
    hyp_len, ref_len = sum(map(len, hyps)), sum(min(map(len, row)) for row in refs)
    ratio = hyp_len / ref_len
    penalty = 1.0 if ratio > 1 else exp(1 - 1 / ratio)
    mean = exp(sum(1 / order * log(p) for p in precisions)) if min(precisions) > 0 else 0
    return {
        "bleu": mean * penalty, "precisions": precisions, "brevity_penalty": penalty,
        "length_ratio": ratio, "translation_length": hyp_len, "reference_length": ref_len,
    }  # fmt: skip


@given(corpora(), st.booleans(), st.integers(1, 5), st.booleans())
def test_bleu(corpus, smooth, order, own):
    hyps, refs = corpus[0], present(corpus[1])
    options = {"max_order": order, "smooth": smooth, **({"tokenizer": str.split} if own else {})}
    tokenize = str.split if own else words
    lists = [tokenize(hyp) for hyp in hyps], [[tokenize(ref) for ref in row] for row in refs]
    try:
        expected = recount(*lists, order, smooth)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            computed("bleu", (hyps, refs), **options)
        return
    result = computed("bleu", (hyps, refs), **options)
    assert list(result.items()) == list(expected.items())


OPTIONS = [
    {},
    {"lowercase": True, "tokenize": "intl"},
    {"smooth_method": "add-k", "smooth_value": 0.5, "force": True},
    {"use_effective_order": True},
]


@given(corpora(), st.sampled_from(OPTIONS))
def test_sacrebleu(corpus, options):
    hyps, refs = corpus[0], present(corpus[1])
    if len(set(map(len, refs))) > 1:
        with pytest.raises(ValueError, match="the same number of references"):
            computed("sacrebleu", (hyps, refs), **options)
        return
    expected = sacrebleu.corpus_bleu(hyps, [*map(list, zip(*refs, strict=True))], **options)
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    result = computed("sacrebleu", (hyps, refs), **options)
    assert list(result.items()) == [(name, getattr(expected, name)) for name in names]


@given(corpora(), st.sampled_from([{}, {"min_len": 2}, {"min_len": 2, "max_len": 6}]))
def test_google_bleu(corpus, options):
    hyps, refs = corpus[0], present(corpus[1])
    lists = [[words(ref) for ref in row] for row in refs], [words(hyp) for hyp in hyps]
    expected = corpus_gleu(*lists, **options)
    assert computed("google_bleu", (hyps, refs), **options)["google_bleu"] == expected
    by_blanks = computed("google_bleu", (hyps, refs), tokenizer=str.split, **options)
    lists = [[ref.split() for ref in row] for row in refs], [hyp.split() for hyp in hyps]
    assert by_blanks["google_bleu"] == corpus_gleu(*lists, **options)


@pytest.mark.parametrize("name", ["bleu", "sacrebleu", "google_bleu"])
def test_examples_come_in_any_way(name):
    expected = computed(name, (PREDICTIONS, REFERENCES))
    metric = evaluate.load(name)
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert len(metric) == 2
    assert len(pickle.loads(pickle.dumps(metric))) == 2  # noqa: S301
    assert metric.compute() == expected
    assert len(metric) == 0
    metric.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    rest = {"predictions": PREDICTIONS[1:], "references": REFERENCES[1:]}
    assert metric.compute(**rest) == expected
    for kind in (tuple, np.array, pd.Series):
        assert computed(name, (kind(PREDICTIONS), [tuple(row) for row in REFERENCES])) == expected
    single = [row[0] for row in REFERENCES]
    assert computed(name, (PREDICTIONS, single)) == computed(name, (PREDICTIONS, [[ref] for ref in single]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m.compute(), ValueError, "call `add` or `add_batch`"),
        (lambda m: m.compute(predictions=["a"]), TypeError, "not subscriptable"),
        (lambda m: m.compute(predictions=[], references=[]), IndexError, "list index"),
        (lambda m: m.compute(predictions=["a", "b"], references=["a"]), ValueError,
         r"Mismatch in the number of predictions \(2\) and references \(1\)"),
        (lambda m: m.compute(predictions=[1], references=["a"]), ValueError, "expected format"),
        (lambda m: m.compute(predictions=["a"], references=[None]), ValueError, "expected format"),
        (lambda m: m.compute(predictions=["a"] * 2, references=["a", ["a"]]), ValueError,
         "expected format"),
        (lambda m: m.add(prediction="a", references=["a"]), ValueError, "Bad inputs"),
        (lambda m: m.add_batch(prediction=["a"]), ValueError, "Bad inputs"),
        (lambda m: m.compute(predictions=["a"], references=["a"], nothing=1), TypeError, "nothing"),
        (lambda m: m.compute(["a"], ["a"]), TypeError, "positional"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["bleu", "sacrebleu", "google_bleu"])
def test_mistakes(name, call, error, message):
    with pytest.raises(error, match=message):
        call(evaluate.load(name))


def test_loading():
    assert list(inspect.signature(evaluate.load).parameters)[:5] == [
        "path", "config_name", "module_type", "process_id", "num_process"
    ]  # fmt: skip
    metric = evaluate.load("bleu", module_type="metric", cache_dir="nowhere", keep_in_memory=True)
    assert (metric.name, metric.module_type) == ("bleu", "metric")
    assert "stored examples: 0" in repr(metric)
    with pytest.raises(FileNotFoundError, match="there is no metric 'blue'; did you mean bleu"):
        evaluate.load("blue")
    with pytest.raises(FileNotFoundError, match="there is no comparison 'bleu'"):
        evaluate.load("bleu", module_type="comparison")
    with pytest.raises(ValueError, match="several processes"):
        evaluate.load("bleu", num_process=2)

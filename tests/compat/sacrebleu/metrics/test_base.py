# SPDX-License-Identifier: Apache-2.0
"""Subclasses, and names that are replaced from outside, are called as in sacreBLEU."""

from __future__ import annotations

import logging

import pytest
import sacrebleu as original
from support.twins_sacrebleu import TWINS, alike

from truebleu.compat import sacrebleu as ours

HYPS = ["The cat sat.", "It was 3.5 m long , they said .", "a b"]
REFS = [["The cat sat!", "It was 3.5 m long, they said.", "a b c"], ["A cat sat.", None, "a c"]]

HOOKS = [
    "_preprocess_segment",
    "_compute_segment_statistics",
    "_extract_reference_info",
    "_cache_references",
    "_extract_corpus_statistics",
    "_aggregate_and_compute",
    "_compute_score_from_stats",
    "_get_closest_ref_len",
    "_check_corpus_score_args",
    "_check_sentence_score_args",
]

CALLS = {
    "corpus": lambda bleu: bleu.corpus_score(HYPS, REFS),
    "sentence": lambda bleu: bleu.sentence_score(HYPS[0], [REFS[0][0], REFS[1][0]]),
    "bootstrap": lambda bleu: bleu.corpus_score(HYPS, REFS, n_bootstrap=5),
    "stats": lambda bleu: bleu._extract_corpus_statistics(HYPS, REFS),
}


def recorder(calls, name, function):
    def recorded(*args, **kwargs):
        calls.append(name)
        return function(*args, **kwargs)

    return recorded


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("name", HOOKS)
def test_overridden_hooks_are_called_as_often_and_in_order(name, call):
    def seen(module):
        calls = []

        def hook(self, *args):
            calls.append((name, args if "check" not in name else None))
            return getattr(module.BLEU, name)(self, *args)

        metric = type("Mine", (module.BLEU,), {name: hook})
        score = call(metric())
        return str(score), repr(calls)

    alike(seen)


@pytest.mark.parametrize("name", [*HOOKS, "compute_bleu"])
def test_hooks_that_are_replaced_on_the_class_or_an_object_are_called(name, monkeypatch):
    counts = []
    for module in TWINS:
        calls = []
        function = getattr(module.BLEU, name)
        replaced = recorder(calls, name, function)
        wrapped = staticmethod(replaced) if name == "compute_bleu" else replaced
        with monkeypatch.context() as patch:
            patch.setattr(module.BLEU, name, wrapped)
            for call in CALLS.values():
                call(module.BLEU())
        patched = len(calls)
        bleu = module.BLEU()
        setattr(bleu, name, recorder(calls, name, getattr(bleu, name)))
        for call in CALLS.values():
            call(bleu)
        counts.append((patched, len(calls)))
        assert patched
        assert len(calls) > patched
    assert counts[1] == counts[0]


def test_a_replaced_get_tokenizer_makes_the_tokens(monkeypatch):
    scores = []
    for module in TWINS:

        class Half(module.tokenizers.tokenizer_base.BaseTokenizer):
            def signature(self):
                return "half"

            def __call__(self, line):
                return " ".join(line[:: len(line) // 2 or 1])

        monkeypatch.setattr(module.metrics.bleu, "_get_tokenizer", lambda _, half=Half: half)
        bleu = module.BLEU()
        scores.append((bleu.corpus_score(HYPS, REFS).score, str(bleu.get_signature())))
    assert scores[1] == scores[0]
    assert "tok:half" in scores[1][1]


def test_an_assigned_tokenizer_makes_the_tokens():
    def seen(module):
        bleu = module.BLEU()
        bleu.tokenizer = str.upper
        return bleu.corpus_score(HYPS, REFS).score, bleu.sentence_score("a", ["A"]).score

    alike(seen)


def test_a_tokenizer_whose_call_is_replaced_makes_the_tokens(monkeypatch):
    scores = []
    for module in TWINS:
        tokenizer = module.metrics.bleu._get_tokenizer("13a")
        monkeypatch.setattr(tokenizer, "__call__", lambda _, line: line.replace(".", " . ! "))
        scores.append(module.corpus_bleu(HYPS, REFS).score)
    assert scores[1] == scores[0] != original.BLEU(tokenize="zh").corpus_score(HYPS, REFS).score


@pytest.mark.parametrize("name", ["my_log", "sum_of_lists", "extract_all_word_ngrams"])
def test_functions_that_are_replaced_in_the_module_are_called(name, monkeypatch):
    for module in TWINS:
        calls = []
        function = getattr(module.metrics.bleu, name)
        monkeypatch.setattr(module.metrics.bleu, name, recorder(calls, name, function))
        module.BLEU().corpus_score(HYPS, REFS)
        assert calls


def test_a_subclass_with_its_own_signature_and_defaults():
    def seen(module):
        class MySignature(module.metrics.bleu.BLEUSignature):
            def __init__(self, args):
                super().__init__(args)
                self.info["mine"] = True
                self._abbr["mine"] = "m"

        class Mine(module.BLEU):
            _SIGNATURE_TYPE = MySignature
            TOKENIZER_DEFAULT = "char"

        bleu = Mine()
        score = bleu.corpus_score(HYPS, REFS)
        signature = bleu.get_signature()
        signature.update("test", "here")
        return str(score), str(signature), signature.format(short=True)

    alike(seen)


def test_a_metric_of_ones_own():
    def seen(module):
        base = module.metrics.base

        class Words(base.Metric):
            def _preprocess_segment(self, sent):
                return sent.lower()

            def _extract_reference_info(self, refs):
                return {"words": set(" ".join(refs).split())}

            def _compute_segment_statistics(self, hypothesis, ref_kwargs):
                words = hypothesis.split()
                return [len(ref_kwargs["words"] & set(words)), len(words)]

            def _compute_score_from_stats(self, stats):
                return base.Score("Words", 100 * stats[0] / stats[1])

            def _aggregate_and_compute(self, stats):
                return self._compute_score_from_stats(module.utils.sum_of_lists(stats))

        words = Words()
        score = words.corpus_score(HYPS, REFS, n_bootstrap=7)
        return str(score), str(words.get_signature()), words.sentence_score("a b", ["a"]).score

    alike(seen)


def test_loggers_are_shared():
    assert ours.metrics.bleu.sacrelogger is logging.getLogger("sacrebleu")

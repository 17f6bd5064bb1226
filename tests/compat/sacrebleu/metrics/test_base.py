# SPDX-License-Identifier: Apache-2.0
"""Metrics are called as sacreBLEU's: with wrong input, as base classes, with replaced methods."""

import copy
import logging
import pickle

import numpy as np
import pytest
from support.twins_sacrebleu import TOKENIZERS, TWINS, alike

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


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_of_a_subclass_are_called_as_often_and_in_order(name):
    def result(module):
        calls = []

        def hook(self, *args):
            calls.append((name, args if "check" not in name else None))
            return getattr(module.BLEU, name)(self, *args)

        metric = type("Mine", (module.BLEU,), {name: hook})
        return [str(call(metric())) for call in CALLS.values()], repr(calls)

    alike(result)


@pytest.mark.parametrize("name", [*HOOKS, "compute_bleu"])
def test_hooks_that_are_replaced_on_an_object_are_called(name):
    def result(module):
        calls = []
        bleu = module.BLEU()
        scores = [call(bleu) for call in CALLS.values()]
        setattr(bleu, name, recorder(calls, name, getattr(bleu, name)))
        scores += [call(bleu) for call in CALLS.values()]
        assert calls
        return repr(scores), calls

    alike(result)


USUAL = {
    "BLEU": [
        {"tokenize": name, "effective_order": True, **how}
        for name in TOKENIZERS
        for how in ({}, {"lowercase": True}, {"smooth_method": "add-k"})
    ],
    "CHRF": [{}, {"word_order": 2, "lowercase": True, "eps_smoothing": True, "whitespace": True}],
    "TER": [{}, {"normalized": True, "no_punct": True, "case_sensitive": True}],
}


@pytest.mark.parametrize(("name", "how"), [(name, how) for name in USUAL for how in USUAL[name]])
def test_the_kernel_scores_usual_input(name, how, monkeypatch):
    hyps, refs = ["a b c", "d \u00e9."], [["a b c", "d e."], [None, "d"]]

    def slow(*_):
        pytest.fail("not scored by the kernel")

    for method in ("corpus_score", "sentence_score", "_extract_corpus_statistics"):
        monkeypatch.setattr(ours.metrics.base.Metric, method, slow)
    for kept in (None, refs, refs[:1]):
        metric = getattr(ours, name)(references=kept, **how)
        metric.corpus_score(hyps, refs if kept is None else None)
        metric.corpus_score(tuple(hyps), refs[:1])
        metric.sentence_score(hyps[0], refs[0][:1])
        metric.sentence_score(hyps[0], [refs[0][0], None])
        metric._extract_corpus_statistics(hyps, refs)


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
    def result(module):
        bleu = module.BLEU()
        bleu.tokenizer = str.upper
        return bleu.corpus_score(HYPS, REFS).score, bleu.sentence_score("a", ["A"]).score

    alike(result)


def louder(_, sent):
    return sent.upper().replace("THE", "A")


CHANGES = {
    "method": lambda bleu: setattr(bleu, "_preprocess_segment", str.upper),
    "method of a subclass": lambda bleu: setattr(type(bleu), "_preprocess_segment", louder),
    "class": lambda bleu: setattr(
        bleu, "__class__", type("Other", (type(bleu),), {"_preprocess_segment": louder})
    ),
    "tokenizer": lambda bleu: setattr(bleu, "tokenizer", str.upper),
    "lowercase": lambda bleu: setattr(bleu, "lowercase", True),
    "order": lambda bleu: setattr(bleu, "max_ngram_order", 2),
    "smoothing": lambda bleu: setattr(bleu, "smooth_method", "add-k"),
    "array": lambda bleu: setattr(bleu, "note", np.arange(3)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("subclass", [False, True])
def test_a_change_between_two_sentences_counts(change, subclass):
    own = subclass or change is CHANGES["method of a subclass"]

    def result(module):
        bleu = type("Mine", (module.BLEU,), {})() if own else module.BLEU()
        scores = []
        for _ in range(3):
            for hyp in ("The Cat sat on the mat .", "THE CAT"):
                score = bleu.sentence_score(hyp, ["the cat sat at the mat.", None, "The cat"])
                scores.append((vars(score), str(score), bleu.num_refs))
            change(bleu)
        return scores

    alike(result)


def test_copies_have_the_same_references_and_settings():
    def result(module):
        bleu = module.BLEU(references=REFS, lowercase=True)
        again = pickle.loads(pickle.dumps(bleu))  # noqa: S301
        return [
            repr(one.corpus_score(HYPS, None))
            for one in (bleu, copy.copy(bleu), copy.deepcopy(bleu), again)
        ]

    alike(result)


def test_a_subclass_with_its_own_signature_and_defaults():
    def result(module):
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

    alike(result)


def test_a_metric_of_ones_own():
    def result(module):
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

    alike(result)


def test_loggers_are_shared():
    assert ours.metrics.bleu.sacrelogger is logging.getLogger("sacrebleu")


# Wrong input.

PAIR, STREAM = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]

BAD_CORPORA = [
    (3, STREAM),
    (None, STREAM),
    ([], STREAM),
    ([], []),
    ("ab", ["ab"]),
    ("abc", STREAM),
    (dict.fromkeys(PAIR), STREAM),
    ([1, "a"], STREAM),
    (["a", 1], STREAM),
    (["a", None], STREAM),
    ([None, "a"], STREAM),
    ([["a"], ["b"]], STREAM),
    ([b"a", b"b"], STREAM),
    (["a", b"b"], STREAM),
    (PAIR, None),
    (PAIR, []),
    (PAIR, [[]]),
    (PAIR, ()),
    (PAIR, 3),
    (PAIR, [3]),
    (PAIR, [dict.fromkeys(PAIR)]),
    (PAIR, PAIR),
    (PAIR, [[1, 2]]),
    (PAIR, [["a", 2]]),
    (PAIR, [["a", None]]),
    (PAIR, [[None, "a"]]),
    (PAIR, [[None, None]]),
    (["", ""], [[None, None]]),
    (PAIR, [["a b"], ["c"]]),
    (PAIR, [["a b", "c d", "e f"]]),
    (PAIR, [["a b", "c d"], ["e f"]]),
    (PAIR, [["a b", "c d"], []]),
    (PAIR, [["a b", "c d"], [None, "x"]]),
    (PAIR, [[["a"], ["b"]]]),
    (PAIR, [["a b", ["c"]]]),
    (PAIR, {"a": 1}),
    (tuple(PAIR), tuple(map(tuple, STREAM))),
    (["\ud800 a b c"], [["\ud800 a b c"]]),
    (["a\ud800\udfffb.5 c"], [["a\ud800b .5 c", "\ud800"]]),
]

BAD_SENTENCES = [
    (None, ["a"]),
    (3, ["a"]),
    (["a"], ["a"]),
    ("a", "a"),
    ("a", None),
    ("a", []),
    ("a", [3]),
    ("a", [["a"]]),
    ("a", ["a", 3]),
    ("a", ["a", ["b"]]),
    ("a", [None]),
    ("", [None]),
    ("a b", [None, "a b"]),
    ("a b", ["a b", None, "c"]),
    ("a b", ("a b",)),
    ("a b", {"a": 1}),
    ("a \ud800", ["a \ud800"]),
    ("", [""]),
    (" ", ["a"]),
    ("a", [" "]),
]

each_metric = pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])


@each_metric
@pytest.mark.parametrize(("hyps", "refs"), BAD_CORPORA, ids=range(len(BAD_CORPORA)))
def test_wrong_corpora(hyps, refs, name):
    alike(lambda module: getattr(module, name)().corpus_score(hyps, refs))
    alike(lambda module: getattr(module, name)()._extract_corpus_statistics(hyps, refs))
    alike(lambda module: getattr(module, name)(references=refs).corpus_score(hyps, None))
    if name == "BLEU":
        alike(lambda module: module.corpus_bleu(hyps, refs, tokenize="intl", force=True))
    if name == "CHRF":
        alike(lambda module: module.CHRF(lowercase=True).corpus_score(hyps, refs))


@each_metric
@pytest.mark.parametrize(("hyp", "refs"), BAD_SENTENCES, ids=range(len(BAD_SENTENCES)))
def test_wrong_sentences(hyp, refs, name):
    alike(lambda module: getattr(module, name)().sentence_score(hyp, refs))
    if name == "BLEU":
        alike(lambda module: module.sentence_bleu(hyp, refs))

# SPDX-License-Identifier: Apache-2.0
"""Metrics are called as sacreBLEU's: with wrong input, as base classes, with replaced methods."""

import importlib
from operator import attrgetter

import numpy as np
import pytest
import sacrebleu
from support.accelerated import TOKENIZERS, alike, in_process_of_its_own, no_counting_in_python

import truebleu

HYPS = ["The cat sat.", "It was 3.5 m long , they said .", "a b"]
REFS = [["The cat sat!", "It was 3.5 m long, they said.", "a b c"], ["A cat sat.", None, "a c"]]


CALLS = {
    "corpus": lambda bleu: bleu.corpus_score(HYPS, REFS),
    "sentence": lambda bleu: bleu.sentence_score(HYPS[0], [REFS[0][0], REFS[1][0]]),
    "bootstrap": lambda bleu: bleu.corpus_score(HYPS, REFS, n_bootstrap=5),
    "stats": lambda bleu: bleu._extract_corpus_statistics(HYPS, REFS),
}


USUAL = {
    "BLEU": [
        {"tokenize": name, "effective_order": True, **options}
        for name in TOKENIZERS
        for options in ({}, {"lowercase": True}, {"smooth_method": "add-k"})
    ],
    "CHRF": [{}, {"word_order": 2, "lowercase": True, "eps_smoothing": True, "whitespace": True}],
    "TER": [{}, {"normalized": True, "no_punct": True, "case_sensitive": True}],
}


@pytest.mark.parametrize(("name", "options"), [(name, options) for name in USUAL for options in USUAL[name]])
@in_process_of_its_own
def test_the_kernel_scores_usual_input(name, options):
    hyps, refs = ["a b c", "d \u00e9."], [["a b c", "d e."], [None, "d"]]
    with truebleu.accelerate("sacrebleu"):
        for cached in (None, refs, refs[:1]):
            with no_counting_in_python():
                metric = getattr(sacrebleu, name)(references=cached, **options)
                metric.corpus_score(hyps, refs if cached is None else None)
                metric.corpus_score(tuple(hyps), refs[:1])
                metric.sentence_score(hyps[0], refs[0][:1])
                metric.sentence_score(hyps[0], [refs[0][0], None])
                metric._extract_corpus_statistics(hyps, refs)


#: Functions that sacreBLEU's methods call, and something else that they could be.
REPLACED = {
    "metrics.bleu.BLEU._preprocess_segment": lambda self, sent: sent.upper(),
    "metrics.bleu.BLEU._compute_segment_statistics": lambda *_: [1] * 10,
    "metrics.base.Metric._cache_references": lambda self, refs: [{"ref_ngrams": {}, "ref_lens": [7]} for _ in refs[0]],
    "metrics.base.Metric._extract_corpus_statistics": lambda *_: [[1] * 10],
    "metrics.bleu.BLEU.compute_bleu": lambda *_, **__: "a score",
    "metrics.bleu.BLEUScore": lambda *_: "a score",
    "tokenizers.tokenizer_13a.Tokenizer13a.__call__": lambda self, line: line.lower(),
    "tokenizers.tokenizer_re.TokenizerRegexp.__call__": lambda self, line: line.lower(),
}


@pytest.mark.parametrize("name", REPLACED)
def test_replaced_functions_have_the_same_effect(name, monkeypatch):
    path, _, function = name.rpartition(".")

    def result(module):
        clear = module.metrics.bleu._get_tokenizer("13a").__call__.cache_clear
        bleu = module.BLEU()
        before = [str(call(bleu)) for call in CALLS.values()]
        with monkeypatch.context() as patch:
            patch.setattr(attrgetter(path)(module), function, REPLACED[name])
            clear()
            replaced = [str(call(bleu)) for call in CALLS.values()]
            cached = str(module.BLEU(references=REFS).corpus_score(HYPS, None))
        clear()
        after = [str(call(bleu)) for call in CALLS.values()]
        assert after == before != replaced
        return before, replaced, cached

    alike(result)


def test_iterators_are_untouched():
    def result(module):
        streams = [iter(stream) for stream in REFS]
        chrf = module.CHRF()
        return repr(chrf._extract_corpus_statistics(iter(HYPS), streams)), chrf.num_refs

    alike(result)


@pytest.mark.parametrize("version", ["old", "new"])
@in_process_of_its_own
def test_an_older_unicode_of_regex_is_not_the_kernels(version, monkeypatch):
    module = importlib.import_module("truebleu.compat.accelerate.sacrebleu")
    monkeypatch.setattr(module, "_name_of", module._name_of.__wrapped__)
    monkeypatch.setattr(module, "_has_unicode_18", lambda: version == "new")
    with truebleu.accelerate("sacrebleu"):
        metric = sacrebleu.BLEU(tokenize="intl")
        assert (module.kernel_of(metric) is not None) == (version == "new")


def louder(_, sent):
    return sent.upper().replace("THE", "A")


CHANGES = {
    "method": lambda bleu: setattr(bleu, "_preprocess_segment", str.upper),
    "method of a subclass": lambda bleu: setattr(type(bleu), "_preprocess_segment", louder),
    "class": lambda bleu: setattr(bleu, "__class__", type("Other", (type(bleu),), {"_preprocess_segment": louder})),
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


PAIR, STREAM = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]

BAD_CORPORA = [
    (3, STREAM), (None, STREAM), ([], STREAM), ([], []), ("ab", ["ab"]), ("abc", STREAM),
    (dict.fromkeys(PAIR), STREAM), ([1, "a"], STREAM), (["a", 1], STREAM), (["a", None], STREAM),
    ([None, "a"], STREAM), ([["a"], ["b"]], STREAM), ([b"a", b"b"], STREAM), (["a", b"b"], STREAM),
    (PAIR, None), (PAIR, []), (PAIR, [[]]), (PAIR, ()), (PAIR, 3), (PAIR, [3]),
    (PAIR, [dict.fromkeys(PAIR)]), (PAIR, PAIR), (PAIR, [[1, 2]]), (PAIR, [["a", 2]]),
    (PAIR, [["a", None]]), (PAIR, [[None, "a"]]), (PAIR, [[None, None]]),
    (["", ""], [[None, None]]), (PAIR, [["a b"], ["c"]]), (PAIR, [["a b", "c d", "e f"]]),
    (PAIR, [["a b", "c d"], ["e f"]]), (PAIR, [["a b", "c d"], []]),
    (PAIR, [["a b", "c d"], [None, "x"]]), (PAIR, [[["a"], ["b"]]]), (PAIR, [["a b", ["c"]]]),
    (PAIR, {"a": 1}), (tuple(PAIR), tuple(map(tuple, STREAM))),
    (["\ud800 a b c"], [["\ud800 a b c"]]), (["a\ud800\udfffb.5 c"], [["a\ud800b .5 c", "\ud800"]]),
]  # fmt: skip

BAD_SENTENCES = [
    (None, ["a"]), (3, ["a"]), (["a"], ["a"]), ("a", "a"), ("a", None), ("a", []), ("a", [3]),
    ("a", [["a"]]), ("a", ["a", 3]), ("a", ["a", ["b"]]), ("a", [None]), ("", [None]),
    ("a b", [None, "a b"]), ("a b", ["a b", None, "c"]), ("a b", ("a b",)), ("a b", {"a": 1}),
    ("a \ud800", ["a \ud800"]), ("", [""]), (" ", ["a"]), ("a", [" "]),
]  # fmt: skip


def of_corpus(name, hyps, refs):
    """Calls that score a corpus."""
    yield lambda module: getattr(module, name)().corpus_score(hyps, refs)
    yield lambda module: getattr(module, name)()._extract_corpus_statistics(hyps, refs)
    yield lambda module: getattr(module, name)(references=refs).corpus_score(hyps, None)
    if name == "BLEU":
        yield lambda module: module.corpus_bleu(hyps, refs, tokenize="intl", force=True)
    if name == "CHRF":
        yield lambda module: module.CHRF(lowercase=True).corpus_score(hyps, refs)


def of_sentence(name, hyp, refs):
    """Calls that score a sentence."""
    yield lambda module: getattr(module, name)().sentence_score(hyp, refs)
    if name == "BLEU":
        yield lambda module: module.sentence_bleu(hyp, refs)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize(("calls", "cases"), [(of_corpus, BAD_CORPORA), (of_sentence, BAD_SENTENCES)])
def test_wrong_input(calls, cases, name):
    alike(*(call for case in cases for call in calls(name, *case)))

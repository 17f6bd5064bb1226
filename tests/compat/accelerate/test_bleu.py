# SPDX-License-Identifier: Apache-2.0
"""Accelerated BLEU is sacreBLEU's: every attribute, bit and text, every error and warning."""

import pytest
from hypothesis import given
from support.accelerated import alike, by_hooks, everything, settings
from support.corpora import corpora, streams


@given(corpora(), settings())
def test_corpora(corpus, options):
    hyps, refs = corpus[0], streams(corpus[1])
    alike(lambda module: everything(module, "BLEU", options, hyps, refs))
    function = {name: options[name] for name in ("tokenize", "lowercase", "smooth_method")}
    alike(lambda module: module.corpus_bleu(hyps, refs, **function))


@given(corpora(max_refs=4), settings())
def test_sentences(corpus, options):
    function = {name: options[name] for name in options if name != "max_ngram_order"}
    function["use_effective_order"] = function.pop("effective_order")
    for pair in zip(*corpus, strict=True):
        alike(lambda module, pair=pair: module.BLEU(**options).sentence_score(*pair))
        alike(lambda module, pair=pair: module.sentence_bleu(*pair, **function))
        alike(lambda module, pair=pair: by_hooks(module, "BLEU")(**options).sentence_score(*pair))


HYPS, REFS = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]


def test_subclasses_of_str_are_strings():
    class Text(str):
        __slots__ = ()

    alike(lambda module: module.corpus_bleu([Text("a b c d")], [[Text("a b c d e")]]))
    alike(lambda module: module.sentence_bleu(Text("a b c d"), [Text("a b c d e")]))


BAD_SETTINGS = [
    {"smooth_method": "x"}, {"smooth_method": None}, {"tokenize": "x"}, {"tokenize": 3},
    {"smooth_method": "floor", "smooth_value": -1}, {"smooth_method": "floor", "smooth_value": "x"},
    {"smooth_method": "floor", "smooth_value": float("nan")},
    {"smooth_method": "add-k", "smooth_value": -1},
    {"smooth_method": "add-k", "smooth_value": 1e300},
    {"smooth_method": "add-k", "smooth_value": True}, {"smooth_method": "exp", "smooth_value": 0.5},
    {"max_ngram_order": 0}, {"max_ngram_order": -1}, {"max_ngram_order": 2.0},
    {"max_ngram_order": True}, {"max_ngram_order": 12}, {"max_ngram_order": "4"},
    {"lowercase": "yes"}, {"lowercase": []}, {"effective_order": []}, {"force": 1},
    {"trg_lang": "zh"}, {"trg_lang": "ja"}, {"trg_lang": "ko"},
    {"trg_lang": "zh", "tokenize": "13a"}, {"trg_lang": "ja", "tokenize": "13a"},
    {"trg_lang": "ko", "tokenize": "13a"}, {"trg_lang": "zh", "tokenize": "zh"},
    {"trg_lang": "de", "tokenize": "intl"}, {"tokenize": "ja-mecab"}, {"tokenize": "ko-mecab"},
    {"references": [["a b c d f", "f g h j"]]},
]  # fmt: skip


@pytest.mark.parametrize("options", BAD_SETTINGS, ids=map(repr, BAD_SETTINGS))
def test_settings(options):
    hyps, refs = (
        ["日本語のテスト、です。", "A b 한국어 시험"],
        [["日本語のテストです", "a b 한국어"]],
    )

    def result(module):
        bleu = module.BLEU(**options)
        score = bleu.corpus_score(hyps, refs)
        sentence = bleu.sentence_score(hyps[0], [refs[0][0]])
        return [repr(vars(score)), repr(vars(sentence)), str(bleu.get_signature())]

    alike(result)


@pytest.mark.parametrize("lines", [99, 100, 250])
@pytest.mark.parametrize("force", [False, True])
def test_the_warning_of_tokenized_periods(lines, force):
    hyps, refs = ["a b c ."] * lines + ["a b c."] * 50, [["a b c ."] * (lines + 50)]
    _, warnings = alike(lambda module: module.BLEU(force=force).corpus_score(hyps, refs))
    assert len(warnings) == (3 if lines >= 100 and not force else 0)
    alike(lambda module: module.BLEU(force=force)._extract_corpus_statistics(hyps, refs))
    alike(lambda module: module.corpus_bleu(hyps, refs, tokenize="none"))
    alike(lambda module: module.raw_corpus_bleu(hyps, refs))
    alike(lambda module: module.BLEU(references=refs).corpus_score(hyps, None))


def test_references_that_change_later_were_kept_before():
    def result(module):
        refs = [list(stream) for stream in REFS]
        bleu = module.BLEU(references=refs)
        refs[0][0] = "z"
        return bleu.corpus_score(HYPS, None).score, bleu._ref_cache

    alike(result)


def test_an_assigned_cache_is_used():
    def result(module):
        bleu = module.BLEU(references=REFS)
        bleu._ref_cache = bleu._ref_cache[:1]
        return bleu.corpus_score(HYPS, None).score

    alike(result)

# SPDX-License-Identifier: Apache-2.0
"""Accelerated BLEU, chrF and TER are sacreBLEU's: every attribute, bit, text, error and warning."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.accelerated import alike, by_hooks, everything, settings
from support.corpora import corpora, streams
from support.profiles import examples

chrf_settings = st.fixed_dictionaries(
    {
        "char_order": st.sampled_from([6, 6, 0, 1, 3, 8, 9, 14, 40]),
        "word_order": st.sampled_from([2, 0, 1, 9]), "beta": st.sampled_from([2, 1, 3, 0, 0.5, -1]),
        "lowercase": st.booleans(), "whitespace": st.booleans(), "eps_smoothing": st.booleans(),
    }
)  # fmt: skip
ter_settings = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
)
SETTINGS = {"BLEU": settings(), "CHRF": chrf_settings, "TER": ter_settings}
each_metric = pytest.mark.parametrize("name", SETTINGS)


@st.composite
def shuffled(draw):
    """References, and hypotheses that have some of their words elsewhere."""
    texts = st.lists(st.sampled_from("abcdefghijk"), max_size=90)
    refs = draw(st.lists(texts, min_size=1, max_size=3))  # sacreBLEU's TER takes long
    hyps = []
    for ref in refs:
        words = list(ref)
        for _ in range(draw(st.integers(0, 5))):
            start, length, target = (draw(st.integers(0, 90)) for _ in range(3))
            block = words[start : start + length]
            del words[start : start + length]
            words[target:target] = block
        hyps.append(words + draw(st.lists(st.sampled_from("abx"), max_size=40)))
    return [" ".join(words) for words in hyps], [[" ".join(words)] for words in refs]


@each_metric
@examples(share=2)
@given(corpus=corpora() | shuffled(), data=st.data())
def test_corpora(name, corpus, data):
    hyps, refs, options = corpus[0], streams(corpus[1]), data.draw(SETTINGS[name])
    alike(lambda module: everything(module, name, options, hyps, refs))


@each_metric
@examples(share=2)
@given(corpus=corpora(max_refs=4), data=st.data())
def test_sentences(name, corpus, data):
    options = data.draw(SETTINGS[name])
    pairs = zip(*corpus, strict=True)
    alike(*(lambda module, pair=pair: getattr(module, name)(**options).sentence_score(*pair) for pair in pairs))


@given(corpora(max_refs=4), settings())
def test_functions_and_hooks_of_bleu(corpus, options):
    hyps, refs = corpus[0], streams(corpus[1])
    function = {name: options[name] for name in ("tokenize", "lowercase", "smooth_method")}
    of_sentences = {name: options[name] for name in options if name != "max_ngram_order"}
    of_sentences["use_effective_order"] = of_sentences.pop("effective_order")
    pairs = list(zip(*corpus, strict=True))
    alike(
        lambda module: module.corpus_bleu(hyps, refs, **function),
        *(lambda module, pair=pair: module.sentence_bleu(*pair, **of_sentences) for pair in pairs),
        *(lambda module, pair=pair: by_hooks(module, "BLEU")(**options).sentence_score(*pair) for pair in pairs),
    )


HYPS, REFS = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]


def test_subclasses_of_str_are_strings():
    class Text(str):
        __slots__ = ()

    alike(
        lambda module: module.corpus_bleu([Text("a b c d")], [[Text("a b c d e")]]),
        lambda module: module.sentence_bleu(Text("a b c d"), [Text("a b c d e")]),
    )


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


def test_settings():
    hyps, refs = (["日本語のテスト、です。", "A b 한국어 시험"], [["日本語のテストです", "a b 한국어"]])

    def result(options, module):
        bleu = module.BLEU(**options)
        score = bleu.corpus_score(hyps, refs)
        sentence = bleu.sentence_score(hyps[0], [refs[0][0]])
        return [repr(options), repr(vars(score)), repr(vars(sentence)), str(bleu.get_signature())]

    alike(*(partial(result, options) for options in BAD_SETTINGS))


@pytest.mark.parametrize("lines", [99, 100, 250])
@pytest.mark.parametrize("force", [False, True])
def test_the_warning_of_tokenized_periods(lines, force):
    hyps, refs = ["a b c ."] * lines + ["a b c."] * 50, [["a b c ."] * (lines + 50)]
    _, warnings = alike(
        lambda module: module.BLEU(force=force).corpus_score(hyps, refs),
        lambda module: module.BLEU(force=force)._extract_corpus_statistics(hyps, refs),
        lambda module: module.corpus_bleu(hyps, refs, tokenize="none"),
        lambda module: module.raw_corpus_bleu(hyps, refs),
        lambda module: module.BLEU(references=refs).corpus_score(hyps, None),
    )
    assert len(warnings) == (3 if lines >= 100 and not force else 0)


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


BAD_ORDERS = [
    {"char_order": 0}, {"char_order": 0, "eps_smoothing": True},
    {"char_order": -1, "word_order": 2}, {"char_order": 2.5}, {"char_order": "a"},
    {"word_order": -3}, {"word_order": True}, {"beta": "2"}, {"beta": 1e9},
    {"beta": float("nan")}, {"beta": float("inf")}, {"beta": 10**400},
]  # fmt: skip


def test_wrong_orders_and_betas():
    def scores(options):
        for hyp, *refs in ("a b c", "a b d"), ("", "a"), ("a", ""), ("x", "y"):
            yield lambda module, pair=(hyp, refs): module.CHRF(**options).sentence_score(*pair)
        yield lambda module: module.CHRF(**options).corpus_score(["a b", "c d"], [["a b", "c e"]])

    alike(*(call for options in BAD_ORDERS for call in scores(options)))


def test_settings_that_are_changed_later_count():
    def changed(module):
        chrf = module.CHRF(references=[["A b c d"]])
        chrf.lowercase, chrf.eps_smoothing, chrf.beta = True, True, 1
        ter = module.TER()
        ter.tokenizer = str.upper
        return chrf.corpus_score(["a b x"], None), ter.corpus_score(["a B"], [["A b"]])

    alike(lambda module: repr(changed(module)))

# SPDX-License-Identifier: Apache-2.0
"""BLEU is sacreBLEU's: every attribute, bit and text, and every error and warning."""

import copy
import pickle

import numpy as np
import pytest
import sacrebleu as original
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora, segments, streams
from support.twins_sacrebleu import (
    TOKENIZERS,
    alike,
    by_hooks,
    described,
    everything,
    settings,
)

from truebleu.compat import sacrebleu as ours


@given(corpora(), settings())
def test_corpora(corpus, how):
    hyps, refs = corpus[0], streams(corpus[1])
    alike(lambda module: everything(module, "BLEU", how, hyps, refs))
    function = {name: how[name] for name in ("tokenize", "lowercase", "smooth_method")}
    alike(lambda module: module.corpus_bleu(hyps, refs, **function))


@given(corpora(max_refs=4), settings())
def test_sentences(corpus, how):
    function = {name: how[name] for name in how if name != "max_ngram_order"}
    function["use_effective_order"] = function.pop("effective_order")
    for pair in zip(*corpus, strict=True):
        alike(lambda module, pair=pair: module.BLEU(**how).sentence_score(*pair))
        alike(lambda module, pair=pair: module.sentence_bleu(*pair, **function))
        alike(lambda module, pair=pair: by_hooks(module, "BLEU")(**how).sentence_score(*pair))


@given(st.one_of(segments, st.text(st.characters(categories=("Cs", "Lu", "Po", "Zs", "Nd")))))
def test_tokenizers(text):
    for name in TOKENIZERS:
        alike(lambda module, name=name: module.metrics.bleu._get_tokenizer(name)()(text))
    alike(lambda module: module.tokenizers.tokenizer_re.TokenizerRegexp()(text))


@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=4),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.integers(0, 20),
    st.integers(0, 20),
    settings(),
)
def test_compute_bleu(correct, more, sys_len, ref_len, how):
    total = [count + extra for count, extra in zip(correct, more, strict=True)]
    how = {name: how[name] for name in ("smooth_method", "smooth_value", "effective_order")}

    def result(module):
        matches, totals = list(correct), list(total)
        score = module.BLEU.compute_bleu(matches, totals, sys_len, ref_len, **how)
        return described(score), matches, totals

    alike(result)


@pytest.mark.parametrize("method", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_scores_of_numpy_rows(method, dtype):
    def result(module):
        row = np.array([3, 8, 2, 0, 0, 0, 3, 2, 1, 0], dtype=dtype)
        score = module.BLEU(smooth_method=method)._compute_score_from_stats(row)
        return described(score), repr(list(row))

    alike(result)


def test_scores_are_copied_pickled_and_shown_whole():
    theirs, mine = (
        module.corpus_bleu(["a b c d e"], [["a b c d f"]]) for module in (original, ours)
    )
    assert list(vars(copy.copy(mine))) == list(vars(theirs))
    assert vars(pickle.loads(pickle.dumps(mine))) == vars(theirs)  # noqa: S301
    fresh = ours.corpus_bleu(["a b c d e"], [["a b c d f"]])
    assert (fresh.prec_str, fresh.ratio, fresh._verbose) == (
        theirs.prec_str,
        theirs.ratio,
        theirs._verbose,
    )
    assert repr(vars(fresh)) == repr(vars(theirs))
    fresh = ours.corpus_bleu(["a b c d e"], [["a b c d f"]])
    fresh.name, fresh.mine = "Mine", 3
    assert vars(fresh) == {**vars(theirs), "name": "Mine", "mine": 3}
    with pytest.raises(AttributeError, match="'BLEUScore' object has no attribute 'scores'"):
        _ = fresh.scores


HYPS, REFS = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]


def test_subclasses_of_str_are_strings():
    class Text(str):
        __slots__ = ()

    alike(lambda module: module.corpus_bleu([Text("a b c d")], [[Text("a b c d e")]]))
    alike(lambda module: module.sentence_bleu(Text("a b c d"), [Text("a b c d e")]))


BAD_SETTINGS = [
    {"smooth_method": "x"},
    {"smooth_method": None},
    {"tokenize": "x"},
    {"tokenize": 3},
    {"smooth_method": "floor", "smooth_value": -1},
    {"smooth_method": "floor", "smooth_value": "x"},
    {"smooth_method": "floor", "smooth_value": float("nan")},
    {"smooth_method": "add-k", "smooth_value": -1},
    {"smooth_method": "add-k", "smooth_value": 1e300},
    {"smooth_method": "add-k", "smooth_value": True},
    {"smooth_method": "exp", "smooth_value": 0.5},
    {"max_ngram_order": 0},
    {"max_ngram_order": -1},
    {"max_ngram_order": 2.0},
    {"max_ngram_order": True},
    {"max_ngram_order": 12},
    {"max_ngram_order": "4"},
    {"lowercase": "yes"},
    {"lowercase": []},
    {"effective_order": []},
    {"force": 1},
    {"trg_lang": "zh"},
    {"trg_lang": "ja"},
    {"trg_lang": "ko"},
    {"trg_lang": "zh", "tokenize": "13a"},
    {"trg_lang": "ja", "tokenize": "13a"},
    {"trg_lang": "ko", "tokenize": "13a"},
    {"trg_lang": "zh", "tokenize": "zh"},
    {"trg_lang": "de", "tokenize": "intl"},
    {"tokenize": "ja-mecab"},
    {"tokenize": "ko-mecab"},
    {"references": [["a b c d f", "f g h j"]]},
]


@pytest.mark.parametrize("how", BAD_SETTINGS, ids=map(repr, BAD_SETTINGS))
def test_settings(how):
    hyps, refs = (
        ["日本語のテスト、です。", "A b 한국어 시험"],
        [["日本語のテストです", "a b 한국어"]],
    )

    def result(module):
        bleu = module.BLEU(**how)
        score = bleu.corpus_score(hyps, refs)
        sentence = bleu.sentence_score(hyps[0], [refs[0][0]])
        return [repr(vars(score)), repr(vars(sentence)), str(bleu.get_signature())]

    alike(result)


def test_settings_may_change_after_the_constructor():
    def result(module):
        bleu = module.BLEU(references=REFS)
        scores = [bleu.corpus_score(HYPS, None).score]
        for name, value in [
            ("lowercase", True), ("smooth_method", "floor"), ("smooth_value", 0.3),
            ("max_ngram_order", 2), ("effective_order", True), ("smooth_method", "x"),
        ]:  # fmt: skip
            setattr(bleu, name, value)
            scores.append(bleu.corpus_score([hyp.upper() for hyp in HYPS], None).score)
        return scores

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


def test_sentence_scores_advise_effective_order():
    _, warnings = alike(lambda module: module.BLEU().sentence_score("a b", ["a b"]))
    assert len(warnings) == 1


def test_signatures_need_a_score():
    alike(lambda module: module.BLEU().get_signature())
    alike(lambda module: str(module.BLEU(references=REFS).get_signature()))


def test_json_needs_a_signature():
    alike(lambda module: module.corpus_bleu(HYPS, REFS).format(is_json=True))
    alike(lambda module: module.corpus_bleu(HYPS, REFS).format(is_json=True, signature="a:b:c"))
    alike(lambda module: module.corpus_bleu(HYPS, REFS).format(is_json=True, signature="a:b|c:d"))


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

# SPDX-License-Identifier: Apache-2.0
"""The drop-in's chrF and TER are sacreBLEU's: every attribute, every bit, every text."""

import pickle

import pytest
import sacrebleu as original
from hypothesis import example, given
from hypothesis import strategies as st
from support.corpora import corpora, segments, streams
from support.twins_sacrebleu import alike, described, everything

from truebleu.compat import sacrebleu as ours

chrf_settings = st.fixed_dictionaries(
    {
        "char_order": st.sampled_from([6, 6, 0, 1, 3, 8, 9, 14, 40]),
        "word_order": st.sampled_from([2, 0, 1, 9]),
        "beta": st.sampled_from([2, 1, 3, 0, 0.5, -1]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)
ter_settings = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
)
either = st.one_of(
    st.tuples(st.just("CHRF"), chrf_settings), st.tuples(st.just("TER"), ter_settings)
)


@st.composite
def shuffled(draw):
    """References, and hypotheses that have some of their words elsewhere."""
    refs = draw(st.lists(st.lists(st.sampled_from("abcdefghijk"), max_size=90), min_size=1))
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


@given(st.one_of(corpora(), shuffled()), either)
def test_corpora(corpus, metric):
    hyps, refs = corpus[0], streams(corpus[1])
    alike(lambda module: everything(module, *metric, hyps, refs))


@given(corpora(max_refs=4), either)
def test_sentences(corpus, metric):
    name, how = metric
    for hyp, refs in zip(*corpus, strict=True):
        pair = hyp, refs
        alike(lambda module, pair=pair: getattr(module, name)(**how).sentence_score(*pair))


@given(corpora(max_refs=3), chrf_settings, ter_settings)
def test_functions(corpus, chrf, ter):
    hyps, refs = corpus
    chrf = {name: chrf[name] for name in ("char_order", "word_order", "beta", "eps_smoothing")}
    chrf["remove_whitespace"] = False
    alike(lambda module: module.corpus_chrf(hyps, streams(refs), **chrf))
    alike(lambda module: module.sentence_chrf(hyps[0], refs[0], **chrf))
    alike(lambda module: module.corpus_ter(hyps, streams(refs), **ter))
    alike(lambda module: module.sentence_ter(hyps[0], refs[0], **ter))


texts = st.one_of(segments, st.text(), st.text(st.characters(categories=("Cs", "Lu", "Po", "Nd"))))


@given(texts, ter_settings)
def test_tercom_tokenizer(text, how):
    theirs, mine = (module.metrics.ter.TercomTokenizer(**how)(text) for module in (original, ours))
    assert mine == theirs


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [("normalized", "asian_support"), ("no_punct", "asian_support"), ("normalized",), ()]
)
def test_tercom_tokenizer_on_every_character(how):
    tokenizers = [
        module.metrics.ter.TercomTokenizer(**dict.fromkeys(how, True))
        for module in (original, ours)
    ]
    for start in range(0, 0x110000, 0x4000):
        codes = range(start, start + 0x4000)
        text = " ".join(f"a{chr(code)}1{chr(code)}b" for code in codes)
        theirs, mine = (tokenizer(text) for tokenizer in tokenizers)
        assert mine == theirs, hex(start)


words = st.lists(st.sampled_from(["a", "b", "c", "d", "é"]), max_size=70)


@given(words, words)
@example(["a"], ["a"] * 27)  # of the short words a narrower band is kept
def test_lib_ter(hyp, ref):
    def result(module):
        lib = module.metrics.lib_ter
        distance = lib.BeamEditDistance(ref)
        rows = [distance(hyp), distance(ref), distance(hyp[::-1])]
        if ref:
            rows.append(lib._shift(hyp, ref, distance, 0))
        return [
            lib.translation_edit_rate(hyp, ref),
            list(lib._find_shifted_pairs(hyp, ref)),
            rows,
            lib.trace_to_alignment(lib._flip_trace(rows[0][1])),
        ]

    alike(result)


@given(words.filter(bool), st.integers(0, 69), st.integers(1, 9), st.integers(0, 70))
def test_moves(hyp, start, length, target):
    start, target = start % len(hyp), target % (len(hyp) + 1)
    alike(lambda module: module.metrics.lib_ter._perform_shift(hyp, start, length, target))


@pytest.mark.parametrize(
    "how",
    [
        {"char_order": 0},
        {"char_order": 0, "eps_smoothing": True},
        {"char_order": -1, "word_order": 2},
        {"char_order": 2.5},
        {"char_order": "a"},
        {"word_order": -3},
        {"word_order": True},
        {"beta": "2"},
        {"beta": 1e9},
        {"beta": float("nan")},
        {"beta": float("inf")},
        {"beta": 10**400},
    ],
    ids=repr,
)
def test_wrong_orders_and_betas(how):
    for hyp, *refs in ("a b c", "a b d"), ("", "a"), ("a", ""), ("x", "y"):
        pair = hyp, refs
        alike(lambda module, pair=pair: module.CHRF(**how).sentence_score(*pair))
    alike(lambda module: module.CHRF(**how).corpus_score(["a b", "c d"], [["a b", "c e"]]))


@pytest.mark.parametrize("name", ["CHRF", "TER"])
def test_intervals_and_paired_tests(name):
    hyps = [f"the cat sat on mat {i % 7} {i % 3}" for i in range(40)]
    other = [f"the mat sat on cat {i % 7} {i % 5}" for i in range(40)]
    refs = [[f"the cat sat on the mat {i % 7} {i % 4}" for i in range(40)]]

    def tested(module):
        metric = getattr(module, name)(references=refs)
        bootstrapped = metric.corpus_score(hyps, None, n_bootstrap=20)
        pairs = [("Baseline: A", hyps), ("B", other)]
        test = module.significance.PairedTest(pairs, {name: metric}, None, "ar", n_samples=30)
        signatures, scores = test()
        return described(bootstrapped), str(metric.get_signature()), repr(scores), repr(signatures)

    alike(tested)


def test_settings_that_are_changed_later_count():
    def changed(module):
        chrf = module.CHRF(references=[["A b c d"]])
        chrf.lowercase, chrf.eps_smoothing, chrf.beta = True, True, 1
        ter = module.TER()
        ter.tokenizer = str.upper
        return chrf.corpus_score(["a b x"], None), ter.corpus_score(["a B"], [["A b"]])

    alike(lambda module: repr(changed(module)))


@pytest.mark.parametrize("name", ["CHRF", "TER"])
def test_metrics_and_scores_are_pickled(name):
    metric = getattr(ours, name)(references=[["a b c d f"]])
    score = metric.corpus_score(["a b c d e"], None)
    again = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert again.corpus_score(["a b c d e"], None).score == score.score
    assert vars(pickle.loads(pickle.dumps(score))) == vars(score)  # noqa: S301


def test_references_that_score_alike_count_by_their_order_as_in_the_original():
    """Without a match all references have an F-score of 0; the first decides what is counted."""
    hyps, refs = ["x", "a b c d"], [["abc", "a b c d"], ["abcdefgh", "a b c d"]]
    scores = [ours.CHRF().corpus_score(hyps, order).score for order in (refs, refs[::-1])]
    theirs = [original.CHRF().corpus_score(hyps, order).score for order in (refs, refs[::-1])]
    assert scores == theirs
    assert scores[0] != scores[1]

# SPDX-License-Identifier: Apache-2.0
"""Accelerated chrF and TER are sacreBLEU's: every attribute, every bit, every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.accelerated import alike, everything
from support.corpora import corpora, streams

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
    name, options = metric
    for hyp, refs in zip(*corpus, strict=True):
        pair = hyp, refs
        alike(lambda module, pair=pair: getattr(module, name)(**options).sentence_score(*pair))


@pytest.mark.parametrize(
    "options",
    [
        {"char_order": 0}, {"char_order": 0, "eps_smoothing": True},
        {"char_order": -1, "word_order": 2}, {"char_order": 2.5}, {"char_order": "a"},
        {"word_order": -3}, {"word_order": True}, {"beta": "2"}, {"beta": 1e9},
        {"beta": float("nan")}, {"beta": float("inf")}, {"beta": 10**400},
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_orders_and_betas(options):
    for hyp, *refs in ("a b c", "a b d"), ("", "a"), ("a", ""), ("x", "y"):
        pair = hyp, refs
        alike(lambda module, pair=pair: module.CHRF(**options).sentence_score(*pair))
    alike(lambda module: module.CHRF(**options).corpus_score(["a b", "c d"], [["a b", "c e"]]))


def test_settings_that_are_changed_later_count():
    def changed(module):
        chrf = module.CHRF(references=[["A b c d"]])
        chrf.lowercase, chrf.eps_smoothing, chrf.beta = True, True, 1
        ter = module.TER()
        ter.tokenizer = str.upper
        return chrf.corpus_score(["a b x"], None), ter.corpus_score(["a B"], [["A b"]])

    alike(lambda module: repr(changed(module)))

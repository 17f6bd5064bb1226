# SPDX-License-Identifier: Apache-2.0
"""CrystalBLEU: numbers of package crystalbleu 0.2, and NLTK's BLEU where nothing is left out."""

import json
from collections import Counter

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora, present

import truebleu as tb
from truebleu.spec.numbers import ngrams

GOLDEN = json.loads((ROOT / "tests" / "golden" / "crystalbleu.json").read_text("utf-8"))["corpora"]


@pytest.mark.parametrize("case", GOLDEN, ids=range(len(GOLDEN)))
def test_it_is_the_packages(case):
    ignore = [tuple(ngram.split()) for ngram in case["ignore"]]
    for dialect, value in (("nltk", case["none"]), ("nltk-method1", case["method1"])):
        crystal = tb.CrystalBLEU(dialect, ignore=ignore)
        assert crystal.corpus(case["hyps"], case["refs"]).value == value


@given(corpora())
def test_without_ngrams_it_is_bleu(corpus):
    for dialect in ("nltk", "sacrebleu"):
        crystal, bleu = tb.CrystalBLEU(dialect), tb.BLEU(dialect)
        assert list(crystal.stats(*corpus)) == list(bleu.stats(*corpus))
        assert crystal.corpus(*corpus).value == bleu.corpus(*corpus).value
        assert crystal.sentences(*corpus).tolist() == bleu.sentences(*corpus).tolist()


@given(corpora(), st.integers(0, 30), st.integers(1, 6))
def test_ngrams_are_left_out(corpus, k, order):
    hyps, refs = corpus[0], present(corpus[1])
    texts = [ref for row in refs for ref in row]
    ignore = tb.trivial_ngrams(texts, k, max_ngram_order=order)
    crystal = tb.CrystalBLEU(ignore=ignore, max_ngram_order=order, floor_totals=False)
    tokens = crystal.tokens
    split = [tokens(text) for text in texts]
    counts = Counter()
    for n in range(1, order + 1):
        for text in split:
            counts.update(ngrams(text, n))
    assert ignore == [ngram for ngram, _ in counts.most_common(k)]
    for hyp, row, stats in zip(hyps, refs, crystal.stats(hyps, refs), strict=True):
        for n in range(1, order + 1):
            kept, most = _kept(tokens(hyp), n, ignore), Counter()
            for ref in row:
                most |= _kept(tokens(ref), n, ignore)
            assert stats[1 + n] == (kept & most).total()
            assert stats[1 + order + n] == kept.total()


def _kept(tokens, n, ignore):
    return Counter({g: count for g, count in ngrams(tokens, n).items() if g not in ignore})


def test_words_of_any_kind_are_left_out():
    ignore = [("a;b", "1:c"), ("",), ("日本", "🙂" * 9), (",",)]
    crystal = tb.CrystalBLEU(ignore=ignore, floor_totals=False)
    row = ["a;b", "1:c", "", "日本", "🙂" * 9, ","]
    assert crystal.stats([row], [[row]])[0][2:] == (4, 3, 4, 3, 4, 3, 4, 3)
    assert crystal.signature.endswith("|ignore:4-" + crystal.signature[-8:])
    assert tb.CrystalBLEU(ignore=ignore[::-1], floor_totals=False).signature == crystal.signature
    assert tb.trivial_ngrams([["x", "y"], ["x"]], k=1) == [("x",)]

# SPDX-License-Identifier: Apache-2.0
"""PINC: what is new in a paraphrase, by its formula."""

from collections import Counter
from functools import reduce
from operator import add

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.corpora import corpora, present

import truebleu as tb


def expected(hyp, sources, order):
    """The mean over orders of the share of n-grams that the sources lack."""
    shares = []
    for n in range(1, order + 1):
        of_hyp, *of_sources = (
            Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))
            for text in (hyp, *sources)
        )
        most = Counter()
        for one in of_sources:
            most |= one
        if of_hyp:
            shares.append(1 - (of_hyp & most).total() / of_hyp.total())
    # One after the other: from Python 3.12 on, `sum` rounds in another way.
    return reduce(add, shares) / len(shares) if shares else 0.0


@given(corpora(), st.integers(1, 7))
@example((["a a a a a a a a a a a a"], [["a"]]), 5)
def test_it_is_the_formula(corpus, order):
    hyps, refs = corpus[0], present(corpus[1])
    pinc = tb.PINC(order=order)
    values = [
        expected(pinc.tokens(hyp), [pinc.tokens(ref) for ref in row], order)
        for hyp, row in zip(hyps, refs, strict=True)
    ]
    assert pinc.sentences(hyps, refs).tolist() == values
    mean = sum(values) / len(values)
    assert pinc.corpus(hyps, refs).value == pytest.approx(mean, rel=0, abs=1e-10)


def test_its_score_shows_what_it_is():
    score = tb.PINC(order=2).corpus(["a b", "c"], ["a c", "c"])
    assert (score.value, score.scale, str(score)) == (0.375, 1, "PINC = 0.3750")
    assert score.counts() == {
        "pinc_units": 3 << 34, "segments": 2,
        "match_1": 2, "match_2": 0, "total_1": 3, "total_2": 1,
    }  # fmt: skip
    assert score.stats.columns()["pinc_sum"].tolist() == [0.75]
    assert score.signature == "nrefs:1|case:mixed|tok:13a|order:2|version:2011"

# SPDX-License-Identifier: Apache-2.0
"""iBLEU is two scores of BLEU."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import SUMS, corpora, segments

import truebleu as tb


@given(corpora(), st.data(), st.floats(0, 1))
def test_it_is_two_scores_of_bleu(corpus, data, alpha):
    hyps, refs = corpus
    sources = [data.draw(segments) for _ in hyps]
    dialect = data.draw(st.sampled_from(SUMS))
    try:
        bleu = tb.BLEU(dialect)
    except tb.MissingExtraError:
        return
    both = tb.with_sources(refs, sources)
    ibleu = tb.IBLEU(dialect, alpha=alpha)

    def mixed(score):
        return alpha * score(hyps, refs) - (1 - alpha) * score(hyps, sources)

    expected = mixed(lambda *pair: bleu.corpus(*pair).value)
    assert ibleu.corpus(hyps, both).value == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    expected = mixed(bleu.sentences).tolist()
    assert ibleu.sentences(hyps, both).tolist() == pytest.approx(expected, abs=0, nan_ok=True)


def test_means_of_segments():
    name = next(name for name in tb.DIALECTS if name not in SUMS)
    hyps, refs, sources = ["a b c d e", "b c d"], ["a b c d f", "b c d"], ["a b c d", "b"]
    bleu = tb.BLEU(name)
    both = [bleu.corpus(hyps, column).value for column in (refs, sources)]
    value = tb.IBLEU(name, alpha=0.8).corpus(hyps, tb.with_sources(refs, sources)).value
    assert value == 0.8 * both[0] - (1 - 0.8) * both[1]


def test_the_source_follows_the_references():
    words = tb.with_sources([["a", "b"], [["a"], ["b", "c"]]], [["x"], ["y"]])
    assert words == [[["a", "b"], ["x"]], [["a"], ["b", "c"], ["y"]]]
    score = tb.IBLEU(max_ngram_order=1).corpus([["a", "b"]], words[:1])
    assert score.counts()["match_1"] == 2
    assert score.counts()["source_match_1"] == 0
    assert "|nrefs:1|" in f"|{score.signature}|"
    with pytest.raises(tb.InputError, match="refs has 1 segments, sources has 2"):
        tb.with_sources(["a"], ["b", "c"])
    with pytest.raises(tb.InputError, match=r"refs\[1\] has no source; .*with_sources"):
        tb.IBLEU().corpus(["a", "b"], [["a", "b"], ["c"]])
    with pytest.raises(tb.OptionError, match="alpha"):
        tb.IBLEU(alpha="much")

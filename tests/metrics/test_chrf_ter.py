# SPDX-License-Identifier: Apache-2.0
"""chrF and TER: equal to sacreBLEU, and all that a sum of integers promises."""

import pickle

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora, present

from truebleu import CHRF, TER, InputError
from truebleu.metrics.ter import LENGTH_UNITS

HYPS = ["The cat sat on the mat.", "b c d a", ""]
REFS = [["The cat sits on the mat.", "A cat sat there."], ["a b c d"], ["x", None, ""]]


@given(corpora(), st.integers(0, 2), st.booleans(), st.booleans(), st.sampled_from([1, 2, 3]))
def test_chrf_is_sacrebleus(corpus, word_order, whitespace, eps, beta):
    hyps, refs = corpus
    how = {"word_order": word_order, "whitespace": whitespace, "beta": beta, "eps_smoothing": eps}
    theirs = sacrebleu.CHRF(**how)
    chrf = CHRF(**how)
    rows = [
        theirs._extract_corpus_statistics([hyp], [[ref] for ref in row])[0]
        for hyp, row in zip(hyps, present(refs), strict=True)
    ]
    assert list(map(list, chrf.stats(hyps, refs))) == rows
    score = theirs._aggregate_and_compute(rows)
    assert (chrf.corpus(hyps, refs).value, chrf.corpus(hyps, refs).name) == (score.score, score.name)
    values = [theirs._compute_f_score(row) for row in rows]
    assert chrf.sentences(hyps, refs).tolist() == values
    assert chrf.values(chrf.stats(hyps, refs)).tolist() == values


@given(corpora(), st.booleans(), st.booleans(), st.booleans())
def test_ter_is_sacrebleus(corpus, normalized, no_punct, asian_support):
    hyps, refs = corpus
    how = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian_support}
    theirs, ter = sacrebleu.TER(**how), TER(**how)
    rows = [
        theirs._extract_corpus_statistics([hyp], [[ref] for ref in row])[0]
        for hyp, row in zip(hyps, present(refs), strict=True)
    ]
    mine = [[edits, length / LENGTH_UNITS] for edits, length in ter.stats(hyps, refs)]
    assert mine == rows
    # sacreBLEU adds thirds of words as floats, and we as integers.
    expected = theirs._aggregate_and_compute(rows).score
    assert ter.corpus(hyps, refs).value == pytest.approx(expected, rel=1e-13)
    if all(len(row) != 3 for row in present(refs)):
        assert ter.corpus(hyps, refs).value == expected
    values = [theirs._compute_score_from_stats(row).score for row in rows]
    assert ter.sentences(hyps, refs).tolist() == values


@given(corpora(max_refs=4), st.randoms(use_true_random=False))
def test_the_order_of_references_changes_nothing(corpus, random):
    hyps, refs = corpus
    shuffled = [random.sample(row, len(row)) for row in refs]
    ter = TER(), TER(normalized=True, no_punct=True)
    for metric in (CHRF(tie="longer"), CHRF(word_order=2, tie="longer"), *ter):
        assert metric.stats(hyps, refs) == metric.stats(hyps, shuffled)


def test_among_equal_references_the_first_or_the_longer_one_counts():
    chrf = CHRF(tie="longer")
    for refs in (["abc", "abcdefgh", ""], ["", "abcdefgh", "abc"]):
        assert chrf.stats(["x"], [refs])[0][:2] == (1, 8)
        assert CHRF().stats(["x"], [refs])[0][1] == len(refs[0])
    assert "tie:longer" in chrf.signature
    assert "tie:longer" in chrf.corpus(["x"], [["a", "b"]]).signature
    assert "tie" not in chrf.corpus(["x"], ["a"]).signature
    assert "tie" not in CHRF().corpus(["x"], [["a", "b"]]).signature


def test_long_texts_are_counted_as_short_ones():
    """Masks, sorting and the table: each has its lengths and orders."""
    text = " ".join(f"word{i % 83} {chr(0x4E00 + i % 301)}" for i in range(400))
    for length in (60, 64, 65, 128, 129, 190, 250, 257, 400, 512, 513, 2_000):
        hyp, ref = text[: length + 9], text[7 : length + 7]
        for how in ({}, {"char_order": 8}, {"char_order": 9}, {"char_order": 17, "word_order": 9}):
            theirs = sacrebleu.CHRF(**how, whitespace=True).sentence_score(hyp, [ref])
            assert CHRF(**how, whitespace=True).sentence(hyp, ref).value == theirs.score


def test_the_longest_words_of_ter_have_a_score():
    longest = " ".join(["a", "b", "c", "d"] * 2_048)
    assert TER().corpus([longest], [longest]).value == 0
    assert TER().corpus([longest * 4], ["a b"]).value > 0
    with pytest.raises(InputError, match=r"refs\[1\] has 8193 words and its hypothesis 8192"):
        TER().corpus(["a", longest], ["a", longest + " e"])


def test_a_mean_of_three_lengths_is_rounded_once():
    """q + r/3 has two roundings; a fault that a random test met once."""
    hyp = "a b c"
    for words in range(1, 60):
        refs = [" ".join("a" * words), "a b", "b"]
        theirs = sacrebleu.TER().sentence_score(hyp, refs).score
        assert TER().sentences([hyp], [refs])[0] == theirs


def test_up_to_22_references_have_a_mean_length():
    refs = [" ".join("x" * i) for i in range(1, 23)]
    score = TER().corpus(["x x"], [refs])
    assert (score.edits, score.ref_len) == (0, 11.5)
    with pytest.raises(InputError, match="23 references"):
        TER().corpus(["x"], [["x"] * 23])
    assert CHRF().corpus(["x"], [["x"] * 23]).value == 100


def test_scores_and_metrics_are_values():
    score = TER().corpus(HYPS[:2], REFS[:2])
    assert float(score) == score.value
    assert score.to_dict()["edits"] == score.edits == 2
    assert score.with_signature("x").signature == "x"
    chrf = CHRF(word_order=2, beta=1.5)
    assert repr(pickle.loads(pickle.dumps(chrf))) == repr(chrf)  # noqa: S301
    assert chrf.corpus(HYPS, REFS).name == "chrF1.5++"
    assert chrf.words("(hi) a, b") == ["(hi", ")", "a", ",", "b"]
    assert TER(normalized=True).words("It's 3.5, no.") == ["it", "'s", "3.5", ",", "no", "."]
    assert score.format(4, signature=True, short=True) == (
        f"TER|#:var|c:lc|tok:tercom|nr:no|pn:yes|as:no|unicode:{_lower()}|v:2.6.0 = 22.2222"
    )


def _lower():
    return TER().signature.partition("unicode:")[2].partition("|")[0]

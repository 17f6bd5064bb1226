# SPDX-License-Identifier: Apache-2.0
"""Random corpora score alike in `truebleu.compat.nltk` and in NLTK, whatever the setting."""

from hypothesis import given
from hypothesis import strategies as st
from support.twins_nltk import DEFAULT, WEIGHTS, alike, check, method, segment_lists

#: With each corpus: every method.
METHODS = [None, *(f"method{i}" for i in range(8))]


@given(segment_lists(), st.data(), st.booleans(), st.booleans())
def test_corpora_score_alike(corpus, data, default, reweigh):
    for name in METHODS:
        weights = DEFAULT if default else data.draw(st.sampled_from(WEIGHTS))
        alike(lambda m: m.corpus_bleu(*corpus, weights, method(m, name), reweigh))  # noqa: B023


@given(segment_lists(), st.sampled_from(WEIGHTS), st.sampled_from([1, 5, 7.5]), st.booleans())
def test_sentences_score_alike(corpus, weights, k, reweigh):
    references, hypothesis = (column[0] for column in corpus)
    for name in METHODS:

        def score(module, name=name):
            smooth = name and getattr(module.SmoothingFunction(0.01, 3, k), name)
            return module.sentence_bleu(references, hypothesis, weights, smooth, reweigh)

        alike(score)


@given(segment_lists(), st.integers(0, 70))
def test_parts_are_alike(corpus, order):
    references, hypothesis = (column[0] for column in corpus)
    for n in {1, 2, 3, 4, 5, order}:
        check("modified_precision", references, hypothesis, n)
        check("ngrams", hypothesis, n, pad_left=True, right_pad_symbol="</s>")
    check("closest_ref_length", references, len(hypothesis))
    check("brevity_penalty", order, len(hypothesis))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=1, max_size=6), st.data())
def test_smoothing_alone_is_alike(counts, data):
    """Methods called by themselves give the same objects, Fractions where NLTK gives them."""
    segment = [["a", "b", "a", "c"]], ["a", "b", "a"]
    hyp_len = data.draw(st.sampled_from([None, 0, 1, 3, 40]))
    for name in METHODS[1:]:

        def smoothed(module, name=name):
            p_n = [module.Fraction(min(pair), max(pair), _normalize=False) for pair in counts]
            return method(module, name)(p_n, *segment, hyp_len)

        alike(smoothed)

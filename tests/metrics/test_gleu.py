# SPDX-License-Identifier: Apache-2.0
"""GLEU: NLTK's of lists of words, Hugging Face's google_bleu of texts."""

from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from support.corpora import corpora, present

from truebleu import BLEU, GLEU
from truebleu.metrics.gleu import GLEUStats

words = st.lists(
    st.sampled_from(["aab", "c", "é", "日本", "🙂", "donaudampfschifffahrt"]), max_size=70
)
orders = st.tuples(st.integers(1, 5), st.integers(1, 7)).map(sorted)


@given(
    st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=4)), min_size=1, max_size=12),
    orders,
)
def test_lists_of_words_are_scored_as_nltk_scores_them(segments, orders):
    least, most = orders
    hyps, refs = [list(column) for column in zip(*segments, strict=True)]
    gleu = GLEU(min_len=least, max_len=most)
    assert gleu.corpus(hyps, refs).value == corpus_gleu(refs, hyps, least, most)
    assert gleu.sentences(hyps, refs).tolist() == [
        sentence_gleu(row, hyp, least, most) for hyp, row in zip(hyps, refs, strict=True)
    ]


@given(corpora(max_refs=3))
def test_texts_are_scored_as_google_bleu(corpus):
    hyps, refs = corpus
    tokens = BLEU("hf-bleu").tokens
    split = [[tokens(ref) for ref in row] for row in present(refs)]
    expected = corpus_gleu(split, [tokens(hyp) for hyp in hyps])
    assert GLEU(**_reading("hf-bleu")).corpus(hyps, refs).value == expected


def _reading(name):
    parts = BLEU(name).dialect.parts()[:2]
    return {option: value for part in parts for option, value in vars(part).items()}


def test_of_several_references_the_best_counts_and_of_equal_ones_the_first():
    assert GLEU().stats(["a b"], [["x", "a b c", "a b c d"]])[0] == (3, 6)
    assert GLEU().stats(["a b"], [["a", "a b c d"]])[0] == (1, 3)  # 3 of 10 are less
    assert GLEU(max_len=1).stats(["a"], [["b", "c d"]])[0] == (0, 1)
    assert GLEU(max_len=1).stats(["a"], [["c d", "b"]])[0] == (0, 2)
    assert GLEU().corpus([""], [""]).value == 0.0


def test_its_score_shows_what_it_is():
    score = GLEU(lowercase=True, tokenize="none").corpus(["The cat"], ["the cat sat"])
    assert score.scale == 1
    assert str(score) == "GLEU = 0.5000"
    assert score.to_dict() == {
        "name": "GLEU", "value": 0.5, "scale": 1, "match": 3, "total": 6,
        "signature": score.signature,
    }  # fmt: skip
    assert score.signature.startswith("nrefs:1|case:lc|tok:none|unicode:lower-")
    assert score.signature.endswith("|min_len:1|max_len:4|version:3.10.4")
    assert GLEUStats([[3, 6]]).sum() == score.stats

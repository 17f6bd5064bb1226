# SPDX-License-Identifier: Apache-2.0
"""Explanations: matches are those that are counted, costs those of scoring anew."""

import json
import math
from collections import Counter
from functools import reduce
from itertools import chain
from operator import or_

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS
from support.profiles import SLOW, few

import truebleu as tb
from truebleu import BLEU, DIALECTS, explain
from truebleu.analysis.explain.overlap import overlap
from truebleu.spec.numbers import ngrams

each_row = pytest.mark.parametrize("name", few(DIALECTS, every=3))


def by_one(words):
    """A tokenizer of one's own."""
    return words.split()


def check_segment(bleu, hyp, refs):
    why = explain(hyp, refs, bleu.dialect)
    score = bleu.sentence(hyp, refs)
    assert str(why.score.to_dict()) == str(score.to_dict())
    row = score.stats[0]
    orders = bleu.dialect.count.max_ngram_order
    floor = bleu.dialect.count.floor_totals
    assert len(why.overlap.ngrams) == orders
    for n, grams in enumerate(why.overlap.ngrams, start=1):
        assert sum(gram.matched * gram.weight for gram in grams) == row[1 + n]
        total = row[1 + len(row) // 2 - 1 + n]
        if bleu.dialect.count.measure == "precision":
            assert max(sum(gram.possible for gram in grams), floor) == max(total, 0)
            assert all(g.matched + g.clipped + g.unmatched == g.in_hyp for g in grams)
        for gram in grams:
            assert bool(gram.allowed_by) == bool(gram.matched)
            for i in gram.allowed_by:
                assert gram.in_refs[i - 1] >= min(gram.in_hyp, gram.allowed)
    covered = why.overlap.hyp_covered
    if bleu.dialect.count.measure == "precision":
        # As many tokens are covered as words match, and a run of n is at least n long.
        assert sum(length > 0 for length in covered) >= row[2]
    assert len(covered) == len(why.overlap.hyp)
    assert max(covered, default=0) <= orders
    json.dumps(why.to_dict(), allow_nan=False)
    assert str(why)


@each_row
def test_matches_of_a_segment_are_those_that_the_kernel_counts(name):
    bleu = BLEU(name)
    step = 1 if SLOW else 4
    for hyp, refs in zip(HYPS[::step], RAGGED[::step], strict=True):
        check_segment(bleu, hyp, refs)


@given(corpora())
def test_matches_of_any_text_are_those_that_the_kernel_counts(corpus):
    for hyp, refs in zip(*corpus, strict=True):
        for name in ("sacrebleu", "nltk", "codebleu-weighted", "torchmetrics-sacre"):
            check_segment(BLEU(name), hyp, refs)


def covered(tokens, allowed):
    """The longest match of each token; `allowed` counts the n-grams of each order."""
    lengths = [0] * len(tokens)
    for n, most in enumerate(allowed, start=1):
        seen = Counter()
        for i, gram in enumerate(zip(*(tokens[k:] for k in range(n)), strict=False)):
            seen[gram] += 1
            if seen[gram] <= most[gram]:
                lengths[i : i + n] = [n] * n
    return tuple(lengths)


TOKENS = st.lists(st.sampled_from(["a", "b", "c", "d d", ""]), max_size=12)


@given(hyp=TOKENS, refs=st.lists(TOKENS, min_size=1, max_size=3))
def test_any_tokens_are_covered_as_plain_python_covers_them(hyp, refs):
    shared = overlap(BLEU(), hyp, refs)
    counts = [[Counter(ngrams(text, n)) for n in range(1, 5)] for text in (hyp, *refs)]
    highest = [reduce(or_, orders) for orders in zip(*counts[1:], strict=True)]
    assert shared.hyp_covered == covered(hyp, highest)
    assert shared.refs_covered == tuple(covered(ref, counts[0]) for ref in refs)
    for n, grams in enumerate(shared.ngrams, start=1):
        in_hyp, in_refs = counts[0][n - 1], highest[n - 1]
        words = chain(in_hyp, *(ngrams(ref, n) for ref in refs))
        assert [gram.words for gram in grams] == list(dict.fromkeys(words))
        for gram in grams:
            assert (gram.in_hyp, gram.allowed) == (in_hyp[gram.words], in_refs[gram.words])
            assert gram.missed == max(0, gram.allowed - gram.in_hyp)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("closest", "the closest to 4 of 5, 3; of two as close, the shorter"),
        ("closest-first", "the closest to 4 of 5, 3; of two as close, the first listed"),
        ("shortest", "the shortest of 5, 3"),
        ("longest", "the longest of 5, 3"),
        ("first", "the first of 5, 3"),
        ("average", "the average, rounded down, of 5, 3"),
        ("pair", "2 for all references"),
    ],
)
def test_the_length_that_is_chosen_and_why(rule, text):
    assert explain("a b c d", ["a b c d e", "a b c"], ref_len=rule).chosen == text
    assert explain("a", "a b").chosen == "2, of the only reference"


def test_words_of_one_segment_and_columns_of_words():
    words, refs = ["the", "cat"], [["the", "cat"], ["a", "cat"]]
    one = explain(words, refs, segment=True, lowercase=True)
    assert isinstance(one, tb.SegmentExplanation)
    assert one.overlap.hyp == ("the", "cat")
    many = explain(words, refs)  # two segments of one word with two references each
    assert isinstance(many, tb.CorpusExplanation)
    assert len(many.stats) == 2
    column = explain([words], [refs])
    assert column.segment(1).overlap == one.overlap
    assert isinstance(column, tb.Explanation)


def test_a_tokenizer_of_ones_own():
    assert explain("a, b", "a, c", tokenize=by_one).overlap.hyp == ("a,", "b")


@given(hyp=st.text("abc ", min_size=5), refs=st.lists(st.text("abc ", min_size=5), min_size=2))
def test_the_best_reference_of_each_order_counts(hyp, refs):
    why = explain(hyp, refs, "promptfoo")
    matched = [sum(gram.matched for gram in grams) for grams in why.overlap.ngrams]
    assert matched == list(why.score.matches)


@each_row
def test_leaving_a_segment_out_is_scoring_without_it(name):
    bleu = BLEU(name)
    why = explain(HYPS[:12], RAGGED[:12], name)
    whole = bleu.corpus(HYPS[:12], RAGGED[:12]).value
    for i, cost in enumerate(why.costs):
        without = bleu.corpus(HYPS[:i] + HYPS[i + 1 : 12], RAGGED[:i] + RAGGED[i + 1 : 12]).value
        assert cost == without - whole
    alone = bleu.sentences(HYPS[:12], RAGGED[:12])
    assert np.array_equal(why.sentences, alone, equal_nan=True)
    json.dumps(why.to_dict(), allow_nan=False)
    assert str(why).count("  segment ") == 5


def test_the_worst_segments_come_first():
    why = explain(HYPS, REFS)
    worst = why.worst(10)
    assert len(worst) == 10
    costs = [why.costs[number - 1] for number in worst]
    assert costs == sorted(why.costs, reverse=True)[:10]
    assert why.segment(worst[0]).cost == costs[0]
    assert why.segment(worst[0]).score == BLEU().sentence(HYPS[worst[0] - 1], REFS[worst[0] - 1])


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "codebleu-weighted", "fairseq", "tensor2tensor"])
def test_ngrams_of_a_corpus_are_those_of_its_segments(name):
    why = explain(HYPS, RAGGED, name, most=10**9)
    unmatched, missed, matched = Counter(), Counter(), Counter()
    recall = DIALECTS[name].count.measure == "recall"
    for number in range(1, len(HYPS) + 1):
        for grams in why.segment(number).overlap.ngrams:
            for gram in grams:
                matched[gram.words] += gram.matched
                if recall:
                    missed[gram.words] += gram.possible - gram.matched
                else:
                    unmatched[gram.words] += gram.in_hyp - gram.matched
                    missed[gram.words] += gram.missed
    assert {g.words: g.unmatched for g in why.unmatched} == +unmatched
    assert {g.words: g.missed for g in why.missed} == +missed
    assert all(g.matched == matched[g.words] for g in (*why.unmatched, *why.missed))


def test_what_an_ngram_costs_is_scoring_with_it_matched():
    why = explain(HYPS, TWO_REFS)
    bleu, (row,) = BLEU(), why.score.stats
    for gram in why.unmatched:
        n = len(gram.words)
        more = [*row]
        more[1 + n] += gram.unmatched
        stats = type(why.stats)([more])
        assert gram.cost == bleu.score(stats).value - why.score.value
    for gram in why.missed:
        n = len(gram.words)
        more = [*row]
        more[1 + n] = min(more[1 + n] + gram.missed, more[5 + n])
        stats = type(why.stats)([more])
        assert gram.missed_cost == bleu.score(stats).value - why.score.value
    costs = [gram.cost for gram in why.unmatched]
    assert len(costs) == 20
    assert costs == sorted(costs, reverse=True)


def test_nan_is_shown_and_null_in_json():
    why = explain("a b", "a c", "nltk-method6")
    assert math.isnan(why.score.value)
    assert "NaN" in str(why)
    assert json.loads(json.dumps(why.to_dict(), allow_nan=False))["value"] is None
    corpus = explain([""], ["a"], "mteval-v13a")
    assert json.loads(json.dumps(corpus.to_dict(), allow_nan=False))["segments"][0]["cost"] is None
    assert "NaN" in str(corpus)

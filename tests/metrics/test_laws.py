# SPDX-License-Identifier: Apache-2.0
"""Laws that hold whatever the texts are: rows add, and nothing else matters."""

from __future__ import annotations

import functools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora

from truebleu import BLEU, Stats

BLEU_13A = BLEU(threads=1)

rows = st.lists(st.integers(-(2**40), 2**40), min_size=10, max_size=10)
stats = st.lists(rows, min_size=1, max_size=5).map(Stats)


@given(
    st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(rows, min_size=n, max_size=n)] * 3))
)
def test_rows_are_a_commutative_monoid(three):
    a, b, c = map(Stats, three)
    zero = Stats([[0] * 10] * len(a))
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + zero == a


@given(stats, st.data())
def test_any_split_sums_to_the_whole(whole, data):
    at = data.draw(st.integers(0, len(whole)))
    assert whole[:at].sum() + whole[at:].sum() == whole.sum()
    assert Stats.concat([whole[:at], whole[at:]]) == whole


def test_many_rows_sum_as_few_do():
    generator = random.Random(7)
    many = Stats([[generator.randrange(10**6) for _ in range(10)] for _ in range(1000)])
    assert many.sum() == functools.reduce(
        lambda a, b: a + b, (many[i : i + 1] for i in range(1000))
    )
    assert (many + many).sum() == many.sum() + many.sum()


@given(stats)
def test_saved_rows_load_unchanged(saved):
    assert Stats.from_bytes(saved.to_bytes()) == saved


@given(corpora(), st.data())
def test_a_corpus_is_the_sum_of_any_of_its_parts(corpus, data):
    hyps, refs = corpus
    at = data.draw(st.integers(0, len(hyps)))
    accumulator = BLEU_13A.accumulator()
    other = BLEU_13A.accumulator()
    if at:
        accumulator.update(hyps[:at], refs[:at])
    if at < len(hyps):
        other.update(hyps[at:], refs[at:])
    accumulator.merge(other)
    whole = BLEU_13A.corpus(hyps, refs)
    assert accumulator.compute().value == whole.value
    assert BLEU_13A.score(BLEU_13A.stats(hyps, refs)).value == whole.value


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_segments_and_references_does_not_matter(corpus, shuffle):
    hyps, refs = corpus
    before = BLEU_13A.corpus(hyps, refs).stats
    for row in refs:
        shuffle.shuffle(row)
    pairs = list(zip(hyps, refs, strict=True))
    shuffle.shuffle(pairs)
    assert BLEU_13A.corpus(*zip(*pairs, strict=True)).stats == before


@given(corpora())
def test_a_reference_more_never_loses_a_match(corpus):
    hyps, refs = corpus
    one = [[next(ref for ref in row if ref is not None)] for row in refs]
    fewer, more = BLEU_13A.corpus(hyps, one), BLEU_13A.corpus(hyps, refs)
    assert all(a <= b for a, b in zip(fewer.matches, more.matches, strict=True))
    assert fewer.totals == more.totals


@given(corpora())
def test_a_segment_against_itself_matches_wholly(corpus):
    hyps, _ = corpus
    score = BLEU_13A.corpus(hyps, hyps)
    assert score.matches == score.totals
    assert score.hyp_len == score.ref_len


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_never_change_a_result(threads):
    generator = random.Random(11)

    def sentence():
        return " ".join(generator.choices(["a", "b", "c,", "3.5", "über", "слова."], k=9))

    hyps = [sentence() for _ in range(40_000)]
    refs = [[sentence(), sentence()] for _ in range(40_000)]
    one, several = BLEU(threads=1), BLEU(threads=threads)
    assert one.corpus(hyps, refs) == several.corpus(hyps, refs)
    assert one.stats(hyps, refs) == several.stats(hyps, refs)
    assert one.sentences(hyps, refs).tobytes() == several.sentences(hyps, refs).tobytes()


def test_a_fault_is_the_same_for_any_number_of_threads():
    hyps = ["a"] * 30_000
    hyps[29_000] = hyps[3] = "\ud800"
    for threads in (1, 2):
        with pytest.raises(ValueError, match=r"hyps\[3\] holds the lone surrogate U\+D800"):
            BLEU(threads=threads).corpus(hyps, hyps[::-1])

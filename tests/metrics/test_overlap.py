# SPDX-License-Identifier: Apache-2.0
"""n-grams of a corpus: the kernel's counts are those of a recount with `truebleu.spec`."""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import SUMS, corpora, present, segments
from support.profiles import examples, few

from truebleu import BLEU
from truebleu.metrics.overlap import Overlap, frequent
from truebleu.spec.numbers import ngrams


def recounted(bleu, a, b, refs, classes):
    """What only one system matches, by segment and group, and by n-gram and group; hits."""
    how = bleu.dialect.count
    rows, grams, hits = [], Counter(), []

    def matched(gram, counts, counts_of_refs):
        pairs = [(counts[gram], of_ref[gram]) for of_ref in counts_of_refs]
        if how.measure == "simple-precision":
            return max(mine * (its > 0) for mine, its in pairs)
        if how.measure == "reference-counts":
            return max(its * (mine > 0) for mine, its in pairs)
        shared = [min(pair) for pair in pairs]
        if how.measure != "recall":
            return max(shared)
        return sum(shared) * (5 if len(gram) == 1 and gram[0] in how.keywords else 1)

    def pools(first, second, refs):
        """The references that count, for each system."""
        if how.references != "best" or how.measure == "recall":
            return refs, refs

        def matches(counts, ref):
            return sum(min(count, ref[gram]) for gram, count in counts.items())

        return [[max(refs, key=partial(matches, counts))] for counts in (first, second)]

    orders = bleu.dialect.counted_orders
    for one, other, pool in zip(a, b, present(refs), strict=True):
        texts = [bleu.tokens(text) for text in (one, other, *pool)]
        if how.references == "first":
            texts = texts[:3]
        table = np.zeros((4, 2 + 2 * orders), dtype=np.int64)
        for system, tokens in enumerate(texts[:2]):
            for token in tokens:
                table[classes(token), system] += 1
                if how.measure != "recall":
                    table[classes(token), 2 + orders :] += 1 - 2 * system
        only = {}
        for n in range(1, orders + 1):
            first, second, *rest = (ngrams(tokens, n) for tokens in texts)
            pool_of_first, pool_of_second = pools(first, second, rest)
            for gram in {*first, *second}:
                more = matched(gram, first, pool_of_first) - matched(gram, second, pool_of_second)
                if n == 1:
                    only[gram[0]] = more
                if more:
                    blamed = [classes(word) for word in gram if only[word] * more > 0]
                    group = blamed[0] if blamed else 3
                    table[group, 1 + n] += more
                    grams[(group, gram, more > 0)] += abs(more)
        rows.append(table)
        for tokens in texts[2:]:
            seen = Counter()
            for token in tokens:
                seen[token] += 1
                hits.append(sum((text.count(token) >= seen[token]) << i for i, text in enumerate(texts[:2])))
    return np.array(rows), +grams, hits


OTHERS = [name for name in SUMS if name != "promptfoo"]


@pytest.mark.parametrize("name", ["promptfoo", *few(OTHERS, every=3)])
@examples(share=6)
@given(corpus=corpora(), others=st.lists(segments, min_size=4, max_size=4), cut=st.integers(0, 9))
def test_contrasts_are_those_of_a_recount(name, corpus, others, cut):
    bleu = BLEU(name, threads=2)
    a, refs = corpus
    b = [hyp[cut:] + other for hyp, other in zip(a, others, strict=False)]

    def classes(word):
        return len(word) % 3

    texts = Overlap(bleu, [a, b], refs)
    numbers = np.array([classes(word) for word in texts.vocabulary], dtype=np.uint8)
    rows, hits, tally = texts.contrast(numbers)
    expected_rows, expected, expected_hits = recounted(bleu, a, b, refs, classes)
    assert np.array_equal(rows, expected_rows)
    assert hits.tolist() == expected_hits
    found = Counter()
    for start, order, group, counts in zip(tally.starts, tally.orders, tally.groups, tally.counts, strict=True):
        for count, first in zip(counts, (True, False), strict=False):
            found[(group, texts.words(start, order), first)] += count
    assert +found == expected
    # Groups add up to the whole.
    orders = bleu.dialect.counted_orders
    difference = np.subtract(*(np.asarray(bleu.stats(hyps, refs)) for hyps in (a, b)))
    assert np.array_equal(rows.sum(axis=1)[:, 2 : 2 + orders], difference[:, 2 : 2 + orders])


def test_threads_change_nothing():
    refs = [f"w{i % 97} w{i % 13} the w{i % 7} ." for i in range(5000)]
    a, b = ([ref.replace(word, "x") for ref in refs] for word in ("w3", "w5"))
    results = []
    for threads in (1, 3):
        texts = Overlap(BLEU(threads=threads), [a, b], refs)
        *arrays, tally = texts.contrast(np.zeros(len(texts.vocabulary), dtype=np.uint8))
        counted = (
            sorted(zip(one.starts.tolist(), one.counts.tolist(), strict=True)) for one in (tally, texts.tally(3))
        )
        results.append([*(array.tolist() for array in arrays), *counted])
    assert results[0] == results[1]


def test_half_of_a_text_is_frequent():
    assert frequent(np.array([50, 30, 10, 10])).tolist() == [True, False, False, False]
    assert frequent(np.array([1, 1, 1])).tolist() == [False] * 3
    assert frequent(np.array([], dtype=np.int64)).tolist() == []

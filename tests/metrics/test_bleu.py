# SPDX-License-Identifier: Apache-2.0
"""The kernel, the specification and the installed sacreBLEU agree to the last bit; laws of BLEU."""

import pickle
import random
from itertools import product, zip_longest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU
from support.corpora import SMOOTHINGS, SUMMATION, corpora, present, segments, streams, texts
from support.id_columns import EDGES
from support.profiles import examples, few

from truebleu import BLEU, DIALECTS, spec
from truebleu._core import simd_levels
from truebleu.metrics.tokenizers import NATIVE

TOKENIZERS = ["none", "13a", "intl", "zh", "char"]
LEVELS = simd_levels()
METRIC = BLEU(threads=1)


def bleus(**changes) -> list[BLEU]:
    """One metric for each instruction set of this machine."""
    metrics = []
    for level in LEVELS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TRUEBLEU_SIMD", level)
            metrics.append(BLEU(summation=SUMMATION, threads=1, **changes))
    return metrics


@pytest.mark.parametrize("tokenize", NATIVE)
def test_tokens_equal_those_of_sacrebleu_and_the_specification(tokenize):
    rules = product(("python", "ascii"), ("unicode", "ascii"))
    variants = [
        *({"lowercase": lowercase} for lowercase in (False, True)),
        *(
            {"lowercase": True, "whitespace": whitespace, "lowercase_rule": rule, "strip": "none"}
            for whitespace, rule in rules
        ),
    ]
    metrics = [bleus(tokenize=tokenize, **options) for options in variants]
    peers = [SacreBLEU(tokenize=tokenize, **options) for options in variants[:2] if tokenize in TOKENIZERS]

    @given(texts)
    def check(text):
        for peer, levels in zip_longest(peers, metrics):
            dialect = levels[0].dialect
            expected = spec.tokenize(dialect, spec.normalize(dialect, text))
            assert peer is None or peer._preprocess_segment(text).split() == expected
            for level, bleu in zip(LEVELS, levels, strict=True):
                assert bleu.tokens(text) == expected, level

    check()


@pytest.mark.parametrize("tokenize", TOKENIZERS)
@pytest.mark.parametrize("order", few([4, 1, 2, 6], every=4))
def test_statistics_equal_those_of_sacrebleu_and_the_specification(tokenize, order):
    metrics = bleus(tokenize=tokenize, max_ngram_order=order)
    peer = SacreBLEU(tokenize=tokenize, max_ngram_order=order)

    @given(corpora())
    def check(corpus):
        hyps, refs = corpus
        expected = [tuple(row) for row in peer._extract_corpus_statistics(hyps, streams(refs))]
        rows = [
            tuple(spec.segment_stats(metrics[0].dialect, hyp, row))
            for hyp, row in zip(hyps, present(refs), strict=True)
        ]
        assert rows == expected
        for level, bleu in zip(LEVELS, metrics, strict=True):
            assert list(bleu.stats(hyps, refs)) == expected, level

    check()


@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
def test_scores_equal_those_of_sacrebleu_and_the_specification(method, value):
    options = {"tokenize": "none", "smooth_method": method, "smooth_value": value}
    each = [
        (bleus(effective_order=order, **options), SacreBLEU(effective_order=order, **options))
        for order in (False, True)
    ]

    def check(metrics, peer, hyps, refs):
        expected = peer.corpus_score(hyps, streams(refs))
        dialect = metrics[0].dialect
        assert spec.corpus_bleu(dialect, hyps, present(refs)) == expected.score
        sentences = [peer.sentence_score(hyp, row).score for hyp, row in zip(hyps, present(refs), strict=True)]
        for level, bleu in zip(LEVELS, metrics, strict=True):
            score = bleu.corpus(hyps, refs)
            assert score.value == expected.score, level
            assert list(score.precisions) == expected.precisions, level
            assert score.bp == expected.bp, level
            assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len), level
            assert str(score) == str(expected), level
            assert list(bleu.sentences(hyps, refs)) == sentences, level

    @examples(share=2)
    @given(corpora())
    def check_both(corpus):
        for metrics, peer in each:
            check(metrics, peer, *corpus)

    check_both()


@given(corpora(), st.lists(st.floats(0, 10), min_size=1, max_size=6).filter(any))
def test_weighted_scores_equal_those_of_the_specification(corpus, weights):
    hyps, refs = corpus
    for summation, order in product(("naive", "compensated"), (False, True)):
        bleu = BLEU(weights=weights, summation=summation, effective_order=order)
        expected = spec.corpus_bleu(bleu.dialect, hyps, present(refs))
        assert bleu.corpus(hyps, refs).value == expected


@given(corpora(max_refs=4))
def test_reference_lengths_equal_those_of_the_specification(corpus):
    hyps, refs = corpus
    for rule in ("closest", "closest-first", "shortest", "longest", "first"):
        bleu = BLEU(tokenize="none", ref_len=rule)
        rows = [tuple(spec.segment_stats(bleu.dialect, hyp, row)) for hyp, row in zip(hyps, present(refs), strict=True)]
        assert list(bleu.stats(hyps, refs)) == rows, rule


@pytest.mark.parametrize("length", [*range(71), 127, 128, 129, 255, 256, 257, 511, 512, 513, 600])
def test_segments_of_all_lengths_are_counted_alike(length):
    words = [f"{'w' * (i % 19)}{i % 13}" for i in range(length)]
    reference = " ".join(words)
    hypothesis = " ".join(words[::2] + words[1::3] + words[:40])
    for bleu in bleus(tokenize="none"):
        for hyp, ref in [(hypothesis, reference), (reference, hypothesis), (reference, reference)]:
            row = tuple(spec.segment_stats(bleu.dialect, hyp, [ref]))
            assert bleu.stats([hyp], [ref])[0] == row
            several = [ref, hyp[::-1], ref[: len(ref) // 2]]
            row = tuple(spec.segment_stats(bleu.dialect, hyp, several))
            assert bleu.stats([hyp], [several])[0] == row


@pytest.mark.parametrize("tokenize", NATIVE)
def test_segments_that_are_read_together_count_as_each_alone(tokenize):
    drawn = random.Random(tokenize)
    pieces = [
        *["a", "b", "1,000.5", "-", "5-", ".", ",,", "&quot;", "&amp;lt;", "<skipped>", "-\n"],
        *["naïve", "“", "日本", "\u3000", "\t", "x" * 15, "y" * 16, "Donaudampfschiff" * 3],
    ]

    def text():
        return drawn.choice(["", " "]).join(drawn.choices(pieces, k=drawn.choice([0, 1, 5, 20, 90])))

    texts = [text() for _ in range(600)]
    hyps = texts[:200]
    refs = [drawn.choices(texts, k=drawn.choice([1, 1, 2, 5])) for _ in hyps]
    for level, bleu in zip(LEVELS, bleus(tokenize=tokenize), strict=True):
        alone = [bleu.stats([hyp], [row])[0] for hyp, row in zip(hyps, refs, strict=True)]
        assert list(bleu.stats(hyps, refs)) == alone, level


@given(st.lists(segments, min_size=1, max_size=3))
def test_words_count_as_their_text(texts):
    bleu = BLEU(tokenize="none")
    words = [text.split() for text in texts]
    refs = words[1:] + words[:1]
    stats = bleu.stats(texts, texts[1:] + texts[:1])
    assert bleu.stats(words, refs) == stats
    assert bleu.stats(words, [[ref] for ref in refs]) == stats
    assert bleu.corpus([list("a b")], [list("a b")]).hyp_len == 3  # a blank alone is a word


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_segments_and_references_does_not_matter(corpus, shuffle):
    hyps, refs = corpus
    before = METRIC.corpus(hyps, refs).stats
    for row in refs:
        shuffle.shuffle(row)
    pairs = list(zip(hyps, refs, strict=True))
    shuffle.shuffle(pairs)
    assert METRIC.corpus(*zip(*pairs, strict=True)).stats == before


@given(corpora())
def test_a_reference_more_never_loses_a_match(corpus):
    hyps, refs = corpus
    one = [[next(ref for ref in row if ref is not None)] for row in refs]
    fewer, more = METRIC.corpus(hyps, one), METRIC.corpus(hyps, refs)
    assert all(a <= b for a, b in zip(fewer.matches, more.matches, strict=True))
    assert fewer.totals == more.totals


@pytest.mark.parametrize("split", [str, str.split, lambda text: [len(word) for word in text.split()]])
def test_a_reference_that_is_given_often_counts_once(split):
    """More than 1,024 references are counted by another way than two."""
    hyp, *refs = map(split, ["a bb ccc a bb " + "d" * 16, "a bb ccc a bb", "bb ccc " + "d" * 16])
    many = METRIC.stats([hyp, hyp], [refs * 600, refs])
    assert np.array_equal(many[0], many[1])
    assert many[1:] == METRIC.stats([hyp], [refs])


@given(corpora())
def test_a_segment_against_itself_matches_wholly(corpus):
    hyps, _ = corpus
    score = METRIC.corpus(hyps, hyps)
    assert score.matches == score.totals
    assert score.hyp_len == score.ref_len


def test_threads_never_change_a_result():
    generator = random.Random(11)

    def sentence():
        return " ".join(generator.choices(["a", "b", "c,", "3.5", "über", "слова."], k=9))

    hyps = [sentence() for _ in range(40_000)]
    refs = [[sentence(), sentence()] for _ in range(40_000)]
    score, stats = METRIC.corpus(hyps, refs), METRIC.stats(hyps, refs)
    for threads in (2, 3, 8):
        bleu = BLEU(threads=threads)
        assert (bleu.corpus(hyps, refs), bleu.stats(hyps, refs)) == (score, stats)
        assert bleu.sentences(hyps, refs).tobytes() == METRIC.sentences(hyps, refs).tobytes()


rows = st.lists(st.integers(0, 4), max_size=80)


def one_by_one(bleu, hyps, refs):
    """The same by scoring every prefix."""
    lists = [[hyp[:end] for end in range(1, len(hyp) + 1)] for hyp in hyps]
    offsets = np.cumsum([0, *map(len, lists)])
    flat = [prefix for prefixes in lists for prefix in prefixes]
    their_refs = [ref for ref, prefixes in zip(refs, lists, strict=True) for _ in prefixes]
    scores = bleu.sentences(flat, their_refs).tolist() if flat else []
    return scores, offsets.tolist()


def as_lists(prefixes):
    scores, offsets = prefixes
    assert (scores.dtype, offsets.dtype) == (np.float64, np.int64)
    return scores.tolist(), offsets.tolist()


@given(st.lists(st.tuples(rows, st.lists(rows, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_prefixes_are_scored_one_by_one(pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    assert as_lists(METRIC.prefixes(hyps, refs)) == one_by_one(METRIC, hyps, refs)


@pytest.mark.parametrize("level", simd_levels())
def test_all_lengths_on_all_levels(level, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", level)
    bleu = BLEU(threads=1)
    rng = random.Random(3)
    for length in EDGES[::5] + EDGES[-9:]:
        hyp = [rng.randrange(5) for _ in range(60)]
        ref = [rng.randrange(5) for _ in range(length)]
        assert as_lists(bleu.prefixes([hyp], [ref])) == one_by_one(bleu, [hyp], [ref])


@pytest.mark.parametrize("level", simd_levels())
def test_rows_of_small_ids_beside_rows_of_large_ones(level, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", level)
    bleu = BLEU(tokenize="none", threads=1)
    rng = random.Random(4)
    pools = [1, 2, 3, 4], [1, 2, 3, 65_538], [3, 65_537, 65_538, 1 << 40]
    lengths = [3, 64, 65, 128, 129, 192, 193, 300]

    def rows(lengths):
        return [rng.choices(rng.choice(pools), k=length) for length in lengths]

    def text(rows):
        return [" ".join(map(str, row)) for row in rows]

    hyps = rows(lengths * len(lengths))
    refs, more = (rows(length for length in lengths for _ in lengths) for _ in range(2))
    expected = bleu.sentences(text(hyps), text(refs))
    assert bleu.sentences(hyps, refs).tolist() == expected.tolist()
    several = [list(pair) for pair in zip(refs, more, strict=True)]
    expected = bleu.sentences(text(hyps), list(map(text, several)))
    assert bleu.sentences(hyps, several).tolist() == expected.tolist()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_prefixes_of_all_dialects(dialect):
    """In some, words have weights or letters."""
    hyps, refs = [["def", "naïve", "a", "a"], ["b"]], [[["def", "a", "a", "c"], ["a"]], [["c"]]]
    for changes in ({}, {"max_ngram_order": 6, "weights": None, "cumulative_weights": None}):
        metric = BLEU(dialect, threads=1, **changes)
        prefixes = as_lists(metric.prefixes(hyps, refs))
        assert repr(prefixes) == repr(one_by_one(metric, hyps, refs))  # which has NaN


def test_prefixes_of_text_are_those_of_its_tokens():
    scores, offsets = METRIC.prefixes(["a, b", ""], ["a b c", "d"])
    assert offsets.tolist() == [0, 3, 3]
    expected, _ = METRIC.prefixes([["a", ",", "b"]], [["a", "b", "c"]])
    assert scores.tolist() == expected.tolist()


def test_parts_are_those_of_single_scores():
    hyps = [[1, 2, 3, 4, 5], [1, 2], [], [7]]
    refs = [[1, 2, 3, 4, 6], [1, 2, 3], [4], [7]]
    for name in ("sacrebleu", "nltk-method1", "mteval-v13a"):
        bleu = BLEU(name, threads=1)
        parts = bleu.parts(bleu.stats(hyps, refs))
        each = [bleu.sentence(hyp, [ref]) for hyp, ref in zip(hyps, refs, strict=True)]
        # `repr`, because a score of nothing is NaN in some dialects.
        assert repr(parts.values.tolist()) == repr([score.value for score in each])
        assert repr(parts.values.tolist()) == repr(bleu.sentences(hyps, refs).tolist())
        assert parts.bps.tolist() == [score.bp for score in each]
        assert parts.precisions.tolist() == [list(score.precisions) for score in each]
        assert repr(parts) == "<Parts of 4 scores>"
        copy = pickle.loads(pickle.dumps(parts))  # noqa: S301
        assert repr(copy.precisions) == repr(parts.precisions)
        assert copy.stats == parts.stats
    nothing = METRIC.parts(METRIC.stats(hyps, refs)[:0])
    assert (len(nothing), nothing.values.tolist(), nothing.precisions.shape) == (0, [], (0, 4))

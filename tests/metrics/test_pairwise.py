# SPDX-License-Identifier: Apache-2.0
"""Matrices of scores are what single pairs score, whatever the lengths and the sizes."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU
from support.corpora import SUMMATION, texts

from truebleu import BLEU, DIALECTS, InputError, OptionError, pairwise
from truebleu._core import simd_levels
from truebleu.metrics.bleu import _cache, cached_bleu

#: A few units of the last place, far below the 1e-12 that is promised.
CLOSE = 1e-14
#: Where 2.2e-308 stands for a precision of zero, the logarithm is so large that the formula itself
#: is not closer to the real number.
PROMISED = 1e-12


def one_by_one(hyps, refs, dialect="sacrebleu", **changes):
    """Each pair by itself."""
    bleu = BLEU(dialect, threads=1, **changes)
    rows = [bleu.sentences([hyp] * len(refs), refs) for hyp in hyps]
    return np.array(rows).reshape(len(hyps), len(refs))


def check(hyps, refs=None, close=CLOSE, **options):
    others = hyps if refs is None else refs
    expected = one_by_one(hyps, others, **options)
    exact = pairwise(hyps, refs, exact=True, threads=1, **options)
    assert exact.dtype == np.float64
    assert exact.shape == (len(hyps), len(others))
    assert exact.tobytes() == expected.tobytes()
    np.testing.assert_allclose(pairwise(hyps, refs, **options), expected, rtol=close, atol=0)
    return exact


@given(st.lists(texts, max_size=6), st.lists(texts, max_size=6))
def test_random_texts_score_as_single_pairs(hyps, refs):
    if hyps and refs:
        check(hyps)
        check(hyps, refs, tokenize="none", smooth_method="floor")


few_words = st.lists(st.sampled_from("abcd"), max_size=14).map(" ".join)


@settings(max_examples=20)
@pytest.mark.parametrize("dialect", DIALECTS)
@given(hyps=st.lists(few_words, min_size=1, max_size=12), refs=st.lists(few_words, min_size=1))
def test_every_dialect_scores_as_single_pairs(dialect, hyps, refs):
    check(hyps, close=PROMISED, dialect=dialect)
    check(hyps, refs, close=PROMISED, dialect=dialect)


@pytest.mark.parametrize("changes", [
    {"max_ngram_order": 1}, {"max_ngram_order": 9}, {"weights": (1, 0, 2, 0.5)},
    {"smooth_method": "none"}, {"smooth_method": "add-k"}, {"sentence_effective_order": False},
    {"summation": "exact"}, {"scale": 1}, {"lowercase": True}, {"ref_len": "longest"},
], ids=str)  # fmt: skip
def test_changed_options_count(changes, example):
    check(example[:40], example[20:70], **changes)


def words(length, seed=0):
    rng = np.random.default_rng(length + 7919 * seed)
    return " ".join(f"w{n}" for n in rng.zipf(1.3, size=length) % 23)


@pytest.mark.parametrize(
    "lengths", [range(71), [0, 511, 512, 513], [3, 2_047, 2_048, 2_049, 2_050]]
)
def test_all_lengths(lengths):
    check([words(length, seed) for length in lengths for seed in (0, 1)], tokenize="none")


def test_sums_that_need_more_than_a_byte():
    check(
        ["a " * 300, "a b " * 150, "b " * 254, "a " * 255, "a " * 248, "b " * 249], tokenize="none"
    )


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 129, 257, 511, 513])
def test_all_sizes(count, example):
    texts = [f"{text} {i % 5}" for i, text in enumerate(example * 12)][:count]
    check(texts[:5], texts)
    check(texts[:120])


def test_nothing_and_one():
    assert pairwise([]).shape == (0, 0)
    assert pairwise([], ["a", "b"]).shape == (0, 2)
    assert pairwise(["a", "b"], []).shape == (2, 0)
    assert pairwise(["a b c d"], exact=True).tolist() == [[100.00000000000004]]
    assert pairwise([""]).tolist() == [[0.0]]


def test_duplicates_score_alike(example):
    texts = example[:20]
    scores = pairwise(texts + texts)
    assert scores[:20, :20].tobytes() == scores[20:, 20:].tobytes()
    assert scores[:20, :20].tobytes() == scores[:20, 20:].tobytes()


def test_rows_are_hypotheses_and_columns_references():
    long, short = "a b c d e f", "a b c d"
    scores = pairwise([long, short])
    assert scores[1, 0] == pytest.approx(BLEU().sentence(short, long).value, rel=CLOSE)
    assert scores[1, 0] != scores[0, 1]
    assert pairwise([short], [long])[0, 0] == scores[1, 0]


def test_sacrebleu_agrees(example):
    peer = SacreBLEU(effective_order=True)
    expected = [
        [peer.sentence_score(hyp, [ref]).score for ref in example[:12]] for hyp in example[:12]
    ]
    assert pairwise(example[:12], exact=True, summation=SUMMATION).tolist() == expected


def test_real_candidates_score_as_single_pairs(shared):
    folder = shared / "data" / "wmt22" / "zh-en"
    systems = [
        path.read_text(encoding="utf-8").split("\n") for path in sorted(folder.glob("hyp.*"))
    ]
    for source in range(0, 1_500, 100):
        check([lines[source] for lines in systems])
    check(systems[0][:200], systems[1][:200])


def test_columns_of_all_kinds(example):
    pa = pytest.importorskip("pyarrow")
    few = example[:30]
    expected = pairwise(few).tobytes()
    for column in (tuple(few), iter(few), np.array(few), np.array(few, object), pa.array(few),
                   pa.chunked_array([few[:7], few[7:]])):  # fmt: skip
        assert pairwise(column).tobytes() == expected
    tokens = [BLEU().tokens(text) for text in few]
    assert pairwise(tokens).tobytes() == expected
    assert pairwise(tokens, tokens, exact=True).tobytes() == pairwise(few, exact=True).tobytes()
    assert pairwise(few, tokenize=str.split).tobytes() == pairwise(few, tokenize="none").tobytes()
    assert pairwise([text.split() for text in few], tokenize=str.split).tobytes() == (
        pairwise(few, tokenize="none").tobytes()
    )


@pytest.mark.parametrize("exact", [False, True])
def test_threads_and_instruction_sets_change_nothing(exact, example, monkeypatch):
    texts = [f"{text} {i % 7}" for i, text in enumerate(example * 14)][:600]
    one = pairwise(texts, exact=exact, threads=1)
    for threads in (2, 3, 16):
        assert pairwise(texts, exact=exact, threads=threads).tobytes() == one.tobytes()
    for level in simd_levels():
        monkeypatch.setenv("TRUEBLEU_SIMD", level)
        _cache.clear()  # those that were compiled for another level
        assert pairwise(texts, exact=exact, threads=1).tobytes() == one.tobytes(), level
        assert cached_bleu("sacrebleu", 1, {}).plan.simd == level
    _cache.clear()


@pytest.mark.parametrize(("hyps", "refs", "message"), [
    ("abc", None, "candidates is one str"),
    (["a", None], None, r"candidates\[1\] is None"),
    (["a"], ["b", 3], r"references\[1\] is of type int"),
    (["a"], [["b"]], "tokenize both or neither"),
    ([["a"]], ["b"], "tokenize both or neither"),
    ([[["a"]]], None, "nested too deep"),
    (["a", "\ud800"], None, r"candidates\[1\] holds the lone surrogate"),
    (["a"], ["b", "\ud800"], r"references\[1\] holds the lone surrogate"),
])  # fmt: skip
def test_what_is_no_column_is_refused(hyps, refs, message):
    with pytest.raises(InputError, match=message):
        pairwise(hyps, refs)


def test_unknown_options_are_refused():
    with pytest.raises(OptionError):
        pairwise(["a"], smooth="exp")


def test_memory_is_bounded_by_the_result():
    """Beyond the matrix, a table of features and its blocks: far less than a set for each feature
    of the width of all candidates, which would be some hundred megabytes here."""
    code = """
import resource, sys
from truebleu import pairwise
texts = [" ".join(f"w{(i * 31 + j * j) % 997}" for j in range(25)) for i in range(3000)]
pairwise(texts[:10])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
scores = pairwise(texts, threads=1)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024 - scores.nbytes)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    assert int(done.stdout) < 40_000_000


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_fault_is_named_whoever_finds_it(threads):
    texts = [f"a b c{i % 40} d {i % 90}" for i in range(800)]
    faulty = texts.copy()
    for place in (310, 330, 700):
        faulty[place] = "\ud800"
    with pytest.raises(InputError, match=r"candidates\[310\]"):
        pairwise(faulty, threads=threads)
    with pytest.raises(InputError, match=r"references\[310\]"):
        pairwise(texts, faulty, threads=threads)
    with pytest.raises(InputError, match=r"candidates\[310\]"):
        pairwise(faulty, texts, threads=threads)
    expected = pairwise(texts, texts[::-1], threads=1)
    assert pairwise(texts, texts[::-1], threads=threads).tobytes() == expected.tobytes()

# SPDX-License-Identifier: Apache-2.0
"""The winner is the candidate with the highest mean score, as plain code finds it."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu import BLEU, MBR, InputError, mbr, pairwise

few_words = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)
some = st.lists(few_words, min_size=1, max_size=7)


def expected_scores(candidates, references, weights=None, **options):
    """From single pairs."""
    bleu = BLEU(**options)
    weights = weights or [1] * len(references)
    return [
        math.fsum(w * bleu.sentence(c, r).value for w, r in zip(weights, references, strict=True))
        / math.fsum(weights)
        for c in candidates
    ]


@given(some, some, st.lists(st.floats(0.01, 9), min_size=7, max_size=7))
def test_expected_scores_are_weighted_means(candidates, references, weights):
    for refs in (None, references):
        others = candidates if refs is None else refs
        for given_weights in (None, weights[: len(others)]):
            for exact in (False, True):
                found = mbr(candidates, given_weights, refs, exact=exact)
                expected = expected_scores(candidates, others, given_weights)
                np.testing.assert_allclose(found.scores, expected, rtol=1e-13)
                assert found.best == candidates[found.index]
                # The first of those with the highest score.
                assert found.scores.index(max(found.scores)) == found.index


@given(st.lists(st.tuples(some, some), min_size=1, max_size=6))
def test_many_sources_are_each_by_itself(sources):
    candidates = [source for source, _ in sources]
    references = [refs for _, refs in sources]
    weights = [[i + 1 for i in range(len(refs))] for refs in references]
    assert mbr(candidates) == [mbr(one) for one in candidates]
    found = mbr(candidates, weights, references, threads=3)
    assert found == [mbr(*three) for three in zip(candidates, weights, references, strict=True)]
    words = [[text.split() for text in one] for one in candidates]
    assert [one.scores for one in mbr(words, tokenize="none")] == [
        one.scores for one in mbr(candidates, tokenize="none")
    ]


def test_the_first_of_equals_wins():
    assert mbr(["a b c d", "a b c d", "x"]).index == 0
    assert mbr(["x", "a b c d", "a b c d"]).index == 1
    assert mbr(["", ""]).index == 0
    assert mbr([["a"]])[0].best == "a"


def test_a_score_that_is_not_a_number_never_wins():
    found = mbr(["", "a b c d e"], references=["a b c d e"], dialect="hf-bleu")
    assert found.index == 1
    assert math.isnan(found.scores[0])
    assert mbr(["", ""], dialect="hf-bleu").index == 0


def test_weights_decide():
    candidates = ["a b c d e", "a b c d f", "x y z u v"]
    assert mbr(candidates).index == 0
    assert mbr(candidates, [1, 1, 9]).index == 2
    assert mbr(candidates, np.array([0.0, 1.0, 0.0])).index == 1
    assert mbr(candidates, [2, 2, 2]).scores == pytest.approx(mbr(candidates).scores, rel=1e-14)


def test_references_are_not_candidates():
    found = mbr(["a b c d", "e f g h"], references=["e f g h", "e f g i"])
    assert found.index == 1
    assert len(found.scores) == 2


def test_it_is_the_mean_of_the_matrix(example):
    found = mbr(example[:40])
    assert found.scores == pytest.approx(pairwise(example[:40]).mean(axis=1).tolist(), rel=1e-14)


def test_arrow_and_arrays_hold_sources():
    pa = pytest.importorskip("pyarrow")
    sources = [["a b", "a b c", "a c"], ["d"]]
    assert mbr(pa.array(sources)) == mbr(sources)
    assert mbr(np.array(sources, dtype=object)) == mbr(sources)
    assert mbr(pa.array(sources[0])) == mbr(sources[0])


def test_real_systems_are_chosen_from(shared):
    folder = shared / "data" / "wmt22" / "zh-en"
    systems = [
        path.read_text(encoding="utf-8").split("\n") for path in sorted(folder.glob("hyp.*"))
    ]
    sources = [list(row) for row in zip(*systems, strict=True)][:150]
    for source, found in zip(sources, mbr(sources, exact=True), strict=True):
        assert found.scores == pytest.approx(expected_scores(source, source), rel=1e-13)
        assert found.index == int(np.argmax(found.scores))


def test_the_value_is_frozen_and_travels():
    found = mbr(["a b", "a b c"])
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert copy.deepcopy(found) == found == again
    assert hash(found) == hash(again)
    assert found != MBR("a b", 0, (1.0, 2.0))
    with pytest.raises(AttributeError, match="cannot assign"):
        found.index = 1
    assert repr(MBR("a", 0, (50.0,))) == "MBR(best='a', index=0, score=50.00)"


@pytest.mark.parametrize(("arguments", "message"), [
    (([],), "candidates is empty"),
    (([["a"], []],), r"candidates\[1\] is empty"),
    (("abc",), "candidates is one str"),
    ((["a", 3],), r"candidates\[1\] is of type int"),
    ((["a", "b"], [1]), r"weights\[0\] has 1 numbers for 2 references"),
    ((["a", "b"], [1, -1]), "negative or not finite"),
    ((["a", "b"], [1, float("nan")]), "negative or not finite"),
    ((["a", "b"], [0, 0]), "sum to 0"),
    ((["a", "b"], ["x", 1]), "not a number"),
    (([["a"], ["b"]], [[1]]), "weights has 1 lists for 2 sources"),
    ((["a"], None, []), r"references\[0\] is empty"),
    (([["a"], ["b"]], None, [["a"]]), "references has 1 sources, candidates has 2"),
    (([["a"], ["\ud800"]],), r"candidates\[1\] holds the lone surrogate"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        mbr(*arguments)


@pytest.mark.parametrize(
    "lengths", [range(71), [0, 511, 512, 513], [3, 2_047, 2_048, 2_049, 2_050]]
)
def test_all_lengths(lengths):
    rng = np.random.default_rng(1)
    rows = [(rng.zipf(1.3, size=length) % 23).tolist() for length in lengths]
    scores = pairwise(rows, exact=True)
    found = mbr(rows, exact=True)
    assert found.scores == pytest.approx(scores.mean(axis=1).tolist(), rel=1e-14)
    assert found.index == int(np.argmax(found.scores))

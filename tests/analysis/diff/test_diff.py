# SPDX-License-Identifier: Apache-2.0
"""Differences: every step is a score of its own, and the steps lead from the one to the other."""

import itertools
import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora
from support.example_texts import HYPS, RAGGED, REFS, TWO_REFS
from support.profiles import examples, few

from truebleu import BLEU, DIALECTS, MissingExtraError, diff, survey
from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.analysis.diff.waterfall import decisions, path, points_between

CORPUS = CountedCorpus(HYPS, RAGGED)


def points(score):
    return score.value * (100 / score.scale)


@pytest.fixture(scope="module")
def scores():
    return {name: points(BLEU(name).corpus(HYPS, RAGGED)) for name in DIALECTS}


def upper_case(text):
    return text.upper().split()


@pytest.mark.parametrize("name", few(DIALECTS, every=56))
def test_steps_sum_to_the_difference_for_every_pair_of_rows(name, scores):
    for other in DIALECTS:
        if other == name:
            continue
        ends = DIALECTS[name], DIALECTS[other]
        steps = path(decisions(*ends), points_between(CORPUS, *ends))
        if not steps:  # rows that are the same but for their name, such as those of mteval
            assert scores[name] == scores[other]
            continue
        assert (steps[0].before, steps[-1].after) == (scores[name], scores[other])
        assert all(one.after == next_.before for one, next_ in itertools.pairwise(steps))
        exact = sum(Fraction(step.after) - Fraction(step.before) for step in steps)
        assert exact == Fraction(scores[other]) - Fraction(scores[name])
        whole = math.fsum(step.effect for step in steps)
        assert math.isclose(whole, scores[other] - scores[name], abs_tol=1e-12)


def mixed(a, b, some):
    """The dialect `a` with the options of these decisions as `b` has them."""
    options = b.options()
    changes = {name: options[name] for d in some for name in d.changes}
    # Alone, a change of effective_order would change that of sentences, too.
    return a.replace(**{"sentence_effective_order": a.combine.sentence_effective_order, **changes})


def check_steps(result, hyps, refs):
    some = []
    for step in result.steps:
        some += step.decisions
        score = BLEU(mixed(result.a, result.b, some)).corpus(hyps, refs)
        assert step.after == pytest.approx(points(score), rel=0, nan_ok=True)
    # The last step has made all the decisions there are.
    assert not decisions(mixed(result.a, result.b, some), result.b)


PAIRS = [
    ("sacrebleu", "nltk"), ("nltk", "sacrebleu"), ("sacrebleu", "mteval-v13a"),
    ("mteval-v13a-intl", "codebleu-weighted"), ("tensor2tensor", "quick-overview-as-coded"),
    ("nltk-method5", "nltk-method7"), ("bleu-star", "nltk-method5"), ("fairseq", "keras-hub"),
    ("bleu-from-scratch-as-coded", "torchmetrics-sacre"), ("matlab", "multeval"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_every_step_is_the_score_of_a_dialect_and_averages_sum_to_the_difference(a, b):
    result = diff(HYPS, RAGGED, a, b)
    check_steps(result, HYPS, RAGGED)
    named = {d.name for step in result.steps for d in step.decisions}
    if len(named) > 12:
        assert (result.averages, result.averaged) == ({}, f"{len(named)} decisions have too many orders")
        return
    assert set(result.averages) == named
    assert math.isclose(math.fsum(result.averages.values()), result.difference, abs_tol=1e-11)


def test_one_has_more_orders_and_the_other_looks_at_one_more():
    # Between them lies a score of five orders, though each counts four.
    a, b = DIALECTS["nltk-method5"].replace(max_ngram_order=3), DIALECTS["sacrebleu"]
    for pair in ((a, b), (b, a)):
        result = diff(HYPS, RAGGED, *pair)
        check_steps(result, HYPS, RAGGED)
        assert math.isclose(math.fsum(result.averages.values()), result.difference, abs_tol=1e-11)


@examples(share=2)
@given(corpora(), st.sampled_from(list(itertools.permutations(DIALECTS, 2))))
def test_any_text_and_pair_of_rows(corpus, names):
    result = diff(*corpus, *names)
    check_steps(result, *corpus)
    json.dumps(result.to_dict(), allow_nan=False)
    assert str(result)
    if result.steps:
        ends = result.steps[0].before, result.steps[-1].after
        assert ends == pytest.approx((result.points_a, result.points_b), rel=0, nan_ok=True)


def test_averages_are_those_over_all_orders():
    """Brute force: each order of the decisions, each decision's effect in it."""
    a, b = (
        DIALECTS["sacrebleu"],
        DIALECTS["sacrebleu"].replace(
            lowercase=True, tokenize="none", ref_len="longest", smooth_method="floor", brevity="none"
        ),
    )
    result = diff(HYPS, RAGGED, a, b)
    made = decisions(a, b)
    effects = {decision.name: [] for decision in made}
    for order in itertools.permutations(made):
        before = result.points_a
        for i in range(len(order)):
            after = points(BLEU(mixed(a, b, order[: i + 1])).corpus(HYPS, RAGGED))
            effects[order[i].name].append(after - before)
            before = after
    expected = {name: math.fsum(of) / math.factorial(5) for name, of in effects.items()}
    assert result.averages == pytest.approx(expected, abs=1e-12)
    assert result.averaged == "all 120 orders of the 5 decisions"


def test_steps_with_a_score_of_nan_are_joined():
    # With order 5 before smoothing takes an average, all is well; beside no 5-gram it is not.
    a = DIALECTS["nltk"].replace(floor_totals=False, max_ngram_order=4)
    b = a.replace(smooth_method="average", floor_totals=True)
    result = diff(["a b c d"], ["a b c d"], b, a)
    assert [len(step.decisions) for step in result.steps] == [2]
    assert result.averages == {}
    assert "No averages: some score between the two is NaN" in str(result)
    assert (result.points_a, result.points_b) == (result.steps[0].before, result.steps[0].after)
    infinite = BLEU(smooth_method="length", smooth_value=0, guard="none", lowercase=True)
    result = diff(["a b c"], ["x b z"], "sacrebleu", infinite)
    assert result.averages == {}
    assert result.to_dict()["points_b"] is None
    undefined = diff([""], ["a"], "sacrebleu", "mteval-v13a")
    assert math.isnan(undefined.difference)
    assert undefined.to_dict()["difference"] is None
    assert "NaN" in str(undefined)


def test_decisions_that_belong_together_are_one():
    (lower, orders, smoothing) = decisions(
        DIALECTS["sacrebleu"],
        DIALECTS["sacrebleu"].replace(
            lowercase=True, lowercase_rule="ascii", weights=(0.5, 0.5), smooth_method="floor", smooth_value=0.2
        ),
    )
    assert set(lower.changes) == {"lowercase", "lowercase_rule"}
    assert orders.changes == {"max_ngram_order": (4, 2), "weights": (None, (0.5, 0.5))}
    assert smoothing.changes == {"smooth_method": ("exp", "floor"), "smooth_value": (None, 0.2)}
    floor = DIALECTS["sacrebleu"].replace(smooth_method="floor")
    assert decisions(floor, floor.replace(smooth_value=0.1)) == ()


class Prepared:
    """A tokenizer that reads many texts at a time, as `ptb` does."""

    def __init__(self):
        self.times = 0

    def prepare(self, _texts):
        self.times += 1

    def __call__(self, text):
        return text.split()


def test_tokenizers_of_many_texts_and_of_pairs_are_called_as_by_a_score():
    tokenizer = Prepared()
    result = diff(HYPS, REFS, "sacrebleu", BLEU("sacrebleu", tokenize=tokenizer))
    assert result.score_b.value == BLEU(tokenize="none").corpus(HYPS, REFS).value
    assert tokenizer.times == 2
    swapped = BLEU("sacrebleu", tokenize=str.split, swap=True)
    result = diff(HYPS, REFS, "sacrebleu", swapped)
    assert result.score_b.value == swapped.corpus(HYPS, REFS).value


def test_dialects_that_agree():
    same = diff(HYPS, REFS, "sacrebleu", "sacrebleu")
    assert (same.steps, same.averages, same.difference, same.reasons) == ((), {}, 0, {})
    assert "Both scores are equal." in str(same)
    assert "The dialects make the same decisions." in str(same)
    idle = diff(HYPS, REFS, "sacrebleu", BLEU(ref_len="longest", strip="none"))
    assert idle.difference == 0
    assert "Both scores are equal." in str(idle)
    assert "Differences without an effect on this corpus:\n  strip: right -> none" in str(idle)


def test_a_note_says_that_scales_differ():
    result = diff(HYPS, REFS, "multi-bleu-detok", "hf-bleu")
    assert (result.score_a.scale, result.score_b.scale) == (100, 1)
    assert result.points_b == result.score_b.value * 100
    assert "The scales differ; all scores below are in points of 100." in str(result)


def test_dialects_by_name_value_and_signature():
    signature = "nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0"
    old = "BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.3"
    metric = BLEU("sacrebleu", lowercase=True, tokenize="intl")
    expected = diff(HYPS, REFS, "nltk", metric)
    for b in (signature, old, metric.dialect):
        result = diff(HYPS, REFS, DIALECTS["nltk"], b)
        assert result == expected
    assert diff(HYPS, REFS, "nltk", BLEU(tokenize=upper_case)).reasons


@pytest.mark.parametrize(
    ("a", "b", "hyp", "refs", "reason", "pair"),
    [
        ("sacrebleu", "nltk", "a b.", ["a b."], "tokens of the hypothesis", ("b .", "b.")),
        ("sacrebleu", "nltk", "a b", ["b a", "a b."], "tokens of reference 2", ("b .", "b.")),
        ("nltk", "bleu-from-scratch", "A b", ["a b"], "case of the hypothesis", None),
        ("papineni-2002", "nltk", "a b", ["a b"], "counted n-grams", ("3-grams 0", "3-grams 1")),
        ("sacrebleu", "hf-bleu", "a b c", ["a b c", "a b"], "reference length",
         ("reference length 3", "reference length 2")),
        ("papineni-2002", "bleu-star", "a b", ["a b"], None, None),
        ("bleu-from-scratch", "bleu-from-scratch-as-coded", "a b", ["a b"], "hypothesis length",
         ("hypothesis length 2", "hypothesis length 3")),
        ("torchtext", "fairseq", "a b", ["a b", "c b"], None, None),
        ("torchtext", "fairseq", "a c", ["a b", "a c"], "counted n-grams",
         ("1-gram matches 2", "1-gram matches 1")),
    ],
)  # fmt: skip
def test_why_a_segment_is_counted_differently(a, b, hyp, refs, reason, pair):
    result = diff(["same", hyp], [["same"] * len(refs), refs], a, b)
    if reason is None:
        assert result.reasons.get("hypothesis length") is None
        assert all(divergence.segment != 2 for divergence in result.first)
        return
    (divergence,) = [divergence for divergence in result.first if divergence.segment == 2]
    assert divergence.reason == reason
    assert pair is None or divergence.pairs[0] == pair


def test_every_segment_that_differs_is_counted():
    a, b = BLEU(), BLEU("nltk")
    result = diff(HYPS, RAGGED, a, b, most=3)
    pairs = zip(a.stats(HYPS, RAGGED), b.stats(HYPS, RAGGED), strict=True)
    different = [i for i, (one, other) in enumerate(pairs, 1) if one != other]
    assert sum(result.reasons.values()) == len(different)
    assert [divergence.segment for divergence in result.first] == different[:3]
    smoothing = diff(HYPS, RAGGED, "nltk-method1", "nltk-method3")
    assert "No segment is counted differently" in str(smoothing)


@pytest.mark.parametrize("refs", [REFS, TWO_REFS, RAGGED])
def test_a_survey_is_the_score_of_every_row(refs):
    standings = survey(HYPS, refs)
    assert [standing.name for standing in standings] == list(DIALECTS)
    for standing in standings:
        score = BLEU(standing.name).corpus(HYPS, refs)
        assert str(standing.score.to_dict()) == str(score.to_dict())  # some have NaN within
        assert not standing.problem


def test_rows_that_cannot_be_used_are_listed_with_the_reason(monkeypatch):
    from truebleu.metrics import tokenizers

    def missing(tokenize):
        raise MissingExtraError.of(f"tokenize={tokenize}", "ja")

    monkeypatch.setattr(tokenizers, "find", missing)
    standing = survey(["a"], ["a"], tokenize="ja-mecab")[0]
    assert standing.score is None
    assert "pip install 'truebleu[ja]'" in standing.problem

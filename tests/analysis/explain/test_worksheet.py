# SPDX-License-Identifier: Apache-2.0
"""The sum on paper: what is printed multiplies to the kernel's score, for every row and option."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora
from support.example_texts import RAGGED, lines

from truebleu import BLEU, DIALECTS
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.dialects.decisions import OPTIONS, SMOOTH_VALUES

each_row = pytest.mark.parametrize("name", DIALECTS)

WEAK = lines("de-en/hyp.cinder.txt")

#: Segments in which orders or words are missing.
SHORT = [
    ("a b c", "a b c"), ("", "a b c"), ("x", "a b c"), ("a", "a b c"), ("b c a", "a b c"),
    ("a b c d e f", "a b c"), ("", ""), ("a b", "a b c d e f g h"), ("a x b y", "a b"),
]  # fmt: skip


def reckon(derivation):
    """What a derivation comes to, as a student would reckon it."""
    allowed = {"ln": math.log, "e": math.e, "__builtins__": {}}
    return eval(derivation.replace("^", "**"), allowed)  # noqa: S307


def check(dialect, score):
    sheet = worksheet(dialect, score)
    assert (sheet.value, sheet.scale, sheet.bp) == (
        pytest.approx(score.value, rel=0, nan_ok=True),
        score.scale,
        score.bp,
    )
    if math.isnan(score.value):
        assert sheet.outcome.startswith("NaN")
        assert sheet.lost == {}
        return
    # The factors multiply to the score.
    tolerance = 1e-6 if dialect.combine.precision == "single" else 1e-12
    assert math.isclose(sheet.product, score.value, rel_tol=tolerance, abs_tol=1e-300)
    # The points that are lost are what lacks of the scale.
    left = sheet.scale - math.fsum(sheet.lost.values())
    assert math.isclose(left, score.value, rel_tol=1e-12, abs_tol=1e-12 * sheet.scale)
    if sheet.outcome:
        kinds = ("the mean of the scores of", "the sum of the scores up to each order")
        assert score.value == 0 or sheet.outcome.startswith(kinds)
        return
    # What is printed as a derivation comes to the factor beside it.
    for term in sheet.terms:
        if math.isnan(term.precision):
            assert not term.weight
            continue
        assert math.isclose(reckon(term.derivation), term.precision, rel_tol=1e-4, abs_tol=1e-320)
        assert math.isclose(term.precision * 100, score.precisions[term.order - 1], rel_tol=1e-12)
        assert (term.match, term.total) == (score.matches[term.order - 1], score.totals[term.order - 1])
    bp = reckon(sheet.bp_derivation.partition(",")[0])
    assert math.isclose(bp, sheet.bp, rel_tol=1e-12)


@each_row
def test_every_row_is_explained_to_its_score(name):
    bleu = BLEU(name)
    check(bleu.dialect, bleu.corpus(WEAK, RAGGED))
    for hyp, refs in [*zip(WEAK, RAGGED, strict=True), *SHORT]:
        check(bleu.sentence_dialect, bleu.sentence(hyp, refs))


changes = st.fixed_dictionaries(
    {
        "smooth_method": st.sampled_from(sorted(SMOOTH_VALUES)),
        "guard": st.sampled_from(["none", "no-match", "no-unigram", "any-order", "short-hyp"]),
        "missing_order": st.sampled_from(["stop", "zero", "one"]),
        "zero_precision": st.sampled_from(["zero", "skip", "drop"]),
        "add_counts": st.sampled_from([None, (1e-3, 1e-2, 0), (0, 1e-3, 1e-3)]),
        "least_total": st.sampled_from([0, 0.1, 1]),
        "add_lengths": st.sampled_from([None, (1, 1), (0, 1)]),
        "effective_order": st.booleans(),
        "arithmetic": st.sampled_from(["percent", "mean", "weighted"]),
        "brevity": st.sampled_from(list(OPTIONS["brevity"].choices)),
        "scale": st.sampled_from([1, 100]),
        "floor_totals": st.booleans(),
        "weights": st.sampled_from([None, (1.0, 0.0, 2.0, 1.0), (0.0, 0.0, 0.5, 0.5)]),
    }
)


@given(corpora(max_refs=2), changes)
def test_every_combination_of_options_is_explained_to_its_score(corpus, options):
    hyps, refs = corpus
    bleu = BLEU("sacrebleu", **options)
    check(bleu.dialect, bleu.corpus(hyps, refs))
    check(bleu.sentence_dialect, bleu.sentence(hyps[0], refs[0]))


def test_points_are_shared_in_proportion_to_logarithms():
    bleu = BLEU("papineni-2002")
    sheet = worksheet(bleu.dialect, bleu.corpus(["a b c d e f x"], ["a b c d e f g h"]))
    logs = {"brevity": math.log(sheet.bp)}
    logs |= {f"order {t.order}": t.weight * math.log(t.precision) for t in sheet.terms}
    whole = math.fsum(logs.values())
    assert sheet.lost == pytest.approx({name: value / whole * (1 - sheet.value) for name, value in logs.items()})


def test_a_score_of_zero_is_shared_by_the_zero_factors():
    bleu = BLEU("papineni-2002")
    sheet = worksheet(bleu.dialect, bleu.corpus(["a b x c"], ["a b y c"]))
    assert sheet.lost == {
        "brevity": 0, "order 1": 0, "order 2": 0, "order 3": 0.5, "order 4": 0.5}  # fmt: skip
    empty = worksheet(bleu.dialect, bleu.corpus([""], ["a"]))
    assert empty.lost["guard"] == 1
    none = BLEU("papineni-2002", guard="none")
    empty = worksheet(none.dialect, none.corpus([""], ["a"]))
    assert empty.lost == {
        "brevity": 1, "order 1": 0, "order 2": 0, "order 3": 0, "order 4": 0}  # fmt: skip

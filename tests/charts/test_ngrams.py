# SPDX-License-Identifier: Apache-2.0
"""Charts of n-gram orders show the numbers of the scores."""

import pytest
from support.drawn_systems import BLEU, REFS, SYSTEMS, rows, scored

import truebleu as tb
from truebleu import charts
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.charts.ngrams import lost
from truebleu.errors import InputError


def test_precisions_are_those_of_the_scores():
    data = rows(charts.precisions(scored()), "system", "n", "precision")
    expected = {
        (name, n): value for name, s in scored() for n, value in enumerate(s.precisions, start=1)
    }
    assert {(r["system"], r["n"]) for r in data} == expected.keys()
    assert {(r["system"], r["n"]): r["precision"] for r in data} == expected


def test_losses_and_the_score_are_the_whole_scale():
    chart = charts.losses(scored())
    data = rows(chart, "factor", "points")
    order = chart.spec["layer"][0]["encoding"]["y"]["sort"]
    assert order == [*(f"{n}-grams" for n in range(1, 5)), "brevity"]
    for name, score in scored():
        own = [r["points"] for r in data if r["system"] == name]
        assert own == list(worksheet(BLEU.dialect, score).lost.values())
        assert sum(own) + score.value == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("dialect", sorted(tb.DIALECTS))
def test_a_signature_is_enough_to_compute_losses(dialect):
    metric = tb.BLEU(dialect)
    score = metric.corpus(SYSTEMS["A"], REFS)
    expected = list(worksheet(metric.dialect, score).lost.values())
    assert list(lost(score).values()) == pytest.approx(expected, rel=1e-12)


def test_losses_with_a_tokenizer_that_no_signature_names():
    score = tb.corpus_bleu(SYSTEMS["A"], REFS, tokenize=str.split)
    assert sum(lost(score).values()) == pytest.approx(100 - score.value)


def test_a_figure_needs_numbers():
    nan = float("nan")
    score = tb.Score(nan, (nan,), nan, "", tb.Stats(), (), (), 1)
    with pytest.raises(InputError, match="no precision is a number"):
        charts.precisions([("A", score)])

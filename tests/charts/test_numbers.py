# SPDX-License-Identifier: Apache-2.0
"""Charts show the numbers of scores, of their parts and of comparisons."""

import math
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from support.drawn_systems import BLEU, LABELS, REFS, SYSTEMS, rows, scored, stats, words
from support.unsafe_texts import ATTACKS

import truebleu as tb
from truebleu import charts
from truebleu.analysis import slices
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.charts.figure import render
from truebleu.charts.ngrams import lost
from truebleu.errors import InputError
from truebleu.metrics.intervals import percentile, score_spread
from truebleu.text.escaping import visible


def test_precisions_are_those_of_the_scores():
    data = rows(charts.precisions(scored()), "system", "n", "precision")
    expected = {(name, n): value for name, s in scored() for n, value in enumerate(s.precisions, start=1)}
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


@pytest.mark.parametrize("metric", [BLEU, tb.BLEU("nltk"), tb.CHRF(), tb.TER()], ids=repr)
def test_groups_are_corpora_of_their_own(metric):
    parts = slices.by_label(metric, stats(metric), LABELS, intervals=True)
    assert [part.name for part in parts] == [*dict.fromkeys(LABELS)]
    for row in rows(charts.groups(parts), "group", "segments", "score"):
        places = [i for i, label in enumerate(LABELS) if label == row["group"]]
        hyps = [SYSTEMS[row["system"]][i] for i in places]
        assert row["segments"] == len(places)
        refs = [REFS[i] for i in places]
        assert row["score"] == metric.corpus(hyps, refs).value
        spread = score_spread(metric, metric.stats(hyps, refs), 0.95, 1000)
        assert (row.get("low"), row.get("high")) == (spread.interval if spread else (None, None))


def test_the_largest_groups_are_shown_and_the_others_are_counted():
    chart = charts.groups(slices.by_label(BLEU, stats(), LABELS), most=3)
    assert chart.spec["title"] == "the 3 largest of 7 groups"
    assert {r["segments"] for r in rows(chart, "group")} == {5}


def test_buckets_hold_the_segments_of_their_lengths():
    assert slices.length_labels([0, 10, 11, 60, 61]) == [
        "0\u201310", "0\u201310", "11\u201320", "51\u201360", "61+",
    ]  # fmt: skip
    tokens = slices.reference_lengths(SYSTEMS["A"], [[ref, "a"] for ref in REFS])
    assert tokens[:4] == [6, 4, 5, 5]
    chart = charts.lengths(slices.by_length(BLEU, stats(), [10 * n for n in tokens]))
    data = [r for r in rows(chart, "bucket", "segments", "score") if r["system"] == "A"]
    first = {r["bucket"]: r for r in reversed(data)}
    assert list(first) == ["51\u201360", "41\u201350", "31\u201340"]
    for bucket, size in (("31\u201340", 4), ("41\u201350", 5), ("51\u201360", 6)):
        places = [i for i, length in enumerate(tokens) if length == size]
        expected = BLEU.corpus([SYSTEMS["A"][i] for i in places], [REFS[i] for i in places])
        assert first[bucket]["segments"] == len(places)
        assert first[bucket]["score"] == expected.value


def test_buckets_may_have_any_name():
    score = BLEU.corpus(SYSTEMS["A"], REFS)
    names = [*ATTACKS.values(), "constructor", "__proto__"]
    parts = [slices.Slice(name, i, {"A": score}) for i, name in enumerate(names)]
    svg = render(charts.lengths(parts, charts.Look(width=4000)), "svg")
    assert {"7", visible(ATTACKS["template"])} <= words(svg, "tspan")


def test_every_dialect_that_has_a_score():
    standings = tb.survey(SYSTEMS["A"], REFS)
    data = rows(charts.dialects(standings), "dialect", "points", "dialects")
    expected = {
        one.name: pytest.approx(one.score.value * (100 / one.score.scale), abs=0.01)
        for one in standings
        if one.score is not None and math.isfinite(one.score.value)
    }
    assert {name: r["points"] for r in data for name in r["dialects"].split(", ")} == expected
    points = [r["points"] for r in data]
    printed = [round(value, 2) for value in points]
    assert printed == sorted(set(printed), reverse=True)
    (ours,) = (r for r in data if "sacrebleu" in r["dialects"].split(", "))
    assert ours["dialect"] == f"sacrebleu and {ours['dialects'].count(',')} more"


def test_a_figure_needs_numbers():
    nan = float("nan")
    score = tb.Score(nan, (), 1.0, "", tb.Stats(), (), (), 1)
    for draw in (charts.lengths, charts.groups):
        with pytest.raises(InputError, match="no score is a number"):
            draw([slices.Slice("a", 1, {"A": score})])
        with pytest.raises(InputError, match="no segment to draw"):
            draw([])
    score = tb.Score(nan, (nan,), nan, "", tb.Stats(), (), (), 1)
    with pytest.raises(InputError, match="no precision is a number"):
        charts.precisions([("A", score)])


@pytest.fixture(scope="module")
def compared():
    return tb.compare(SYSTEMS, REFS, resamples=300)


def test_scores_and_their_intervals(compared):
    data = rows(charts.scores(compared), "system", "score", "low", "high", "cluster")
    assert [(s.name, s.score.value, *s.interval, s.cluster) for s in compared.ranked()] == [
        (r["system"], r["score"], r["low"], r["high"], r["cluster"]) for r in data
    ]


def test_the_histogram_holds_the_differences_of_the_interval(compared):
    chart = charts.difference(compared)
    bars = rows(chart, "pair", "low", "high", "share")
    spans = rows(chart, "pair", "difference", "low", "high")
    assert [s["pair"] for s in spans] == ["B \u2212 A", "C \u2212 A", "C \u2212 B"]
    for span, pair in zip(spans, compared.pairs, strict=True):
        assert (span["difference"], (span["low"], span["high"])) == (pair.difference, pair.interval)
        differences = compared.differences(pair)
        assert len(differences) == 300
        low, high = percentile(sorted(differences))  # those of all pairs hold at once
        assert pair.percentile[0] <= low <= high <= pair.percentile[1]
        # Each bar has a row for its beginning and one for its end.
        own = [b for b in bars if b["pair"] == span["pair"] and b["low"] < b["high"]]
        assert (own[0]["low"], own[-1]["high"]) == (min(differences), max(differences))
        assert all(a["high"] == b["low"] for a, b in pairwise(own))
        for bar in own[:-1]:
            inside = np.mean((bar["low"] <= differences) & (differences < bar["high"]))
            assert bar["share"] == pytest.approx(inside)
        assert sum(bar["share"] for bar in own) == pytest.approx(1)


def test_two_systems_that_are_the_same_have_a_figure():
    compared = tb.compare({"A": REFS, "B": list(REFS)}, REFS, resamples=50)
    (bar, _) = rows(charts.difference(compared), "share")
    assert (bar["share"], bar["low"] < 0 < bar["high"]) == (1.0, True)


def test_nan_is_not_drawn():
    compared = tb.compare({"A": SYSTEMS["A"], "B": SYSTEMS["B"]}, REFS, resamples=50)
    nan = float("nan")
    pair = replace(compared.pairs[0], interval=(nan, nan))
    resampled = np.where(np.arange(50)[:, None] % 2, compared.resampled, nan)
    half = replace(compared, pairs=(pair,), resampled=resampled)
    bars = rows(charts.difference(half), "share")
    assert sum(bar["share"] for bar in bars if bar["low"] < bar["high"]) == pytest.approx(1)
    none = replace(half, resampled=np.full((50, 2), nan))
    for chart in (charts.difference(none), charts.scores(none)):
        ET.fromstring(render(chart, "svg"))

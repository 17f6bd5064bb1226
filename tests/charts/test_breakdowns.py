# SPDX-License-Identifier: Apache-2.0
"""Charts by length, group and dialect show the scores of those parts."""

import math

import pytest
from support.drawn_systems import BLEU, LABELS, REFS, SYSTEMS, rows, stats, words
from support.unsafe_texts import ATTACKS

import truebleu as tb
from truebleu import charts
from truebleu.analysis import slices
from truebleu.charts.figure import render
from truebleu.errors import InputError
from truebleu.metrics.intervals import score_spread
from truebleu.text.escaping import visible


def test_groups_are_corpora_of_their_own():
    parts = slices.by_label(BLEU, stats(), LABELS, intervals=True)
    for row in rows(charts.groups(parts), "group", "segments", "score"):
        places = [i for i, label in enumerate(LABELS) if label == row["group"]]
        hyps = [SYSTEMS[row["system"]][i] for i in places]
        assert row["segments"] == len(places)
        refs = [REFS[i] for i in places]
        assert row["score"] == BLEU.corpus(hyps, refs).value
        spread = score_spread(BLEU, BLEU.stats(hyps, refs), 0.95, 1000)
        assert (row.get("low"), row.get("high")) == (spread.interval if spread else (None, None))


def test_the_largest_groups_are_shown_and_the_others_are_counted():
    chart = charts.groups(slices.by_label(BLEU, stats(), LABELS), most=3)
    assert chart.spec["title"] == "the 3 largest of 7 groups"
    assert {r["segments"] for r in rows(chart, "group")} == {5}


def test_buckets_hold_the_segments_of_their_lengths():
    tokens = slices.reference_lengths(SYSTEMS["A"], REFS)
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

# SPDX-License-Identifier: Apache-2.0
"""Charts of resampling show the intervals and the resampled differences of a comparison."""

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from support.drawn_systems import REFS, SYSTEMS, rows

import truebleu as tb
from truebleu import charts
from truebleu.charts.figure import render
from truebleu.metrics.intervals import percentile


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

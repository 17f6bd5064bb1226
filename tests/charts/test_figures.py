# SPDX-License-Identifier: Apache-2.0
"""Figures show the library's numbers, and are drawn as whole pictures."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from support.drawn_systems import BLEU, LABELS, REFS, SYSTEMS, rows, scored
from support.hostile import ATTACKS

import truebleu as tb
from truebleu import charts
from truebleu.analysis import slices
from truebleu.analysis.compare.intervals import percentile
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.charts.figure import render
from truebleu.errors import InputError, OptionError
from truebleu.text.escaping import visible


@pytest.fixture(scope="module")
def compared():
    return tb.compare(SYSTEMS, REFS, resamples=300)


def stats(systems=SYSTEMS):
    return {name: BLEU.stats(hyps, REFS) for name, hyps in systems.items()}


def test_precisions_are_those_of_the_scores():
    shown = rows(charts.precisions(scored()), "system", "n", "precision")
    expected = {
        (name, n): value for name, s in scored() for n, value in enumerate(s.precisions, start=1)
    }
    assert {(r["system"], r["n"]) for r in shown} == expected.keys()
    # Names stand where they do not overlap, which is another row of the last order.
    points = {(r["system"], r["n"]): r["precision"] for r in reversed(shown)}
    assert points == expected


def test_losses_and_the_score_are_the_whole_scale():
    shown = rows(charts.losses(scored()), "factor", "points")
    assert [r["factor"] for r in shown[:5]] == ["brevity", *(f"{n}-grams" for n in range(1, 5))]
    for name, score in scored():
        own = [r["points"] for r in shown if r["system"] == name]
        assert own == list(worksheet(BLEU.dialect, score).lost.values())
        assert sum(own) + score.value == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("dialect", sorted(tb.DIALECTS))
def test_losses_are_found_by_a_signature_alone(dialect):
    metric = tb.BLEU(dialect)
    score = metric.corpus(SYSTEMS["A"], REFS)
    assert charts.orders.lost(score) == pytest.approx(
        worksheet(metric.dialect, score).lost, rel=1e-12
    )


def test_losses_with_a_tokenizer_that_no_signature_names():
    score = tb.corpus_bleu(SYSTEMS["A"], REFS, tokenize=str.split)
    assert sum(charts.orders.lost(score).values()) == pytest.approx(100 - score.value)


def test_groups_are_corpora_of_their_own():
    parts = slices.by_label(BLEU, stats(), LABELS)
    for row in rows(charts.groups(parts), "group", "segments", "score"):
        places = [i for i, label in enumerate(LABELS) if label == row["group"]]
        hyps = [SYSTEMS[row["system"]][i] for i in places]
        assert row["segments"] == len(places)
        assert row["score"] == BLEU.corpus(hyps, [REFS[i] for i in places]).value


def test_the_largest_groups_are_shown_and_the_others_are_mentioned():
    parts = slices.by_label(BLEU, stats(), LABELS)
    chart = charts.groups(parts, most=3)
    assert chart.to_dict()["title"] == "the 3 with most segments, of 7"
    assert {r["segments"] for r in rows(chart, "group")} == {5}


def test_buckets_hold_the_segments_of_their_lengths():
    tokens = slices.reference_lengths(SYSTEMS["A"], REFS)
    assert tokens[:4] == [6, 4, 5, 5]
    chart = charts.lengths(slices.by_length(BLEU, stats(), tokens, (4, 5)))
    shown = [r for r in rows(chart, "bucket", "segments", "score") if r["system"] == "A"]
    first = {r["bucket"]: r for r in reversed(shown)}
    assert list(first) == ["6+", "5\u20135", "0\u20134"]
    for bucket, lengths in (("0\u20134", {4}), ("5\u20135", {5}), ("6+", {6})):
        places = [i for i, length in enumerate(tokens) if length in lengths]
        expected = BLEU.corpus([SYSTEMS["A"][i] for i in places], [REFS[i] for i in places])
        assert first[bucket]["segments"] == len(places)
        assert first[bucket]["score"] == expected.value


@pytest.mark.parametrize("metric", [tb.CHRF(), tb.TER(), tb.BLEU("nltk")])
def test_parts_of_a_corpus_by_any_metric(metric):
    counted = {name: metric.stats(hyps, REFS) for name, hyps in SYSTEMS.items()}
    for part in slices.by_label(metric, counted, LABELS):
        places = [i for i, label in enumerate(LABELS) if label == part.name]
        for name, score in part.scores.items():
            hyps = [SYSTEMS[name][i] for i in places]
            assert score.value == metric.corpus(hyps, [REFS[i] for i in places]).value
    chart = charts.groups(slices.by_label(metric, counted, LABELS))
    assert counted["A"] is not None
    assert metric.corpus(SYSTEMS["A"], REFS).name in str(chart.to_dict())


def test_buckets_may_have_any_name():
    score = dict(scored())["A"]
    parts = [
        slices.Slice(visible(text), i, {"A": score}) for i, text in enumerate(ATTACKS.values())
    ]
    root = ET.fromstring(render(charts.lengths(parts, charts.Look(width=4000)), "svg"))
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}tspan")}
    assert {"datum.value + width", "7", visible(ATTACKS["template"])} <= texts


def test_labels_for_other_segments_are_refused():
    with pytest.raises(InputError, match="31 labels for 32 segments"):
        slices.by_label(BLEU, stats(), LABELS[1:])


def test_differences_are_those_that_the_interval_is_of(compared):
    for pair in compared.pairs:
        drawn = compared.differences(pair)
        assert len(drawn) == 300
        assert percentile(sorted(drawn)) == pair.percentile
        assert float(drawn.mean()) == pytest.approx(
            compared.systems[list(SYSTEMS).index(pair.b)].mean
            - compared.systems[list(SYSTEMS).index(pair.a)].mean
        )


def test_the_figure_of_differences_shows_all_of_them(compared):
    chart = charts.difference(compared)
    bars = rows(chart, "pair", "low", "high", "share")
    spans = rows(chart, "pair", "difference", "low", "high")
    assert [s["pair"] for s in spans] == ["B \u2212 A", "C \u2212 A", "C \u2212 B"]
    for span, pair in zip(spans, compared.pairs, strict=True):
        assert (span["difference"], (span["low"], span["high"])) == (pair.difference, pair.interval)
        # Each bar has a row for its beginning and one for its end.
        own = [b for b in bars if b["pair"] == span["pair"] and b["low"] < b["high"]]
        drawn = compared.differences(pair)
        assert (own[0]["low"], own[-1]["high"]) == (min(drawn), max(drawn))
        assert all(a["high"] == b["low"] for a, b in pairwise(own))
        for bar in own[:-1]:
            inside = sum(bar["low"] <= value < bar["high"] for value in drawn) / len(drawn)
            assert bar["share"] == pytest.approx(inside)
        assert sum(bar["share"] for bar in own) == pytest.approx(1)


def test_two_systems_that_are_the_same_have_a_figure():
    found = tb.compare({"A": REFS, "B": list(REFS)}, REFS, resamples=50)
    chart = charts.difference(found)
    (bar, _) = rows(chart, "share")
    assert (bar["share"], bar["low"] < 0 < bar["high"]) == (1.0, True)


def test_scores_and_their_intervals(compared):
    shown = rows(charts.scores(compared), "system", "score", "low", "high", "cluster")
    assert [(s.name, s.score.value, *s.interval, s.cluster) for s in compared.ranked()] == [
        (r["system"], r["score"], r["low"], r["high"], r["cluster"]) for r in shown
    ]


def test_every_dialect_that_has_a_score():
    standings = tb.survey(SYSTEMS["A"], REFS)
    shown = rows(charts.dialects(standings), "dialect", "points")
    expected = {
        one.name: one.score.value * (100 / one.score.scale)
        for one in standings
        if one.score is not None and one.score.value == one.score.value
    }
    assert {r["dialect"]: r["points"] for r in shown} == expected
    assert [r["points"] for r in shown] == sorted(expected.values(), reverse=True)


@pytest.mark.parametrize("kind", charts.KINDS)
def test_plot_draws_every_kind(kind):
    systems = {"A": SYSTEMS["A"]} if kind == "dialects" else SYSTEMS
    figure = tb.plot(systems, REFS, kind, documents=LABELS, resamples=100)
    root = ET.fromstring(figure.svg())
    assert root.attrib["width"] == "240"
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert any(text and "B" in text for text in texts)
    assert figure.chart.description in figure.svg()


def test_scores_and_comparisons_plot_themselves(compared):
    score = scored()[0][1]
    assert rows(score.plot().chart, "precision")[0]["precision"] == score.precisions[0]
    assert rows(score.plot("losses", width="double").chart, "points")
    assert rows(compared.plot().chart, "cluster")
    assert rows(compared.plot("difference").chart, "share")
    assert rows(compared.plot("precisions", colors="dark").chart, "precision")
    bundle = score.plot()._repr_mimebundle_()
    root = ET.fromstring(bundle["image/svg+xml"])
    assert (root.attrib["width"], root.attrib["viewBox"]) == ("384", "0 0 240 154")
    assert "application/javascript" not in bundle
    assert "text/html" not in bundle


@pytest.mark.parametrize(
    ("kind", "given", "error", "message"),
    [
        ("precision", {}, OptionError, "did you mean precisions"),
        ("groups", {}, OptionError, "needs documents"),
        ("dialects", {}, OptionError, "one system under all"),
        ("losses", {"metric": tb.CHRF()}, InputError, "score of chrF2"),
        ("dialects", {"systems": {"A": REFS}, "metric": tb.TER()}, OptionError, "one system"),
        ("scores", {"systems": {"A": REFS}}, InputError, "two systems at least"),
        ("losses", {"systems": {}}, InputError, "no system to draw"),
        ("lengths", {"systems": [("A", REFS), ("A", REFS)]}, InputError, "two systems"),
        ("precisions", {"systems": {"A": REFS[1:]}}, InputError, "31 segments"),
    ],
)
def test_what_cannot_be_drawn(kind, given, error, message):
    with pytest.raises(error, match=message):
        tb.plot(**{"systems": SYSTEMS, **given}, refs=REFS, kind=kind)


@pytest.mark.parametrize("metric", [tb.CHRF(), tb.TER()])
def test_scores_of_any_metric_are_drawn(metric):
    scores = {name: metric.corpus(hyps, REFS) for name, hyps in SYSTEMS.items()}
    chart = tb.plot(SYSTEMS, REFS, "scores", metric=metric, resamples=50).chart
    shown = {r["system"]: r["score"] for r in rows(chart, "cluster")}
    assert shown == {name: score.value for name, score in scores.items()}
    assert scores["A"].name in str(chart.to_dict())
    for kind in ("lengths", "groups", "difference"):
        figure = tb.plot(SYSTEMS, REFS, kind, metric=metric, documents=LABELS, resamples=50)
        assert scores["A"].name in figure.svg()


def test_scores_of_characters_have_no_words_to_draw():
    with pytest.raises(InputError, match="score of chrF2"):
        charts.precisions([("A", tb.CHRF().corpus(REFS, REFS))])


def test_what_is_no_number_is_not_drawn():
    from dataclasses import replace

    import numpy as np

    found = tb.compare({"A": SYSTEMS["A"], "B": SYSTEMS["B"]}, REFS, resamples=50)
    nan = float("nan")
    pair = replace(found.pairs[0], interval=(nan, nan))
    drawn = np.where(np.arange(50)[:, None] % 2, found.resampled, nan)
    half = replace(found, pairs=(pair,), resampled=drawn)
    bars = rows(charts.difference(half), "share")
    assert sum(bar["share"] for bar in bars if bar["low"] < bar["high"]) == pytest.approx(1)
    none = replace(half, resampled=np.full((50, 2), nan))
    for chart in (charts.difference(none), charts.scores(none)):
        ET.fromstring(render(chart, "svg"))
    parts = [slices.Slice("a", 1, {"A": tb.Score(nan, (), 1.0, "", tb.Stats(), (), (), 1)})]
    for draw in (charts.lengths, charts.groups):
        with pytest.raises(InputError, match="no score is a number"):
            draw(parts)

# SPDX-License-Identifier: Apache-2.0
"""Figures show the library's numbers, and are drawn as whole pictures."""

from __future__ import annotations

import io
import struct
import sys
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hostile import ATTACKS
from hypothesis import given
from hypothesis import strategies as st

import truebleu as tb
from truebleu import figures, slices
from truebleu.errors import InputError, MissingExtraError, OptionError
from truebleu.explanation.worksheet import worksheet
from truebleu.figure import render
from truebleu.figures.layout import nice_ends, spaced
from truebleu.significance.intervals import percentile
from truebleu.visible import visible

REFS = ["the cat sat on the mat", "a dog ran home", "it is very late now", "no , not that one"] * 8
SYSTEMS = {
    "A": ["the cat is on the mat", "a dog ran to home", "it is late now", "no , not this"] * 8,
    "B": ["the cat sat on a mat", "a dog ran home", "it is very late", "no , not that one"] * 8,
    "C": ["cat on mat", "dog ran", "it is very very late", "not that"] * 8,
}
LABELS = [f"document {i // 5}" for i in range(len(REFS))]
BLEU = tb.BLEU()


def rows(chart, *keys):
    """The rows of a chart's data that have these keys, each once."""
    spec = chart.to_dict()
    found = []
    for part in (spec, *spec["layer"]):
        values = part.get("data", {}).get("values", [])
        found += [row for row in values if set(keys) <= row.keys() and row not in found]
    assert found
    return found


def scored():
    return [(name, BLEU.corpus(hyps, REFS)) for name, hyps in SYSTEMS.items()]


@pytest.fixture(scope="module")
def compared():
    return tb.compare(SYSTEMS, REFS, resamples=300)


def stats(systems=SYSTEMS):
    return {name: BLEU.stats(hyps, REFS) for name, hyps in systems.items()}


# What is shown.


def test_precisions_are_those_of_the_scores():
    shown = rows(figures.precisions(scored()), "system", "n", "precision")
    expected = {
        (name, n): value for name, s in scored() for n, value in enumerate(s.precisions, start=1)
    }
    assert {(r["system"], r["n"]) for r in shown} == expected.keys()
    # Names stand where they do not overlap, which is another row of the last order.
    points = {(r["system"], r["n"]): r["precision"] for r in reversed(shown)}
    assert points == expected


def test_losses_and_the_score_are_the_whole_scale():
    shown = rows(figures.losses(scored()), "factor", "points")
    assert [r["factor"] for r in shown[:5]] == ["brevity", *(f"{n}-grams" for n in range(1, 5))]
    for name, score in scored():
        own = [r["points"] for r in shown if r["system"] == name]
        assert own == list(worksheet(BLEU.dialect, score).lost.values())
        assert sum(own) + score.value == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("dialect", sorted(tb.DIALECTS))
def test_losses_are_found_by_a_signature_alone(dialect):
    metric = tb.BLEU(dialect)
    score = metric.corpus(SYSTEMS["A"], REFS)
    assert figures.orders.lost(score) == pytest.approx(
        worksheet(metric.dialect, score).lost, rel=1e-12
    )


def test_losses_with_a_tokenizer_that_no_signature_names():
    score = tb.corpus_bleu(SYSTEMS["A"], REFS, tokenize=str.split)
    assert sum(figures.orders.lost(score).values()) == pytest.approx(100 - score.value)


def test_groups_are_corpora_of_their_own():
    parts = slices.by_label(BLEU, stats(), LABELS)
    for row in rows(figures.groups(parts), "group", "segments", "score"):
        places = [i for i, label in enumerate(LABELS) if label == row["group"]]
        hyps = [SYSTEMS[row["system"]][i] for i in places]
        assert row["segments"] == len(places)
        assert row["score"] == BLEU.corpus(hyps, [REFS[i] for i in places]).value


def test_the_largest_groups_are_shown_and_the_others_are_mentioned():
    parts = slices.by_label(BLEU, stats(), LABELS)
    chart = figures.groups(parts, most=3)
    assert chart.to_dict()["title"] == "the 3 with most segments, of 7"
    assert {r["segments"] for r in rows(chart, "group")} == {5}


def test_buckets_hold_the_segments_of_their_lengths():
    tokens = slices.reference_lengths(SYSTEMS["A"], REFS)
    assert tokens[:4] == [6, 4, 5, 5]
    chart = figures.lengths(slices.by_length(BLEU, stats(), tokens, (4, 5)))
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
    chart = figures.groups(slices.by_label(metric, counted, LABELS))
    assert counted["A"] is not None
    assert metric.corpus(SYSTEMS["A"], REFS).name in str(chart.to_dict())


def test_buckets_may_have_any_name():
    score = dict(scored())["A"]
    parts = [
        slices.Slice(visible(text), i, {"A": score}) for i, text in enumerate(ATTACKS.values())
    ]
    root = ET.fromstring(render(figures.lengths(parts, figures.Look(width=4000)), "svg"))
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
    chart = figures.difference(compared)
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
    chart = figures.difference(found)
    (bar, _) = rows(chart, "share")
    assert (bar["share"], bar["low"] < 0 < bar["high"]) == (1.0, True)


def test_scores_and_their_intervals(compared):
    shown = rows(figures.scores(compared), "system", "score", "low", "high", "cluster")
    assert [(s.name, s.score.value, *s.interval, s.cluster) for s in compared.ranked()] == [
        (r["system"], r["score"], r["low"], r["high"], r["cluster"]) for r in shown
    ]


def test_every_dialect_that_has_a_score():
    standings = tb.survey(SYSTEMS["A"], REFS)
    shown = rows(figures.dialects(standings), "dialect", "points")
    expected = {
        one.name: one.score.value * (100 / one.score.scale)
        for one in standings
        if one.score is not None and one.score.value == one.score.value
    }
    assert {r["dialect"]: r["points"] for r in shown} == expected
    assert [r["points"] for r in shown] == sorted(expected.values(), reverse=True)


@pytest.mark.parametrize("kind", figures.KINDS)
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


# How it is drawn.


@pytest.mark.parametrize("kind", ["precisions", "losses", "scores", "difference", "groups"])
def test_no_name_becomes_markup(kind):
    names = list(ATTACKS.values())
    systems = dict.fromkeys(names[: 2 if kind == "difference" else None], SYSTEMS["A"])
    labels = [names[i % len(names)] for i in range(len(REFS))]
    figure = tb.plot(
        {"B": SYSTEMS["B"], **systems}, REFS, kind, documents=labels if kind == "groups" else None,
        resamples=50, look=figures.Look(width=900),
    )  # fmt: skip
    root = ET.fromstring(figure.svg())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg",
        "g",
        "path",
        "text",
        "rect",
        "line",
        "defs",
        "clipPath",
        "tspan",
        "title",
    }
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert not name.endswith("href")
            assert "url(" not in value
    texts = "".join(element.text or "" for element in root.iter())
    assert "<script>" in texts


def test_systems_whose_names_look_alike_are_told_apart():
    systems = {"a\x1b": SYSTEMS["A"], "a\\x1b": SYSTEMS["B"], "": SYSTEMS["C"]}
    shown = rows(tb.plot(systems, REFS).chart, "precision")
    assert {r["system"] for r in shown} == {"a\\x1b", "a\\x1b (2)", "''"}


def test_a_pdf_is_as_wide_as_a_column_and_has_its_fonts():
    from pypdf import PdfReader

    for width, points in (("single", 240), ("double", 497)):
        look = figures.Look(width=width)
        pdf = render(figures.precisions(scored(), look), "pdf")
        (page,) = PdfReader(io.BytesIO(pdf)).pages
        assert float(page.mediabox.width) == points
        fonts = page["/Resources"]["/Font"].values()
        assert fonts
        for font in fonts:
            (inner,) = font.get_object()["/DescendantFonts"]
            descriptor = inner.get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & descriptor.keys()
        assert "n-gram order n" in page.extract_text()


def test_a_png_has_300_pixels_to_an_inch():
    png = render(figures.precisions(scored()), "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (1000, 154 * 300 // 72)


def test_nothing_is_fetched():
    import altair as alt

    with pytest.raises(ValueError, match=r"http://127\.0\.0\.1"):
        render(alt.Chart("http://127.0.0.1:9/data.json").mark_bar(), "svg")


def test_the_look():
    chart = figures.precisions(
        scored(), figures.Look(width=300, height=200, font="DejaVu Serif", size=10, colors="dark")
    )
    spec = chart.to_dict()
    assert (spec["width"], spec["height"]) == (300, 200)
    assert (spec["config"]["font"], spec["config"]["background"]) == ("DejaVu Serif", "#16191d")
    assert spec["config"]["axis"]["titleFontSize"] == 10


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"width": "sinlge"}, "did you mean single"),
        ({"width": 5}, "the width cannot be 5; it must be 100 to 4000 points"),
        ({"height": float("nan")}, "the height cannot be nan"),
        ({"size": "big"}, "the size cannot be 'big'"),
        ({"colors": "drak"}, "did you mean dark"),
        ({"collors": "dark"}, "did you mean colors"),
    ],
)
def test_a_look_that_cannot_be(look, message):
    with pytest.raises(OptionError, match=message):
        scored()[0][1].plot(**look)


def test_every_system_has_its_own_shape_and_dash():
    look = figures.Look()
    together = set(zip(look.hues(56), look.shapes(56), strict=True))
    assert len(together) == 56
    assert len({tuple(dash) for dash in look.dashes(8)}) == 8


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
        figures.precisions([("A", tb.CHRF().corpus(REFS, REFS))])


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
def test_what_is_not_installed_is_named(missing, monkeypatch):
    figure = tb.plot(SYSTEMS, REFS)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'truebleu\[report\]'"):
        tb.plot(SYSTEMS, REFS).svg()
    if missing == "vl_convert":
        with pytest.raises(MissingExtraError):
            figure.svg()


# Numbers of the layout.


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12), st.floats(0.1, 20), st.booleans())
def test_names_are_moved_apart_and_no_farther(positions, gap, bounded):
    low, high = (0, 100) if bounded and (len(positions) - 1) * gap <= 100 else (-1e9, 1e9)
    found = spaced(positions, gap, low, high)
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    apart = [found[b] - found[a] for a, b in pairwise(order)]
    assert all(one >= gap - 1e-6 for one in apart)
    assert low - 1e-6 <= min(found) <= max(found) <= high + 1e-6
    kept = [positions[b] - positions[a] for a, b in pairwise(order)]
    if all(one > gap for one in kept) and min(positions) >= 0:
        assert found == pytest.approx(positions)
    # No shift of all names together brings them nearer, unless an end is in the way.
    shift = sum(a - b for a, b in zip(found, positions, strict=True)) / len(found)
    assert abs(shift) < 1e-6 or min(found) < low + 1e-6 or max(found) > high - 1e-6


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.booleans())
def test_axes_hold_all_values(values, from_zero):
    if from_zero:
        values = [abs(value) for value in values]
    low, high = nice_ends(values, from_zero=from_zero)
    room = 1e-9 * max(1.0, *map(abs, values))
    assert low - room <= min(values)
    assert max(values) <= high + room
    assert low < high
    assert not from_zero or low == 0


def test_what_is_no_number_is_not_drawn():
    from dataclasses import replace

    import numpy as np

    found = tb.compare({"A": SYSTEMS["A"], "B": SYSTEMS["B"]}, REFS, resamples=50)
    nan = float("nan")
    pair = replace(found.pairs[0], interval=(nan, nan))
    drawn = np.where(np.arange(50)[:, None] % 2, found.resampled, nan)
    half = replace(found, pairs=(pair,), resampled=drawn)
    bars = rows(figures.difference(half), "share")
    assert sum(bar["share"] for bar in bars if bar["low"] < bar["high"]) == pytest.approx(1)
    none = replace(half, resampled=np.full((50, 2), nan))
    for chart in (figures.difference(none), figures.scores(none)):
        ET.fromstring(render(chart, "svg"))
    parts = [slices.Slice("a", 1, {"A": tb.Score(nan, (), 1.0, "", tb.Stats(), (), (), 1)})]
    for draw in (figures.lengths, figures.groups):
        with pytest.raises(InputError, match="no score is a number"):
            draw(parts)


@pytest.mark.parametrize("look", [{"size": 72}, {"height": 60}, {"width": 100, "size": 20}])
def test_odd_looks_are_drawn(look):
    for kind in ("precisions", "losses", "groups"):
        figure = tb.plot(SYSTEMS, REFS, kind, documents=LABELS, look=figures.Look(**look))
        assert "<svg" in figure.svg()

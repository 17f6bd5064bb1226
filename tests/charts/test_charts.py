# SPDX-License-Identifier: Apache-2.0
"""`tb.plot` draws every kind of figure, of texts and of results, whatever systems are called."""

from xml.etree import ElementTree as ET

import pytest
from support.drawn_systems import LABELS, REFS, SYSTEMS, rows, scored, words
from support.unsafe_texts import ATTACKS

import truebleu as tb
from truebleu import charts
from truebleu.errors import InputError


@pytest.fixture(scope="module")
def compared():
    return tb.compare(SYSTEMS, REFS, resamples=50)


@pytest.mark.parametrize("kind", charts.KINDS)
def test_every_kind_is_drawn(kind):
    systems = {"A": SYSTEMS["A"]} if kind == "dialects" else SYSTEMS
    figure = tb.plot(systems, REFS, kind, documents=LABELS, resamples=100)
    svg = figure.svg()
    assert ET.fromstring(svg).attrib["width"] == "240"
    assert any(text and "B" in text for text in words(svg))
    assert figure.chart.description in svg  # Altair validates the chart


def test_a_score_is_drawn():
    score = scored()[0][1]
    assert rows(tb.plot(score), "precision")[0]["precision"] == score.precisions[0]
    look = charts.Look(size=9, height=200, font="DejaVu Serif")
    spec = tb.plot(score, kind="losses", width="double", look=look).spec
    assert (spec["width"], spec["height"], spec["config"]["font"]) == (497, 200, "DejaVu Serif")
    assert spec["config"]["axis"]["titleFontSize"] == 9


def test_a_comparison_is_drawn(compared):
    assert rows(tb.plot(compared), "cluster")
    assert rows(tb.plot(compared, kind="difference"), "share")
    figure = tb.plot(compared, kind="precisions", colors="dark")
    assert {row["system"] for row in rows(figure, "precision")} == SYSTEMS.keys()
    assert figure.spec["config"]["background"] == "#16191d"


@pytest.mark.parametrize("metric", [tb.CHRF(), tb.TER()])
def test_scores_of_any_metric_are_drawn(metric):
    scores = {name: metric.corpus(hyps, REFS) for name, hyps in SYSTEMS.items()}
    figure = tb.plot(SYSTEMS, REFS, "scores", metric=metric, resamples=50)
    assert {r["system"]: r["score"] for r in rows(figure, "cluster")} == {
        name: score.value for name, score in scores.items()
    }
    for kind in ("lengths", "groups", "difference"):
        figure = tb.plot(SYSTEMS, REFS, kind, metric=metric, documents=LABELS, resamples=50)
        assert scores["A"].name in str(figure.spec)
    with pytest.raises(InputError, match=f"score of '.*' is {scores['A'].name}; .* needs BLEU"):
        tb.plot(scores["A"])


@pytest.mark.parametrize("kind", [kind for kind in charts.KINDS if kind != "dialects"])
def test_no_name_becomes_markup_or_a_property_of_javascript(kind):
    names = [*ATTACKS.values(), "constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"]
    used = names[:2] + names[-5:] if kind in ("difference", "groups") else names
    documents = [names[i % len(names)] for i in range(len(REFS))] if kind == "groups" else None
    svg = tb.plot(
        {"B": SYSTEMS["B"], **dict.fromkeys(used, SYSTEMS["A"])},
        REFS,
        kind,
        documents=documents,
        resamples=50,
        width=2000,
    ).svg()
    root = ET.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg", "g", "path", "text", "rect", "line", "defs", "clipPath", "tspan", "title",
    }  # fmt: skip
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert not name.endswith("href")
            assert "url(" not in value
    texts = "\n".join(element.text or "" for element in root.iter())
    assert all(name in texts for name in ("<script>", *names[-5:]))

# SPDX-License-Identifier: Apache-2.0
"""Scores of segments from elsewhere on the page: columns, correlations, order, range and chart."""

import numpy as np
import pytest
from support.example_texts import EXAMPLES
from support.pages import REFS, SYSTEMS, written

from truebleu import BLEU, compare
from truebleu.cli import main

NAMES = ("aurora", "basalt", "cinder")
SENTENCES = {name: BLEU().sentences(SYSTEMS[name], REFS) for name in NAMES}
DRAWN = np.random.default_rng(1).normal(0, 0.1, (3, 48))
COMET = {name: 0.4 + own / 200 + noise for (name, own), noise in zip(SENTENCES.items(), DRAWN, strict=True)}
COMET["basalt"][4] = np.nan
TEXT = SYSTEMS["aurora"][6]
ERROR = {"text": TEXT[2:9], "start": 1, "end": 8, "severity": "Major", "category": "<b>style"}
MQM = {
    name: [{"score": -5, "error_spans": [ERROR]} if (name, i) == ("aurora", 6) else own for i, own in enumerate(values)]
    for name, values in COMET.items()
}


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    path = tmp_path_factory.mktemp("elsewhere") / "report.html"
    return written(path, scores={"<b>comet": COMET, "mqm": MQM})


@pytest.fixture
def tab(new_tab, rated):
    opened = new_tab(rated)
    opened.settled()
    return opened


def test_the_table_has_means_and_the_chart_correlations(tab):
    means = [np.nanmean(COMET[name]) for name in NAMES]
    assert tab.texts("#scores tbody td:nth-child(7)") == [f"{mean:.4f}" for mean in means]
    (scores, _) = compare(SYSTEMS, REFS, resamples=50, scores={"x": COMET, "y": COMET}).scores
    lines = tab.page.locator("[data-correlation]")
    values = [float(line.get_attribute("data-pearson")) for line in lines.all()]
    assert values[:4] == [scores.correlation(*of).pearson for of in ((), *zip(NAMES))]
    assert str(scores.correlation()) in lines.first.inner_text()
    tab.page.locator("#scatter canvas[aria-label*='<b>comet of aurora']").wait_for()


def test_segments_are_sorted_and_filtered_by_them(tab):
    page = tab.page
    gaps = [own["aurora"] - own["basalt"] for own in (SENTENCES, COMET)]
    against = np.nan_to_num(-gaps[0] * gaps[1], nan=-np.inf)
    page.select_option("#sort", "against.0")
    assert tab.listed()[0] == 1 + int(against.argmax())
    (*_, shown) = tab.texts("#list [data-entry='0'] .number")
    assert shown == f"{gaps[1][against.argmax()]:+.4f}".replace("-", "−")
    tab.settled(lambda: page.select_option("#ranged", "value.0"))
    tab.settled(lambda: page.fill("#least", "0.6"))
    within = {i + 1 for i in range(48) if COMET["aurora"][i] >= 0.6}
    assert set(tab.listed()) <= within
    assert page.inner_text("#count") == f"{len(within)} of 48 segments"
    assert "so not a test" in page.inner_text("#selection-difference")


def test_marked_errors_are_drawn_and_listed(tab):
    page, card = tab.page, "#cards .card:first-child"
    tab.settled(lambda: page.select_option("#flagged", label="with a marked error"))
    assert tab.listed() == [7]
    assert "".join(tab.texts(f"{card} .error")) == ERROR["text"]  # at another place than it says
    assert tab.texts(f"{card} .text") == [TEXT]
    assert tab.texts(f"{card} .errors li") == [f"major, <b>style (mqm): {ERROR['text']}"]
    page.emulate_media(forced_colors="active")
    assert tab.violations("#segments") == []
    page.get_by_role("button", name="Edit aurora").click()
    tab.settled(lambda: page.get_by_role("textbox", name="Text of aurora").fill("x"))
    assert tab.texts(f"{card} :is(.error, .errors)") == []


def test_the_command_reads_files(tmp_path):
    (tmp_path / "comet.tsv").write_text("a\tb\n" + "0.5\t0.25\n" * 48)
    page = tmp_path / "page.html"
    files = [EXAMPLES / f"de-en/{name}.txt" for name in ("ref.A", "hyp.aurora", "hyp.basalt")]
    arguments = ["report", files[0], "-i", *files[1:], "--names", "a", "b", "-o", page, "-n", "50",
                 "--scores", tmp_path / "comet.tsv"]  # fmt: skip
    assert main([str(argument) for argument in arguments]) == 0
    text = page.read_text("utf-8")
    assert str(EXAMPLES) not in text  # the page goes to other people
    assert 'data-pearson="nan"' in text
    assert "0.5000" in text

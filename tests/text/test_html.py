# SPDX-License-Identifier: Apache-2.0
"""HTML of results in notebooks: their numbers, and no markup from the texts."""

from html.parser import HTMLParser

import pytest
from support.unsafe_texts import ALL, ATTACKS

import truebleu as tb
from truebleu.text import html
from truebleu.text.escaping import visible

REFS = ["the cat sat on the mat", "a dog ran home", "it is very late now"] * 6
HYPS = ["the cat is on the mat", "a dog ran to home", "it is late now"] * 6

#: All elements in our HTML; none of them loads or runs anything.
ELEMENTS = {
    "div", "b", "i", "bdi", "code", "table", "thead", "tbody", "tr", "th", "td", "span", "sub",
    "details", "summary",
}  # fmt: skip


class Page(HTMLParser):
    """The text of a page; fails on foreign markup."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.cells = "", [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ELEMENTS
        assert {name for name, _ in attrs} <= {"style", "dir"}
        for _, value in attrs:
            assert not {"url", "expression", "@", "\\"} & set(value.replace("(", " ").split())
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment


def show(value):
    return Page(value._repr_html_())


def test_a_score():
    score = tb.corpus_bleu(HYPS, REFS)
    page = show(score)
    assert f"BLEU = {score.value:.2f}" in page.text
    assert score.signature in page.text
    assert page.cells[5:9] == ["1", str(score.matches[0]), str(score.totals[0]), "86.7 %"]
    assert f"{100 * score.matches[0] / score.totals[0]:.1f} %" == "86.7 %"
    for metric in (tb.CHRF(), tb.TER()):
        score = metric.corpus(HYPS, REFS)
        assert f"{score.name} = {score.value:.2f}" in show(score).text


def test_a_comparison():
    result = tb.compare({"A": HYPS, "B": REFS, "C": HYPS[::-1]}, REFS, resamples=100)
    page = show(result)
    assert page.cells[6:8] == ["B", f"{result.ranked()[0].score.value:.1f}"]
    for pair in result.pairs:
        assert str(pair) in page.text
    # Of many pairs, each system and the next one in the ranking.
    systems = {f"s{i}": HYPS[i:] + HYPS[:i] for i in range(6)}
    result = tb.compare(systems, REFS, resamples=20)
    page = show(result)
    assert "and 10 more pairs" in page.text
    ranked = [system.name for system in result.ranked()]
    for pair in result.pairs:
        is_next = abs(ranked.index(pair.a) - ranked.index(pair.b)) == 1
        assert (str(pair) in page.text) == is_next


def test_explanations():
    result = tb.explain(HYPS, REFS)
    page = show(result)
    for points in result.worksheet.lost.values():
        assert f"{points:.2f}" in page.cells
    first = result.worst(1)[0]
    assert f"segment {first}: cost {result.costs[first - 1]:+.4f}" in page.text
    alone = result.segment(2)
    page = show(alone)
    assert f"BLEU = {alone.score.value:.2f}" in page.text
    # Tokens with the length of the match that covers them.
    assert "a3 dog3 ran3 to home1" in page.text.replace("\n", " ")


def test_a_contrast():
    result = tb.contrast(REFS, HYPS, REFS, names=("one", "two"), resamples=20)
    page = show(result)
    assert f"A - B = {result.difference:+.2f}" in page.text
    for group in result.groups:
        assert f"{group.points:+.2f}" in page.cells
    assert f"segment {result.segments[0].number}: " in page.text
    assert " ".join(result.segments[0].a.tokens) in page.cells


def test_a_diff():
    result = tb.diff(HYPS, REFS, "sacrebleu", "nltk")
    page = show(result)
    assert f"{result.difference:+.4f} points of 100" in page.text
    for step in result.steps:
        if abs(step.effect) > 1e-6:
            assert f"{step.effect:+.4f}" in page.cells


def test_statistics():
    stats = tb.BLEU().stats(HYPS, REFS)
    page = show(stats)
    assert page.cells[:11] == ["", *stats.column_names()]
    assert page.cells[12:22] == [str(value) for value in stats[0]]
    assert page.cells[-10:] == [str(value) for value in stats.sum()[0]]
    assert "\u2026" in page.cells
    assert len(show(stats[:0]).cells) == 22
    assert len(show(tb.CHRF().stats(HYPS[:3], REFS[:3])).cells) == 19 * 5


def test_dialects():
    for name in tb.DIALECTS:
        page = show(tb.dialect(name))
        assert set(tb.dialect(name).options()) <= set(page.cells)


def test_matches():
    result = tb.reconcile(HYPS, REFS, f"{tb.corpus_bleu(HYPS, REFS).value:.2f}")
    page = show(result)
    assert result[0].signature in page.cells
    nearest = tb.reconcile(HYPS, REFS, "99.99")
    page = show(nearest)
    assert page.cells[:4] == ["value", "setting", "away", "signature"]
    assert float(page.cells[6]) == pytest.approx(abs(nearest.nearest[0].value - 99.99), abs=1e-4)


def test_verifications():
    score = tb.corpus_bleu(HYPS, REFS)
    verified = tb.verify(HYPS, REFS, score.signature, f"{score.value:.2f}")
    assert show(verified).text == str(verified)
    other = tb.corpus_bleu(HYPS, REFS, "nltk")
    refused = tb.verify(HYPS, REFS, score.signature, f"{other.value:.4f}")
    page = show(refused)
    assert str(refused).split("\n")[0] in page.text
    assert refused.instead[0].signature in page.cells
    assert f"{refused.diff.difference:+.4f} points of 100" in page.text


def test_findings():
    result = tb.check([*HYPS[:5], f"{HYPS[5]}\r"], REFS[:6])
    page = show(result)
    for finding in result:
        assert f"{finding.severity} {finding.kind}" in page.text
        assert finding.message in page.text
        assert f"Fix: {finding.advice}" in page.text
        assert all(visible(text) in page.text for _, text in finding.evidence)
    assert str(result) == "\n".join(map(str, result))
    assert show(tb.check(HYPS[:3], REFS[:3])).text == str(tb.check(HYPS[:3], REFS[:3]))


def test_a_survey():
    result = tb.survey(HYPS, REFS)
    page = show(result)
    for standing in result:
        assert standing.name in page.text
    (at,) = (i for i, cell in enumerate(page.cells) if "sacrebleu" in cell.split(", "))
    assert page.cells[at - 5] == f"{tb.corpus_bleu(HYPS, REFS).value:.2f}"


def test_a_pair():
    for test in ("permutation", "bootstrap"):
        result = tb.compare({"A": HYPS, "B": REFS, "C": HYPS}, REFS, resamples=100, test=test)
        for pair in result.pairs:
            page = show(pair)
            headline, difference = str(pair).split(": ", 1)
            assert headline in page.text
            assert difference not in page.text  # it has the sign of better minus worse
            assert f"{pair.difference:+.{pair.decimals}f}" in page.cells
            assert f"p after {pair.correction}" in page.cells
    alone = tb.compare({"A": HYPS, "B": REFS}, REFS, resamples=100).pairs[0]
    assert not any("after" in cell for cell in show(alone).cells)


def test_minimum_bayes_risk():
    result = tb.mbr(HYPS[:3] * 5)
    page = show(result)
    assert f"expected score = {result.scores[result.index]:.2f}" in page.text
    assert result.best in page.text
    assert page.cells[3:5] == [str(result.index), f"{result.scores[result.index]:.2f}"]
    assert page.cells[-3] == "\u2026"
    assert "5 7 9" in show(tb.mbr([[5, 7, 9], [5, 7, 8], [5, 7, 9]])).text
    assert show(tb.mbr(["a", "b"], metric="ter")).text
    several = tb.mbr([HYPS[i : i + 3] for i in range(12)])
    page = show(several)
    for i, one in enumerate(several[:10]):
        value = f"{one.scores[one.index]:.2f}"
        cells = [str(i), one.best, str(one.index), "3", value]
        assert page.cells[5 * i + 5 : 5 * i + 10] == cells
    assert page.cells[-4] == "and 2 more sources"
    assert "5 7" in show(tb.mbr([[[5, 7]], [[8]]])).text


def test_scores_of_nan():
    for name in ("keras-hub", "torchtext", "matlab"):
        score = tb.corpus_bleu(["x"], ["y"], name)
        assert "BLEU = " in show(score).text
        assert show(tb.explain("x", "y", name)).text
    assert show(tb.diff([""], [""], "sacrebleu", "matlab")).text


# A lone surrogate cannot be scored.
@pytest.mark.parametrize("attack", [text for text in ALL if text.isascii() or "\ud800" not in text])
def test_unsafe_text_stays_text(attack):
    def attacked(text):
        return text.split() or [attack]

    texts = [f"{attack} {text}" for text in HYPS[:6]]
    other = tb.diff(texts, REFS[:6], "sacrebleu", "nltk")
    compared = tb.compare({attack: texts, "B": REFS[:6]}, REFS[:6], resamples=20)
    show(compared.pairs[0])
    show(tb.check(texts, REFS[:6]))
    show(tb.mbr(texts))
    pages = [
        show(compared),
        show(tb.explain(texts[0], [REFS[0], attack], tokenize="none")),
        show(tb.explain(texts, REFS[:6], "nltk")),
        show(tb.contrast(texts, HYPS[:6], REFS[:6], names=(attack, "B"), domains=[attack] * 6)),
        show(other),
    ]
    attacked.__qualname__ = attack
    show(tb.corpus_bleu(texts, REFS[:6], tokenize=attacked))
    show(tb.dialect("sacrebleu", tokenize=attacked))
    words = [visible(word) for word in attack.split()]
    for page in pages[:2]:
        assert all(word in page.text for word in words)


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_markup_shows_any_text(attack):
    for made in (
        html.block(html.table([[attack, attack], [attack, attack]])),
        html.block(html.headline(attack, attack, attack), html.code(attack)),
        html.block(html.tokens([attack, attack], [0, 3])),
        html.element("span", attack, dir=attack),
    ):
        assert visible(attack) in Page(made).text


def test_intervals_have_the_color_of_their_sign():
    assert html.GAIN in html.interval(0.5, 1, 2)
    assert html.LOSS in html.interval(-2, -1, -0.5)
    for ends in ((-1, 1, 2), (-2, -1, 0)):
        assert html.GAIN not in html.interval(*ends)
        assert html.LOSS not in html.interval(*ends)
    assert html.interval(0, 0, 0) == html.interval(float("nan"), 0, 1) == ""


def test_bars_are_as_long_as_their_share():
    assert "width:3.500em" in html.bar(0.5)
    assert html.bar(float("nan")) == html.bar(-1) == ""

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
    "details", "summary", "pre",
}  # fmt: skip


class Page(HTMLParser):
    """The text of a page; fails on foreign markup."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.text, self.open = "", []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ELEMENTS
        assert {name for name, _ in attrs} <= {"style", "dir"}
        for _, value in attrs:
            assert not {"url", "expression", "@", "\\"} & set(value.replace("(", " ").split())
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

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
    assert "86.7/" in page.text
    for metric in (tb.CHRF(), tb.TER()):
        score = metric.corpus(HYPS, REFS)
        assert f"{score.name} = {score.value:.2f}" in show(score).text
    assert "<lambda>" in show(tb.corpus_bleu(HYPS, REFS, tokenize=lambda text: text.split())).text


def test_a_comparison():
    result = tb.compare({"A": HYPS, "B": REFS, "C": HYPS[::-1]}, REFS, resamples=100)
    text, best = show(result).text, result.ranked()[0]
    assert f"B       {best.score.value:.1f}  100.0 to 100.0" in text
    assert all(str(pair) in text for pair in result.pairs)
    pair = result.pairs[0]
    assert f"d): {pair.effect:.2f}; " in show(pair).text
    assert show(pair).text.endswith(f": {pair.detectable:.1f}")
    # Of many pairs, the verdict.
    systems = {f"s{i}": HYPS[i:] + HYPS[:i] for i in range(6)}
    result = tb.compare(systems, REFS, resamples=20)
    text = show(result).text
    assert result.verdict(1) in text
    assert not any(str(pair) in text for pair in result.pairs)
    assert all(f"warning: {warning}" in text for warning in result.warnings)


#: Results, and what a notebook shows of each.
RESULTS = {
    "explanation": (lambda: tb.explain(HYPS, REFS),
                    lambda why: [f"{lost:.2f}" for lost in why.worksheet.lost.values() if lost]),
    "segment": (lambda: tb.explain(HYPS, REFS).segment(2),
                lambda _: ["hypothesis a dog ran to home"]),
    "contrast": (lambda: tb.contrast(REFS, HYPS, REFS, resamples=20),
                 lambda result: [f"{group.points:+.2f}" for group in result.groups]),
    "diff": (lambda: tb.diff(HYPS, REFS, "sacrebleu", "nltk"),
             lambda result: [f"{step.effect:+.4f}" for step in result.steps
                             if abs(step.effect) > 1e-9]),
    "matches": (lambda: tb.reconcile(HYPS, REFS, f"{tb.corpus_bleu(HYPS, REFS).value:.2f}"),
                lambda matches: [matches[0].signature]),
    "nearest": (lambda: tb.reconcile(HYPS, REFS, "99.99"),
                lambda matches: [f"{matches.nearest[0].value:.2f}"]),
    "verification": (lambda: tb.verify(HYPS, REFS, tb.BLEU().signature,
                                       f"{tb.corpus_bleu(HYPS, REFS, 'nltk').value:.4f}"),
                     lambda verified: [verified.instead[0].signature]),
    "findings": (lambda: tb.check([*HYPS[:5], f"{HYPS[5]}\r"], REFS[:6]),
                 lambda findings: [findings[0].message, findings[0].advice]),
    "survey": (lambda: tb.survey(HYPS, REFS), lambda all_: [one.name for one in all_]),
}  # fmt: skip


@pytest.mark.parametrize(("make", "parts"), RESULTS.values(), ids=RESULTS)
def test_a_result_shows_its_numbers(make, parts):
    result = make()
    shown = "".join(show(result).text.split())
    for part in parts(result):
        assert "".join(part.split()) in shown


def test_scores_of_nan():
    for name in ("keras-hub", "torchtext", "matlab"):
        score = tb.corpus_bleu(["x"], ["y"], name)
        assert "BLEU = " in show(score).text
        assert show(tb.explain("x", "y", name)).text
    assert show(tb.diff([""], [""], "sacrebleu", "matlab")).text


#: A lone surrogate cannot be scored.
SCORED = [text for text in ALL if "\ud800" not in text]


@pytest.mark.parametrize("attack", [" ".join(SCORED[i::4]) for i in range(4)])
def test_unsafe_text_stays_text(attack):
    def attacked(text):
        return text.split() or [attack]

    texts = [f"{attack} {text}" for text in HYPS[:6]]
    other = tb.diff(texts, REFS[:6], "sacrebleu", "nltk")
    compared = tb.compare({attack: texts, "B": REFS[:6]}, REFS[:6], resamples=20)
    show(compared.pairs[0])
    show(tb.check(texts, REFS[:6]))
    pages = [
        show(compared),
        show(tb.explain(texts[0], [REFS[0], attack], tokenize="none")),
        show(tb.explain(texts, REFS[:6], "nltk")),
        show(tb.contrast(texts, HYPS[:6], REFS[:6], names=(attack, "B"), domains=[attack] * 6)),
        show(other),
    ]
    attacked.__qualname__ = attack
    show(tb.corpus_bleu(texts, REFS[:6], tokenize=attacked))
    words = [visible(word) for word in attack.split()]
    for page in pages[:2]:
        assert all(word in page.text for word in words)


@pytest.mark.parametrize("attack", ALL, ids=list(ATTACKS))
def test_markup_shows_any_text(attack):
    for made in (html.element("div", html.element("td", attack), attack), html.element("span", attack, dir=attack)):
        assert visible(attack) in Page(made).text


def test_the_colors_of_a_terminal_become_styles():
    page = html.terminal("\x1b[1mA < B\x1b[0m 0.5 \x1b[31mc\x1b[0m")
    assert Page(page).text == "A < B 0.5 c"
    assert page.count("bold") == page.count("color:rgb") == 1

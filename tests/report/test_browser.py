# SPDX-License-Identifier: Apache-2.0
"""The report page in a browser: it loads nothing, and its controls do what they say."""

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from support.example_texts import lines
from support.pages import DOCUMENTS, QUICK, REFS, SHUFFLED, SOURCES, SYSTEMS, written

from truebleu import BLEU, CHRF, TER, compare, survey
from truebleu.analysis.diff.surveys import same_numbers
from truebleu.analysis.explain.influence import segment_costs

NAMES = list(SYSTEMS)


@pytest.fixture
def tab(new_tab, page_path):
    opened = new_tab(page_path)
    opened.page.select_option("#sort", "line")
    return opened


def test_the_policy_forbids_network_and_scripts(chromium, page_path):
    page = chromium.new_page()
    page.goto(page_path.as_uri())
    page.evaluate(
        """() => {
            const blocked = window.blocked = [];
            addEventListener("securitypolicyviolation", ({effectiveDirective}) =>
                blocked.push(effectiveDirective));
            const [script, image] = ["script", "img"].map(tag => document.createElement(tag));
            script.textContent = "blocked.push('ran')";
            image.src = "https://example.org/image.png";
            document.body.append(script, image);
            document.body.setAttribute("onclick", "blocked.push('clicked')");
            document.body.click();
            fetch("https://example.org/").catch(() => null);
        }"""
    )
    page.wait_for_function("blocked.length > 3")
    kinds = ["connect-src", "img-src", "script-src-attr", "script-src-elem"]
    assert sorted(page.evaluate("blocked")) == kinds
    page.close()


def test_numbers_are_those_of_the_library(tab):
    scores = {name: BLEU().corpus(SYSTEMS[name], REFS) for name in NAMES}
    ranked = sorted(NAMES, key=lambda name: -scores[name].value)
    shuffled = {name: SYSTEMS[name] for name in SHUFFLED}
    comparison = compare(shuffled, REFS, documents=DOCUMENTS, **QUICK)
    systems = {system.name: system for system in comparison.systems}
    expected = []
    for name in ranked:
        others = [metric.corpus(SYSTEMS[name], REFS).value for metric in (CHRF(), TER())]
        expected += [scores[name].value, *systems[name].interval, *others]
        expected += [scores[name].bp, scores[name].ratio]
    assert tab.numbers("#scores table") == expected
    assert tab.texts("#scores tbody th bdi") == ranked
    expected = []
    for better, worse in combinations(ranked, 2):
        pair = comparison.pair(better, worse)
        sign = 1 if pair.b == better else -1
        ends = sorted(sign * end for end in pair.interval)
        expected += [sign * pair.difference, *ends, pair.detectable]
    assert tab.numbers("#differences table:not(.matrix)") == expected
    standings = [survey(SYSTEMS[name], REFS) for name in NAMES]
    groups = same_numbers(zip(*standings, strict=True))
    expected = [one.score.value * (100 / one.score.scale) for group in groups for one in group[0]]
    assert tab.numbers("#dialects table") == expected


def test_scores_of_segments_are_those_of_the_library(tab):
    assert tab.texts("#cards h4") == ["aurora", "basalt"]
    tab.go(7)
    tab.page.click("#others > summary")
    tab.page.locator("#others .card").wait_for()
    for name in NAMES:
        card = f".card:has(bdi:text-is('{name}'))"
        bleu, chrf, ter = (metric.sentences(SYSTEMS[name], REFS)[6] for metric in (BLEU(), CHRF(), TER()))
        stats = BLEU().stats(SYSTEMS[name], REFS)
        length, ref_length, *counts = stats[6]
        assert tab.texts(f"{card} .score") == [f"{bleu:.1f}"]
        matches, tokens, cost, others = tab.texts(f"{card} dd")
        assert matches == "  ".join(f"{counts[n]}/{counts[n + 4]}" for n in range(4))
        assert tokens == f"{length}, reference {ref_length}"
        expected = segment_costs(BLEU(), stats)[6]
        assert float(cost.replace("\N{MINUS SIGN}", "-")) == pytest.approx(expected, abs=0.0005)
        assert others == f"chrF2 {chrf:.1f}, TER {ter:.1f}"


def test_search(tab):
    columns = {"hyp": SYSTEMS.values(), "ref": zip(*REFS, strict=True), "src": [SOURCES]}
    columns = {kind: list(texts) for kind, texts in columns.items()}
    everywhere = [texts for kind in columns.values() for texts in kind]
    for query, pattern, searched in (
        ("THE CITY", "the city", everywhere),
        ("ref: THE CITY", "the city", columns["ref"]),
        (r"hyp:/\bcit(y|ies) /", r"\bcit(y|ies) ", columns["hyp"]),
    ):
        tab.page.fill("#search", query)
        matching = [
            i
            for i, texts in enumerate(zip(*searched, strict=True), start=1)
            if any(re.search(pattern, text, re.IGNORECASE) for text in texts)
        ]
        assert 0 < len(matching) < 48
        assert tab.listed() == matching
        assert tab.texts("#count") == [f"{len(matching)} of 48 segments"]
    marked = "CSS.highlights.get('search').size"
    assert tab.page.evaluate(marked) > 0
    tab.page.fill("#search", "no such text")
    assert tab.listed() == []
    assert tab.page.locator("#empty").is_visible()
    tab.page.fill("#search", "")
    assert tab.listed()[:3] == [1, 2, 3]
    tab.drawn()
    assert tab.page.evaluate(marked) == 0


def test_sorting(tab):
    bleu = BLEU()
    scores = {name: bleu.sentences(SYSTEMS[name], REFS) for name in NAMES}
    stats = {name: bleu.stats(SYSTEMS[name], REFS) for name in NAMES}
    costs = {name: segment_costs(bleu, stats[name]) for name in NAMES}
    keys = {
        "score": scores["aurora"], "difference": scores["aurora"] - scores["cinder"],
        "cost": costs["aurora"], "influence": costs["cinder"] - costs["aurora"],
        "value.0": CHRF().sentences(SYSTEMS["aurora"], REFS),
        "length": [row[0] for row in stats["aurora"]],
    }  # fmt: skip
    tab.page.select_option("#b", label="cinder")
    for name, values in keys.items():
        tab.page.select_option("#sort", name)
        down = sorted(range(48), key=lambda i: -values[i])
        numbers = tab.listed()
        assert numbers == [i + 1 for i in down[: len(numbers)]], name
        last = {"length": "tokens", "value.0": "chrF2", "score": "difference"}.get(name, name)
        assert tab.texts("#columns") == [f"aurora · cinder · {last}"]
        shown = tab.texts("#list [data-entry='0'] .number")[-1].replace("\N{MINUS SIGN}", "-")
        assert name == "score" or float(shown) == pytest.approx(values[down[0]], abs=0.05)
    tab.page.click("#reverse")
    numbers = tab.listed()
    up = sorted(range(48), key=lambda i: keys["length"][i])
    assert numbers == [i + 1 for i in up[: len(numbers)]]


def test_the_keyboard_alone_does_it_all(tab):
    """All that the help says, and what has no key of its own."""
    keyboard = tab.page.keyboard

    def focused():
        return tab.page.evaluate("document.activeElement.id")

    for key, line in (("j", 2), ("j", 3), ("k", 2)):  # from the top of the page
        keyboard.press(key)
        assert tab.shown() == line
    assert focused() == "list"
    assert tab.page.locator("#segment-title").is_visible()
    keyboard.press("/")
    assert focused() == "search"
    keyboard.type("/?jk")
    assert tab.page.input_value("#search") == "/?jk"
    tab.page.fill("#search", "")
    keyboard.press("ArrowDown")
    assert focused() == "list"
    for key, line in (
        ("ArrowDown", 2),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("j", 3),
        ("k", 2),
        ("End", 48),
        ("ArrowDown", 48),
        ("Home", 1),
        ("ArrowUp", 1),
    ):
        keyboard.press(key)
        assert tab.shown() == line
        assert f"#seg={line}&" in tab.hash()
    keyboard.press("PageDown")
    assert tab.shown() > 3
    keyboard.press("PageUp")
    assert tab.shown() == 1
    selected = tab.page.locator("#list [aria-selected=true]")
    assert selected.locator(".line").inner_text() == "1"
    assert selected.get_attribute("id") == tab.page.get_attribute("#list", "aria-activedescendant")
    keyboard.press("Escape")
    before = tab.page.evaluate("scrollY")
    keyboard.press("ArrowDown")  # outside of the list it scrolls
    tab.page.wait_for_function("before => scrollY > before", arg=before)
    assert tab.shown() == 1
    for close in ("Escape", "Enter"):
        keyboard.press("?")
        tab.page.locator("#help").wait_for()
        keyboard.press("j")
        keyboard.press(close)
        tab.page.locator("#help").wait_for(state="hidden")
    assert tab.shown() == 1
    tab.page.focus("#list")
    for _ in range(2):
        keyboard.press("Shift+ArrowDown")
    tab.page.focus("#pick")
    keyboard.press("Enter")
    assert (tab.listed(), focused()) == ([1, 2, 3], "list")
    keyboard.press("e")
    tab.page.locator("textarea:focus").wait_for()
    keyboard.press("Control+A")
    keyboard.type("one")
    keyboard.press("Escape")
    tab.page.locator(".edit:focus", has_text="Edited").wait_for()
    tab.unfold("differently")
    tab.page.focus("#dialect")
    tab.settled(lambda: keyboard.type("multi-bleu"))
    assert tab.page.input_value("#dialect").startswith("multi-bleu")


def test_a_link_leads_to_a_segment(new_tab, page_path):
    tab = new_tab(page_path, "#seg=41")
    assert tab.page.title() == "Three systems"
    assert tab.shown() == 41
    assert tab.page.locator("#segment-title").is_visible()
    assert 41 in tab.listed()
    assert tab.page.get_attribute("#permalink", "href") == "#seg=41"
    tab.page.select_option("#b", label="cinder")
    tab.page.fill("#search", "no such text")
    tab.go(5)
    assert tab.texts("#count") == ["48 segments"]
    assert tab.page.input_value("#b") == "2"
    tab.page.evaluate("location.hash = '#seg=9&q=the+city'")  # a segment outside of the filter
    tab.page.get_by_role("heading", name="Segment 9").wait_for()
    assert (tab.page.input_value("#search"), 9 in tab.listed()) == ("the city", False)
    tab.go(5)
    # A link is followed even if the page writes its state before the event.
    tab.page.evaluate("location.hash = '#seg=7'; history.replaceState(null, '', '#seg=9')")
    tab.page.get_by_role("heading", name="Segment 7").wait_for()
    tab.go(5)
    for nowhere in ("#seg=0", "#seg=49", "#seg=x", "#segments"):
        tab.page.evaluate(f"location.hash = '{nowhere}'")
    assert tab.shown() == 5


def test_pointing_shows_where_an_ngram_matches(tab):
    tab.go(17)
    tab.page.locator(".card:first-child .token").nth(1).hover()
    tab.page.locator("#bubble").wait_for()
    assert tab.texts("#bubble q") == ["To go , please"]
    assert tab.texts("#bubble .kind") == ["4-gram"]
    assert "in reference 1 (token 1)" in tab.texts("#bubble")[0]
    assert tab.texts(".echo") == ["To", "go", ",", "please"]
    tab.page.mouse.move(5, 5)
    tab.page.locator("#bubble").wait_for(state="hidden")
    assert tab.texts(".echo, .lit") == []


def test_charts_are_saved(tab):
    assert tab.page.locator("figure[data-name]").count() == 7
    tab.unfold("orders")
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        figure = tab.page.locator("figure[data-name=precisions]")
        figure.locator("summary").click()
        name, data = tab.saved(figure.locator(f"[data-save={kind}]").click)
        assert (name, data[: len(start)]) == (f"precisions.{kind}", start)
        if kind == "svg":
            assert b"var(" not in data
            assert ET.fromstring(data).get("viewBox")


def test_it_is_read_without_script_and_refers_to_no_file(new_tab, page_path):
    tab = new_tab(page_path, script=False)
    assert tab.page.locator("noscript").is_visible()
    controls = tab.page.locator("#browser-form, #theme, figure details")
    assert not controls.filter(visible=True).count()
    assert tab.page.locator("#scores table").is_visible()
    attributes = tab.page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap(({tagName, attributes}) =>
            Array.from(attributes, ({name, value}) => [tagName.toLowerCase(), name, value]))"""
    )
    assert len(attributes) > 1000
    for tag, name, value in attributes:
        assert tag not in ("img", "iframe", "object", "embed", "base", "source", "video", "use")
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "style", "action", "xlink:href")
        assert name != "href" or value.startswith(("#", "data:,"))


@pytest.mark.parametrize(
    ("missing", "text"),
    [("DecompressionStream", "This browser cannot show the segments"), ("WebAssembly", "Matches are not marked")],
)
def test_a_browser_says_what_it_cannot_show(chromium, page_path, missing, text):
    context = chromium.new_context()
    context.add_init_script(f"delete window.{missing}")
    page = context.new_page()
    page.goto(page_path.as_uri())
    page.get_by_text(text).wait_for()
    assert page.locator("#scores table").is_visible()
    if missing == "WebAssembly":
        page.locator("#cards .token").first.wait_for()
        page.fill("#search", "the city")
        page.get_by_text("of 48 segments").wait_for()
        assert not page.locator("#differently, .edit").filter(visible=True).count()
    context.close()


def test_one_system_alone(new_tab, tmp_path):
    refs = lines("de-en/ref.A.txt")
    tab = new_tab(written(tmp_path / "one.html", {"aurora": SYSTEMS["aurora"]}, refs), older=True)
    assert not tab.page.locator("#b").is_visible()
    assert tab.page.locator("#differences").count() == 0
    assert tab.texts(".counts") == ["1 system, 48 segments, 1 reference · findings: none"]
    systems = compare({name: SYSTEMS[name] for name in ("aurora", "basalt")}, refs, **QUICK).systems
    assert tab.numbers("#scores tbody td:nth-child(3)") == list(systems[0].interval)
    assert tab.page.locator("#list [data-entry='0'] .number").count() == 2  # its score and cost
    assert tab.page.locator("#difference").is_hidden()
    tab.page.fill("#search", "city")
    assert 0 < len(tab.listed()) < 48

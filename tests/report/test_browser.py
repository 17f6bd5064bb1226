# SPDX-License-Identifier: Apache-2.0
"""The report page in a browser: it loads nothing, and its controls do what they say."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.example_texts import lines
from support.pages import DOCUMENTS, REFS, SHUFFLED, SOURCES, SYSTEMS, Tab, written

from truebleu import BLEU, CHRF, TER, compare, survey
from truebleu.analysis.diff.surveys import same_numbers
from truebleu.analysis.explain.influence import segment_costs

NAMES = list(SYSTEMS)


@pytest.fixture
def tab(chromium, page_path):
    opened = Tab(chromium, page_path)
    opened.page.select_option("#sort", "line")
    yield opened
    opened.check_quiet()
    opened.close()


def test_the_policy_forbids_network_and_scripts(chromium, page_path):
    tab = Tab(chromium, page_path)
    outcome = tab.page.evaluate(
        """async () => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            const image = document.createElement("img");
            image.src = "https://example.org/image.png";
            document.body.append(image);
            document.body.setAttribute("onclick", "window.clicked = true");
            document.body.click();
            const fetched = await fetch("https://example.org/").then(() => "yes", () => "no");
            return [fetched, String(window.ran), String(window.clicked)];
        }"""
    )
    assert outcome == ["no", "undefined", "undefined"]
    requests = set(tab.requests) - {page_path.as_uri()} - tab.refused.keys()
    assert requests == set()
    assert set(tab.refused.values()) == {"csp"}
    tab.close()


def test_numbers_are_those_of_the_library(tab):
    bleu = BLEU()
    ranked = sorted(NAMES, key=lambda name: -bleu.corpus(SYSTEMS[name], REFS).value)
    shuffled = {name: SYSTEMS[name] for name in SHUFFLED}
    comparison = compare(shuffled, REFS, resamples=200, documents=DOCUMENTS)
    expected = []
    for name in ranked:
        score = bleu.corpus(SYSTEMS[name], REFS)
        (system,) = (one for one in comparison.systems if one.name == name)
        expected += [score.value, *system.interval]
        expected += [metric.corpus(SYSTEMS[name], REFS).value for metric in (CHRF(), TER())]
        expected += [score.bp, score.ratio]
    assert tab.numbers("#scores table") == expected
    assert [ranked[0]] == tab.texts("#scores tbody tr:first-child th bdi")
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
    bleu = BLEU()
    stats = {name: bleu.stats(SYSTEMS[name], REFS) for name in NAMES}
    costs = {name: segment_costs(bleu, stats[name]) for name in NAMES}
    tab.go(7)
    tab.page.click("#others > summary")
    tab.page.locator("#others .card").wait_for()
    for name in NAMES:
        card = f".card:has(bdi:text-is('{name}'))"
        score = bleu.sentences(SYSTEMS[name], REFS)[6]
        assert tab.texts(f"{card} .score") == [f"{score:.1f}"]
        match = stats[name][6][2:6]
        total = stats[name][6][6:]
        counts = "  ".join(f"{m}/{t}" for m, t in zip(match, total, strict=True))
        values = tab.texts(f"{card} dd")
        assert values[0] == counts
        assert values[1] == f"{stats[name][6][0]}, reference {stats[name][6][1]}"
        assert float(values[2].replace("\N{MINUS SIGN}", "-")) == pytest.approx(
            costs[name][6], abs=0.0005
        )
        chrf = CHRF().sentences(SYSTEMS[name], REFS)[6]
        ter = TER().sentences(SYSTEMS[name], REFS)[6]
        assert values[3] == f"chrF2 {chrf:.1f}, TER {ter:.1f}"


def test_search(tab):
    search = tab.page.locator("#search")
    search.fill("THE CITY")
    texts = [*zip(*SYSTEMS.values(), REFS, SOURCES, strict=True)]
    matching = [
        i
        for i, (*hyps, refs, src) in enumerate(texts, start=1)
        if any("the city" in text.lower() for text in (*hyps, *refs, src))
    ]
    assert 0 < len(matching) < 48
    assert tab.listed() == matching
    assert tab.texts("#count") == [f"{len(matching)} of 48 segments"]
    search.fill("ref: THE CITY")
    assert tab.listed() == [i + 1 for i in range(48) if "the city" in str(REFS[i]).lower()]
    search.fill(r"hyp:/\bcit(y|ies) /")
    hyps = map(" | ".join, zip(*SYSTEMS.values(), strict=True))
    pattern = re.compile(r"\bcit(y|ies) ", re.IGNORECASE)
    assert tab.listed() == [i for i, texts in enumerate(hyps, 1) if pattern.search(texts)]
    marked = "CSS.highlights.get('search').size"
    tab.drawn()
    assert tab.page.evaluate(marked) > 0
    search.fill("no such text")
    assert tab.listed() == []
    assert tab.page.locator("#empty").is_visible()
    search.fill("")
    assert tab.listed()[:3] == [1, 2, 3]
    tab.drawn()
    assert tab.page.evaluate(marked) == 0


def test_sorting(tab):
    bleu = BLEU()
    scores = {name: bleu.sentences(SYSTEMS[name], REFS) for name in NAMES}
    costs = segment_costs(bleu, bleu.stats(SYSTEMS["aurora"], REFS))
    chrf = CHRF().sentences(SYSTEMS["aurora"], REFS)
    keys = {
        "score": scores["aurora"], "difference": scores["aurora"] - scores["cinder"], "cost": costs,
        "influence": segment_costs(bleu, bleu.stats(SYSTEMS["cinder"], REFS)) - costs,
        "value.0": chrf, "length": [row[0] for row in bleu.stats(SYSTEMS["aurora"], REFS)],
    }  # fmt: skip
    tab.page.select_option("#b", label="cinder")
    for name, values in keys.items():
        tab.page.select_option("#sort", name)
        down = sorted(range(48), key=lambda i: -values[i])
        numbers = tab.listed()
        assert numbers == [i + 1 for i in down[: len(numbers)]], name
        last = {"length": "tokens", "value.0": "chrF2", "score": "difference"}.get(name, name)
        assert tab.texts("#columns") == [f"aurora · cinder · {last}"]
    tab.page.click("#reverse")
    numbers = tab.listed()
    up = sorted(range(48), key=lambda i: keys["length"][i])
    assert numbers == [i + 1 for i in up[: len(numbers)]]


def test_keys(tab):
    """All that the help says."""
    keyboard = tab.page.keyboard
    for key, line in (("j", 2), ("j", 3), ("k", 2)):  # from the top of the page
        keyboard.press(key)
        assert tab.shown() == line
    assert tab.page.evaluate("document.activeElement.id") == "list"
    assert tab.page.locator("#segment-title").is_visible()
    keyboard.press("/")
    assert tab.page.evaluate("document.activeElement.id") == "search"
    keyboard.type("/?jk")
    assert tab.page.input_value("#search") == "/?jk"
    tab.page.fill("#search", "")
    keyboard.press("ArrowDown")
    assert tab.page.evaluate("document.activeElement.id") == "list"
    for key, line in (("ArrowDown", 2), ("ArrowDown", 3), ("ArrowUp", 2), ("j", 3), ("k", 2),
                      ("End", 48), ("ArrowDown", 48), ("Home", 1), ("ArrowUp", 1)):  # fmt: skip
        keyboard.press(key)
        assert tab.shown() == line
        assert f"#seg={line}&" in tab.page.url
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
    tab.page.wait_for_timeout(300)
    assert tab.page.evaluate("scrollY") > before
    assert tab.shown() == 1
    keyboard.press("?")
    assert tab.violations() == []
    keyboard.press("Escape")
    for close in ("Escape", "Enter"):
        keyboard.press("?")
        assert tab.page.locator("#help").is_visible()
        keyboard.press("j")
        keyboard.press(close)
        assert not tab.page.locator("#help").is_visible()
    assert tab.shown() == 1
    tab.page.click("#list [data-entry='4']")
    keyboard.press("ArrowDown")
    assert tab.shown() == 6


def test_a_link_leads_to_a_segment(chromium, page_path):
    tab = Tab(chromium, page_path, "#seg=41")
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
    tab.check_quiet()
    tab.close()


def test_pointing_shows_where_an_ngram_matches(tab):
    tab.go(17)
    tab.page.locator(".card:first-child .token").nth(1).hover()
    assert tab.page.locator("#bubble").is_visible()
    assert tab.texts("#bubble q") == ["To go , please"]
    assert tab.texts("#bubble .kind") == ["4-gram"]
    assert "in reference 1 (token 1)" in tab.texts("#bubble")[0]
    echoes = tab.texts(".echo")
    assert echoes == ["To", "go", ",", "please"]
    tab.page.mouse.move(5, 5)
    assert not tab.page.locator("#bubble").is_visible()
    assert tab.texts(".echo, .lit") == []


def test_charts_are_saved(tab):
    figures = tab.page.locator("figure[data-name]")
    assert figures.count() == 7
    tab.page.get_by_role("heading", name="n-grams").click()
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        tab.page.locator("figure[data-name=precisions] summary").click()
        with tab.page.expect_download() as waiting:
            tab.page.locator(f"figure[data-name=precisions] [data-save={kind}]").click()
        assert waiting.value.suggested_filename == f"precisions.{kind}"
        data = Path(waiting.value.path()).read_bytes()
        assert data.startswith(start)
        if kind == "svg":
            assert b"var(" not in data
            assert ET.fromstring(data).get("viewBox")


def test_it_is_read_without_script(chromium, page_path):
    tab = Tab(chromium, page_path, script=False)
    assert tab.page.locator("noscript").is_visible()
    assert (
        not tab.page.locator("#browser-form, #theme, figure details").filter(visible=True).count()
    )
    assert tab.page.locator("#scores table").is_visible()
    tab.check_quiet()
    tab.close()


def test_a_browser_that_is_too_old_says_so(chromium, page_path):
    context = chromium.new_context()
    context.add_init_script("delete window.DecompressionStream")
    page = context.new_page()
    page.goto(page_path.as_uri())
    page.get_by_text("This browser cannot show the segments").wait_for()
    assert page.locator("#scores table").is_visible()
    context.close()


def test_one_system_alone(chromium, tmp_path):
    path = written(tmp_path / "one.html", {"aurora": SYSTEMS["aurora"]}, lines("de-en/ref.A.txt"))
    tab = Tab(chromium, path, older=True)
    assert not tab.page.locator("#b").is_visible()
    assert tab.page.locator("#differences").count() == 0
    assert re.fullmatch(
        r"1 system, 48 segments, 1 reference · findings: none", tab.texts(".counts")[0]
    )
    low, high = tab.numbers("#scores tbody td:nth-child(3)")
    assert low < tab.numbers("#scores tbody td:nth-child(2)")[0] < high
    assert tab.page.locator("#list [data-entry='0'] .number").count() == 2  # its score and cost
    assert tab.page.locator("#difference").is_hidden()
    tab.page.fill("#search", "city")
    assert 0 < len(tab.listed()) < 48
    tab.check_quiet()
    tab.close()

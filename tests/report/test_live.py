# SPDX-License-Identifier: Apache-2.0
"""What a reader changes in the page: selections, texts and dialects, as Python computes them."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.example_texts import lines
from support.pages import (
    DOCUMENTS,
    GROUPS,
    QUICK,
    REFS,
    SCREENSHOTS,
    SOURCES,
    SYSTEMS,
    Tab,
    written,
)  # fmt: skip
from support.profiles import SLOW, few

from truebleu import BLEU, CHRF, DIALECTS, TER, check, compare
from truebleu.analysis.explain.influence import segment_costs
from truebleu.analysis.explain.overlap import overlap
from truebleu.metrics.tokenizers import NATIVE

TOLERANCE = 1e-14
ALL = range(48)
HYPS = {name: list(SYSTEMS[name]) for name in ("aurora", "basalt", "cinder")}


@pytest.fixture
def tab(chromium, page_path):
    opened = Tab(chromium, page_path)
    opened.settled()
    opened.unfold("differently")
    yield opened
    opened.check_quiet()
    opened.close()


def ranked_now(tab):
    rows = tab.page.locator("table[data-scores] tbody tr")
    return rows.evaluate_all("all => all.map(row => row.dataset.system)")


def check_selection(tab, segments, bleu=None, hyps=HYPS, refs=REFS, chosen=""):
    """The scores on the selection, and the comparison of the two systems, are Python's.

    What was `chosen` by hand or by scores has no p-value.
    """
    is_written = bleu is None and hyps is HYPS and refs is REFS and len(segments) == 48
    bleu = bleu or BLEU()
    segments = list(segments)
    texts = {name: [hyps[name][i] for i in segments] for name in hyps}
    some = [refs[i] for i in segments]
    expected = {name: bleu.corpus(texts[name], some).value for name in texts}
    assert tab.subset() == pytest.approx(expected, rel=TOLERANCE)
    if hyps is HYPS and refs is REFS:
        others = [metric.corpus(texts[name], some).value for name in ranked_now(tab)
                  for metric in (CHRF(), TER())]  # fmt: skip
        cells = tab.page.locator("[data-subset-metric]")
        assert cells.evaluate_all("all => all.map(c => Number(c.dataset.value))") == others
    ranked = sorted(expected, key=lambda name: -expected[name])
    if not is_written and len(segments) < 48:
        assert ranked_now(tab) == ranked
    documents = [DOCUMENTS[i] for i in segments]
    sentence = tab.texts("#selection-difference")[0]
    difference, *test = tab.numbers("#selection-difference")
    assert difference == pytest.approx(expected["aurora"] - expected["basalt"], rel=1e-9)
    if chosen:
        assert (test, sentence.endswith(f"({chosen}, so not a test)")) == ([], True)
        return
    if len(set(documents)) < 2:
        assert test == []
        return
    # With few documents the page draws as often as Python does.
    compared = SYSTEMS if is_written else {name: texts[name] for name in ("basalt", "aurora")}
    options = QUICK if is_written else {}
    pair = compare(
        compared, some, bleu.dialect, documents=documents, **options
    ).pair("basalt", "aurora")  # fmt: skip
    sign = 1 if pair.b == "aurora" else -1
    *interval, p = test
    assert interval == pytest.approx(sorted(sign * end for end in pair.interval), rel=1e-9)
    assert p == pair.p_adjusted
    assert ("corrected for 3 pairs" if is_written else "this pair alone") in sentence


def exported(tab):
    with tab.page.expect_download() as waiting:
        tab.page.click("[data-export=json]")
    return json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))


def saved(tab):
    """The segments of the selection, from its file."""
    return sorted(row["line"] - 1 for row in exported(tab))


def test_what_the_list_shows_is_a_corpus(tab):
    check_selection(tab, ALL)
    page = tab.page
    assert not page.locator("table.selecting").count()
    tab.settled(lambda: page.fill("#search", "the city"))
    columns = (*HYPS.values(), SOURCES, *zip(*REFS, strict=True))
    found = [i for i in ALL if any("the city" in column[i].lower() for column in columns)]
    check_selection(tab, found)
    assert page.locator("table.selecting th.subset").filter(visible=True).count() == 4
    tab.settled(lambda: page.click("#others-instead"))
    check_selection(tab, sorted(set(ALL) - set(found)))
    tab.settled(lambda: page.click("#clear"))
    check_selection(tab, ALL)
    assert not page.locator("#others-instead").is_visible()
    tab.settled(lambda: page.select_option("#filter-1", label="document 2"))
    check_selection(tab, range(6, 12))
    tab.settled(lambda: page.select_option("#filter-2", label="talk"))
    assert tab.texts("#chips button") == ["document document 2 ×", "group talk ×"]
    tab.settled(lambda: page.click("#chips button >> nth=0"))
    check_selection(tab, [i for i in ALL if GROUPS[i] == "talk"])
    tab.settled(lambda: page.click("#clear"))
    tab.settled(lambda: page.select_option("#flagged", "differing"))
    check_selection(tab, [i for i in ALL if HYPS["aurora"][i] != HYPS["basalt"][i]])
    page.select_option("#flagged", "")
    page.select_option("#ranged", "length")
    tab.settled(lambda: page.fill("#least", "15"))
    check_selection(tab, [i for i in ALL if len(list(BLEU().tokens(HYPS["aurora"][i]))) >= 15])
    tab.settled(lambda: page.select_option("#ranged", "score"))
    high = [i for i in ALL if BLEU().sentence(HYPS["aurora"][i], REFS[i]).value >= 15]
    check_selection(tab, high, chosen="chosen by their scores")
    page.fill("#search", "no such text")
    page.locator("#empty").wait_for()
    assert "q=no+such+text" in page.url


def test_rows_and_ngrams_list_their_segments(tab):
    page = tab.page
    page.evaluate(
        "for (const fold of document.querySelectorAll('.folds details')) fold.open = true"
    )
    page.get_by_role("button", name="document 2", exact=True).focus()
    tab.settled(lambda: page.keyboard.press("Enter"))
    check_selection(tab, range(6, 12))
    row = page.locator("#group tbody tr", has=page.get_by_role("button", name="talk"))
    tab.settled(row.locator("td").last.click)
    check_selection(tab, [i for i in ALL if GROUPS[i] == "talk"])
    tab.settled(page.locator(".gram").first.click)
    gram = json.loads(page.locator(".gram").first.get_attribute("data-gram"))

    def matches(name, i):
        count, *most = (
            sum(tokens[k : k + len(gram)] == gram for k in range(len(tokens)))
            for tokens in (list(BLEU().tokens(text)) for text in (HYPS[name][i], *REFS[i]))
        )
        return min(count, max(most))

    differing = [i for i in ALL if matches("aurora", i) != matches("basalt", i)]
    assert differing
    check_selection(tab, differing, chosen="picked by hand")


def test_a_line_around_points_lists_them(tab):
    tab.unfold("chart")
    place = tab.page.locator("#scatter canvas")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    mouse = tab.page.mouse
    corners = [(0.05, 0.0), (0.5, 0.0), (0.5, 0.5), (0.05, 0.5)]
    points = [(box["x"] + box["width"] * a, box["y"] + box["height"] * b) for a, b in corners]
    mouse.move(*points[0])
    mouse.down()
    for point in points[1:]:
        mouse.move(*point, steps=4)
    tab.settled(mouse.up)
    listed = saved(tab)
    assert 0 < len(listed) < 48
    check_selection(tab, listed, chosen="chosen by their scores")
    link = tab.page.url.partition("#")[2]
    assert len(link) < 500
    other = Tab(tab.context.browser, tab.path, f"#{link}")
    other.settled()
    assert saved(other) == listed
    other.close()
    # These have a high score in aurora and a low one in basalt.
    scores = {name: BLEU().sentences(HYPS[name], REFS) for name in ("aurora", "basalt")}
    assert min(scores["aurora"][listed]) > 40
    assert max(scores["basalt"][listed]) < 60


def test_findings_are_a_corpus_and_their_links_show_the_system_at_fault(chromium, tmp_path):
    hyps = list(lines("de-en/hyp.aurora.txt"))
    hyps[5], hyps[9] = "", hyps[10]
    refs = list(lines("de-en/ref.A.txt"))
    systems = {"aurora": hyps, "perfect": refs, "other": refs}
    tab = Tab(chromium, written(tmp_path / "flagged.html", systems, refs))
    tab.settled()
    flagged = {line for own in systems.values() for one in check(own, refs) for line in one.lines}
    tab.settled(lambda: tab.page.select_option("#flagged", "any"))
    assert saved(tab) == sorted(flagged)
    some = [[column[i] for i in sorted(flagged)] for column in (hyps, refs)]
    assert tab.subset()["aurora"] == pytest.approx(BLEU().corpus(*some).value, rel=TOLERANCE)
    tab.unfold("findings")
    tab.page.click("#findings article:has(bdi:text-is('aurora')) a[href^='#seg=6&'] >> nth=0")
    tab.page.get_by_role("heading", name="Segment 6").wait_for()
    assert tab.texts("#cards h4")[0] == "aurora"
    tab.check_quiet()
    tab.close()


def numbers_of_card(tab, name):
    card = tab.page.locator(f"#cards .card:has(bdi:text-is('{name}'))")
    return card.locator(".score").inner_text(), card.locator("dd").first.inner_text()


def edit(tab, name, text):
    tab.page.get_by_role("button", name=f"Edit {name}").click()
    tab.settled(lambda: tab.page.get_by_role("textbox", name=f"Text of {name}").fill(text))


def test_an_edited_text_is_scored_while_it_is_typed(tab):
    tab.go(7)
    better = REFS[6][0]
    tab.page.get_by_role("button", name="Edit aurora").click()
    box = tab.page.get_by_role("textbox", name="Text of aurora")
    assert box.input_value() == HYPS["aurora"][6]
    assert tab.page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    box.fill("")
    tab.settled(lambda: tab.page.keyboard.type(better))  # key by key
    assert box.input_value() == better
    edited = {**HYPS, "aurora": [*HYPS["aurora"][:6], better, *HYPS["aurora"][7:]]}
    check_selection(tab, ALL, hyps=edited)
    assert tab.texts("tr[data-system=aurora] [data-subset-metric]") == ["–", "–"]
    assert numbers_of_card(tab, "aurora")[0] == "100.0"
    bleu = BLEU()
    shared = overlap(bleu, bleu.tokens(better), [bleu.tokens(ref) for ref in REFS[6]])
    (marks, *_) = tab.marks("#cards .card:first-child .text")
    assert [mark for _, mark, _ in marks] == [f"m{min(4, n)}" for n in shared.hyp_covered]
    costs = segment_costs(bleu, bleu.stats(edited["aurora"], REFS))
    cost = tab.texts("#cards .card:first-child dd")[2].replace("\N{MINUS SIGN}", "-")
    assert float(cost) == pytest.approx(costs[6], abs=0.005)
    assert tab.texts("#edits span") == ["1 edited segment"]
    tab.page.select_option("#sort", "line")
    assert tab.page.locator("#list .edited .line").all_text_contents() == ["7"]
    tab.settled(lambda: tab.page.select_option("#flagged", "edited"))
    assert tab.listed() == [7]
    (row,) = exported(tab)
    assert (row["edited"], row["aurora chrF2"]) == (True, None)
    assert row["basalt chrF2"] == CHRF().sentence(HYPS["basalt"][6], REFS[6]).value
    tab.settled(lambda: tab.page.select_option("#flagged", ""))
    tab.settled(lambda: tab.page.click("#reset-edits"))
    check_selection(tab, ALL)
    assert not tab.page.locator("#edits").is_visible()
    assert tab.numbers("#scores tbody tr:first-child td:nth-child(2)")[0] == pytest.approx(
        bleu.corpus(HYPS["aurora"], REFS).value, rel=TOLERANCE
    )


def test_edits_are_saved_as_a_patch(tab):
    tab.go(7)
    edit(tab, "aurora", "x\ty <b>")
    tab.go(9)
    tab.page.get_by_role("button", name="Edit reference 1").wait_for()
    edit(tab, "reference 1", "")
    refs = [["", *row[1:]] if i == 8 else row for i, row in enumerate(REFS)]
    hyps = {**HYPS, "aurora": [*HYPS["aurora"][:6], "x\ty <b>", *HYPS["aurora"][7:]]}
    check_selection(tab, ALL, hyps=hyps, refs=refs)
    with tab.page.expect_download() as waiting:
        tab.page.click("#patch")
    patch = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert patch == (
        f"--- aurora\n+++ aurora\n@@ -7 +7 @@\n-{HYPS['aurora'][6]}\n+x\ty <b>\n"
        f"--- reference 1\n+++ reference 1\n@@ -9 +9 @@\n-{REFS[8][0]}\n+\n"
    )


def test_another_dialect_recomputes_the_page(tab):
    tab.page.select_option("#sort", "line")
    names = [row.name for row in DIALECTS.values() if row.tokenize.tokenize in NATIVE]
    for name in names[1 :: 1 if SLOW else 12]:
        tab.settled(lambda name=name: tab.page.select_option("#dialect", name))
        bleu = BLEU(name)
        expected = {one: bleu.corpus(texts, REFS).value for one, texts in HYPS.items()}
        assert tab.subset() == pytest.approx(expected, rel=TOLERANCE, nan_ok=True), name
        digits = 4 if bleu.scale == 1 else 1
        values = bleu.sentences(HYPS["aurora"], REFS)
        shown = tab.page.evaluate(
            """() => Array.from(document.querySelectorAll("#list [role=option]:not([hidden])"),
                row => [Number(row.dataset.entry), row.querySelector(".number").textContent])"""
        )
        for segment, text in shown:
            value = values[segment]
            assert text == ("–" if np.isnan(value) else f"{value:.{digits}f}"), name
        scores = tab.numbers("#scores tbody td:nth-child(2)")
        assert scores == pytest.approx(list(expected.values()), rel=TOLERANCE, nan_ok=True), name


def test_options_change_the_dialect(tab):
    page = tab.page
    tab.settled(lambda: page.select_option("#option-tokenize", label="intl"))
    tab.settled(lambda: page.select_option("#option-lowercase", label="lowercase"))
    tab.settled(lambda: page.select_option("#option-smooth_method", label="floor"))
    tab.settled(lambda: page.select_option("#option-max_ngram_order", label="3"))
    bleu = BLEU(tokenize="intl", lowercase=True, smooth_method="floor", max_ngram_order=3)
    check_selection(tab, ALL, bleu)
    assert tab.texts("#live-note code") == [bleu.corpus(HYPS["aurora"], REFS).signature]
    tab.go(5)
    page.get_by_role("heading", name="Segment 5").wait_for()
    refs = [bleu.tokens(ref) for ref in REFS[4]]
    shared = overlap(bleu, bleu.tokens(HYPS["aurora"][4]), refs)
    (marks, *_) = tab.marks("#cards .card:first-child .text")
    assert [mark for _, mark, _ in marks] == [f"m{n}" for n in shared.hyp_covered]
    tab.settled(lambda: page.click("#as-written"))
    check_selection(tab, ALL)
    assert not page.locator("#live-note").is_visible()


def test_a_link_has_the_state(chromium, page_path, tab):
    page = tab.page
    page.select_option("#sort", "line")
    page.select_option("#b", label="cinder")
    page.click("#list [data-entry='2']")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    tab.settled(lambda: page.click("#pick"))
    tab.settled(lambda: page.select_option("#dialect", "nltk"))
    tab.settled(lambda: page.select_option("#option-lowercase", label="lowercase"))
    edit(tab, "aurora", 'a & b = "c" # 100 %')
    page.fill("#tag", "name")
    page.fill("#note", 'why: "c"? 100 %')
    link = page.evaluate("location.hash").removeprefix("#")
    assert "only=3-5" in link
    other = Tab(chromium, page_path, f"#{link}")
    other.page.locator("#edits").wait_for()
    value = page.get_attribute("[data-subset-score=aurora]", "data-value")
    other.page.locator(f"[data-subset-score=aurora][data-value='{value}']").wait_for()
    assert other.subset() == tab.subset()
    assert other.listed() == tab.listed() == [3, 4, 5]
    for control in ("#sort", "#b", "#dialect", "#option-lowercase"):
        assert other.page.input_value(control) == page.input_value(control)
    assert other.shown() == tab.shown()
    assert (other.page.input_value("#tag"), other.page.input_value("#note")) == (
        "name",
        'why: "c"? 100 %',
    )
    row = next(row for row in exported(other) if row["tag"])
    assert (row["line"], row["note"]) == (tab.shown(), 'why: "c"? 100 %')
    assert other.page.get_attribute("#permalink", "href") == f"#{link}"
    assert not other.page.locator("#too-long").is_visible()
    other.page.fill("#note", "long " * 500)
    other.page.locator("#too-long").wait_for()
    other.page.fill("#note", "")
    other.page.reload()  # twice the same
    other.page.wait_for_selector("html[data-settled]", state="attached")
    other.requests.pop()
    # A link without dialect and edits ends those of the page.
    other.settled(lambda: other.page.evaluate("location.hash = '#sort=line'"))
    other.page.locator("#as-written").wait_for(state="hidden")
    other.page.locator("#edits").wait_for(state="hidden")
    assert other.page.input_value("#dialect") == "sacrebleu"
    for damaged in (
        "#seg=x&edit=a&dialect=nope",
        "#dialect=nltk&options=null",
        "#options={&only=9-1,x&edit=system.9:1:x",
        "#seg=3&sort=zz",
    ):
        other.settled(lambda link=damaged: other.page.evaluate(f"location.hash = '{link}'"))
    assert other.listed()
    other.check_quiet()
    other.close()


def test_the_keyboard_alone_does_it_all(tab):
    page, keyboard = tab.page, tab.page.keyboard
    page.select_option("#sort", "line")
    page.focus("#list")
    for key in ("Home", "Shift+ArrowDown", "Shift+ArrowDown"):
        keyboard.press(key)
    page.focus("#pick")
    tab.settled(lambda: keyboard.press("Enter"))
    check_selection(tab, range(3))
    assert page.evaluate("document.activeElement.id") == "list"
    keyboard.press("e")
    page.locator("textarea:focus").wait_for()
    keyboard.press("Control+A")
    tab.settled(lambda: keyboard.type("one"))
    keyboard.press("Escape")
    page.locator(".edit:focus").wait_for()
    page.focus("#dialect")
    tab.settled(lambda: keyboard.type("multi-bleu"))
    assert page.input_value("#dialect").startswith("multi-bleu")


def test_without_webassembly_it_is_the_page_as_written(chromium, page_path):
    context = chromium.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(page_path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    page.fill("#search", "the city")
    assert "of 48 segments" in page.inner_text("#count")
    for hidden in ("#differently", ".edit"):
        assert not page.locator(hidden).filter(visible=True).count()
    assert "Matches are not marked" in page.inner_text("#segment .legend")
    assert page.locator("#cards .token").count()
    assert problems == []
    context.close()


@pytest.mark.parametrize("options", [{"tokenize": "re:[a-z]+"}, {}], ids=["python", "words"])
def test_what_the_kernel_cannot_count_is_only_selected(chromium, tmp_path, options):
    hyps, refs = list(lines("de-en/hyp.aurora.txt")), list(lines("de-en/ref.A.txt"))
    if not options:
        hyps, refs = [text.split() for text in hyps], [[text.split()] for text in refs]
    tab = Tab(chromium, written(tmp_path / "report.html", {"aurora": hyps}, refs, **options))
    tab.settled()
    tab.settled(lambda: tab.page.fill("#search", "the city"))
    some = [line - 1 for line in tab.listed()]
    texts = [[column[i] for i in some] for column in (hyps, refs)]
    expected = BLEU(**options).corpus(*texts).value
    assert tab.subset()["aurora"] == pytest.approx(expected, rel=TOLERANCE)
    assert not tab.page.locator("#differently, .edit").filter(visible=True).count()
    assert tab.page.locator("#no-edits").is_visible()
    tab.check_quiet()
    tab.close()


@pytest.mark.parametrize(("width", "scheme"), few([(390, "dark"), (1280, "light")], every=2))
def test_everybody_can_use_it(chromium, page_path, width, scheme):
    """axe finds no violation while a text is edited, and nothing is wider than the window."""
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 844}}
    tab = Tab(chromium, page_path, "#seg=17", **look)
    tab.settled()
    tab.unfold("differently")
    edit(tab, "aurora", "To go, please!")
    tab.settled(lambda: tab.page.select_option("#option-lowercase", label="lowercase"))
    tab.settled(lambda: tab.page.select_option("#filter-1", label="document 3"))
    tab.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    table = tab.page.locator("#scores .scroll")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert tab.violations() == []
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    tab.page.screenshot(path=SCREENSHOTS / f"page-{scheme}-{width}.png", full_page=True)
    tab.check_quiet()
    tab.close()


def test_what_is_seen_is_printed(tab):
    tab.settled(lambda: tab.page.fill("#search", "the city"))
    tab.page.emulate_media(media="print")
    for seen in ("table[data-scores]", "#selection-difference", "#count", "#list", "#cards"):
        assert tab.page.locator(seen).is_visible()
    for control in ("#browser-form", "#differently", "#export", ".edit"):
        assert not tab.page.locator(control).filter(visible=True).count()
    assert tab.page.pdf().startswith(b"%PDF")

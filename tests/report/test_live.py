# SPDX-License-Identifier: Apache-2.0
"""What a reader changes in the page: selections, texts and dialects, as Python computes them."""

import json

import numpy as np
import pytest
from support.example_texts import lines
from support.pages import DOCUMENTS, GROUPS, QUICK, REFS, SOURCES, SYSTEMS, written
from support.profiles import SLOW, few

from truebleu import BLEU, CHRF, DIALECTS, TER, check, compare
from truebleu.analysis.explain.influence import segment_costs
from truebleu.analysis.explain.overlap import overlap
from truebleu.metrics.tokenizers import NATIVE

TOLERANCE = 1e-14
pytestmark = pytest.mark.usefixtures("undrawn")
ALL = range(48)
HYPS = {name: list(SYSTEMS[name]) for name in ("aurora", "basalt", "cinder")}


@pytest.fixture
def tab(new_tab, page_path):
    opened = new_tab(page_path)
    opened.settled()
    opened.unfold("differently")
    return opened


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
        others = [metric.corpus(texts[name], some).value for name in ranked_now(tab) for metric in (CHRF(), TER())]
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
    pair = compare(compared, some, bleu.dialect, documents=documents, **options).pair("basalt", "aurora")
    sign = 1 if pair.b == "aurora" else -1
    *interval, p = test
    assert interval == pytest.approx(sorted(sign * end for end in pair.interval), rel=1e-9)
    assert p == pair.p_adjusted
    assert ("corrected for 3 pairs" if is_written else "this pair alone") in sentence


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
    assert "q=no+such+text" in tab.hash()


def test_rows_and_ngrams_list_their_segments(tab):
    page = tab.page
    tab.unfold()
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


def test_a_line_around_points_lists_them(tab, new_tab):
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
    listed = sorted(row["line"] - 1 for row in tab.exported())
    assert 0 < len(listed) < 48
    check_selection(tab, listed, chosen="chosen by their scores")
    assert len(tab.hash()) < 500
    other = new_tab(tab.path, tab.hash())
    other.settled()
    assert other.listed() == tab.listed()
    # These have a high score in aurora and a low one in basalt.
    scores = {name: BLEU().sentences(HYPS[name], REFS) for name in ("aurora", "basalt")}
    assert min(scores["aurora"][listed]) > 40
    assert max(scores["basalt"][listed]) < 60


def test_findings_are_a_corpus_and_their_links_show_the_system_at_fault(new_tab, tmp_path):
    hyps = list(lines("de-en/hyp.aurora.txt"))
    hyps[5], hyps[9] = "", hyps[10]
    refs = list(lines("de-en/ref.A.txt"))
    systems = {"aurora": hyps, "perfect": refs, "other": refs}
    tab = new_tab(written(tmp_path / "flagged.html", systems, refs))
    tab.settled()
    flagged = {line for own in systems.values() for one in check(own, refs) for line in one.lines}
    tab.settled(lambda: tab.page.select_option("#flagged", "any"))
    assert sorted(row["line"] - 1 for row in tab.exported()) == sorted(flagged)
    some = [[column[i] for i in sorted(flagged)] for column in (hyps, refs)]
    assert tab.subset()["aurora"] == pytest.approx(BLEU().corpus(*some).value, rel=TOLERANCE)
    tab.unfold("findings")
    tab.page.click("#findings article:has(bdi:text-is('aurora')) a[href^='#seg=6&'] >> nth=0")
    tab.page.get_by_role("heading", name="Segment 6").wait_for()
    assert tab.texts("#cards h4")[0] == "aurora"


def edit(tab, name, text):
    tab.page.get_by_role("button", name=f"Edit {name}").click()
    tab.settled(lambda: tab.page.get_by_role("textbox", name=f"Text of {name}").fill(text))


def test_edited_texts_are_scored_while_they_are_typed_and_saved_as_a_patch(tab):
    tab.go(7)
    better = REFS[6][0]
    tab.page.get_by_role("button", name="Edit aurora").click()
    box = tab.page.get_by_role("textbox", name="Text of aurora")
    assert box.input_value() == HYPS["aurora"][6]
    tab.page.locator("textarea:focus").wait_for()
    box.fill(better[:-6])
    tab.settled(lambda: tab.page.keyboard.type(better[-6:]))  # key by key
    assert box.input_value() == better
    edited = {**HYPS, "aurora": [*HYPS["aurora"][:6], better, *HYPS["aurora"][7:]]}
    check_selection(tab, ALL, hyps=edited)
    assert tab.texts("tr[data-system=aurora] [data-subset-metric]") == ["–", "–"]
    bleu, card = BLEU(), "#cards .card:first-child"
    assert tab.texts(f"{card} .score") == ["100.0"]
    shared = overlap(bleu, bleu.tokens(better), [bleu.tokens(ref) for ref in REFS[6]])
    (marks, *_) = tab.marks(f"{card} .text")
    assert [mark for _, mark, _ in marks] == [f"m{min(4, n)}" for n in shared.hyp_covered]
    costs = segment_costs(bleu, bleu.stats(edited["aurora"], REFS))
    cost = tab.texts(f"{card} dd")[2].replace("\N{MINUS SIGN}", "-")
    assert float(cost) == pytest.approx(costs[6], abs=0.005)
    tab.page.select_option("#sort", "line")
    tab.go(9)
    edit(tab, "reference 1", "x\ty <b>")
    refs = [["x\ty <b>", *row[1:]] if i == 8 else row for i, row in enumerate(REFS)]
    check_selection(tab, ALL, hyps=edited, refs=refs)
    assert tab.texts("#edits span") == ["2 edited segments"]
    assert tab.page.locator("#list .edited .line").all_text_contents() == ["7", "9"]
    name, patch = tab.saved(lambda: tab.page.click("#patch"))
    assert (name, patch.decode()) == (
        "edits.patch",
        (
            f"--- aurora\n+++ aurora\n@@ -7 +7 @@\n-{HYPS['aurora'][6]}\n+{better}\n"
            f"--- reference 1\n+++ reference 1\n@@ -9 +9 @@\n-{REFS[8][0]}\n+x\ty <b>\n"
        ),
    )
    tab.settled(lambda: tab.page.select_option("#flagged", "edited"))
    assert tab.listed() == [7, 9]
    row = tab.exported()[0]
    assert (row["edited"], row["aurora chrF2"]) == (True, None)
    assert row["basalt chrF2"] == CHRF().sentence(HYPS["basalt"][6], REFS[6]).value
    tab.settled(lambda: tab.page.select_option("#flagged", ""))
    tab.settled(lambda: tab.page.click("#reset-edits"))
    check_selection(tab, ALL)
    assert not tab.page.locator("#edits").is_visible()
    whole = bleu.corpus(HYPS["aurora"], REFS).value
    shown = tab.numbers("#scores tbody tr:first-child td:nth-child(2)")
    assert shown == pytest.approx([whole], rel=TOLERANCE)


def test_another_dialect_recomputes_the_page(tab):
    tab.page.select_option("#sort", "line")
    names = [row.name for row in DIALECTS.values() if row.tokenize.tokenize in NATIVE]
    for name in names[1 :: 1 if SLOW else 30]:
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


def test_a_link_has_the_state(new_tab, tab):
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
    assert "only=3-5" in tab.hash()
    other = new_tab(tab.path, tab.hash())
    other.page.locator("#edits").wait_for()
    other.settled()
    assert other.subset() == tab.subset()
    assert other.listed() == tab.listed() == [3, 4, 5]
    for control in ("#sort", "#b", "#dialect", "#option-lowercase", "#tag", "#note"):
        assert other.page.input_value(control) == page.input_value(control)
    assert other.shown() == tab.shown()
    (row,) = (row for row in other.exported() if row["tag"] == "name")
    assert (row["line"], row["note"]) == (tab.shown(), 'why: "c"? 100 %')
    assert other.page.get_attribute("#permalink", "href") == tab.hash()
    assert not other.page.locator("#too-long").is_visible()
    other.page.fill("#note", "long " * 500)
    other.page.locator("#too-long").wait_for()
    other.page.fill("#note", "")
    other.page.reload()
    other.settled()
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


@pytest.mark.parametrize("options", [{"tokenize": "re:[a-z]+"}, {}], ids=["python", "words"])
def test_what_the_kernel_cannot_count_is_only_selected(new_tab, tmp_path, options):
    hyps, refs = list(lines("de-en/hyp.aurora.txt")), list(lines("de-en/ref.A.txt"))
    if not options:
        hyps, refs = [text.split() for text in hyps], [[text.split()] for text in refs]
    tab = new_tab(written(tmp_path / "report.html", {"aurora": hyps}, refs, **options))
    tab.settled()
    tab.settled(lambda: tab.page.fill("#search", "the city"))
    some = [line - 1 for line in tab.listed()]
    texts = [[column[i] for i in some] for column in (hyps, refs)]
    expected = BLEU(**options).corpus(*texts).value
    assert tab.subset()["aurora"] == pytest.approx(expected, rel=TOLERANCE)
    assert not tab.page.locator("#differently, .edit").filter(visible=True).count()
    assert tab.page.locator("#no-edits").is_visible()


@pytest.mark.parametrize(("width", "scheme"), few([(390, "dark"), (1280, "light")], every=2))
def test_everybody_can_use_it(new_tab, page_path, width, scheme):
    """axe finds no violation while a text is edited, and nothing is wider than the window."""
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 844}}
    tab = new_tab(page_path, "#seg=17", **look)
    tab.page.keyboard.press("?")
    assert tab.violations("#help") == []
    tab.page.keyboard.press("Escape")
    tab.unfold()
    edit(tab, "aurora", "To go, please!")
    tab.settled(lambda: tab.page.select_option("#option-lowercase", label="lowercase"))
    tab.settled(lambda: tab.page.select_option("#filter-1", label="document 3"))
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    table = tab.page.locator("#scores .scroll")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert tab.violations() == []
    tab.screenshot(f"page-{scheme}-{width}", full_page=True)


def test_what_is_seen_is_printed(tab):
    tab.settled(lambda: tab.page.fill("#search", "the city"))
    tab.page.emulate_media(media="print")
    for seen in ("table[data-scores]", "#selection-difference", "#count", "#list", "#cards"):
        assert tab.page.locator(seen).is_visible()
    for control in ("#browser-form", "#differently", "#export", ".edit"):
        assert not tab.page.locator(control).filter(visible=True).count()
    assert tab.page.pdf().startswith(b"%PDF")

# SPDX-License-Identifier: Apache-2.0
"""The playground in a browser: its numbers are the library's, and everybody can use it."""

import math
import os
from itertools import product
from urllib.parse import parse_qs

import pytest
from support.example_texts import NAMED, lines
from support.profiles import few
from support.unsafe_texts import ATTACKS

from truebleu import BLEU, DIALECTS, OptionError, diff, explain, survey, write_playground
from truebleu.metrics.tokenizers import NATIVE
from truebleu.playground.page import COMMON, EXAMPLES, link

#: Logarithms and exponentials are those of the platform.
TOLERANCE = 1e-14

REFS = [
    "the ferry crosses the wide river at seven in the morning",
    "every morning at seven the ferry goes across the river",
]
HYP = "The ferry crosses the river at seven every morning"

TEXTS = {
    "ferry": ([HYP], [REFS]),
    "segments": (
        ["The ferry is late.", "We wait on the quay, for 3.50 EUR.", ""],
        [["The ferry is late!"], ["We are waiting for 3.50 EUR."], ["It comes."]],
    ),
    "clipped": (["the the the the the the the"], [REFS]),
    "unicode": (
        ["İstanbul Straße ΑΣ. naïve 中文字 テスト 한국어 𠀀𪛖 ٣४½ &quot; “— e\u0301 \u3000x\u00a0"],
        [["istanbul STRASSE ας, naïve 中文 テスト 한국 𠀀 ٣४ &quot; “” e\u0301"]],
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("playground") / "playground.html"
    write_playground(path)
    return path


@pytest.fixture
def tab(new_tab, path):
    return new_tab(path)


def address(hyps, refs, **state):
    """The address of texts: a line for each segment."""
    hyp, *columns = ("".join(f"{line}\n" for line in lines) for lines in (hyps, *zip(*refs, strict=True)))
    return f"#{link(hyp=hyp, ref=columns, **state)}"


def follow(tab, hyps, refs, **state):
    visit(tab, address(hyps, refs, **state))


def visit(tab, fragment):
    """Follow a link, which takes effect after the script that changes the address."""
    settle(tab)  # else what an earlier link left would say that the page is ready
    tab.page.evaluate(f"hash => {{ {WAIT} location.hash = hash; }}", fragment)
    settle(tab)


WAIT = "delete document.documentElement.dataset.ready;"


def settle(tab):
    tab.wait("[data-ready]")


def linked(tab, part):
    """Wait until the address holds something, soon after the last key."""
    tab.page.wait_for_url(lambda url: part in url)


def score(tab, place="#score"):
    return float(tab.page.locator(place).get_attribute("data-value"))


def test_every_tool_scores_as_in_python(tab):
    native = [row.name for row in DIALECTS.values() if row.tokenize.tokenize in NATIVE]
    for hyps, refs in TEXTS.values():
        follow(tab, hyps, refs)
        shown = tab.page.locator("#tools tbody tr").evaluate_all(
            """rows => rows.flatMap(row => [...row.querySelectorAll("[data-tool]")].map(button =>
                [button.dataset.tool, row.cells[0].dataset.value]))"""
        )
        values = {name: float(value) for name, value in shown}
        expected = {one.name: one.score for one in survey(hyps, refs) if one.score is not None}
        assert sorted(values) == sorted(native)
        for tool in native:
            # Tools of a row give equal numbers up to four decimals.
            points = expected[tool].value * (100 / expected[tool].scale)
            assert values[tool] == pytest.approx(points, abs=1e-4, nan_ok=True), tool
        here = tab.page.evaluate(
            """([hyps, refs, names]) => Promise.all(names.map(dialect =>
                truebleu.corpus(hyps, refs, {dialect}).then(({value}) => String(value))))""",
            [hyps, refs, native],
        )
        for tool, value in zip(native, here, strict=True):
            python = expected[tool].value
            assert float(value) == pytest.approx(python, rel=TOLERANCE, abs=0, nan_ok=True), tool
    missing = tab.texts("#not-here b")
    assert sorted(missing + native) == sorted(DIALECTS)


def test_each_panel_shows_what_explain_says(tab):
    tools = "sacrebleu", "nltk", "coco-caption", "mteval-v13a", "promptfoo", "codebleu-weighted"
    cases = [("sacrebleu", {"tokenize": "intl"}), *((tool, {}) for tool in tools)]
    texts = (HYP, REFS), (TEXTS["unicode"][0][0], TEXTS["unicode"][1][0])
    for (dialect, changes), (hyp, refs) in product(cases, texts):
        follow(tab, [hyp], [refs], tool=dialect, **changes)
        why = explain(hyp, refs, dialect, **changes)
        boxes = tab.page.locator("#tokenize .boxes").evaluate_all(
            "all => all.map(one => [...one.children].map(token => token.textContent))"
        )
        assert boxes == [list(tokens) for tokens in (why.overlap.hyp, *why.overlap.refs)]
        cards = tab.page.locator("#count .order").evaluate_all(
            """all => all.map(card => Object.fromEntries(
                ["matched", "clipped", "unmatched", "missed"].map(kind => [kind, Array.from(
                    card.querySelectorAll(`.chip.${kind} bdi`), one => one.textContent)])))"""
        )
        for card, grams in zip(cards, why.overlap.ngrams, strict=True):
            for kind, words in card.items():
                having = [" ".join(gram.words) for gram in grams if getattr(gram, kind)]
                assert sorted(words) == sorted(having), kind
        heads = tab.texts("#count .order h4")
        corpus = BLEU(dialect, **changes).corpus([hyp], [refs])
        expected = zip(corpus.matches, corpus.totals, strict=True)
        assert heads == [f"{n}-grams {m} of {t}" for n, (m, t) in enumerate(expected, start=1)]
        assert score(tab) == pytest.approx(corpus.value, rel=TOLERANCE)
        assert corpus.signature in tab.texts("#combine code")


def test_what_normalization_changes_is_marked(tab):
    follow(tab, ["The END  "], [["the end"]], lowercase="yes")
    assert tab.texts("#normalize .line") == ["the end  ", "the end"]
    assert tab.texts("#normalize ins") == ["t", "end"]
    assert tab.texts("#normalize del") == ["  "]
    assert tab.texts("#normalize small") == ["6 characters changed", "unchanged"]
    assert "this moved" in tab.texts("#normalize .moved")


def test_lines_lead_to_the_places_that_match(tab):
    follow(tab, ["the cat sat"], [["the cat", "a cat sat"]], order="2")
    assert tab.page.locator("#count path").count() == 2
    tab.page.get_by_role("button", name="the cat", exact=True).hover()
    assert tab.texts("#count .word.lit") == ["the", "cat", "the", "cat"]
    assert tab.page.locator("#count path.lit").count() == 1
    tab.page.get_by_role("button", name="1-grams").click()
    settle(tab)
    assert tab.page.locator("#count path").count() == 3
    linked(tab, "order=1")


def test_the_tools_people_use_come_first(tab):
    follow(tab, [HYP], [REFS], **{"with": "nltk"})
    first, others = (tab.page.locator("#tools table").nth(i) for i in (0, 1))
    assert first.locator("li").all_inner_texts() == [f"{name} {COMMON[name]}" for name in COMMON]
    assert not others.is_visible()
    scores = tab.page.locator("#tools tbody tr td:first-child").evaluate_all(
        "cells => cells.map(cell => Number(cell.dataset.value).toFixed(4))"
    )
    said = f"Your sentence has {len(set(scores))} scores; these are the tools people use"
    assert tab.texts("#tools-heading") == [said]
    effects = tab.page.locator("#moves tbody tr:visible td:nth-child(3)").all_inner_texts()
    assert len(effects) > 2
    assert "0.00" not in effects
    tab.page.click("#all-moves")
    assert "0.00" in tab.page.locator("#moves tbody td:visible:nth-child(3)").all_inner_texts()


def test_tokens_run_as_their_script_and_long_texts_are_bounded(tab):
    follow(
        tab,
        ["\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd BLEU."],
        [["\u05e9\u05dc\u05d5\u05dd, 3.50 \u05e2\u05d5\u05dc\u05dd"]],
    )
    for selector in ("#tokenize .boxes >> li", "#count .picture .line >> .word"):
        lefts = tab.page.locator(selector).evaluate_all(
            "all => all.slice(0, 4).map(one => one.getBoundingClientRect().left)"
        )
        assert lefts == sorted(lefts, reverse=True), selector
    words = " ".join(f"w{i % 97}" for i in range(2000))
    follow(tab, [words], [[words[9:]]])
    assert "and 1,800 more tokens" in tab.texts("#tokenize li.remark")
    assert "The picture shows texts of up to 200 tokens." in tab.texts("#count .remark")
    assert tab.page.evaluate("document.documentElement.scrollHeight") < 8000
    assert tab.violations("#normalize, #tokenize, #count") == []
    tab.page.fill("#hyp", "x " * 12_000)
    tab.page.get_by_text("More than 500 lines or 20,000 characters").wait_for()
    places = "[problem.getBoundingClientRect().bottom, hyp.getBoundingClientRect().top]"
    assert tab.page.evaluate(places) == sorted(tab.page.evaluate(places))


def test_rows_add(tab):
    hyps, refs = TEXTS["segments"]
    follow(tab, hyps, refs)
    rows = tab.page.locator("#aggregate tr").evaluate_all(
        "rows => rows.slice(1).map(row => [...row.cells].map(cell => cell.textContent))"
    )
    bleu = BLEU()
    stats = [*bleu.stats(hyps, refs), bleu.stats(hyps, refs).sum()[0]]
    values = [*bleu.sentences(hyps, refs), bleu.corpus(hyps, refs).value]
    for row, stat, value in zip(rows, stats, values, strict=True):
        counts = [f"{m}/{t}" for m, t in zip(stat[2:6], stat[6:], strict=True)]
        assert row[1:] == [*map(str, stat[:2]), *counts, f"{value:.2f}"]
    tab.page.get_by_role("button", name="2", exact=True).click()
    settle(tab)
    assert tab.texts("#tokenize .boxes")[0].startswith("Wewaiton")
    assert tab.page.input_value("#segment") == "2"


def test_two_tools_have_the_path_of_diff(tab):
    hyps, refs = TEXTS["ferry"]
    for a, b in (("sacrebleu", "nltk"), ("mteval-v13a", "coco-caption")):
        follow(tab, hyps, refs, tool=a, **{"with": b})
        rows = tab.page.locator("#moves tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].slice(0, 3).map(cell => cell.textContent))"
        )
        steps = diff(hyps, refs, a, b).steps
        assert len(rows) == len(steps) + 2
        for row, step in zip(rows[1:-1], steps, strict=True):
            for decision in step.decisions:
                assert all(name in row[0] for name in decision.changes)
            assert row[1] == f"{step.after:.2f}"
            assert float(row[2].replace("\N{MINUS SIGN}", "-")) == pytest.approx(step.effect, abs=0.006)
        assert tab.page.locator(".side.s1").count() == 5
        assert score(tab, "#other-score") == pytest.approx(BLEU(b).corpus(hyps, refs).value)


def test_changing_an_option_shows_what_moves(tab):
    hyps, refs = TEXTS["ferry"]
    follow(tab, hyps, refs)
    tab.page.locator("#normalize summary").click()
    settle(tab)
    before, after = (BLEU(lowercase=on).corpus(hyps, refs).value for on in (False, True))
    choice = tab.page.locator("#option-lowercase option").nth(1)
    choice.filter(has_text=f"yes  +{after - before:.2f}").wait_for(state="attached")
    tab.page.select_option("#option-lowercase", "yes")
    settle(tab)
    assert score(tab) == pytest.approx(after, rel=TOLERANCE)
    assert tab.texts("#gap") == [f"+{after - before:.2f} points by 1 change"]
    assert "lowercase: no → yes" in tab.texts("#moves tbody th")
    linked(tab, "lowercase=yes")
    tab.page.get_by_role("button", name="Reset lowercase").click()
    settle(tab)
    assert score(tab) == pytest.approx(before, rel=TOLERANCE)
    assert not tab.page.locator("#moves").is_visible()


def test_wrong_input_is_said_and_leaves_the_numbers(tab):
    follow(tab, ["a b", "c"], [["a b"], ["c"]])
    said = "The hypothesis has 1 line, reference 1 has 2 lines; each line is a segment."
    for text, expected in (("a b", said), ("a b\nc", "")):
        tab.page.fill("#hyp", text)
        settle(tab)
        assert tab.texts("#problem") == [expected]
    tab.page.locator("#combine summary").click()
    tab.page.fill("#option-weights", "1,2,x")
    tab.page.keyboard.press("Tab")
    settle(tab)
    assert "weights" in tab.texts("#problem")[0]


def test_a_link_holds_the_state(tab):
    for texts in EXAMPLES.values():
        visit(tab, f"#{link(**texts)}&foo=1")
        tab.page.wait_for_url(lambda url: "foo" not in url)
        assert parse_qs(tab.hash()[1:]) == parse_qs(link(**texts))
        options = {k: texts[k] for k in texts.keys() - {"hyp", "ref", "tool", "with", "order"}}
        bleu = BLEU(texts.get("tool", "sacrebleu"), **options)
        refs = zip(*(ref.split("\n") for ref in texts["ref"]), strict=True)
        expected = bleu.corpus(texts["hyp"].split("\n"), list(map(list, refs))).value
        assert score(tab) == pytest.approx(expected, rel=TOLERANCE)


def test_links_with_mistakes_are_read_as_far_as_they_go(new_tab, path):
    tab = new_tab(path, "#hyp=%FF&ref=")
    for other in ("#hyp=a+b&ref=a+b&tool=no-tool&with=x&order=-1&segment=99&foo=1", "#hyp="):
        assert tab.texts("#problem") == [""]
        assert not math.isnan(score(tab))
        visit(tab, other)


def drop(tab, files):
    """Drop files on the page: lines by name."""
    tab.page.evaluate(
        """files => {
            const data = new DataTransfer();
            for (const [name, lines] of Object.entries(files)) {
                data.items.add(new File([lines.join("\\n") + "\\n"], name));
            }
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        files,
    )
    tab.page.get_by_text("scored in").wait_for()


def report_below(tab):
    """The frame of the report of the files, once it is open and in view: drawn."""
    place = tab.page.locator("#report-frame")
    place.wait_for()
    place.scroll_into_view_if_needed()
    frame = place.element_handle().content_frame()
    frame.wait_for_selector("html[data-ready]", state="attached")
    return frame


def test_files_that_are_dropped_are_scored(tab):
    refs = [lines(f"de-en/ref.{name}.txt") for name in "AB"]
    systems = {f"{name}.txt": hyps for name, hyps in NAMED.items()}
    drop(tab, {"ref.A.txt": refs[0], **systems, "ref.B.txt": refs[1]})
    for name, hyps in systems.items():
        expected = BLEU().corpus(hyps, list(zip(*refs, strict=True))).value
        shown = score(tab, f"[data-subset-score='{name}']")
        assert shown == pytest.approx(expected, rel=TOLERANCE)
    report_below(tab)
    role = tab.page.get_by_label("What ref.B.txt is")
    role.select_option("system")
    one = BLEU().corpus(refs[1], refs[0]).value
    tab.page.locator(f"[data-subset-score='ref.B.txt'][data-value^='{str(one)[:8]}']").wait_for()
    report_below(tab)
    drop(tab, {"short.txt": ["a"], "src.txt": ["x"] * 48, "odd.gz": ["x"]})
    tab.page.get_by_text("short.txt has 1 line, most files 48; it is left out").wait_for()
    assert tab.page.locator("[data-subset-score]").count() == 1 + len(NAMED) + 1
    report_below(tab)
    tab.page.get_by_label("Remove short.txt").press("Enter")
    tab.page.get_by_text("most files 48; it is left out").wait_for(state="detached")
    assert tab.page.evaluate("document.activeElement.ariaLabel") == "Remove src.txt"
    assert tab.page.get_by_label("What src.txt is").input_value() == "source"
    report_below(tab).get_by_role("heading", name="source").wait_for()
    role.select_option("ignore")
    tab.page.locator("[data-subset-score='ref.B.txt']").wait_for(state="detached")


@pytest.mark.parametrize("changes", [{"smooth_method": "floor"}, {"tool": "nltk", "join": "mean"}])
def test_the_report_of_files_opens(new_tab, path, changes):
    tab = new_tab(path, address(["a"], [["a"]], **changes))
    refs = lines("de-en/ref.A.txt")
    drop(tab, {"ref.txt": refs, **{name: NAMED[name] for name in ("aurora", "basalt")}})
    report_below(tab)
    complaints = []
    with tab.context.expect_page() as info:
        tab.page.click("#report")
    page = info.value
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.wait_for_selector("html[data-settled]", state="attached")
    page.select_option("#sort", "line")
    options = dict(changes)
    bleu = BLEU(options.pop("tool", "sacrebleu"), **options)
    scores = [bleu.sentences(NAMED[name], refs) for name in ("aurora", "basalt")]
    for i in (0, 8):
        page.locator(f"#list [role=option]:has(.line:text-is('{i + 1}'))").click()
        page.locator("html:not([data-drawing]) #segment-title", has_text=f" {i + 1}").wait_for()
        places = 4 if bleu.scale == 1 else 1
        shown = page.locator("#cards .card .score").all_text_contents()
        assert shown == [f"{column[i]:.{places}f}" for column in scores]
        assert page.locator("#cards .text").first.text_content() == NAMED["aurora"][i]
    page.click("#permalink")
    page.wait_for_url("**#seg=9**")
    whole = bleu.corpus(NAMED["aurora"], refs).value
    shown = page.locator("[data-subset-score='aurora']").get_attribute("data-value")
    assert float(shown) == pytest.approx(whole, rel=TOLERANCE)
    assert complaints == []


def test_hostile_texts_stay_text(tab):
    text = " ".join(text for name, text in ATTACKS.items() if name != "surrogate")
    for place in range(tab.page.locator("#texts textarea").count()):
        tab.page.fill(f"#texts textarea >> nth={place}", text)
    names = ('"><b onmouseover=alert(1)>\u202e.txt', "ref.txt")
    drop(tab, {name: [text] for name in names})
    assert tab.texts("#problem") == [""]
    tags = "script:not([id]):not(:last-of-type), img, b:not(#not-here b), [onerror], [onmouseover]"
    assert tab.page.locator(f"main :is({tags})").count() == 0


@pytest.mark.parametrize(("width", "scheme"), few([(390, "light"), (1280, "dark")], every=2))
def test_everybody_can_use_it(new_tab, path, width, scheme):
    """axe finds no violation, and nothing is wider than the window."""
    look = {"color_scheme": scheme, "viewport": {"width": width, "height": 844}}
    hyps, refs = TEXTS["segments"]
    tab = new_tab(path, address(hyps, refs, **{"with": "nltk"}), **look)
    tab.screenshot(f"playground-{scheme}-{width}", full_page=True)
    tab.unfold()
    drop(tab, {"a<b>.txt": ["x"], "ref.txt": ["x"]})
    report_below(tab)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.violations() == []


def test_the_keyboard_alone_reaches_everything(tab):
    page = tab.page

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)
        settle(tab)

    def tab_to(selector, most=300):
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    press("Tab", "Enter")  # skip to the text
    tab_to("#hyp")
    press("Control+a")
    page.keyboard.type("a late ferry crosses\n")
    settle(tab)
    before = score(tab)
    tab_to("#more")
    press("Enter")
    page.keyboard.type("a late ferry crosses")
    settle(tab)
    assert score(tab) != before
    tab_to("#examples a")
    page.evaluate(WAIT)
    press("Enter")
    assert page.input_value("#hyp").startswith("The ferry")
    page.evaluate("document.activeElement.blur()")
    page.evaluate("scrollTo(0, 0)")
    for selector, key, part in (
        ("#tool", "ArrowDown", "tool=papineni-2002"),
        ("#with", "ArrowDown", "with=sacrebleu"),
        ("#tools [data-tool=nltk]", "Enter", "with=nltk"),
        ("#all-moves", "Enter", "with=nltk"),
        ("#normalize summary", "Enter", "with=nltk"),
        ("#option-lowercase", "ArrowDown", "lowercase=yes"),
    ):
        tab_to(selector)
        press(key)
        linked(tab, part)
        assert page.evaluate("selector => document.activeElement.matches(selector)", selector)
    assert page.locator(".stays:visible").count() > 0
    tab_to("#normalize .set button")
    press("Enter")
    page.wait_for_url(lambda url: "lowercase" not in url)
    tab_to("#count button.chip")
    assert page.locator("#count .word.lit").count() > 0
    tab_to("#count .order h4 button")
    press("Enter")
    assert page.evaluate("document.activeElement.matches('#count .order h4 button')")
    tab_to("#aggregate button")
    tab_to("#chosen")


def test_without_webassembly_it_says_so(chromium, path):
    context = chromium.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(path.as_uri())
    page.get_by_text("this browser has no WebAssembly").wait_for()
    context.close()


def test_a_file_is_replaced_only_if_asked(tmp_path):
    target = tmp_path / "page.html"
    target.write_text("mine")
    with pytest.raises(OptionError):
        write_playground(target)
    assert target.read_text() == "mine"
    write_playground(target, force=True)
    assert os.path.getsize(target) < 600_000
    assert target.read_text("utf-8").startswith("<!doctype html>")

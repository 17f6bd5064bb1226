# SPDX-License-Identifier: Apache-2.0
"""What a reader does every day: read the verdict, sort tables, compare two systems, export."""

import json
import re
from pathlib import Path

import pytest
from support.pages import (
    DOCUMENTS,
    GROUPS,
    MARKS,
    QUICK,
    REFS,
    SOURCES,
    SYSTEMS,
    Tab,
    gathered,
    written,
)  # fmt: skip

from truebleu import BLEU, CHRF, TER, compare
from truebleu.analysis.explain.influence import segment_costs
from truebleu.report.differences import doubts, matrix, verdict

NAMES = ("aurora", "basalt", "cinder")


@pytest.fixture
def tab(chromium, page_path):
    opened = Tab(chromium, page_path)
    yield opened
    opened.check_quiet()
    opened.close()


def test_segments_come_after_the_scores_and_the_rest_is_folded(tab):
    places = tab.page.evaluate(
        """() => [...document.querySelectorAll("main section")].map(section => {
            const shown = section.closest("details") ?? section;
            return [section.id, shown.getBoundingClientRect().top + scrollY, shown.open ?? null];
        })"""
    )
    names = [name for name, *_ in places]
    assert names == [
        "scores", "segments", "differences", "contrast", "orders", "length",
        "document", "group", "dialects", "findings", "settings",
    ]  # fmt: skip
    assert tab.page.locator("nav a").evaluate_all("all => all.map(a => a.hash)") == [
        f"#{name}" for name in names
    ]
    tops = [top for _, top, _ in places]
    assert tops == sorted(tops)
    assert tops[1] < 860
    assert [opened for *_, opened in places] == [None] * 2 + [False] * 9
    tab.page.click("nav a[href='#dialects']")
    assert tab.page.locator("#dialects table").is_visible()
    tab.page.evaluate("document.getElementById('dialects').closest('details').open = false")


@pytest.mark.parametrize(
    ("systems", "expected"),
    [
        (NAMES[::-1], "aurora has the highest BLEU of 3 systems: +20.5 BLEU over basalt (95 % "),
        (("cinder", "basalt"), "basalt has the highest BLEU: +22.1 BLEU over cinder (95 % "),
        (("aurora", "again"), "highest BLEU, but not significantly higher than again: +0.0"),
        (("aurora", "again", "cinder"), "not significantly higher than again: +0.0 BLEU ("),
        (("aurora", *"abcd"), "not significantly higher than a, b and 2 other systems: +0.0"),
        (("aurora",), "aurora has 57.8 BLEU (95 % interval 5"),
    ],
)  # fmt: skip
def test_the_verdict_is_one_sentence(systems, expected):
    texts = {name: SYSTEMS.get(name, SYSTEMS["aurora"]) for name in systems}
    contents = gathered(texts)
    text = re.sub("<[^>]*>", "", str(verdict(contents)))
    assert expected in text
    assert text.count(". ") == 0
    assert text.endswith(").")


def test_what_does_not_survive_follows_the_verdict_and_has_a_mark():
    refs = [f"„Satz {i}“, sagte sie" for i in range(40)]
    marks = [ref.replace("„", '"').replace("“", '"') for ref in refs]
    contents = gathered({"a": refs, "b": marks, "c": ["no"] * 40}, refs)
    shown = str(doubts(contents))
    assert shown.startswith('<div data-survives="false">')
    assert re.findall("<p[^>]*>(.*?)</p>", shown)[:2] == [
        "1 of 3 significant differences does not survive: 1 with quotation marks written alike",
        "a over b: Does not survive: quotation marks written alike, +0.0 (p = 1.00)",
    ]
    cells = str(matrix(contents, contents.comparison))
    assert (cells.count("~</td>"), cells.count("*</td>")) == (2, 4)


def test_a_repair_that_changes_the_place_of_a_system_follows_the_verdict(tmp_path):
    texts = [f"{line} <unk>" if i % 3 else line for i, line in enumerate(SYSTEMS["aurora"])]
    path = tmp_path / "page.html"
    written(
        path, {"broken": texts, "other": ["no"] * 4 + SYSTEMS["aurora"][4:]}, REFS, resamples=100
    )
    page = path.read_text("utf-8")
    (line,) = re.findall(r"broken: foreign-marks in 32 lines; repaired, its BLEU is [^<]*", page)
    assert line.endswith(
        f"{BLEU().corpus(SYSTEMS['aurora'], REFS).value:.1f}: place 1 instead of 2."
    )
    row = page.partition('<tr data-system="broken">')[2].partition("</tr>")[0]
    assert "1 error" in row
    assert page.count("data-scores") == 1
    assert re.search(r'data-verdict="" data-p="0\.\d+"', page)


def test_the_matrix_has_each_difference_with_its_significance(tab):
    comparison = compare(
        {name: SYSTEMS[name] for name in NAMES}, REFS, documents=DOCUMENTS, **QUICK
    )
    ranked = [system.name for system in comparison.ranked()]
    expected = []
    for row in ranked:
        for column in ranked:
            if row != column:
                pair = comparison.pair(row, column)
                expected.append(pair.difference if pair.b == row else -pair.difference)
    assert tab.numbers(".matrix") == expected
    assert tab.texts(".matrix tbody th") == ranked
    stars = [cell.endswith("*") for cell in tab.texts(".matrix td:has(button)")]
    better = [comparison.pair(a, b).better is not None for a in ranked for b in ranked if a != b]
    assert stars == better


def test_with_a_baseline_there_is_a_row_for_each_other_system(tmp_path):
    comparison = compare(SYSTEMS, REFS, baseline="basalt", **QUICK)
    page = written(tmp_path / "page.html", comparison, None, resamples=None).read_text("utf-8")
    differences = page.partition('id="differences"')[2].partition("</section>")[0]
    assert "matrix" not in differences
    assert differences.count("<tr>") == 1 + 2
    assert "aurora</bdi></b> has the highest BLEU of 3 systems: " in page


def test_a_difference_leads_to_its_segments(tab):
    tab.unfold("differences")
    button = tab.page.locator(".matrix tbody tr:nth-child(3) td:nth-child(2) button")
    button.focus()
    pair = compare(SYSTEMS, REFS, documents=DOCUMENTS, **QUICK).pair("cinder", "aurora")
    assert re.fullmatch(
        rf"cinder minus aurora: .* p = {pair.p_adjusted:.2g} corrected for 3 pairs",
        tab.texts("#pair")[0],
    )
    tab.page.keyboard.press("Enter")
    assert [tab.page.input_value(f"#{menu}") for menu in "ab"] == ["2", "0"]
    assert tab.texts("#columns") == ["cinder · aurora · influence"]
    tab.page.select_option("#a", label="aurora")
    tab.page.select_option("#b", label="basalt")


def test_tables_are_sorted_by_their_headings(tab):
    def column():
        return tab.numbers("#scores tbody td:nth-child(2)")

    def names():
        return tab.texts("#scores tbody th bdi")

    # By its id: the table of the segments has columns of the same names, once it is computed.
    headings = tab.page.locator("#scores").get_by_role("columnheader")
    heading = headings.filter(has_text="BLEU").get_by_role("button")
    descending = sorted(column(), reverse=True)
    heading.click()
    assert column() == descending
    heading.focus()
    tab.page.keyboard.press("Enter")
    assert column() == descending[::-1]
    sorts = "#scores th[aria-sort]"
    assert tab.texts(sorts) == ["BLEU"]
    assert tab.page.get_attribute(sorts, "aria-sort") == "ascending"
    headings.filter(has_text="system").get_by_role("button").click()
    assert names() == list(NAMES)
    headings.get_by_text("length", exact=True).click()
    values = tab.numbers("#scores tbody td:nth-last-child(2)")
    assert values == sorted(values, reverse=True)
    heading.click()
    tab.unfold("differences")
    matrix = tab.page.locator(".matrix thead button")
    matrix.nth(2).click()  # the difference to the second system; its own row has none
    assert tab.texts(".matrix tbody th") == ["aurora", "cinder", "basalt"]
    matrix.nth(1).click()
    assert tab.texts(".matrix tbody th") == ["basalt", "cinder", "aurora"]


def test_the_best_is_compared_with_the_second_by_default(chromium, tab):
    fresh = Tab(chromium, tab.path)
    assert fresh.page.input_value("#sort") == "influence"
    assert fresh.texts("#columns") == ["aurora · basalt · influence"]
    assert fresh.texts("#cards h4") == ["aurora", "basalt"]
    bleu = BLEU()
    a, b = (segment_costs(bleu, bleu.stats(SYSTEMS[name], REFS)) for name in ("aurora", "basalt"))
    assert fresh.shown() == 1 + int((b - a).argmax())
    first = fresh.page.locator("#list [data-entry='0'] .number")
    assert float(first.last.inner_text()) == pytest.approx((b - a).max(), abs=0.005)
    assert fresh.page.locator("#others .card").count() == 0
    fresh.page.click("#others > summary")
    fresh.page.locator("#others .card").wait_for()
    assert fresh.texts("#others h4") == ["cinder"]
    fresh.check_quiet()
    fresh.close()


def test_words_that_only_one_text_has_are_blue_where_a_reference_has_them(tab):
    kinds = set()
    read = f"""() => [
        ({MARKS})("#cards .text"),
        Array.from(document.querySelectorAll("#difference dd"), text => [text.textContent,
            Array.from(text.querySelectorAll("mark"), mark => [mark.className, mark.textContent])])
    ]"""
    for i, shown in zip(range(0, 48, 3), tab.visit(range(1, 49, 3), read), strict=True):
        for name, card, (text, marks) in zip(NAMES, *shown, strict=False):
            assert text == SYSTEMS[name][i]
            tokens = [token for token, *_ in card]
            matched = {token for token, mark, _ in card if mark != "m0"}
            for kind, words in marks:
                kinds.add(kind)
                for word in words.split():
                    if tokens.count(word) == 1:
                        assert (kind == "hit") == (word in matched), word
    assert kinds == {"hit", "miss"}
    assert tab.texts("#difference dt") == ["aurora", "basalt"]


def exported(tab, kind):
    with tab.page.expect_download() as waiting:
        tab.page.click(f"[data-export={kind}]")
    assert waiting.value.suggested_filename == f"segments.{kind}"
    return Path(waiting.value.path()).read_text("utf-8")


def test_what_is_listed_is_exported(tab):
    tab.page.select_option("#filter-1", label="document 2")
    tab.page.select_option("#flagged", "differing")
    rows = json.loads(exported(tab, "json"))
    assert [row["line"] for row in rows] == tab.listed()
    assert 0 < len(rows) <= 6
    bleu, chrf, ter = BLEU(), CHRF(), TER()
    for row in rows:
        i = row["line"] - 1
        expected = {
            "line": i + 1, "length": row["length"], "document": "document 2",
            "group": GROUPS[i], "source": SOURCES[i],
            "reference 1": REFS[i][0], "reference 2": REFS[i][1],
        }  # fmt: skip
        for name in NAMES:
            stats = bleu.stats(SYSTEMS[name], REFS)
            expected |= {
                f"{name} text": SYSTEMS[name][i],
                f"{name} BLEU": bleu.sentences(SYSTEMS[name], REFS)[i],
                f"{name} chrF2": chrf.sentences(SYSTEMS[name], REFS)[i],
                f"{name} TER": ter.sentences(SYSTEMS[name], REFS)[i],
                f"{name} cost": segment_costs(bleu, stats)[i],
                f"{name} tokens": stats[i][0],
            }
        expected["aurora - basalt BLEU"] = expected["aurora BLEU"] - expected["basalt BLEU"]
        assert row == expected
        assert list(row) == list(expected)
    head, *lines = exported(tab, "tsv").removesuffix("\n").split("\n")
    assert head.split("\t") == list(rows[0])
    for row, line in zip(rows, lines, strict=True):
        cells = zip(row.values(), line.split("\t"), strict=True)
        assert all(value == type(value)(cell) for value, cell in cells)
    tab.page.fill("#search", "no such text")
    assert exported(tab, "json") == "[]\n"
    assert exported(tab, "tsv") == f"{head}\n"
    tab.page.fill("#search", "")
    tab.page.select_option("#flagged", "")


def test_the_table_is_copied_with_the_signature(chromium, tab):
    fresh = Tab(chromium, tab.path)
    fresh.context.grant_permissions(["clipboard-read", "clipboard-write"])
    read = "navigator.clipboard.readText()"
    signature = BLEU().corpus(SYSTEMS["aurora"], REFS).signature
    for name, line in (("LaTeX", f"% {signature}\n"), ("Markdown", f"`{signature}`\n")):
        fresh.page.get_by_role("button", name=name).click()
        fresh.page.wait_for_function(f"async text => (await {read}).includes(text)", arg=line)
        assert fresh.page.evaluate(read).count("\n") > 5
        assert fresh.texts("#copied") == ["Copied."]
    fresh.close()

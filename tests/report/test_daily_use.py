# SPDX-License-Identifier: Apache-2.0
"""What a reader does every day: read the verdict, sort tables, compare two systems, export."""

import re

import pytest
from support.pages import DOCUMENTS, GROUPS, MARKS, QUICK, REFS, SOURCES, SYSTEMS, gathered, written

from truebleu import BLEU, CHRF, TER, compare
from truebleu.analysis.explain.influence import segment_costs
from truebleu.report.differences import doubts, matrix, verdict

NAMES = ("aurora", "basalt", "cinder")
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def tab(new_tab, page_path):
    return new_tab(page_path)


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
    assert tab.page.locator("nav a").evaluate_all("all => all.map(a => a.hash)") == [f"#{name}" for name in names]
    tops = [top for _, top, _ in places]
    assert tops == sorted(tops)
    assert tops[1] < 860
    assert [opened for *_, opened in places] == [None] * 2 + [False] * 9
    assert tab.texts("#columns") == ["aurora · basalt · influence"]
    assert tab.shown() == tab.listed()[0]
    tab.page.click("nav a[href='#dialects']")
    tab.page.locator("#dialects table").wait_for()


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
    written(path, {"broken": texts, "other": ["no"] * 4 + SYSTEMS["aurora"][4:]}, REFS, resamples=100)
    page = path.read_text("utf-8")
    (line,) = re.findall(r"broken: foreign-marks in 32 lines; repaired, its BLEU is [^<]*", page)
    assert line.endswith(f"{BLEU().corpus(SYSTEMS['aurora'], REFS).value:.1f}: place 1 instead of 2.")
    row = page.partition('<tr data-system="broken">')[2].partition("</tr>")[0]
    assert "1 error" in row
    assert page.count("data-scores") == 1
    assert re.search(r'data-verdict="" data-p="0\.\d+"', page)


def test_with_a_baseline_there_is_a_row_for_each_other_system(tmp_path):
    comparison = compare(SYSTEMS, REFS, baseline="basalt", **QUICK)
    page = written(tmp_path / "page.html", comparison, None, resamples=None).read_text("utf-8")
    differences = page.partition('id="differences"')[2].partition("</section>")[0]
    assert "matrix" not in differences
    assert differences.count("<tr>") == 1 + 2
    assert "aurora</bdi></b> has the highest BLEU of 3 systems: " in page


def test_the_matrix_has_each_difference_which_leads_to_its_segments(tab):
    comparison = compare({name: SYSTEMS[name] for name in NAMES}, REFS, documents=DOCUMENTS, **QUICK)
    ranked = [system.name for system in comparison.ranked()]
    cells = [(a, b, comparison.pair(a, b)) for a in ranked for b in ranked if a != b]
    signs = [1 if pair.b == row else -1 for row, _, pair in cells]
    expected = [sign * pair.difference for sign, (*_, pair) in zip(signs, cells, strict=True)]
    assert tab.numbers(".matrix") == expected
    assert tab.texts(".matrix tbody th") == ranked
    stars = [cell.endswith("*") for cell in tab.texts(".matrix td:has(button)")]
    assert stars == [pair.better is not None for *_, pair in cells]
    tab.unfold("differences")
    tab.page.locator(".matrix tbody tr:nth-child(3) td:nth-child(2) button").focus()
    p = comparison.pair("cinder", "aurora").p_adjusted
    said = rf"cinder minus aurora: .* p = {p:.2g} corrected for 3 pairs"
    assert re.fullmatch(said, tab.texts("#pair")[0])
    tab.page.keyboard.press("Enter")
    assert [tab.page.input_value(f"#{menu}") for menu in "ab"] == ["2", "0"]
    assert tab.texts("#columns") == ["cinder · aurora · influence"]


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


def test_what_is_listed_is_exported(tab):
    tab.page.select_option("#filter-1", label="document 2")
    tab.page.select_option("#flagged", "differing")
    rows = tab.exported()
    assert [row["line"] for row in rows] == tab.listed()
    assert 0 < len(rows) <= 6
    metrics = BLEU(), CHRF(), TER()
    values = {name: [metric.sentences(SYSTEMS[name], REFS) for metric in metrics] for name in NAMES}
    stats = {name: BLEU().stats(SYSTEMS[name], REFS) for name in NAMES}
    costs = {name: segment_costs(BLEU(), stats[name]) for name in NAMES}
    for row in rows:
        i = row["line"] - 1
        expected = {
            "line": i + 1, "length": row["length"], "document": "document 2",
            "group": GROUPS[i], "source": SOURCES[i],
            "reference 1": REFS[i][0], "reference 2": REFS[i][1],
        }  # fmt: skip
        for name in NAMES:
            bleu, chrf, ter = (column[i] for column in values[name])
            expected |= {
                f"{name} text": SYSTEMS[name][i], f"{name} BLEU": bleu, f"{name} chrF2": chrf,
                f"{name} TER": ter, f"{name} cost": costs[name][i],
                f"{name} tokens": stats[name][i][0],
            }  # fmt: skip
        expected["aurora - basalt BLEU"] = expected["aurora BLEU"] - expected["basalt BLEU"]
        assert row == expected
        assert list(row) == list(expected)

    def table():
        name, data = tab.saved(lambda: tab.page.click("[data-export=tsv]"))
        assert (name, data[-1:]) == ("segments.tsv", b"\n")
        return data.decode()[:-1].split("\n")

    head, *lines = table()
    assert head.split("\t") == list(rows[0])
    for row, line in zip(rows, lines, strict=True):
        cells = zip(row.values(), line.split("\t"), strict=True)
        assert all(value == type(value)(cell) for value, cell in cells)
    tab.page.fill("#search", "no such text")
    assert tab.exported() == []
    assert table() == [head]


def test_the_table_is_copied_with_the_signature(tab):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    read = "navigator.clipboard.readText()"
    signature = BLEU().corpus(SYSTEMS["aurora"], REFS).signature
    for name, line in (("LaTeX", f"% {signature}\n"), ("Markdown", f"`{signature}`\n")):
        tab.page.get_by_role("button", name=name).click()
        tab.page.wait_for_function(f"async text => (await {read}).includes(text)", arg=line)
        assert tab.page.evaluate(read).count("\n") > 5
        tab.page.locator("#copied", has_text="Copied.").wait_for()

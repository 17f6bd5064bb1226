# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: the verdict first, and the report of each set when it is opened."""

import re

import pytest
from support.profiles import few

from truebleu import OptionError, TestSet, campaign, write_campaign
from truebleu.report import campaign as module
from truebleu.report.differences import p_text
from truebleu.text.escaping import visible

REFS = ["the cat sat on the mat", "a dog ran home", "it is very late now", "we went out"] * 4
GOOD = ["the cat sat on a mat", "a dog ran home", "it is very late", "we went out"] * 4
BAD = ["a cat is on a mat", "the dog ran to home", "it was late now", "they went in"] * 4


#: Their texts do nothing on the page.
NAMES = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\u202eabc\x1b"]


def made(**options):
    """Two sets; the second lacks the last system."""
    one, two, three = NAMES
    sets = [
        TestSet("news", REFS, {one: GOOD, two: BAD, three: GOOD[::-1]}, "de-en", srcs=REFS),
        TestSet("talks", REFS, {one: GOOD[2:] + BAD[:2], two: BAD}, "fr-en"),
    ]
    return campaign(sets, metrics=["bleu", "chrf"], resamples=200, **options)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("campaign") / "campaign.html"
    write_campaign(path, made(), title="<b>&\u202e")
    return path


def test_the_verdict_and_a_ranked_table_of_each_pair_come_first(new_tab, page):
    matrix = made().matrix()
    tab = new_tab(page)
    verdict = tab.page.locator("[data-verdict]")
    averages = matrix.averages
    one, two, _ = NAMES
    pair = averages.pair(one, two)
    low, high = sorted(-end for end in pair.interval)
    assert verdict.inner_text() == (
        f"{one} has the highest average BLEU of 3 systems on 2 sets: {-pair.difference:+.1f} "
        f"average BLEU over {two} (95 % interval {low:.1f} to {high:.1f}, {p_text(pair)})."
    )
    assert float(verdict.get_attribute("data-p")) == pair.p_adjusted
    tables = tab.page.locator("#matrix-1 table[data-scores]")
    assert tables.count() == 3
    ranked = [averages.ranked(), *(matrix.by_pair[pair].ranked() for pair in ("de-en", "fr-en"))]
    for i, systems in enumerate(ranked):
        rows = tables.nth(i).locator("tr[data-system]")
        names = rows.evaluate_all("all => all.map(row => row.dataset.system)")
        assert names == [visible(system.name) for system in systems]
        for k, system in enumerate(systems):
            values = rows.nth(k).locator("data").evaluate_all("all => all.map(d => +d.value)")
            assert {system.score.value, *system.interval} <= set(values)
    assert tables.first.locator(".missing").count() == 1
    assert "score = set + system" in tab.page.locator("#matrix-1").inner_text()
    assert tables.nth(1).locator(".badge").count() > 0
    assert set(NAMES[:2]) < set(tab.texts(".heat >> nth=0 >> tbody th"))
    tab.page.locator(".heat a").first.click()
    tab.page.wait_for_selector("html[data-opened]", state="attached")
    assert tab.page.locator("img").count() == 0


def test_links_lead_into_a_set_and_back(new_tab, page):
    tab = new_tab(page, "#set-2/a=1&b=0&sort=line&seg=4")
    report = tab.page.frame_locator("iframe")
    report.locator("html[data-ready]").wait_for(state="attached")
    assert report.locator("h1").inner_text() == "talks fr-en"
    assert report.locator("#a").input_value() == "1"
    report.locator("#segment-title", has_text="4").wait_for()
    report.locator("#search").fill("cat")
    tab.page.wait_for_url(re.compile("#set-2/seg=.*q=cat"))
    tab.page.locator("#back").focus()
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector("#set", state="hidden")
    first = tab.page.locator(".heat a.ahead").first
    first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
        tab.page.keyboard.press(key)
    assert tab.page.evaluate("document.activeElement.title").startswith("news de-en: ")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(re.compile("seg=.*a=1&b=0"))  # the other set has opened
    tab.page.evaluate("location.hash = '#set-2/seg=3'")
    report.locator("#segment-title", has_text="3").wait_for()
    tab.page.go_back()
    tab.page.go_back()
    tab.page.wait_for_selector("#set", state="hidden")


@pytest.mark.parametrize(
    ("name", "look"),
    few(
        [
            ("phone", {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}),
            ("light", {}),
            ("forced", {"forced_colors": "active"}),
        ],
        every=3,
    ),
)
def test_it_is_accessible_and_fits(name, look, new_tab, page):
    tab = new_tab(page, **look)
    assert tab.violations() == []
    assert tab.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    tab.screenshot(f"campaign-{name}")
    tab.page.locator(".heat a").first.click()
    tab.page.wait_for_selector("html[data-opened]", state="attached")
    theme = look.get("color_scheme", "light")
    tab.page.frame_locator("iframe").locator(f"html[data-theme={theme}]").wait_for(state="attached")


def test_large_reports_are_files_in_a_folder(new_tab, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1000)
    path = tmp_path / "page.html"
    write_campaign(path, made())
    assert path.stat().st_size < 100_000
    tab = new_tab(path)
    tab.page.locator(".heat a").first.click()
    tab.page.wait_for_url("**/page_sets/1.html#a=0&b=1")
    tab.page.wait_for_selector("html[data-ready] #count", state="attached")
    path.unlink()
    with pytest.raises(OptionError, match="page_sets exists; use --force"):
        write_campaign(path, campaign([TestSet("a", REFS, {"x": GOOD})], resamples=50))


def test_documents_labels_and_single_systems_have_reports(tmp_path):
    with pytest.raises(OptionError, match="title cannot be 3"):
        write_campaign(tmp_path / "page.html", made(), title=3)
    documents, labels = ([f"{name}{i // 8}" for i in range(16)] for name in "dl")
    sets = [
        TestSet("a", REFS, {"x": GOOD, "y": BAD}, documents=documents, labels=labels),
        TestSet("b", REFS, {"x": GOOD}, documents=documents),
    ]
    for metrics in (["bleu"], ["ter"]):
        result = campaign(sets, by_doc=True, metrics=metrics, resamples=50)
        write_campaign(tmp_path / "page.html", result, force=True)
    text = (tmp_path / "page.html").read_text("utf-8")
    assert len(re.findall('id="packed-set-', text)) == 2
    assert "TER: <bdi>l0</bdi>" in text

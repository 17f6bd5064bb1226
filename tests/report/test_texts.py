# SPDX-License-Identifier: Apache-2.0
"""Texts on the report page: unsafe text stays text, and matches are those of `explain`."""

import json
from collections import Counter

import pytest
from support.example_texts import TWO_REFS, lines
from support.pages import written
from support.profiles import few
from support.unsafe_texts import ATTACKS as OTHERS

from truebleu import BLEU
from truebleu.analysis.explain.overlap import overlap, token_reader
from truebleu.text.escaping import visible

#: Attacks on this page, and those of the other tests but a lone surrogate: no page has it.
ATTACKS = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "<!--<script>window.hacked = 1</script>",
    "<svg onload=window.hacked=1><style>*{display:none}</style></svg>",
    "'\"><b onmouseover=window.hacked=1>bold</b>",
    '" onfocus=window.hacked=1 autofocus x="',
    "<a href=javascript:window.hacked=1>link</a>",
    "&lt;b&gt; &amp; &#60;i&#62; &copy",
    "${window.hacked=1} {{window.hacked=1}} $script $$ %s {0} `window.hacked=1`",
    "</textarea></title></style></noscript></template><iframe src=//example.org>",
    "<base href=//example.org><meta http-equiv=refresh content=0>",
    "\u202eright to left override\u202c \u2066isolate\u2069 \u200f \u061c",
    "nul \x00 bell \x07 escape \x1b[31m red \x1b]0;title\x07 delete \x7f next line \x85",
    "carriage\rreturn\tand tab, line\u2028and paragraph\u2029separators",
    "\ufeffbyte order mark \u200b zero width \u00ad soft hyphen \ufffd \uffff",
    "__proto__", "constructor", "hasOwnProperty", "=1+1 @SUM(A1)",
    *(text for name, text in OTHERS.items() if name != "surrogate"),
    "e\u0301\u0301\u0301 \U0001f469\u200d\U0001f4bb \U00020000 \u05e9\u05dc\u05d5\u05dd",
]  # fmt: skip
OVERRIDE, NUL = 11, 12
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def unsafe_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("unsafe") / "page <b>&amp;.html"
    turned = ATTACKS[::-1]
    names = ATTACKS[0], f"{ATTACKS[1]} {ATTACKS[NUL]}", "constructor"
    systems = dict(zip(names, (ATTACKS, turned, turned), strict=True))
    refs = [[text, other] for text, other in zip(turned, ATTACKS, strict=True)]
    return written(
        path, systems, refs, srcs=ATTACKS, documents=ATTACKS, groups=turned, title=ATTACKS[1], ref_names=ATTACKS[:2]
    )


@pytest.fixture
def unsafe(new_tab, unsafe_path):
    tab = new_tab(unsafe_path)
    tab.settled()
    return tab


def test_unsafe_texts_are_shown_edited_noted_and_searched(unsafe):
    expected = [(text, other, text, text, other, other) for text, other in zip(ATTACKS, ATTACKS[::-1], strict=True)]
    # Tokens that are not in the text as they are, such as of entities, are shown one by one.
    tokens = token_reader(BLEU())
    spaced = {text: " ".join(tokens(text)) for text in ATTACKS}
    unsafe.page.click("#others > summary")
    unsafe.page.locator("#others .card").wait_for()
    selector = "#references .text, #cards .text, #others .text"
    read = "selector => Array.from(document.querySelectorAll(selector), one => one.textContent)"
    shown = unsafe.visit(range(1, len(ATTACKS) + 1), read, selector)
    for (source, *texts), (shown_source, *output) in zip(expected, shown, strict=True):
        assert shown_source == source
        for text, raw in zip(output, texts, strict=True):
            assert text in (raw, spaced[raw])
    unsafe.page.evaluate(
        """async texts => {
            const fill = (selector, text) => {
                const field = document.querySelector(selector);
                field.value = text;
                field.dispatchEvent(new Event("input"));
            };
            const press = async selector => {
                document.querySelector(selector).click();
                do await new Promise(done => setTimeout(done));
                while ("drawing" in document.documentElement.dataset);
            };
            for (const text of texts) {
                await press("#cards .edit");
                fill(".editor textarea", text);
                await press(".editor button:last-child");
                for (const field of ["#tag", "#note", "#search"]) fill(field, text);
            }
        }""",
        ATTACKS[::3],
    )
    unsafe.settled(lambda: unsafe.page.fill("#search", ""))
    assert int(unsafe.texts("#edits span")[0].split()[0]) > 1
    assert unsafe.page.evaluate("typeof window.hacked") == "undefined"
    for strange in (
        "#cards :not(article, header, h4, bdi, span, p, dl, dt, dd, button.edit)",
        "#difference :not(dt, dd, bdi, mark, .odd)",
        "iframe, object, embed, img, base, a[href^=javascript], [onerror], [onload]",
    ):
        assert unsafe.texts(strange) == []
    running = "script:not([type='application/json'], [type='text/plain'])"
    assert unsafe.page.locator(running).count() == 1
    assert unsafe.page.locator("meta[http-equiv]").count() == 1


def test_unsafe_names_are_text(unsafe):
    assert unsafe.page.title() == ATTACKS[1]
    assert unsafe.texts("#a option")[0] == ATTACKS[0]
    assert unsafe.texts("#a option")[2] == "constructor"
    assert unsafe.texts(".card h4")[0] == ATTACKS[0]
    assert ATTACKS[0] in unsafe.texts("#scores tbody th bdi")
    assert r"nul \x00 bell \x07 escape \x1b[31m" in " ".join(unsafe.texts("#scores tbody th"))
    assert unsafe.texts("#filter-1 option")[1:] == list(map(visible, ATTACKS))


def test_odd_characters_are_named(unsafe):
    unsafe.go(OVERRIDE + 1)
    odd = unsafe.page.locator("#cards .card:first-child .odd")
    codes = odd.evaluate_all("all => all.map(one => one.dataset.code)")
    assert codes == ["U+202E", "U+202C", "U+2066", "U+2069", "U+061C"]
    isolated = odd.evaluate_all("all => all.map(one => getComputedStyle(one).unicodeBidi)")
    assert set(isolated) == {"isolate"}
    # What follows an override reads from left to right, as it would without.
    places = unsafe.page.locator("#cards .card:first-child .token").evaluate_all(
        "all => all.slice(1, 4).map(one => one.getBoundingClientRect().left)"
    )
    assert places == sorted(places)


HEBREW = [
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd, \u05e9\u05dc\u05d5\u05dd!",
    "a a a a b",
    "",
    "  two  blanks ",
]
HEBREW_REFS = [
    ["\u05e9\u05dc\u05d5\u05dd \u05dc\u05e2\u05d5\u05dc\u05dd, \u05e9\u05dc\u05d5\u05dd."],
    ["a b a", None, "b a a"],
    ["x"],
    ["two blanks", "a"],
]
MIXED = ["The &quot;CAT&quot; sat, \U0001f600 sat!", "\u0130stanbul'da STRASSE", "a-\u00adb <skipped> c"]
MIXED_REFS = ['the "cat" sat \U0001f600, sat', "istanbul'da strasse", "a-b c"]

CORPORA = {
    "two references": (lines("de-en/hyp.basalt.txt")[6:10], TWO_REFS[6:10], {}),
    "Chinese": (lines("en-zh/hyp.basalt.txt")[:10], lines("en-zh/ref.A.txt")[:10],
                {"tokenize": "zh"}),
    "absent references": (HEBREW, HEBREW_REFS, {}),
    "entities": (MIXED, MIXED_REFS, {}),
    "lower case": (MIXED, MIXED_REFS, {"lowercase": True}),
    "characters": (MIXED, MIXED_REFS, {"tokenize": "char", "max_ngram_order": 6}),
    "words": ([["a", "b_b", "c"], ["D"]], [["a", "b_b"], ["d"]], {"lowercase": True}),
    "the first reference alone": (["a b c d"] * 2, [["a b x", "b c d"]] * 2,
                                  {"dialect": "fairseq"}),
}  # fmt: skip


@pytest.mark.parametrize("name", few(CORPORA, every=4))
def test_matches_are_those_of_explain(new_tab, tmp_path, name):
    hyps, refs, options = CORPORA[name]
    bleu = BLEU(**options)
    tab = new_tab(written(tmp_path / "report.html", {"one": hyps}, refs, bleu))
    tokens = token_reader(bleu)
    for i, (hyp, row) in enumerate(zip(hyps, refs, strict=True), start=1):
        tab.go(i)
        single = isinstance(row, str) or (isinstance(hyp, list) and isinstance(row[0], str))
        there = [tokens(ref) for ref in ([row] if single else row) if ref is not None]
        check(tab, bleu, tokens(hyp), there, there)
        for k in range(len(there) if len(there) > 1 else 0):
            tab.page.locator(".reference button[aria-pressed]").nth(k).click()
            check(tab, bleu, tokens(hyp), [there[k]], there)
        if len(there) > 1:
            tab.page.locator(".either button").click()


def check(tab, bleu, hyp, selected, refs):
    """The marks on the page are those of the library's overlap."""
    shared = overlap(bleu, hyp, selected)
    (marked,) = tab.marks("#cards .text")
    assert [mark for _, mark, _ in marked] == [f"m{min(4, n)}" for n in shared.hyp_covered]
    clipped = Counter(hyp[i] for i, (*_, over) in enumerate(marked) if over)
    assert clipped == {gram.words[0]: gram.clipped for gram in shared.ngrams[0] if gram.clipped}
    # The references are marked against the hypothesis, whichever of them are selected.
    covered = overlap(bleu, hyp, refs).refs_covered
    references = tab.marks("#references .text")
    assert not any(over for text in references for *_, over in text)
    marks = [[mark for _, mark, _ in text] for text in references]
    assert marks == [[f"m{min(4, n)}" for n in lengths] for lengths in covered]


def test_the_data_cannot_end_their_element(tmp_path):
    path = written(tmp_path / "report.html", {"</script>": ["</script><b>", "a"]}, ["<!--", "b"])
    text = path.read_text("utf-8")
    facts = text.partition('id="facts">')[2].partition("</script>")[0]
    assert json.loads(facts)["systems"] == ["</script>"]
    assert "<" not in facts
    assert facts.isascii()

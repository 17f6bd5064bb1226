# SPDX-License-Identifier: Apache-2.0
"""Report pages, and a browser tab that shows one of them."""

import json
from importlib.resources import files
from pathlib import Path

from conftest import ROOT

from support.example_texts import NAMED as SYSTEMS
from support.example_texts import TWO_REFS, lines
from support.profiles import SLOW
from truebleu import BLEU, write_report
from truebleu.analysis.compare.significance import ComparisonSettings
from truebleu.report.contents import Material, gather

#: Screenshots for people to look at; `make clean` removes them.
SCREENSHOTS = ROOT / "target" / "screenshots"


REFS = [list(row) for row in TWO_REFS]
SOURCES = lines("de-en/source.txt")
DOCUMENTS = [f"document {i // 6 + 1}" for i in range(48)]
GROUPS = ["news" if i % 3 else "talk" for i in range(48)]
#: The systems of the page that most tests read, not in the order of their scores.
SHUFFLED = ("cinder", "aurora", "basalt")

#: A function of JavaScript that reads the tokens of texts, their marks, and whether clipped.
MARKS = """selector => [...document.querySelectorAll(selector)].map(text =>
    [...text.querySelectorAll(".token")].map(token =>
        [token.textContent, token.closest(".run").className.split(" ")[1],
         token.classList.contains("clipped")]))"""

#: A function of JavaScript that waits for attributes of the page, without looking again and again.
WAIT = """selector => new Promise((done, fail) => {
    const look = () => document.documentElement.matches(selector) && (seen.disconnect(), done());
    const seen = new MutationObserver(look);
    seen.observe(document.documentElement, {attributes: true});
    setTimeout(fail, 30_000, `not ${selector}`);
    look();
})"""

#: Few, because their number makes no difference to the page.
QUICK = {"resamples": 200}


def gathered(systems, refs=REFS, documents=None, **settings):
    """The numbers of a report."""
    compared = ComparisonSettings(**{**QUICK, **settings})
    return gather(Material(BLEU(), systems, refs, settings=compared, documents=documents))


def written(path, systems=SYSTEMS, refs=REFS, *arguments, **options):
    write_report(path, systems, refs, *arguments, **{**QUICK, **options})
    return path


class Tab:
    """A page in the browser, with its console messages and its requests."""

    def __init__(self, browser, path, link="", *, script=True, older=False, **look):
        self.path = path
        self.complaints = []
        self.requests = []
        options = {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light", **look}
        self.context = browser.new_context(java_script_enabled=script, **options)
        if older:  # a browser from 2024
            self.context.add_init_script("delete Uint8Array.fromBase64; delete window.Highlight")
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.goto(f"{path.as_uri()}{link}")
        if script:
            self.wait("[data-ready]")
            self.drawn()

    def wait(self, selector):
        """Wait until the root of the page has attributes."""
        self.page.evaluate(WAIT, selector)

    def _note(self, url):
        if not url.startswith("blob:"):  # the page's own worker
            self.requests.append(url)

    def violations(self, part="html"):
        """What axe complains about, of any severity; rows and parts of charts repeat."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
        results = self.page.evaluate(
            """part => axe.run({include: [part], exclude: [
                "tbody tr:nth-child(n + 5)", "figure svg > *",
                ":is(.boxes li, .chip):nth-child(n + 9)",
                "#list :nth-child(n + 9):not([aria-selected=true], .edited)",
            ].map(part => [part])}, {resultTypes: ["violations"]})
                .then(results => results.violations)""",
            part,
        )
        return [(one["id"], node["target"]) for one in results for node in one["nodes"]]

    def screenshot(self, name, **options):
        """A picture of the page for people to look at, of the slow tests alone."""
        if SLOW:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=SCREENSHOTS / f"{name}.png", **options)

    def settled(self, act=None):
        """Wait until the page has computed what follows from an action, and from those before."""
        self.wait("[data-settled]")
        if act is not None:
            self.page.evaluate("delete document.documentElement.dataset.settled")
            act()
            self.wait("[data-settled]")

    def subset(self):
        """The score of each system on the selection."""
        cells = self.page.locator("[data-subset-score]")
        values = cells.evaluate_all("all => all.map(c => [c.dataset.subsetScore, c.dataset.value])")
        return {name: float(value) for name, value in values}

    def unfold(self, name=None):
        """Open the folded part of the page that is or has an element, or all parts."""
        script = """id => (id ? [document.getElementById(id).closest("details")]
            : document.querySelectorAll("details")).forEach(part => part.open = true)"""
        self.page.evaluate(script, name)

    def close(self):
        self.context.close()

    def check_quiet(self):
        """The page has neither complained nor loaded anything but what is beside it."""
        assert self.complaints == []
        own = (self.path.parent.as_uri(), "data:")
        assert [url for url in self.requests if not url.startswith(own)] == []

    def hash(self):
        """The fragment of the address, which Playwright learns later."""
        return self.page.evaluate("location.hash")

    def saved(self, act):
        """The name and the data of the file that an action saves."""
        with self.page.expect_download() as waiting:
            act()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()

    def exported(self):
        """The listed segments, from their file."""
        name, data = self.saved(lambda: self.page.click("[data-export=json]"))
        assert name == "segments.json"
        return json.loads(data)

    def drawn(self):
        """Wait until the segment is drawn, with the matches that the kernel finds."""
        self.wait(":not([data-drawing])")

    def texts(self, selector):
        self.drawn()
        return self.page.locator(selector).all_text_contents()

    def numbers(self, selector):
        """The values of the numbers in the elements, in full precision."""
        values = self.page.locator(f"{selector} data").evaluate_all("all => all.map(d => d.value)")
        return [float(value) for value in values]

    def listed(self):
        """The lines of the segments that the list shows, from the top on."""
        return self.page.evaluate(
            """() => [...document.querySelectorAll("#list [role=option]:not([hidden])")]
                .sort((a, b) => a.dataset.entry - b.dataset.entry)
                .map(row => Number(row.querySelector(".line").textContent))"""
        )

    def shown(self):
        """The line of the segment that is shown."""
        self.drawn()
        return int(self.page.locator("#segment-title").inner_text().split()[1])

    def go(self, line):
        """Follow a link to the segment on this line."""
        self.visit([line], "() => null")

    def visit(self, lines, read, argument=None):
        """What a function of JavaScript reads of each of these segments."""
        self.drawn()  # which writes the segment of before into the address
        return self.page.evaluate(
            f"""async ([lines, argument]) => {{
                const results = [];
                const isDrawn = line => !("drawing" in document.documentElement.dataset) &&
                    document.getElementById("segment-title").textContent === `Segment ${{line}}`;
                for (const line of lines) {{
                    location.hash = `#seg=${{line}}`;
                    while (!isDrawn(line)) await new Promise(done => setTimeout(done));
                    results.push(({read})(argument));
                }}
                return results;
            }}""",
            [[*lines], argument],
        )

    def marks(self, selector):
        """The tokens of each text, with their marks and whether they are clipped."""
        self.drawn()
        return self.page.evaluate(MARKS, selector)

# SPDX-License-Identifier: Apache-2.0
"""What `make figures` runs, too: takes the pictures of web pages, in Debian's Chromium.

docs/photograph.py          write docs/figures/playground*.png and report*.png

It needs the dependency group `browser`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from truebleu import read_lines, write_playground, write_report
from truebleu.playground.page import EXAMPLES, link

FIGURES = Path(__file__).resolve().parent / "figures"
EXAMPLE = FIGURES.parent.parent / "examples" / "de-en"

#: For each picture, what the address holds, and the sections that it shows, first and last.
PICTURES = {
    "playground": (EXAMPLES["A ferry"], "text", "count"),
    "playground-tools": ({**EXAMPLES["Smoothing"], "lowercase": "yes"}, "tools", "moves"),
}

#: The same of the report: what the address holds, and the element that is shown.
REPORTS = {
    "report-selection": ("#q=of+the", ".measure:has(#scores)"),
    "report-edit": ("#seg=9&dialect=nltk&edit=system.1:9:My sister passed the exam yesterday.", "#segment"),
}

#: Where a part of the page is, from the top of one section to the bottom of another.
_PLACE = """([first, last]) => {
    document.querySelector(".top").style.position = "static";
    const top = document.getElementById(first).getBoundingClientRect().top;
    const {bottom} = document.getElementById(last).getBoundingClientRect();
    return {x: 0, y: top + scrollY, width: innerWidth, height: bottom - top + 24};
}"""


def main() -> int:
    """Take all pictures."""
    programs = map(shutil.which, ("chromium", "chromium-headless-shell"))
    path = os.environ.get("TRUEBLEU_CHROMIUM") or next(filter(None, programs), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = Path(folder) / "playground.html"
        write_playground(page_path)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, (state, first, last) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1080, "height": 800})
            page.goto(f"{page_path.as_uri()}#{link(**state)}")
            page.wait_for_selector("html[data-ready]", state="attached")
            page.screenshot(path=FIGURES / f"{name}.png", full_page=True, clip=page.evaluate(_PLACE, [first, last]))
            print(f"docs/figures/{name}.png taken")
        for name, (state, element) in REPORTS.items():
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto(f"{_report(Path(folder)).as_uri()}{state}")
            page.wait_for_selector("html[data-settled]", state="attached")
            if "edit" in state:
                page.get_by_role("button", name="Edit basalt").click()
                page.locator("textarea:focus").wait_for()
            page.locator(element).screenshot(path=FIGURES / f"{name}.png")
            print(f"docs/figures/{name}.png taken")
        browser.close()
    return 0


def _report(folder: Path) -> Path:
    """The report of the example systems."""
    path = folder / "report.html"
    names = ("aurora", "basalt", "cinder")
    systems = {name: read_lines(EXAMPLE / f"hyp.{name}.txt") for name in names}
    write_report(path, systems, read_lines(EXAMPLE / "ref.A.txt"), force=True)
    return path


if __name__ == "__main__":
    sys.exit(main())

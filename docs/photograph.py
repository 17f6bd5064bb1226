# SPDX-License-Identifier: Apache-2.0
"""What `make figures` runs, too: takes the pictures of web pages, in Debian's Chromium.

docs/photograph.py          write docs/figures/playground*.png

It needs the dependency group `browser`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from truebleu import write_playground
from truebleu.playground.page import EXAMPLES, link

FIGURES = Path(__file__).resolve().parent / "figures"

#: For each picture, what the address holds, and the sections that it shows, first and last.
PICTURES = {
    "playground": (EXAMPLES["A ferry"], "text", "count"),
    "playground-tools": ({**EXAMPLES["Smoothing"], "lowercase": "yes"}, "combine", "tools"),
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
    path = os.environ.get("TRUEBLEU_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = Path(folder) / "playground.html"
        write_playground(page_path)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, (state, first, last) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1080, "height": 800})
            page.goto(f"{page_path.as_uri()}#{link(**state)}")
            page.wait_for_selector("html[data-ready]", state="attached")
            page.screenshot(
                path=FIGURES / f"{name}.png",
                full_page=True,
                clip=page.evaluate(_PLACE, [first, last]),
            )
            print(f"docs/figures/{name}.png taken")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

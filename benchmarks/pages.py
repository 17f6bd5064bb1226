# SPDX-License-Identifier: Apache-2.0
"""Pages in Chromium."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def chromium() -> Iterator[Any]:
    """Chromium without a window, or None where it or Playwright is missing."""
    programs = map(shutil.which, ("chromium", "chromium-headless-shell"))
    path = os.environ.get("TRUEBLEU_CHROMIUM") or next(filter(None, programs), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        yield None
        return
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def opened(browser: Any, path: Path) -> tuple[Any, float]:
    """The page of a file, and the seconds until it is ready."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    return page, time.perf_counter() - start

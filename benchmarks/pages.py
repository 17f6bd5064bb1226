# SPDX-License-Identifier: Apache-2.0
"""Pages in Chromium."""

import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from corpora import ROOT


def chromium() -> AbstractContextManager[Any]:
    """Chromium without a window, or None where it or Playwright is missing."""
    sys.path.append(str(ROOT / "tests"))
    from support.started_engines import chromium_started

    started: AbstractContextManager[Any] = chromium_started()
    return started


def opened(browser: Any, path: Path) -> tuple[Any, float]:
    """The page of a file, and the seconds until it is ready."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    return page, time.perf_counter() - start

# SPDX-License-Identifier: Apache-2.0
"""A page with nothing but the kernel."""

import pytest
from support.pages import Tab

from truebleu import browser

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>kernel</title>
<link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="{policy}"></head><body>{elements}
<script>{script}</script></body></html>"""


@pytest.fixture(scope="module")
def kernel(chromium, tmp_path_factory):
    """A tab whose page has the kernel, as `kernel`, and the functions of its scripts."""
    path = tmp_path_factory.mktemp("kernel") / "kernel.html"
    code = browser.script(
        [
            *map(browser.source, browser.SCRIPTS),
            "Object.assign(globalThis, {kernel, resolve, signatureOf, differences});",
            "document.documentElement.dataset.ready = '';",
        ]
    )
    path.write_text(
        PAGE.format(policy=browser.policy([], [code]), elements=browser.kernel_elements(), script=code),
        encoding="utf-8",
    )
    tab = Tab(chromium, path)
    yield tab
    tab.check_quiet()
    tab.close()

# SPDX-License-Identifier: Apache-2.0
"""Code of a page of the documentation that needs an engine to run."""

from __future__ import annotations

import re

from conftest import ROOT


def run_blocks(page, name):
    """Runs the blocks of Python in the page's section on `name`; what they made, by name."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    flags = re.MULTILINE | re.DOTALL
    (section,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", text, flags)
    blocks = re.findall(r"^```python\n(.*?)^```$", section, flags)
    assert blocks
    made = {}
    exec("\n".join(blocks), made)  # noqa: S102
    return made

# SPDX-License-Identifier: Apache-2.0
"""Code of a page of the documentation that needs an engine to run."""

from __future__ import annotations

import re

from conftest import ROOT


def run_blocks(page, name, replaced):
    """Runs the blocks of Python in the page's section on `name`, with texts replaced.

    Returns:
        What they made, by name.
    """
    text = (ROOT / "docs" / page).read_text("utf-8")
    flags = re.MULTILINE | re.DOTALL
    (section,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", text, flags)
    blocks = re.findall(r"^```python\n(.*?)^```$", section, flags)
    assert blocks
    code = "\n".join(blocks)
    for text, other in replaced.items():
        code = code.replace(text, other)
    made = {}
    exec(code, made)  # noqa: S102
    return made

# SPDX-License-Identifier: Apache-2.0
"""Code of pages of the documentation, to be run."""

from __future__ import annotations

import re

from conftest import ROOT


def of_session(path):
    """Blocks of Python of a page as one session: those with prompts, and definitions.

    A block that begins with `def` has functions that the page goes on to use; other blocks
    without prompts are not run here.
    """
    flags = re.MULTILINE | re.DOTALL
    for block in re.findall(r"^```python\n(.*?)^```$", path.read_text("utf-8"), flags):
        if not block.startswith("def "):
            yield block
            continue
        for function in re.split(r"\n+(?=def )", block):
            first, *rest = function.splitlines()
            yield "\n".join([f">>> {first}", *(f"... {line}" for line in rest)]) + "\n"


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

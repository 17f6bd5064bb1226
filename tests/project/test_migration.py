# SPDX-License-Identifier: Apache-2.0
"""The pages for those who come from other tools: rows, and what needs a framework.

tests/project/test_docs.py runs their other blocks and commands, in which the old number is compared
with the new one.
"""

import re

import pytest
from conftest import ROOT
from support import page_blocks

import truebleu as tb

FOLDER = ROOT / "docs" / "migration"
PAGES = sorted(FOLDER.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_rows_that_are_named_exist(page):
    text = page.read_text("utf-8")
    named = re.findall(
        r"-d ([a-z][\w-]+)|bleu_metric\(\"([\w-]+)\"|tb\.\w+\([^)\n]*, \"([\w-]+)\"", text
    )
    assert {name for names in named for name in names if name} <= tb.DIALECTS.keys()


@pytest.mark.torch
def test_the_metrics_of_torchmetrics():
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    made = page_blocks.run_blocks("migration/torchmetrics.md", "Side by side", {})
    assert made["before"].compute().item() > 0.5

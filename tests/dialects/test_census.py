# SPDX-License-Identifier: Apache-2.0
"""Rows of tools that cannot be installed here, against numbers that the tools gave.

Each tool scored the same corpora: empty hypotheses, short segments, ties of reference lengths,
references that share the n-grams, blanks at the ends.
"""

import json

import pytest
from conftest import ROOT

from truebleu import BLEU

CENSUS = json.loads((ROOT / "tests" / "golden" / "census.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "tool", CENSUS["tools"], ids=lambda tool: " ".join([tool["dialect"], *tool["options"]])
)
def test_a_row_gives_the_numbers_of_its_tool(tool):
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in tool["options"].items()}
    bleu = BLEU(tool["dialect"], **options)
    assert len(tool["scores"]) >= 300
    for corpus, score in zip(CENSUS["corpora"], tool["scores"], strict=False):
        if score is not None:
            near = pytest.approx(score, rel=tool.get("rel", 0), abs=tool.get("abs", 0), nan_ok=True)
            assert bleu.corpus(*corpus).value == near, corpus

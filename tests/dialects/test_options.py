# SPDX-License-Identifier: Apache-2.0
"""Values of options: errors name the option."""

import json
import re

import numpy as np
import pytest
from conftest import ROOT

from truebleu import BLEU, InputError, OptionError, TrueBLEUError, corpus_bleu, dialect


def test_an_array_without_an_axis_is_a_number():
    expected = corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=0.5)
    for value in (np.float64(0.5), np.array(0.5)):
        score = corpus_bleu(["a b"], ["a c"], smooth_method="floor", smooth_value=value)
        assert score.value == expected.value
    assert corpus_bleu(["A"], ["a"], lowercase=np.array(True)).matches[0] == 1


#: Options and the signatures or errors that follow, which web pages are tested with, too.
CASES = json.loads((ROOT / "tests" / "golden" / "options.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["options"]))
def test_options_are_checked_and_written_in_signatures(case):
    options = case["options"]
    if "refused" in case:
        with pytest.raises(OptionError, match=f"^{re.escape(case['refused'])};"):
            BLEU(**options)
        return
    bleu = BLEU(**options)
    for name, score in (
        ("signature", bleu.corpus(["a"], ["a"])), ("sentence", bleu.sentence("a", "a"))
    ):  # fmt: skip
        assert re.sub(r"(categories|lower)-[\d.]+", r"\1", score.signature) == case[name]


def test_errors_are_also_those_of_python():
    assert issubclass(InputError, TrueBLEUError)
    assert issubclass(InputError, ValueError)
    with pytest.raises(ValueError, match="13a"):
        dialect("sacrebleu", tokenize="13b")

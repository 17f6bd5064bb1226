# SPDX-License-Identifier: Apache-2.0
"""Input that is larger than memory, or than any sense: a result within bounds, or one line.

The cases are those of `benchmarks/hostile_case.py`, each in a process that may have 6 GiB.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from truebleu import BLEU, TER
from truebleu.errors import InputError
from truebleu.metrics.kernel import make_room

CASE = ROOT / "benchmarks" / "hostile_case.py"

if sys.platform != "linux":
    pytest.skip("the limit of memory is Linux's", allow_module_level=True)


def outcomes(*names, divide=1):
    """What comes of the cases, and how they ended."""
    done = subprocess.run(
        [sys.executable, CASE, *names, "--divide", str(divide)],
        capture_output=True, check=False, timeout=1200,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(names)
    return found


#: What is refused, by size alone, before work or memory is spent on it.
REFUSED = {
    "pairwise of 1M and 1M": r"InputError: this takes up to 8000\.0 GB of memory, but \d+\.\d GB "
    r"are free; give less at a time",
    "mbr of 1M candidates": r"InputError: this takes up to 8000\.0 GB of memory, but .*",
    "100,000 words, TER": r"InputError: refs\[0\] has 100000 words and its hypothesis .*",
    "order 1,000, prefixes of 1M ids": r"InputError: hyps\[0\] takes up to 16\.0 GB of .*"
    r"; split it into segments",
    "order 1,000, statistics of 1M segments": r"InputError: this takes up to 32\.0 GB of .*",
    "order 1,000,000,000": r"OptionError: max_ngram_order cannot be 1000000000; .*",
    "ids above 64 bits": r"InputError: hyps\[0\]\[0\] is a number of more than 40 digits, which .*",
    "lists nested 10,000 deep": r"InputError: hyps are nested too deep; .*",
    "10^15 resamples": r"OptionError: .*resamples.*",
}


def test_what_cannot_be_done_is_refused_at_once():
    for (name, expected), found in zip(REFUSED.items(), outcomes(*REFUSED), strict=True):
        assert re.fullmatch(expected, found["outcome"]), (name, found)
        assert found["seconds"] < 10
        assert found["peak"] < 1 << 30


def test_small_hostile_input_has_a_result():
    names = ["10M words in a segment", "10M empty lines", "10,000 references", "order 1,000",
             "10M words, chrF++", "8,000 words, TER", "1,000 orders of chrF", "ids near 64 bits",
             "1M words, explain", "bomb of lines, .gz", "bomb of lines, .zst"]  # fmt: skip
    for name, found in zip(names, outcomes(*names, divide=1_000), strict=True):
        assert "Error" not in found["outcome"], (name, found)
        assert "exit 2" not in found["outcome"], (name, found)


def all_cases():
    code = "import hostile_case; print(*hostile_case.CASES, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CASE.parent, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_hostile_input_of_full_size_is_bounded():
    for name in all_cases():
        (found,) = outcomes(name)
        assert found["peak"] < 6 << 30, (name, found)


def test_room_is_asked_for_before_it_is_taken():
    make_room(1 << 20)
    with pytest.raises(InputError, match=r"this takes up to 1152921504\.6 GB of memory"):
        make_room(1 << 60)


def test_a_batch_is_not_kept_from_its_result_by_a_matrix_that_fits():
    """TER compares words times words; at the limit there is a score, above it a refusal."""
    words = ["a", "b", "c", "d"] * 2_048
    assert TER().corpus([" ".join(words)], [" ".join(words)]).value == 0
    with pytest.raises(InputError, match=r"refs\[1\] has 8193 words and its hypothesis 8192"):
        TER().corpus(["a", " ".join(words)], ["a", " ".join([*words, "e"])])
    assert TER().corpus([" ".join(words * 4)], ["a b"]).value > 0
    assert BLEU().corpus([" ".join(words * 4)], ["a b"]).hyp_len == 4 * 8_192

# SPDX-License-Identifier: Apache-2.0
"""`truebleu identify`: what it prints, its exit codes, and its errors."""

import json

import pytest
from support.command import in_process

BLEU = """
from truebleu import sentence_bleu
print("a module may print")
def old(hyp, ref): return sentence_bleu(hyp, [ref], "nltk-method1").value
def bad(hyp, ref): return old(hyp, ref) + 0.001 * (len(hyp) == 1)
"""


@pytest.mark.parametrize(("name", "code"), [("old", 0), ("bad", 1)])
def test_the_exit_code_says_whether_the_numbers_are_equal(folder, name, code):
    (folder / "bleu.py").write_text(BLEU)
    arguments = (f"bleu.py:{name}", "-f", "json", "--call", "hyp, ref", "--calls", "100")
    done = in_process("identify", *arguments)
    entry = json.loads(done.stdout)
    assert (done.returncode, done.stderr, entry["exact"]) == (code, b"", not code)
    assert (entry["dialect"], entry["call"]) == ("nltk-method1", "hyp, ref")
    assert bool(entry["line"]) is entry["exact"]
    assert bool(entry["differences"]) is not entry["exact"]

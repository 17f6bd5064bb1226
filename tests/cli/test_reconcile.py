# SPDX-License-Identifier: Apache-2.0
"""`truebleu reconcile`: what it prints, and its errors."""

import json

import pytest
from support.command import run
from support.example_texts import ENGLISH, HYPS, SYSTEMS, TWO_REFS

from truebleu import BLEU, DIALECTS, parse_signature

FILES = [*ENGLISH, "-i", SYSTEMS[1]]
FEW = ("-d", "sacrebleu", "nltk")  # the others would only take time


def test_the_command_prints_what_is_found():
    value = BLEU().corpus(HYPS, TWO_REFS).value
    done = run("reconcile", *FILES, "--score", f"{value:.4f}", "--limit", "1", *FEW)
    output = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert output.startswith(f"One common setting gives {value:.4f} (on a scale of 100)")
    assert f"{value:.6f}  sacrebleu\n" in output
    assert "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in output
    assert "\x1b" not in output


def test_the_command_names_the_references_by_their_files():
    value = BLEU().corpus(HYPS, [row[1] for row in TWO_REFS]).value
    output = run("reconcile", *FILES, "--score", f"{value:.3f}", "-d", "sacrebleu").stdout.decode()
    assert "sacrebleu, reference ref.B.txt" in output


def test_the_command_exits_with_1_if_nothing_gives_the_number():
    done = run("reconcile", *FILES, "--score", "98.76543", "-f", "json", *FEW)
    printed = json.loads(done.stdout)
    assert (done.returncode, printed["found"], printed["matches"]) == (1, False, [])
    assert printed["nearest"]


def test_the_command_prints_json():
    value = BLEU("nltk").corpus(HYPS, TWO_REFS).value
    done = run(
        "reconcile", *FILES, "--score", f"{value:.6f}", "-f", "json", "-d", "nltk", "fairseq"
    )
    printed = json.loads(done.stdout, parse_constant=pytest.fail)
    assert (done.returncode, printed["decimals"]) == (0, 6)
    first = printed["matches"][0]
    assert (first["dialect"], first["references"], first["scale"]) == ("nltk", [1, 2], 1)
    assert parse_signature(first["signature"]) == DIALECTS["nltk"]


def test_the_command_verifies_a_line_of_sacrebleu():
    line = run("score", *FILES).stdout.decode()
    done = run("reconcile", *FILES, "--signature", line)
    assert (done.returncode, done.stdout.decode().startswith("Verified: ")) == (0, True)
    other = run("reconcile", *FILES, "--signature", line, "--score", "12.3", "-f", "json")
    assert (other.returncode, json.loads(other.stdout)["agrees"]) == (1, False)


def test_the_command_uses_every_system():
    systems = SYSTEMS[1::-1]
    scores = ("--score", "35.2", "52.6")
    output = run("reconcile", FILES[0], "-i", *systems, *scores, *FEW).stdout.decode()
    assert "35.2365 52.6140  sacrebleu, lowercase\n" in output

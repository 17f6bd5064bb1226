# SPDX-License-Identifier: Apache-2.0
"""The parser of flags, and the command as a process."""

import subprocess
import sys

from support.command import truebleu
from support.example_texts import AURORA, ENGLISH

from truebleu.cli.flags import Flag, parse


def test_flags_stand_anywhere_with_either_spelling():
    expected = truebleu("score", *ENGLISH, "-i", AURORA, "-lc", "-w", "3")
    assert truebleu("score", "-lc", "-w=3", f"--input={AURORA}", "--", *ENGLISH) == expected
    assert truebleu("score", *ENGLISH, "--lowercase", "--width", "3", "-i", AURORA) == expected


def test_the_module_is_the_command():
    module = [sys.executable, "-m", "truebleu"]
    done = subprocess.run(
        [*module, "score", *ENGLISH, "-i", AURORA], capture_output=True, check=True
    )
    assert done.stdout == truebleu("score", *ENGLISH, "-i", AURORA)
    failed = subprocess.run([*module, "score", "missing"], capture_output=True, check=False)
    assert (failed.returncode, failed.stdout) == (2, b"")


def test_flags_have_defaults():
    flags = [Flag("-n, --number N", "", default=5), Flag("--on", "")]
    args, words = parse(["a", "--", "-n"], flags)
    assert (words, args["number"], "number" in args, args["on"]) == (["a", "-n"], 5, False, None)
    assert parse(["-n", "7"], flags)[0]["number"] == parse(["-n7"], flags)[0]["number"] == 7


def test_numbers_end_at_the_first_word_that_is_none():
    flags = [Flag("--score NUMBER...", "", kind=str)]
    args, words = parse(["--score", "33.3", "news=27", "ref.txt", "hyp.txt"], flags)
    assert (args["score"], words) == (["33.3", "news=27"], ["ref.txt", "hyp.txt"])
    assert parse(["--score", "x"], flags)[0]["score"] == ["x"]  # which the command refuses

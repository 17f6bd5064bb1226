# SPDX-License-Identifier: Apache-2.0
"""The parser of flags, and the command as a process."""

import subprocess
import sys

import pytest
from support.command import refusal, truebleu
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tokenise", "13a"], "unknown option '--tokenise'; did you mean --tokenize"),
        (["--echo", "src"], "unknown option --echo; for sacreBLEU's test sets"),
        (["-w", "2", "--width", "3"], "--width occurs twice; give it once"),
        (["-lc=yes"], "-lc takes no value; leave out =yes"),
        (["-w"], "-w needs a value: -w N"),
        (
            ["--save", "-lc"],
            "--save needs a value: --save FILE; for a value with a hyphen: --save=-lc",
        ),
        (["--fail-under", "-x"], "--fail-under needs a value: --fail-under SCORE"),
        (["--fail-under", "-.5e", "-w", "x"], "--fail-under cannot be '-.5e'; it must be a number"),
        (["--fail-under", "nan"], "--fail-under cannot be 'nan'; it must be a number"),
        (["-w", "x"], "--width cannot be 'x'; it must be a whole number"),
        (["-f", "jsn"], "--format cannot be 'jsn'; did you mean json"),
    ],
)
def test_errors_name_the_flag(arguments, message):
    assert message in refusal("score", *ENGLISH, *arguments)


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

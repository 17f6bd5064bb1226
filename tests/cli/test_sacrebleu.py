# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu` prints what `sacrebleu` prints, and one line instead of a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import COMMAND, forked, original
from support.example_texts import ENGLISH, SYSTEMS
from support.profiles import few

import truebleu.cli

ONE = [ENGLISH[0], "-i", SYSTEMS[0]]
ALL = [*ENGLISH, "-i", *SYSTEMS]

COMMANDS = [
    [*ENGLISH, "-i", SYSTEMS[0]], [*ONE, "-f", "text", "-sh", "-w", "4"],
    [*ONE, "-tok", "intl", "-lc", "-s", "floor", "-sv", "0.3", "-q"],
    [*ONE, "-tok", "char", "-s", "add-k", "--force", "-l", "de-zh"],
    [*ONE, "-ci", "-cin", "50", "-f", "text", "-d"], [*ENGLISH, "-i", SYSTEMS[0], "-sl", "-sh"],
    [*ALL, "-f", "text", "--paired-bs", "-pbsn", "60"],
    [*ALL, "-f", "latex", "--paired-ar", "-parn", "60"],
    [*ALL, "--paired-bs", "-pbsn", "60", "-j", "2"],
    [*ALL, "-m", "bleu", "chrf", "ter", "-f", "text", "-sh"],
    [*ONE, "-m", "chrf", "--chrf-whitespace", "--chrf-eps-smoothing", "-ci", "-cin", "30"],
    [*ONE, "-m", "ter", "--ter-asian-support", "--ter-case-sensitive", "-sl"],
    [*ALL, "-m", "bleu", "chrf", "ter", "--paired-bs", "-pbsn", "40", "-f", "text"],
    [*ONE, SYSTEMS[1], "-ci"], [*ENGLISH, "-i", SYSTEMS[0], "-nr", "2"],
    [ENGLISH[0], "-i", os.devnull], ["-m", "meteor"], ["--help"], ["--version"], ["--list"],
]  # fmt: skip


def both(arguments, stdin=b""):
    """The exit code, output and messages of `sacrebleu`, and of `truebleu sacrebleu`."""
    programs = (original, lambda: truebleu.cli.main(["sacrebleu", *arguments]))
    runs = (forked(main, *arguments, stdin=stdin, COLUMNS="100") for main in programs)
    return [(done.returncode, done.stdout, done.stderr) for done in runs]


@pytest.mark.parametrize("arguments", few(COMMANDS, every=5), ids=" ".join)
def test_the_same_is_printed(arguments):
    theirs, mine = both(arguments)
    if "-j" in arguments:  # messages of parallel processes come in any order
        theirs, mine = ((*done[:2], sorted(done[2].splitlines())) for done in (theirs, mine))
    assert mine == theirs


def test_standard_input_has_systems_in_columns():
    text = [Path(path).read_bytes().split(b"\n") for path in SYSTEMS]
    columns = b"\n".join(map(b"\t".join, zip(*text, strict=True))).rstrip(b"\t\n") + b"\n"
    theirs, mine = both([*ENGLISH, "-f", "text"], columns)
    assert mine == theirs
    theirs, mine = both(ENGLISH, columns.replace(b"\t", b" ", 1))
    assert mine == theirs
    assert mine[0] == 17


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "-i", SYSTEMS[0]], "[Errno 2] No such file or directory: 'nowhere'"),
        ([ENGLISH[0], "-i", "nowhere"], "[Errno 2] No such file or directory: 'nowhere'"),
        ([*ONE, "-l", "de"], "IndexError: list index out of range"),
        (["--citation", "-t", "wmt19"], "TypeError: "),
    ],
)
def test_an_exception_is_one_line(arguments, message):
    theirs, (code, out, err) = both(arguments)
    assert theirs[0] == 1
    assert b"Traceback" in theirs[2]
    assert (code, out, err.count(b"\n")) == (1, b"", 1)
    assert err.decode().startswith(f"sacreBLEU: {message}")


def test_closed_standard_input_is_one_line():
    command = ["sh", "-c", f"{COMMAND} sacrebleu {ENGLISH[0]} <&-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


def test_without_sacrebleu(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    assert truebleu.cli.main(["sacrebleu", *ONE]) == 2
    advice = "truebleu: sacrebleu is not installed; pip install 'truebleu[sacrebleu]'\n"
    assert capsys.readouterr().err == advice

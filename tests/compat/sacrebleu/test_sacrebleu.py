# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu` prints what `sacrebleu` prints, with the same exit code."""

import argparse
import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest
import sacrebleu as original
from support.command import COMMAND
from support.example_texts import ENGLISH, SYSTEMS
from support.profiles import few
from support.twins_sacrebleu import both, run_ours

from truebleu.compat.sacrebleu.arguments import parser

ONE = [ENGLISH[0], "-i", SYSTEMS[0]]
ALL = [*ENGLISH, "-i", *SYSTEMS]

SCORED = [
    [*ENGLISH, "-i", SYSTEMS[0]],
    [*ONE, "-f", "text", "-sh", "-w", "4"],
    [*ONE, "-b", "-f", "text", "-w", "3"],
    [*ONE, "-tok", "intl", "-lc", "-s", "floor", "-sv", "0.3", "-q"],
    [*ONE, "-tok", "char", "-s", "add-k", "--force", "-l", "de-zh"],
    [*ONE, "-l", "en-zh"],
    [*ONE, "-ci", "-cin", "50", "-f", "text", "-d"],
    [*ENGLISH, "-i", SYSTEMS[0], "-sl", "-b", "-w", "2"],
    [*ENGLISH, "-i", SYSTEMS[0], "-sl", "-sh"],
    ALL,
    [*ALL, "-f", "latex", "-w", "3"],
    [*ALL, "-f", "text", "--paired-bs", "-pbsn", "60"],
    [*ALL, "-f", "text", "--paired-ar", "-parn", "60", "-sh"],
    [*ALL, "-f", "latex", "--paired-ar", "-parn", "60"],
    [*ALL, "--paired-bs", "-pbsn", "60", "-j", "2"],
    [*ENGLISH, "-i", SYSTEMS[0], SYSTEMS[1], SYSTEMS[0], "--paired-ar", "-parn", "60"],
    [*ENGLISH, "-i", SYSTEMS[0], "-m", "bleu", "chrf", "ter"],
    [*ALL, "-m", "bleu", "chrf", "ter", "-f", "text", "-sh"],
    [*ONE, "-m", "chrf", "-sl"],
    [*ENGLISH, "-i", SYSTEMS[0], "-m", "ter", "-sl", "-b"],
    [*ONE, "-m", "chrf", "-cw", "2", "-cc", "5", "--chrf-beta", "3", "--chrf-lowercase"],
    [*ONE, "-m", "chrf", "--chrf-whitespace", "--chrf-eps-smoothing", "-ci", "-cin", "30"],
    [*ONE, "-m", "ter", "--ter-normalized", "--ter-no-punct"],
    [*ONE, "-m", "ter", "--ter-asian-support", "--ter-case-sensitive"],
    [*ALL, "-m", "bleu", "chrf", "ter", "--paired-bs", "-pbsn", "40", "-f", "text"],
    ["--version"],
]

REFUSED = [
    [*ONE, "-m", "bleu", "chrf", "-sl"],
    [*ONE, SYSTEMS[1], "-sl"],
    [*ONE, "-sl", "-ci"],
    [*ONE, SYSTEMS[1], "-ci"],
    [*ONE, "--paired-bs"],
    [*ONE, SYSTEMS[0]],
    [*ENGLISH, "-i", SYSTEMS[0], "-nr", "2"],
    [*ONE, "-nr", "2"],
    [ENGLISH[0], "-i", os.devnull],
    ["-m", "meteor"],
    [ENGLISH[0], "--echo", "src"],
    ["--paired-bs", "--paired-ar"],
]


@pytest.mark.parametrize("arguments", few([*SCORED, *REFUSED], every=3), ids=" ".join)
def test_the_same_is_printed(arguments):
    theirs, mine = both(arguments)
    if "-j" in arguments:  # messages of parallel processes come in any order
        theirs, mine = ((*one[:2], sorted(one[2].splitlines())) for one in (theirs, mine))
    assert mine == theirs


def test_every_argument_has_the_names_values_and_default_of_the_original(monkeypatch):
    from sacrebleu import sacrebleu as original

    parsers = []
    parse = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(
        argparse.ArgumentParser,
        "parse_args",
        lambda self, *_: parsers.append(self) or parse(self, []),
    )
    original.parse_args()
    theirs, mine = parsers[0], parser()
    kept = ("option_strings", "dest", "nargs", "const", "default", "required", "metavar")

    def described(one):
        return [
            (
                *(getattr(action, name) for name in kept),
                action.type or str,
                [*(action.choices or ())],
            )
            for action in one._actions
        ]

    assert described(mine) == described(theirs)
    theirs.prog = mine.prog
    assert mine.format_usage() == theirs.format_usage()
    assert all(action.help for action in mine._actions)
    assert "TrueBLEU" in mine.format_help()


def test_standard_input_has_systems_in_columns():
    text = [Path(path).read_bytes().split(b"\n") for path in SYSTEMS]
    columns = b"\n".join(map(b"\t".join, zip(*text, strict=True))).rstrip(b"\t\n") + b"\n"
    for arguments in ([], ["-f", "text", "--paired-ar", "-parn", "50"]):
        theirs, mine = both([*ENGLISH, *arguments], columns)
        assert mine == theirs
    theirs, mine = both(ENGLISH, columns.replace(b"\t", b" ", 1))
    assert mine == theirs
    assert mine[0] == 17
    theirs, mine = both(ENGLISH, Path(SYSTEMS[0]).read_bytes())
    assert mine == theirs


def test_references_in_columns_and_compressed_files(tmp_path):
    lines = [Path(path).read_text(encoding="utf-8").splitlines() for path in ENGLISH]
    path = tmp_path / "refs.gz"
    path.write_bytes(gzip.compress("\n".join(map("\t".join, zip(*lines, strict=True))).encode()))
    theirs, mine = both([str(path), "-nr", "2", "-i", SYSTEMS[0]])
    assert mine == theirs
    assert mine[0] == 0


@pytest.mark.parametrize("seed", ["7", "0"])
def test_the_format_and_the_seed_come_from_the_environment(seed):
    arguments = [*ENGLISH, "-i", SYSTEMS[0], "-ci", "-cin", "40"]
    theirs, mine = both(arguments, SACREBLEU_FORMAT="TEXT", SACREBLEU_SEED=seed)
    assert mine == theirs


def test_a_paired_bootstrap_of_ter_has_its_json():
    """The original ends with "Object of type float32 is not JSON serializable" under NumPy 2."""
    arguments = [*ENGLISH, "-i", *SYSTEMS, "-m", "ter", "--paired-bs", "-pbsn", "40", "-q"]
    code, printed, _ = run_ours(arguments)
    assert code == 0
    refs, *systems = (
        [Path(path).read_text().splitlines() for path in paths]
        for paths in (ENGLISH, *([path] for path in SYSTEMS))
    )
    scores = [original.TER().corpus_score(system, refs).score for (system,) in systems]
    assert [row["TER"]["score"] for row in json.loads(printed)] == scores


def test_missing_files_are_one_line():
    for arguments in (
        ["nowhere", "-i", SYSTEMS[0]],
        [ENGLISH[0], "-i", "nowhere"],
        [ENGLISH[0], "-i"],
        [*ONE, "-tok", "flores200"],
    ):
        code, out, err = run_ours(arguments, SACREBLEU=os.devnull)
        assert (code, out) == (1, b"")
        assert len(err.splitlines()) == 1, err


def test_closed_standard_input_is_one_line():
    command = ["sh", "-c", f"{COMMAND} sacrebleu {ENGLISH[0]} <&-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "sacreBLEU: [Errno 9] Bad file descriptor\n"

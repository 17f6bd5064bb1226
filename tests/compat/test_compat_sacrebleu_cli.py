# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu` prints what `sacrebleu` prints, with the same exit code."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest
import sacrebleu as original
from conftest import ROOT

from truebleu.compat.sacrebleu.arguments import parser as make_parser

BIN = Path(sysconfig.get_path("scripts"))
EXAMPLES = ROOT / "examples" / "de-en"
REFS = [str(EXAMPLES / f"ref.{name}.txt") for name in "AB"]
SYSTEMS = [str(path) for path in sorted(EXAMPLES.glob("hyp.*.txt"))]


def run(command, arguments, stdin=b"", **environment):
    done = subprocess.run(
        [*command, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, "COLUMNS": "100", **environment},
    )
    return done.returncode, done.stdout, done.stderr


def both(arguments, stdin=b"", **environment):
    theirs = run([BIN / "sacrebleu"], arguments, stdin, **environment)
    mine = run([BIN / "truebleu", "sacrebleu"], arguments, stdin, **environment)
    return theirs, mine


SCORED = [
    [*REFS, "-i", SYSTEMS[0]],
    [REFS[0], "-i", SYSTEMS[0], "-f", "text"],
    [REFS[0], "-i", SYSTEMS[0], "-f", "text", "-sh", "-w", "4"],
    [REFS[0], "-i", SYSTEMS[0], "-b"],
    [REFS[0], "-i", SYSTEMS[0], "-b", "-f", "text", "-w", "3"],
    [REFS[0], "-i", SYSTEMS[0], "-tok", "intl", "-lc", "-s", "floor", "-sv", "0.3", "-q"],
    [REFS[0], "-i", SYSTEMS[0], "-tok", "char", "-s", "add-k", "--force", "-l", "de-zh"],
    [REFS[0], "-i", SYSTEMS[0], "-l", "en-zh"],
    [REFS[0], "-i", SYSTEMS[0], "-ci", "-cin", "50"],
    [REFS[0], "-i", SYSTEMS[0], "-ci", "-cin", "50", "-f", "text", "-d"],
    [REFS[0], "-i", SYSTEMS[0], "-sl"],
    [*REFS, "-i", SYSTEMS[0], "-sl", "-b", "-w", "2"],
    [*REFS, "-i", SYSTEMS[0], "-sl", "-sh"],
    [*REFS, "-i", *SYSTEMS],
    [*REFS, "-i", *SYSTEMS, "-f", "text"],
    [*REFS, "-i", *SYSTEMS, "-f", "latex", "-w", "3"],
    [*REFS, "-i", *SYSTEMS, "-f", "text", "--paired-bs", "-pbsn", "60"],
    [*REFS, "-i", *SYSTEMS, "-f", "text", "--paired-ar", "-parn", "60", "-sh"],
    [*REFS, "-i", *SYSTEMS, "-f", "latex", "--paired-ar", "-parn", "60"],
    [*REFS, "-i", *SYSTEMS, "--paired-bs", "-pbsn", "60", "-j", "2"],
    [*REFS, "-i", SYSTEMS[0], SYSTEMS[1], SYSTEMS[0], "--paired-ar", "-parn", "60"],
    [*REFS, "-i", SYSTEMS[0], "-m", "bleu", "chrf", "ter"],
    [*REFS, "-i", SYSTEMS[0], "-m", "chrf", "ter", "-f", "text", "-sh", "-w", "4"],
    [*REFS, "-i", *SYSTEMS, "-m", "bleu", "chrf", "ter", "-f", "text", "-sh"],
    [*REFS, "-i", *SYSTEMS, "-m", "ter", "chrf", "-f", "latex"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "chrf", "-sl"],
    [*REFS, "-i", SYSTEMS[0], "-m", "ter", "-sl", "-b"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "chrf", "-cw", "2", "-cc", "5", "--chrf-beta", "3"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "chrf", "--chrf-lowercase", "--chrf-whitespace"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "chrf", "--chrf-eps-smoothing", "-ci", "-cin", "30"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "ter", "--ter-normalized", "--ter-no-punct"],
    [REFS[0], "-i", SYSTEMS[0], "-m", "ter", "--ter-asian-support", "--ter-case-sensitive"],
    [*REFS, "-i", *SYSTEMS, "-m", "chrf", "ter", "--paired-ar", "-parn", "40"],
    [
        *REFS,
        "-i",
        *SYSTEMS,
        "-m",
        "bleu",
        "chrf",
        "ter",
        "--paired-bs",
        "-pbsn",
        "40",
        "-f",
        "text",
    ],
    ["--version"],
]

REFUSED = [
    [REFS[0], "-i", SYSTEMS[0], "-m", "bleu", "chrf", "-sl"],
    [REFS[0], "-i", SYSTEMS[0], SYSTEMS[1], "-sl"],
    [REFS[0], "-i", SYSTEMS[0], "-sl", "-ci"],
    [REFS[0], "-i", SYSTEMS[0], SYSTEMS[1], "-ci"],
    [REFS[0], "-i", SYSTEMS[0], "--paired-bs"],
    [REFS[0], "-i", SYSTEMS[0], SYSTEMS[0]],
    [*REFS, "-i", SYSTEMS[0], "-nr", "2"],
    [REFS[0], "-i", SYSTEMS[0], "-nr", "2"],
    [REFS[0], "-i", os.devnull],
    ["-x"],
    ["-m", "meteor"],
    ["--citation"],
    [REFS[0], "--echo", "src"],
    ["--paired-bs", "--paired-ar"],
]


@pytest.mark.parametrize("given", [*SCORED, *REFUSED], ids=" ".join)
def test_the_same_is_printed(given):
    theirs, mine = both(given)
    if "-j" in given:  # processes take turns as they like
        theirs, mine = ((*one[:2], sorted(one[2].splitlines())) for one in (theirs, mine))
    assert mine == theirs


def test_every_argument_has_the_names_values_and_default_of_the_originals(monkeypatch):
    from sacrebleu import sacrebleu as original

    made = []
    parse = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(
        argparse.ArgumentParser, "parse_args", lambda self, *_: made.append(self) or parse(self, [])
    )
    original.parse_args()
    theirs, mine = made[0], make_parser()
    kept = ("option_strings", "dest", "nargs", "const", "default", "required", "metavar")

    def described(parser):
        return [
            (
                *(getattr(action, name) for name in kept),
                action.type or str,
                [*(action.choices or ())],
            )
            for action in parser._actions
        ]

    assert described(mine) == described(theirs)
    theirs.prog = mine.prog
    assert mine.format_usage() == theirs.format_usage()


def test_help_describes_every_argument():
    shown = run([BIN / "truebleu", "sacrebleu"], ["--help"])[1].decode()
    for action in make_parser()._actions:
        assert action.help, action
        assert all(name in shown for name in action.option_strings)


def test_standard_input_holds_systems_in_columns():
    text = [Path(path).read_bytes().split(b"\n") for path in SYSTEMS]
    columns = b"\n".join(map(b"\t".join, zip(*text, strict=True))).rstrip(b"\t\n") + b"\n"
    for arguments in ([], ["-f", "text", "--paired-ar", "-parn", "50"], ["-f", "latex"]):
        theirs, mine = both([*REFS, *arguments], columns)
        assert mine == theirs
    theirs, mine = both(REFS, columns.replace(b"\t", b" ", 1))
    assert mine == theirs
    assert mine[0] == 17
    theirs, mine = both(REFS, Path(SYSTEMS[0]).read_bytes())
    assert mine == theirs


def test_references_in_columns_and_compressed_files(tmp_path):
    lines = [Path(path).read_text(encoding="utf-8").splitlines() for path in REFS]
    path = tmp_path / "refs.gz"
    path.write_bytes(gzip.compress("\n".join(map("\t".join, zip(*lines, strict=True))).encode()))
    theirs, mine = both([str(path), "-nr", "2", "-i", SYSTEMS[0]])
    assert mine == theirs
    assert mine[0] == 0


@pytest.mark.parametrize("seed", ["7", "none", "0"])
def test_the_format_and_the_seed_come_from_the_environment(seed):
    arguments = [*REFS, "-i", SYSTEMS[0], "-ci", "-cin", "40"]
    theirs, mine = both(arguments, SACREBLEU_FORMAT="TEXT", SACREBLEU_SEED=seed)
    if seed == "none":
        assert b"seed:none" in mine[1]
    else:
        assert mine == theirs


def test_a_real_test_set_of_the_originals_cache(tmp_path):
    """The original reads the same files, once it believes that it made them."""
    folder = tmp_path / "wmt17"
    folder.mkdir()
    for field in ("src", "ref", "docid", "genre", "origlang"):
        (folder / f"wmt17.de-en.{field}").write_bytes(Path(REFS[0]).read_bytes())
    arguments = ["-t", "wmt17", "-l", "de-en", "-i", SYSTEMS[0]]
    theirs, mine = both(arguments, SACREBLEU=str(tmp_path))
    assert mine == theirs
    theirs, mine = both(["-t", "wmt17", "-l", "de-en", "--echo", "all"], SACREBLEU=str(tmp_path))
    assert mine == theirs


def test_a_paired_bootstrap_of_ter_has_its_json():
    """The original ends with "Object of type float32 is not JSON serializable" under NumPy 2."""
    arguments = [*REFS, "-i", *SYSTEMS, "-m", "ter", "--paired-bs", "-pbsn", "40", "-q"]
    code, printed, _ = run([BIN / "truebleu", "sacrebleu"], arguments)
    assert code == 0
    refs, *systems = (
        [Path(path).read_text().splitlines() for path in paths]
        for paths in (REFS, *([path] for path in SYSTEMS))
    )
    scores = [original.TER().corpus_score(system, refs).score for (system,) in systems]
    assert [row["TER"]["score"] for row in json.loads(printed)] == scores


def test_what_is_not_there_is_one_line():
    command = [BIN / "truebleu", "sacrebleu"]
    for arguments in (
        ["nowhere", "-i", SYSTEMS[0]],
        [REFS[0], "-i", "nowhere"],
        ["--download", "wmt22"],
        [REFS[0], "-i", SYSTEMS[0], "-tok", "flores200"],
        [REFS[0], "-i", SYSTEMS[0], "-ol", "de"],
    ):
        code, printed, said = run(command, arguments, SACREBLEU=os.devnull)
        assert (code, printed) == (1, b"")
        assert len(said.splitlines()) == 1, said

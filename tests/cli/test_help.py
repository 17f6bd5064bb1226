# SPDX-License-Identifier: Apache-2.0
"""Help, versions, completion scripts and citations come from what commands declare and compute."""

import re
import shutil
import subprocess
import sys
from itertools import pairwise

import pytest
from support.command import scored, truebleu
from support.example_texts import AURORA, ENGLISH

from truebleu import __version__
from truebleu.cli.commands import COMMANDS, load
from truebleu.cli.flags import Flag, parse

COMMANDS_WITH_FLAGS = [name for name in COMMANDS if hasattr(load(name), "GROUPS")]


def test_help_of_a_command_is_its_page():
    for command in COMMANDS:
        assert truebleu("help", command) == truebleu(command, "--help")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"], []])
def test_help_names_every_command(arguments):
    output = truebleu(*arguments).decode()
    assert output.startswith("usage: truebleu")
    assert all(f"\n  {name} " in output for name in COMMANDS)


def test_the_version_is_that_of_the_package():
    for arguments in ("--version", "-V"):
        assert truebleu(arguments).decode() == f"truebleu {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS_WITH_FLAGS)
def test_help_lists_common_flags_and_help_all_every_flag(command):
    listed = [flag for _, group in load(command).GROUPS for flag in group]
    short, full = (truebleu(command, option).decode() for option in ("--help", "--help-all"))
    for page in (short, full):
        assert page.startswith(f"usage: truebleu {command}")
        assert "VALUE" not in page
    for flag in listed:
        line = f"\n  {', '.join(flag.names)}"
        assert line in full
        assert (line in short) == flag.common
    assert 1 <= sum(flag.common for flag in listed) <= 15


def test_help_shows_placeholders_choices_and_defaults():
    page = truebleu("compare", "--help-all").decode()
    tests = "permutation,bootstrap,sacrebleu-ar,sacrebleu-bootstrap"
    assert f"  --test {{{tests}}}\n      test of each pair (default: permutation)\n" in page
    assert "  -i, --input FILE...\n" in page
    assert "  --seed N\n      random seed (default: 12345)\n" in page
    assert "  --max-order, --max-ngram-order N\n" in page
    assert "  -tok, --tokenize {none,13a,intl,intl-split,zh," in page


@pytest.mark.parametrize("command", sorted({*COMMANDS_WITH_FLAGS} - {"meaning", "playground"}))
def test_examples_are_understood(command):
    page = truebleu(command, "--help").decode()
    (words,) = re.findall(rf"^example: truebleu {command} (.*)$", page, re.MULTILINE)
    flags = [flag for _, group in load(command).GROUPS for flag in group]
    parse(words.partition(" > ")[0].split(), flags)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_flag(shell):
    words = truebleu("completion", shell).decode().replace('"', " ").split()
    if shell == "fish":
        words = [{"-l": "--", "-o": "-"}.get(kind, "") + name for kind, name in pairwise(words)]
    for _, group in load("score").GROUPS:
        assert {name for flag in group for name in flag.names} <= set(words)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["sc"], {"score"}),
        (["score", "--smooth-m"], {"--smooth-method"}),
        (["score", "-tok", "in"], {"intl", "intl-split"}),
        (["score", "-f", ""], {"text", "json", "tsv", "latex", "markdown"}),
        (["score", "r", "-s", "a"], {"add-k", "add-k-all", "average"}),
        (["dialects", "nltk-method7"], {"nltk-method7"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
    ],
)
def test_bash_completes(typed, offered):
    program = shutil.which("bash")
    if program is None:
        pytest.skip("bash is not installed")
    words = " ".join(f"'{word}'" for word in ["truebleu", *typed])
    script = truebleu("completion", "bash").decode() + (
        f'\nCOMP_WORDS=({words}); COMP_CWORD={len(typed)}; _truebleu; echo "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run([program], input=script.encode(), capture_output=True, check=True)
    assert set(done.stdout.decode().split()) == offered


def test_flags_stand_anywhere_with_either_spelling():
    expected = truebleu("score", *ENGLISH, "-i", AURORA, "-lc", "-w", "3")
    assert truebleu("score", "-lc", "-w=3", f"--input={AURORA}", "--", *ENGLISH) == expected
    assert truebleu("score", *ENGLISH, "--lowercase", "--width", "3", "-i", AURORA) == expected


def test_the_module_is_the_command():
    module = [sys.executable, "-m", "truebleu"]
    done = subprocess.run([*module, "score", *ENGLISH, "-i", AURORA], capture_output=True, check=True)
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


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["score"], ["papineni-etal-2002-bleu", "post-2018-call"]),
        (["score", "-d", "nltk"], ["papineni-etal-2002-bleu", "bird-etal-2009-nltk"]),
        (["score", "-m", "chrf", "-cw", "2"],
         ["popovic-2015-chrf", "post-2018-call", "popovic-2017-chrf"]),
        (["score", "-tok", "flores101"],
         ["papineni-etal-2002-bleu", "post-2018-call", "goyal-etal-2022-flores"]),
        (["score", "-tok", "nltk-line"],
         ["papineni-etal-2002-bleu", "post-2018-call", "bird-etal-2009-nltk"]),
        (["score", "-tok", "moses:de"],
         ["papineni-etal-2002-bleu", "post-2018-call", "koehn-etal-2007-moses"]),
        (["compare", "-m", "ter", "--test", "bootstrap"],
         ["snover-etal-2006-study", "post-2018-call", "koehn-2004-statistical",
          "westfall-young-1993-resampling"]),
        (["compare", "ref", "-i", "a", "b"],
         ["papineni-etal-2002-bleu", "post-2018-call", "riezler-maxwell-2005-pitfalls"]),
        (["compare", "--test", "sacrebleu-bootstrap", "-m", "gleu"],
         ["wu-etal-2016-gnmt", "koehn-2004-statistical", "holm-1979-procedure"]),
        (["campaign", "-m", "codebleu", "--correction", "bh"],
         ["ren-etal-2020-codebleu", "riezler-maxwell-2005-pitfalls",
          "benjamini-hochberg-1995-controlling"]),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)  # fmt: skip
def test_what_is_computed_is_cited(arguments, keys):
    text, remarks = scored(*arguments, "--cite")
    assert (remarks, re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE)) == ("", ["truebleu", *keys])
    for entry in text.removesuffix("\n").split("\n\n"):
        assert entry.count("{") == entry.count("}")
        assert entry.endswith(",\n}")

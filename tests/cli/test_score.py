# SPDX-License-Identifier: Apache-2.0
"""`truebleu score`: a mistake in its options ends in one line that names it."""

import os
import pty
import subprocess
import time
from pathlib import Path

import pytest
from support.command import COMMAND, HYPS, REFS, refusal, run, scored

from truebleu import corpus_bleu

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("-tok 13b", "13a"),
        ("-tok ja_mecab", "ja-mecab"),
        ("-tok spm:nowhere.model", "nowhere.model"),
        ("-d sacrebleau", "sacrebleu"),
        ("-s flor", "floor"),
        ("--nonsense-flag", "--nonsense-flag"),
        ("--errors replcae", "replace"),
        ("-sv -1 -s floor", "-1"),
        ("-sv nan -s floor", "nan"),
        ("-sv inf -s add-k", "inf"),
        ("-sv much -s floor", "much"),
        ("--max-order 0", "0"),
        ("--max-order 2.5", "2.5"),
        ("--weights 0.5,0.5 --max-order 4", "2"),
        ("--weights 0.5,half", "half"),
        ("--weights 0.5,nan", "nan"),
        ("--weights 0,0", "weights"),
        ("-w -1", "-1"),
        ("--width=", "--width"),
        ("--threads 0", "threads"),
        ("--threads 99999999999999999999999", "threads"),
        ("--fail-under low", "low"),
        ("--num-refs=0", "--num-refs"),
        ("--num-refs=two", "--num-refs"),
        ("-sl -i hyp ref", "--sentence-level"),
        ("--resume", "--resume"),
    ],
)
def test_a_bad_option_is_named(arguments, named):
    systems = [] if "-i" in arguments.split() else ["-i", "hyp"]
    assert named in refusal("score", "ref", *systems, *arguments.split())


def test_a_missing_argument_is_named():
    assert "reference" in refusal("score")
    assert "reference" in refusal("score", "-i", __file__)
    assert "-i" in refusal("score", __file__, "-i")
    assert "score" in refusal("scor", __file__)


def test_standard_input_is_read_once():
    for arguments in (["-", "-i", "-"], ["-"], ["-", "-", "-i", __file__]):
        assert "standard input" in refusal("score", *arguments, stdin=b"a\n")


def test_a_tokenizer_without_its_model_says_where_it_belongs(folder, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_MODELS", str(folder / "models"))
    message = refusal("score", "ref", "-i", "hyp", "-tok", "flores200")
    assert str(folder / "models" / "flores200.model") in message


def test_a_bad_environment_is_named(monkeypatch):
    monkeypatch.setenv("TRUEBLEU_NUM_THREADS", "many")
    assert "TRUEBLEU_NUM_THREADS" in refusal("score", "ref", "-i", "hyp")
    monkeypatch.delenv("TRUEBLEU_NUM_THREADS")
    monkeypatch.setenv("TRUEBLEU_SIMD", "mmx")
    assert "mmx" in refusal("score", "ref", "-i", "hyp")


def test_a_reference_given_twice_is_noticed_and_scored(folder):
    line, notice = scored("score", "ref", "ref", "-i", "hyp")
    expected = corpus_bleu(HYPS, [[ref, ref] for ref in REFS]).format(1, signature=True)
    assert line == expected + "\n"
    assert notice.startswith("truebleu: notice: ref is listed twice")
    assert notice.count("\n") == 1
    (folder / "copy").write_bytes((folder / "ref").read_bytes())
    assert scored("score", "ref", "copy", "-i", "hyp")[0] == line


# Standard streams.


@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_a_closed_stream_is_one_line(closing):
    script = f'exec "$0" "$@" {closing}'
    hyp = ["-i", "hyp"] if closing == ">&-" else []
    command = ["/bin/sh", "-c", script, COMMAND, "score", "ref", *hyp]
    done = subprocess.run(command, check=False, timeout=60, capture_output=True)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["score"], ["check", "-f", "json"]])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        done = run(*arguments, "ref", "-i", "hyp", stdout=full)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()
    assert b"standard output cannot be written" in done.stderr


def test_the_command_says_that_it_waits_for_the_keyboard():
    """No seconds are counted while it waits; Ctrl-D ends the input."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "score", "ref"], stdin=follower, stdout=subprocess.PIPE, stderr=follower
    ) as command:
        os.close(follower)
        shown = b""
        while b"\n" not in shown:
            shown += os.read(leader, 4096)
        time.sleep(1.5)
        os.write(leader, "".join(f"{hyp}\n" for hyp in HYPS).encode() + b"\x04")
        assert command.stdout.read().decode().startswith("BLEU|")
        while b"\n" + HYPS[-1].encode() not in shown:
            shown += os.read(leader, 4096)
        os.close(leader)
    first, *rest = shown.decode().replace("\r", "").splitlines()
    assert first == (
        "truebleu: notice: reading from the keyboard; use -i FILE to read a file, Ctrl-D to end"
    )
    assert rest == HYPS

# SPDX-License-Identifier: Apache-2.0
"""The command as a user has it, in the folder of the fixture `folder`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).parent / "truebleu"

HYPS = ["a b c d", "e f g h", "i j k l"]
REFS = ["a b c x", "e f y h", "i z k l"]


def run(*arguments, stdin=b"", **options):
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([COMMAND, *arguments], input=stdin, check=False, timeout=60, **piped)


def refusal(*arguments, stdin=b""):
    """The one line of a command that must refuse to score."""
    done = run(*arguments, stdin=stdin)
    message = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), message
    assert message.startswith("truebleu: ")
    assert message.endswith("\n")
    assert message.count("\n") == 1
    return message.removeprefix("truebleu: ").strip()


def scored(*arguments, stdin=b""):
    """The output of a command that must score, and what it remarks."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def plain():
    return scored("score", "ref", "-i", "hyp")

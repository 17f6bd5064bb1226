# SPDX-License-Identifier: Apache-2.0
"""The command `truebleu` in the folder of the fixture `folder`."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from truebleu import cli

COMMAND = Path(sys.executable).parent / "truebleu"

HYPS = ["a b c d", "e f g h", "i j k l"]
REFS = ["a b c x", "e f y h", "i z k l"]


def in_process(*arguments):
    """Run the command in this process, which takes a tenth of the time of a new one."""
    nothing, out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(3))
    with redirect_stdout(out), redirect_stderr(error), mock.patch.object(sys, "stdin", nothing):
        try:
            code = cli.main(list(map(str, arguments)))
        except SystemExit as exit:  # of argparse
            code = exit.code
    texts = []
    for stream in (out, error):
        stream.flush()
        texts.append(stream.buffer.getvalue())
    return subprocess.CompletedProcess(arguments, code, *texts)


def run(*arguments, stdin=b"", **options):
    """Run the command; in a process of its own if it reads standard input or needs options."""
    if not stdin and not options:
        return in_process(*arguments)
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
    """The standard output and the standard error of a command that must succeed."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def plain():
    return scored("score", "ref", "-i", "hyp")

# SPDX-License-Identifier: Apache-2.0
"""The command beside terminals, pipes and interrupts."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from support.installed import BIN, ENGLISH, ENVIRONMENT, ESCAPE, SYSTEMS, truebleu

# Terminals, pipes, interrupts.


def on_terminal(*arguments, **environment):
    """What `truebleu` writes to a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [BIN / "truebleu", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, **environment},
    )
    os.close(follower)
    output = b""
    try:
        while part := os.read(leader, 65536):
            output += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(leader)
    assert process.communicate()[1] == b""
    assert process.returncode == 0
    return output.replace(b"\r\n", b"\n")


TABLE = ("score", *ENGLISH, "-i", *SYSTEMS)


def test_a_terminal_has_colors():
    colored = on_terminal(*TABLE)
    assert ESCAPE in colored
    assert re.sub(rb"\x1b\[\d*m", b"", colored) == truebleu(*TABLE)
    assert ESCAPE in on_terminal(*TABLE, NO_COLOR="")


def test_nobody_else_has_colors():
    plain = truebleu(*TABLE)
    assert ESCAPE not in plain
    assert on_terminal(*TABLE, NO_COLOR="1") == plain
    assert on_terminal(*TABLE, "--no-color") == plain


@pytest.mark.parametrize("output_format", ["json", "tsv", "latex", "markdown"])
def test_machine_formats_have_no_colors(output_format):
    assert ESCAPE not in on_terminal(*TABLE, "-f", output_format)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    """A file whose scored sentences are more than a pipe holds."""
    path = tmp_path_factory.mktemp("long") / "long"
    path.write_text("a b c d\n" * 3000)
    return str(path)


@pytest.mark.parametrize("command", [[BIN / "truebleu"], [sys.executable, "-m", "truebleu"]])
def test_a_broken_pipe_is_quiet(command, long_file):
    arguments = [*command, "score", long_file, "-i", long_file, "-sl"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"BLEU|")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.fixture
def _interruptible():
    """A child that is born while SIGINT is ignored, as in the background of a shell, ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupt_is_quiet():
    arguments = [BIN / "truebleu", "score", ENGLISH[0]]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        # More than a pipe holds: once it is written, the command is reading.
        process.stdin.write(b"a line\n" * 100_000)
        # Python defers an interrupt that comes between two reads until the next one returns.
        for _ in range(20):
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
                break
        else:
            process.kill()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 128 + signal.SIGINT

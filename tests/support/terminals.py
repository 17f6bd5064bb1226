# SPDX-License-Identifier: Apache-2.0
"""Commands on terminals of any width."""

import fcntl
import io
import os
import pty
import struct
import sys
import termios
from contextlib import redirect_stderr, redirect_stdout, suppress
from threading import Thread
from unittest import mock

from truebleu import cli


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def on_terminal(columns, *arguments, encoding="utf-8", **environment):
    """What the command writes to a terminal of so many columns, with its colors."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    parts = []

    def read():
        with suppress(OSError):  # how Linux says that the other end is closed
            while part := os.read(leader, 65536):
                parts.append(part)

    reader = Thread(target=read)
    reader.start()
    settings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    with (
        mock.patch.dict(os.environ, settings | environment, clear=True),
        open(os.devnull) as stdin,
        mock.patch.object(sys, "stdin", stdin),
        open(follower, "w", encoding=encoding) as stdout,
        redirect_stdout(stdout),
        redirect_stderr(io.StringIO()),
    ):
        cli.main(list(map(str, arguments)))
    reader.join()
    os.close(leader)
    return b"".join(parts).decode().replace("\r\n", "\n")

# SPDX-License-Identifier: Apache-2.0
"""Commands on terminals of any width."""

import fcntl
import io
import os
import pty
import struct
import subprocess
import termios

from support.command import COMMAND


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def on_terminal(columns, *arguments, stderr=subprocess.DEVNULL, **environment):
    """What the command writes to a terminal of so many columns, with its colors."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    settings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    with subprocess.Popen(
        [COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=follower, stderr=stderr,
        env={**settings, "PYTHONUTF8": "1", **environment},
    ):  # fmt: skip
        os.close(follower)
        output = b""
        try:
            while part := os.read(leader, 65536):
                output += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(leader)
    return output.decode().replace("\r\n", "\n")

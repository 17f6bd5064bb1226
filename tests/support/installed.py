# SPDX-License-Identifier: Apache-2.0
"""The installed commands, with an environment that sets nothing, and the example files."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

from support.command import in_process

BIN = Path(sys.executable).parent
EXAMPLES = ROOT / "examples"
ENGLISH = [str(EXAMPLES / "de-en" / name) for name in ("ref.A.txt", "ref.B.txt")]
CHINESE = [str(EXAMPLES / "en-zh" / name) for name in ("ref.A.txt", "ref.B.txt")]
SYSTEMS = [str(EXAMPLES / "de-en" / f"hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")]
AURORA = SYSTEMS[0]

SETTINGS = ("COLUMNS", "NO_COLOR", "SACREBLEU_FORMAT", "TRUEBLEU_NUM_THREADS", "TRUEBLEU_SIMD")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in SETTINGS}

#: What terminals act on.
ESCAPE = b"\x1b"


def run(command, *arguments, stdin=b"", **environment):
    """Run a command: `truebleu` in this process if it reads no standard input."""
    if command == "truebleu" and not stdin and not environment:
        return in_process(*arguments)
    return subprocess.run(
        [BIN / command, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**ENVIRONMENT, **environment},
        timeout=60,
    )


def truebleu(*arguments, stdin=b""):
    """The output of a `truebleu` that must succeed without a word on standard error."""
    done = run("truebleu", *arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout

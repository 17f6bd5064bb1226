# SPDX-License-Identifier: Apache-2.0
"""A process of its own: hostile inputs, within a limit of memory; prints what came of each.

Called as `hostile_case.py NAME... [--divide N] [--memory BYTES]`; prints a line of JSON for each
with the outcome, the seconds and the peak of memory in bytes, input included. An error of ours is
an outcome; anything else ends the process as it ends any other.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from typing import TYPE_CHECKING, Any

import hostile_files  # noqa: F401  (these three add their cases)
import hostile_numbers  # noqa: F401
import hostile_segments  # noqa: F401
from hostile_inputs import CASES
from peak import forget_peak, peak

from truebleu.errors import TrueBLEUError

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Run cases and print what came of each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="+", choices=CASES, metavar="NAME")
    parser.add_argument("--divide", type=int, default=1, help="a size so many times smaller")
    parser.add_argument("--memory", type=int, default=6 << 30, help="bytes that may be had")
    given = parser.parse_args()
    # Not the address space: the engine of charts reserves terabytes of that.
    resource.setrlimit(resource.RLIMIT_DATA, (given.memory, given.memory))
    for name in given.names:
        print(json.dumps(tried(*CASES[name], given.divide)), flush=True)


def tried(size: int, run: Callable[[int], Any], divide: int) -> dict[str, Any]:
    """What comes of a case."""
    forget_peak()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        os.chdir(folder)
        start = time.monotonic()
        try:
            outcome = str(run(max(size // divide, 1)))
        except TrueBLEUError as error:
            outcome = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - start
        os.chdir("/")
    return {"outcome": outcome, "seconds": seconds, "peak": peak()}


if __name__ == "__main__":
    main()

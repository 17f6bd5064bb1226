# SPDX-License-Identifier: Apache-2.0
"""Hostile input: what comes of it, in what time and memory.

`benchmarks/hostile.py [--divide N]` prints the tables of docs/hostile.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from results import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
CASE = HERE / "hostile_case.py"

#: Seconds after which a case is ended, and is no bounded one.
MOST = 600


def hostile(*, quick: bool) -> Iterator[Figure]:
    """Each case in a process of its own that may have 6 GiB."""
    divide = 100 if quick else 1
    for name, found in cases(divide):
        bounded = found["outcome"] is not None
        yield Figure("hostile", name, 1, found["outcome"] or "ended by force", found["seconds"],
                     f"s, {found['peak'] / 1e6:,.0f} MB", bounded)  # fmt: skip


def names() -> list[str]:
    """All cases."""
    code = "import sys, hostile_case; print(*hostile_case.CASES, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=HERE, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def cases(divide: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """What comes of each case; an outcome of None if its process did not end by itself."""
    for name in names():
        command = [sys.executable, str(CASE), name, "--divide", str(divide)]
        try:
            done = subprocess.run(command, check=False, capture_output=True, timeout=MOST)
            found = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            found = {"outcome": None, "seconds": float("nan"), "peak": float("nan")}
        yield name, found


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--divide", type=int, default=1, help="sizes so many times smaller")
    given = parser.parse_args()
    print("| input | outcome | seconds | peak MB |\n| --- | --- | ---: | ---: |")
    for name, found in cases(given.divide):
        outcome = (found["outcome"] or "ENDED BY FORCE").replace("|", "\\|")
        print(f"| {name} | {outcome} | {found['seconds']:.1f} | {found['peak'] / 1e6:,.0f} |",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Wall-clock times of several tools that take turns, so that a busy moment hits all alike."""

from __future__ import annotations

import statistics
import subprocess
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Where commands are installed.
SCRIPTS = Path(sysconfig.get_path("scripts"))


def nothing() -> None:
    """The preparation of a tool that needs none."""


@dataclass(frozen=True)
class Contender:
    """What is timed.

    Attributes:
        name: of the tool, for the table.
        run: the work.
        prepare: called before each run, outside of its time.
        repeat: runs in a row at each turn; a fast tool against a slow one can afford more.
    """

    name: str
    run: Callable[[], Any]
    prepare: Callable[[], object] = nothing
    repeat: int = 1


def process(name: str, *command: str, repeat: int = 1) -> Contender:
    """A command from its start to its end; its result is what it prints."""

    def run() -> bytes:
        return subprocess.run(command, check=True, capture_output=True).stdout

    return Contender(name, run, repeat=repeat)


@dataclass(frozen=True)
class Times:
    """Seconds of each run."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """What a run usually takes."""
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        """What a run takes when nothing else disturbs it."""
        return min(self.seconds)

    def scaled(self, factor: float) -> Times:
        """The times of `factor` times as much work, if work and time grow alike."""
        return Times(tuple(second * factor for second in self.seconds))


def interleave(contenders: Sequence[Contender], rounds: int) -> list[tuple[Times, Any]]:
    """Run the contenders in turn, `rounds` times; the times and the last result of each.

    Each runs once more before, untimed, so that no one pays for imports and compiled patterns.
    Every other round goes backwards: the one after a large one finds its data out of the cache.
    """
    seconds: list[list[float]] = [[] for _ in contenders]
    results: list[Any] = [None for _ in contenders]
    for contender in contenders:
        contender.prepare()
        contender.run()
    turns = list(enumerate(contenders))
    for _ in range(rounds):
        for i, contender in turns:
            for _ in range(contender.repeat):
                contender.prepare()
                start = time.perf_counter()
                results[i] = contender.run()
                seconds[i].append(time.perf_counter() - start)
        turns.reverse()
    return [(Times(tuple(runs)), result) for runs, result in zip(seconds, results, strict=True)]

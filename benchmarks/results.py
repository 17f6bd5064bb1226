# SPDX-License-Identifier: Apache-2.0
"""What a benchmark finds, and how it is printed."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from timing import Contender, Times, interleave


@dataclass(frozen=True)
class Row:
    """Our time and that of a peer.

    Attributes:
        tool: what of ours was timed.
        peer: what it is compared with; empty if with nothing.
        correct: whether both gave the same integers and the same score; None if they compute
            different things.
        estimated: whether the peer's time was measured on a part and multiplied.
    """

    benchmark: str
    corpus: str
    segments: int
    tool: str
    times: Times
    peer: str = ""
    peer_times: Times | None = None
    correct: bool | None = None
    estimated: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as long the peer takes, by the medians."""
        return self.peer_times.median / self.times.median if self.peer_times else None

    @property
    def best_ratio(self) -> float | None:
        """The same by the shortest runs."""
        return self.peer_times.best / self.times.best if self.peer_times else None

    def line(self) -> str:
        """The row as text, below `HEAD`."""
        peer = runs = ratio = best = correct = ""
        if self.peer_times:
            mark = "~" if self.estimated else ""
            peer = mark + duration(self.peer_times.median)
            runs = f"/{len(self.peer_times.seconds)}"
            ratio = times(self.ratio)
            best = times(self.best_ratio)
            correct = {True: "yes", False: "NO", None: "n/a"}[self.correct]
        return _FORM.format(
            self.benchmark,
            self.corpus,
            f"{self.segments:,}",
            self.tool,
            duration(self.times.median),
            f"{self.times.median / self.segments * 1e9:,.0f}",
            self.peer,
            peer,
            ratio,
            best,
            correct,
            f"{len(self.times.seconds)}{runs}",
        ).rstrip()

    def to_dict(self) -> dict[str, Any]:
        """The row for JSON, with the seconds of every run."""
        return vars(self) | {
            "times": self.times.seconds,
            "peer_times": self.peer_times and self.peer_times.seconds,
            "ratio": self.ratio,
            "best_ratio": self.best_ratio,
        }


def race(
    benchmark: str,
    corpus: str,
    segments: int,
    ours: Contender,
    peer: Contender,
    rounds: int,
    equal: Callable[[Any, Any], bool | None] = operator.eq,
    scale: float = 1,
) -> Row:
    """Time two contenders in turn; `equal` compares their results.

    If the peer does a part of the work, the whole is `scale` times as much.
    """
    (times, mine), (peer_times, theirs) = interleave([ours, peer], rounds)
    return Row(
        benchmark,
        corpus,
        segments,
        ours.name,
        times,
        peer.name,
        peer_times.scaled(scale),
        equal(mine, theirs),
        estimated=scale != 1,
    )


@dataclass(frozen=True)
class Figure:
    """One number that is no race."""

    benchmark: str
    corpus: str
    segments: int
    what: str
    value: float
    unit: str
    correct: bool | None = None

    def line(self) -> str:
        """The figure as text."""
        start = f"{self.benchmark:9} {self.corpus:24} {self.segments:>9,}"
        checked = "" if self.correct is None else f"  correct: {'yes' if self.correct else 'NO'}"
        return f"{start}  {self.what}: {self.value:,.1f} {self.unit}{checked}"

    def to_dict(self) -> dict[str, Any]:
        """The figure for JSON."""
        return vars(self)


_FORM = "{:9} {:24} {:>9}  {:13} {:>8} {:>7}  {:29} {:>8} {:>7} {:>7}  {:7} {}"

#: What the columns of `Row.line` are.
HEAD = _FORM.format(
    "benchmark",
    "corpus",
    "segments",
    "ours",
    "median",
    "ns/seg",
    "peer",
    "median",
    "ratio",
    "of min",
    "correct",
    "runs",
)


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit that fits."""
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{_three_digits(seconds * factor)} {unit}"
    return f"{_three_digits(seconds)} s"


def times(ratio: float | None) -> str:
    """A ratio as a factor."""
    return "" if ratio is None else f"x{_three_digits(ratio)}"


def _three_digits(value: float) -> str:
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{decimals}f}"

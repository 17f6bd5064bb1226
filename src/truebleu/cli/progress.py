# SPDX-License-Identifier: Apache-2.0
"""A bar on standard error for what takes over a second, if someone looks at it."""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import TextIO

_WIDTH = 40

#: Seconds from one look at the clock to the next.
_TICK = 0.25


class Progress:
    """A block in which a bar can be drawn by the share that is done; behind it the bar is gone.

    Until a share is told, the seconds that have passed are shown.

    Args:
        what: is being done.
        stream: where the bar is drawn, if that is a terminal.
        patience: seconds before it shows.
    """

    def __init__(
        self, what: str, stream: TextIO | None = sys.stderr, patience: float = 1.0
    ) -> None:
        self._what = what
        seen = stream is not None and not stream.closed and stream.isatty()
        self._stream = stream if seen else None
        self._begin = time.monotonic()
        self._start = self._begin + patience
        self._drawn = ""
        self._ticking: Callable[[], None] | None = None

    def __enter__(self) -> Callable[[float], None]:
        if self._stream is not None:
            self._ticking = _every(_TICK, self._tick)
        return self._draw

    def _stop(self) -> None:
        if self._ticking is not None:
            self._ticking()
            self._ticking = None

    def _tick(self) -> None:
        seconds = time.monotonic() - self._begin
        self._write(f"\r{self._what} {seconds:.0f} s")

    def _draw(self, share: float) -> None:
        if self._stream is None or time.monotonic() < self._start:
            return
        self._stop()
        full = round(_WIDTH * share)
        self._write(f"\r{self._what} {'#' * full}{'.' * (_WIDTH - full)} {share:4.0%}")

    def _write(self, bar: str) -> None:
        if self._stream is None or bar == self._drawn or time.monotonic() < self._start:
            return
        self._stream.write(bar.ljust(len(self._drawn)))
        self._stream.flush()
        self._drawn = bar

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        if self._stream is not None and self._drawn:
            self._stream.write("\r" + " " * len(self._drawn) + "\r")
            self._stream.flush()


def _every(seconds: float, do: Callable[[], None]) -> Callable[[], None]:
    """Do something again and again, beside all else; returns what ends it."""
    from threading import Event, Thread

    ended = Event()

    def run() -> None:
        while not ended.wait(seconds):
            do()

    thread = Thread(target=run, daemon=True)
    thread.start()

    def end() -> None:
        ended.set()
        thread.join()

    return end

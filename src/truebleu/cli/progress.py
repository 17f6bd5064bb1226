# SPDX-License-Identifier: Apache-2.0
"""A bar on standard error for what takes over a second, if someone looks at it."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import TextIO

_WIDTH = 40
#: The same where more is to be said.
_NARROW = 16

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
        self._last = 0.0
        self._drawn = ""
        self._ticking: Callable[[], None] | None = None

    def __enter__(self) -> Callable[[float], None]:
        if self._stream is not None:
            self._ticking = _every(_TICK, self._tick)
        return self.draw

    def is_due(self, pause: float) -> bool:
        """Whether someone looks, and the bar was last drawn so many seconds ago."""
        return self._stream is not None and time.monotonic() >= max(self._start, self._last + pause)

    def draw(self, share: float, text: str = "") -> None:
        """Draw the bar by the share that is done, with a text behind it."""
        if not self.is_due(0):
            return
        self._stop()
        width = _NARROW if text else _WIDTH
        full = round(width * min(share, 1))
        line = f"{self._what} {'#' * full}{'.' * (width - full)} {share:4.0%}{text}"
        if len(line) >= self._columns():  # without the bar, and with no second line
            line = f"{self._what} {share:.0%}{text}"[: self._columns() - 1]
        self._write(line)

    def _tick(self) -> None:
        if self.is_due(0):
            self._write(f"{self._what} {time.monotonic() - self._begin:.0f} s")

    def _stop(self) -> None:
        if self._ticking is not None:
            self._ticking()
            self._ticking = None

    def _write(self, line: str) -> None:
        bar = f"\r{line}"
        if self._stream is not None and bar != self._drawn:
            # What was drawn before may have been longer.
            self._stream.write(bar.ljust(len(self._drawn)))
            self._stream.flush()
            self._drawn = bar
            self._last = time.monotonic()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno() if self._stream else 2).columns or 120
        except OSError:  # no terminal of the system's
            return 120

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

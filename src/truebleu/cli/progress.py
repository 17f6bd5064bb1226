# SPDX-License-Identifier: Apache-2.0
"""A progress bar on standard error for work that takes over a second, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import TextIO

#: Characters of a bar without and with a text after it.
_WIDE, _NARROW = 40, 16

#: Seconds between two drawings of the seconds.
_TICK = 0.25


class Progress:
    """A block in which a progress bar can be drawn; at its end the bar is cleared.

    Until the first call of `draw` the bar shows the seconds that have passed.

    Args:
        what: the name of the work, such as `scoring`.
        stream: where the bar is drawn, if that is a terminal.
        patience: seconds before it is first drawn.
    """

    def __init__(self, what: str, stream: TextIO | None = sys.stderr, patience: float = 1.0) -> None:
        self._what = what
        is_terminal = stream is not None and not stream.closed and stream.isatty()
        self._stream = stream if is_terminal else None
        self._begin = time.monotonic()
        self._start = self._begin + patience
        self._last = 0.0
        self._drawn = ""
        self._stopped = Event()
        self._thread = Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Callable[[float], None]:
        if self._stream is not None:
            self._thread.start()
        return self.draw

    def is_due(self, pause: float) -> bool:
        """Whether there is a terminal, and the bar was drawn at least `pause` seconds ago."""
        return self._stream is not None and time.monotonic() >= max(self._start, self._last + pause)

    def draw(self, share: float, text: str = "") -> None:
        """Draw the bar.

        Args:
            share: the share of the work that is done, from 0 to 1.
            text: text after the bar.
        """
        if not self.is_due(0):
            return
        self._stop()
        width = _NARROW if text else _WIDE
        full = round(width * min(share, 1))
        line = f"{self._what} {'#' * full}{'.' * (width - full)} {share:4.0%}{text}"
        if len(line) >= self._columns():  # without the bar, and cut to one line
            line = f"{self._what} {share:.0%}{text}"[: self._columns() - 1]
        self._write(line)

    def _tick(self) -> None:
        while not self._stopped.wait(_TICK):
            if self.is_due(0):
                self._write(f"{self._what} {time.monotonic() - self._begin:.0f} s")

    def _stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _write(self, line: str) -> None:
        bar = f"\r{line}"
        if self._stream is not None and bar != self._drawn:
            self._stream.write(bar.ljust(len(self._drawn)))  # over a longer line
            self._stream.flush()
            self._drawn = bar
            self._last = time.monotonic()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno() if self._stream else 2).columns or 120
        except OSError:  # not a terminal of the system
            return 120

    def __exit__(self, *error: object) -> None:
        self._stop()
        if self._stream is not None and self._drawn:
            self._stream.write("\r" + " " * len(self._drawn) + "\r")
            self._stream.flush()

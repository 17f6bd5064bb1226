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


class Progress:
    """A block in which a bar can be drawn by the share that is done; behind it the bar is gone.

    Args:
        what: is being done.
        stream: where the bar is drawn, if that is a terminal.
        patience: seconds before it shows.
    """

    def __init__(
        self, what: str, stream: TextIO | None = sys.stderr, patience: float = 1.0
    ) -> None:
        self._what = what
        self._stream = stream if stream is not None and stream.isatty() else None
        self._start = time.monotonic() + patience
        self._drawn = ""

    def __enter__(self) -> Callable[[float], None]:
        return self._draw

    def _draw(self, share: float) -> None:
        if self._stream is None or time.monotonic() < self._start:
            return
        full = round(_WIDTH * share)
        bar = f"\r{self._what} {'#' * full}{'.' * (_WIDTH - full)} {share:4.0%}"
        if bar != self._drawn:
            self._stream.write(bar)
            self._stream.flush()
            self._drawn = bar

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream is not None and self._drawn:
            self._stream.write("\r" + " " * len(self._drawn) + "\r")
            self._stream.flush()

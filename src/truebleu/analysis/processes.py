# SPDX-License-Identifier: Apache-2.0
"""Calls in other processes, for work that holds the interpreter: threads would take turns.

A thread waits for each process, so that the caller can do other work meanwhile.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from subprocess import DEVNULL, PIPE
from threading import local
from typing import Generic, Self, TypeVar

T = TypeVar("T")

#: What a process runs: it reads calls and writes what they return.
_CODE = "import sys; sys.path[:] = sys.argv[1:]; from truebleu.analysis.processes import serve; serve()"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call that another process may have begun; `here` is what this one calls instead."""

    here: Callable[[], T]
    begun: Future[tuple[T] | None] | None

    def result(self, *, wait: bool = False) -> T:
        """What it returns or raises.

        Args:
            wait: wait for the other process even if it has not begun the call.
        """
        begun = self.begun
        answer = None if begun is None or (not wait and begun.cancel()) else begun.result()
        return self.here() if answer is None else answer[0]


def results(calls: Sequence[Call[T]]) -> list[T]:
    """What each call returns: this process begins at the end, where no other has begun."""
    return [call.result() for call in reversed(calls)][::-1]


class Processes:
    """Up to so many processes, which end with the block.

    Each starts with its first call, which takes it a third of a second if that needs NumPy. If it
    ends early, this process makes its calls.
    """

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, initializer=self._start) if count > 0 and sys.executable else None
        self._own = local()  # the process of each thread
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped = True
        for process in tuple(self._running):
            process.kill()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        for process in self._running:
            # Closes its pipes, one of which may hold what was not sent, and waits for its end.
            with suppress(OSError), process:
                process.kill()

    def call(self, here: Callable[[], T], elsewhere: Callable[[], T] | None = None) -> Call[T]:
        """Begin a call, such as a `partial`; `elsewhere` is what another process calls."""
        pool = self._pool
        return Call(here, None if pool is None else pool.submit(self._elsewhere, elsewhere or here))

    def _start(self) -> None:
        """Start the process of a thread; Ctrl-C reaches only this process, which ends the other."""
        command = [sys.executable, "-c", _CODE, *sys.path]
        with suppress(OSError):
            process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True)  # noqa: S603  (this Python)
            self._own.process = process
            self._running.add(process)
            if self._stopped:
                process.kill()

    def _elsewhere(self, function: Callable[[], T]) -> tuple[T] | None:
        """What a process returns; None if it cannot, as where functions tokenize."""
        try:
            question, process = pickle.dumps(function), self._own.process
            process.stdin.write(question)
            process.stdin.flush()
            answer: tuple[T] | None = pickle.load(process.stdout)  # noqa: S301  (our own)
        except (pickle.PickleError, AttributeError, TypeError, OSError, EOFError):
            return None
        return answer


def serve() -> None:
    """Answer calls on standard input. After an error, the other process makes the call itself."""
    while True:
        try:
            function = pickle.load(sys.stdin.buffer)  # noqa: S301  (our own)
        except EOFError:
            return
        try:
            answer = pickle.dumps((function(),))
        except Exception:  # noqa: BLE001  (the other process finds out which)
            answer = pickle.dumps(None)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()

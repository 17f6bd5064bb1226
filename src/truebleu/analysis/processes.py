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

#: What a process runs: it reads calls and writes what they return, or ends with an error.
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
        is_here = self.begun is None or (not wait and self.begun.cancel())
        answer = None if is_here or self.begun is None else self.begun.result()
        return self.here() if answer is None else answer[0]


def results(calls: Sequence[Call[T]]) -> list[T]:
    """What each call returns: this process begins at the end, where no other has begun."""
    return [call.result() for call in reversed(calls)][::-1]


class Processes:
    """Up to so many processes, which end with the block.

    Each starts with its first call, which takes it a third of a second if that needs NumPy.
    """

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count) if count > 0 and sys.executable else None
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

    def _elsewhere(self, function: Callable[[], T]) -> tuple[T] | None:
        """What a process returns; None if it cannot, as where functions tokenize."""
        process = None
        try:
            question = pickle.dumps(function)
            process = self._process()
            assert process.stdin  # noqa: S101  (for type checkers)
            assert process.stdout  # noqa: S101
            process.stdin.write(question)
            process.stdin.flush()
            return (pickle.load(process.stdout),)  # noqa: S301  (our own)
        except (pickle.PickleError, AttributeError, TypeError, OSError, EOFError):
            if process is not None:
                process.kill()
                process.wait()
            return None

    def _process(self) -> subprocess.Popen[bytes]:
        """The process of this thread, a new one after an error."""
        process: subprocess.Popen[bytes] | None = getattr(self._own, "process", None)
        if process is None or process.poll() is not None:
            command = [sys.executable, "-c", _CODE, *sys.path]
            # Ctrl-C reaches this process alone, which ends the other.
            process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True)  # noqa: S603  (this Python)
            self._own.process = process
            self._running.add(process)
            if self._stopped:
                process.kill()
        return process


def serve() -> None:
    """Answer calls on standard input. After an error, the other process makes the call itself."""
    while True:
        try:
            function = pickle.load(sys.stdin.buffer)  # noqa: S301  (our own)
        except EOFError:
            return
        pickle.dump(function(), sys.stdout.buffer)
        sys.stdout.buffer.flush()

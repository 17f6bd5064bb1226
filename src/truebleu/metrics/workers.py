# SPDX-License-Identifier: Apache-2.0
"""Work on several threads, with results in the order of what was worked on."""

from __future__ import annotations

from _thread import _local  # built in: `threading` would be imported for it
from contextlib import suppress
from time import monotonic

from truebleu.metrics.bleu import Stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


#: Seconds that a pool waits for threads whose results nobody wants.
_PATIENCE = 0.1

#: Whose thread this is, if it is one of a pool.
_OF_THREAD = _local()


def heeding(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, which ends work of `ordered` that nobody wants any longer.

    Python's own work has to look by itself; what the kernel does is ended anyway.
    """

    def called(item: Any) -> Any:
        pool: _Pool | None = getattr(_OF_THREAD, "pool", None)
        if pool is not None and pool.closed:
            raise KeyboardInterrupt
        return function(item)

    return called


class _Task:
    """One item that is worked on, and what came of it."""

    __slots__ = ("done", "error", "item", "made")

    def __init__(self, item: Any, done: Any) -> None:
        self.item = item
        self.done = done
        self.made: Any = None
        self.error: BaseException | None = None

    def result(self) -> Any:
        self.done.acquire()  # a signal, such as Ctrl-C, interrupts this
        if self.error is not None:
            raise self.error
        return self.made


class _Pool:
    """Threads that work on tasks; as many as there are tasks for."""

    def __init__(self, work: Callable[[Any], Any], threads: int) -> None:
        from queue import SimpleQueue

        self._work = work
        self._threads = threads
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._started: list[Any] = []
        self._stop = Stop()
        #: Whether nobody wants its results any longer.
        self.closed = False

    def submit(self, item: Any) -> _Task:
        """Have an item worked on."""
        from threading import Lock, Thread

        lock = Lock()
        lock.acquire()
        task = _Task(item, lock)
        self._tasks.put(task)
        if len(self._started) < self._threads:
            self._started.append(Thread(target=self._run, daemon=True))
            self._started[-1].start()
        return task

    def close(self) -> None:
        """Have the threads end; what they still work on is wanted by nobody.

        The kernel's work ends soon; what lasts is a single call of Python's, of NumPy say.
        """
        from queue import Empty

        with suppress(Empty):
            while True:
                self._tasks.get_nowait()
        self.closed = True
        self._stop.set()
        for _ in self._started:
            self._tasks.put(None)
        end = monotonic() + _PATIENCE
        for thread in self._started:
            thread.join(max(0, end - monotonic()))

    def _run(self) -> None:
        self._stop.obey()  # Ctrl-C reaches the main thread alone
        _OF_THREAD.pool = self
        while (task := self._tasks.get()) is not None:
            try:
                task.made = self._work(task.item)
            except BaseException as error:  # noqa: BLE001  (raised again where it belongs)
                task.error = error
            task.done.release()


def ordered(work: Callable[[Any], Any], items: Iterable[Any], threads: int) -> Iterator[Any]:
    """What `work` makes of each item, in order; some items ahead of what is asked for.

    An error comes where its item would have come, whatever the number of threads.
    """
    if threads == 1:
        yield from map(work, items)
        return
    pool = _Pool(work, threads)
    waiting: list[_Task] = []
    failure: Exception | None = None
    upcoming = iter(items)
    try:
        while failure is None:
            try:
                waiting.append(pool.submit(next(upcoming)))
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001  (items before it have their turn)
                failure = error
            # So many wait that no thread ever does, and no more.
            if len(waiting) > threads + 1:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
        if failure is not None:
            raise failure
    finally:
        pool.close()

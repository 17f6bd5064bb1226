# SPDX-License-Identifier: Apache-2.0
"""Work on several threads, with results in the order of what was worked on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


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


def ordered(work: Callable[[Any], Any], items: Iterable[Any], threads: int) -> Iterator[Any]:
    """What `work` makes of each item, in order; some items ahead of what is asked for.

    An error comes where its item would have come, whatever the number of threads.
    """
    if threads == 1:
        yield from map(work, items)
        return
    from collections import deque
    from queue import SimpleQueue
    from threading import Lock, Thread

    tasks: SimpleQueue[_Task | None] = SimpleQueue()

    def run() -> None:
        while (task := tasks.get()) is not None:
            try:
                task.made = work(task.item)
            except BaseException as error:  # noqa: BLE001  (raised again where it belongs)
                task.error = error
            task.done.release()

    started: list[Thread] = []
    waiting: deque[_Task] = deque()
    failure: Exception | None = None
    upcoming = iter(items)
    try:
        while True:
            try:
                item = next(upcoming)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001  (items before it have their turn)
                failure = error
                break
            lock = Lock()
            lock.acquire()
            waiting.append(_Task(item, lock))
            tasks.put(waiting[-1])
            if len(started) < threads:  # as many as there are items for
                started.append(Thread(target=run, daemon=True))
                started[-1].start()
            # So many wait that no thread ever does, and no more.
            if len(waiting) > threads + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failure is not None:
            raise failure
    finally:
        try:
            while True:
                tasks.get_nowait()
        except Exception:  # noqa: BLE001, S110  (it is empty)
            pass
        for _ in started:
            tasks.put(None)
        for thread in started:
            thread.join()

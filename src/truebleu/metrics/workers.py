# SPDX-License-Identifier: Apache-2.0
"""Runs a function on several threads and yields its results in the order of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any

from truebleu.metrics.kernel import Stop


def ordered(work: Callable[[Any], Any], items: Iterable[Any], threads: int) -> Iterator[Any]:
    """Yield `work(item)` for each item, in order, and work ahead on the next few items.

    An error is raised where its result would be, with any number of threads. Where the caller
    stops early, for example at Ctrl-C, calls of the kernel end at once; other work ends with its
    item, in the background. Items are drawn on the thread of the caller; with one thread, all work
    is done there.
    """
    if threads == 1:
        yield from map(work, items)
        return
    stop = Stop()
    tasks: SimpleQueue[Any] = SimpleQueue()

    def run() -> None:
        stop.adopt()
        while (task := tasks.get()) is not None and not stop.is_set():
            item, answer = task
            try:
                answer.put((work(item), None))
            except BaseException as error:  # noqa: BLE001  (raised again by the caller)
                answer.put((None, error))

    def result() -> Any:
        value, error = answers.pop(0).get()  # a signal, such as Ctrl-C, interrupts this
        if error is not None:
            raise error
        return value

    pool: list[Thread] = []
    answers: list[SimpleQueue[Any]] = []
    failure: Exception | None = None
    upcoming = iter(items)
    try:
        while True:
            try:
                item = next(upcoming)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001  (raised after the items before it)
                failure = error
                break
            answers.append(SimpleQueue())
            tasks.put((item, answers[-1]))
            if len(pool) < threads:
                pool.append(Thread(target=run, daemon=True))
                pool[-1].start()
            # One item more than threads waits, so that no thread is ever idle.
            if len(answers) > threads + 1:
                yield result()
        while answers:
            yield result()
        if failure is not None:
            raise failure
    finally:
        stop.set()
        for _ in pool:
            tasks.put(None)
        for thread in pool:
            thread.join(0.05)

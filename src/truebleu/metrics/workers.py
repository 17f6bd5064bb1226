# SPDX-License-Identifier: Apache-2.0
"""Runs a function on several threads and yields its results in the order of its arguments."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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
    failures: list[Exception] = []

    def drawn() -> Iterator[Any]:
        try:
            yield from items
        except Exception as error:  # noqa: BLE001  (raised after the items before it)
            failures.append(error)

    stop = Stop()
    pool = ThreadPoolExecutor(threads, initializer=stop.adopt)
    results: deque[Future[Any]] = deque()
    try:
        for item in drawn():
            results.append(pool.submit(work, item))
            # One item more than threads waits, so that no thread is ever idle.
            if len(results) > threads + 1:
                yield results.popleft().result()
        while results:
            yield results.popleft().result()
        for failure in failures:
            raise failure
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)

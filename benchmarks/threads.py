# SPDX-License-Identifier: Apache-2.0
"""What a second thread gains, that it changes nothing, and what the machine itself has to give.

Two processes that do the same work side by side, each on one thread, share nothing: what they get
done in the time of one is the capacity of the machine, and the most that threads can gain. It is
far from 2 where other programs run or two processors are one core.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from corpora import english
from pairs import distinct
from results import Figure, Row
from timing import Contender, Times, interleave
from token_ids import PAD, make

from truebleu import BLEU, pairwise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Names, number of segments, and the work of so many threads.
    Workload = tuple[str, str, int, Callable[[int], Any]]


def threads(*, quick: bool) -> Iterator[Row | Figure]:
    """Two threads beside one, and two processes beside one."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    for workload in workloads(quick=quick):
        yield from two_beside_one(*workload, rounds=10 if quick else 30)


def workloads(*, quick: bool) -> Iterator[Workload]:
    """W2, W3 and W7, and corpora."""
    for segments in (100_000,) if quick else (100_000, 1_000_000):
        corpus = english().repeated(segments)
        for method in ("corpus", "sentences"):

            def score(count: int, method: str = method, corpus: Any = corpus) -> Any:
                return getattr(BLEU(threads=count), method)(corpus.hyps, corpus.refs)

            yield method, corpus.name, segments, score
    texts = distinct(2_048)
    for size in (1_024, 2_048):

        def matrix(count: int, few: Any = texts[:size]) -> Any:
            return pairwise(few, threads=count)

        yield "pairwise", f"{size} x {size}", size * size, matrix
    hyps, refs = make(65_536)

    def ids(count: int) -> Any:
        return BLEU(threads=count).sentences(hyps, refs, pad_id=PAD)

    yield "ids", "ids, 128 to a row", len(hyps), ids


def two_beside_one(
    name: str, corpus: str, segments: int, work: Callable[[int], Any], rounds: int
) -> Iterator[Row | Figure]:
    """The time of two threads as ours, that of one as the peer's; then the capacity."""
    sides: list[float] = []
    alone: list[float] = []
    with processes(partial(work, 1)) as side_by_side:

        def measure() -> None:
            alone.append(side_by_side(1))
            sides.append(side_by_side(2))

        one, two = Contender("one", partial(work, 1)), Contender("two", partial(work, 2))
        # In turns with the threads, so that a busy moment hits all alike.
        (times, found), (single, expected), _ = interleave(
            [two, one, Contender("processes", measure)], rounds
        )
    equal = found == expected if name == "corpus" else found.tobytes() == expected.tobytes()
    yield Row(
        "threads", corpus, segments, f"{name}, 2", times, f"{name}, 1 thread", single, equal
    )  # fmt: skip
    for statistic in ("median", "best"):
        pair, lone = (getattr(Times(tuple(seconds)), statistic) for seconds in (sides, alone))
        capacity = 2 * lone / pair
        gain = getattr(single, statistic) / getattr(times, statistic)
        what = f"gain x{gain:.2f} of the machine's x{capacity:.2f} ({statistic} of runs)"
        yield Figure("threads", corpus, segments, what, 100 * gain / capacity, "%")


@contextmanager
def processes(work: Callable[[], Any]) -> Iterator[Callable[[int], float]]:
    """Two processes; what is given lets one or both of them work, and returns the longest time."""
    context = multiprocessing.get_context("fork")  # what is read stays where it is
    pipes = []
    workers = []
    for _ in range(2):
        own, theirs = context.Pipe()
        worker = context.Process(target=_obey, args=(work, theirs), daemon=True)
        worker.start()
        pipes.append(own)
        workers.append(worker)

    def run(count: int) -> float:
        for pipe in pipes[:count]:
            pipe.send(True)
        return max(pipe.recv() for pipe in pipes[:count])

    run(2)
    try:
        yield run
    finally:
        for pipe in pipes:
            pipe.send(False)
        for worker in workers:
            worker.join()


def _obey(work: Callable[[], Any], pipe: Any) -> None:
    while pipe.recv():
        start = time.perf_counter()
        work()
        pipe.send(time.perf_counter() - start)

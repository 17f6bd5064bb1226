# SPDX-License-Identifier: Apache-2.0
"""The gain of a second thread, which changes no result, and that of a second process beside it.

Processes share nothing but the machine, so no program gains more by a second core than they do.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from corpora import english
from pairs import distinct
from results import Figure, Row, race
from timing import Contender, interleave
from token_ids import PAD, make

from truebleu import BLEU, pairwise

#: Names, number of segments, and the work of so many threads.
Workload = tuple[str, str, int, Callable[[int], Any]]


def threads(*, quick: bool) -> Iterator[Row | Figure]:
    """Two threads compared with one, and what two processes gain."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    runs = 5 if quick else 10
    for workload in workloads(quick=quick):
        row = two_against_one(*workload, rounds=10 if quick else 30)
        yield row
        one = partial(workload[3], 1)
        [(alone, _)] = interleave([Contender("", one)], runs)
        done = 200 * alone.best / slowed(one, runs)
        what = f"{workload[0]}, two processes at once"
        yield Figure("threads", workload[1], workload[2], what, done, "% of the work of one")


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


def two_against_one(
    name: str, corpus: str, segments: int, work: Callable[[int], Any], rounds: int
) -> Row:
    """The time of two threads as ours, that of one as the peer's."""
    two = Contender(f"{name}, 2", partial(work, 2))
    one = Contender(f"{name}, 1 thread", partial(work, 1))

    def equal(a: Any, b: Any) -> bool:
        return a == b if name == "corpus" else a.tobytes() == b.tobytes()

    return race("threads", corpus, segments, two, one, rounds, equal)


def slowed(work: Callable[[], Any], runs: int) -> float:
    """The shortest time of a run while another process does the same."""
    fork = multiprocessing.get_context("fork")
    start, times = fork.Barrier(2), fork.SimpleQueue()

    def loop() -> None:
        start.wait()
        [(measured, _)] = interleave([Contender("", work)], runs)
        times.put(measured.best)

    processes = [fork.Process(target=loop) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return max(times.get() for _ in processes)

# SPDX-License-Identifier: Apache-2.0
"""The gain of a second thread, which changes no result, and that of a second process beside it.

Processes share nothing but the machine, so no program gains more by a second core than they do.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from corpora import english
from pairs import distinct
from results import Figure, Row, race
from timing import Contender, interleave
from token_ids import PAD, make

from truebleu import BLEU, check, pairwise, write_report

#: Names, number of segments, and the work of so many threads.
Workload = tuple[str, str, int, Callable[[int], Any]]


def threads(*, quick: bool) -> Iterator[Row | Figure]:
    """Two threads compared with one, and what two processes gain."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    runs = 5 if quick else 10
    for workload in workloads(quick=quick):
        yield from gains(*workload, rounds=10 if quick else 30, runs=runs)
    for workload in [] if quick else analyses():
        yield from gains(*workload, rounds=3, runs=2)


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


def analyses() -> Iterator[Workload]:
    """`check`, and a report of three systems, whose texts are compressed on all cores there are."""
    corpus = english().repeated(100_000)

    def findings(count: int) -> Any:
        return check(corpus.hyps, corpus.refs, threads=count)

    yield "check", corpus.name, len(corpus.hyps), findings
    systems = {
        "first": corpus.hyps,
        "second": [hyp.replace("the ", "a ") for hyp in corpus.hyps],
        "third": [hyp.replace("of ", "") for hyp in corpus.hyps],
    }

    def report(count: int) -> bytes:
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(cores)[:count])
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "report.html")
                write_report(path, systems, corpus.refs, threads=count)
                return path.read_bytes()
        finally:
            os.sched_setaffinity(0, cores)

    yield "report", corpus.name, len(corpus.hyps), report


def gains(
    name: str,
    corpus: str,
    segments: int,
    work: Callable[[int], Any],
    rounds: int,
    runs: int,
) -> Iterator[Row | Figure]:
    """The time of two threads as ours, that of one as the peer's, and what two processes gain."""
    two = Contender(f"{name}, 2", partial(work, 2))
    one = Contender(f"{name}, 1 thread", partial(work, 1))

    def equal(a: Any, b: Any) -> bool:
        return a.tobytes() == b.tobytes() if hasattr(a, "tobytes") else a == b

    # First, as a forked child cannot draw the charts of a report if this process has drawn any.
    beside = slowed(one.run, runs)
    yield race("threads", corpus, segments, two, one, rounds, equal)
    [(alone, _)] = interleave([one], runs)
    done = 200 * alone.best / beside
    what = f"{name}, two processes at once"
    yield Figure("threads", corpus, segments, what, done, "% of the work of one")


def slowed(work: Callable[[], Any], runs: int) -> float:
    """The shortest time of a run while another process does the same on another core."""
    fork = multiprocessing.get_context("fork")
    start, times = fork.Barrier(2), fork.SimpleQueue()

    def loop(core: int) -> None:
        os.sched_setaffinity(0, [core])
        start.wait()
        [(measured, _)] = interleave([Contender("", work)], runs)
        times.put(measured.best)

    cores = sorted(os.sched_getaffinity(0))[:2]
    processes = [fork.Process(target=loop, args=(core,)) for core in cores]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return max(times.get() for _ in processes)

# SPDX-License-Identifier: Apache-2.0
"""The gain of a second thread, which changes no result."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from corpora import english
from pairs import distinct
from results import Row, race
from timing import Contender
from token_ids import PAD, make

from truebleu import BLEU, check, pairwise, write_report

#: Names, number of segments, and the work of so many threads.
Workload = tuple[str, str, int, Callable[[int], Any]]


def threads(*, quick: bool) -> Iterator[Row]:
    """Two threads compared with one."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    for workload in workloads(quick=quick):
        yield gain(*workload, rounds=10 if quick else 30)
    for workload in [] if quick else analyses():
        yield gain(*workload, rounds=3)


def workloads(*, quick: bool) -> Iterator[Workload]:
    """W2, W3 and W7, and corpora."""
    for segments in (100_000,) if quick else (100_000, 1_000_000):
        corpus = english().repeated(segments)
        for method in ("corpus", "sentences"):
            yield method, corpus.name, segments, partial(_scored, method, corpus.hyps, corpus.refs)
    texts = distinct(2_048)
    for size in (1_024, 2_048):
        matrix = partial(pairwise, texts[:size])
        yield "pairwise", f"{size} x {size}", size * size, lambda n, f=matrix: f(threads=n)
    ids = partial(_scored, "sentences", *make(65_536), pad_id=PAD)
    yield "ids", "ids, 128 to a row", 65_536, ids


def _scored(method: str, hyps: Any, refs: Any, count: int, **options: Any) -> Any:
    return getattr(BLEU(threads=count), method)(hyps, refs, **options)


def analyses() -> Iterator[Workload]:
    """`check`, and a report of three systems, whose texts are compressed on all cores there are."""
    corpus = english().repeated(100_000)
    work = partial(check, corpus.hyps, corpus.refs)
    yield "check", corpus.name, len(corpus.hyps), lambda count: work(threads=count)
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


def gain(name: str, corpus: str, segments: int, work: Callable[[int], Any], rounds: int) -> Row:
    """The time of two threads as ours, that of one as the peer's."""
    two = Contender(f"{name}, 2", partial(work, 2))
    one = Contender(f"{name}, 1 thread", partial(work, 1))

    def equal(a: Any, b: Any) -> bool:
        return a.tobytes() == b.tobytes() if hasattr(a, "tobytes") else a == b

    return race("threads", corpus, segments, two, one, rounds, equal)

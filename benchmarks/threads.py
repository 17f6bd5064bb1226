# SPDX-License-Identifier: Apache-2.0
"""The gain of a second thread, which changes no result."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from corpora import english
from pairs import distinct
from results import Row, race
from timing import Contender
from token_ids import PAD, make

from truebleu import BLEU, pairwise

#: Names, number of segments, and the work of so many threads.
Workload = tuple[str, str, int, Callable[[int], Any]]


def threads(*, quick: bool) -> Iterator[Row]:
    """Two threads compared with one."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    for workload in workloads(quick=quick):
        yield two_against_one(*workload, rounds=10 if quick else 30)


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

# SPDX-License-Identifier: Apache-2.0
"""What a second thread gains, and that it changes nothing."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from corpora import Corpus, english
from results import Row
from timing import Contender, interleave

from truebleu import BLEU

if TYPE_CHECKING:
    from collections.abc import Iterator


def threads(*, quick: bool) -> Iterator[Row]:
    """Two threads beside one."""
    if (os.cpu_count() or 1) < 2:
        print("threads: left out, the machine has one core", file=sys.stderr)
        return
    for segments in (100_000,) if quick else (100_000, 1_000_000):
        corpus = english().repeated(segments)
        for method in ("corpus", "sentences"):
            yield two_beside_one(corpus, method, rounds=10 if quick else 15)


def two_beside_one(corpus: Corpus, method: str, rounds: int) -> Row:
    """The time of two threads as ours, that of one as the peer's."""

    def by(count: int) -> Contender:
        score = getattr(BLEU(threads=count), method)
        return Contender(f"{method}, {count}", lambda: score(corpus.hyps, corpus.refs))

    two, one = by(2), by(1)
    (times, found), (single, expected) = interleave([two, one], rounds)
    if method == "sentences":
        found, expected = found.tobytes(), expected.tobytes()
    return Row(
        "threads", corpus.name, len(corpus), two.name, times, f"{one.name} thread", single,
        found == expected,
    )  # fmt: skip

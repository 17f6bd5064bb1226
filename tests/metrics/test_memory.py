# SPDX-License-Identifier: Apache-2.0
"""The memory of a process does not grow with the number of calls."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from truebleu import BLEU, Ids, mbr, pairwise, self_bleu

METRIC = BLEU(threads=1)

IDS = np.array([[5, 7, 9, 0], [1, 2, 3, 4]], dtype=np.int32)
RAGGED = Ids(np.array([5, 7, 9, 1, 2, 3, 4]), np.array([0, 3, 7]))
ARROW = pa.array([[5, 7, 9], [1, 2, 3, 4]])
SEVERAL = [[[5, 7, 9], [1]], [[1, 2, 3]]]
TEXTS = ["a b c d", "a b d", "d é"]
WORDS = [text.split() for text in TEXTS]
ACCUMULATOR = METRIC.accumulator()


def accumulate():
    ACCUMULATOR.update(IDS, SEVERAL, pad_id=0)
    ACCUMULATOR.merge(METRIC.accumulator())
    ACCUMULATOR.state = ACCUMULATOR.state
    return ACCUMULATOR.compute()


CALLS = {
    "sentences": lambda: METRIC.sentences(TEXTS, TEXTS),
    "words": lambda: METRIC.corpus(WORDS, WORDS),
    "ids": lambda: METRIC.sentences(IDS, SEVERAL, pad_id=0),
    "Ids": lambda: METRIC.sentences(RAGGED, SEVERAL),
    "Arrow": lambda: METRIC.stats(ARROW, IDS),
    "prefixes": lambda: METRIC.prefixes([[1, 2, 3]], [[1, 2, 4]]),
    "accumulator": accumulate,
    "pairwise": lambda: pairwise(TEXTS, threads=1),
    "pairwise of ids": lambda: pairwise(IDS, RAGGED, pad_id=0, threads=1),
    "mbr": lambda: mbr(TEXTS, [1, 2, 3], threads=1),
    "mbr of ids": lambda: mbr(RAGGED, group=1, threads=1),
    "mbr of Arrow": lambda: mbr(ARROW, threads=1),
    "self_bleu": lambda: self_bleu(TEXTS, threads=1),
    "self_bleu of ids": lambda: self_bleu(ARROW, sample=2, threads=1),
}


def resident():
    """Bytes of the process in memory."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grown(calls, before):
    """Growth of memory, in bytes, from call number `before` to call number `calls`."""
    first = None
    for i in range(calls // len(CALLS)):
        if i == before // len(CALLS):
            first = resident()
        for call in CALLS.values():
            call()
    return resident() - first


@pytest.mark.parametrize(
    ("calls", "before", "most"),
    [(28_000, 14_000, 500_000), pytest.param(1_000_000, 100_000, 1_000_000, marks=pytest.mark.slow)],
)
def test_memory_does_not_grow_with_calls(calls, before, most):
    """In a new process, because threads of other tests allocate memory too."""
    if sys.platform != "linux":
        pytest.skip("memory is read from /proc")
    code = f"import test_memory; print(test_memory.grown({calls}, {before}))"
    command = [sys.executable, "-c", code]
    assert int(subprocess.check_output(command, cwd=Path(__file__).parent)) < most

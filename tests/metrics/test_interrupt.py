# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends every long call within a second, and what was called works on as before."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from importlib.util import find_spec

import numpy as np
import pytest
from support.command import COMMAND
from support.corpora import words
from support.example_texts import write_lines

from truebleu import BLEU, TER, CodeBLEU, compare, pairwise, reconcile, self_bleu
from truebleu.metrics.workers import ordered

METRIC = BLEU()
RNG = np.random.default_rng(7)
SOME = [words(25, seed) for seed in range(1_000)] * 4
OTHERS = SOME[1:] + SOME[:1]
MANY, MANY_OTHERS = SOME * 500, OTHERS * 500
PAGES = [words(4_000, seed) for seed in range(20)]


@cache
def book():
    """A text of three million words."""
    return " ".join(map(str, RNG.permutation(200_000).tolist() * 15))


#: Each takes seconds.
CALLS = {
    "corpus": lambda: METRIC.corpus(MANY * 5, MANY_OTHERS * 5),
    "sentences on one thread": lambda: BLEU(threads=1).sentences(MANY * 5, MANY_OTHERS * 5),
    "one long text": lambda: METRIC.corpus([book()], [book()[9:]]),
    "TER": lambda: TER().corpus(PAGES, PAGES[1:] + PAGES[:1]),
    "pairwise": lambda: pairwise(SOME * 4, OTHERS * 4, exact=True),
    "self-BLEU": lambda: self_bleu(MANY),
    "compare": lambda: compare({"A": SOME, "B": OTHERS}, SOME[2:] + SOME[:2], resamples=3_000_000),
    "reconcile": lambda: reconcile(SOME * 50, OTHERS * 50, 12.34),
    "a generator": lambda: METRIC.corpus(map(str.split, MANY), map(str.split, MANY_OTHERS)),
}  # fmt: skip
if find_spec("tree_sitter_c"):
    PROGRAM = "int f(int a) { return g(a + 1, b[2]); }\n" * 100_000
    CODE = CodeBLEU("c", weights=(0, 0, 1, 0))
    CALLS["a long program"] = lambda: CODE.corpus([PROGRAM], [PROGRAM + "x"])


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Raise KeyboardInterrupt at SIGINT, which the background jobs of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    # An exception in what Python's garbage collector calls gets lost.
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGINT, before)


def interrupted(call, after=0.2):
    """Send SIGINT after so many seconds; return the seconds from then until the call ends.

    If other processes take the machine, they are those that this one got, of at most ten.
    """
    times = []

    def send():
        times.extend([time.monotonic(), time.process_time()])
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        passed, got = time.monotonic() - times[0], time.process_time() - times[1]
        assert passed < 10
        return min(passed, got)
    finally:
        timer.join()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ctrl_c_ends_a_call_within_a_second(call):
    book()
    assert interrupted(call) < 1
    scores = METRIC.sentences(SOME, OTHERS)
    assert scores.tobytes() == BLEU(threads=1).sentences(SOME, OTHERS).tobytes()


def test_an_interrupted_accumulator_keeps_its_state():
    accumulator = METRIC.accumulator()
    accumulator.update(SOME, OTHERS)
    before = accumulator.compute()
    interrupted(lambda: accumulator.update(MANY, MANY_OTHERS))
    assert accumulator.compute() == before


def test_a_handler_may_call_the_kernel_and_the_call_goes_on():
    scores = []
    before = signal.signal(signal.SIGALRM, lambda *_: scores.append(METRIC.corpus(SOME, SOME).value))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        score = METRIC.corpus(MANY, MANY_OTHERS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert scores == [METRIC.corpus(SOME, SOME).value]
    assert score == METRIC.corpus(MANY, MANY_OTHERS)


def test_calls_of_other_threads_go_on():
    scores = []
    other = threading.Thread(target=lambda: scores.append(METRIC.corpus(MANY, MANY_OTHERS)))
    other.start()
    interrupted(lambda: METRIC.corpus(MANY * 5, MANY_OTHERS * 5))
    other.join()
    assert scores == [METRIC.corpus(MANY, MANY_OTHERS)]


def test_a_pool_of_threads_ends_with_its_caller():
    single = BLEU(threads=1)
    ended = []

    def work(_):
        try:
            single.corpus(MANY, MANY_OTHERS)
        except KeyboardInterrupt:
            ended.append(True)
            raise

    assert interrupted(lambda: list(ordered(work, range(8), threads=2))) < 1
    until = time.monotonic() + 1
    while len(ended) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert len(ended) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("options", [["-m", "bleu", "ter"], ["--per-segment", "out.tsv"]])
def test_ctrl_c_ends_a_command_and_leaves_no_output(options, tmp_path):
    write_lines({"hyp": SOME * 50, "ref": OTHERS * 50}, tmp_path)
    arguments = ["score", "ref", "-i", "hyp", "--max-order", "40", *options]
    process = subprocess.Popen([COMMAND, *arguments], cwd=tmp_path, stdout=-1, stderr=-1)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    output, error = process.communicate(timeout=60)
    assert time.monotonic() - start < 1
    assert (process.returncode, output) == (130, b"")
    assert b"Traceback" not in error
    assert not (tmp_path / "out.tsv").exists()

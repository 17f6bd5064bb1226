# SPDX-License-Identifier: Apache-2.0
"""Forked children compute the same scores as their parent, and never hang."""

import multiprocessing
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import pytest
from support.corpora import words

from truebleu import BLEU, CHRF, TER, compare, mbr, pairwise, self_bleu
from truebleu.metrics import accumulation

if not hasattr(os, "fork"):
    pytest.skip("this system has no fork", allow_module_level=True)

SOME = [words(20, seed) for seed in range(800)]
OTHERS = SOME[1:] + SOME[:1]
#: Enough for two threads.
MANY, MANY_OTHERS = SOME * 30, OTHERS * 30
#: More threads than the machine may have, so that there are several.
METRIC = BLEU(threads=4)

#: Seconds after which a child counts as stuck.
STUCK = 30


def everything():
    """A result of each kind of call, as bytes and numbers."""
    return (
        METRIC.sentences(MANY, MANY_OTHERS).tobytes(),
        METRIC.corpus(MANY, MANY_OTHERS).value,
        pairwise(SOME[:400], threads=4).tobytes(),
        mbr([SOME[:20], SOME[20:60]], threads=4)[1].scores,
        self_bleu(SOME, threads=4),
        CHRF(threads=4).corpus(SOME * 12, OTHERS * 12).value,
        TER(threads=4).corpus(SOME, OTHERS).value,
        compare({"A": SOME, "B": OTHERS}, SOME[2:] + SOME[:2], resamples=500).pairs[0].p,
    )


def in_child(work):
    """Run `work` in a forked child; its exit code, or None if it was stuck."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        finally:
            os._exit(99)
    until = time.monotonic() + STUCK
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def test_a_child_computes_the_same():
    expected = everything()
    assert in_child(lambda: int(everything() != expected)) == 0
    # So does a child of the child.
    assert in_child(lambda: in_child(lambda: int(everything() != expected)) or 0) == 0
    assert everything() == expected


def test_a_fork_during_a_call_of_another_thread():
    expected = everything()
    ended = threading.Event()
    rounds = []

    def work():
        while not ended.is_set():
            rounds.append(METRIC.sentences(MANY, MANY_OTHERS).tobytes() == expected[0])

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        codes = [in_child(lambda: int(everything() != expected)) for _ in range(3)]
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert codes == [0] * 3
    assert rounds
    assert all(rounds)


def test_ctrl_c_ends_a_call_of_a_child():
    METRIC.sentences(MANY, MANY_OTHERS)

    def work():
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        begun = time.monotonic()
        try:
            METRIC.corpus(MANY * 100, MANY_OTHERS * 100)
        except KeyboardInterrupt:
            return 0 if time.monotonic() - begun < 2 else 3
        return 4

    assert in_child(work) == 0


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_process_pools_compute_the_same(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{method} is not available")
    parts = [(MANY[part::3], MANY_OTHERS[part::3]) for part in range(3)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        scores = pool.starmap_async(METRIC.corpus, parts).get(STUCK)
    assert scores == [METRIC.corpus(*part) for part in parts]


SPLITTERS = """
import multiprocessing
from functools import partial

from truebleu import BLEU

def cut(marks, text):
    return text.split()

class Splitter:
    def __init__(self):
        self.mark, self.marks = "mark", ["mark"]

    def __call__(self, text):
        return text.split()

def work(bleu):
    return [bleu.stats(["a b"], ["a b"]) for bleu in (bleu, BLEU(tokenize=Splitter()),
            BLEU(tokenize=lambda text: list(text)), BLEU(tokenize=partial(cut, "abc")))]

if __name__ == "__main__":
    for method in ("spawn", "fork"):
        for function in (Splitter(), Splitter().__call__, lambda text: text.split(),
                         partial(cut, "abc"), partial(cut, "ab")):
            bleu = BLEU(tokenize=function)
            with multiprocessing.get_context(method).Pool(1) as pool:
                sent = bleu if "lambda" not in bleu.signature else BLEU()
                parts = pool.map_async(work, [sent]).get(30)[0]
            own = bleu.stats(["a b"], ["a b"])
            print([part.signature == own.signature for part in parts], bleu.signature)
"""


def test_statistics_of_a_function_mix_if_the_function_is_the_same(tmp_path):
    path = tmp_path / "splits.py"
    path.write_text(SPLITTERS)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    splitter, others = ["[True, True, False, False]", "[True, False, False, False]"], "[False, False, False, False]"
    expected = [*splitter, others, "[True, False, False, True]", splitter[1]] * 2
    assert [line[: line.index("]") + 1] for line in done.stdout.splitlines()] == expected
    assert done.stdout.count("python[splits.") == 6


def test_the_module_declares_that_it_needs_no_global_lock():
    """Otherwise its import would turn the lock of a free-threaded Python on."""
    lock = getattr(sys, "_is_gil_enabled", None)
    if lock is None:
        pytest.skip("this Python always has the lock")
    assert lock() == (not sysconfig.get_config_var("Py_GIL_DISABLED"))


def test_a_child_does_not_wait_for_a_lock_of_another_thread():
    accumulator = METRIC.accumulator()
    accumulation._LOCK.acquire()
    threading.Timer(0.1, accumulation._LOCK.release).start()
    assert in_child(lambda: int(accumulator.update(SOME, OTHERS) is not None)) == 0
    accumulator.update(SOME, OTHERS)

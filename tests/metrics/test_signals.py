# SPDX-License-Identifier: Apache-2.0
"""Every long call ends soon after Ctrl-C, and what it was called on is as before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.command import COMMAND
from support.long_calls import (
    CALLS,
    FEW,
    FEW_OTHERS,
    MANY,
    MANY_OTHERS,
    METRIC,
    OTHERS,
    SOME,
    StopError,
    signal_after,
    went_on,
)  # fmt: skip

from truebleu import BLEU
from truebleu.metrics.workers import heeding, ordered

#: Seconds that a call may go on. 0.2 is what is meant, and measured by `benchmarks/hostile.py`;
#: other programs may stop this one.
SOON = 2.0


@pytest.fixture(autouse=True, scope="module")
def _not_ignored():
    """The background jobs of a shell ignore Ctrl-C, and so would all that they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("after", [0.1, pytest.param(0.35, marks=pytest.mark.slow)])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_signal_stops_a_call(call, after):
    assert went_on(call, after) < SOON
    # Nothing of it is left: the same objects go on.
    few = METRIC.sentences(FEW, FEW_OTHERS)
    assert few.tobytes() == BLEU(threads=1).sentences(FEW, FEW_OTHERS).tobytes()


def test_an_accumulator_that_was_stopped_has_what_it_had():
    accumulator = METRIC.accumulator()
    accumulator.update(FEW, FEW_OTHERS)
    before = accumulator.compute()
    with pytest.raises(StopError), signal_after(0.1):
        accumulator.update(MANY, MANY_OTHERS)
    assert accumulator.compute() == before


def test_a_handler_may_call_and_the_call_goes_on():
    found = []
    before = signal.signal(
        signal.SIGALRM, lambda *_: found.append(METRIC.corpus(FEW * 50, FEW * 50))
    )
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        score = METRIC.corpus(MANY, MANY_OTHERS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [one.value for one in found] == [METRIC.corpus(FEW, FEW).value]
    assert score == METRIC.corpus(MANY, MANY_OTHERS)


def test_python_s_own_work_on_other_threads_is_ended():
    """Functions of Python that tokenize: the kernel's team does not know of them."""
    tokenize = heeding(lambda _: time.sleep(0.005))
    begun = time.perf_counter()
    with pytest.raises(StopError), signal_after(0.1):
        list(ordered(lambda text: [tokenize(text) for _ in range(2_000)], "abcd", threads=2))
    assert time.perf_counter() - begun < SOON


def test_calls_of_other_threads_go_on():
    """Ctrl-C is the main thread's; what others compute is whole."""
    scores = []
    other = threading.Thread(target=lambda: scores.append(METRIC.corpus(MANY, MANY_OTHERS)))
    with pytest.raises(StopError), signal_after(0.2):  # noqa: PT012
        other.start()
        METRIC.corpus(MANY, MANY_OTHERS)
        METRIC.corpus(MANY, MANY_OTHERS)
        METRIC.corpus(MANY, MANY_OTHERS)
    other.join()
    assert scores == [METRIC.corpus(MANY, MANY_OTHERS)]


# Commands.


FILES = ["ref", "-i", "hyp"]
LONG = ["long.ref", "-i", "long.hyp"]
SLOW = ["--max-order", "40", "--threads", "2"]
#: Each takes seconds, and what it would write.
COMMANDS = {
    "score": (["score", *LONG, *SLOW], []),
    "score of standard input": (["score", "long.ref", "-i", "-", *SLOW], []),
    "score a long line": (["score", "line.ref", "-i", "line.hyp", *SLOW], []),
    "score by several metrics": (["score", *LONG, "-m", "bleu", "chrf", "ter"], []),
    "sentences": (["score", *LONG, *SLOW, "-sl", "-f", "json"], []),
    "per segment": (["score", *LONG, *SLOW, "--per-segment", "out.tsv"], ["out.tsv"]),
    "explain": (["explain", *LONG, "-f", "json"], []),
    "diff": (["diff", *LONG, "-b", "nltk", "-f", "json"], []),
    "check": (["check", *FILES, "-f", "json"], []),
    "reconcile": (["reconcile", *FILES, "--score", "12.3"], []),
    "report": (["report", *FILES, "-o", "page.html"], ["page.html"]),
    "compare": (["compare", *FILES, "ref", "-n", "9000000", "-f", "json"], []),
    "self-bleu": (["self-bleu", "long.hyp", *SLOW], []),
}
#: Those of every change; each of the others takes a second of start-up more.
QUICK = {"score of standard input", "score a long line", "per segment", "report"}


@pytest.fixture(scope="module")
def long_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    for name, lines in (("hyp", SOME), ("ref", OTHERS)):
        (folder / name).write_text("\n".join(lines * 10) + "\n")
        (folder / f"long.{name}").write_text("\n".join(lines * 150) + "\n")
        (folder / f"line.{name}").write_text(" ".join(lines * 10) + "\n")
    return folder


def seconds_of(process):
    """Processor time that a process has had."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="what a process does is read from /proc")
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        pytest.param(*given, id=name, marks=[] if name in QUICK else pytest.mark.slow)
        for name, given in COMMANDS.items()
    ],
)
def test_ctrl_c_ends_a_command(arguments, output, long_files):
    given = (long_files / "long.hyp").open("rb") if "-" in arguments else None
    started = subprocess.Popen(
        [COMMAND, *arguments], cwd=long_files, stdin=given, stdout=-1, stderr=-1
    )
    # What is imported is imported by then.
    while seconds_of(started) < 0.5 and started.poll() is None:
        time.sleep(0.01)
    assert started.poll() is None, "it ended before it was stopped"
    started.send_signal(signal.SIGINT)
    begun = time.monotonic()
    out, error = started.communicate(timeout=60)
    took = time.monotonic() - begun
    assert (started.returncode, out) == (130, b"")
    assert b"Traceback" not in error
    assert took < SOON
    for name in output:
        assert not (long_files / name).exists()

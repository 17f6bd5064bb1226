# SPDX-License-Identifier: Apache-2.0
"""Calls in other processes return what calls in this one do."""

import os
import subprocess
import sys
import time
from functools import partial
from unittest import mock

import pytest

from truebleu import BLEU, InputError
from truebleu.analysis.check import Column, Texts, begin, findings, inspect
from truebleu.analysis.processes import Processes, results

LINES = [f"This is sentence {i} of a text, and it has a stop." for i in range(1_200)]
REF = Column("ref", "ref.txt", LINES, first=1)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """A few lines are worth a process."""
    monkeypatch.setattr(findings, "MANY", 500)


def systems(*, surrogate=False):
    """Three systems with a fault each."""
    tabs = [line.replace(" ", "\t", 1) if i % 3 == 0 else line for i, line in enumerate(LINES)]
    tagged = [f"<s> {line}" for line in LINES]
    if surrogate:
        tagged[7] += "\ud800"
    few = Column("ref", "few.txt", LINES[:20], first=1)
    return [
        Texts(Column("hyp", "tabs.txt", tabs, first=1), [REF]),
        Texts(Column("hyp", "tagged.txt", tagged, first=1), [REF]),
        Texts(Column("hyp", "lost.txt", LINES[1:20], first=1), [few]),
    ]


def found(metric):
    with Processes(metric.threads - 1) as processes:
        return results(begin(systems(), metric, processes))


def test_other_processes_find_the_same():
    assert found(BLEU(threads=3)) == [inspect(texts, BLEU()) for texts in systems()]


@pytest.mark.parametrize("threads", [1, 2])
def test_this_process_finds_what_another_cannot(threads):
    expected = [inspect(texts, BLEU()) for texts in systems()]
    with mock.patch.object(sys, "executable", "/bin/false"):
        assert found(BLEU(threads=threads)) == expected
    by_function = BLEU(tokenize=lambda text: text.split(), threads=threads)
    assert [one[0].kind for one in found(by_function)] == [one[0].kind for one in expected]


@pytest.mark.parametrize("size", [1, 10_000, 1_000_000])
def test_this_process_makes_a_call_that_could_not_be_sent(size):
    popen = subprocess.Popen

    def dead(*args, **options):
        process = popen(*args, **options)
        process.wait()
        return process

    with (
        mock.patch.object(sys, "executable", "/bin/false"),
        mock.patch("subprocess.Popen", dead),
        Processes(1) as processes,
    ):
        assert processes.call(partial(len, bytes(size))).result(wait=True) == size


def test_errors_are_those_of_this_process():
    with Processes(1) as processes, pytest.raises(InputError, match=r"hyps\[7\] holds the lone surrogate"):
        results(begin(systems(surrogate=True), BLEU(), processes))


def test_a_process_makes_one_call_after_the_other_and_goes_on_after_an_error():
    with Processes(1) as processes:
        first, second, fails, after = (
            processes.call(partial(int, "here"), elsewhere)
            for elsewhere in (os.getpid, os.getpid, partial(int, "no number"), os.getpid)
        )
        assert first.result(wait=True) == second.result(wait=True) != os.getpid()
        with pytest.raises(ValueError, match="'here'"):
            fails.result(wait=True)
        assert after.result(wait=True) == first.result()


def test_processes_end_with_the_caller():
    with Processes(2) as processes:
        begin(systems(), BLEU(), processes)
        while not processes._running:
            time.sleep(0.001)
        running = tuple(processes._running)
    for process in running:
        assert process.poll() is not None

# SPDX-License-Identifier: Apache-2.0
"""Findings of several systems: other processes find what this one would."""

import sys
import time
from unittest import mock

import pytest

from truebleu import BLEU, InputError
from truebleu.analysis.check import Column, Inspections, Texts, inspect

LINES = [f"This is sentence {i} of a text, and it has a stop." for i in range(1_200)]
REF = Column("ref", "ref.txt", LINES, first=1)


def systems(*, surrogate=False):
    """Three systems with a fault each, the last one too short for a process."""
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
    with Inspections(systems(), metric) as inspections:
        return inspections.results()


def test_other_processes_find_the_same():
    metric = BLEU(threads=3)
    with mock.patch("truebleu.analysis.check.processes.inspect", wraps=inspect) as here:
        assert found(metric) == [inspect(texts, metric) for texts in systems()]
    # A process that has not begun yet is not waited for.
    assert here.call_count <= 2


@pytest.mark.parametrize("threads", [1, 2])
def test_this_process_finds_what_another_cannot(threads):
    expected = [inspect(texts, BLEU()) for texts in systems()]
    with mock.patch.object(sys, "executable", "/bin/false"):
        assert found(BLEU(threads=threads)) == expected
    by_function = BLEU(tokenize=lambda text: text.split(), threads=threads)
    assert [one[0].kind for one in found(by_function)] == [one[0].kind for one in expected]


def test_errors_are_those_of_this_process():
    with (
        Inspections(systems(surrogate=True), BLEU(threads=2)) as inspections,
        pytest.raises(InputError, match=r"tagged.txt:8 holds the lone surrogate"),
    ):
        inspections.results()


def test_processes_end_with_the_caller():
    with Inspections(systems(), BLEU(threads=3)) as inspections:
        while not inspections._running:
            time.sleep(0.001)
        running = tuple(inspections._running)
    for process in running:
        assert process.wait(10) is not None

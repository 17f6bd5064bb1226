# SPDX-License-Identifier: Apache-2.0
"""The findings of several systems, in other processes: detectors are mostly Python code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from truebleu.analysis.check.findings import Finding, inspect
from truebleu.analysis.check.texts import Texts
from truebleu.analysis.processes import Call, Processes

#: The fewest lines of all systems that are worth a process: to check them takes 0.7 s, and to start
#: it a third of a second.
_LARGE = 20_000


def begin(systems: Sequence[Texts], metric: Any, processes: Processes) -> list[Call[list[Finding]]]:
    """Begin to look for the findings of each system, whose effects the metric measures."""
    is_large = sum(len(texts.hyp) for texts in systems) >= _LARGE
    calls = [partial(inspect, texts, metric) for texts in systems]
    return [processes.call(call) if is_large else Call(call, None) for call in calls]

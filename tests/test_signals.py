# SPDX-License-Identifier: Apache-2.0
"""Every long call ends soon after Ctrl-C, and what it was called on is as before."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND
from long_calls import CALLS, FEW, FEW_OTHERS, METRIC, MANY, MANY_OTHERS, StopError, signal_after, went_on

from truebleu import BLEU, scan

#: Seconds that a call may go on. 0.2 is what is meant, and measured by `benchmarks/hostile.py`;
#: other programs may stop this one.
SOON = 1.0


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_signal_stops_a_call(call):
    found = [went_on(call, after) for after in (0.1, 0.35)]
    assert statistics.median(found) < SOON, found
    # Nothing of it is left: the same objects go on.
    few = METRIC.sentences(FEW, FEW_OTHERS)
    assert few.tobytes() == BLEU(threads=1).sentences(FEW, FEW_OTHERS).tobytes()

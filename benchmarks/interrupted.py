# SPDX-License-Identifier: Apache-2.0
"""A process of its own: prints for each long call how soon it ends after signals.

Beside that the longest time in which it would have heard none. Called as `interrupted.py ROUNDS`;
the calls are those of `tests/metrics/test_signals.py`.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from long_calls import CALLS, StopError, signal_after, went_on

#: Signals come within so many seconds of a call, or before its end.
MOST = 4.0

#: Seconds of a call in which it is listened to without a break.
WATCHED = 40.0


def duration(call: Callable[[], Any]) -> float:
    """Seconds that a call takes, up to `MOST`."""
    begun = time.perf_counter()
    with suppress(StopError), signal_after(MOST):
        call()
    return min(time.perf_counter() - begun, MOST)


def deaf(call: Callable[[], Any]) -> float:
    """The most seconds in which a call hears no signal, in its first `WATCHED` seconds."""
    begun = last = time.perf_counter()
    most = 0.0

    def tick(*_: Any) -> None:
        nonlocal last, most
        now = time.perf_counter()
        last, most = now, max(most, now - last)
        if now - begun > WATCHED:
            raise StopError

    with suppress(StopError), signal_after(0.01):
        signal.signal(signal.SIGALRM, tick)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        made = call()  # it is let go of when nobody listens any longer
        signal.setitimer(signal.ITIMER_REAL, 0)
        del made
    return most


rounds = int(sys.argv[1])
for name, call in CALLS.items():
    took = duration(call)
    # Evenly over the whole call: its parts differ.
    seconds = [went_on(call, took * (i + 0.5) / rounds) for i in range(rounds)]
    print(json.dumps([name, seconds, deaf(call)]), flush=True)

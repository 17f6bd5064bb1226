# SPDX-License-Identifier: Apache-2.0
"""A process of its own: prints for each long call how long it goes on after signals.

Called as `interrupted.py ROUNDS`; the calls are those of `tests/test_signals.py`.
"""

from __future__ import annotations

import json
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


def duration(call: Callable[[], Any]) -> float:
    """Seconds that a call takes, up to `MOST`."""
    begun = time.perf_counter()
    with suppress(StopError), signal_after(MOST):
        call()
    return min(time.perf_counter() - begun, MOST)


rounds = int(sys.argv[1])
for name, call in CALLS.items():
    took = duration(call)
    # Evenly over the whole call: its parts differ.
    seconds = [went_on(call, took * (i + 0.5) / rounds) for i in range(rounds)]
    print(json.dumps([name, seconds]), flush=True)

# SPDX-License-Identifier: Apache-2.0
"""A process of its own: prints for each long call how long it goes on after signals.

Called as `interrupted.py ROUNDS`; the calls are those of `tests/test_signals.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from long_calls import CALLS, went_on

for name, call in CALLS.items():
    seconds = [went_on(call, 0.05 + 0.06 * i) for i in range(int(sys.argv[1]))]
    print(json.dumps([name, seconds]), flush=True)

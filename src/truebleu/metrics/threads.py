# SPDX-License-Identifier: Apache-2.0
"""How many threads a call may use."""

from __future__ import annotations

import os

from truebleu.errors import OptionError, check_int

_MOST = 1 << 16


def check(threads: int | None) -> int:
    """A number of threads; of None, TRUEBLEU_NUM_THREADS or as many as the process may run on.

    Raises:
        OptionError: it is no number, or not from 1 on.
    """
    if threads is None:
        text = os.environ.get("TRUEBLEU_NUM_THREADS", "")
        if not text:
            if hasattr(os, "sched_getaffinity"):
                return len(os.sched_getaffinity(0))
            return os.cpu_count() or 1
        if not text.isdecimal() or len(text) > 20:
            raise OptionError(f"TRUEBLEU_NUM_THREADS is {text!r}; it must be a whole number")
        threads = int(text)
    return check_int("threads", threads, 1, _MOST)

# SPDX-License-Identifier: Apache-2.0
"""The most memory that this process has held."""

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak() -> int:
    """The most memory that the process has held, in bytes."""
    if not STATUS.exists():  # not Linux: the peak includes that of making the corpus
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def forget_peak() -> None:
    """Have the peak begin anew at what is held now."""
    control = Path("/proc/self/clear_refs")
    if control.exists():
        control.write_text("5")

# SPDX-License-Identifier: Apache-2.0
"""Progress of work that is a part of other work."""

from __future__ import annotations

from collections.abc import Callable


def between(progress: Callable[[float], None], start: float, end: float) -> Callable[[float], None]:
    """The progress of a part: its shares from 0 to 1 are those from `start` to `end`."""
    return lambda share: progress(start + (end - start) * share)


def part_of(progress: Callable[[float], None], place: int, parts: int) -> Callable[[float], None]:
    """The progress of the part at a place, counted from 0, of parts of the same size."""
    return between(progress, place / parts, (place + 1) / parts)

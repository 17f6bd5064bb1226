# SPDX-License-Identifier: Apache-2.0
"""Which lines have a sign that normalizations look for: all lines and patterns in one pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

#: Lines whose characters are numbers at the same time, 4 bytes each.
_BLOCK = 8192


def flags(lines: Sequence[str], patterns: Sequence[str]) -> NDArray[np.int64]:
    """For each line, a bit for each of up to 63 patterns that may match it.

    Args:
        lines: any text.
        patterns: regular expressions for single characters, and for runs of one.

    Example:
        >>> from truebleu.text.signs import flags
        >>> flags(["a -- b", "a - b: c"], ["-", ":", "--"]).tolist()
        [5, 3]
    """
    result = np.zeros(len(lines), np.int64)
    for start in range(0, len(lines), _BLOCK):
        block = lines[start : start + _BLOCK]
        text = "".join(f"{line}\n" for line in block)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        used = np.flatnonzero(np.bincount(codes)).tolist()
        alone, repeated = np.zeros((2, used[-1] + 1), np.int64)
        for code in used:
            alone[code], repeated[code] = _bits(chr(code), tuple(patterns))
        marks = alone[codes]
        marks[1:] |= np.where(codes[1:] == codes[:-1], repeated[codes[1:]], 0)
        ends = np.cumsum([len(line) + 1 for line in block])
        marks[ends - 1] = 0  # what a line feed alone matches is the end of the line
        result[start : start + _BLOCK] = np.bitwise_or.reduceat(marks, np.append(0, ends[:-1]))
    return result


@lru_cache(maxsize=1 << 16)
def _bits(letter: str, patterns: tuple[str, ...]) -> tuple[int, int]:
    """The patterns that match a character, and those that match a run of it."""
    alone = sum(1 << k for k, sign in enumerate(patterns) if re.search(sign, letter))
    return alone, sum(1 << k for k, sign in enumerate(patterns) if re.search(sign, 4 * letter))

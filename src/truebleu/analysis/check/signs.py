# SPDX-License-Identifier: Apache-2.0
"""Which texts have the characters that a detector looks for.

Most texts have none of them. One pass over the bytes of all texts, for all detectors, takes a
hundredth of the time of their searches; those that have a sign are then searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.kernel import signs_in

#: Before the first byte of a text.
_EDGE = 0xFF
_ALL: list[Sign] = []

#: A character for each first byte of characters beyond ASCII.
WIDE = [
    *map(chr, range(0x80, 0x800, 0x40)),
    "\u0800", *map(chr, range(0x1000, 0x10000, 0x1000)),
    "\U00010000", *map(chr, range(0x40000, 0x110000, 0x40000)),
]  # fmt: skip


class Sign:
    """Characters, one of which a text must have to be searched.

    Other texts can have it, too: characters of several bytes are told by the last two, and of a
    pair only the bytes next to each other are looked at.

    Args:
        characters: anywhere in a text.
        pairs: two characters that follow each other.
        starts: characters at the beginning of a text.
        wide: characters of several bytes that are told by the first.
    """

    def __init__(
        self,
        characters: Iterable[str] = (),
        *,
        pairs: Iterable[Sequence[str]] = (),
        starts: Iterable[str] = (),
        wide: Iterable[str] = (),
    ) -> None:
        self._characters = [character.encode() for character in characters]
        self._characters += [character.encode()[:1] for character in wide]
        self._pairs = [(first.encode()[-1], second.encode()[0]) for first, second in pairs]
        self._pairs += [(_EDGE, first.encode()[0]) for first in starts]
        self._bit = np.uint32(1 << len(_ALL))
        _ALL.append(self)

    def rows(self, signs: NDArray[np.uint32], *, present: bool = True) -> list[int]:
        """The rows that have it, or those that do not."""
        rows: list[int] = np.flatnonzero(self.among(signs) == present).tolist()
        return rows

    def among(self, signs: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether each row has it."""
        among: NDArray[np.bool_] = (signs & self._bit) != 0
        return among

    def mark(self, table: NDArray[np.uint32]) -> None:
        """Set its bit for pairs of bytes."""
        for utf8 in self._characters:
            table[utf8[-2] if len(utf8) > 1 else slice(None), utf8[-1]] |= self._bit
        for first, second in self._pairs:
            table[first, second] |= self._bit


def members(ranges: str) -> Iterator[str]:
    """The characters of a set as `re` writes it: "a-z_"."""
    at = 0
    while at < len(ranges):
        last = at + 2 if ranges[at + 1 : at + 2] == "-" else at
        yield from map(chr, range(ord(ranges[at]), ord(ranges[last]) + 1))
        at = last + 1


@dataclass(frozen=True, slots=True)
class Scan:
    """What one pass over texts shows of each: its signs, and how many characters and blanks."""

    signs: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    blanks: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Scan:
        """The scan of texts; UnicodeEncodeError if one has a lone surrogate."""
        signs, *numbers = signs_in(texts, _table(len(_ALL)))
        lengths, blanks = (np.frombuffer(one, dtype=np.int64) for one in numbers)
        return cls(np.frombuffer(signs, dtype=np.uint32), lengths, blanks)

    def with_rows(self, rows: Sequence[int], other: Scan) -> Scan:
        """This scan, with another for some rows."""
        new = self.signs.copy(), self.lengths.copy(), self.blanks.copy()
        for own, changed in zip(new, (other.signs, other.lengths, other.blanks), strict=True):
            own[rows] = changed  # type: ignore[index]
        return Scan(*new)


@cache
def _table(_: int) -> bytes:
    """So many signs, by pairs of bytes."""
    table = np.zeros((256, 256), dtype=np.uint32)
    for sign in _ALL:
        sign.mark(table)
    return table.tobytes()

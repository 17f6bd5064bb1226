# SPDX-License-Identifier: Apache-2.0
"""Which texts have the characters that normalizations look for, in one pass of NumPy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.judge import LINES
from truebleu.text.normalization import Normalization
from truebleu.text.normalizations import TYPOGRAPHY

Bits = NDArray[np.uint64]

#: Patterns that match characters or runs of them.
_SETS = {row.pattern for row in TYPOGRAPHY}


def alphabet(texts: Sequence[str]) -> dict[str, int]:
    """The characters of texts, and how often each occurs."""
    counts = np.bincount(codes_of(texts))
    used = np.flatnonzero(counts)
    return dict(zip(map(chr, used.tolist()), counts[used].tolist(), strict=True))


def codes_of(texts: Sequence[str]) -> NDArray[np.uint32]:
    """The characters of texts as numbers, each text with a line feed at its end."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode("utf-32-le"), np.uint32)


class Signs:
    """The signs of normalizations that texts have, as bits."""

    def __init__(self, table: Iterable[Normalization]) -> None:
        # More signs than bits: all texts are searched for the last rows.
        signs = list(dict.fromkeys(sign for row in table if (sign := _sign(row))))[:64]
        self._signs = {sign: re.compile(sign) for sign in signs}
        #: The bits of each character alone, in a run, after a space, and before one.
        self._tables = np.zeros((4, 0x110000), np.uint64)
        self._is_read = np.zeros(0x110000, bool)

    def of(self, texts: Sequence[str]) -> Bits:
        """The signs of each text. So many texts at a time fit into the cache of a processor."""
        parts = [self._of(texts[at : at + LINES]) for at in range(0, len(texts), LINES)]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint64)

    def _of(self, texts: Sequence[str]) -> Bits:
        codes = codes_of(texts)
        alone, run, after, before = self._tables
        self._read(np.flatnonzero(np.bincount(codes)))
        bits = alone[codes]
        spaces = np.flatnonzero(codes[:-1] == ord(" "))
        bits[spaces + 1] |= after[codes[spaces + 1]]
        spaces = spaces[spaces > 0] - 1
        bits[spaces] |= before[codes[spaces]]
        same = np.flatnonzero(codes[1:] == codes[:-1])
        bits[same] |= run[codes[same]]
        sizes = np.fromiter(map(len, texts), np.intp, len(texts)) + 1
        result: Bits = np.bitwise_or.reduceat(bits, np.cumsum(sizes) - sizes)
        return result

    def _read(self, codes: NDArray[np.intp]) -> None:
        letters = map(chr, codes[~self._is_read[codes]].tolist())
        self._is_read[codes] = True
        forms = "".join(f"\n{c}\n{4 * c}\n {c}\n{c} " for c in letters if c not in "\n ")
        alone, run, after, before = self._tables
        for bit, sign in enumerate(self._signs.values() if forms else ()):
            for match in sign.finditer(forms):
                first, last = match[0][0], match[0][-1]
                table = alone if len(match[0]) == 1 else run if first == last else before
                if first == " ":
                    table, first = after, last
                table[ord(first)] |= np.uint64(1 << bit)

    def rows(self, row: Normalization, texts: Sequence[str], bits: Bits) -> list[int]:
        """The texts in which a normalization may change something."""
        places: Iterable[int] = range(len(texts))
        if (sign := _sign(row)) in self._signs:
            bit = np.uint64(1 << list(self._signs).index(sign))
            places = np.flatnonzero(bits & bit).tolist()
        if sign == row.pattern:
            return [*places]
        search = re.compile(row.pattern).search
        return [place for place in places if search(texts[place])]


def _sign(row: Normalization) -> str:
    """The sign of a normalization; empty if all texts must be searched."""
    is_set = row.pattern in _SETS or re.fullmatch(r"\[[^]^][^]]*\]", row.pattern)
    return row.sign or (row.pattern if is_set else "")

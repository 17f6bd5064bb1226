# SPDX-License-Identifier: Apache-2.0
"""The texts of a column under repair, and which of them have what normalizations look for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.judge import MANY
from truebleu.text.normalization import NEVER_WRITTEN, Normalization
from truebleu.text.normalizations import TYPOGRAPHY


def alphabet(texts: Sequence[str]) -> dict[str, int]:
    """The characters of texts, and how often each occurs."""
    counts = np.bincount(codes_of(texts))
    used = np.flatnonzero(counts)
    return dict(zip(map(chr, used.tolist()), counts[used].tolist(), strict=True))


def codes_of(texts: Sequence[str]) -> NDArray[np.uint32]:
    """The characters of texts as numbers, each text with a line feed at its end."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode("utf-32-le"), np.uint32)


def grams(texts: Sequence[str], size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The n-grams of letters and single spaces of texts, as numbers, and the text of each."""
    codes = codes_of([text.replace("\n", " ") for text in texts])
    folded = np.zeros(int(codes.max(initial=ord("\n"))) + 1, np.uint64)
    for code in np.flatnonzero(np.bincount(codes)).tolist():
        letter = chr(code)
        is_letter = letter.isalpha() or unicodedata.category(letter)[0] == "M"
        folded[code] = ord(letter.lower()[0]) if is_letter else ord(" ")
    folded[ord("\n")] = 0
    plain = folded[codes]
    plain = plain[np.append(True, (plain[1:] != ord(" ")) | (plain[:-1] != ord(" ")))]
    rows = np.cumsum(plain == 0)
    plain, rows = np.append(plain, np.zeros(size, np.uint64)), np.append(rows, [-1] * size)
    values = plain[:-size]
    for place in range(1, size):  # two grams have the same number by a rare chance
        values = values * np.uint64(0x1000193) + plain[place : place - size]
    inside = (rows[:-size] == rows[size - 1 : -1]) & (plain[:-size] > 0)
    return values[inside], rows[:-size][inside]


#: A place is a sign and a row in one number: the bits of the row, and the mark of a repeated sign.
_BITS, _TWICE = 40, 1 << 21
_ROW = (1 << _BITS) - 1


def _sign(letter: str) -> int:
    """The number of a sign: all but spaces and ASCII's letters and digits, for which it is 0.

    Letters beyond Latin-1 are one sign: most texts that have any have many.
    """
    if letter == " " or (letter.isascii() and letter.isalnum()):
        return 0
    return 0x110000 if letter > "\xff" and letter.isalnum() else ord(letter)


class Lines:
    """The texts of a column, which repairs change, and an index of the signs in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self.letters: set[str] = set()
        self.step = len(texts) // MANY + 1
        self._places = np.zeros(0, np.int64)
        self._rows: dict[tuple[str, int], list[int]] = {}
        self._index(range(len(texts)))

    def _index(self, rows: Sequence[int]) -> None:
        """Add the signs of rows to the index."""
        places = [self._places]
        for start in range(0, len(rows), MANY):
            part = np.asarray(rows[start : start + MANY])
            texts = [self.texts[row] for row in part]
            codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
            used = np.flatnonzero(np.bincount(codes)).tolist()
            self.letters.update(map(chr, used))
            table = np.zeros(max(used, default=0) + 1, np.int64)
            table[used] = [_sign(chr(code)) for code in used]
            signs = table[codes]
            at = np.flatnonzero(signs)
            signs = signs[at] | _TWICE * (signs[at] == np.append(signs, 0)[at + 1])
            ends = np.cumsum([*map(len, texts)])
            places.append(signs << _BITS | part[np.searchsorted(ends, at, "right")])
        self._places = np.sort(np.concatenate(places))

    def change(self, texts: Mapping[int, str]) -> None:
        """Put other texts into some rows."""
        is_old = np.zeros(len(self.texts), bool)
        for row, text in texts.items():
            self.texts[row], is_old[row] = text, True
        self._places = self._places[~is_old[self._places & _ROW]]
        self._index([*texts])
        self._rows = {}

    def having(self, runs: Iterable[str]) -> list[int]:
        """The rows that may have one of these characters, or runs of one."""
        is_in = np.zeros(len(self.texts), bool)
        for sign, is_run in {(_sign(run[0]), len(run) > 1) for run in runs}:
            is_in |= not sign
            for number in (sign | _TWICE, *([] if is_run else [sign])):
                first, end = np.searchsorted(self._places, [number << _BITS, number + 1 << _BITS])
                is_in[self._places[first:end] & _ROW] = True
        return np.flatnonzero(is_in).tolist()

    def matching(
        self, row: Normalization, places: Sequence[int] = (), *, every: bool = False
    ) -> list[int]:
        """The rows, of some or of all, in which a normalization may change something.

        Of very many, a sample is searched if the mark is not wrong in each line.
        """
        texts, search = self.texts, re.compile(row.pattern).search
        if places:
            return [i for i in places if search(texts[i])]
        step = 1 if every or row.lines == NEVER_WRITTEN else self.step
        if (row.pattern, step) not in self._rows:
            lines: Iterable[int] = range(len(texts))
            if sign := row.sign or (row.pattern if _is_set(row.pattern) else ""):
                runs = re.finditer(sign, "\n".join(4 * letter for letter in self.letters))
                lines = self.having(run[0] for run in runs)
            if step > 1:
                lines = [i for i in lines if i % step == 0]
            self._rows[row.pattern, step] = [i for i in lines if search(texts[i])]
        return self._rows[row.pattern, step]


@cache
def _is_set(pattern: str) -> bool:
    """Whether a pattern matches characters or runs of them."""
    typographic = (row.pattern for row in TYPOGRAPHY)
    return pattern in typographic or re.fullmatch(r"\[[^]^][^]]*\]", pattern) is not None

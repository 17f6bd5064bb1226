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


class Lines:
    """The texts of a column, which repairs change."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self._wide = [i for i, text in enumerate(texts) if not text.isascii()]
        self.letters = set("".join(texts[i] for i in self._wide))
        plain = "".join(text for text in texts if text.isascii())
        self.letters.update(letter for letter in map(chr, range(128)) if letter in plain)
        self.step = len(texts) // MANY + 1
        self._rows: dict[tuple[str, int], list[int]] = {}

    def change(self, texts: Mapping[int, str]) -> None:
        """Put other texts into some rows."""
        for row, text in texts.items():
            self.texts[row] = text
        self.letters.update(*texts.values())
        self._wide = sorted({*self._wide, *texts})
        self._rows = {}

    def matching(
        self, row: Normalization, places: Sequence[int] = (), *, every: bool = False
    ) -> list[int]:
        """The rows, of some or of all, in which a normalization may change something.

        Of very many, a sample is searched if the mark is not wrong in each line.
        """
        texts, search = self.texts, re.compile(row.pattern).search
        step = 1 if every or places or row.lines == NEVER_WRITTEN else self.step
        key = row.pattern, step
        if not places and key in self._rows:
            return self._rows[key]
        lines: Iterable[int] = places or range(0, len(texts), step)
        if sign := row.sign or (row.pattern if _is_set(row.pattern) else ""):
            runs = re.finditer(sign, "\n".join(4 * letter for letter in self.letters))
            signs = {run[0] for run in runs}
            if len(signs) < 16:  # for so many signs, a pattern takes as long
                wide = [i for i in places or self._wide if i % step == 0]
                lines = sorted({i for sign in signs for i in (lines if sign.isascii() else wide)
                                if sign in texts[i]})  # fmt: skip
            elif not any(map(str.isascii, signs)):
                lines = [i for i in places or self._wide if i % step == 0]
        lines = [i for i in lines if search(texts[i])] if row.pattern else [*lines]
        if not places:
            self._rows[key] = lines
        return lines


@cache
def _is_set(pattern: str) -> bool:
    """Whether a pattern matches characters or runs of them."""
    typographic = (row.pattern for row in TYPOGRAPHY)
    return pattern in typographic or re.fullmatch(r"\[[^]^][^]]*\]", pattern) is not None

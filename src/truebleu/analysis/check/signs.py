# SPDX-License-Identifier: Apache-2.0
"""The texts of a column under repair, and which of them have what normalizations look for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.judge import MANY
from truebleu.text.mending import MENDING
from truebleu.text.normalization import NEVER_WRITTEN, Normalization
from truebleu.text.normalizations import TYPOGRAPHY
from truebleu.text.signs import codes_of, flags


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


#: What shows that a row may change a line, and the rows of the table that have such a sign.
_SIGNS = {
    row: row.sign or row.pattern for row in (*MENDING, *TYPOGRAPHY) if row.sign or row.typographic
}
_PATTERNS = [*dict.fromkeys(_SIGNS.values())]


class Lines:
    """The texts of a column, which repairs change, and the signs in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self.step = len(texts) // MANY + 1
        self._flags = flags(self.texts, _PATTERNS)
        self._rows: dict[tuple[str, int], list[int]] = {}

    def change(self, texts: Mapping[int, str]) -> None:
        """Put other texts into some rows."""
        for row, text in texts.items():
            self.texts[row] = text
        self._flags[[*texts]] = flags([*texts.values()], _PATTERNS)
        self._rows = {}

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
            lines: Iterable[int] = range(0, len(texts), step)
            if row in _SIGNS:
                has_sign = self._flags[::step] >> _PATTERNS.index(_SIGNS[row]) & 1
                lines = (np.flatnonzero(has_sign) * step).tolist()
            self._rows[row.pattern, step] = [i for i in lines if search(texts[i])]
        return self._rows[row.pattern, step]

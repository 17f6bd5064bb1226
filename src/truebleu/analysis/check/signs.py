# SPDX-License-Identifier: Apache-2.0
"""Which texts have the characters that normalizations look for, in one pass of NumPy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from truebleu.text.normalization import Normalization

_CODES = 0x110000


def sign_of(row: Normalization) -> str:
    """The sign of a normalization; empty if all texts must be searched."""
    return row.sign or (row.pattern if re.fullmatch(r"\[[^]^][^]]*\]", row.pattern) else "")


class Signs:
    """The signs of normalizations that each text of a column has, as bits."""

    def __init__(self, rows: Iterable[Normalization], texts: Sequence[str]) -> None:
        # More signs than bits: the texts of the last rows are searched.
        signs = list(dict.fromkeys(sign for row in rows if (sign := sign_of(row))))[:64]
        self._bits = {sign: np.uint64(1 << bit) for bit, sign in enumerate(signs)}
        self._patterns = {sign: re.compile(sign) for sign in signs}
        self._any = re.compile("|".join(f"(?:{sign})" for sign in signs))
        self._of_texts = self._scan(texts)

    def change(self, texts: Mapping[int, str]) -> None:
        """Read other texts in some rows."""
        self._of_texts[list(texts)] = self._scan(list(texts.values()))

    def rows(self, row: Normalization) -> list[int] | None:
        """The rows that have the sign of a normalization; None if that is not known."""
        bit = self._bits.get(sign_of(row))
        return None if bit is None else np.flatnonzero(self._of_texts & bit).tolist()

    def _scan(self, texts: Sequence[str]) -> NDArray[np.uint64]:
        codes = np.frombuffer("\n".join(texts).encode("utf-32-le"), np.uint32)
        starts = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])])
        bits = np.zeros(len(texts), np.uint64)
        spaces = np.flatnonzero(codes == ord(" "))
        before, after = spaces[spaces > 0] - 1, spaces[spaces < len(codes) - 1] + 1
        for form, places in (("{}", None), ("{} ", before), (" {}", after)):
            own = codes if places is None else codes[places]
            table = self._table(own, form)
            at = np.flatnonzero(table.astype(bool)[own])
            in_codes = at if places is None else places[at]
            np.bitwise_or.at(bits, np.searchsorted(starts, in_codes, "right") - 1, table[own[at]])
        return bits

    def _table(self, codes: NDArray[np.uint32], form: str) -> NDArray[np.uint64]:
        """The bits of the characters with these codes, alone or next to a space."""
        is_used, table = np.zeros(_CODES, bool), np.zeros(_CODES, np.uint64)
        is_used[codes] = True
        for code in np.flatnonzero(is_used).tolist():
            text = form.format(chr(code))
            if self._any.fullmatch(text):
                for sign, pattern in self._patterns.items():
                    if pattern.fullmatch(text):
                        table[code] |= self._bits[sign]
        return table


def alphabet(texts: Sequence[str]) -> dict[str, int]:
    """The characters of texts, and how often each occurs."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    counts = np.bincount(codes)
    used = np.flatnonzero(counts)
    return dict(zip(map(chr, used.tolist()), counts[used].tolist(), strict=True))

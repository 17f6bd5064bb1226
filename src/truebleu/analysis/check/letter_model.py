# SPDX-License-Identifier: Apache-2.0
"""How well a text fits the language of other texts, by the letters in it.

A model of letter trigrams, learnt from the texts at hand, separates languages of one script in a
line or less (Dunning 1994), and needs no list of languages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.scripts import script_of

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Weights of the estimates from three letters, two, one and none (Jelinek and Mercer 1980).
_WEIGHTS = (0.6, 0.3, 0.099, 0.001)
#: Buckets of the counts; trigrams that share one are counted together.
_BUCKETS = 1 << 20
_PRIME = 65_599
_END = ord("\n")


class Letters:
    """The letters of a script in texts, as integers, and which text each is of; 0 is all else."""

    def __init__(self, texts: Sequence[str | None], script: str) -> None:
        joined = "\n".join(" ".join((text or "").lower().split()) for text in texts) + "\n"
        codes = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)
        ends = codes == _END
        rows = np.cumsum(ends) - ends
        present = np.flatnonzero(np.bincount(codes))
        table = np.zeros(int(present[-1]) + 1, dtype=np.int64)
        letters = [code for code in present.tolist() if script_of(chr(code)) == script]
        table[letters] = letters
        letters_at = table[codes]
        keep = np.ones(len(codes), dtype=bool)
        keep[1:] = (letters_at[1:] != 0) | (letters_at[:-1] != 0) | (rows[1:] != rows[:-1])
        self.codes: Integers = letters_at[keep]
        self.rows: Integers = rows[keep]
        self.count: Integers = np.bincount(self.rows, self.codes != 0, len(texts)).astype(np.int64)


def _n_grams(codes: Integers) -> tuple[Integers, Integers, Integers]:
    """The buckets of the one, two and three letters that end at each place."""
    padded = np.concatenate([np.zeros(2, dtype=np.int64), codes])
    two = padded[1:-1] * _PRIME + codes
    three = (padded[:-2] * _PRIME + padded[1:-1]) * _PRIME + codes
    last = _BUCKETS - 1  # of a power of two: its bits are the remainder, in a third of the time
    return codes & last, two & last, three & last


class LetterModel:
    """The probabilities of letters after two others."""

    def __init__(self, codes: Integers) -> None:
        self._counts = [np.bincount(n_grams, minlength=_BUCKETS) for n_grams in _n_grams(codes)]
        self._total = max(len(codes), 1)
        self._different = max(int(np.count_nonzero(self._counts[0])), 1)

    def logs(self, codes: Integers) -> Floats:
        """The logarithm of each letter's probability."""
        one, two, three = (
            counts[n_grams].astype(float)
            for counts, n_grams in zip(self._counts, _n_grams(codes), strict=True)
        )
        # How often the letters before came: the same n-grams, one place earlier.
        before_one = np.concatenate([[self._counts[0][0]], one[:-1]])
        before_two = np.concatenate([[self._counts[1][0]], two[:-1]])
        shares = (
            three / np.maximum(before_two, 1),
            two / np.maximum(before_one, 1),
            one / self._total,
            1 / self._different,
        )
        total = np.zeros(len(codes))
        for weight, share in zip(_WEIGHTS, shares, strict=True):
            total += weight * share
        logs: Floats = np.log(total)
        return logs

    def means(self, letters: Letters) -> Floats:
        """The mean logarithm of each text."""
        return mean_logs(self.logs(letters.codes), letters)


def mean_logs(logs: Floats, letters: Letters) -> Floats:
    """The mean of the logarithms of each text's letters."""
    sums = np.bincount(letters.rows, logs, minlength=len(letters.count))
    means: Floats = sums / np.maximum(letters.count, 1)
    return means

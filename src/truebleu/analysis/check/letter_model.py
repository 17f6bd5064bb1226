# SPDX-License-Identifier: Apache-2.0
"""How well a text fits the language of other texts, by the letters in it.

A model of letter trigrams, learnt from the texts at hand, separates languages of one script in a
line or less (Dunning 1994), and needs no list of languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.scripts import BLOCKS, script_of
from truebleu.metrics.kernel import LetterCounts, letters_in

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

#: Weights of the estimates from three letters, two, one and none (Jelinek and Mercer 1980).
_WEIGHTS = (0.6, 0.3, 0.099, 0.001)


class Letters:
    """The letters of a script in texts, as integers, 0 for all else, and their number in each."""

    def __init__(self, texts: Sequence[str | None], script: str) -> None:
        lines = [(text or "").lower() for text in texts]
        codes, sizes, count = letters_in(lines, _letters_of(script))
        self.codes = np.frombuffer(codes, dtype=np.int32)
        self.sizes, self.count = (np.frombuffer(one, dtype=np.int64) for one in (sizes, count))

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which text each integer is of."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


@cache
def _letters_of(script: str) -> bytes:
    """For each code point whether it is a letter of a script."""
    end = max(last for _, last, name in BLOCKS if name == script) + 1
    return bytes(script_of(chr(code)) == script for code in range(end))


class LetterModel:
    """The probabilities of letters after two others."""

    def __init__(self, codes: Codes) -> None:
        self._counts = LetterCounts(codes)

    def logs(self, codes: Codes) -> Floats:
        """The logarithm of each letter's probability."""
        logs: Floats = np.log(np.frombuffer(self._counts.probabilities(codes, _WEIGHTS)))
        return logs

    def means(self, letters: Letters) -> Floats:
        """The mean logarithm of each text."""
        return mean_logs(self.logs(letters.codes), letters)


def mean_logs(logs: Floats, letters: Letters) -> Floats:
    """The mean of the logarithms of each text's letters."""
    sums = np.bincount(letters.rows, logs, minlength=len(letters.count))
    means: Floats = sums / np.maximum(letters.count, 1)
    return means

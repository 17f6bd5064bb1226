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

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Weights of the estimates from three letters, two, one and none (Jelinek and Mercer 1980).
_WEIGHTS = (0.6, 0.3, 0.099, 0.001)


class Letters:
    """The letters of a script in texts, as integers, and which text each is of; 0 is all else."""

    def __init__(self, texts: Sequence[str | None], script: str) -> None:
        lines = [(text or "").lower() for text in texts]
        self.codes, self.rows, self.count = (
            np.frombuffer(column, dtype=np.int64)
            for column in letters_in(lines, _letters_of(script))
        )


@cache
def _letters_of(script: str) -> bytes:
    """For each code point whether it is a letter of a script."""
    end = max(last for _, last, name in BLOCKS if name == script) + 1
    return bytes(script_of(chr(code)) == script for code in range(end))


class LetterModel:
    """The probabilities of letters after two others."""

    def __init__(self, codes: Integers) -> None:
        self._counts = LetterCounts(codes)

    def logs(self, codes: Integers) -> Floats:
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

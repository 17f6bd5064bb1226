# SPDX-License-Identifier: Apache-2.0
"""The judge: whether a change of texts makes them more similar to those that they face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.chrf import CHRF
from truebleu.text.normalization import CHOSEN_BY_WRITERS, NEVER_WRITTEN, Normalization

Floats = NDArray[np.float64]

#: Orders of character n-grams: letters alone are shared by all texts, and longer n-grams by few.
_ORDERS = (3, 4)
#: How many times as many lines must become more similar as less similar: a change that does as much
#: harm as good in a quarter of its lines is no repair.
TIMES = 3
#: About how many lines show how a column is written, and whether a change of it pays: more take
#: time and change no verdict.
LINES = 1_000
#: A fault in fewer than one in 2,000 lines changes the score by less than a twentieth of a point,
#: and is a note: so many lines show four of each that is more.
MANY = 8 * LINES
#: The share that is nearly all. Of repairs that gain nearly as much as the best, the first counts:
#: the table comes before what was discovered.
NEARLY = 0.8
#: Translations less similar to their references have hardly anything in common with them.
UNLIKE = 0.25
_IS_CHARACTER = re.compile(r".|\[[^]]+\]", re.DOTALL)
#: Similarities that differ by less are equal but for rounding.
ROUNDING = 1e-9


def is_choice(row: Normalization) -> bool:
    """Whether a normalization concerns marks that each writer may choose."""
    return row.typographic and row.lines >= CHOSEN_BY_WRITERS


class Judge:
    """The mean F-score of character n-grams of orders 3 and 4, spaces and case counted."""

    def __init__(self, threads: int | None = None) -> None:
        self._chrf = CHRF(char_order=max(_ORDERS), beta=1, whitespace=True, threads=threads)

    def similarity(self, texts: Sequence[str], columns: Sequence[Sequence[str]]) -> Floats:
        """How similar each text is to the most similar of those that it faces, from 0 to 1."""
        best = np.zeros(len(texts))
        for facing in columns if len(texts) else ():
            counts = np.asarray(self._chrf.stats(list(texts), list(facing))).astype(float)
            own, other, same = (counts[:, [3 * n - 3 + k for n in _ORDERS]] for k in range(3))
            best = np.maximum(best, (2 * same / np.maximum(own + other, 1)).mean(axis=1))
        return best


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change does: rows that are no worse, those that are better, how many worse, the gain.

    A line that loses more than others gain has another reason for its marks, and is left alone.
    """

    fair: Sequence[int] = ()
    better: Sequence[int] = ()
    worse: int = 0
    gain: float = 0.0

    @classmethod
    def of(cls, rows: Sequence[int], change: Floats, weight: float = 1) -> Verdict:
        """The verdict on a change of similarity in rows, which stand for `weight` times as many."""
        is_better = change > ROUNDING
        least = -float(np.median(change[is_better])) if is_better.any() else 0.0
        places = np.asarray(rows, np.intp)
        return cls(
            places[change >= least].tolist(), places[is_better].tolist(),
            int((change < -ROUNDING).sum()), float(change.sum()) * weight,
        )  # fmt: skip

    def pays(self, row: Normalization) -> bool:
        """Whether enough lines improve, at least three times as many as get worse.

        A character that no writer writes is a fault as well where no line improves.
        """
        if row.lines == NEVER_WRITTEN and _IS_CHARACTER.fullmatch(row.pattern) and not self.worse:
            return bool(self.fair)
        return len(self.better) >= max(row.lines, TIMES * self.worse) and self.gain > 0

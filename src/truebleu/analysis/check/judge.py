# SPDX-License-Identifier: Apache-2.0
"""The judge: whether a change of texts makes them more similar to those that they face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics.chrf import CHRF
from truebleu.text.normalization import NEVER_WRITTEN, Normalization

Floats = NDArray[np.float64]

#: Orders of character n-grams: letters alone are shared by all texts, and longer n-grams by few.
_ORDERS = (3, 4)
#: How many times as many lines must become more similar as less similar: a change that does as much
#: harm as good in a quarter of its lines is no repair.
_TIMES = 3
_IS_CHARACTER = re.compile(r".|\[[^]]+\]", re.DOTALL)
#: Similarities that differ by less are equal but for rounding.
ROUNDING = 1e-9


class Judge:
    """The mean F-score of character n-grams of orders 3 and 4, spaces and case counted."""

    def __init__(self, threads: int | None = None, *, whitespace: bool = True) -> None:
        self._chrf = CHRF(
            char_order=max(_ORDERS), beta=1, whitespace=whitespace, lowercase=not whitespace,
            threads=threads,
        )  # fmt: skip

    def similarity(self, texts: Sequence[str], columns: Sequence[Sequence[str]]) -> Floats:
        """How similar each text is to the most similar of those that it faces, from 0 to 1."""
        best = np.zeros(len(texts))
        for facing in columns if len(texts) else ():
            counts = np.asarray(self._chrf.stats(list(texts), list(facing))).astype(float)
            scores = np.zeros(len(texts))
            for order in _ORDERS:
                own, other, same = counts[:, 3 * order - 3 : 3 * order].T
                scores += 2 * same / np.maximum(own + other, 1)
            best = np.maximum(best, scores / len(_ORDERS))
        return best


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change does: the rows that are no worse, how many are better and worse, the gain."""

    rows: Sequence[int] = ()
    better: int = 0
    worse: int = 0
    gain: float = 0.0

    @classmethod
    def of(cls, rows: Sequence[int], before: Floats, after: Floats, weight: float = 1.0) -> Verdict:
        """The verdict on a change of rows, which stand for `weight` times as many."""
        change = after - before
        better, worse = change[change > ROUNDING], change[change < -ROUNDING]
        # A line that loses more than others gain has another reason for its marks.
        bound = -float(np.median(better)) if len(better) else 0.0
        fair = [row for row, gain in zip(rows, change.tolist(), strict=True) if gain >= bound]
        return cls(fair, len(better), len(worse), float(change.sum()) * weight)

    def pays(self, row: Normalization) -> bool:
        """Whether enough lines improve, at least three times as many as get worse.

        A character that no writer writes is a fault as well where no line improves.
        """
        if row.lines == NEVER_WRITTEN and _IS_CHARACTER.fullmatch(row.pattern) and not self.worse:
            return bool(self.rows)
        return self.better >= max(row.lines, _TIMES * self.worse) and self.gain > 0

# SPDX-License-Identifier: Apache-2.0
"""The judge: whether a change makes texts more similar to those that they face, and its effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.faults import Texts
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.recounting import arguments, is_additive, recounted
from truebleu.text.json_text import for_json
from truebleu.text.normalization import NEVER_WRITTEN, WRITTEN_BY_PROGRAMS, Normalization

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
MANY = 2 * WRITTEN_BY_PROGRAMS * LINES
#: The share that is nearly all. Of repairs that gain nearly as much as the best, the first counts:
#: the table comes before what was discovered.
NEARLY = 0.8
#: Translations less similar to their references have hardly anything in common with them.
UNLIKE = 0.25
_IS_CHARACTER = re.compile(r".|\[[^]]+\]", re.DOTALL)
#: Similarities that differ by less are equal but for rounding.
ROUNDING = 1e-9


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
        fair, better = places[change >= least].tolist(), places[is_better].tolist()
        return cls(fair, better, int((change < -ROUNDING).sum()), float(change.sum()) * weight)

    def pays(self, row: Normalization) -> bool:
        """Whether enough lines improve, at least three times as many as get worse.

        A character that no writer writes is a fault as well where no line improves.
        """
        if row.lines == NEVER_WRITTEN and _IS_CHARACTER.fullmatch(row.pattern) and not self.worse:
            return bool(self.fair)
        return len(self.better) >= max(row.lines, TIMES * self.worse) and self.gain > 0


class Scores:
    """Scores of aligned texts as they are, changed, and without some segments."""

    def __init__(self, texts: Texts, metric: Any) -> None:
        self._metric, self._texts = metric, texts
        self._stats: Any = None
        if texts.has_score:
            self._stats = metric.stats(*arguments([column.texts for column in texts.scored]))
        self.before = self._score(self._stats)

    def _score(self, stats: Any) -> float | None:
        return None if stats is None else for_json(self._metric.score(stats.sum()).value)

    def of(self, texts: Texts, metric: Any = None) -> float | None:
        """The score of other texts, or with another metric; None if a segment has no reference."""
        if not texts.has_score:
            return None
        hyps, refs = arguments([column.texts for column in texts.scored])
        return for_json((metric or self._metric).corpus(hyps, refs).value)

    def after(self, changes: Mapping[int, Mapping[int, str]]) -> float | None:
        """The score with other texts in some rows of the hypotheses (0) and references (1, ...)."""
        if self._stats is None:
            return None
        columns = [column.texts for column in self._texts.scored]
        each = [changes.get(at, {}) for at in range(len(columns))]
        return self._score(recounted(self._metric, self._stats, columns, each))

    def without(self, segments: Iterable[int]) -> float | None:
        """The score without some segments; None if that is all of them."""
        lost = {*segments}
        if self._stats is None or not 0 < len(lost) < len(self._texts.hyp):
            return None
        if not is_additive(self._metric):
            return self.of(self._texts.without(lost))
        return self._score(self._stats[np.delete(np.arange(len(self._texts.hyp)), [*lost])])

    def gain(self, after: float | None, before: float | None) -> float:
        """By how many points of a hundred a score is better; 0 if one is unknown."""
        if after is None or before is None:
            return 0.0
        change = after - before if self._metric.higher_is_better else before - after
        scale = self._metric.scale if isfinite(self._metric.scale) else max(before, after, 1.0)
        return change * 100 / float(scale)

# SPDX-License-Identifier: Apache-2.0
"""Scores of aligned texts as they came, with other texts in some rows, and without some rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from truebleu.analysis.check.columns import Texts
from truebleu.analysis.check.judge import ROUNDING
from truebleu.metrics.nist import NIST
from truebleu.text.json_text import for_json


class Scores:
    """Statistics add, so only the segments that a repair changes are counted again."""

    def __init__(self, texts: Texts, metric: Any) -> None:
        self._metric, self._texts = metric, texts
        self._stats: Any = None
        if texts.has_score and not isinstance(metric, NIST):  # its statistics do not add
            self._stats = metric.stats(*_arguments([column.texts for column in texts.scored]))
            self._total = self._stats.sum()
        self.before = (
            self.of(texts) if self._stats is None else for_json(metric.score(self._total).value)
        )

    def of(self, texts: Texts, metric: Any = None) -> float | None:
        """The score of other texts, or with another metric; None if a segment has no reference."""
        if not texts.has_score:
            return None
        columns = [column.texts for column in texts.scored]
        return for_json((metric or self._metric).corpus(*_arguments(columns)).value)

    def after(self, changes: Mapping[int, Mapping[int, str]]) -> float | None:
        """The score with other texts in some rows of the hypotheses (0) and references (1, ...)."""
        rows = sorted(set().union(*changes.values()))
        if self.before is None or not rows:
            return self.before
        counted = rows if self._stats is not None else range(len(self._texts.hyp))
        columns = [
            [old if (old := column.texts[i]) is None else changes.get(at, {}).get(i, old)
             for i in counted] for at, column in enumerate(self._texts.scored)
        ]  # fmt: skip
        if self._stats is None:
            return for_json(self._metric.corpus(*_arguments(columns)).value)
        return self._recounted(rows, np.asarray(self._metric.stats(*_arguments(columns)).sum()))

    def without(self, segments: Iterable[int]) -> float | None:
        """The score without some segments; None if that is all of them."""
        rows = sorted(set(segments))
        if self.before is None or not rows or len(rows) == len(self._texts.hyp):
            return None
        if self._stats is None:
            return self.of(self._texts.without(rows))
        return self._recounted(rows, 0)

    def _recounted(self, rows: list[int], added: Any) -> float | None:
        total = np.asarray(self._total) - np.asarray(self._stats[np.array(rows)].sum()) + added
        return for_json(self._metric.score(self._total.like(total)).value)

    def costs(self, after: float | None, before: float | None = None) -> bool:
        """Whether a score is worse than another: that of the texts as they came."""
        before = self.before if before is None else before
        if after is None or before is None:
            return False
        change = after - before
        return (change if self._metric.higher_is_better else -change) < -ROUNDING

    def points(self, after: float | None, before: float | None) -> float:
        """By how many points of a hundred two scores differ; 0 if one is unknown."""
        if after is None or before is None:
            return 0.0
        scale = self._metric.scale if isfinite(self._metric.scale) else max(before, after, 1.0)
        return abs(after - before) * 100 / float(scale)


def _arguments(columns: Sequence[Sequence[str | None]]) -> tuple[list[str], Sequence[object]]:
    """Hypotheses and references as a metric takes them."""
    hyps, *refs = columns
    is_single = len(refs) == 1 and None not in refs[0]
    return [text or "" for text in hyps], refs[0] if is_single else [*zip(*refs, strict=True)]

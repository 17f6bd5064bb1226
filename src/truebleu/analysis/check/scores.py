# SPDX-License-Identifier: Apache-2.0
"""Scores of aligned texts as they came, with other texts in some rows, and without some rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from truebleu.analysis.check.columns import Texts, for_metric
from truebleu.analysis.check.judge import ROUNDING
from truebleu.metrics.nist import NIST
from truebleu.text.json_text import for_json


class Scores:
    """Statistics add, so only the segments that a repair changes are counted again."""

    def __init__(self, texts: Texts, metric: Any) -> None:
        self._metric, self._texts = metric, texts
        self._columns = [column.texts for column in texts.scored]
        self._stats: Any = None
        if _has_score(texts) and not isinstance(metric, NIST):  # its statistics do not add
            self._stats = metric.stats(*for_metric(self._columns))
        if self._stats is None:
            self.before = self.of(texts)
        else:
            self._total: Any = self._stats.sum()
            self.before = for_json(metric.score(self._total).value)

    def of(self, texts: Texts, metric: Any = None) -> float | None:
        """The score of other texts, or with another metric; None if a segment has no reference."""
        if not _has_score(texts):
            return None
        columns = [column.texts for column in texts.scored]
        return for_json((metric or self._metric).corpus(*for_metric(columns)).value)

    def after(self, changes: Mapping[int, Mapping[int, str]]) -> float | None:
        """The score with other texts in some rows of the hypotheses (0) and references (1, ...)."""
        rows = sorted(set().union(*changes.values()))
        columns = [
            [texts[i] if texts[i] is None else changes.get(at, {}).get(i, texts[i]) for i in rows]
            for at, texts in enumerate(self._columns)
        ]
        if self.before is None or not rows:
            return self.before
        if self._stats is None:
            new = [list(column) for column in self._columns]
            for column, texts in zip(new, columns, strict=True):
                for i, text in zip(rows, texts, strict=True):
                    column[i] = text
            return for_json(self._metric.corpus(*for_metric(new)).value)
        return self._recounted(rows, np.asarray(self._metric.stats(*for_metric(columns)).sum()))

    def without(self, segments: Iterable[int]) -> float | None:
        """The score without some segments; None if that is all of them."""
        rows = sorted(set(segments))
        if self.before is None or not rows or len(rows) == len(self._columns[0]):
            return None
        return (
            self.of(self._texts.without(rows)) if self._stats is None else self._recounted(rows, 0)
        )

    def costs(self, after: float | None, before: float | None = None) -> bool:
        """Whether a score is worse than another: that of the texts as they came."""
        before = self.before if before is None else before
        if after is None or before is None:
            return False
        change = after - before
        return (change if self._metric.higher_is_better else -change) < -ROUNDING

    def points(self, after: float | None, before: float | None = None) -> float:
        """By how many points of a hundred a score differs from another; 0 if one is unknown."""
        before = self.before if before is None else before
        if after is None or before is None:
            return 0.0
        scale = self._metric.scale if isfinite(self._metric.scale) else max(before, after, 1.0)
        return abs(after - before) * 100 / float(scale)

    def _recounted(self, rows: list[int], added: Any) -> float | None:
        total = np.asarray(self._total) - np.asarray(self._stats[np.array(rows)].sum()) + added
        return for_json(self._metric.score(self._total.like(total)).value)


def _has_score(texts: Texts) -> bool:
    rows = zip(*(ref.texts for ref in texts.refs), strict=True)
    return len(texts.hyp) > 0 and not any(all(text is None for text in row) for row in rows)

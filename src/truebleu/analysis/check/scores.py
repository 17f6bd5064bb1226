# SPDX-License-Identifier: Apache-2.0
"""Scores of aligned texts as they came, with other texts in some rows, and without some rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
        self._metric = metric
        self._columns = [column.texts for column in texts.scored]
        refs = self._columns[1:]
        is_scored = len(texts.hyp) > 0 and not any(
            all(text is None for text in row) for row in zip(*refs, strict=True)
        )
        self._stats = self._total = None
        self.before: float | None = None
        if is_scored and not isinstance(metric, NIST):  # its statistics do not add
            self._stats = metric.stats(*for_metric(self._columns))
            self._total = self._stats.sum()
            self.before = for_json(metric.score(self._total).value)
        elif is_scored:
            self.before = self.of(texts)

    def of(self, texts: Texts, metric: Any = None) -> float | None:
        """The score of other texts, or with another metric; None if a segment has no reference."""
        columns = [column.texts for column in texts.scored]
        if not len(texts.hyp) or any(
            all(text is None for text in row) for row in zip(*columns[1:], strict=True)
        ):
            return None
        return for_json((metric or self._metric).corpus(*for_metric(columns)).value)

    def after(self, changes: Mapping[int, Mapping[int, str]]) -> float | None:
        """The score with other texts in some rows of the hypotheses (0) and references (1, ...)."""
        segments = sorted(set().union(*changes.values()))
        if self.before is None:
            return None
        if not segments:
            return self.before
        columns: list[Sequence[str | None]] = []
        for at, column in enumerate(self._columns):
            new = changes.get(at, {})
            columns.append(
                [new.get(i, column[i]) if column[i] is not None else None for i in segments]
            )
        return self._recounted(segments, columns)

    def without(self, segments: Iterable[int]) -> float | None:
        """The score without some segments; None if that is all of them."""
        left_out = sorted(set(segments))
        if self.before is None or not left_out or len(left_out) == len(self._columns[0]):
            return None
        return self._recounted(left_out, None)

    def costs(self, after: float | None, before: float | None = None) -> bool:
        """Whether a score is worse than another: that of the texts as they came."""
        before = self.before if before is None else before
        if after is None or before is None:
            return False
        change = after - before
        return (change if self._metric.higher_is_better else -change) < -ROUNDING

    def points(self, after: float | None, before: float | None = None) -> float:
        """By how many points of a hundred a score differs from another."""
        before = self.before if before is None else before
        if after is None or before is None:
            return 0.0
        scale = self._metric.scale if isfinite(self._metric.scale) else max(before, after, 1.0)
        return abs(after - before) * 100 / float(scale)

    def _recounted(
        self, segments: Sequence[int], columns: list[Sequence[str | None]] | None
    ) -> float | None:
        metric = self._metric
        if self._stats is None or self._total is None:
            texts = [list(column) for column in self._columns]
            if columns is None:
                left = sorted(set(range(len(texts[0]))).difference(segments))
                texts = [[column[i] for i in left] for column in texts]
            else:
                for column, new in zip(texts, columns, strict=True):
                    for i, text in zip(segments, new, strict=True):
                        column[i] = text
            return for_json(metric.corpus(*for_metric(texts)).value)
        total = np.asarray(self._total) - np.asarray(self._stats[np.array(segments)].sum())
        if columns is not None:
            total += np.asarray(metric.stats(*for_metric(columns)).sum())
        return for_json(metric.score(self._total.like(total)).value)

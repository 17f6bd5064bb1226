# SPDX-License-Identifier: Apache-2.0
"""Statistics of texts of which some lines are changed: only these are counted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from truebleu.metrics.metric import Metric

#: Texts of a column: the hypotheses, or a reference of each segment, None where it is absent.
Texts = Sequence[str | None]


def arguments(columns: Sequence[Texts]) -> tuple[Any, Sequence[Any]]:
    """Hypotheses and references as a metric takes them: a single reference needs no rows."""
    hyps, *refs = columns
    is_single = len(refs) == 1 and None not in refs[0]
    return hyps, refs[0] if is_single else [*zip(*refs, strict=True)]


def is_additive(metric: Any) -> bool:
    """Whether the counts of a segment are independent of others: NIST weighs by all references."""
    return type(metric)._ready is Metric._ready


def recounted(metric: Any, stats: Any, columns: Sequence[Texts], changes: Sequence[Mapping[int, str]]) -> Any:
    """The statistics of changed texts, a row for each segment; the same object without a change.

    Args:
        metric: what counted `stats`.
        stats: of `columns`.
        columns: the hypotheses, then each column of references.
        changes: the new texts of each column by their places; absent references stay absent.
    """
    places: Sequence[int] = sorted(set().union(*changes))
    if not places:
        return stats
    if not is_additive(metric):
        places = range(len(columns[0]))
    new = [
        [own.get(i, column[i]) if column[i] is not None else None for i in places]
        for column, own in zip(columns, changes, strict=True)
    ]
    table = np.array(stats)
    table[places] = metric.stats(*arguments(new))
    return stats.like(table)

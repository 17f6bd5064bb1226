# SPDX-License-Identifier: Apache-2.0
"""What repairing a fault does to the score, exactly: the texts are scored with the repair."""

from __future__ import annotations

from truebleu.analysis.check.texts import Column, Texts
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.ter import TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.check.fault import Fault

#: Kinds that keep files from being scored, if their numbers of lines differ.
_OUT_OF_STEP = ("lost-line", "inserted-line", "shifted-lines", "trailing-blank-line")


class Prices:
    """Scores before and after repairs.

    All faults of one kind are repaired together: white space that is replaced in one file alone
    could match worse than before.

    Args:
        texts: the texts as they came.
        paired: the texts in step, None if they could not be brought so. Where `texts` cannot be
            scored, repairs are measured on these.
        metric: what scores: a BLEU, CHRF or TER.
        faults: all that were found.
    """

    def __init__(
        self, texts: Texts, paired: Texts | None, metric: Any, faults: Sequence[Fault]
    ) -> None:
        self._metric = metric
        self._faults = faults
        self._texts = texts if texts.paired else paired
        self._as_it_is = _score(texts, metric) if texts.paired else None
        self._known: dict[str, float | None] = {}
        if self._texts is None or texts.paired:
            self._base = self._as_it_is
        else:
            self._base = _score(self._texts, metric)

    def of(self, fault: Fault) -> tuple[float | None, float | None]:
        """The score before and after the repair of all faults of this kind."""
        if fault.kind == "transposed":
            return None, self._base
        if fault.texts is not None:
            before = self._as_it_is if fault.kind in _OUT_OF_STEP else self._base
            return before, _score(fault.texts, self._metric)
        if fault.kind not in self._known:
            self._known[fault.kind] = self._repaired(fault)
        return self._base, self._known[fault.kind]

    def _repaired(self, fault: Fault) -> float | None:
        if self._texts is None:
            return None
        if fault.changes:
            return _score(self._texts, _changed(self._metric, fault.changes))
        fixes = [other for other in self._faults if other.kind == fault.kind and other.fix]
        if not fixes:
            return None
        return _score(_fixed(self._texts, fixes), self._metric)


def _changed(metric: Any, changes: dict[str, Any]) -> Any:
    """The metric with options that suit the texts."""
    if isinstance(metric, BLEU):
        return BLEU(metric.dialect.replace(**changes), threads=metric.threads)
    if isinstance(metric, TER):
        changes = {"case_sensitive": not changes["lowercase"]}
    return type(metric)(threads=metric.threads, **{**vars(metric.options), **changes})


def _score(texts: Texts, metric: Any) -> float | None:
    hyps, refs = texts.scored()
    if not hyps or not all(any(ref is not None for ref in row) for row in refs):
        return None
    value = metric.corpus(hyps, refs).value
    return None if value != value else value  # noqa: PLR0124  (true of NaN alone)


def _fixed(texts: Texts, faults: Sequence[Fault]) -> Texts:
    """The texts with the rows of these faults repaired."""
    fixed = {column: list(column.texts) for column in texts.columns}
    for fault in faults:
        # The column may have lost blank rows at its end since the fault was found.
        same = [column for column in fixed if column.place == fault.column.place]
        for column in same:
            for row in fault.rows:
                text = column.texts[row] if row < len(column) else None
                if text is not None and fault.fix is not None:
                    fixed[column][row] = fault.fix(text)
    columns = {
        column: Column(column.role, column.name, rows, column.first, column.suffix)
        for column, rows in fixed.items()
    }
    src = None if texts.src is None else columns[texts.src]
    rows_of = {columns[column]: rows for column, rows in texts.rows.items() if column in columns}
    return Texts(columns[texts.hyp], [columns[ref] for ref in texts.refs], src, rows_of)

# SPDX-License-Identifier: Apache-2.0
"""The score before and after a repair, exactly: the repaired texts are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.texts import Texts
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.ter import TER
from truebleu.text.json_text import for_json

#: Kinds that prevent scoring if the files differ in length.
_MISALIGNED = ("lost-line", "inserted-line", "shifted-lines", "trailing-blank-line")


class Repairs:
    """Scores before and after repairs.

    All faults of one kind are repaired together: spaces that are replaced in one file alone could
    match worse than before.

    Args:
        texts: the original texts.
        aligned: the aligned texts, None if there is no alignment. They are the base of the other
            repairs if `texts` have no score.
        metric: a BLEU, CHRF or TER.
        faults: all of them.
    """

    def __init__(
        self, texts: Texts, aligned: Texts | None, metric: Any, faults: Sequence[Fault]
    ) -> None:
        self._metric = metric
        self._faults = faults
        self._texts = texts if texts.paired else aligned
        self._base = self._score(self._texts)
        self._original = self._base if texts.paired else None
        self._after: dict[str, float | None] = {}

    def scores(self, fault: Fault) -> tuple[float | None, float | None]:
        """The score before and after the repair of all faults of this kind; None if unknown."""
        if fault.kind == "transposed":
            return None, self._base
        if fault.texts is not None:
            before = self._original if fault.kind in _MISALIGNED else self._base
            return before, self._score(fault.texts)
        if fault.kind not in self._after:
            self._after[fault.kind] = self._repaired(fault)
        return self._base, self._after[fault.kind]

    def _repaired(self, fault: Fault) -> float | None:
        fixes = [other for other in self._faults if other.kind == fault.kind and other.fix]
        if self._texts is None or not (fault.changes or fixes):
            return None
        if fault.changes:
            return self._score(self._texts, _changed(self._metric, fault.changes))
        return self._score(_fixed(self._texts, fixes))

    def _score(self, texts: Texts | None, metric: Any = None) -> float | None:
        if texts is None:
            return None
        hyps, refs = texts.for_metric()
        if not hyps or not all(any(ref is not None for ref in row) for row in refs):
            return None
        return for_json((metric or self._metric).corpus(hyps, refs).value)


def _changed(metric: Any, changes: Mapping[str, Any]) -> Any:
    """The metric with options that suit the texts."""
    if isinstance(metric, BLEU):
        return BLEU(metric.dialect.replace(**changes), threads=metric.threads)
    if isinstance(metric, TER):
        changes = {"case_sensitive": not changes["lowercase"]}
    return type(metric)(threads=metric.threads, **{**vars(metric.options), **changes})


def _fixed(texts: Texts, faults: Sequence[Fault]) -> Texts:
    """The texts with the rows of these faults repaired."""
    columns = {}
    for column in texts.columns:
        fixed = list(column.texts)
        for fault in faults:
            # By place: the column may have lost blank rows at its end since.
            for row in fault.rows if fault.column.place == column.place else ():
                if row < len(fixed) and fixed[row] is not None and fault.fix is not None:
                    fixed[row] = fault.fix(fixed[row] or "")
        columns[column] = replace(column, texts=fixed)
    return replace(
        texts,
        hyp=columns[texts.hyp],
        refs=[columns[ref] for ref in texts.refs],
        src=None if texts.src is None else columns[texts.src],
        rows={columns[column]: rows for column, rows in texts.rows.items() if column in columns},
    )

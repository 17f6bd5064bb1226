# SPDX-License-Identifier: Apache-2.0
"""`repair`: the texts after all repairs that `check` knows, and what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from truebleu.analysis.check.faults import MISALIGNED, examine, fixed, texts_of
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.texts import Column, Texts
from truebleu.dialects.decisions import Dialect
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric

#: A repair can uncover another fault: JSON inside of tags. Few texts are wrapped more often.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """What a repair changed in one file or argument: the kind of fault, and how many lines."""

    column: str
    kind: str
    lines: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """Texts after repair. Frozen.

    Attributes:
        hyps: the hypotheses, one per segment; a lost one is empty.
        refs: for each segment a list of its references, with None for an absent one.
        srcs: the sources, or None.
        changes: what was changed where.
    """

    hyps: list[str]
    refs: list[list[str | None]]
    srcs: list[str] | None
    changes: tuple[Change, ...]


def repair(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric[Any, Any] | None = None,
    srcs: Any = None,
    threads: int | None = None,
    **changes: Any,
) -> Repaired:
    r"""Repair what `check` finds and knows how to repair.

    Lines that were lost, inserted or shifted are realigned, and texts are repaired as the table of
    findings says. Nothing is translated, and no segment is removed from the test set.

    Args:
        hyps, refs, dialect, metric, srcs, threads, changes: as for `check`.

    Raises:
        InputError, OptionError, MissingExtraError: as `check`.

    Example:
        >>> from truebleu import repair
        >>> repaired = repair(["a cat\r", "&quot;a dog&quot;"], ["a cat", '"a dog"'])
        >>> repaired.hyps
        ['a cat ', '"a dog"']
        >>> [(change.kind, change.lines) for change in repaired.changes]
        [('carriage-return', 1), ('html-entity', 1)]
    """
    measure = choose_metric(metric, dialect, threads, changes)
    texts, _ = texts_of(hyps, refs, srcs, measure.threads)
    whole, made = repaired(texts, measure)
    new_hyps, _ = whole.for_metric()
    new_refs = [list(row) for row in zip(*map(whole.segments, whole.refs), strict=True)]
    new_srcs = None if whole.src is None else [text or "" for text in whole.segments(whole.src)]
    return Repaired(list(new_hyps), new_refs, new_srcs, tuple(change for _, change in made))


def repaired(
    texts: Texts, metric: Any, *, moves: bool = True
) -> tuple[Texts, list[tuple[Column, Change]]]:
    """The repaired texts, and what was changed in each of the columns.

    Row i of each column is segment i then, unless `moves` is false: then all rows stay in place.
    """
    made: list[tuple[Column, Change]] = []
    for _ in range(_ROUNDS):
        faults, aligned = examine(texts, metric)
        aligned = aligned if moves else None
        fixes = [
            fault for fault in faults
            if fault.fix or (fault.kind in MISALIGNED and aligned is not None)
        ]  # fmt: skip
        if not fixes:
            break
        made += [(one.column, Change(_name(one), one.kind, len(one.rows))) for one in fixes]
        texts = _straight(fixed(texts if aligned is None else aligned, _outermost_first(fixes)))
    return texts, made


def _straight(texts: Texts) -> Texts:
    """Aligned texts as columns in which row i is segment i; what is lost is empty."""
    if not texts.rows:
        return texts

    def column(one: Column) -> Column:
        lost = None if one.role == "ref" else ""
        rows = [lost if text is None else text for text in texts.segments(one)]
        return replace(one, texts=rows)

    return Texts(
        column(texts.hyp),
        [column(ref) for ref in texts.refs],
        None if texts.src is None else column(texts.src),
    )


def _name(fault: Fault) -> str:
    return fault.column.name + fault.column.suffix


def _outermost_first(faults: Sequence[Fault]) -> list[Fault]:
    """What was added around a line is removed before anything in the line changes."""
    return sorted(faults, key=lambda fault: fault.kind != "added-text")

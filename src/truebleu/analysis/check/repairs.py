# SPDX-License-Identifier: Apache-2.0
"""`repair`: the texts after all repairs that `check` knows, and what was changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from truebleu.analysis.check.columns import Column, Texts
from truebleu.analysis.check.examination import Examination, texts_of
from truebleu.dialects.decisions import Dialect
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.text.normalization import Normalization

#: Misaligned lines, which repair moves.
MISALIGNED = (
    "lost-line",
    "inserted-line",
    "shifted-lines",
    "shuffled-lines",
    "trailing-blank-line",
)


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
    normalizations: Iterable[Normalization] = (),
    threads: int | None = None,
    **changes: Any,
) -> Repaired:
    r"""Repair what `check` finds and knows how to repair.

    Lines that were lost, inserted, shifted or shuffled are realigned, and the normalizations that
    pay are applied. Nothing is translated, and no segment is removed from the test set.

    Args:
        hyps, refs, dialect, metric, srcs, normalizations, threads, changes: as for `check`.

    Raises:
        InputError, OptionError, MissingExtraError: as `check`.

    Example:
        >>> from truebleu import repair
        >>> repaired = repair(["a cat\r", "&quot;a dog&quot;"], ["a cat", '"a dog"'])
        >>> repaired.hyps
        ['a cat', '"a dog"']
        >>> [(change.kind, change.lines) for change in repaired.changes]
        [('html-entity', 1), ('carriage-return', 1)]
    """
    measure = choose_metric(metric, dialect, threads, changes)
    texts, _ = texts_of(hyps, refs, srcs)
    new, done = repaired(texts, measure, normalizations)
    new_srcs = None if new.src is None else new.src.filled
    new_refs = [list(row) for row in zip(*(ref.texts for ref in new.refs), strict=True)]
    return Repaired(new.hyp.filled, new_refs, new_srcs, tuple(change for _, change in done))


def repaired(
    texts: Texts, metric: Any, normalizations: Iterable[Normalization] = (), *, moves: bool = True
) -> tuple[Texts, list[tuple[Column, Change]]]:
    """The repaired texts, and what was changed in each of the columns.

    Row i of each column is segment i then, unless `moves` is false: then all rows stay in place.
    """
    examination = Examination(texts, metric, normalizations)
    if examination.repaired is None:
        return texts, []
    done = [
        (fault.column, Change(_name(fault.column), fault.kind, len(fault.lines or fault.segments)))
        for fault in examination.moved if moves and fault.kind in MISALIGNED
    ]  # fmt: skip
    for made in examination.repairs:
        for at, new in made.changes.items():
            column = texts.scored[at]
            if new:
                done.append((column, Change(_name(column), made.normalization.kind, len(new))))
    if moves:
        return examination.repaired, done
    return _in_place(texts, examination.repaired), done


def _in_place(texts: Texts, aligned: Texts) -> Texts:
    """The texts with the repaired texts of each row, without moving any."""
    columns = []
    for column, new in zip(texts.scored, aligned.scored, strict=True):
        rows = list(column.texts)
        for segment, text in enumerate(new.texts):
            if (row := new.row(segment)) is not None:
                rows[row] = text
        columns.append(replace(column, texts=rows))
    return Texts(columns[0], columns[1:], texts.src)


def _name(column: Column) -> str:
    return column.name + column.suffix

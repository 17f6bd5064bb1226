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
MISALIGNED = ("lost-line", "inserted-line", "shifted-lines", "shuffled-lines",
              "trailing-blank-line")  # fmt: skip


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
    done: list[tuple[Column, str, int]] = [
        (fault.column, fault.kind, len(fault.lines or fault.segments))
        for fault in examination.moved if moves and fault.kind in MISALIGNED
    ]  # fmt: skip
    for row in examination.repairs:
        done += [(texts.scored[at], row.normalization.kind, len(new))
                 for at, new in row.changes.items() if new]  # fmt: skip
    changes = [(column, Change(column.name + column.suffix, kind, lines))
               for column, kind, lines in done]  # fmt: skip
    if moves:
        return examination.repaired, changes
    columns = []
    for column, repaired in zip(texts.scored, examination.repaired.scored, strict=True):
        rows = {repaired.row(segment): text for segment, text in enumerate(repaired.texts)}
        columns.append(
            replace(column, texts=[rows.get(i, text) for i, text in enumerate(column.texts)])
        )
    return Texts(columns[0], columns[1:], texts.src), changes

# SPDX-License-Identifier: Apache-2.0
"""The order of the examination: align lines, apply what pays, look for what no repair mends.

`repair` returns the texts after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from truebleu.analysis.check import outputs
from truebleu.analysis.check.alignment import realign
from truebleu.analysis.check.corpus import MendedCorpus, Repair
from truebleu.analysis.check.faults import SENTENCES, Column, Fault, Texts
from truebleu.analysis.check.judge import Judge, Scores
from truebleu.dialects.changes import MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.text.escaping import excerpt
from truebleu.text.mending import copied_sources
from truebleu.text.normalization import Normalization


def texts_of(hyps: Any, refs: Any, srcs: Any) -> tuple[Texts, list[Fault]]:
    """The columns of the arguments of `check`, and the fault of a transposed list."""
    hyp = Column("hyp", "hyps", corpus.as_words("hyps", hyps))
    rows = corpus.as_python("refs", refs)
    src = None if srcs is None else Column("src", "srcs", corpus.as_words("srcs", srcs))
    is_transposed = (
        rows and len(rows) != len(hyp) and all(isinstance(row, (list, tuple)) and len(row) == len(hyp) for row in rows)
    )
    refs = _reference_columns(tuple(corpus.streams(*rows)) if is_transposed else rows)
    return Texts(hyp, refs, src), [Fault("transposed", refs[0])] if is_transposed else []


def _reference_columns(rows: Any) -> list[Column]:
    if all(isinstance(row, str) or row is None for row in rows):
        return [Column("ref", "refs", rows)]
    columns = corpus.reference_columns(rows) or [(None,) * len(rows)]
    return [Column("ref", "refs", list(texts), 0, f"[{k}]") for k, texts in enumerate(columns)]


class Examination:
    """What is wrong with columns of text: `faults`, first those of lines that were `moved`.

    `before` is the score of the texts as they came, `scores` are those of the `aligned` texts, and
    `repaired` are these after all `repairs`. What cannot be is None.
    """

    def __init__(self, texts: Texts, metric: Any, normalizations: Iterable[Normalization] = ()) -> None:
        for column in texts.columns:
            if not len(column):
                raise InputError(f"{column.name} is empty; give at least one segment")
        self.moved, self.aligned = realign(texts, metric.threads)
        self.faults = list(self.moved)
        self.repairs: list[Repair] = []
        self.scores: Scores | None = None
        self.before: float | None = None
        self.repaired = aligned = self.aligned
        if aligned is None:
            return
        self.scores = Scores(aligned, metric)
        self.before = self.scores.of(texts) if self.moved else self.scores.before
        tokenizer = metric.reader.dialect.tokenize.tokenize if metric.reader else None
        if aligned.src is not None:
            hyps, *refs, srcs = (column.filled for column in aligned.columns)
            normalizations = [*normalizations, copied_sources(hyps, refs, srcs)]
        work = MendedCorpus(
            [column.filled for column in aligned.scored],
            self.scores,
            normalizations,
            tokens=callable(tokenizer) or tokenizer in outputs.SPLIT,
            threads=metric.threads,
        )
        self.repairs = work.repair()
        self.repaired = aligned.with_texts(work.texts)
        # What was escaped or marked is mended in these texts.
        columns, similar, judge = work.texts, work.similarity(), Judge(metric.threads)
        found = [
            *outputs.refusals(aligned, columns, similar), *outputs.copies(aligned),
            *outputs.repeats(aligned, judge, similar), *outputs.lengths(aligned, columns, judge),
            *outputs.foreign(aligned, columns, similar),
            *outputs.wrong_tokenizer(aligned, tokenizer),
            *(fault for repair in self.repairs for fault in _mended(repair, aligned.scored)),
        ]  # fmt: skip
        if any(fault.kind == "unrelated-lines" for fault in self.moved):
            # What is wrong with most lines may be the reason; that with others shows nothing.
            found = [fault for fault in found if fault.whole or len(fault.segments) > len(aligned.hyp) // 2]
            if any(fault.segments and fault.kind != "too-short" for fault in found):
                self.moved = [fault for fault in self.moved if fault.kind != "unrelated-lines"]
        self.faults = [*self.moved, *found]


def _mended(repair: Repair, columns: Sequence[Column]) -> Iterator[Fault]:
    """The faults of each column that a normalization repairs."""
    row = repair.normalization
    discovered = row.name.partition("discovered: ")[2]
    message = SENTENCES.get(row.kind, f"{row.name} makes texts more similar to their counterparts.")
    message = f"{message[:-1]}: {excerpt(discovered)}." if discovered else message
    message += " Both sides have them." * repair.both
    pattern = re.compile(row.pattern) if row.pattern else None
    for at, segments in repair.columns.items():
        evidence = columns[at].evidence(segments, pattern)
        if row.is_choice and at == 0:
            evidence = [*evidence[:1], *columns[1].evidence(segments[:1], pattern)]
        yield Fault(row.kind, columns[at], segments, message, evidence, normalization=row, after=repair.after)


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
    metric: str | Metric | None = None,
    srcs: Any = None,
    normalizations: Iterable[Normalization] = (),
    threads: int | None = None,
    **changes: Unpack[MetricChanges],
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
        (fault.column, fault.kind, len(fault.lines))
        for fault in examination.moved
        if moves and fault.kind in MISALIGNED
    ]
    done += [
        (texts.scored[at], row.normalization.kind, len(new))
        for row in examination.repairs
        for at, new in row.changes.items()
        if new
    ]
    changes = [(column, Change(column.name + column.suffix, kind, lines)) for column, kind, lines in done]
    if moves:
        return examination.repaired, changes
    columns = [column.filled for column in texts.scored]
    for column, new in zip(columns, examination.repaired.scored, strict=True):
        for segment, text in enumerate(new.filled):
            if (row := new.row(segment)) is not None:
                column[row] = text
    return texts.with_texts(columns), changes

# SPDX-License-Identifier: Apache-2.0
"""The order of the examination: align lines, apply what pays, look for what no repair mends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from truebleu.analysis.check import language, outputs, sameness
from truebleu.analysis.check.columns import Column, Texts, excerpt
from truebleu.analysis.check.corpus import Corpus, Repair
from truebleu.analysis.check.judge import Judge
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.misalignment import realign
from truebleu.analysis.check.scores import Scores
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.text.normalization import Normalization


def texts_of(hyps: Any, refs: Any, srcs: Any) -> tuple[Texts, list[Fault]]:
    """The columns of the arguments of `check`, and the fault of a transposed list."""
    hyp = Column("hyp", "hyps", corpus.as_words("hyps", hyps))
    rows = corpus.as_python("refs", refs)
    src = None if srcs is None else Column("src", "srcs", corpus.as_words("srcs", srcs))
    is_transposed = rows and len(rows) != len(hyp) and all(
        isinstance(row, (list, tuple)) and len(row) == len(hyp) for row in rows
    )  # fmt: skip
    if not is_transposed:
        return Texts(hyp, _reference_columns(rows), src), []
    texts = Texts(hyp, _reference_columns(tuple(corpus.streams(*rows))), src)
    evidence = [("refs[0]", excerpt(str(texts.refs[0].texts[:2])))]
    return texts, [Fault("transposed", texts.refs[0], evidence=evidence)]


def _reference_columns(rows: Any) -> list[Column]:
    if all(isinstance(row, str) or row is None for row in rows):
        return [Column("ref", "refs", rows)]
    columns = corpus.reference_columns(rows) or [(None,) * len(rows)]
    return [Column("ref", "refs", list(texts), 0, f"[{k}]") for k, texts in enumerate(columns)]


class Examination:
    """What is wrong with columns of text.

    Attributes:
        faults: structural faults, those of misaligned lines first.
        moved: the faults of misaligned lines.
        aligned: the aligned texts; None if they cannot be aligned.
        scores: of the aligned texts.
        before: the score of the texts as they came; None if they have none.
        repairs: the normalizations that pay.
        repaired: the aligned texts after all repairs.
    """

    def __init__(
        self, texts: Texts, metric: Any, normalizations: Iterable[Normalization] = ()
    ) -> None:
        for column in texts.columns:
            if not len(column):
                raise InputError(f"{column.name} is empty; give at least one segment")
            _check_characters(column)
        self.moved, self.aligned = realign(texts, metric.threads)
        self.faults = list(self.moved)
        self.repairs: list[Repair] = []
        self.scores: Scores | None = None
        self.before: float | None = None
        self.repaired = aligned = self.aligned
        if aligned is None:
            return
        self.scores = Scores(aligned, metric)
        self.before = self.scores.before
        if self.moved:
            self.before = self.scores.of(texts) if texts.paired else None
        tokenizer = metric.reader.dialect.tokenize.tokenize if metric.reader else None
        if aligned.src is not None:
            normalizations = [*normalizations, sameness.copied_sources(aligned)]
        work = Corpus(
            [column.filled for column in aligned.scored], self.scores, metric.threads,
            tuple(normalizations), tokens=callable(tokenizer) or tokenizer in language.SPLIT,
        )  # fmt: skip
        self.repairs = work.repair()
        self.repaired = aligned.with_texts(work.texts)
        found = [
            *_structural(aligned, work, Judge(metric.threads)),
            *language.wrong_tokenizer(aligned, tokenizer),
        ]
        if any(fault.kind == "unrelated-lines" for fault in self.moved):
            # A possible reason; lines are compared only if none is a reason for all of them.
            large = len(aligned.hyp) // 2
            if any(len(fault.segments) > large for fault in found if fault.kind != "too-short"):
                self.moved = [fault for fault in self.moved if fault.kind != "unrelated-lines"]
            else:
                found = [fault for fault in found if fault.whole]
                self.repairs = [
                    r for r in self.repairs if any(len(rows) > large for rows in r.columns.values())
                ]
        self.faults = [*self.moved, *found]


def _structural(texts: Texts, work: Corpus, judge: Judge) -> list[Fault]:
    """Faults of aligned texts; what was escaped or marked is mended in the texts to compare."""
    columns, similarity = work.texts, work.similarity()
    reasons = [*outputs.refusals(texts, columns, similarity), *sameness.untranslated(texts)]
    excused = {row for fault in reasons for row in fault.segments}
    faults = [*reasons, *sameness.copies(texts), *sameness.repeats(texts, judge, similarity)]
    for fault in (
        *outputs.lengths(texts, columns, judge), *language.find(texts, columns, similarity)
    ):  # fmt: skip
        left = [row for row in fault.segments if row not in excused]
        if fault.column is not texts.hyp or len(left) == len(fault.segments):
            faults.append(fault)
        elif left:
            faults.append(replace(fault, segments=left, evidence=()))
    return faults


def _check_characters(column: Column) -> None:
    for row, text in enumerate(column.filled if not _is_text(column.filled) else ()):
        if not _is_text([text]):
            code = next(ord(character) for character in text if not _is_text([character]))
            raise InputError(
                f"{column.where(row + column.first)} holds the lone surrogate U+{code:04X}, which "
                'is not a character; decode the text without errors="surrogateescape", or replace '
                "it"
            )


def _is_text(texts: Iterable[str]) -> bool:
    try:
        return "".join(texts).encode() is not None
    except UnicodeEncodeError:
        return False

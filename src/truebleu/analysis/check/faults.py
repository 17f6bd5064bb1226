# SPDX-License-Identifier: Apache-2.0
"""The faults of texts: what all detectors find in them, and the texts after repair."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check import (
    added,
    characters,
    chat,
    foreign_marks,
    language,
    lengths,
    letter_case,
    misalignment,
    repetition,
    sameness,
    tokenization,
)
from truebleu.analysis.check.alignment import Similarity
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.texts import Column, Texts, excerpt
from truebleu.errors import InputError
from truebleu.inputs import corpus

#: Kinds that prevent scoring if the files differ in length.
MISALIGNED = ("lost-line", "inserted-line", "shifted-lines", "trailing-blank-line")
#: Kinds to repair before lines are compared, and kinds that change so much of a line that its
#: length and its letters show nothing.
_UNREADABLE = ("mojibake", "subwords", "html-entity")
_TOKENS = ("tokenized", "tokenized-lines")
_DAMAGING = (*_UNREADABLE, "escaped", "added-text", "chat", "repeated-text", "truncated")


def texts_of(hyps: Any, refs: Any, srcs: Any, threads: int) -> tuple[Texts, list[Fault]]:
    """The columns of the arguments of `check`, and the fault of a transposed list."""
    hyp = Column("hyp", "hyps", corpus.as_words("hyps", hyps))
    rows = corpus.as_python("refs", refs)
    src = None if srcs is None else Column("src", "srcs", corpus.as_words("srcs", srcs))
    if not _is_transposed(hyp, rows, threads):
        return Texts(hyp, _reference_columns(rows), src), []
    texts = Texts(hyp, _reference_columns(tuple(corpus.streams(*rows))), src)
    fault = Fault(
        "transposed", texts.refs[0], [],
        "The references are in sacreBLEU's layout, one list per set: [reference][segment].",
        evidence=[("refs[0]", excerpt(str(texts.refs[0].texts[:2])))], texts=texts, whole=True,
    )  # fmt: skip
    return texts, [fault]


def _reference_columns(rows: Any) -> list[Column]:
    if all(isinstance(row, str) or row is None for row in rows):
        return [Column("ref", "refs", rows)]
    columns = corpus.reference_columns(rows) or [(None,) * len(rows)]
    return [Column("ref", "refs", list(one), 0, f"[{k}]") for k, one in enumerate(columns)]


def _is_transposed(hyp: Column, rows: Any, threads: int) -> bool:
    """Whether `refs` has one list per set of references instead of one per segment.

    If there are as many sets as segments, the layout with the higher similarity decides.
    """
    if not rows or any(not isinstance(row, (list, tuple)) or len(row) != len(hyp) for row in rows):
        return False
    if len(rows) != len(hyp):
        return True
    if len(hyp) == 1:
        return False
    hyps = hyp.filled
    similarity = Similarity(threads)
    straight, turned = (
        sum(
            float(similarity.of_pairs(hyps, [text or "" for text in column]).mean())
            for column in columns
        ) / len(hyps)
        for columns in (zip(*rows, strict=True), rows)
    )  # fmt: skip
    # The wrong layout still pairs one of n segments correctly, of two segments one.
    return turned > 1.4 * straight + 0.05


def examine(texts: Texts, metric: Any) -> tuple[list[Fault], Texts | None]:
    """The faults of columns of text, and the aligned texts; None if they cannot be aligned."""
    for column in texts.columns:
        if not len(column):
            raise InputError(f"{column.name} is empty; give at least one segment")
        _check_characters(column)
    similarity = Similarity(metric.threads)
    moved, aligned = misalignment.realign(texts, similarity)
    unrelated = any(fault.kind == "unrelated-lines" for fault in moved)
    faults = list(characters.find(texts))
    tokenizer = metric.reader.dialect.tokenize.tokenize if metric.reader else None
    faults += tokenization.find(texts, tokenizer)
    if aligned is not None:
        alike = _similarities(aligned, similarity)
        repairs = (*_UNREADABLE, *_TOKENS)
        readable = fixed(aligned, [fault for fault in faults if fault.kind in repairs])
        once, copies = _once(readable)
        form = list(added.find(once))
        form += foreign_marks.find(fixed(once, form), similarity)
        form = [replace(one, rows=sorted(r for row in one.rows for r in copies.get(row, (row,))))
                for one in form]  # fmt: skip
        form += chat.find(fixed(aligned, form), similarity, alike)
        form += repetition.find(readable, similarity)
        damaged = {(fault.column.place, row) for fault in [*faults, *form]
                   if fault.kind in _DAMAGING for row in fault.rows}  # fmt: skip
        form += language.find(aligned, similarity, alike, damaged)
        if unrelated:
            # A possible reason; lines are compared only if none is a reason for all of them.
            form += sameness.find_copies(aligned)
            form += (fault for fault in lengths.find(aligned) if fault.kind == "empty-hyp")
            if any(2 * len(fault.rows) > len(fault.column) for fault in [*faults, *form]):
                moved = [fault for fault in moved if fault.kind != "unrelated-lines"]
            else:
                form = [fault for fault in form if fault.whole]
        else:
            lengthy = list(lengths.find(aligned))
            faults += _without_rows(lengthy, damaged, ("too-short", "too-long"))
            faults += sameness.find(aligned, similarity)
        faults += form
    faults = [*moved, *faults]
    if not _lowers(metric):
        faults += letter_case.find(
            texts if aligned is None else aligned, None if unrelated else aligned
        )
    return faults, aligned


def _once(texts: Texts) -> tuple[Texts, dict[int, list[int]]]:
    """Each segment once if most are repeated, and the rows of hypotheses by the first like them.

    Copies of a line are no more evidence than the line.
    """
    columns = [texts.segments(column) for column in texts.scored]
    if any(2 * len(set(some)) > texts.length for some in (columns[0], zip(*columns, strict=True))):
        return texts, {}
    first: dict[tuple[str | None, ...], list[int]] = {}
    for segment, key in enumerate(zip(*columns, strict=True)):
        first.setdefault(key, []).append(segment)
    groups = [texts.rows_of(texts.hyp, segments) for segments in first.values()]
    repeats = [segment for segments in first.values() for segment in segments[1:]]
    return texts.without(repeats), {rows[0]: rows for rows in groups if rows}


def _similarities(texts: Texts, similarity: Similarity) -> NDArray[np.float64]:
    """How similar each hypothesis is to the most similar of its references."""
    hyps, *columns = map(texts.filled, texts.scored)
    alike: NDArray[np.float64] = np.max(
        [similarity.of_columns(hyps, refs) for refs in columns], axis=0
    )
    return alike


def _without_rows(
    faults: Sequence[Fault], rows: Container[tuple[Any, int]], kinds: Sequence[str]
) -> Iterator[Fault]:
    """The faults, those of some kinds without rows that have another fault."""
    for fault in faults:
        rest = [row for row in fault.rows if (fault.column.place, row) not in rows]
        if fault.kind not in kinds or len(rest) == len(fault.rows):
            yield fault
        elif rest:
            yield replace(fault, rows=rest, evidence=fault.column.evidence(rest))


def _lowers(metric: Any) -> bool:
    """Whether the metric ignores case, or cannot."""
    if metric.reader:
        return bool(metric.reader.dialect.normalize.lowercase)
    settings = metric.settings
    if "case_sensitive" in settings:
        return not settings["case_sensitive"]
    return bool(settings.get("lowercase", True))


def _check_characters(column: Column) -> None:
    try:
        _ = column.scan  # reads all texts
    except UnicodeEncodeError:
        pass
    else:
        return
    for row, text in column.rows():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            code = ord(text[error.start])
            raise InputError(
                f"{column.where(row)} holds the lone surrogate U+{code:04X}, which is not a "
                'character; decode the text without errors="surrogateescape", or replace it'
            ) from None


def fixed(texts: Texts, faults: Sequence[Fault]) -> Texts:
    """The texts with the rows of these faults repaired."""
    columns = {}
    for column in texts.columns:
        # By place: the column may have lost blank rows at its end since.
        own = [fault for fault in faults if fault.fix and fault.column.place == column.place]
        fixed: dict[int, str] = {}
        for fault in own:
            for row in fault.rows:
                text = fixed.get(row, column.texts[row]) if row < len(column) else None
                if fault.fix and text is not None:
                    fixed[row] = fault.fix(text)
        columns[column] = column.with_texts(fixed) if fixed else column
    if all(column is one for column, one in columns.items()):
        return texts
    return replace(
        texts,
        hyp=columns[texts.hyp],
        refs=[columns[ref] for ref in texts.refs],
        src=None if texts.src is None else columns[texts.src],
        rows={columns[column]: rows for column, rows in texts.rows.items() if column in columns},
    )

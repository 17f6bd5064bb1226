# SPDX-License-Identifier: Apache-2.0
"""Misaligned columns: lines that were lost, inserted or shifted, and which file is at fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from truebleu.analysis.check.alignment import Alignment, Pairs, Similarity, align
from truebleu.analysis.check.kinds import Fault
from truebleu.analysis.check.texts import Column, Texts, excerpt
from truebleu.errors import quantity

#: For each column, the row of each segment.
SegmentRows = dict[Column, Sequence[int | None]]

#: The fewest lines that show whether two files belong together.
_FEWEST = 10
#: About how many lines show how similar those of other segments are.
_SAMPLE = 2_000


def realign(texts: Texts, similarity: Similarity) -> tuple[list[Fault], Texts | None]:
    """The faults of misaligned lines, and the aligned texts.

    The texts are None if the columns differ too much to find out which lines belong together.
    """
    faults, texts = _without_trailing_blanks(texts)
    moved, aligned = _aligned(texts, similarity)
    src = None if aligned is None else aligned.src
    if aligned is not None and src is not None and len(aligned.segments(src)) != aligned.length:
        rows = {column: rows for column, rows in aligned.rows.items() if column is not src}
        message = f"{quantity(len(src), 'source')} for {quantity(aligned.length, 'segment')}."
        moved.append(Fault("unequal-lines", src, [], message, whole=True))
        aligned = replace(aligned, src=None, rows=rows)
    return faults + moved, aligned


def _aligned(texts: Texts, similarity: Similarity) -> tuple[list[Fault], Texts | None]:
    hyps, *columns = (column.filled for column in texts.scored)
    related = [_related(hyps, [refs], similarity) for refs in columns]
    straight = all(one and one.is_straight for one in related)
    if len(columns) > 1 and not straight and _agree(columns, similarity):
        related = [_related(hyps, columns, similarity)] * len(columns)
    pairs = list(zip(texts.refs, related, strict=True))
    if any(one is None and len(ref) != len(hyps) for ref, one in pairs):
        sizes = ", ".join(f"{column.name} {len(column)}" for column in texts.scored)
        message = f"The numbers of lines differ ({sizes}), too much to find out where."
        return [Fault("unequal-lines", texts.hyp, [], message, whole=True)], None
    unrelated = [ref for ref, one in pairs if one is None]
    if len(unrelated) == len(texts.refs):
        faults = [_unrelated(texts.hyp, texts.refs[0])]
    else:
        faults = [_unrelated(ref, texts.hyp) for ref in unrelated]
    alignments = [one or Alignment(len(hyps), 0.0) for one in related]
    if all(one.is_straight for one in alignments):
        return faults, texts
    if _hyp_is_at_fault(texts, alignments):
        repaired = replace(texts, rows=_rows_by_ref(texts, alignments[0]))
        faults += _misaligned(texts.hyp, texts.refs[0], alignments[0].pairs, repaired)
        return faults, repaired
    repaired = replace(texts, rows=_rows_by_hyp(texts, alignments))
    for ref, one in zip(texts.refs, alignments, strict=True):
        turned = [(own, other) for other, own in one.pairs]
        faults += [] if one.is_straight else _misaligned(ref, texts.hyp, turned, repaired)
    return faults, repaired


def _agree(columns: Sequence[Sequence[str]], similarity: Similarity) -> bool:
    """Whether references are aligned with each other, so that hypotheses can be aligned to all."""
    first, *others = columns
    return all(
        len(refs) == len(first)
        and (alignment := align(refs, [first], similarity)) is not None
        and alignment.is_straight
        for refs in others
    )


def _related(
    hyps: Sequence[str], columns: Sequence[Sequence[str]], similarity: Similarity
) -> Alignment | None:
    """The alignment, None if there is none or if it pairs unrelated lines."""
    alignment = align(hyps, columns, similarity)
    refs = columns[0]
    if alignment is None or min(len(hyps), len(refs)) < _FEWEST:
        return alignment
    half = min(len(hyps), len(refs)) // 2
    step = max(half // _SAMPLE, 1)
    elsewhere = similarity.at_offset(hyps[:half:step], refs[half : 2 * half : step], 0).mean()
    # The best of many pairings of unrelated lines is up to twice as good as a single one.
    if not alignment.is_straight and alignment.similarity < min(2 * elsewhere, 0.3):
        if len(hyps) != len(refs):
            return None
        alignment = Alignment(len(hyps), float(similarity.at_offset(hyps, refs, 0).mean()))
    # Weak systems are three times as similar to their references as to others.
    related = alignment.similarity > min(1.6 * elsewhere, 0.3)
    return alignment if related else None


def _without_trailing_blanks(texts: Texts) -> tuple[list[Fault], Texts]:
    """Cut blank rows at the end that make a column longer, or that all columns have."""

    def is_blank(text: str | None) -> bool:
        return not (text or "").strip()

    blanks = {
        column: sum(1 for _ in takewhile(is_blank, reversed(column.texts)))
        for column in texts.scored
    }
    shortest = min(map(len, texts.scored))
    goal = max(shortest - (min(blanks.values()) if texts.paired else 0), 1)
    cut = {
        column: replace(column, texts=column.texts[:rows]) if rows < len(column) else column
        for column, blank in blanks.items() for rows in (max(goal, len(column) - blank),)
    }  # fmt: skip
    repaired = replace(texts, hyp=cut[texts.hyp], refs=[cut[ref] for ref in texts.refs])
    faults = [
        Fault(
            "trailing-blank-line", column, range(len(shorter), len(column)),
            f"The last {'line is' if lost == 1 else quantity(lost, 'line') + ' are'} blank.",
            texts=repaired if repaired.paired else None,
        )
        for column, shorter in cut.items() if (lost := len(column) - len(shorter))
    ]  # fmt: skip
    return faults, repaired if faults else texts


def _unrelated(column: Column, other: Column) -> Fault:
    message = f"The lines are no more similar to those of {other.name} than to lines elsewhere."
    evidence = [*column.evidence([0]), *other.evidence([0])]
    return Fault("unrelated-lines", column, [], message, evidence=evidence, whole=True)


def _hyp_is_at_fault(texts: Texts, alignments: list[Alignment]) -> bool:
    """Whether the references agree with each other, and the sources do not match the hyps."""
    src = texts.src
    by_sources = src is not None and len(src) == len(texts.hyp) != len(texts.refs[0])
    return not by_sources and all(alignment is alignments[0] for alignment in alignments)


def _rows_by_ref(texts: Texts, alignment: Alignment) -> SegmentRows:
    """A segment for each row of the references, which are aligned with each other."""
    pairs = [(hyp, ref) for hyp, ref in alignment.pairs if ref is not None]
    refs = [ref for _, ref in pairs]
    rows: SegmentRows = {texts.hyp: [hyp for hyp, _ in pairs], **dict.fromkeys(texts.refs, refs)}
    return rows | _rows_of_src(texts, refs)


def _rows_by_hyp(texts: Texts, alignments: list[Alignment]) -> SegmentRows:
    """A segment for each hypothesis that has a reference."""
    ref_of = [dict(alignment.pairs) for alignment in alignments]
    hyps = [row for row in range(len(texts.hyp)) if any(of.get(row) is not None for of in ref_of)]
    rows: SegmentRows = {texts.hyp: hyps}
    for ref, of in zip(texts.refs, ref_of, strict=True):
        rows[ref] = [of.get(row) for row in hyps]
    return rows | _rows_of_src(texts, hyps)


def _rows_of_src(texts: Texts, rows: Sequence[int]) -> SegmentRows:
    src = texts.src
    return {} if src is None else {src: [row if row < len(src) else None for row in rows]}


def _misaligned(column: Column, other: Column, pairs: Pairs, repaired: Texts) -> Iterator[Fault]:
    """The faults of a column, from pairs of its rows and the rows of another."""
    if len(column) == len(other):
        yield from _shifted(column, other, pairs, repaired)
        return
    lost: dict[int, int] = {}  # rows of the other column, and where they are missing here
    inserted, own = [], 0
    for row, facing in pairs:
        if row is None and facing is not None:
            lost[facing] = own
        elif row is not None:
            own = row + 1
            if facing is None:
                inserted.append(row)
    if lost:
        yield Fault(
            "lost-line", column, list(lost.values()),
            f"{_are(len(lost))} missing here; the lines from here on are paired wrongly.",
            evidence=[(f"{place} has no match", text) for place, text in other.evidence(lost)],
            texts=repaired,
        )  # fmt: skip
    if inserted:
        yield Fault(
            "inserted-line", column, inserted,
            f"{_are(len(inserted))} not in {other.name}; the lines from here on are paired "
            "wrongly.",
            evidence=column.evidence(inserted), texts=repaired,
        )  # fmt: skip


def _shifted(column: Column, other: Column, pairs: Pairs, repaired: Texts) -> Iterator[Fault]:
    moved = {
        row: facing for row, facing in pairs
        if row is not None and facing is not None and row != facing
    }  # fmt: skip
    if not moved:
        return
    row, facing = next(iter(moved.items()))
    place = "early" if facing > row else "late"
    yield Fault(
        "shifted-lines", column, list(moved),
        f"{_are(len(moved))} misaligned with {other.name}, the first "
        f"{quantity(abs(facing - row), 'line')} too {place}.",
        evidence=[
            (column.where(row), excerpt(column.texts[row])),
            (f"is paired with {other.where(row)}", excerpt(other.texts[row])),
            (f"belongs to {other.where(facing)}", excerpt(other.texts[facing])),
        ],
        texts=repaired,
    )  # fmt: skip


def _are(count: int) -> str:
    return "One line is" if count == 1 else f"{quantity(count, 'line')} are"

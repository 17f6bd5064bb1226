# SPDX-License-Identifier: Apache-2.0
"""Columns out of step: lines that were lost, inserted or moved, and whose fault that is."""

from __future__ import annotations

from truebleu.analysis.check.alignment import Alignment, align
from truebleu.analysis.check.excerpts import excerpt
from truebleu.analysis.check.fault import Fault
from truebleu.analysis.check.texts import Texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from truebleu.analysis.check.similarity import Similarity
    from truebleu.analysis.check.texts import Column

    Pairs = Sequence[tuple[int | None, int | None]]

#: Fewer lines say nothing about whether two files belong together.
_FEWEST = 10


def realign(texts: Texts, similarity: Similarity) -> tuple[list[Fault], Texts | None]:
    """The faults of lines that are not where they belong, and the texts brought into step.

    There are none in step if the columns differ too much to find out which lines belong together.
    """
    faults, texts = _without_trailing_blanks(texts)
    moved, paired = _brought_into_step(texts, similarity)
    src = None if paired is None else paired.src
    if paired is not None and src is not None and len(paired.segments(src)) != paired.length:
        paired = paired.without_src()
        message = f"There are {len(src)} sources, but {paired.length} segments."
        moved.append(Fault("unequal-lines", src, [], message, whole=True))
    return faults + moved, paired


def _brought_into_step(texts: Texts, similarity: Similarity) -> tuple[list[Fault], Texts | None]:
    hyps = [text or "" for text in texts.hyp.texts]
    columns = [[text or "" for text in ref.texts] for ref in texts.refs]
    if _are_in_step(columns, similarity):
        together = _pairs(hyps, columns, similarity)
        alignments = [together] * len(columns)
    else:
        alignments = [_pairs(hyps, [refs], similarity) for refs in columns]
    unequal = [len(ref) != len(texts.hyp) for ref in texts.refs]
    if any(found is None and differs for found, differs in zip(alignments, unequal, strict=True)):
        return [_unequal(texts)], None
    unrelated = [ref for ref, found in zip(texts.refs, alignments, strict=True) if found is None]
    if len(unrelated) == len(texts.refs):
        faults = [_unrelated(texts.hyp, texts.refs[0])]
    else:
        faults = [_unrelated(ref, texts.hyp) for ref in unrelated]
    in_step = Alignment([(row, row) for row in range(len(hyps))], 0.0)
    found = [alignment or in_step for alignment in alignments]
    if all(alignment.in_step for alignment in found):
        return faults, texts
    if _hyp_is_at_fault(texts, found):
        repaired = Texts(texts.hyp, texts.refs, texts.src, _rows_by_ref(texts, found[0]))
        faults += _out_of_step(texts.hyp, texts.refs[0], found[0].pairs, repaired)
        return faults, repaired
    repaired = Texts(texts.hyp, texts.refs, texts.src, _rows_by_hyp(texts, found))
    for ref, alignment in zip(texts.refs, found, strict=True):
        if not alignment.in_step:
            turned = [(own, other) for other, own in alignment.pairs]
            faults += _out_of_step(ref, texts.hyp, turned, repaired)
    return faults, repaired


def _are_in_step(columns: list[list[str]], similarity: Similarity) -> bool:
    """Whether references are in step with each other, so that hypotheses can be aligned to all."""
    first, *others = columns
    return all(
        len(refs) == len(first)
        and (alignment := align(refs, [first], similarity)) is not None
        and alignment.in_step
        for refs in others
    )


def _pairs(hyps: list[str], columns: list[list[str]], similarity: Similarity) -> Alignment | None:
    """The alignment, None if it cannot be found or pairs lines that have nothing in common."""
    alignment = align(hyps, columns, similarity)
    refs = columns[0]
    if alignment is None or min(len(hyps), len(refs)) < _FEWEST:
        return alignment
    half = min(len(hyps), len(refs)) // 2
    elsewhere = similarity.at_offset(hyps[:half], refs[half:], 0).mean()
    # The best of many ways to pair unrelated lines is up to twice as good as any one way.
    if not alignment.in_step and alignment.similarity < min(2 * elsewhere, 0.3):
        if len(hyps) != len(refs):
            return None
        alone = similarity.at_offset(hyps, refs, 0).mean()
        alignment = Alignment([(row, row) for row in range(len(hyps))], float(alone))
    # Weak systems are three times as near to their references as to others.
    related = alignment.similarity > min(1.6 * elsewhere, 0.3)
    return alignment if related else None


def _without_trailing_blanks(texts: Texts) -> tuple[list[Fault], Texts]:
    """Blank rows at the end go where a column is longer for them, or where all columns end so."""
    scored = (texts.hyp, *texts.refs)
    blanks = [_trailing_blanks(column) for column in scored]
    shortest = min(len(column) for column in scored)
    goal = max(shortest - (min(blanks) if texts.paired else 0), 1)
    cut = {
        column: column.cut(max(goal, len(column) - blank))
        for column, blank in zip(scored, blanks, strict=True)
    }
    repaired = Texts(cut[texts.hyp], [cut[ref] for ref in texts.refs], texts.src)
    faults = [
        Fault(
            "trailing-blank-line", column, range(len(shorter), len(column)),
            f"The last {_lines(len(column) - len(shorter))} blank.",
            texts=repaired if repaired.paired else None,
        )
        for column, shorter in cut.items() if len(shorter) < len(column)
    ]  # fmt: skip
    return (faults, repaired) if faults else ([], texts)


def _lines(count: int) -> str:
    return "line is" if count == 1 else f"{count} lines are"


def _trailing_blanks(column: Column) -> int:
    blanks = 0
    while blanks < len(column) and not (column.texts[-1 - blanks] or "").strip():
        blanks += 1
    return blanks


def _unrelated(column: Column, other: Column) -> Fault:
    first = [(side.where(0), excerpt(side.texts[0] or "")) for side in (column, other)]
    message = f"The lines are no more like those of {other.name} beside them than like any others."
    return Fault("unrelated-lines", column, [], message, evidence=first, whole=True)


def _unequal(texts: Texts) -> Fault:
    lengths = ", ".join(f"{column.name} {len(column)}" for column in (texts.hyp, *texts.refs))
    return Fault(
        "unequal-lines", texts.hyp, [],
        f"The numbers of lines differ ({lengths}), too much to find out where.", whole=True,
    )  # fmt: skip


def _hyp_is_at_fault(texts: Texts, alignments: list[Alignment]) -> bool:
    """Whether the references agree with each other, and the sources do not stand by the hyps."""
    src = texts.src
    by_sources = src is not None and len(src) == len(texts.hyp) != len(texts.refs[0])
    return not by_sources and all(alignment is alignments[0] for alignment in alignments)


def _rows_by_ref(texts: Texts, alignment: Alignment) -> dict[Column, Sequence[int | None]]:
    """A segment for each row of the references, which are in step with each other."""
    pairs = [(hyp, ref) for hyp, ref in alignment.pairs if ref is not None]
    refs = [ref for _, ref in pairs]
    rows: dict[Column, Sequence[int | None]] = {texts.hyp: [hyp for hyp, _ in pairs]}
    rows |= dict.fromkeys(texts.refs, refs)
    if texts.src is not None:
        rows[texts.src] = _in_step(texts.src, refs)
    return rows


def _rows_by_hyp(texts: Texts, alignments: list[Alignment]) -> dict[Column, Sequence[int | None]]:
    """A segment for each hypothesis that has a reference."""
    found = [dict(alignment.pairs) for alignment in alignments]
    hyps = [row for row in range(len(texts.hyp)) if any(of.get(row) is not None for of in found)]
    rows: dict[Column, Sequence[int | None]] = {texts.hyp: hyps}
    for ref, of in zip(texts.refs, found, strict=True):
        rows[ref] = [of.get(row) for row in hyps]
    if texts.src is not None:
        rows[texts.src] = _in_step(texts.src, hyps)
    return rows


def _in_step(src: Column, rows: Sequence[int]) -> list[int | None]:
    return [row if row < len(src) else None for row in rows]


def _out_of_step(column: Column, other: Column, pairs: Pairs, repaired: Texts) -> Iterator[Fault]:
    """The faults of a column, from pairs of its rows and the rows of another."""
    if len(column) == len(other):
        yield from _shifted(column, other, pairs, repaired)
        return
    lost, inserted, own = [], [], 0
    for row, facing in pairs:
        if row is None and facing is not None:
            lost.append((own, facing))
        elif row is not None:
            own = row + 1
            if facing is None:
                inserted.append(row)
    if lost:
        evidence = [
            (f"{other.where(facing)} stands alone", excerpt(other.texts[facing] or ""))
            for _, facing in lost[:3]
        ]
        message = (
            f"{_are(len(lost), 'line')} missing here; from here on, lines face the wrong ones."
        )
        rows = [row for row, _ in lost]
        yield Fault("lost-line", column, rows, message, evidence=evidence, texts=repaired)
    if inserted:
        evidence = [(column.where(row), excerpt(column.texts[row] or "")) for row in inserted[:3]]
        message = (
            f"{_are(len(inserted), 'line')} too many here, which {other.name} lacks; "
            "from here on, lines face the wrong ones."
        )
        yield Fault("inserted-line", column, inserted, message, evidence=evidence, texts=repaired)


def _are(count: int, noun: str) -> str:
    return f"One {noun} is" if count == 1 else f"{count} {noun}s are"


def _shifted(column: Column, other: Column, pairs: Pairs, repaired: Texts) -> Iterator[Fault]:
    moved = [
        (row, facing) for row, facing in pairs
        if row is not None and facing is not None and row != facing
    ]  # fmt: skip
    if not moved:
        return
    row, facing = moved[0]
    by = abs(facing - row)
    place = "early" if facing > row else "late"
    yield Fault(
        "shifted-lines", column, [row for row, _ in moved],
        f"{_are(len(moved), 'line')} out of step with {other.name}, at first "
        f"{by} {'line' if by == 1 else 'lines'} too {place}.",
        evidence=[
            (column.where(row), excerpt(column.texts[row] or "")),
            (f"stands by {other.where(row)}", excerpt(other.texts[row] or "")),
            (f"belongs to {other.where(facing)}", excerpt(other.texts[facing] or "")),
        ],
        texts=repaired,
    )  # fmt: skip

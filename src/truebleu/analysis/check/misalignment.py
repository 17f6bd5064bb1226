# SPDX-License-Identifier: Apache-2.0
"""Misaligned columns: lines that were lost, inserted, shifted or shuffled, and in which file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from truebleu.analysis.check.alignment import Aligner, Pairs
from truebleu.analysis.check.columns import Column, Texts
from truebleu.analysis.check.kinds import Fault
from truebleu.errors import quantity
from truebleu.text.normalization import WRITTEN_BY_PROGRAMS


def realign(texts: Texts, threads: int) -> tuple[list[Fault], Texts | None]:
    """The faults of misaligned lines, and the aligned texts.

    The texts are None if the columns differ too much to find out which lines belong together.
    """
    faults, texts = _without_trailing_blanks(texts)
    moved, aligned = _aligned(texts, Aligner(threads))
    src = None if aligned is None else aligned.src
    if aligned is not None and src is not None and len(src) != len(aligned.hyp):
        message = f"{quantity(len(src), 'source')} for {quantity(len(aligned.hyp), 'segment')}."
        moved.append(Fault("unequal-lines", src, message=message))
        aligned = Texts(aligned.hyp, aligned.refs)
    return faults + moved, aligned


def _without_trailing_blanks(texts: Texts) -> tuple[list[Fault], Texts]:
    """Cut blank rows at the end that make a column longer, or that all columns have."""
    blanks = {
        column: len([*takewhile(lambda text: not (text or "").strip(), reversed(column.texts))])
        for column in texts.scored
    }
    common = min(blanks.values()) if texts.paired else 0
    goal = max(min(map(len, texts.scored)) - common, 1)
    rows = {column: range(max(goal, len(column) - lost)) for column, lost in blanks.items()}
    rows = {column: left for column, left in rows.items() if len(left) < len(column)}
    repaired = texts.aligned({**rows}) if rows else texts
    faults = []
    for column, left in rows.items():
        lines = range(len(left) + column.first, len(column) + column.first)
        last = "line is" if len(lines) == 1 else f"{quantity(len(lines), 'line')} are"
        message, new = f"The last {last} blank.", repaired if repaired.paired else None
        faults.append(Fault("trailing-blank-line", column, (), message, (), (*lines,), new))
    return faults, repaired


def _aligned(texts: Texts, aligner: Aligner) -> tuple[list[Fault], Texts | None]:
    hyps, *columns = (column.filled for column in texts.scored)
    related = [aligner.align(hyps, [refs]) for refs in columns]
    if texts.paired:
        moved = aligner.moved(hyps, columns, every=not any(related))
        if len(moved) >= WRITTEN_BY_PROGRAMS:
            return _shuffled(texts, moved)
    is_straight = [bool(one and one.pairs is None) for one in related]
    if all(is_straight):
        return [], texts
    agree = len(set(map(len, columns))) == 1 and all(
        (alignment := aligner.align(refs, columns[:1])) and alignment.pairs is None
        for refs in columns[1:]
    )
    if agree and not any(is_straight):
        related = [aligner.align(hyps, columns)] * len(columns)
    pairs: dict[Column, Pairs] = {}
    unrelated = []
    for ref, alignment in zip(texts.refs, related, strict=True):
        if alignment is None and len(ref) != len(hyps):
            sizes = ", ".join(f"{column.name} {len(column)}" for column in texts.scored)
            message = f"The numbers of lines differ ({sizes}), too much to find out where."
            return [Fault("unequal-lines", texts.hyp, message=message)], None
        if alignment is None:
            unrelated.append(ref)
        elif alignment.pairs:
            pairs[ref] = alignment.pairs
    first = texts.refs[0]
    facing = [(ref, texts.hyp) for ref in unrelated]
    faults = [
        Fault("unrelated-lines", column, message="The lines are no more similar to those of "
              f"{other.name} than to lines elsewhere.",
              evidence=[*column.evidence([0]), *other.evidence([0])])
        for column, other in ([(texts.hyp, first)] if len(facing) == len(columns) else facing)
    ]  # fmt: skip
    if not pairs:
        return faults, texts
    src = texts.src
    by_sources = src is not None and len(src) == len(texts.hyp) != len(first)
    if agree and len(pairs) == len(columns) and not by_sources:
        own = [(hyp, ref) for hyp, ref in pairs[first] if ref is not None]
        rows: dict[Column, Sequence[int | None]] = {
            column: [ref for _, ref in own] for column in texts.refs
        }
        rows[texts.hyp] = [hyp for hyp, _ in own]
        if src is not None and len(src) == len(first):
            rows[src] = rows[first]
        repaired = texts.aligned(rows)
        return [*faults, *_misaligned(texts.hyp, first, pairs[first], repaired)], repaired
    repaired = _by_hypotheses(texts, pairs)
    for column, of in pairs.items():
        turned = [(row, hyp) for hyp, row in of]
        faults += _misaligned(column, texts.hyp, turned, repaired)
    return faults, repaired


def _by_hypotheses(texts: Texts, pairs: dict[Column, Pairs]) -> Texts:
    """A segment for each hypothesis that has a reference."""
    every = range(len(texts.hyp))
    facing = {ref: dict(pairs.get(ref) or zip(every, every, strict=True)) for ref in texts.refs}
    hyps = [row for row in every if any(of.get(row) is not None for of in facing.values())]
    rows: dict[Column, Sequence[int | None]] = {
        ref: [of.get(row) for row in hyps] for ref, of in facing.items()
    }
    rows[texts.hyp] = hyps
    if texts.src is not None and len(texts.src) == len(texts.hyp):
        rows[texts.src] = hyps
    return texts.aligned(rows)


def _shuffled(texts: Texts, moved: dict[int, int]) -> tuple[list[Fault], Texts]:
    rows: list[int | None] = list(range(len(texts.hyp)))
    # Lines that nothing identifies take the places that are left.
    left = sorted(set(moved) - set(moved.values()))
    moved |= dict(zip(sorted(set(moved.values()) - set(moved)), left, strict=True))
    for row, segment in moved.items():
        rows[segment] = row
    repaired = texts.aligned({texts.hyp: rows})
    places = [
        (f"{place} belongs to line {segment + texts.hyp.first}", text) for (place, text), segment
        in zip(texts.hyp.evidence(moved), moved.values(), strict=False)
    ]  # fmt: skip
    message = f"{_are(len(moved))} in another order than in {texts.refs[0].name}."
    fault = Fault("shuffled-lines", texts.hyp, sorted(moved), message, places, texts=repaired)
    return [fault], repaired


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
    message = "the lines from here on are paired wrongly"
    if lost:
        evidence = [(f"{place} has no match", text) for place, text in other.evidence(lost)]
        yield Fault(
            "lost-line", column, [], f"{_are(len(lost))} missing here; {message}.", evidence,
            lines=tuple(row + column.first for row in lost.values()), texts=repaired,
        )  # fmt: skip
    if inserted:
        yield Fault(
            "inserted-line", column, [], f"{_are(len(inserted))} not in {other.name}; {message}.",
            column.evidence(inserted), lines=column.numbers(inserted), texts=repaired,
        )  # fmt: skip


def _shifted(column: Column, other: Column, pairs: Pairs, repaired: Texts) -> Iterator[Fault]:
    moved = {row: facing for row, facing in pairs
             if row is not None and facing is not None and row != facing}  # fmt: skip
    if not moved:
        return
    row, facing = next(iter(moved.items()))
    place = "early" if facing > row else "late"
    ((own, text),) = column.evidence([row])
    (now, before), (there, after) = other.evidence([row, facing])
    yield Fault(
        "shifted-lines", column, [],
        f"{_are(len(moved))} misaligned with {other.name}, the first "
        f"{quantity(abs(facing - row), 'line')} too {place}.",
        [(own, text), (f"is paired with {now}", before), (f"belongs to {there}", after)],
        lines=column.numbers(moved), texts=repaired,
    )  # fmt: skip


def _are(count: int) -> str:
    return "One line is" if count == 1 else f"{quantity(count, 'line')} are"

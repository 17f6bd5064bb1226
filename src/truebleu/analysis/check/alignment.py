# SPDX-License-Identifier: Apache-2.0
"""Lines that were lost, inserted, shifted or shuffled, and where they belong.

Most belong where they are, or as far from the end; n-grams that a single reference has show the
place of others. The longest chain of places in order is the alignment. The offset of a line is how
many rows below it its reference is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile

import numpy as np

from truebleu.analysis.check.faults import Column, Fault, Texts
from truebleu.analysis.check.judge import LINES, MANY, UNLIKE, Floats, Judge
from truebleu.errors import quantity
from truebleu.text.normalization import WRITTEN_BY_PROGRAMS
from truebleu.text.signs import grams

#: Characters that two lines rarely share unless they belong together.
_GRAM = 6

#: The row of its reference for each hypothesis, None for an inserted one.
Places = list[int | None]


class Aligner:
    """Compares hypotheses with references of the same length: with the most similar of them."""

    def __init__(self, hyps: Sequence[str], columns: Sequence[Sequence[str]], threads: int) -> None:
        self._hyps, self._columns, self._judge = hyps, columns, Judge(threads)
        self._difference = len(columns[0]) - len(hyps)
        rows = range(len(hyps))
        #: How similar lines are to those in the same row, or as far from the end.
        self._ends = {offset: self.similarity(rows, [row + offset for row in rows]) for offset in {0, self._difference}}

    def similarity(self, rows: Sequence[int], others: Sequence[int | None]) -> Floats:
        """How similar hypotheses are to references in other rows; 0 where there is none."""
        inside = {k: row for k, row in enumerate(others) if row is not None and 0 <= row < len(self._columns[0])}
        columns = [[refs[row] for row in inside.values()] for refs in self._columns]
        scores = np.zeros(len(rows))
        scores[[*inside]] = self._judge.similarity([self._hyps[rows[k]] for k in inside], columns)
        return scores

    def _at(self, rows: Sequence[int], offset: int) -> Floats:
        if offset in self._ends:
            return self._ends[offset][rows]
        return self.similarity(rows, [row + offset for row in rows])

    def align(self) -> tuple[bool, Places | None]:
        """Whether lines are like their references, more than others; and their places if moved."""
        every, ends = range(len(self._hyps)), np.array([*self._ends.values()])
        facing = ends.max(axis=0)
        half = min(len(every), len(self._columns[0])) // 2
        elsewhere = self._at(range(0, half, half // LINES + 1), half).mean() if half > WRITTEN_BY_PROGRAMS else -1.0
        # Lines of weak systems are three times as similar to their references as to others, and
        # the best of many pairings up to twice; those half as similar may belong elsewhere.
        bound = min(2 * elsewhere, UNLIKE)
        is_related = facing.mean() > bound
        least = facing.mean() / 2
        nearest = np.array([*self._ends])[ends.argmax(axis=0)].tolist()
        is_sure = is_related & (facing > least)
        # Of two rows, the more similar takes a place.
        order = np.argsort(facing, kind="stable")
        rows = {row + nearest[row]: row for row in order[is_sure[order]].tolist()}
        found = self._by_grams(np.flatnonzero(~is_sure).tolist(), {*rows})
        similar = self.similarity([*found], [*found.values()])
        if not is_related and len(similar):
            least = similar.mean() / 2
        for score, row in sorted(zip(similar.tolist(), found, strict=True)):  # the best are last
            if score > max(2 * facing[row], least):
                rows[found[row]] = row
        places = {row: place for place, row in rows.items()}
        moved = {row: place for row, place in places.items() if row != place}
        if not moved and not self._difference:
            return is_related, None
        chain = _chain(sorted(places.items()))
        # Lines that change places leave theirs to others; similar lines alone do not.
        targets = {*moved.values()}
        swapped = [row for row, to in moved.items() if row not in chain and row in targets and to in moved]
        if not self._difference and len(swapped) >= WRITTEN_BY_PROGRAMS:
            moved = {row: to for row, to in moved.items() if row in targets or to in moved}
            # Lines that nothing identifies take the places that are left.
            left = sorted(moved.keys() - moved.values())
            moved |= dict(zip(sorted({*moved.values()} - moved.keys()), left, strict=True))
            return True, [moved.get(row, row) for row in every]
        filled = self._filled(chain)
        if filled == [*every] and not self._difference:
            return is_related, None
        step = len(every) // LINES + 1
        similar = self.similarity(every[::step], filled[::step])
        mean = similar.sum() / max(len(similar) - filled[::step].count(None), 1)
        is_near = half > WRITTEN_BY_PROGRAMS or abs(self._difference) < LINES
        return is_near and mean > bound, filled

    def _by_grams(self, rows: Sequence[int], others: set[int]) -> dict[int, int]:
        """The place of some hypotheses, by the n-grams that one reference has: not in `others`."""
        free = [row for row in range(len(self._columns[0])) if row not in others][: 2 * MANY]
        rows = rows[: 2 * MANY]
        if min(len(rows), len(free)) < WRITTEN_BY_PROGRAMS:
            return {}
        step = len(rows) // LINES + 1
        owners: dict[int, int] = {}
        for refs in self._columns:
            for gram, place in _sampled([refs[row] for row in free], step):
                if owners.setdefault(gram, place) != place:
                    owners[gram] = -1
        votes = Counter(
            (row, owners[gram])
            for gram, row in _sampled([self._hyps[row] for row in rows], step)
            if owners.get(gram, -1) >= 0
        )
        # The last of a row counts: that with most votes.
        return {rows[row]: free[place] for (row, place), _ in reversed(votes.most_common())}

    def _filled(self, chain: Mapping[int, int]) -> Places:
        """The places of all hypotheses, from those of some, in order.

        Where the offset changes, lines take the side that they are more similar to. An offset of
        few lines, or of lines more similar at the offset before, is taken for chance.
        """
        places: Places = []
        runs = [(-1, -1, 0)]
        for offset, pairs in groupby(chain.items(), lambda pair: pair[1] - pair[0]):
            rows = [row for row, _ in pairs]
            if offset == runs[-1][2]:
                runs[-1] = runs[-1][0], rows[-1], offset
            elif len(rows) >= WRITTEN_BY_PROGRAMS and (
                self._at(rows, offset).sum() > self._at(rows, runs[-1][2]).sum()
            ):
                runs.append((rows[0], rows[-1], offset))
        size = len(self._hyps)
        runs.append((size, size, self._difference))
        for (_, last, offset), (first, _, after) in pairwise(runs):
            between = range(last + 1, first)
            skipped = min(max(offset - after, 0), len(between))
            here = np.cumsum([0.0, *self._at(between, offset)])
            there = np.cumsum([0.0, *self._at(between, after)])
            count = len(between) - skipped + 1
            split = last + 1 + int(np.argmax(here[:count] - there[skipped : skipped + count]))
            places += [row + offset for row in range(len(places), split)]
            places += [None] * skipped
        return [*places, *(row + after for row in range(len(places), size))]


def _sampled(texts: Sequence[str], step: int) -> Iterator[tuple[int, int]]:
    """The n-grams of texts, and the text of each: one in `step` n-grams, the same in all texts."""
    values, rows = grams(texts, _GRAM)
    is_in = values % np.uint64(step) == 0
    return zip(values[is_in].tolist(), rows[is_in].tolist(), strict=True)


def _chain(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The longest of chains of pairs, sorted by row, in which the places ascend, too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1], ends[length : length + 1] = [place], [at]
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return dict(reversed(chain))


# Faults of misaligned columns.


def realign(texts: Texts, threads: int) -> tuple[list[Fault], Texts | None]:
    """The faults of misaligned lines, and the aligned texts.

    The texts are None if the columns differ too much to find out which lines belong together.
    """
    faults, texts = _without_trailing_blanks(texts)
    moved, aligned = _aligned(texts, threads)
    if aligned and (src := aligned.src) and len(src) != len(aligned.hyp):
        message = f"{quantity(len(src), 'source')} for {quantity(len(aligned.hyp), 'segment')}."
        moved.append(Fault("unequal-lines", src, message=message))
        aligned = Texts(aligned.hyp, aligned.refs)
    return faults + moved, aligned


def _without_trailing_blanks(texts: Texts) -> tuple[list[Fault], Texts]:
    """Cut blank rows at the end that make a column longer."""
    blanks = {
        column: len([*takewhile(lambda text: not (text or "").strip(), reversed(column.texts))])
        for column in texts.scored
    }
    least = min(map(len, texts.scored))
    sizes = {column: max(least, len(column) - lost) for column, lost in blanks.items()}
    sizes = {column: size for column, size in sizes.items() if size < len(column)}
    repaired = texts.aligned({column: range(size) for column, size in sizes.items()})
    new = repaired if repaired.paired else None
    cut = {column: column.numbers(range(size, len(column))) for column, size in sizes.items()}
    return [Fault("trailing-blank-line", column, lines=lines, texts=new) for column, lines in cut.items()], repaired


def _aligned(texts: Texts, threads: int) -> tuple[list[Fault], Texts | None]:
    each = [Aligner(texts.hyp.filled, [ref.filled], threads).align() for ref in texts.refs]
    is_hyp = len({*map(len, texts.refs)}) == 1 and (True, None) not in each
    if is_hyp and len(each) > 1:
        hyps, *columns = (column.filled for column in texts.scored)
        each = [Aligner(hyps, columns, threads).align()] * len(each)
    faults, first, src, size = [], texts.refs[0], texts.src, len(texts.hyp)
    placed: dict[Column, Places] = {}
    for ref, (is_related, own_places) in zip(texts.refs, each, strict=True):
        if is_related:
            placed |= {ref: own_places} if own_places else {}
        elif len(ref) != size:
            sizes = ", ".join(f"{column.name} {len(column)}" for column in texts.scored)
            message = f"The numbers of lines differ ({sizes}), too much to find out where."
            return [Fault("unequal-lines", texts.hyp, message=message)], None
        else:
            column, other = (texts.hyp, ref) if is_hyp else (ref, texts.hyp)
            message = f"The lines are no more similar to those of {other.name} than to others."
            evidence = [*column.evidence([0]), *other.evidence([0])]
            faults.append(Fault("unrelated-lines", column, message=message, evidence=evidence))
    if not placed:
        return faults[: 1 if is_hyp else None], texts
    # The column at fault is brought to the rows of the others.
    if is_hyp and not (src is not None and len(src) == size != len(first)):
        own = {place: row for row, place in enumerate(placed[first]) if place is not None}
        repaired = texts.aligned({texts.hyp: [own.get(row) for row in range(len(first))]})
        return [*_misaligned(texts.hyp, first, placed[first], repaired)], repaired
    left = [
        row
        for row in range(size)
        if len(placed) < len(texts.refs) or any(places[row] is not None for places in placed.values())
    ]
    rows: dict[Column, Sequence[int | None]]
    rows = {column: left for column in texts.columns if len(column) == size}
    rows |= {ref: [places[row] for row in left] for ref, places in placed.items()}
    repaired = texts.aligned(rows)
    for ref, places in placed.items():
        own = {place: row for row, place in enumerate(places) if place is not None}
        faults += _misaligned(ref, texts.hyp, [own.get(row) for row in range(len(ref))], repaired)
    return faults, repaired


def _misaligned(column: Column, other: Column, places: Places, repaired: Texts) -> Iterator[Fault]:
    """The faults of a column, from the places of its rows in another."""
    if len(column) == len(other):
        moved = {row: place for row, place in enumerate(places) if place not in (None, row)}
        row, place = next(iter(moved.items()))
        ((own, text),) = column.evidence([row])
        (now, before), (there, after) = other.evidence([row, place])
        evidence = [(own, text), (f"is paired with {now}", before), (f"belongs to {there}", after)]
        kind, message = "shuffled-lines", f"in another order than in {other.name}"
        ordered = [place for place in places if place is not None]
        if ordered == sorted(ordered):
            kind, side = "shifted-lines", "early" if place > row else "late"
            distance = quantity(abs(place - row), "line")
            message = f"misaligned with {other.name}, the first {distance} too {side}"
        faults = [(kind, message, column.numbers(moved), evidence)]
    else:
        inserted = [row for row, place in enumerate(places) if place is None]
        lost = sorted({*range(len(other))}.difference(places))
        # A lost line is missing before the first row that belongs below it.
        pairs = [(place, row) for row, place in enumerate(places) if place is not None]
        gaps = [bisect_left(pairs, (row, 0)) for row in lost]
        missing = tuple((pairs[gap - 1][1] + 1 if gap else 0) + column.first for gap in gaps)
        evidence = [(f"{place} has no match", text) for place, text in other.evidence(lost)]
        message = "the lines from here on are paired wrongly"
        faults = [
            ("lost-line", f"missing here; {message}", missing, evidence),
            ("inserted-line", f"not in {other.name}; {message}", column.numbers(inserted), column.evidence(inserted)),
        ]
    for kind, message, lines, evidence in faults:
        if lines:
            are = "One line is" if len(lines) == 1 else f"{quantity(len(lines), 'line')} are"
            yield Fault(kind, column, (), f"{are} {message}.", evidence, lines, repaired)

# SPDX-License-Identifier: Apache-2.0
"""Aligned texts under repair: the normalizations that pay, those that gain most first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truebleu.analysis.check.discovery import Sample, discovered
from truebleu.analysis.check.judge import LINES, MANY, NEARLY, ROUNDING, Floats, Judge, Scores, Verdict
from truebleu.text.mending import MENDING
from truebleu.text.normalization import CHOSEN_BY_WRITERS, NEVER_WRITTEN, Normalization
from truebleu.text.normalizations import TYPOGRAPHY
from truebleu.text.signs import flags

_SIDES = ("hyp", "ref")
_TOKENS = re.compile(r"\w [.,](?: |$)")

#: What shows that a row may change a line, and the rows of the table that have such a sign.
_SIGNS = {row: row.sign or row.pattern for row in (*MENDING, *TYPOGRAPHY) if row.sign or row.typographic}
_PATTERNS = [*dict.fromkeys(_SIGNS.values())]


class Lines:
    """The texts of a column, which repairs change, and the signs in them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self.step = len(texts) // MANY + 1
        self._flags = flags(self.texts, _PATTERNS)
        self._rows: dict[tuple[str, int], list[int]] = {}

    def change(self, texts: Mapping[int, str]) -> None:
        """Put other texts into some rows."""
        for row, text in texts.items():
            self.texts[row] = text
        self._flags[[*texts]] = flags([*texts.values()], _PATTERNS)
        self._rows = {}
        self.__dict__.pop("sample", None)

    @cached_property
    def sample(self) -> Sample:
        """What is counted in a part of the texts."""
        return Sample(self.texts)

    def matching(self, row: Normalization, places: Sequence[int] = (), *, every: bool = False) -> list[int]:
        """The rows, of some or of all, in which a normalization may change something.

        Of very many, a sample is searched if the mark is not wrong in each line.
        """
        texts, search = self.texts, re.compile(row.pattern).search
        if places:
            return [i for i in places if search(texts[i])]
        step = 1 if every or row.lines == NEVER_WRITTEN else self.step
        if (row.pattern, step) not in self._rows:
            lines: Iterable[int] = range(0, len(texts), step)
            if row in _SIGNS:
                lines = (np.flatnonzero(self._flags[::step] >> _PATTERNS.index(_SIGNS[row]) & 1) * step).tolist()
            is_any = row.pattern in ("", _SIGNS.get(row))
            self._rows[row.pattern, step] = [i for i in lines if is_any or search(texts[i])]
        return self._rows[row.pattern, step]


#: New texts by row, of each column: the hypotheses first, then the references.
Changes = dict[int, dict[int, str]]


@dataclass(frozen=True, slots=True)
class Repair:
    """A normalization that pays.

    `columns` names the rows of each column that have the fault, the hypotheses first, `changes` has
    the new texts, and `after` is the score of the texts as they came with this repair alone. Where
    `both` sides have the same marks, these are no text.
    """

    normalization: Normalization
    columns: Mapping[int, Sequence[int]]
    changes: Changes
    after: float | None
    both: bool = False


class MendedCorpus:
    """Hypotheses and references of the same length, which normalizations change."""

    def __init__(
        self,
        columns: Sequence[Sequence[str]],
        scores: Scores,
        normalizations: Iterable[Normalization],
        *,
        tokens: bool,
        threads: int,
    ) -> None:
        self._table = (*normalizations, *MENDING, *TYPOGRAPHY)
        self._tokens, self._scores, self._judge = tokens, scores, Judge(threads)
        self.original = columns
        self._columns = [Lines(column) for column in columns]
        self._discovered: dict[int, list[Normalization]] = {}
        self._verdicts: dict[tuple[tuple[int, ...], Normalization], Verdict] = {}
        self._similar = np.full((len(columns) - 1, len(columns[0])), np.nan)

    @property
    def texts(self) -> list[list[str]]:
        """The texts of each column as they are now, the hypotheses first."""
        return [column.texts for column in self._columns]

    def repair(self) -> list[Repair]:
        """Apply all normalizations that pay: what writers choose last, when marks are alike."""
        return [*[repair for row in self._table if row.shared for repair in self._shared(row)], *self._greedy()]

    def similarity(self) -> Floats:
        """How similar each hypothesis is to the most similar of its references."""
        return self._before(0, range(len(self.original[0])))

    def _facing(self, at: int) -> Sequence[int]:
        return [0] if at else range(1, len(self._columns))

    def _before(self, at: int, rows: Sequence[int]) -> Floats:
        places = np.asarray(rows, np.intp)
        references = [at] if at else self._facing(at)
        for ref in references:  # as similar to hypotheses as these are to it
            new = places[np.isnan(self._similar[ref - 1, places])].tolist()
            self._similar[ref - 1, new] = self._after(ref, new, {})
        return np.asarray(self._similar[[[ref - 1] for ref in references], places].max(axis=0))

    def _after(self, at: int, rows: Sequence[int], changes: Changes) -> Floats:
        """How similar the texts in rows of a column are to those that they face, if changed."""
        own, *others = (
            [new.get(i, texts[i]) for i in rows]
            for k in (at, *self._facing(at))
            for new, texts in [(changes.get(k, {}), self._columns[k].texts)]
        )
        return self._judge.similarity(own, others)

    def _changed(self, at: int, row: Normalization, rows: Sequence[int]) -> dict[int, str]:
        """The new texts in those rows that a normalization changes."""
        texts = self._columns[at].texts
        return {i: new for i in rows if (new := row.fix(texts[i])) != texts[i]}

    def _tried(self, sides: tuple[int, ...], row: Normalization, *, every: bool = False) -> tuple[Changes, Verdict]:
        """What a normalization changes, and whether a sample of that, or all, is better."""
        changes = {at: self._changed(at, row, self._columns[at].matching(row, every=every)) for at in sides}
        rows = sorted(set().union(*changes.values()))
        if not rows:
            return changes, Verdict()
        step = 1 if every else len(rows) // LINES + 1
        sample = rows[::step]
        change = self._after(sides[0], sample, changes) - self._before(sides[0], sample)
        return changes, Verdict.of(sample, change, step)

    def _candidates(self) -> Iterator[list[tuple[tuple[int, ...], Normalization]]]:
        """Normalizations of one column, and of both sides for what writers choose, by their turn.

        What the texts suggest shows when all else is written alike.
        """
        every = tuple(range(len(self._columns)))
        sure = [row for row in self._table if row.lines < CHOSEN_BY_WRITERS]
        yield [((at,), row) for at in every for row in sure if row.side in ("both", _SIDES[at > 0])]
        yield [(every, row) for row in self._table if row.is_choice]
        others = [row for row in self._table if row.lines >= CHOSEN_BY_WRITERS]
        yield [
            ((at,), row)
            for at in every
            for row in (*others, *self._suggested(at))
            if not row.typographic and row.side in ("both", _SIDES[at > 0])
        ]

    def _suggested(self, at: int) -> list[Normalization]:
        """The normalizations of a column that are discovered."""
        if at not in self._discovered:
            own, *facing = (self._columns[k].sample for k in (at, *self._facing(at)))
            self._discovered[at] = [*discovered(own, facing, is_ref=at > 0)]
        return self._discovered[at]

    def _greedy(self) -> Iterator[Repair]:
        """Apply the normalization that gains most, again and again, until none pays."""
        while True:
            for candidates in self._candidates():
                for key in candidates:
                    if key not in self._verdicts:
                        self._verdicts[key] = self._tried(*key)[1]
                gains = {key: self._verdicts[key].gain for key in candidates if self._verdicts[key].pays(key[1])}
                if gains:
                    break
            else:
                return
            least = NEARLY * max(gains.values())
            sides, row = next(key for key, gain in gains.items() if gain >= least)
            changes, verdict = self._tried(sides, row, every=True)
            lines = {0: verdict.better}
            if len(sides) == 1:
                (at,) = sides
                lines = {at: verdict.fair}
                changes = {at: {i: changes[at][i] for i in verdict.fair}}
            score = self._scores.after(self._alone(row, changes))
            least = ROUNDING if row.lines == CHOSEN_BY_WRITERS and score is not None else -ROUNDING
            if self._scores.gain(score, self._scores.before) >= least:
                self._apply(changes)
                yield Repair(row, lines, changes, score)
            self._verdicts[sides, row] = Verdict()

    def _shared(self, row: Normalization) -> Iterator[Repair]:
        """The repair of both sides, if most lines of both have marks that are no text."""
        if row.kind == "tokenized" and self._tokens:
            return
        half = 0 if row.lines == NEVER_WRITTEN else len(self.original[0]) // 2
        changes: Changes = {}
        for at, column in enumerate(self._columns):
            rows = column.matching(row)
            if row.kind == "tokenized":  # in French, other marks stand alone as well
                rows = [i for i in rows if _TOKENS.search(column.texts[i])]
            if len(rows) * column.step <= half:
                return
            changes[at] = self._changed(at, row, range(len(column.texts)))
            if len(changes[at]) <= half:
                return
        score = self._scores.after(self._alone(row, changes))
        self._apply(changes)
        yield Repair(row, {at: list(new) for at, new in changes.items()}, changes, score, both=True)

    def _alone(self, row: Normalization, changes: Changes) -> Changes:
        """The changes of texts as they came; where another fault hides this one, of both."""
        alone: Changes = {}
        for at, texts in changes.items():
            before, now = self.original[at], self._columns[at].texts
            alone[at] = {
                i: new if before[i] == now[i] or (own := row(before[i])) == before[i] else own
                for i, new in texts.items()
            }
        return alone

    def _apply(self, changes: Changes) -> None:
        for at, texts in changes.items():
            self._columns[at].change(texts)
            self._similar[at - 1 if at else slice(None), [*texts]] = np.nan
            self._discovered.pop(at, None)
        if len(changes) == 1:
            # What changed no line before changes none now but, perhaps, one of these.
            rows = [*changes[at]][:: len(changes[at]) // LINES + 1]
            self._verdicts = {
                (sides, row): verdict
                for (sides, row), verdict in self._verdicts.items()
                if not (verdict.better or verdict.pays(row))
                and not (at in sides and self._changed(at, row, self._columns[at].matching(row, rows)))
            }

# SPDX-License-Identifier: Apache-2.0
"""Aligned texts under repair: the normalizations that pay, those that gain most first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truebleu.analysis.check.discovery import Sample, discovered
from truebleu.analysis.check.judge import LINES, NEARLY, ROUNDING, ROUNDS, Floats, Judge, Verdict
from truebleu.analysis.check.scores import Scores
from truebleu.analysis.check.signs import Signs
from truebleu.text.mending import MENDING
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    NEVER_WRITTEN,
    Normalization,
)
from truebleu.text.normalizations import TYPOGRAPHY

_TOKENS = re.compile(r"\w [.,](?: |$)")

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


def _each(row: Normalization, texts: Sequence[str]) -> list[str]:
    """A typographic row, applied to all texts at once: it changes characters, and runs of them."""
    new = row("\n".join(texts)).split("\n")
    return new if len(new) == len(texts) else [row(text) for text in texts]


class Corpus:
    """Hypotheses and references of the same length, which normalizations change."""

    def __init__(
        self, columns: Sequence[Sequence[str]], scores: Scores, threads: int,
        normalizations: Sequence[Normalization] = (), *, tokens: bool = False,
    ) -> None:  # fmt: skip
        self._table = (*normalizations, *MENDING, *TYPOGRAPHY)
        self._tokens = tokens
        self.original = columns
        self.texts = [list(column) for column in columns]
        self._signs = Signs(self._table)
        self._bits = [self._signs.of(column) for column in columns]
        self._verdicts: dict[tuple[int, str], Verdict] = {}
        self._samples: dict[int, Sample] = {}
        self._matching: dict[tuple[int, str], list[int]] = {}
        self._judge = Judge(threads)
        self._similar = [np.full(len(columns[0]), np.nan) for _ in columns]
        self._scores = scores

    def repair(self) -> list[Repair]:
        """Apply all normalizations that pay."""
        folds = [r for r in self._table if r.typographic and r.lines >= CHOSEN_BY_WRITERS]
        table = [r for r in self._table if not (r.typographic and r.lines >= CHOSEN_BY_WRITERS)]
        # Marks are made the same before texts are searched for other differences.
        certain = [r for r in table if r.lines < CHOSEN_BY_WRITERS]
        repairs = [*self._greedy(certain, search=False), *self._fold(folds)]
        if mended := self._greedy(table, search=True):
            repairs += [*mended, *self._fold(folds)]
        return repairs

    def similarity(self) -> Floats:
        """How similar each hypothesis is to the most similar of its references."""
        return self._before(0, range(len(self.texts[0])))

    # Columns: 0 for the hypotheses, then the references.

    def _before(self, at: int, rows: Sequence[int]) -> Floats:
        similar = self._similar[at]
        places = np.asarray(rows, np.intp)
        new = places[np.isnan(similar[places])].tolist()
        similar[new] = self._after(at, {i: self.texts[at][i] for i in new})
        return similar[places]

    def _after(self, at: int, texts: Mapping[int, str]) -> Floats:
        """How similar texts, in some rows of a column, are to those that they face."""
        facing = self.texts[:1] if at else self.texts[1:]
        others = [[column[i] for i in texts] for column in facing]
        return self._judge.similarity([*texts.values()], others)

    def _rows(self, at: int, row: Normalization) -> list[int]:
        """The rows of a column in which a normalization may change something."""
        key = at, row.pattern
        if key not in self._matching:
            self._matching[key] = self._signs.rows(row, self.texts[at], self._bits[at])
        return self._matching[key]

    def _changed(self, at: int, row: Normalization, rows: Iterable[int]) -> dict[int, str]:
        texts, rows = self.texts[at], list(rows)
        new = (
            _each(row, [texts[i] for i in rows])
            if row.typographic
            else [row(texts[i]) for i in rows]
        )
        return {i: text for i, text in zip(rows, new, strict=True) if text != texts[i]}

    def _verdict(self, at: int, row: Normalization, most: int = LINES) -> Verdict:
        """What a normalization does to a column, by a part of the lines if it is in very many."""
        rows = self._rows(at, row)
        sample = rows[:: len(rows) // (most + 1) + 1]
        texts = self._changed(at, row, sample)
        if len(texts) * 20 < len(sample) < len(rows):
            sample, texts = rows, self._changed(at, row, rows)
        if len(texts) < row.lines:
            return Verdict()
        before, after = self._before(at, list(texts)), self._after(at, texts)
        return Verdict.of(texts, before, after, len(rows) / len(sample))

    def _greedy(self, table: Sequence[Normalization], *, search: bool) -> list[Repair]:
        """Apply normalizations of one side, or of both that share a fault, until none pays."""
        repairs = [repair for row in table if row.shared and (repair := self._shared(row))]
        candidates: dict[int, list[Normalization]] = {}
        for _ in range(ROUNDS):
            paying = []
            for at in range(len(self.texts)):
                if at not in candidates:
                    candidates[at] = [
                        r for r in table if r.side in (("hyp", "ref")[at > 0], "both")
                    ]
                    if search:
                        candidates[at] += self._discovered(at)
                for row in candidates[at]:
                    key = at, row.name
                    if key not in self._verdicts:
                        self._verdicts[key] = self._verdict(at, row)
                    if self._verdicts[key].pays(row):
                        paying.append((at, row, self._verdicts[key].gain))
            if not paying:
                break
            least = NEARLY * max(gain for _, _, gain in paying)
            at, row, _ = next(each for each in paying if each[2] >= least)
            fair = self._verdict(at, row, len(self.texts[0])).texts
            score = self._scores.after(self._alone(row, {at: fair}))
            if self._is_useless(row, score):
                self._verdicts[at, row.name] = Verdict()
                continue
            repairs.append(Repair(row, {at: list(fair)}, {at: fair}, score))
            self._apply({at: fair})
            del candidates[at]
            self._verdicts = {key: verdict for key, verdict in self._verdicts.items()
                              if key[0] != at and not verdict.better}  # fmt: skip
        return repairs

    def _discovered(self, at: int) -> Iterator[Normalization]:
        for place, texts in enumerate(self.texts):
            if place not in self._samples:
                self._samples[place] = Sample(texts)
        facing = [
            self._samples[place] for place in range(len(self.texts)) if (place > 0) != (at > 0)
        ]
        for row in discovered(self._samples[at], facing, is_ref=at > 0):
            yield replace(row, name=f"discovered: {row.name}")

    def _is_useless(self, row: Normalization, score: float | None) -> bool:
        """Whether a repair costs points, or what writers may choose costs none."""
        is_choice = row.lines == CHOSEN_BY_WRITERS
        return self._scores.costs(score) or (is_choice and score == self._scores.before is not None)

    def _shared(self, row: Normalization) -> Repair | None:
        """The repair of both sides, if both have marks that are no text."""
        if row.kind == "tokenized" and self._tokens:
            return None
        half = 0 if row.lines == NEVER_WRITTEN else len(self.texts[0]) // 2
        changes: Changes = {}
        for at, texts in enumerate(self.texts):
            rows = self._rows(at, row)
            if row.kind == "tokenized":  # in French, other marks stand alone as well
                rows = [i for i in rows if _TOKENS.search(texts[i])]
            changes[at] = self._changed(at, row, rows if len(rows) > half else ())
            if len(changes[at]) <= half:
                return None
        score = self._scores.after(self._alone(row, changes))
        self._apply(changes)
        return Repair(
            row, {at: list(new) for at, new in changes.items()}, changes, score, both=True
        )

    def _alone(self, row: Normalization, changes: Changes) -> Changes:
        """The changes of texts as they came; where another fault hides this one, of both."""
        return {
            at: {i: new if (new := row(self.original[at][i])) != self.original[at][i] else text
                 for i, text in texts.items()}
            for at, texts in changes.items()
        }  # fmt: skip

    def _apply(self, changes: Changes) -> None:
        for at, texts in changes.items():
            for i, text in texts.items():
                self.texts[at][i] = text
            if rows := list(texts):
                self._bits[at][rows] = self._signs.of(list(texts.values()))
                for similar in self._similar:
                    similar[rows] = np.nan
            self._samples.pop(at, None)
            self._matching = {key: rows for key, rows in self._matching.items() if key[0] != at}

    def _fold(self, folds: Sequence[Normalization]) -> list[Repair]:
        """Write both sides alike where they differ in marks, which one side cannot mend."""
        repairs = []
        for row in folds:
            changes = {
                at: self._changed(at, row, self._rows(at, row)) for at in range(len(self.texts))
            }
            rows = sorted(set().union(*changes.values()))
            sample = rows[:: len(rows) // (LINES + 1) + 1]
            if len(rows) < row.lines or not (verdict := self._folded(changes, sample)).pays(row):
                continue
            gains = self._folded(changes, rows).gains if sample != rows else verdict.gains
            differ = [i for i, gain in zip(rows, gains, strict=True) if gain > ROUNDING]
            score = self._scores.after(self._alone(row, changes))
            if not self._is_useless(row, score):
                repairs.append(Repair(row, {0: differ}, changes, score))
                self._apply(changes)
        return repairs

    def _folded(self, changes: Changes, rows: Sequence[int]) -> Verdict:
        hyps, *refs = ([new.get(i, self.texts[at][i]) for i in rows] for at, new in changes.items())
        after = self._judge.similarity(hyps, refs)
        return Verdict.of(dict.fromkeys(rows, ""), self._before(0, rows), after)

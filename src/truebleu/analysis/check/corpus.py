# SPDX-License-Identifier: Apache-2.0
"""Aligned texts under repair: the normalizations that pay, those that gain most first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from truebleu.analysis.check.discovery import Sample, discovered
from truebleu.analysis.check.judge import ROUNDING, Floats, Judge, Verdict
from truebleu.analysis.check.scores import Scores
from truebleu.analysis.check.signs import Signs
from truebleu.text.mending import MENDING
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    NEVER_WRITTEN,
    Fix,
    Normalization,
    sequence,
)
from truebleu.text.normalizations import TYPOGRAPHY

#: About how many lines show whether a normalization pays: more take time and change no verdict.
_SAMPLE = 1_000
#: About how many lines show how references write a mark.
_STYLE = 1_000
#: What is repaired before marks are compared.
_ENCODINGS = ("mojibake", "html-entity", "byte-order-mark", "carriage-return", "line-separator")
_TOKENS = re.compile(r"\w [.,](?: |$)")
_CLOSING = frozenset(" )].,:;!?")
#: Of candidates that gain nearly as much as the best, the first counts: the table comes before what
#: was discovered.
_NEARLY = 0.9
#: Texts are rarely wrapped and damaged in more ways than this.
_ROUNDS = 12
#: The share of a gain that must be left if only the hypotheses are written as the references are.
_TOWARDS = 0.7

#: New texts by row, of each column: the hypotheses first, then the references.
Changes = dict[int, dict[int, str]]


@dataclass(frozen=True, slots=True)
class Repair:
    """A normalization that pays.

    Attributes:
        normalization: the row of the table, or what was discovered.
        columns: the columns that have the fault, the hypotheses first, and their rows.
        changes: the texts of the repair.
        after: the score of the texts as they came with this repair alone.
        both: whether both sides have the same marks, which are no text.
    """

    normalization: Normalization
    columns: Mapping[int, Sequence[int]]
    changes: Changes
    after: float | None
    both: bool = False


class Corpus:
    """Hypotheses and references of the same length, which normalizations change."""

    def __init__(
        self, columns: Sequence[Sequence[str]], scores: Scores, threads: int,
        normalizations: Sequence[Normalization] = (), *, tokens: bool = False,
    ) -> None:  # fmt: skip
        table = (*normalizations, *MENDING, *TYPOGRAPHY)
        self._folds = [row for row in table if row.typographic and row.lines >= CHOSEN_BY_WRITERS]
        mending = [row for row in table if not any(row is fold for fold in self._folds)]
        self._encodings = [row for row in mending if row.typographic or row.kind in _ENCODINGS]
        self._mending = [row for row in mending if not (row.typographic or row.kind in _ENCODINGS)]
        self._tokens = tokens
        self.original = [list(column) for column in columns]
        self.texts = [list(column) for column in columns]
        #: The texts as the judge sees them: marks that the sides write differently are the same.
        self._styled = [list(column) for column in columns]
        self._style: list[Normalization] = []
        self._signs = [Signs(table, column) for column in columns]
        self._samples: dict[int, Sample] = {}
        self._matching: dict[tuple[int, str], list[int]] = {}
        self._judge = Judge(threads)
        self._similar = [self._judge.similarity(columns[0], [refs]) for refs in columns[1:]]
        self._scores = scores

    def repair(self) -> list[Repair]:
        """Apply all normalizations that pay."""
        repairs = self._greedy(self._encodings, search=False)
        repairs += self._fold()
        if mended := self._greedy(self._mending, search=True):
            repairs += [*mended, *self._fold()]
        folds = {row.name for row in self._style}
        for fold in repairs:
            if fold.normalization.name in folds:
                for at, texts in fold.changes.items():
                    for row in texts:
                        self.texts[at][row] = fold.normalization(self.texts[at][row])
        return repairs

    @property
    def similarity(self) -> Floats:
        """How similar each hypothesis is to the most similar of its references."""
        most: Floats = np.max(self._similar, axis=0)
        return most

    # Columns: 0 for the hypotheses, then the references.

    def _facing(self, at: int) -> list[list[str]]:
        return self._styled[:1] if at else self._styled[1:]

    def _before(self, at: int, rows: Sequence[int]) -> Floats:
        similar = self._similar[at - 1] if at else self.similarity
        return similar[list(rows)]

    def _after(self, at: int, texts: Mapping[int, str]) -> Floats:
        style = sequence(*self._style)
        facing = [[column[row] for row in texts] for column in self._facing(at)]
        return self._judge.similarity([style(text) for text in texts.values()], facing)

    def _rows(self, at: int, row: Normalization) -> list[int]:
        """The rows of a column in which a normalization may change something."""
        texts, key = self.texts[at], (at, row.pattern)
        if key not in self._matching:
            rows = self._signs[at].rows(row)
            search = re.compile(row.pattern).search
            every = range(len(texts)) if rows is None else rows
            self._matching[key] = (
                [i for i in every if search(texts[i])] if row.pattern else [*every]
            )
        return self._matching[key]

    def _changed(self, at: int, row: Normalization, rows: Sequence[int]) -> dict[int, str]:
        texts = self.texts[at]
        return {i: new for i in rows if (new := row(texts[i])) != texts[i]}

    def _verdict(self, at: int, row: Normalization) -> Verdict:
        """What a normalization does to a column, by a part of the lines if it is in very many."""
        rows = self._rows(at, row)
        sample = rows[:: len(rows) // _SAMPLE + 1]
        texts = self._changed(at, row, sample)
        if len(texts) * 20 < len(sample) < len(rows):
            sample, texts = rows, self._changed(at, row, rows)
        if len(texts) < row.lines:
            return Verdict()
        before, after = self._before(at, list(texts)), self._after(at, texts)
        return Verdict.of(list(texts), before, after, len(rows) / len(sample))

    def _greedy(self, rows: Sequence[Normalization], *, search: bool) -> list[Repair]:
        """Apply normalizations of one side, or of both that share a fault, until none pays."""
        repairs = [repair for row in rows if row.shared and (repair := self._shared(row))]
        verdicts: dict[tuple[int, str], tuple[Normalization, Verdict]] = {}
        refused: set[tuple[int, str]] = set()
        searched: set[int] = set()
        for _ in range(_ROUNDS):
            for at in range(len(self.texts)):
                side = "ref" if at else "hyp"
                candidates = [row for row in rows if row.side in (side, "both")]
                candidates += self._discovered(at) if search and at not in searched else ()
                searched.add(at)
                for row in candidates:
                    if (at, row.name) not in verdicts and (at, row.name) not in refused:
                        verdicts[at, row.name] = row, self._verdict(at, row)
            paying = [
                (key, *verdicts[key]) for key in verdicts if verdicts[key][1].pays(verdicts[key][0])
            ]
            if not paying:
                break
            most = max(verdict.gain for _, _, verdict in paying)
            key, row, _ = next(each for each in paying if each[2].gain >= _NEARLY * most)
            texts = self._changed(key[0], row, self._rows(key[0], row))
            before, after = self._before(key[0], list(texts)), self._after(key[0], texts)
            fair = Verdict.of(list(texts), before, after).rows
            changes = {key[0]: {i: texts[i] for i in fair}}
            score = self._scores.after(self._alone(row, changes))
            if self._is_useless(row, score):
                refused.add(key)
                verdicts.pop(key)
                continue
            repairs.append(Repair(row, {key[0]: fair}, changes, score))
            self._apply(changes)
            verdicts = {} if len(fair) > _SAMPLE else self._valid(verdicts, key[0], set(texts))
            searched = searched - {key[0]} if verdicts else set()
        return repairs

    def _is_useless(self, row: Normalization, score: float | None) -> bool:
        """Whether a repair costs points, or what writers may choose costs none."""
        is_choice = row.lines == CHOSEN_BY_WRITERS
        return self._scores.costs(score) or (is_choice and score == self._scores.before is not None)

    def _valid(self, verdicts: Any, changed: int, rows: set[int]) -> Any:
        """The verdicts that a change of these lines of a column leaves as they are."""
        return {
            (at, name): (row, verdict)
            for (at, name), (row, verdict) in verdicts.items()
            if (at != changed or row in self._mending)
            and rows.isdisjoint(verdict.rows)
            and rows.isdisjoint(self._rows(at, row))
        }

    def _discovered(self, at: int) -> Iterator[Normalization]:
        for place, texts in enumerate(self.texts):
            if place not in self._samples:
                self._samples[place] = Sample(texts)
        own = self._samples[at]
        facing = [
            sample for place, sample in sorted(self._samples.items()) if (place > 0) != (at > 0)
        ]
        for row in discovered(own, facing, "ref" if at else "hyp"):
            yield replace(row, name=f"discovered: {row.name}")

    def _shared(self, row: Normalization) -> Repair | None:
        """The repair of both sides, if both have marks that are no text."""
        rows = [self._rows(at, row) for at in range(len(self.texts))]
        if row.kind == "tokenized":  # in French, other marks stand alone as well
            rows = [[i for i in of_column if _TOKENS.search(self.texts[at][i])]
                    for at, of_column in enumerate(rows)]  # fmt: skip
        half = 0 if row.lines == NEVER_WRITTEN else len(self.texts[0]) // 2
        if not all(len(of_column) > half for of_column in rows) or (
            row.kind == "tokenized" and self._tokens
        ):
            return None
        changes = {at: self._changed(at, row, of_column) for at, of_column in enumerate(rows)}
        if not all(len(texts) > half for texts in changes.values()):
            return None
        repair = Repair(
            row, {at: list(texts) for at, texts in changes.items()}, changes,
            self._scores.after(self._alone(row, changes)), both=True,
        )  # fmt: skip
        self._apply(changes)
        return repair

    def _alone(self, row: Normalization, changes: Changes) -> Changes:
        """The changes of texts as they came; where another fault hides this one, of both."""
        return {
            at: {i: new if (new := row(self.original[at][i])) != self.original[at][i] else text
                 for i, text in texts.items()}
            for at, texts in changes.items()
        }  # fmt: skip

    def _apply(self, changes: Changes) -> None:
        style = sequence(*self._style)
        for at, texts in changes.items():
            for row, text in texts.items():
                self.texts[at][row], self._styled[at][row] = text, style(text)
            if texts:
                self._signs[at].change(texts)
                self._samples.pop(at, None)
                for (column, pattern), rows in self._matching.items():
                    if column == at and pattern:
                        search = re.compile(pattern).search
                        rows[:] = sorted(
                            {row for row in rows if row not in texts}.union(
                                row for row, text in texts.items() if search(text)
                            )
                        )
        self._judge_again(sorted(set().union(*changes.values())))

    def _judge_again(self, rows: Sequence[int]) -> None:
        hyps = [self._styled[0][row] for row in rows]
        for at, similar in enumerate(self._similar, 1):
            similar[list(rows)] = self._judge.similarity(
                hyps, [[self._styled[at][row] for row in rows]]
            )

    # Marks that the two sides write differently.

    def _fold(self) -> list[Repair]:
        repairs = []
        for row in self._folds:
            if any(row is fold for fold in self._style):
                continue
            rows = sorted({i for at in range(len(self.texts)) for i in self._rows(at, row)})
            if len(rows) < row.lines:
                continue
            folded = [[row(column[i]) for i in rows] for column in self._styled]
            after = self._judge.similarity(folded[0], folded[1:])
            verdict = Verdict.of(rows, before := self._before(0, rows), after)
            if not verdict.pays(row):
                continue
            differ = [i for i, gain in zip(rows, after - before, strict=True) if gain > ROUNDING]
            written = replace(row, fix=self._written(row))
            changes = {0: self._changed(0, written, differ)}
            gains = self._judge.similarity(
                list(changes[0].values()),
                [[column[i] for i in changes[0]] for column in self._facing(0)],
            ) - self._before(0, list(changes[0]))
            if gains.sum() < _TOWARDS * verdict.gain:
                written = row
                changes = {at: self._changed(at, row, rows) for at in range(len(self.texts))}
            score = self._scores.after(self._alone(written, changes))
            if self._is_useless(row, score):
                continue
            repairs.append(Repair(written, {0: differ}, changes, score))
            self._style.append(row)
            for column, texts in zip(self._styled, folded, strict=True):
                for i, text in zip(rows, texts, strict=True):
                    column[i] = text
            self._judge_again(rows)
        return repairs

    def _written(self, row: Normalization) -> Fix:
        """Writes marks as most references do where they begin a word, end it, or are inside."""
        search = re.compile(row.pattern).finditer
        marks = {
            match[0] for at, column in enumerate(self.texts)
            for i in self._rows(at, row)[:_SAMPLE] for match in search(column[i])
        }  # fmt: skip
        folded = {mark: new for mark in marks if (new := row(mark)) != mark}
        folded |= {new: new for new in folded.values() if new}
        if not folded:
            return row.fix
        variants = re.compile("|".join(map(re.escape, sorted(folded, key=len, reverse=True))))
        forms: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)

        def place(match: re.Match[str]) -> tuple[str, int]:
            start, end, text = match.start(), match.end(), match.string
            inside = 1 if end == len(text) or text[end] in _CLOSING else 2
            return folded[match[0]], inside if start and text[start - 1] not in " ([" else 0

        for column in self.texts[1:]:
            for text in column[:: len(column) // _STYLE + 1]:
                for match in variants.finditer(text):
                    forms[place(match)][match[0]] += 1
        usual = {key: counts.most_common(1)[0][0] for key, counts in forms.items()}
        return partial(variants.sub, lambda match: usual.get(place(match), match[0]))

# SPDX-License-Identifier: Apache-2.0
"""Aligned texts under repair: the normalizations that pay, those that gain most first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from truebleu.analysis.check.discovery import Sample, discovered
from truebleu.analysis.check.judge import LINES, NEARLY, ROUNDING, ROUNDS, Floats, Judge, Verdict
from truebleu.analysis.check.scores import Scores
from truebleu.analysis.check.signs import Signs
from truebleu.text.mending import MENDING
from truebleu.text.normalization import (
    CHOSEN_BY_WRITERS,
    NEVER_WRITTEN,
    Fix,
    Normalization,
)
from truebleu.text.normalizations import TYPOGRAPHY

#: What is repaired before marks are compared.
_ENCODINGS = ("mojibake", "html-entity", "byte-order-mark", "carriage-return", "line-separator")
_TOKENS = re.compile(r"\w [.,](?: |$)")
_CLOSING = frozenset(" )].,:;!?")

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
        self._style: list[Normalization] = []
        self._signs = Signs(self._table)
        self._bits = [self._signs.of(column) for column in columns]
        self._samples: dict[int, Sample] = {}
        self._matching: dict[tuple[int, str], list[int]] = {}
        self._judge = Judge(threads)
        self._similar = [np.full(len(columns[0]), np.nan) for _ in columns]
        self._scores = scores

    def repair(self) -> list[Repair]:
        """Apply all normalizations that pay."""
        folds = [r for r in self._table if r.typographic and r.lines >= CHOSEN_BY_WRITERS]
        others = [r for r in self._table if not (r.typographic and r.lines >= CHOSEN_BY_WRITERS)]
        encodings = [r for r in others if r.typographic or r.kind in _ENCODINGS]
        mending = [r for r in others if not (r.typographic or r.kind in _ENCODINGS)]
        repairs = self._greedy(encodings, search=False)
        repairs += self._fold(folds)
        if mended := self._greedy(mending, search=True):
            repairs += [*mended, *self._fold(folds)]
        names = {row.name for row in self._style}
        for fold in repairs:
            if fold.normalization.name in names:
                for at, texts in fold.changes.items():
                    for i in texts:
                        self.texts[at][i] = fold.normalization(self.texts[at][i])
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
        own, *others = self._styled(
            [texts.values(), *([column[i] for i in texts] for column in facing)]
        )
        return self._judge.similarity(own, others)

    def _styled(self, columns: Iterable[Iterable[str]], *rows: Normalization) -> list[list[str]]:
        """Texts as the judge sees them: marks that the sides write differently are the same."""
        styled = [list(column) for column in columns]
        for row in (*self._style, *rows):
            styled = [_each(row, column) for column in styled]
        return styled

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
        verdicts: dict[tuple[int, str], Verdict] = {}
        candidates: dict[int, list[Normalization]] = {}
        refused: set[tuple[int, str]] = set()
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
                    if key not in verdicts:
                        verdicts[key] = self._verdict(at, row)
                    if verdicts[key].pays(row) and key not in refused:
                        paying.append((at, row, verdicts[key].gain))
            if not paying:
                break
            least = NEARLY * max(gain for _, _, gain in paying)
            at, row, _ = next(each for each in paying if each[2] >= least)
            fair = self._verdict(at, row, len(self.texts[0])).texts
            score = self._scores.after(self._alone(row, {at: fair}))
            if self._is_useless(row, score):
                refused.add((at, row.name))
                continue
            repairs.append(Repair(row, {at: list(fair)}, {at: fair}, score))
            self._apply({at: fair})
            del candidates[at]
            verdicts = {key: verdict for key, verdict in verdicts.items()
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
            rows = list(texts)
            if rows:
                self._bits[at][rows] = self._signs.of(list(texts.values()))
            self._forget(rows)
            self._samples.pop(at, None)
            for key in [key for key in self._matching if key[0] == at]:
                del self._matching[key]

    def _forget(self, rows: Sequence[int]) -> None:
        for similar in self._similar:
            similar[list(rows)] = np.nan

    # Marks that the two sides write differently.

    def _fold(self, folds: Sequence[Normalization]) -> list[Repair]:
        repairs = []
        for row in folds:
            if any(row is style for style in self._style):
                continue
            rows = sorted({i for at, column in enumerate(self.texts)
                           for i in self._changed(at, row, self._rows(at, row))})  # fmt: skip
            sample = rows[:: len(rows) // (LINES + 1) + 1]
            if len(rows) < row.lines or not (verdict := self._folded(row, sample)).pays(row):
                continue
            verdict = verdict if sample == rows else self._folded(row, rows)
            differ = [i for i, gain in zip(rows, verdict.gains, strict=True) if gain > ROUNDING]
            written = replace(row, fix=self._written(row))
            changes = {0: self._changed(0, written, differ)}
            own = list(changes[0])
            gain = (self._after(0, changes[0]) - self._before(0, own)).sum()
            if gain < NEARLY * verdict.gain:
                written = row
                changes = {at: self._changed(at, row, rows) for at in range(len(self.texts))}
            score = self._scores.after(self._alone(written, changes))
            if not self._is_useless(row, score):
                repairs.append(Repair(written, {0: differ}, changes, score))
                self._style.append(row)
                self._forget(rows)
        return repairs

    def _folded(self, row: Normalization, rows: Sequence[int]) -> Verdict:
        """What a normalization does that writes both sides alike."""
        hyps, *refs = self._styled([[column[i] for i in rows] for column in self.texts], row)
        after = self._judge.similarity(hyps, refs)
        return Verdict.of(dict.fromkeys(rows, ""), self._before(0, rows), after)

    def _written(self, row: Normalization) -> Fix:
        """Writes marks as most references do where they begin a word, end it, or are inside."""
        find, lines = re.compile(row.pattern).finditer, [
            column[i] for at, column in enumerate(self.texts) for i in self._rows(at, row)[:LINES]
        ]  # fmt: skip
        folded = {mark: row(mark) for mark in {match[0] for text in lines for match in find(text)}}
        folded |= {new: new for new in folded.values() if new}
        if not folded:
            return row.fix
        marks = sorted((mark for mark in folded if mark), key=len, reverse=True)
        variants = re.compile("|".join(map(re.escape, marks)))
        forms: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)

        def place(match: re.Match[str]) -> tuple[str, int]:
            start, end, text = match.start(), match.end(), match.string
            inside = 1 if end == len(text) or text[end] in _CLOSING else 2
            return folded[match[0]], inside if start and text[start - 1] not in " ([" else 0

        for column in self.texts[1:]:
            for text in column[:: len(column) // LINES + 1]:
                for match in variants.finditer(text):
                    forms[place(match)][match[0]] += 1
        usual = {key: counts.most_common(1)[0][0] for key, counts in forms.items()}
        return partial(variants.sub, lambda match: usual.get(place(match), match[0]))

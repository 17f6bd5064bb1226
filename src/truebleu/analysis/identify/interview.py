# SPDX-License-Identifier: Apache-2.0
"""Asks a scorer about probes: about all of them, or about the most telling ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from truebleu.analysis.identify.calling import Box
from truebleu.analysis.identify.candidates import Scorer
from truebleu.analysis.identify.changes import Changes
from truebleu.analysis.identify.mistakes import Array
from truebleu.analysis.identify.probes import Probe, probes
from truebleu.analysis.identify.search import Answers, Search, State

#: Rows with a lower cost are tried with each change if there is a limit of calls.
_COMMON = 0.12


class Interview:
    """The answers of a scorer, with at most `limit` calls.

    With `lines`, texts are lines of files. `probes` is what may be asked.
    """

    def __init__(self, box: Box, limit: int | None, *, lines: bool) -> None:
        self.box, self.form, self.limit = box, box.form, limit
        every = probes(strings=not self.form.tokens, lines=lines)
        self.probes = [probe for probe in every if self.form.arguments(probe) is not None]
        self._scores: dict[Probe, float | None] = {}

    @property
    def budget(self) -> int:
        """How many more calls there may be."""
        return 1 << 30 if self.limit is None else self.limit - self.box.calls

    def ask(self, probe: Probe) -> float | None:
        """The score of a probe; None if it cannot be asked, or without a budget."""
        if probe not in self._scores and self.budget > 0:
            self._scores[probe] = self.box.ask(probe)
        return self._scores.get(probe)

    def ask_all(self, asked: Iterable[Probe]) -> list[Probe]:
        """Ask about each probe; returns those with an answer."""
        return [probe for probe in asked if self.ask(probe) is not None]

    def answers(self, asked: Sequence[Probe]) -> Answers:
        """The answers about some probes, on the scale and with the decimals of all."""
        own = Answers.of([self._scores.get(probe) for probe in self.probes], self.probes)
        if asked is self.probes:
            return own
        scores = [self._scores.get(probe) for probe in asked]
        values = np.array([np.nan if score is None else score for score in scores]) / own.scale
        return replace(own, values=values, asked=np.array([score is not None for score in scores]))

    def search(self) -> Search:
        """A search for the answers."""
        return Search(Scorer(self.probes, tokens=self.form.tokens), self.answers(self.probes))

    def ask_telling(self, moves: Sequence[Changes], reserve: int) -> None:
        """Ask what separates rows and their changes, or if none fits, of all; leave a reserve."""
        search = self.search()
        search.rows()
        common = [state for state in search.tried.values() if state.cost < _COMMON]
        search.states(search.neighbors(common, moves))
        if not self.separate(search.tried.values(), reserve):  # weights are solved from the first
            survey = [*self.probes[:15:2], *self.probes[15::15]]
            self.ask_all(survey[: max(0, self.budget - reserve)])

    def separate(self, states: Iterable[State], reserve: int) -> bool:
        """Ask what separates candidates until those that fit are equal; returns if any does."""
        values = np.array([state.values for state in states])
        while True:
            answers = self.answers(self.probes)
            fits = values[answers.hits(values).all(axis=1)]
            if not len(fits):
                return False
            tried = np.array([probe in self._scores for probe in self.probes])
            spread = np.array([_entropy(column) for column in fits.T]) * ~tried
            if spread.max() <= 0 or self.budget <= reserve:
                return True
            self.ask(self.probes[int(spread.argmax())])


def _entropy(values: Array) -> float:
    """How evenly values divide candidates; 0 if all are equal."""
    shares = np.unique(np.nan_to_num(values, nan=-1).round(6), return_counts=True)[1] / len(values)
    return float(-(shares * np.log(shares)).sum())

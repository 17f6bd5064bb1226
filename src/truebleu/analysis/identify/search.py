# SPDX-License-Identifier: Apache-2.0
"""The search for the dialect whose scores of probes are those of a scorer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.changes import NEUTRAL, Changes, changed
from truebleu.analysis.identify.mistakes import MISTAKES, Array
from truebleu.analysis.identify.probes import Probe
from truebleu.analysis.reconcile import penalties
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError

#: Scores that differ by less, relatively, are the same: some tools compute in single precision.
#: Of two candidates, the one is preferred that differs by less than `_TIGHT` more often.
_SAME, _TIGHT = 2e-6, 1e-11
#: Scores below are zeros that tools write as the smallest float.
_ZERO = 1e-12
#: Candidates that each step of the search improves, and the most steps.
_WIDTH, _STEPS = 8, 14
#: About how many probes that agree, and that do not, show which mistakes are worth a full test.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a scorer: scores, 1 for a perfect hypothesis, and NaN for errors.

    Where nothing was answered, `asked` is false. `scale` is that of the scorer, 1 or 100; it rounds
    to `decimals` on its scale, None if it does not.
    """

    values: Array
    asked: Array
    scale: int
    decimals: int | None

    @classmethod
    def of(cls, answers: Sequence[float | None], probes: Sequence[Probe]) -> Answers:
        """From the answers about probes."""
        values = np.array([np.nan if answer is None else answer for answer in answers])
        asked = np.array([answer is not None for answer in answers])
        scale = 100 if np.nan_to_num(values).max(initial=0) > 3 else 1
        pairs = zip(probes, values.tolist(), strict=True)
        alone = {round(x, 9) for p, x in pairs if len(p.hyps) == 1 and math.isfinite(x)}
        digits = (k for k in range(7) if all(abs(x - round(x, k)) < 1e-9 for x in alone))
        decimals = next(digits, None) if len(alone) > min(15, asked.sum() // 3) else None
        return cls(values / scale, asked, scale, decimals)

    def hits(self, values: Array, tolerance: float = _SAME) -> Array:
        """Where scores are the answers, or there is no answer; no number equals no number."""
        grain = _ZERO if tolerance > _TIGHT else 0.0
        if self.decimals is not None:
            grain = 0.51 * 10.0**-self.decimals / self.scale
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(values), np.abs(self.values))
            close = np.abs(values - self.values) <= tolerance * size + grain
        return np.asarray(close | (np.isnan(values) & np.isnan(self.values)) | ~self.asked)


@dataclass(frozen=True, slots=True)
class State:
    """A candidate with its scores, which of them are answers, and how uncommon it is.

    `agreement` is the mean over topics of the share of probes that agree; `key` is the same for
    equal scores.
    """

    agreement: float
    cost: float
    candidate: Candidate
    values: Array
    hits: Array
    key: bytes

    @property
    def rank(self) -> tuple[float, float]:
        """The best first."""
        return -round(self.agreement, 9), self.cost


def cost_of(row: Dialect) -> float:
    """How uncommon a row is, as a part of a change."""
    return penalties.tool(row.name) / 100


class Search:
    """Looks for candidates that give the answers."""

    def __init__(self, scorer: Scorer, answers: Answers) -> None:
        self.scorer, self.answers = scorer, answers
        self._corpora = bool(scorer.sizes.max() > 1)
        pairs = list(zip((p.topic for p in scorer.probes), answers.asked, strict=True))
        counts = Counter(topic for topic, asked in pairs if asked)
        weights = [asked / max(counts[topic], 1) for topic, asked in pairs]
        self._weights = np.array(weights) / max(len(counts), 1)
        #: The cheapest candidate of all that give the same scores.
        self.tried: dict[bytes, State] = {}

    def sample(self, hits: Array) -> Search:
        """A search for some of the answers, which is faster: misses, and some of the hits."""
        long = np.array([probe.topic == "long texts" for probe in self.scorer.probes])
        telling = self.answers.asked & ~(hits & long)
        halves = [np.flatnonzero(telling & (hits == hit)) for hit in (False, True)]
        own = np.concatenate([half[:: max(1, len(half) // _SAMPLE)] for half in halves]).tolist()
        scorer = Scorer([self.scorer.probes[i] for i in own], tokens=self.scorer.tokens)
        values, asked = self.answers.values[own], self.answers.asked[own]
        return Search(scorer, replace(self.answers, values=values, asked=asked))

    def agreement(self, hits: Array) -> float:
        """The mean over topics of the share of probes that agree."""
        return float(self._weights @ hits)

    def state(self, candidate: Candidate, cost: float) -> State | None:
        """A candidate with its scores; None if it has none."""
        try:
            values = self.scorer.values(candidate)
        except (OptionError, IndexError, ValueError, ZeroDivisionError):
            return None
        hits = self.answers.hits(values)
        is_mean = candidate.dialect.aggregate.join == "mean" and self._corpora  # rounded otherwise
        tight = hits if is_mean else hits & self.answers.hits(values, _TIGHT)
        agreement = self.agreement(hits + 0.1 * tight) / 1.1
        key = values.round(13).tobytes() + (values > 0).tobytes()
        state = State(agreement, cost, candidate, values, hits, key)
        if key not in self.tried or state.rank < self.tried[key].rank:
            self.tried[key] = state
        return state

    def states(self, candidates: Iterable[tuple[Candidate, float]]) -> list[State]:
        """Different candidates, with their costs, and their scores."""
        states = (self.state(*pair) for pair in candidates)
        return list({state.key: self.tried[state.key] for state in states if state}.values())

    def rows(self, measured: Iterable[Changes] = ()) -> list[State]:
        """The best rows, with each measured change, for corpora and for means of segments."""

        def candidates() -> Iterator[tuple[Candidate, float]]:
            joins: list[Changes] = [{}, {"join": "mean"}] if self._corpora else [{}]
            for row, own, join in product(DIALECTS.values(), ({}, *measured), joins):
                orders: list[Changes] = [{}, {"effective_order": True}]
                for order in orders[: 1 + row.combine.sentence_effective_order]:
                    change = {**own, **order, **join}
                    dialect = changed(row, change) if change else row
                    if dialect is not None:
                        yield Candidate(dialect), cost_of(row) + 0.9 * min(len(change), 2)

        return sorted(self.states(candidates()), key=lambda state: state.rank)[:_WIDTH]

    def neighbors(
        self, states: Iterable[State], moves: Sequence[Changes]
    ) -> Iterator[tuple[Candidate, float]]:
        """Candidates with one more change."""
        for state, move in product(states, moves):
            dialect = changed(state.candidate.dialect, move)
            if dialect is not None:
                yield replace(state.candidate, dialect=dialect), state.cost + 1

    def mistaken(self, states: Sequence[State]) -> list[State]:
        """Candidates with each mistake."""
        return self.states((replace(state.candidate, mistake=mistake), state.cost + 3)
                           for state in states for mistake in MISTAKES)  # fmt: skip

    def beam(self, starts: Iterable[State], moves: Sequence[Changes]) -> list[State]:
        """The best candidates, improved by one change at a time."""
        pool, best = self.states((start.candidate, start.cost) for start in starts), list[State]()
        for _ in range(_STEPS):
            leaders = sorted(pool, key=lambda state: state.rank)[:_WIDTH]
            if best and leaders[0].agreement <= best[0].agreement + 1e-12:
                break
            best = leaders
            if best[0].agreement > 1 - 1e-9:
                break
            pool = [*best, *self.states(self.neighbors(best, moves))]
        return best

    def plainest(self, state: State) -> tuple[State, Changes, list[str]]:
        """The most common row with the fewest changes that agrees as well.

        Returns:
            The state, the changes from its row, and other rows that need as many.
        """
        plain = self.state(Candidate(state.candidate.dialect), state.cost)
        state = plain if plain and plain.agreement >= state.agreement - 1e-9 else state
        own, neutral = (
            state.candidate.dialect.options(),
            {*NEUTRAL, "join"[: 4 * (not self._corpora)]},
        )

        def needed(row: Dialect) -> Changes:
            options = row.options()
            return {k: v for k, v in own.items() if options[k] != v and k not in neutral}

        def reached(row: Dialect, changes: Changes) -> State | None:
            dialect = changed(row, changes) if changes else row
            other = dialect and self.state(replace(state.candidate, dialect=dialect), 9.0)
            return other if other and other.agreement >= state.agreement - 1e-9 else None

        results: list[tuple[float, int, State, Changes]] = []
        for row in sorted(DIALECTS.values(), key=lambda row: (len(needed(row)), cost_of(row)))[:60]:
            changes = needed(row)
            for name in sorted(changes, key=lambda name: (name in ("tokenize", "lowercase"), name)):
                fewer = {k: v for k, v in changes.items() if k != name}
                changes = fewer if reached(row, fewer) else changes
            end = reached(row, changes)
            if end is not None:
                cost = len(changes) - ("smooth_value" in changes) + cost_of(row)
                cost += 0.5 * (row.combine.scale != self.answers.scale)
                results.append((cost, len(results), end, changes))
        if not results:
            return state, {}, []
        (cost, _, end, changes), *others = sorted(results, key=lambda result: result[:2])
        same = [other[2].candidate.dialect.name for other in others if int(other[0]) == int(cost)]
        return end, changes, same

# SPDX-License-Identifier: Apache-2.0
"""The search for the dialect whose scores of probes are those of a scorer.

There is no list of settings: `reconcile` lists the common ones, options declare their values, rows
of the table show which values belong together, and orders and weights are measured.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.mistakes import Array
from truebleu.analysis.identify.probes import Probe
from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.candidates import is_installed
from truebleu.dialects.decisions import EACH_CHARACTER, OPTIONS, READING, Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError, TrueBLEUError
from truebleu.metrics.tokenizers import NATIVE

#: Scores that differ by less, relatively, are the same: some tools compute in single precision.
#: Of two candidates, the one is preferred that differs by less than `_TIGHT` more often.
_SAME, _TIGHT = 2e-6, 1e-11
#: Scores below are zeros that tools write as the smallest float.
_ZERO = 1e-12
#: Candidates that each step of the search improves, and the most steps.
_WIDTH, _STEPS = 8, 14
#: How many of them try tokenizers in Python, which take a hundred times as long as the kernel's.
_SLOW = 2

Changes = dict[str, Any]


class Written:
    """A tokenizer in Python; `repr()` is its source."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        return eval(self._source, {"text": text})  # type: ignore[no-any-return]  # noqa: S307

    def __repr__(self) -> str:
        return f"lambda text: {self._source}"


#: Tokenizers that people write, besides those with a name.
_TOKENIZERS: tuple[Any, ...] = (
    r"re:\w+", r"re:\w+|[^\w\s]", r"re:\S", "re:[^ ]", r"re:[.,!?]|[^\s.,!?]+", r"re:[A-Za-z]+",
    r"re:[A-Za-z0-9]+", "re:[!-/:-@\\[-`{-~]|[^\\s!-/:-@\\[-`{-~]+",
    Written(r"__import__('re').sub(r'[^\w\s]', '', text).split()"),
    Written("text.translate(dict.fromkeys(map(ord, __import__('string').punctuation))).split()"),
)  # fmt: skip
#: Numbers that are added to matches and totals.
_ADDED = (0.0, 1.0, 0.5, 0.1, 0.01, 2.0, 5.0, 0.2, 0.05, 0.001)
#: Options whose values belong together.
_TOGETHER = (
    ("smooth_method", "smooth_value"), ("lowercase", "lowercase_rule", "lowercase_when"),
    ("max_ngram_order", "weights", "cumulative_weights"), ("brevity", "brevity_power"),
    ("guard", "missing_order", "zero_precision"),
    ("floor_totals", "guard", "zero_precision", "smooth_method", "smooth_value"),
)  # fmt: skip
#: Options that change no score by more than a rounding error, and the scale, which is measured.
NEUTRAL = ("summation", "precision", "scale", "sentence_effective_order")


def table_changes(*, tokens: bool, corpora: bool) -> list[Changes]:
    """Changes that `reconcile` tries, that options declare, and that rows have.

    Those of reading are left out for tokens, those of aggregation if there are no corpora.
    """
    rows = [row.options() for row in DIALECTS.values()]
    changes = [change.options for row in DIALECTS.values() for change in penalties.singles(row)]
    for option in OPTIONS.values():
        values = (False, True) if option.kind is bool else option.choices
        own = dict.fromkeys((*values, *(row[option.name] for row in rows)))
        changes += [{**_WITH.get(option.name, {}), option.name: value} for value in own]
    changes += [{name: row[name] for name in names} for names in _TOGETHER for row in rows]
    changes += [{"tokenize": own} for own in _TOKENIZERS]
    numbers = [(0.0, 0.0, 10.0**-place) for place in range(1, 16)]
    changes += [{"smooth_method": "none", "add_counts": added} for added in numbers]
    skipped = {*NEUTRAL, "keywords", *(READING if tokens else ()), *(() if corpora else ("join",))}
    different = {repr(change): change for change in changes if skipped.isdisjoint(change)}
    different.pop(repr({"tokenize": "ptb"}), None)  # Java is slow; uses have it
    return [c for c in different.values() if is_installed(c.get("tokenize", "none"))]


#: Options that a change of another makes meaningless, or that it needs.
_WITH: dict[str, Changes] = {
    "smooth_method": {"smooth_value": None},
    "lowercase_rule": {"lowercase": True},
    "max_ngram_order": {"weights": None, "cumulative_weights": None},
}


def changed(dialect: Dialect, changes: Changes) -> Dialect | None:
    """A dialect with changes; None if they do not fit it, or change nothing."""
    own = dialect.options()
    if changes and all(own[name] == value for name, value in changes.items()):
        return None
    try:
        return dialect.replace(**changes)
    except OptionError:
        return None


def measured(scorer: Scorer, answers: Array) -> list[Changes]:
    """Orders, weights and added counts, solved from pairs that match in all orders.

    The logarithm of a score is linear in those of the precisions; the weights are its slopes.
    """
    uses = (np.array([probe.topic for probe in scorer.probes]) == "precisions") & (np.nan_to_num(answers) > 0)
    tokenizers = ("none", "char", EACH_CHARACTER)[: 1 if scorer.tokens else 3]
    target, solutions = np.log(answers[uses]), list[Changes]()
    for tokenize, added, first in product(tokenizers, _ADDED, (0, 1)):
        row = DIALECTS["papineni-2002"].replace(tokenize=tokenize, max_ngram_order=6)
        counts = np.add.reduceat(scorer.rows(row), scorer.starts)[uses]
        more = added * (np.arange(6) >= first)
        with np.errstate(all="ignore"):
            logs = np.log((counts[:, 2:8] + more) / (counts[:, 8:] + more))
        if len(counts) > 7 and logs.min() > -99:
            slopes = np.linalg.lstsq(logs, target, rcond=None)[0]
            if min(slopes) > -1e-4 and np.abs(logs @ slopes - target).max() < 1e-5:
                smooth = {"smooth_method": ("add-k-all", "add-k")[first], "smooth_value": added}
                solutions.append(_of_weights(slopes.tolist()) | (smooth if added else {}))
    return solutions


def smoothed(scorer: Scorer, answers: Array, dialects: Iterable[Dialect]) -> list[Changes]:
    """Values of smoothing, solved from pairs without matches: logarithms are linear in its own."""
    topics = np.array([probe.topic for probe in scorer.probes])
    values = Counter[tuple[str, float]]()
    methods: Any = ("floor", "constant")
    for dialect, method in product(dialects, methods):
        pair = [dialect.replace(smooth_method=method, smooth_value=v) for v in (1e-3, 1e-6)]
        with np.errstate(all="ignore"):
            large, small = (np.log(scorer.values(Candidate(dialect))) for dialect in pair)
            own = 1e-3 ** (1 - (np.log(answers) - large) / (large - small))
        for value in own[(topics == "no matches") & np.isfinite(own) & (own > 0) & (own < 2)]:
            values[method, float(f"{value:.3g}")] += 1
    return [{"smooth_method": m, "smooth_value": v} for (m, v), count in values.most_common(4) if count > 1]


def _of_weights(slopes: list[float]) -> Changes:
    """Weights as people write them: with few decimals, or thirds."""
    pairs = zip([round(slope * 3) / 3 for slope in slopes], slopes, strict=True)
    weights = [third if abs(slope - third) < 1e-4 else round(slope, 4) for third, slope in pairs]
    weights = weights[: max((order for order, weight in enumerate(weights, 1) if weight), default=1)]
    order: Changes = {"max_ngram_order": len(weights), "cumulative_weights": None}
    if len({*weights}) == 1 and abs(sum(weights) - 1) < 1e-3:
        return order | {"weights": None}
    return order | {"weights": tuple(weights), "arithmetic": "weighted"}


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a scorer: scores, 1 for a perfect hypothesis, and NaN for errors.

    `scale` is that of the scorer, 1 or 100; it rounds to `decimals` on its scale, None if it does
    not.
    """

    values: Array
    scale: int
    decimals: int | None

    @classmethod
    def of(cls, answers: Iterable[float | None], probes: Sequence[Probe]) -> Answers:
        """From the answers about probes."""
        values = np.array(list(answers), float)
        scale = 100 if np.nan_to_num(values).max(initial=0) > 3 else 1
        pairs = zip(probes, values.tolist(), strict=True)
        alone = {round(x, 9) for p, x in pairs if len(p.hyps) == 1 and math.isfinite(x)}
        digits = (k for k in range(7) if all(abs(x - round(x, k)) < 1e-9 for x in alone))
        decimals = next(digits, None) if len(alone) > min(15, len(values) // 3) else None
        return cls(values / scale, scale, decimals)

    def hits(self, values: Array, tolerance: float = _SAME) -> Array:
        """Where scores are the answers; no number equals no number."""
        grain = _ZERO if tolerance > _TIGHT else 0.0
        if self.decimals is not None:
            grain = 0.51 * 10.0**-self.decimals / self.scale
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(values), np.abs(self.values))
            close = np.abs(values - self.values) <= tolerance * size + grain
        return np.asarray(close | (np.isnan(values) & np.isnan(self.values)))


@dataclass(frozen=True, slots=True)
class State:
    """A candidate with its scores, which of them are answers, and how uncommon it is.

    `agreement` is the mean over topics of the share of probes that agree; `key` is the same for
    equal scores.
    """

    agreement: float
    cost: float
    candidate: Candidate
    hits: Array
    key: bytes


def cost_of(row: Dialect) -> float:
    """How uncommon a row is, as a part of a change."""
    return penalties.tool(row.name) / 100


class Search:
    """Looks for candidates that give the answers."""

    def __init__(self, scorer: Scorer, answers: Answers) -> None:
        self.scorer, self.answers = scorer, answers
        self._corpora = bool(scorer.sizes.max() > 1)
        topics = [probe.topic for probe in scorer.probes]
        counts = Counter(topics)
        self.weights = np.array([1 / counts[topic] / len(counts) for topic in topics])

    def state(self, candidate: Candidate, cost: float) -> State | None:
        """A candidate with its scores; None if it has none."""
        try:
            values = self.scorer.values(candidate)
        except (TrueBLEUError, IndexError, ValueError, ZeroDivisionError):
            return None
        hits = self.answers.hits(values)
        is_mean = candidate.dialect.aggregate.join == "mean" and self._corpora  # rounded otherwise
        tight = hits if is_mean else hits & self.answers.hits(values, _TIGHT)
        agreement = float(self.weights @ (hits + 0.1 * tight)) / 1.1
        return State(agreement, cost, candidate, hits, values.round(13).tobytes() + (values > 0).tobytes())

    def states(self, candidates: Iterable[tuple[Candidate, float]]) -> list[State]:
        """The cheapest candidates of those with equal scores, from pairs with costs; best first."""
        states = filter(None, (self.state(*pair) for pair in candidates))
        best: dict[bytes, State] = {}
        for state in sorted(states, key=lambda state: (-round(state.agreement, 9), state.cost)):
            best.setdefault(state.key, state)
        return list(best.values())

    def rows(self, measured: Iterable[Changes] = (), used: Iterable[Dialect] = ()) -> list[State]:
        """The best rows and uses; rows with each measured change, for corpora and for means."""

        def candidates() -> Iterator[tuple[Candidate, float]]:
            joins: list[Changes] = [{}, {"join": "mean"}] if self._corpora else [{}]
            orders: list[Changes] = [{}, {"effective_order": True}]
            for row, own, join in product(DIALECTS.values(), ({}, *measured), joins):
                for order in orders[: 1 + row.combine.sentence_effective_order]:
                    change = {**own, **order, **join}
                    if (dialect := changed(row, change)) is not None:
                        yield Candidate(dialect), cost_of(row) + 0.9 * min(len(change), 2)
            yield from ((Candidate(dialect), cost_of(dialect) + 2) for dialect in used)

        return self.states(candidates())[:_WIDTH]

    def beam(self, starts: Iterable[State], moves: Sequence[Changes]) -> list[State]:
        """The best candidates, improved by one change at a time."""
        pairs, best = [(start.candidate, start.cost) for start in starts], list[State]()
        for _ in range(_STEPS):
            leaders = self.states(pairs)[:_WIDTH]
            if best and leaders[0].agreement <= best[0].agreement + 1e-12:
                break
            best = leaders
            if best[0].agreement > 1 - 1e-9:
                break
            pairs = [(state.candidate, state.cost) for state in best]
            for (place, state), move in product(enumerate(best), moves):
                is_fast = place < _SLOW or move.get("tokenize", "none") in NATIVE
                if is_fast and (dialect := changed(state.candidate.dialect, move)) is not None:
                    pairs.append((replace(state.candidate, dialect=dialect), state.cost + 1))
        return best

    def fit(self, moves: list[Changes], used: Iterable[Dialect]) -> tuple[list[State], list[Changes]]:
        """The best candidates without a mistake, by rows, uses and moves; and what was tried."""
        orders = measured(self.scorer, self.answers.values)
        first = self.rows(orders)
        if not first[0].hits.all():
            first = self.rows(orders, used)
        dialects = [state.candidate.dialect for state in first[:4]]
        moves = [*moves, *orders, *smoothed(self.scorer, self.answers.values, dialects)]
        return [*self.beam(first, moves)[:3], *first[:3]], moves

    def plainest(self, state: State) -> tuple[State, Changes, list[str]]:
        """The most common row with the fewest changes that agrees as well, its changes, others."""
        plain = self.state(Candidate(state.candidate.dialect), state.cost)
        state = plain if plain and plain.agreement >= state.agreement - 1e-9 else state
        own = state.candidate.dialect.options()
        neutral = NEUTRAL if self._corpora else (*NEUTRAL, "join")

        def needed(row: Dialect) -> Changes:
            options = row.options()
            return {k: v for k, v in own.items() if options[k] != v and k not in neutral}

        def reached(row: Dialect, changes: Changes) -> State | None:
            dialect = changed(row, changes)
            other = dialect and self.state(replace(state.candidate, dialect=dialect), 9.0)
            return other if other and other.agreement >= state.agreement - 1e-9 else None

        results: list[tuple[float, int, State, Changes]] = []
        for row in sorted(DIALECTS.values(), key=lambda row: (len(needed(row)), cost_of(row)))[:60]:
            changes = needed(row)
            names = sorted(changes, key=lambda name: (name in ("tokenize", "lowercase"), name))
            for name in names * 2:  # a change may be needed only with another
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
        return end, changes, [other[2].candidate.dialect.name for other in others if int(other[0]) == int(cost)]

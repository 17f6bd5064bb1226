# SPDX-License-Identifier: Apache-2.0
"""Averages over test sets, and tests of their differences.

The average is the mean of the scores of the sets: each counts the same, however long it is.
Resamples are drawn within each set, independently: the test exchanges the outputs of two systems
unit by unit in every set, and the bootstrap draws the units of every set with replacement. A pair
is compared over the sets that both systems have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from truebleu.analysis.compare import Comparison, Pair
from truebleu.analysis.compare.comparison import after
from truebleu.analysis.compare.corrections import (
    CORRECTIONS,
    benjamini_hochberg,
    clusters,
    holm,
    resamples_needed,
    resamples_warning,
)
from truebleu.analysis.compare.intervals import Interval, spreads
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.resampling import Array, Resampling
from truebleu.analysis.compare.significance import pairs_of
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows
from truebleu.text.json_text import for_json

#: Seeds are numbers of this many bits.
_SEEDS = 1 << 64


@dataclass(frozen=True, slots=True)
class Average:
    """The average of a system.

    Attributes:
        system: its name.
        value: the mean of its scores.
        interval: BCa, of the average.
        standard_error: of the average.
        sets: how many sets it has outputs of.
        set_wins: its significant wins over other systems, added up over its sets.
        set_losses: its significant losses, likewise.
        cluster: as `System.cluster`; None if it lacks a set, for then it is not ranked.
        rank: the best and the worst rank that the tests leave possible, or None.
        wins: how many of the ranked systems it is significantly better than, or None.
        losses: how many of them are significantly better, or None.
    """

    system: str
    value: float
    interval: Interval
    standard_error: float
    sets: int
    set_wins: int
    set_losses: int
    cluster: int | None = None
    rank: tuple[int, int] | None = None
    wins: int | None = None
    losses: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text for JSON."""
        return {
            "system": self.system,
            "value": for_json(self.value),
            "interval": list(map(for_json, self.interval)),
            "standard_error": for_json(self.standard_error),
            "sets": self.sets,
            "set_wins": self.set_wins,
            "set_losses": self.set_losses,
            "cluster": self.cluster,
            "rank": self.rank and list(self.rank),
            "wins": self.wins,
            "losses": self.losses,
        }


@dataclass(frozen=True, slots=True)
class AveragePair:
    """Two systems and the difference between their averages.

    Attributes:
        pair: the difference over the sets that both have, with its test; see `Pair`.
        sets: the names of these sets.
        wins: in how many of them b is significantly better by itself.
        losses: in how many of them a is.
        higher: in how many of them the score of b is better, significantly or not.
    """

    pair: Pair
    sets: tuple[str, ...]
    wins: int
    losses: int
    higher: int

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("sets", "wins", "losses", "higher")
        own = {name: getattr(self, name) for name in names}
        return {**self.pair.to_dict(), **own, "sets": list(self.sets)}


@dataclass(frozen=True, slots=True)
class Averages:
    """The averages of all systems.

    Attributes:
        systems: in the order of the campaign.
        pairs: every pair that has a set in common.
        sets: the number of sets.
        units: the number of segments or documents of all sets together.
        resamples: how many the test drew.
        correction: the name of the correction of p-values; None for a single pair.
        warnings: what limits the p-values.
    """

    systems: tuple[Average, ...]
    pairs: tuple[AveragePair, ...]
    sets: int
    units: int
    resamples: int
    correction: str | None
    warnings: tuple[str, ...]

    def ranked(self, sign: int) -> list[Average]:
        """The best first; those that lack a set after all others."""
        return sorted(self.systems, key=lambda one: (one.cluster is None, -sign * one.value))


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """The statistics and scores of the systems on a set; `comparison` of two or more."""

    title: str
    stats: Mapping[str, Rows]
    values: Mapping[str, float]
    comparison: Comparison | None


class Stratified(Resampling):
    """Resamples of averages: a column for each system and choice of sets.

    The first columns are the averages of the systems over the sets that each has. The others are
    those of a system over the sets that it shares with another one, if these are fewer.

    Args:
        metric: any metric.
        sets: in the order of their random numbers: the i-th has those of `seed + i`.
        systems: in order.
        progress: as for `Resampling`.
    """

    def __init__(
        self,
        metric: Any,
        sets: Sequence[ScoredSet],
        systems: Sequence[str],
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.metric = metric
        self.sign = 1 if metric.higher_is_better else -1
        self._progress = progress
        has = {
            name: tuple(i for i, one in enumerate(sets) if name in one.stats) for name in systems
        }
        columns: dict[tuple[str, tuple[int, ...]], int] = {}
        for name in systems:
            columns.setdefault((name, has[name]), len(columns))
        self.pairs = []
        #: The names of each pair, and the sets that both have.
        self.shared: list[tuple[str, str, tuple[int, ...]]] = []
        for a, b in combinations(systems, 2):
            if both := tuple(i for i in has[a] if i in has[b]):
                self.shared.append((a, b, both))
                places = (columns.setdefault((name, both), len(columns)) for name in (a, b))
                self.pairs.append((next(places), next(places)))
        self.names = [name for name, _ in columns]
        self.systems = len(columns)
        self._sets = [_Stratum(metric, i, one, columns, self.shared) for i, one in enumerate(sets)]
        self.units = sum(one.resampling.units for one in self._sets)
        self.rows = sum(one.resampling.rows for one in self._sets)
        self.observed: Array = np.sum([one.values @ one.weights for one in self._sets], axis=0)

    def drawn(self, seed: int, first: int, count: int) -> Array:
        """As `Resampling.drawn`."""
        scores = np.zeros((count, self.systems))
        for i, one in enumerate(self._sets):
            scores += one.resampling.drawn((seed + i) % _SEEDS, first, count) @ one.weights
        return scores

    def exchanged(self, seed: int, first: int, count: int) -> Array:
        """As `Resampling.exchanged`."""
        differences = np.zeros((count, len(self.pairs)))
        for i, one in enumerate(self._sets):
            if len(one.places):
                moved = one.resampling.exchanged((seed + i) % _SEEDS, first, count)
                differences[:, one.places] += moved * one.shares
        return differences

    def jackknife(self) -> Iterator[Array]:
        """As `Resampling.jackknife`; the only unit of a set cannot be left out."""
        for one in self._sets:
            if one.resampling.units > 1:
                for scores in one.resampling.jackknife():
                    yield self.observed + (scores - one.values) @ one.weights
            self._progress(one.resampling.units)


class _Stratum:
    """A set as a part of averages.

    Attributes:
        resampling: of its systems.
        values: their scores.
        weights: what each score adds to each column: a row for each system.
        places: the pairs of `resampling` among all pairs.
        shares: what the difference of each of these pairs adds to the average difference.
    """

    def __init__(
        self,
        metric: Any,
        index: int,
        one: ScoredSet,
        columns: Mapping[tuple[str, tuple[int, ...]], int],
        shared: Sequence[tuple[str, str, tuple[int, ...]]],
    ) -> None:
        order = list(dict.fromkeys(name for name, _ in columns if name in one.stats))
        self.resampling = Resampling(metric, [one.stats[name] for name in order])
        self.values = np.array([one.values[name] for name in order])
        self.weights = np.zeros((len(order), len(columns)))
        for (name, sets), column in columns.items():
            if index in sets:
                self.weights[order.index(name), column] = 1 / len(sets)
        here = [(i, len(sets)) for i, (_, _, sets) in enumerate(shared) if index in sets]
        self.places = np.array([i for i, _ in here], dtype=np.intp)
        self.shares = np.array([1 / count for _, count in here])


def average(
    metric: Any,
    name: str,
    sets: Sequence[ScoredSet],
    systems: Sequence[str],
    *,
    test: str,
    correction: str,
    resamples: int | None,
    seed: int,
    alpha: float,
    progress: Callable[[float], None] = lambda _: None,
) -> Averages:
    """Average the scores of systems over sets, and compare every pair.

    Args:
        metric: of the statistics; those of all sets are scored alike.
        name: of the score.
        sets: at least one.
        systems: the names of all systems, each of which has a set.
        test: `permutation` or `bootstrap`.
        correction, resamples, seed, alpha: as for `compare`.
        progress: called with the share of the work that is done.
    """
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(min(1.0, done / (2 * (resamples or 1) + resampling.units)))

    resampling = Stratified(metric, sets, systems, step)
    tests = len(resampling.pairs)
    factor = 1 if correction == "maxt" else max(1, tests)
    if resamples is None:
        resamples = resamples_needed(factor, alpha, TESTS[test].resamples)
    observed = resampling.observed.tolist()
    method = CORRECTIONS[correction] if tests > 1 else None
    resampled, ps, adjusted = _tested(resampling, observed, test, correction, resamples, seed)
    of_each = spreads(resampling, observed, resampled, 1 - alpha)
    scores = [MetricScore(f"average {name}", value, "", None) for value in observed]
    pairs = pairs_of(
        resampling, resampling.names, scores, of_each[len(observed) :],
        list(zip(ps, adjusted, strict=True)), method, alpha,
    )  # fmt: skip
    tested = [one for some in sets if some.comparison for one in some.comparison.systems]
    averages = [
        Average(
            system=system,
            value=value,
            interval=spread.interval,
            standard_error=spread.standard_error,
            sets=sum(system in one.stats for one in sets),
            set_wins=sum(one.wins for one in tested if one.name == system),
            set_losses=sum(one.losses for one in tested if one.name == system),
        )
        for system, value, spread in zip(systems, observed, of_each, strict=False)
    ]
    decimals = 4 if metric.scale == 1 else 1
    warning = resamples_warning(factor, alpha, resamples, after(method)) if tests else ""
    return Averages(
        systems=tuple(_ranked(averages, pairs, len(sets), resampling.sign)),
        pairs=tuple(
            _by_set(replace(pair, decimals=decimals), [sets[i] for i in both], resampling.sign)
            for pair, (_, _, both) in zip(pairs, resampling.shared, strict=True)
        ),
        sets=len(sets),
        units=resampling.units,
        resamples=resamples,
        correction=method,
        warnings=(warning,) if warning else (),
    )


def _tested(
    resampling: Stratified,
    observed: list[float],
    test: str,
    correction: str,
    resamples: int,
    seed: int,
) -> tuple[Array, list[float], list[float]]:
    """Resampled averages, p-values and corrected ones."""
    if not resampling.pairs:
        return np.concatenate(list(resampling.bootstrap(resamples, seed))), [], []
    resampled, ps, joint = TESTS[test].run(resampling, observed, resamples, seed)
    if correction == "maxt" and joint is not None:
        return resampled, ps, joint
    return resampled, ps, (holm if correction == "holm" else benjamini_hochberg)(ps)


def _ranked(
    averages: Sequence[Average], pairs: Sequence[Pair], sets: int, sign: int
) -> Iterator[Average]:
    """Averages with clusters, ranks, wins and losses, if their systems have every set."""
    complete = [one for one in averages if one.sets == sets]
    names = {one.system for one in complete}
    results = {
        (pair.better, pair.worse) for pair in pairs if pair.better and {pair.a, pair.b} <= names
    }

    def differ(i: int, j: int) -> bool:
        a, b = complete[i].system, complete[j].system
        return (a, b) in results or (b, a) in results

    cluster_of = clusters([sign * one.value for one in complete], differ)
    place = {one.system: i for i, one in enumerate(complete)}
    for one in averages:
        if one.system not in place:
            yield one
            continue
        wins = sum(better == one.system for better, _ in results)
        losses = sum(worse == one.system for _, worse in results)
        cluster = cluster_of[place[one.system]]
        rank = (1 + losses, len(complete) - wins)
        yield replace(one, cluster=cluster, rank=rank, wins=wins, losses=losses)


def _by_set(pair: Pair, sets: Sequence[ScoredSet], sign: int) -> AveragePair:
    """In which of the sets a pair shares either is better."""
    better = [one.comparison.pair(pair.a, pair.b).better for one in sets if one.comparison]
    higher = sum(sign * (one.values[pair.b] - one.values[pair.a]) > 0 for one in sets)
    titles = tuple(one.title for one in sets)
    return AveragePair(pair, titles, better.count(pair.b), better.count(pair.a), higher)

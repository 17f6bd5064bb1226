# SPDX-License-Identifier: Apache-2.0
"""Resamples of the mean score of several strata, each drawn within itself.

Each stratum counts the same, however long it is. The test exchanges the outputs of two systems unit
by unit in every stratum, and the bootstrap draws the units of every stratum with replacement.

The mean of a system that lacks strata is fitted to the scores of all systems by least squares:
score = stratum + system. So its differences from others on common strata decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truebleu.metrics.resampling import Array, Resampling, pair_places
from truebleu.metrics.stats import Rows

#: Seeds are numbers of this many bits.
_SEEDS = 1 << 64

#: A system and its strata, by their places.
Column = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Stratum:
    """The statistics and the scores of the systems that have a stratum, by their names."""

    stats: Mapping[str, Rows]
    values: Mapping[str, float]


class Strata(Resampling):
    """Resamples of mean scores: a column for each system and choice of strata.

    The first columns are the means of the systems over all strata, those of `Fit`. The others are
    those of a system over the strata that it shares with another one, if these are fewer.

    Args:
        metric: of the statistics; those of all strata are scored alike.
        strata: by name, in the order of their random numbers: the i-th has those of `seed + i`.
        systems: in order.
        baseline: as for `Resampling`, by name.
        progress: as for `Resampling`.
    """

    def __init__(
        self,
        metric: Any,
        strata: Mapping[str, Stratum],
        systems: Sequence[str],
        baseline: str | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.metric = metric
        self.sign = 1 if metric.higher_is_better else -1
        self.progress = progress
        self.strata = tuple(strata)
        self._names = list(systems)
        parts = list(strata.values())
        has = [tuple(i for i, part in enumerate(parts) if name in part.stats) for name in systems]
        self.fit = Fit(has, [[part.values[name] for part in parts if name in part.values]
                             for name in systems])  # fmt: skip
        self.ranked = self.fit.ranked
        own = [() if i in self.fit.lacking else strata for i, strata in enumerate(has)]
        columns = {column: i for i, column in enumerate(zip(systems, own, strict=True))}
        self.pairs = []
        for a, b in pair_places(
            len(systems), None if baseline is None else systems.index(baseline)
        ):
            if shared := tuple(i for i in has[a] if i in has[b]):
                first, second = (
                    columns.setdefault((systems[place], shared), len(columns)) for place in (a, b)
                )
                self.pairs.append((first, second))
        self._columns = [*zip(systems, has, strict=True), *list(columns)[len(systems) :]]
        self.systems = len(columns)
        self._parts = [
            _Part(metric, i, part, self._columns, self.pairs, baseline, self.fit.weights[:, :, i])
            for i, part in enumerate(parts)
        ]
        self.units = sum(part.resampling.units for part in self._parts)
        self.rows = sum(part.resampling.rows for part in self._parts)
        self.observed: Array = np.sum([part.values @ part.weights for part in self._parts], axis=0)

    def column(self, place: int) -> tuple[int, tuple[str, ...]]:
        """As `Resampling.column`."""
        name, places = self._columns[place]
        return self._names.index(name), tuple(self.strata[i] for i in places)

    def drawn(self, seed: int, first: int, count: int) -> Array:
        """As `Resampling.drawn`."""
        scores = np.zeros((count, self.systems))
        for i, part in enumerate(self._parts):
            scores += part.resampling.drawn((seed + i) % _SEEDS, first, count) @ part.weights
        return scores + self.fit.errors(seed, first, (count, self.systems))

    def exchanged(self, seed: int, first: int, count: int) -> Array:
        """As `Resampling.exchanged`."""
        differences = np.zeros((count, len(self.pairs)))
        for i, part in enumerate(self._parts):
            if len(part.places):
                moved = part.resampling.exchanged((seed + i) % _SEEDS, first, count)
                differences[:, part.places] += moved * part.shares
        return differences

    def jackknife(self) -> Iterator[Array]:
        """As `Resampling.jackknife`; the only unit of a stratum cannot be left out."""
        for part in self._parts:
            if part.resampling.units > 1:
                for scores in part.resampling.jackknife():
                    yield self.observed + (scores - part.values) @ part.weights
            self.progress(part.resampling.units)


class Fit:
    """The mean of each system over all strata, by least squares: score = stratum + system.

    The mean of a system that has all strata is that of its scores. Strata and systems that nothing
    connects are fitted by themselves.

    Args:
        has: the strata of each system, by their places.
        scores: its score on each of them.

    Attributes:
        weights: of all scores in each mean: for each system, a row for each system, with a column
            for each stratum.
        lacking: the systems that lack strata of others to which common strata connect them.
        ranked: the systems that can be compared with each other: the largest connected group.
        deviation: the standard deviation of the residuals; 0 if nothing is fitted or left to vary.
    """

    def __init__(self, has: Sequence[Sequence[int]], scores: Sequence[Sequence[float]]) -> None:
        size = 1 + max(map(max, has))
        self.weights = np.zeros((len(has), len(has), size))
        self.lacking: set[int] = set()
        self._errors = np.zeros(len(has))
        groups = _connected(has)
        largest = max(groups, key=len)
        self.ranked = largest if len(groups) == 1 or len(largest) > 1 else []
        self.deviation, self._free = 0.0, np.ones(len(has))
        for group in groups:
            strata = sorted({i for system in group for i in has[system]})
            whole = [system for system in group if len(has[system]) == len(strata)]
            for system in whole:
                self.weights[system, system, strata] = 1 / len(strata)
            if len(whole) < len(group):
                self._fit(group, strata, has, np.concatenate([scores[system] for system in group]))

    def _fit(
        self, group: list[int], strata: list[int], has: Sequence[Sequence[int]], scores: Array
    ) -> None:
        """The weights and errors of the systems of a group that lack some of its strata."""
        cells = [(system, i) for system in group for i in has[system]]
        systems, places = np.transpose(cells)
        design = np.zeros((len(cells), len(has) + 1 + max(strata)))
        design[range(len(cells)), systems] = design[range(len(cells)), len(has) + places] = 1
        solution = np.linalg.pinv(design)
        free = len(cells) - len(group) - len(strata) + 1
        residuals = scores - design @ (solution @ scores)
        deviation = float(np.sqrt(residuals @ residuals / free)) if free else 0.0
        if group == self.ranked:
            self.deviation = deviation
        for system in group:
            if missing := len(strata) - len(has[system]):
                weights = solution[system] + solution[len(has) + np.array(strata)].mean(axis=0)
                self.weights[system, systems, places] = weights
                # The score that it lacks differs from the fit, as do those that the fit is of.
                moved = weights - (systems == system) / len(strata)
                self._errors[system] = deviation * np.sqrt(
                    moved @ moved + missing / len(strata) ** 2
                )
                self._free[system] = free
                self.lacking.add(system)

    def errors(self, seed: int, first: int, shape: tuple[int, int]) -> Array:
        """Errors of the means by Student's t, as scores differ from the fit: a row per resample."""
        errors = np.zeros(shape)
        if self._errors.any():
            draws = np.random.default_rng([seed, first])
            errors[:, : len(self._errors)] = self._errors * draws.standard_t(
                self._free, (shape[0], len(self._errors))
            )
        return errors


def _connected(has: Sequence[Sequence[int]]) -> list[list[int]]:
    """The systems in groups, each of which common strata connect."""
    groups: list[tuple[list[int], set[int]]] = []
    for system, own in enumerate(has):
        joined = [group for group in groups if not group[1].isdisjoint(own)]
        groups = [group for group in groups if group not in joined]
        members = sorted([system, *(i for group in joined for i in group[0])])
        groups.append((members, set(own).union(*(group[1] for group in joined))))
    return sorted(members for members, _ in groups)


class _Part:
    """A stratum as a part of means.

    Attributes:
        resampling: of its systems.
        values: their scores.
        weights: what each score adds to each column: a row for each system.
        places: the pairs of `resampling` among all pairs.
        shares: what the difference of each of these pairs adds to the mean difference.
    """

    def __init__(
        self,
        metric: Any,
        index: int,
        stratum: Stratum,
        columns: Sequence[Column],
        pairs: Sequence[tuple[int, int]],
        baseline: str | None,
        fitted: Array,
    ) -> None:
        stats = stratum.stats
        order = list(dict.fromkeys(name for name, _ in columns if name in stats))
        place = order.index(baseline) if baseline in order else None
        self.resampling = Resampling(metric, [stats[name] for name in order], baseline=place)
        self.values = np.array([stratum.values[name] for name in order])
        self.weights = np.zeros((len(order), len(columns)))
        size = len(fitted)
        places = [i for i, (name, _) in enumerate(columns[:size]) if name in stats]
        self.weights[:, :size] = fitted[:, places].T
        for column, (name, strata) in enumerate(columns[size:], start=size):
            if index in strata:
                self.weights[order.index(name), column] = 1 / len(strata)
        sizes = [
            (i, len(columns[a][1])) for i, (a, _) in enumerate(pairs) if index in columns[a][1]
        ]
        self.places = np.array([i for i, _ in sizes], dtype=np.intp)
        self.shares = np.array([1 / size for _, size in sizes])

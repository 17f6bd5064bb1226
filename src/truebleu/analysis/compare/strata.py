# SPDX-License-Identifier: Apache-2.0
"""Resamples of the mean score of several strata, each drawn within itself.

Each stratum counts the same, however long it is. The test exchanges the outputs of two systems unit
by unit in every stratum, and the bootstrap draws the units of every stratum with replacement.

The mean of a system that lacks strata is fitted to the scores of all systems by least squares:
score = stratum + system. So its differences from others on common strata decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from truebleu.metrics.resampling import Array, Resampling, pair_places
from truebleu.metrics.stats import Rows

#: Seeds are numbers of this many bits.
_SEEDS = 1 << 64

#: The statistics of the systems that have a stratum, by their names.
Stratum = Mapping[str, Rows]


class Strata(Resampling):
    """Resamples of mean scores: a column for each system and choice of strata.

    The first columns are the means of the systems over all strata, those of `Fit`. The others are
    those of a system over the strata that it shares with another one, if these are fewer.

    Args:
        metric: of the statistics; those of all strata are scored alike.
        strata: by name, in the order of their random numbers: the i-th has those of `seed + i`.
        systems: in order.
        baseline: as for `Resampling`, by name.
    """

    def __init__(
        self, metric: Any, strata: Mapping[str, Stratum], systems: Sequence[str], baseline: str | None = None
    ) -> None:
        self.metric = metric
        self.sign = 1 if metric.higher_is_better else -1
        self.progress = lambda _: None
        self.strata = tuple(strata)
        self._names = list(systems)
        parts = list(strata.values())
        has = [tuple(i for i, part in enumerate(parts) if name in part) for name in systems]
        self.fit = Fit(has, [[_value(metric, part[name]) for part in parts if name in part] for name in systems])
        self.is_ranked, self.misfit = self.fit.is_ranked, self.fit.deviation
        own = [() if i in self.fit.lacking else strata for i, strata in enumerate(has)]
        columns = {column: i for i, column in enumerate(zip(systems, own, strict=True))}
        self.pairs = []
        for a, b in pair_places(len(systems), None if baseline is None else systems.index(baseline)):
            if shared := tuple(i for i in has[a] if i in has[b]):
                first, second = (columns.setdefault((systems[i], shared), len(columns)) for i in (a, b))
                self.pairs.append((first, second))
        #: A system and its strata, by their places.
        self.columns = [*zip(systems, has, strict=True), *list(columns)[len(systems) :]]
        self.systems = len(columns)
        self._parts = [_Part(self, i, part, baseline) for i, part in enumerate(parts)]
        self.units = sum(part.resampling.units for part in self._parts)
        self.rows = sum(part.resampling.rows for part in self._parts)
        self.observed: Array = np.sum([part.values @ part.weights for part in self._parts], axis=0)

    def column(self, place: int) -> tuple[int, tuple[str, ...]]:
        """As `Resampling.column`."""
        name, places = self.columns[place]
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

    The mean of a system that has all strata is that of its scores. If common strata do not connect
    all systems, each mean is that of the strata that the system has, and none can be ranked.

    Args:
        has: the strata of each system, by their places.
        scores: its score on each of them.

    Attributes:
        weights: of all scores in each mean: for each system, a row for each system, with a column
            for each stratum.
        lacking: the systems whose mean is fitted.
        is_ranked: whether common strata connect all systems.
        deviation: the standard deviation of the residuals; 0 if nothing is fitted or left to vary.
    """

    def __init__(self, has: Sequence[Sequence[int]], scores: Sequence[Sequence[float]]) -> None:
        size = len(set().union(*has))
        systems, strata = np.array([(k, i) for k, own in enumerate(has) for i in own]).T
        self.weights = np.zeros((len(has), len(has), size))
        self.weights[systems, systems, strata] = 1 / np.array([len(has[k]) for k in systems])
        self.lacking = [k for k, own in enumerate(has) if len(own) < size]
        self.is_ranked = True
        self.deviation = 0.0
        self._errors = np.zeros(len(has))
        if not self.lacking:
            return
        cells = np.arange(len(systems))
        design = np.zeros((len(systems), len(has) + size))
        design[cells, systems] = design[cells, len(has) + strata] = 1
        if np.linalg.matrix_rank(design) < len(has) + size - 1:
            self.lacking, self.is_ranked = [], False
            return
        solution = np.linalg.pinv(design)
        values = np.concatenate(scores)
        residuals = values - design @ (solution @ values)
        if free := len(values) - (len(has) + size - 1):
            self.deviation = float(np.sqrt(residuals @ residuals / free))
        self._free = max(1, free)
        for k in self.lacking:
            weights = solution[k] + solution[len(has) :].mean(axis=0)
            self.weights[k, systems, strata] = weights
            # The scores that it lacks differ from the fit, as do those that the fit is of.
            moved = weights - (systems == k) / size
            missing = (size - len(has[k])) / size**2
            self._errors[k] = self.deviation * np.sqrt(moved @ moved + missing)

    def errors(self, seed: int, first: int, shape: tuple[int, int]) -> Array:
        """Errors of the means by Student's t, as scores differ from the fit: a row per resample."""
        errors = np.zeros(shape)
        if self._errors.any():
            drawn = np.random.default_rng([seed, first]).standard_t(self._free, (shape[0], len(self._errors)))
            errors[:, : len(self._errors)] = self._errors * drawn
        return errors


class _Part:
    """A stratum as a part of means.

    Attributes:
        resampling: of its systems.
        values: their scores.
        weights: what each score adds to each column: a row for each system.
        places: the pairs of `resampling` among all pairs.
        shares: what the difference of each of these pairs adds to the mean difference.
    """

    def __init__(self, mean: Strata, index: int, stats: Stratum, baseline: str | None) -> None:
        columns, metric, fitted = mean.columns, mean.metric, mean.fit.weights[:, :, index]
        order = list(dict.fromkeys(name for name, _ in columns if name in stats))
        place = order.index(baseline) if baseline in order else None
        self.resampling = Resampling(metric, [stats[name] for name in order], baseline=place)
        self.values = np.array([_value(metric, stats[name]) for name in order])
        self.weights = np.zeros((len(order), len(columns)))
        size = len(fitted)
        self.weights[:, :size] = fitted[:, [i for i, (name, _) in enumerate(columns[:size]) if name in stats]].T
        for column, (name, strata) in enumerate(columns[size:], start=size):
            if index in strata:
                self.weights[order.index(name), column] = 1 / len(strata)
        shares = {i: 1 / len(own) for i, own in enumerate([columns[a][1] for a, _ in mean.pairs]) if index in own}
        self.places = np.array([*shares], dtype=np.intp)
        self.shares = np.array([*shares.values()])


def _value(metric: Any, rows: Rows) -> float:
    """The score of rows, which another tokenizer may have made."""
    (value,) = np.frombuffer(metric.plan.values(rows.sum().buffer))
    return float(value)

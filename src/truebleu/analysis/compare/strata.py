# SPDX-License-Identifier: Apache-2.0
"""Resamples of the mean score of several strata, each drawn within itself.

Each stratum counts the same, however long it is. The test exchanges the outputs of two systems unit
by unit in every stratum, and the bootstrap draws the units of every stratum with replacement.
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

    The first columns are the means of the systems over the strata that each has. The others are
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
        columns = {column: i for i, column in enumerate(zip(systems, has, strict=True))}
        self.pairs = []
        for a, b in pair_places(
            len(systems), None if baseline is None else systems.index(baseline)
        ):
            if shared := tuple(i for i in has[a] if i in has[b]):
                first, second = (
                    columns.setdefault((systems[place], shared), len(columns)) for place in (a, b)
                )
                self.pairs.append((first, second))
        self._columns = list(columns)
        self.systems = len(columns)
        self._parts = [
            _Part(metric, i, part, self._columns, self.pairs, baseline)
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
        return scores

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
    ) -> None:
        stats = stratum.stats
        order = list(dict.fromkeys(name for name, _ in columns if name in stats))
        place = order.index(baseline) if baseline in order else None
        self.resampling = Resampling(metric, [stats[name] for name in order], baseline=place)
        self.values = np.array([stratum.values[name] for name in order])
        self.weights = np.zeros((len(order), len(columns)))
        for column, (name, strata) in enumerate(columns):
            if index in strata:
                self.weights[order.index(name), column] = 1 / len(strata)
        sizes = [
            (i, len(columns[a][1])) for i, (a, _) in enumerate(pairs) if index in columns[a][1]
        ]
        self.places = np.array([i for i, _ in sizes], dtype=np.intp)
        self.shares = np.array([1 / size for _, size in sizes])

# SPDX-License-Identifier: Apache-2.0
"""The results of a campaign: a matrix of test sets and systems for each metric and label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from truebleu.analysis.compare import Comparison, Pair, System
from truebleu.campaigns.sets import SetFiles, TestSet, Titled
from truebleu.errors import OptionError, suggest
from truebleu.metrics.intervals import Interval
from truebleu.metrics.score import MetricScore, Score
from truebleu.text.results import attributes, plain


@dataclass(frozen=True, slots=True)
class Row(Titled):
    """A test set in a matrix.

    Attributes:
        name: of the set.
        pair: its language pair.
        units: its segments or documents.
        scores: of each system that has an output of the set.
        best: the name of the system with the best score.
        equals: the systems that are not significantly worse than the best, which is one of them;
            only the best if nothing could be tested.
        comparison: of the systems, by the test of the campaign; None with one system or unit.
    """

    name: str
    pair: str
    units: int
    scores: Mapping[str, Score | MetricScore]
    best: str
    equals: tuple[str, ...]
    comparison: Comparison | None = field(repr=False, compare=False)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs of systems; none without a comparison."""
        return self.comparison.pairs if self.comparison else ()

    @property
    def lost(self) -> dict[str, Pair]:
        """The pairs of the best whose verdict does not survive, by the name of the other system."""
        return {str(pair.worse): pair for pair in self.pairs if pair.survives is False}

    def agreement(self, name: str) -> float | None:
        """How often people agreed that the best is better than this system; None if unknown."""
        return next((pair.agreement for pair in self.pairs if {pair.a, pair.b} == {name, self.best}), None)

    def interval(self, name: str) -> Interval | None:
        """The interval of a system's score; None without a comparison."""
        tested = self.comparison.systems if self.comparison else ()
        return next((system.interval for system in tested if system.name == name), None)


def best_of(comparison: Comparison) -> tuple[str, ...]:
    """The ranked system with the best score, and those not significantly worse."""
    names = [system.name for system in comparison.ranked() if system.cluster is not None]
    worse = {pair.worse for pair in comparison.pairs if pair.better in names[:1]}
    return tuple(name for name in names if name not in worse)


@dataclass(frozen=True, slots=True)
class Matrix:
    """The scores of all systems on all sets by one metric.

    Attributes:
        metric: the name of the score.
        label: the segments with this label alone; None for all segments.
        higher_is_better: whether the better system has the higher score; false for TER.
        decimals: of scores in text.
        rows: the sets, in order; with a label, those that have it.
        averages: the comparison of the systems by their averages over the rows, whose titles are
            the strata; also of one system.
        by_pair: the same over the rows of each language pair; of a single set, by its scores.
    """

    metric: str
    label: str | None
    higher_is_better: bool
    decimals: int
    rows: tuple[Row, ...]
    averages: Comparison
    by_pair: Mapping[str, Comparison]

    def rows_of(self, pair: str) -> list[Row]:
        """The sets of a language pair."""
        return [row for row in self.rows if row.pair == pair]

    @property
    def best(self) -> tuple[str, ...]:
        """The ranked system with the best average, and those not significantly worse."""
        return best_of(self.averages)

    def averaged(self) -> list[tuple[str, Comparison]]:
        """The language pairs with several sets, if others have sets, too; and their averages."""
        several = {pair for pair in self.by_pair if 1 < len(self.rows_of(pair)) < len(self.rows)}
        return [(pair, own) for pair, own in self.by_pair.items() if pair in several]

    def set_record(self, system: System) -> tuple[int, int]:
        """The significant wins and losses of a system over others, added up over the rows."""
        tested = [own for row in self.rows if row.comparison for own in row.comparison.systems]
        own = [entry for entry in tested if entry.name == system.name]
        return sum(entry.wins or 0 for entry in own), sum(entry.losses or 0 for entry in own)

    def _on_sets(self, pair: Pair) -> list[Pair]:
        """The comparisons of the systems of a pair on the sets that have both."""
        return [own for row in self.rows for own in row.pairs if {own.a, own.b} == {pair.a, pair.b}]

    def pair_record(self, pair: Pair) -> tuple[int, int]:
        """In how many of the rows of a pair b is significantly better by itself, and a."""
        better = [own.better for own in self._on_sets(pair)]
        return better.count(pair.b), better.count(pair.a)

    def pair_agreement(self, pair: Pair) -> list[float]:
        """How often people agreed with the direction of the average, by each set's difference."""
        shares = []
        for own in self._on_sets(pair):
            if (share := own.agreement) is not None:
                sign = 1 if own.a == pair.a else -1
                is_same = sign * own.difference * pair.difference >= 0
                shares.append(share if is_same else 1 - share)
        return shares

    def signatures(self) -> tuple[str, ...]:
        """The signatures of the cells, each once."""
        cells = (score.signature for row in self.rows for score in row.scores.values())
        return tuple(dict.fromkeys(cells))


@dataclass(frozen=True, slots=True)
class Campaign:
    """Many systems on many test sets. Prints one sentence per pair of averages.

    Attributes:
        systems: the names of all systems.
        matrices: one for each metric, then one for each metric and label.
        test: the name of the test of each pair.
        seed: random seed.
        alpha: the level of the tests; intervals have the level 1 - alpha.
        by_document: whether documents were scored as segments.
        tokenizers: the tokenizer of BLEU by language pair, if it follows the target language.
        sets: the test sets, for `write_campaign`.
        metrics: the metrics of each set, by its title.
    """

    systems: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    test: str
    seed: int
    alpha: float
    by_document: bool
    tokenizers: Mapping[str, str]
    sets: tuple[SetFiles | TestSet, ...] = field(repr=False, compare=False)
    metrics: Mapping[str, tuple[Any, ...]] = field(repr=False, compare=False)

    @property
    def unit(self) -> str:
        """The kind of units that resamples draw: segments or documents."""
        return "documents" if self.by_document else "segments"

    def matrix(self, metric: str | None = None, label: str | None = None) -> Matrix:
        """The matrix of a metric, by the name of its score (default: the first), and a label.

        Raises:
            OptionError: there is none.
        """
        name = f"{metric or self.matrices[0].metric} {label or ''}".strip()
        named = {f"{own.metric} {own.label or ''}".strip(): own for own in self.matrices}
        if name not in named:
            raise OptionError(f"no matrix is named {suggest(name, named)}")
        return named[name]

    def table(self) -> dict[str, list[Any]]:
        """All cells and averages as columns, for `pandas.DataFrame` and `polars.DataFrame`.

        A row for each matrix, set and system, and then one for each average, whose `set` is
        `average`: over all sets, and over those of each language pair with several. A missing
        output has the score None. `equal` says whether a score is the best of its set or not
        significantly worse, `agreement` how often people agreed that the best of its set is better,
        `sets` how many sets the system of an average has; if it lacks some, its average is that of
        a fit.
        """
        names = ("metric", "label", "set", "pair", "system", "score", "low", "high", "equal",
                 "agreement", "sets", "units", "signature")  # fmt: skip
        rows = [row for matrix in self.matrices for row in self._rows(matrix)]
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def _rows(self, matrix: Matrix) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        head = (matrix.metric, matrix.label)
        for row in matrix.rows:
            for name in self.systems:
                score = row.scores.get(name)
                cell: tuple[Any, ...] = (None,) * 8
                if score is not None:
                    low, high = row.interval(name) or (None, None)
                    cell = (score.value, low, high, name in row.equals, row.agreement(name), None,
                            row.units, score.signature)  # fmt: skip
                rows.append((*head, row.name, row.pair, name, *cell))
        for pair, averages in [("", matrix.averages), *matrix.averaged()]:
            best = best_of(averages)
            for system in averages.systems:
                equal = system.name in best if system.cluster is not None else None
                rows.append((*head, "average", pair, system.name, system.score.value,
                             *system.interval, equal, None, len(system.strata), averages.units,
                             None))  # fmt: skip
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON; None where an output is missing."""
        return {
            **attributes(self, ("systems", "test", "seed", "alpha", "unit", "tokenizers")),
            "matrices": [self._entry(matrix) for matrix in self.matrices],
        }

    def _entry(self, matrix: Matrix) -> dict[str, Any]:
        averages = {**matrix.averages.to_dict(), "best": list(matrix.best)}
        for entry, system in zip(averages["systems"], matrix.averages.systems, strict=True):
            entry["set_wins"], entry["set_losses"] = matrix.set_record(system)
        for entry, pair in zip(averages["pairs"], matrix.averages.pairs, strict=True):
            entry["set_wins"], entry["set_losses"] = matrix.pair_record(pair)
        return {
            **attributes(matrix, ("metric", "label", "higher_is_better")),
            "sets": [self._set_entry(row) for row in matrix.rows],
            "averages": averages,
            "pairs": plain(dict(matrix.averaged())),
        }

    def _set_entry(self, row: Row) -> dict[str, Any]:
        def cell(name: str) -> dict[str, Any] | None:
            if name not in row.scores:
                return None
            score = attributes(row.scores[name], ("value", "signature"))
            return {**score, "interval": plain(row.interval(name))}

        return {
            **attributes(row, ("name", "pair", "units", "best", "equals")),
            "scores": {name: cell(name) for name in self.systems},
            "pairs": plain(row.pairs),
        }

    def __str__(self) -> str:
        return str(self.matrices[0].averages)

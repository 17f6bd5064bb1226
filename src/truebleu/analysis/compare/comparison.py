# SPDX-License-Identifier: Apache-2.0
"""The result of a comparison of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.compare.intervals import Interval
from truebleu.analysis.compare.power import units_needed
from truebleu.errors import OptionError, describe, quantity
from truebleu.metrics.score import MetricScore, Score
from truebleu.text import html
from truebleu.text.json_text import for_json

#: The most pairs that a notebook shows as sentences.
_SENTENCES = 10


class MeanScore(MetricScore):
    """The mean of the scores of several strata, which has no statistics of its own. Frozen."""

    __slots__ = ()

    def counts(self) -> dict[str, float]:
        """No counts."""
        return {}


@dataclass(frozen=True, slots=True)
class System:
    """A system and its rank.

    Attributes:
        name: its name in the arguments of `compare`.
        score: on the whole test set, or the mean of those on the strata.
        interval: BCa; with sacreBLEU's bootstrap, its mean minus and plus its half-width.
        percentile: the percentile interval of the resampled scores.
        mean: of the resampled scores.
        standard_error: their standard deviation.
        cluster: each system of a cluster is better than all systems of later ones; 1 is the best.
            None if the system lacks a stratum, for then it is not ranked.
        rank: the best and the worst rank that the tests leave possible, or None.
        wins: how many of the ranked systems it is significantly better than, or None.
        losses: how many of them are significantly better, or None.
        strata: the names of those it has.
    """

    name: str
    score: Score | MetricScore
    interval: Interval
    percentile: Interval
    mean: float
    standard_error: float
    cluster: int | None
    rank: tuple[int, int] | None
    wins: int | None
    losses: int | None
    strata: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("interval", "percentile", "mean", "standard_error", "cluster", "rank", "wins",
                 "losses", *_if_any("strata", self.strata))  # fmt: skip
        return {"name": self.name, **_entries(self, names), "score": self.score.to_dict()}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems and the difference between them.

    Attributes:
        a: the name of the first.
        b: the name of the second.
        difference: the score of b minus that of a: above 0 if b is better, with TER below 0.
        interval: BCa, of the difference.
        percentile: the percentile interval of the resampled differences.
        standard_error: their standard deviation.
        p: probability of a difference at least this large, in either direction, if both systems
            are equally good.
        p_adjusted: p after the correction for all pairs; `better` and the ranks use it.
        correction: the name of the correction; None for a single pair, which needs none.
        effect: the difference, in standard deviations of one unit's share in it (Cohen's d).
        superiority: the share of resamples in which b is better; a tie counts half.
        detectable: the smallest true difference that one test detects 4 times in 5.
        better: the name of the better system, or None if there is no significant difference.
        units: segments or documents of the test set.
        alpha: the level of the tests.
        decimals: of differences in sentences.
        metric: the name of the score.
        strata: the names of those that both systems have.
    """

    a: str
    b: str
    difference: float
    interval: Interval
    percentile: Interval
    standard_error: float
    p: float
    p_adjusted: float
    correction: str | None
    effect: float
    superiority: float
    detectable: float
    better: str | None
    units: int
    alpha: float
    decimals: int
    metric: str = "BLEU"
    strata: tuple[str, ...] = ()

    @property
    def worse(self) -> str | None:
        """The name of the other system, if one is better."""
        return {self.a: self.b, self.b: self.a, None: None}[self.better]

    def units_needed(self, difference: float) -> int:
        """The segments or documents needed to detect this true difference 4 times in 5."""
        return units_needed(difference, self.standard_error, self.units, self.alpha)

    def sentence(self, decimals: int) -> str:
        """The result of the pair in a sentence."""
        sign = -1 if self.better == self.a else 1
        low, high = sorted(sign * end for end in self.interval)
        return (
            f"{self._verdict()}: {sign * self.difference:+.{decimals}f} {self.metric}, "
            f"{percent(1 - self.alpha)} interval {low:.{decimals}f} to {high:.{decimals}f}, "
            f"p = {p_value(self.p_adjusted)}{after(self.correction)}"
        )

    def _verdict(self) -> str:
        if self.better:
            return f"{self.better} is better than {self.worse}"
        return f"no significant difference between {self.b} and {self.a}"

    def __str__(self) -> str:
        return self.sentence(self.decimals)

    def _repr_html_(self) -> str:
        width = self.decimals
        low, high = self.interval
        corrected = (
            []
            if self.correction is None
            else [("p" + after(self.correction), p_value(self.p_adjusted))]
        )
        rows = [
            ("", ""),
            (f"difference in {self.metric}, b - a", f"{self.difference:+.{width}f}"),
            (f"{percent(1 - self.alpha)} interval", f"{low:+.{width}f} to {high:+.{width}f}"),
            ("", html.interval(low, self.difference, high)),
            ("p", p_value(self.p)),
            *corrected,
            ("effect size (Cohen's d)", f"{self.effect:.2f}"),
            ("resamples in which b is better", f"{100 * self.superiority:.1f} %"),
            ("smallest difference detected 4 times in 5", f"{self.detectable:.{width}f}"),
        ]
        title = html.join(["a: ", html.user_text(self.a), ", b: ", html.user_text(self.b)])
        return html.block(
            html.line(html.element("b", html.user_text(self._verdict()))),
            html.line(title),
            html.table(rows),
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("difference", "interval", "percentile", "standard_error", "p", "p_adjusted",
                 "correction", "effect", "superiority", "detectable",
                 *_if_any("strata", self.strata))  # fmt: skip
        return {"a": self.a, "b": self.b, **_entries(self, names), "better": self.better}


@dataclass(frozen=True, slots=True, eq=False)  # `==` of arrays is not a bool
class ComparedTexts:
    """What was compared: the metric, hypotheses by system, references, and documents or None."""

    metric: Any
    systems: Mapping[str, Any]
    refs: Any
    documents: Sequence[Any] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems on one test set, and every pair of them. Prints one sentence per pair.

    Attributes:
        systems: in the order of the arguments.
        pairs: every pair of them, in the same order; with a baseline, only its pairs.
        test: the name of the test.
        correction: the name of the correction of p-values; None for a single pair.
        baseline: the name of the system that all others are compared with, or None.
        resamples: how many the test drew.
        seed: random seed.
        alpha: the level of the tests; intervals have the level 1 - alpha.
        units: how many segments or documents the resamples are drawn from.
        by_document: whether they are documents.
        signature: of the scores.
        resampled: scores of bootstrap resamples, one column per system, from which the intervals
            are computed. Further columns are means over the strata that a pair shares. At most
            1,048,576 scores are kept.
        texts: what was compared, for `write_report`; None for statistics and strata.
        metric: the name of the score.
        higher_is_better: whether the better system has the higher score; false for TER.
        warnings: what limits the p-values: too few resamples, or an anti-conservative test.
        strata: the names of the strata over which scores are means.
        columns: the two columns of `resampled` for each pair.
    """

    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    test: str
    correction: str | None
    baseline: str | None
    resamples: int
    seed: int
    alpha: float
    units: int
    by_document: bool
    signature: str
    resampled: NDArray[np.float64] = field(repr=False, compare=False)
    texts: ComparedTexts | None = field(repr=False, compare=False)
    metric: str = "BLEU"
    higher_is_better: bool = True
    warnings: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    columns: tuple[tuple[int, int], ...] = field(default=(), repr=False, compare=False)

    def differences(self, pair: Pair) -> NDArray[np.float64]:
        """Resampled differences of a pair: each is a score of its b minus one of its a."""
        if isinstance(pair, Pair):
            for (a, b), own in zip(self.columns, self.pairs, strict=True):
                if {own.a, own.b} == {pair.a, pair.b}:
                    sign = 1 if own.a == pair.a else -1
                    return sign * (self.resampled[:, b] - self.resampled[:, a])
        raise OptionError(
            f"{describe(pair)} is not a pair of this comparison; take one of its pairs"
        )

    def ranked(self) -> list[System]:
        """The systems, the best first; those that lack a stratum after all others."""
        sign = -1 if self.higher_is_better else 1
        return sorted(
            self.systems, key=lambda system: (system.cluster is None, sign * system.score.value)
        )

    def pair(self, a: str, b: str) -> Pair:
        """The pair of two systems, in the order of the arguments of `compare`.

        Raises:
            OptionError: there is no such pair.
        """
        for pair in self.pairs:
            if (a, b) in ((pair.a, pair.b), (pair.b, pair.a)):
                return pair
        pairs = f"every pair has the baseline {self.baseline}"
        if self.baseline is None:
            pairs = f"the systems are {', '.join(system.name for system in self.systems)}"
        raise OptionError(f"there is no pair of {describe(a)} and {describe(b)}; {pairs}")

    @property
    def unit(self) -> str:
        """The kind of units that resamples draw: segments or documents."""
        return "documents" if self.by_document else "segments"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.pairs), *(f"warning: {text}" for text in self.warnings)])

    def _repr_html_(self) -> str:
        decimals = self.pairs[0].decimals if self.pairs else 1
        head = ("system", self.systems[0].score.name, f"{percent(1 - self.alpha)} interval",
                "cluster", "wins", "losses")  # fmt: skip
        rows = [
            (
                html.user_text(system.name),
                f"{system.score.value:.{decimals}f}",
                " to ".join(f"{end:.{decimals}f}" for end in system.interval),
                *(cell for i, cell in enumerate(ranking(system)) if i != 1),
            )
            for system in self.ranked()
        ]
        decisive = self._decisive()[:_SENTENCES]
        sentences = [str(pair) for pair in decisive]
        if len(self.pairs) > len(decisive):
            sentences.append(f"and {quantity(len(self.pairs) - len(decisive), 'more pair')}")
        sentences += [f"warning: {text}" for text in self.warnings]
        sentences.append(
            f"test: {self.test}, {quantity(self.resamples, 'resample')} of "
            f"{self.units:,} {self.unit}"
        )
        return html.block(
            html.table([head, *rows]), *map(html.line, sentences), html.code(self.signature)
        )

    def _decisive(self) -> Sequence[Pair]:
        """The pairs that decide the ranks: each system and the next one. All if they are few."""
        if self.baseline is not None or len(self.pairs) <= _SENTENCES:
            return self.pairs
        pairs = {frozenset((pair.a, pair.b)): pair for pair in self.pairs}
        neighbors = (frozenset((a.name, b.name)) for a, b in pairwise(self.ranked()))
        return [pairs[both] for both in neighbors if both in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("metric", "test", "correction", "baseline", "resamples", "seed", "alpha", "units",
                 "unit", "signature", "warnings", *_if_any("strata", self.strata))  # fmt: skip
        return {
            **_entries(self, names),
            "systems": [system.to_dict() for system in self.systems],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def ranking(system: System, to: str = "-") -> list[str]:
    """Cluster, rank, wins and losses for a table; empty if the system is not ranked."""
    if system.rank is None:
        return ["", "", "", ""]
    rank = to.join(map(str, dict.fromkeys(system.rank)))
    return [str(system.cluster), rank, str(system.wins), str(system.losses)]


def p_value(p: float) -> str:
    """A p-value with two significant digits, as papers print it."""
    return f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def after(correction: str | None) -> str:
    """The end of a sentence about a p-value that was corrected."""
    return f" after {correction}" if correction else ""


def percent(share: float) -> str:
    """A share as a percentage, as short as possible."""
    return f"{round(100 * share, 6):g} %"


def _if_any(name: str, values: tuple[str, ...]) -> tuple[str, ...]:
    return (name,) if values else ()


def _entries(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    """Attributes for JSON: tuples as lists, NaN as None."""

    def entry(item: Any) -> Any:
        if isinstance(item, tuple):
            return [entry(part) for part in item]
        return for_json(item) if isinstance(item, float) else item

    return {name: entry(getattr(value, name)) for name in names}

# SPDX-License-Identifier: Apache-2.0
"""What a comparison of systems found, as values."""

from __future__ import annotations

from dataclasses import dataclass, field

from truebleu.analysis.compare.power import units_needed
from truebleu.errors import OptionError, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.compare.intervals import Interval
    from truebleu.metrics.score import MetricScore, Score


#: Pairs that a notebook tells in sentences.
_SENTENCES = 10


@dataclass(frozen=True, slots=True)
class System:
    """A system and where it stands.

    Attributes:
        name: as given.
        score: on the whole test set.
        interval: BCa; of sacreBLEU's bootstrap, its mean and half-width.
        percentile: the middle of the resampled scores.
        mean: of the resampled scores.
        standard_error: how far they spread.
        cluster: all systems of a cluster are better than all of those below; 1 is the best.
        rank: the best and the worst place that the tests leave open.
        wins: how many systems it is better than, by the tests.
        losses: how many systems are better than it, by the tests.
    """

    name: str
    score: Score | MetricScore
    interval: Interval
    percentile: Interval
    mean: float
    standard_error: float
    cluster: int
    rank: tuple[int, int]
    wins: int
    losses: int

    def to_dict(self) -> dict[str, Any]:
        """As numbers, lists and text, ready for JSON."""
        return {
            "name": self.name,
            "interval": _numbers(self.interval),
            "percentile": _numbers(self.percentile),
            "mean": _number(self.mean),
            "standard_error": _number(self.standard_error),
            "cluster": self.cluster,
            "rank": list(self.rank),
            "wins": self.wins,
            "losses": self.losses,
            "score": self.score.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems, and what tells them apart.

    Attributes:
        a: the name of the first.
        b: the name of the second.
        difference: the score of b less that of a, so above 0 if b is better, or of TER below 0.
        interval: BCa, of the difference.
        percentile: the middle of the resampled differences.
        standard_error: how far they spread.
        p: how often chance alone makes a difference as large, in either direction.
        p_holm: after Holm's correction for all pairs; what `better` and the ranks go by.
        p_bh: after Benjamini and Hochberg's.
        effect: the difference in standard deviations of what one unit adds to it, as Cohen's d.
        superiority: the share of resamples in which b is better; a tie counts half.
        detectable: the smallest true difference that one test here finds 4 times in 5.
        better: the name of the better system, or None if the test does not tell them apart.
        units: segments or documents of the test set.
        alpha: the level of the tests.
        decimals: of differences in words.
        metric: what the scores are called.
    """

    a: str
    b: str
    difference: float
    interval: Interval
    percentile: Interval
    standard_error: float
    p: float
    p_holm: float
    p_bh: float
    effect: float
    superiority: float
    detectable: float
    better: str | None
    units: int
    alpha: float
    decimals: int
    metric: str = "BLEU"

    @property
    def worse(self) -> str | None:
        """The name of the other system where one is better."""
        if self.better is None:
            return None
        return self.a if self.better == self.b else self.b

    def units_needed(self, difference: float) -> int:
        """How many segments, or documents, find a true difference of this size 4 times in 5."""
        return units_needed(difference, self.standard_error, self.units, self.alpha)

    def words(self, width: int) -> str:
        """The pair in a sentence, with so many decimals."""
        sign = -1 if self.better == self.a else 1
        low, high = sorted(sign * end for end in self.interval)
        said = (
            f"{self.better} is better than {self.worse}"
            if self.better
            else f"no difference was found between {self.b} and {self.a}"
        )
        return (
            f"{said}: {sign * self.difference:+.{width}f} {self.metric}, "
            f"{percent(1 - self.alpha)} interval {low:.{width}f} to {high:.{width}f}, "
            f"p = {p_value(self.p_holm)} after Holm"
        )

    def __str__(self) -> str:
        return self.words(self.decimals)

    def to_dict(self) -> dict[str, Any]:
        """As numbers, lists and text, ready for JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "difference": _number(self.difference),
            "interval": _numbers(self.interval),
            "percentile": _numbers(self.percentile),
            "standard_error": _number(self.standard_error),
            "p": self.p,
            "p_holm": self.p_holm,
            "p_bh": self.p_bh,
            "effect": _number(self.effect),
            "superiority": _number(self.superiority),
            "detectable": _number(self.detectable),
            "better": self.better,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems on one test set, and every pair of them. Prints as one sentence for each pair.

    Attributes:
        systems: in the order given.
        pairs: every pair of them, in the same order.
        test: the name of the test.
        resamples: how many it drew.
        seed: of the random numbers; None if one was drawn.
        alpha: the level of the tests; intervals hold the true value with 1 - alpha.
        units: how many were drawn from: segments, or documents.
        by_document: whether they are documents.
        signature: how the scores came about.
        resampled: scores of bootstrap resamples, a column for each system; what the intervals are
            of. At most 1,048,576 scores are kept.
        texts: the metric, the hypotheses by system, the references and the documents, for
            `report`; None if statistics were compared.
        metric: what the scores are called.
        higher_is_better: whether a better system has more of it; not so of TER.
    """

    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    test: str
    resamples: int
    seed: int | None
    alpha: float
    units: int
    by_document: bool
    signature: str
    resampled: NDArray[np.float64] = field(repr=False, compare=False)
    texts: tuple[Any, ...] | None = field(repr=False, compare=False)
    metric: str = "BLEU"
    higher_is_better: bool = True

    def differences(self, pair: Pair) -> NDArray[np.float64]:
        """Resampled differences of a pair: each is a score of its b less one of its a."""
        if not isinstance(pair, Pair):
            raise OptionError(
                f"{describe(pair)} is no pair of this comparison; take one of its pairs"
            )
        places = {system.name: i for i, system in enumerate(self.systems)}
        return self.resampled[:, places[pair.b]] - self.resampled[:, places[pair.a]]

    def ranked(self) -> list[System]:
        """The systems, the best first."""
        sign = -1 if self.higher_is_better else 1
        return sorted(self.systems, key=lambda system: sign * system.score.value)

    def pair(self, a: str, b: str) -> Pair:
        """The pair of two systems, in the order in which they were given to `compare`.

        Raises:
            OptionError: there is none.
        """
        for pair in self.pairs:
            if (a, b) in ((pair.a, pair.b), (pair.b, pair.a)):
                return pair
        names = ", ".join(system.name for system in self.systems)
        raise OptionError(
            f"there is no pair of {describe(a)} and {describe(b)}; the systems are {names}"
        )

    @property
    def unit(self) -> str:
        """What is drawn, segments or documents."""
        return "documents" if self.by_document else "segments"

    def __str__(self) -> str:
        return "\n".join(map(str, self.pairs))

    def _repr_html_(self) -> str:
        from truebleu.text import html

        decimals = self.pairs[0].decimals
        head = ("system", self.systems[0].score.name, f"{percent(1 - self.alpha)} interval",
                "cluster", "wins", "losses")  # fmt: skip
        rows = [
            (
                html.user_text(system.name),
                f"{system.score.value:.{decimals}f}",
                " to ".join(f"{end:.{decimals}f}" for end in system.interval),
                *map(str, (system.cluster, system.wins, system.losses)),
            )
            for system in self.ranked()
        ]
        return html.block(
            html.table([head, *rows]),
            *(html.line(str(pair)) for pair in self.pairs[:_SENTENCES]),
            *([f"and {len(self.pairs) - _SENTENCES} more pairs"] * (len(self.pairs) > _SENTENCES)),
            html.line(
                f"test: {self.test}, {self.resamples:,} resamples of {self.units:,} {self.unit}"
            ),
            html.code(self.signature),
        )

    def to_dict(self) -> dict[str, Any]:
        """As numbers, lists and text, ready for JSON."""
        return {
            "metric": self.metric,
            "test": self.test,
            "resamples": self.resamples,
            "seed": self.seed,
            "alpha": self.alpha,
            "units": self.units,
            "unit": self.unit,
            "signature": self.signature,
            "systems": [system.to_dict() for system in self.systems],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def p_value(p: float) -> str:
    """A p-value with two digits that mean something, as papers print it."""
    return f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def percent(share: float) -> str:
    """A share as a percentage, as short as it can be."""
    return f"{round(100 * share, 6):g} %"


def _number(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124  (true of NaN alone)


def _numbers(interval: Interval) -> list[float | None]:
    return [_number(end) for end in interval]

# SPDX-License-Identifier: Apache-2.0
"""The result of a comparison of systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.agreement import HumanAgreement, people_agreed
from truebleu.analysis.compare.corrections import after, units_needed
from truebleu.analysis.segment_scores import SegmentScores
from truebleu.errors import OptionError, describe, quantity
from truebleu.metrics.intervals import Interval
from truebleu.metrics.score import MetricScore, Score
from truebleu.text import html, tables
from truebleu.text.escaping import visible
from truebleu.text.results import Record, attributes

#: The most pairs that a notebook shows as sentences.
_SENTENCES = 10
#: The verdict on systems of which none is ranked.
UNRANKED = "no system is ranked, since common sets do not connect them"


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
        score: on the whole test set, or the mean of those on the strata; if the system lacks some,
            by a fit by least squares: score = stratum + system.
        interval: BCa; of a fitted mean, the percentiles; with sacreBLEU's bootstrap, its mean minus
            and plus its half-width.
        percentile: the percentile interval of the resampled scores.
        mean: of the resampled scores.
        standard_error: their standard deviation.
        cluster: each system of a cluster is better than all systems of later ones; 1 is the best.
            None if the system has no stratum in common with others, and is not ranked.
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
        names = ("name", "interval", "percentile", "mean", "standard_error", "cluster", "rank",
                 "wins", "losses", *_if_any("strata", self.strata), "score")  # fmt: skip
        return attributes(self, names)


#: The name of the trial of all typographic normalizations together, as in `normalize=`.
ALL_TYPOGRAPHY = "typography"

#: What trials do, by their names.
_WORDS = {
    "nfc": "with letters composed",
    "invisible": "without invisible characters",
    "spaces": "with spaces written alike",
    "quotes": "with quotation marks written alike",
    "dashes": "with dashes written alike",
    "ellipses": "with ellipses written alike",
    "width": "with full-width and half-width marks written alike",
    "stops": "with stops of all scripts written alike",
    "digits": "with digits of all scripts written alike",
    "vowel-marks": "without vowel marks",
    "nfkc": "with compatibility characters written alike",
    ALL_TYPOGRAPHY: "with all typography written alike",
    "no punctuation": "without punctuation",
    "lower case": "in lower case",
    "intl": "with the tokenizer intl",
    "13a": "with the tokenizer 13a",
    "characters": "with characters as tokens",
}


@dataclass(frozen=True, slots=True)
class Trial(Record):
    """The difference of a pair with other texts or another setting.

    Attributes:
        name: a row of typography, such as `quotes`, or all of them, `typography`; `no punctuation`,
            `lower case`, `intl`, `characters`, `chrF2`, `chrF2++`; `reference 1` and so on.
        kind: `typography`, `reference` for each reference alone, or the family of settings.
        difference: the score of the pair's b minus that of its a, by the metric of the trial.
        p: of this pair alone, with the resamples of the comparison.
        changes: whether it loses a significant verdict: the sign turns, or p is 0.10 or more. If
            the pair has none, whether it becomes significant.
    """

    name: str
    kind: str
    difference: float
    p: float
    changes: bool

    @property
    def is_typography(self) -> bool:
        """Whether it writes characters alike that readers take for the same."""
        return self.kind == "typography"

    @property
    def words(self) -> str:
        """What is done, as the end of a sentence."""
        if self.kind == "reference":
            return f"with {self.name} alone"
        return _WORDS.get(self.name, f"in {self.name}")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems and the difference between them.

    Attributes:
        a: the name of the first.
        b: the name of the second.
        difference: the score of b minus that of a: above 0 if b is better, with TER below 0.
        interval: BCa, of the difference; those of all pairs hold at once.
        percentile: the same from the percentiles of the resampled differences.
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
        tests: the number of pairs that `p_adjusted` and the intervals are corrected for.
        strata: the names of those that both systems have.
        trials: what other texts and settings make of the difference, if they were tried: all trials
            of a significant difference, else all typography.
        people: how often people agreed with differences like this, or if it was tried, with its
            mean if it survives; None if that is unknown.
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
    tests: int = 1
    strata: tuple[str, ...] = ()
    trials: tuple[Trial, ...] = ()
    people: HumanAgreement | None = None

    @property
    def agreement(self) -> float | None:
        """How often people agreed with differences like this, from 0 to 1; None if unknown."""
        return self.people.probability if self.people else None

    @property
    def agreement_interval(self) -> Interval | None:
        """Its 95 % prediction interval for a new test set."""
        return self.people.interval if self.people else None

    def with_b(self, name: str) -> Pair:
        """The pair with this system as its b, whose score minus the other's is the difference."""
        if name == self.b:
            return self
        (low, high), (least, most) = self.interval, self.percentile
        return replace(
            self,
            a=self.b,
            b=self.a,
            difference=-self.difference,
            interval=(-high, -low),
            percentile=(-most, -least),
            effect=-self.effect,
            superiority=1 - self.superiority,
            trials=tuple(replace(trial, difference=-trial.difference) for trial in self.trials),
        )

    @property
    def worse(self) -> str | None:
        """The name of the other system, if one is better."""
        return {self.a: self.b, self.b: self.a, None: None}[self.better]

    @property
    def survives(self) -> bool | None:
        """Whether other settings leave the verdict as it is.

        It does not survive if all typography together loses it, or two of the families of settings
        do. None if there is no significant difference, or if nothing was tried.
        """
        return None if self.better is None or not self.trials else not self.causes

    @property
    def corrected(self) -> str:
        """The end of a sentence about `p_adjusted`."""
        return after(self.correction, self.tests)

    @property
    def gains(self) -> bool:
        """Whether the difference is not significant, but is with all typography written alike."""
        return self.better is None and any(trial.changes for trial in self.trials)

    @property
    def mean_difference(self) -> float | None:
        """The mean of six differences in BLEU, above 0 if the better system is ahead.

        They are as given, with all typography written alike, without punctuation, in lower case,
        with the tokenizer intl, and of characters. None if `survives` is, and for other metrics.
        """
        if self.survives is None or not self.metric.endswith("BLEU"):
            return None
        others = [trial.difference for trial in self.trials if trial.name == trial.kind]
        if all(trial.name != ALL_TYPOGRAPHY for trial in self.trials):
            others.append(self.difference)  # it changes nothing
        mean = (self.difference + sum(others)) / (1 + len(others))
        return mean if self.better == self.b else -mean

    @property
    def causes(self) -> tuple[Trial, ...]:
        """The trials that show why the verdict does not survive.

        If all typography loses it, the row that alone turns it most, if there is one.
        """
        lost = [trial for trial in self.trials if trial.changes and self.better]
        rows = [trial for trial in lost if trial.is_typography]
        if any(trial.name == ALL_TYPOGRAPHY for trial in rows):
            alone = [trial for trial in rows if trial.name != ALL_TYPOGRAPHY]
            # Of rows with the same effect, the first one.
            return (min(alone or rows, key=lambda trial: trial.difference / self.difference),)
        families: dict[str, list[Trial]] = {}
        for trial in self.trials:
            if trial.kind not in ("typography", "reference"):
                families.setdefault(trial.kind, []).append(trial)
        causes = [own[0] for own in families.values() if all(trial in lost for trial in own)]
        return tuple(causes) if len(causes) > 1 else ()

    def survival(self, decimals: int) -> list[str]:
        """What other settings make of the verdict, in sentences; none if nothing was tried."""
        lines, gain = [], self._gain
        shown = {trial: f"{gain(trial.difference):+z.{decimals}f} (p = {p_value(trial.p)})" for trial in self.trials}
        if self.survives:
            families = dict.fromkeys(
                trial.kind
                for trial in self.trials
                if not trial.changes and (trial.name == ALL_TYPOGRAPHY or trial.kind not in ("typography", "reference"))
            )
            lines.append(f"Survives {', '.join(families)}")
        elif self.causes:
            causes = [f"{trial.words.removeprefix('with ')}, {shown[trial]}" for trial in self.causes]
            lines.append(f"Does not survive: {'; '.join(causes)}")
            publish = "Publish both scores"
            if self.causes[0].is_typography:
                publish = f"Publish the scores with --normalize {self.causes[0].name}"
            tried = " and ".join(f"{shown[trial]} {trial.words}" for trial in self.causes)
            lines.append(
                f'{publish}. For a paper: "{self.better} leads {self.worse} by '
                f"{gain(self.difference):+.{decimals}f} {self.metric} "
                f'(p = {p_value(self.p_adjusted)}{self.corrected}), but by {tried}."'
            )
        elif self.gains:
            (trial,) = self.trials
            lines.append(f"Significant {trial.words}: {shown[trial]}")
        falls = [f"{trial.words}, {shown[trial]}" for trial in self.falls]
        return [*lines, f"The verdict falls {'; '.join(falls)}"] if falls else lines

    @property
    def falls(self) -> list[Trial]:
        """The references that alone lose the verdict."""
        return [trial for trial in self.trials if trial.kind == "reference" and trial.changes]

    def _gain(self, difference: float) -> float:
        """A difference of the pair as one of the better system."""
        return -difference if self.better == self.a else difference

    def units_needed(self, difference: float) -> int:
        """The segments or documents needed to detect this true difference 4 times in 5."""
        return units_needed(difference, self.standard_error, self.units, self.alpha)

    def sentence(self, decimals: int) -> str:
        """The result of the pair in a sentence."""
        low, high = sorted(map(self._gain, self.interval))
        verdict = f"{self.better} is better than {self.worse}: "
        if not self.better:
            verdict = f"no significant difference between {self.b} and {self.a}: "
            verdict += f"{self.b} minus {self.a} "
        return (
            f"{verdict}{self._gain(self.difference):+.{decimals}f} {self.metric}, "
            f"{percent(1 - self.alpha)} interval {low:z.{decimals}f} to {high:z.{decimals}f}, "
            f"p = {p_value(self.p_adjusted)}{self.corrected}"
            f"{f'; {self.people}' if self.people else ''}"
        )

    def __str__(self) -> str:
        return self.sentence(self.decimals)

    def _repr_html_(self) -> str:
        width = self.decimals
        sizes = (
            f"effect size (Cohen's d): {self.effect:.2f}; {self.b} is ahead in "
            f"{100 * self.superiority:.1f} % of resamples; smallest difference detected 4 times in "
            f"5: {self.detectable:.{width}f}"
        )
        return html.terminal("\n".join(map(visible, [str(self), *self.survival(width), sizes])))

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("a", "b", "difference", "interval", "percentile", "standard_error", "p",
                 "p_adjusted", "correction", "effect", "superiority", "detectable", "agreement",
                 "agreement_interval", *_if_any("strata", self.strata), "better", "survives",
                 "mean_difference", "trials")  # fmt: skip
        return attributes(self, names)


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
        misfit: the standard deviation of scores from the fit that gives the means of systems which
            lack strata; 0 without one.
        columns: the two columns of `resampled` for each pair.
        people: why agreement with people is unknown, or its source.
        scores: those of segments from elsewhere.
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
    misfit: float = 0.0
    columns: tuple[tuple[int, int], ...] = field(default=(), repr=False, compare=False)
    people: str = ""
    scores: tuple[SegmentScores, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """What `ranking` has of each system; clusters only where they say more than the ranks."""
        clusters = {system.cluster for system in self.systems} - {None}
        names = ("cluster", "rank", "wins", "losses")
        return names if 1 < len(clusters) < len(self.systems) else names[1:]

    def differences(self, pair: Pair) -> NDArray[np.float64]:
        """Resampled differences of a pair: each is a score of its b minus one of its a."""
        for columns, own in zip(self.columns, self.pairs, strict=True):
            if isinstance(pair, Pair) and {own.a, own.b} == {pair.a, pair.b}:
                a, b = columns if own.a == pair.a else columns[::-1]
                return self.resampled[:, b] - self.resampled[:, a]
        raise OptionError(f"{describe(pair)} is not a pair of this comparison; take one of its pairs")

    def ranked(self) -> list[System]:
        """The systems, the best first; those that are not ranked after all others."""
        sign = -1 if self.higher_is_better else 1
        return sorted(self.systems, key=lambda system: (system.cluster is None, sign * system.score.value))

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

    def pairs_of(self, name: str) -> dict[str, Pair]:
        """The pairs of a system, each with it as its b, by the name of the other system."""
        pairs = (pair.with_b(name) for pair in self.pairs if name in (pair.a, pair.b))
        return {pair.a: pair for pair in pairs}

    def ordered_pairs(self) -> list[Pair]:
        """All pairs, with differences of 0 or more, those of the best systems first."""
        place = {system.name: i for i, system in enumerate(self.ranked())}
        pairs = [pair if pair.difference >= 0 else pair.with_b(pair.a) for pair in self.pairs]
        return sorted(pairs, key=lambda pair: sorted((place[pair.a], place[pair.b])))

    @property
    def unit(self) -> str:
        """The kind of units that resamples draw: segments or documents."""
        return "documents" if self.by_document else "segments"

    @property
    def corrected(self) -> str:
        """The end of a sentence about p-values of several pairs."""
        return after(self.correction, len(self.pairs))

    def verdict(self, decimals: int) -> str:
        """Which system has the best score, and which are not significantly worse, or the pair."""
        if len(self.pairs) == 1:
            return self.pairs[0].sentence(decimals)
        ranked = [system.name for system in self.ranked() if system.cluster is not None]
        if not ranked:
            return UNRANKED
        first, *others = ranked
        pairs = self.pairs_of(first)
        equals = [name for name in others if name not in pairs or pairs[name].better != first]
        best, less = ("highest", "lower") if self.higher_is_better else ("lowest", "higher")
        significance = f"all others are significantly {less}"
        if equals:
            names = ", ".join(equals) if len(equals) <= _SENTENCES else f"{len(equals)} others"
            significance = f"not significantly {less}: {names}"
        people = people_agreed(pair.agreement for pair in pairs.values())
        claim = f"{first} has the {best} {self.metric} of {1 + len(others)} systems"
        return "; ".join(filter(None, [claim, significance, people]))

    def survival(self, decimals: int) -> list[str]:
        """What other settings make of the verdicts and of first place, in sentences."""
        if len(self.pairs) == 1:
            return self.pairs[0].survival(decimals)
        verdicts = [pair for pair in self.pairs if pair.survives is not None]
        lost = [pair for pair in verdicts if not pair.survives]
        gained = [pair for pair in self.pairs if pair.gains]
        lines, count = [], quantity(len(verdicts), "significant difference")
        if lost:
            do = "do" if len(lost) > 1 else "does"
            lines = [f"{len(lost)} of {count} {do} not survive: {causes_of(lost)}"]
        elif verdicts:
            lines = [f"All {count} survive" if verdicts[1:] else f"The {count[2:]} survives"]
        if len(self.pairs) <= _SENTENCES:
            for pair in lost:
                lines += [f"{pair.better} over {pair.worse}: {line}" for line in pair.survival(decimals)]
        elif names := {cause.name for pair in lost for cause in pair.causes if cause.is_typography}:
            name = names.pop() if len(names) == 1 else ALL_TYPOGRAPHY
            lines.append(f"Publish the scores with --normalize {name}")
        for words, number in Counter(trial.words for pair in verdicts for trial in pair.falls).items():
            lines.append(f"{quantity(number, 'verdict')} fall{'s' * (number == 1)} {words}")
        first = self.ranked()[0].name
        lines += [
            f"First place changes {trial.words}: {name} before {first}"
            for name, pair in self.pairs_of(first).items()
            for trial in (pair.trials if pair.gains else pair.causes)
            if trial.is_typography and trial.difference * pair.difference < 0
        ][:1]
        if gained:
            become = "become" if len(gained) > 1 else "becomes"
            count = quantity(len(gained), "more difference")
            lines.append(f"{count} {become} significant {gained[0].trials[0].words}")
        return lines

    def __str__(self) -> str:
        return "\n".join(self._sentences())

    def _sentences(self) -> list[str]:
        """One of each pair, then what does not survive, and warnings."""
        if not self.pairs:
            score = f"{self.metric}, {percent(1 - self.alpha)} interval"
            return [f"{own.name}: {own.score:.1f} {score} {tables.span(own.interval, 1)}" for own in self.systems]
        decimals = self.pairs[0].decimals
        lost = [pair for pair in self.pairs if pair.survives is False or pair.gains]
        survival = self.survival(decimals) if lost else []
        return [*map(str, self.pairs), *survival, *(f"warning: {text}" for text in self.warnings)]

    def _repr_html_(self) -> str:
        decimals = self.pairs[0].decimals if self.pairs else 1
        rows = [["system", self.metric, f"{percent(1 - self.alpha)} interval", *self.places]]
        for own in self.ranked():
            score, ends = f"{own.score.value:.{decimals}f}", tables.span(own.interval, decimals)
            rows.append([own.name, score, ends, *ranking(self, own)])
        said = self._sentences()
        if len(self.pairs) > _SENTENCES:
            said = [self.verdict(decimals), *said[len(self.pairs) :]]
        drawn = f"{quantity(self.resamples, 'resample')} of {self.units:,} {self.unit}"
        said += [f"test: {self.test}, {drawn}", f"signature: {self.signature}"]
        return html.terminal("\n".join([*tables.aligned(tables.padded(rows)), "", *map(visible, said)]))

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        names = ("metric", "test", "correction", "baseline", "resamples", "seed", "alpha", "units",
                 "unit", "signature", "warnings", *_if_any("strata", self.strata),
                 *_if_any("misfit", self.misfit), "systems", "pairs",
                 *_if_any("scores", self.scores))  # fmt: skip
        return attributes(self, names)


def ranking(comparison: Comparison, system: System) -> list[str]:
    """The places of a system for a table; empty if it is not ranked."""
    if system.rank is None:
        return [""] * len(comparison.places)
    rank = "-".join(map(str, dict.fromkeys(system.rank)))
    return [rank if name == "rank" else str(getattr(system, name)) for name in comparison.places]


def causes_of(lost: Sequence[Pair]) -> str:
    """How many verdicts do not survive for which reason."""
    counts = Counter(pair.causes[0].words for pair in lost).most_common()
    return ", ".join(f"{number} {words}" for words, number in counts)


def p_value(p: float) -> str:
    """A p-value with two significant digits, as papers print it."""
    return f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def percent(share: float) -> str:
    """A share as a percentage, as short as possible."""
    return f"{round(100 * share, 6):g} %"


def _if_any(name: str, value: object) -> tuple[str, ...]:
    return (name,) if value else ()

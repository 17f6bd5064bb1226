# SPDX-License-Identifier: Apache-2.0
"""How often do people agree with a difference? Curves fitted to judged translation systems.

`curves.tsv` has a row for each dialect, metric and setting that was calibrated; `benchmarks/
agreement.py` writes it. The share of pairs of systems that people order as the metric does is
a logistic curve of the square root of the difference; it is never below one half, for a difference
of 0 says nothing. Columns of options have the percentage of pairs of systems that keep their order
when the option changes; with most, the curve stays. docs/meaning.md describes the data.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import copysign, exp, isfinite, log, sqrt
from numbers import Real
from pathlib import Path
from typing import Any, Unpack

from truebleu.dialects.changes import MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError, describe
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import NAMES, choose_metric
from truebleu.text.results import Record

SOURCE = "direct assessment of translation systems of WMT21 and WMT22, before large language models"

#: Ends of the ranges of differences, in points of 100, whose pairs are counted.
ENDS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10)

#: The fewest segments for which `compare` reports agreement; WMT's test sets had 400 and more.
SEGMENTS = 200

#: A metric with a changed option has the curve without it if this percentage of pairs of systems
#: keeps its order.
SAME_ORDER = 98

#: The curves of sacreBLEU's `Pair.mean_difference`, and of differences that do not survive trials.
_MEAN, _LOST = "sacrebleu mean", "sacrebleu does not survive"

#: sacreBLEU's tokenizers by target language, which share its curve.
_TOKENIZERS = {"13a", "zh", "ja-mecab"}


@dataclass(frozen=True, slots=True)
class HumanAgreement(Record):
    """How often people agreed with differences like this between two systems.

    Attributes:
        probability: the share of pairs of systems that people ordered as the metric did.
        interval: 95 % prediction interval of this share on a new test set.
        pairs: the number of judged pairs of systems with a difference of about this size.
        source: the judgements, and whose curve is used if the metric has none of its own.
    """

    probability: float
    interval: tuple[float, float]
    pairs: int
    source: str = SOURCE

    def __str__(self) -> str:
        return people_agreed([self.probability])


@dataclass(frozen=True, slots=True)
class Curve:
    """A row of the table: the logit of agreement is intercept + slope * sqrt(points).

    Attributes:
        intercept, slope: fitted to the pairs of all sets.
        half_width: of the 95 % prediction interval for a new test set, in logits.
        pairs: the number of pairs in each range of differences.
        orders: the percentage of pairs of systems that keep their order, by changed option.
    """

    intercept: float
    slope: float
    half_width: float
    pairs: tuple[int, ...]
    orders: dict[str, float]

    def agreement(self, points: float) -> HumanAgreement:
        """Of a difference on a scale of 100; below 0 if it is against the claim."""
        size = abs(points)
        logit = copysign(max(0.0, self.intercept + self.slope * sqrt(size)), points)
        low, share, high = (1 / (1 + exp(sign * self.half_width - logit)) for sign in (1, 0, -1))
        return HumanAgreement(share, (low, high), self.pairs[sum(size >= end for end in ENDS)])

    def points(self, probability: float) -> float:
        """The difference on a scale of 100 with this agreement."""
        return ((log(probability / (1 - probability)) - self.intercept) / self.slope) ** 2


def human_agreement(
    difference: float, metric: str | Metric | Dialect = "sacrebleu", **changes: Unpack[MetricChanges]
) -> HumanAgreement:
    """How often people agreed that the system with the better score is the better one.

    The judgements are of translation systems on whole test sets: they say nothing about other
    tasks, single documents or single sentences.

    Args:
        difference: of two scores of the metric, on its scale; its sign does not matter.
        metric: the name of a dialect, `chrf`, `chrf++`, `ter`, `gleu`, or a metric.
        changes: options to change, by name.

    Raises:
        OptionError: the metric is not calibrated, or the difference is not a number.

    Example:
        >>> import truebleu as tb
        >>> agreement = tb.human_agreement(1.3)
        >>> print(agreement)
        people agreed with differences like this in 67 % of cases
        >>> agreement.pairs, [round(end, 2) for end in agreement.interval]
        (230, [0.44, 0.84])
        >>> round(tb.human_agreement(1.3, "chrf").probability, 2)
        0.7
    """
    if not isinstance(difference, Real) or not isfinite(difference):
        raise OptionError(f"difference cannot be {describe(difference)}; give a number like 1.3")
    return people_on(_calibrated(metric, changes), float(difference))


def difference_for(
    probability: float, metric: str | Metric | Dialect = "sacrebleu", **changes: Unpack[MetricChanges]
) -> float:
    """The difference with which people agreed this often; see `human_agreement`.

    Args:
        probability: above 0.5 and below 1.
        metric, changes: as for `human_agreement`.

    Raises:
        OptionError: the metric is not calibrated, or the probability is out of range.

    Example:
        >>> import truebleu as tb
        >>> round(tb.difference_for(0.8), 1), round(tb.difference_for(0.8, "chrf"), 1)
        (2.7, 2.3)
    """
    if not isinstance(probability, Real) or not 0.5 < probability < 1:
        raise OptionError(f"probability {describe(probability)} is not between 0.5 and 1; try 0.8")
    own = _calibrated(metric, changes)
    return curves()[curve_of(own)[0]].points(float(probability)) / points_of(own)


def people_on(
    metric: Any, difference: float, mean: float | None = None, survives: bool | None = None
) -> HumanAgreement:
    """Agreement with a pair's difference, its `mean_difference` and whether it `survives`.

    Trials count for sacreBLEU's score alone. The metric is one for which nothing is `unknown`.
    """
    name, points = curve_of(metric)[0], abs(difference) * points_of(metric)
    if name == "sacrebleu" and survives is not None and mean is not None:
        name, points = (_MEAN, mean) if survives else (_LOST, points)
    return replace(curves()[name].agreement(points), source=source_of(metric))


def source_of(metric: Any) -> str:
    """The judgements, and whose curve is used if the metric has none of its own."""
    name, percent = curve_of(metric)
    other = f"; curve of {name}, which orders {percent:g} % of pairs of systems alike"
    return SOURCE + other * (name != curve_name(metric))


def points_of(metric: Any) -> float:
    """Points of 100 in a difference of 1; NIST, which has no highest score, has its own scale."""
    return 100 / metric.scale if isfinite(metric.scale) else 1.0


def unknown(metric: Any, signature: str, segments: int) -> str:
    """Why nothing is known of agreement with a difference of scores; empty if it is.

    Args:
        metric: of the scores.
        signature: of the scores.
        segments: of the test set.
    """
    if task := other_task(metric):
        return f"unknown for {task}"
    if "tok:given" in (parts := signature.split("|")):
        return "unknown for token ids and for your own tokens"
    if any(part.startswith("nrefs:") and part != "nrefs:1" for part in parts):
        return "unknown with several references"
    return _no_curve(metric) or (f"unknown below {SEGMENTS} segments" if segments < SEGMENTS else "")


def _no_curve(metric: Any) -> str:
    """Why a metric has no curve; empty if it has."""
    name, percent = curve_of(metric)
    if percent >= SAME_ORDER:
        return ""
    doubt = f", which keep only {percent:g} % of the order of {name}" if percent else ""
    return f"unknown for {other_task(metric) or 'this metric with these options'}{doubt}"


def other_task(metric: Any) -> str:
    """The texts other than translations that a metric is for; empty for translations."""
    name = metric.dialect.name if isinstance(metric, BLEU) else metric.name
    if name.lower().startswith(("code", "neuralcode", "crystalbleu")):
        return "code"
    return "captions" if name == "coco-caption" else ""


def share(probability: float) -> str:
    """A probability in percent; never 0 or 100 %.

    Example:
        >>> share(0.643), share(0.998), share(0.001)
        ('64 %', 'over 99 %', 'under 1 %')
    """
    if probability > 0.99:
        return "over 99 %"
    return "under 1 %" if probability < 0.01 else f"{100 * probability:.0f} %"


def span(interval: tuple[float, float]) -> str:
    """An interval of probabilities in percent.

    Example:
        >>> span((0.444, 0.998))
        '44 to over 99 %'
    """
    low, high = map(share, interval)
    return high if low == high else f"{low.removesuffix(' %')} to {high}"


def people_agreed(probabilities: Iterable[float | None], differences: str = "") -> str:
    """The phrase about differences with these probabilities; empty if none is calibrated.

    Example:
        >>> people_agreed([0.643, None, 0.998])
        'people agreed with differences like these in 64 to over 99 % of cases'
    """
    numbers = [number for number in probabilities if number is not None]
    if not numbers:
        return ""
    differences = differences or ("this" if len(numbers) == 1 else "these")
    return f"people agreed with differences like {differences} in {span((min(numbers), max(numbers)))} of cases"


@cache
def curves() -> dict[str, Curve]:
    """All curves by dialect or metric and changed options."""
    table = {}
    with Path(__file__).with_name("curves.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            intercept, slope, width = (float(row[key]) for key in ("intercept", "slope", "half_width"))
            pairs = tuple(int(row[key]) for key in (*map(str, ENDS), "above"))
            orders = {change: float(value) for change, value in row.items() if "=" in change and value}
            table[row["curve"]] = Curve(intercept, slope, width, pairs, orders)
    return table


def _calibrated(metric: Any, changes: Mapping[str, Any]) -> Any:
    is_dialect = isinstance(metric, Dialect) or (isinstance(metric, str) and metric not in (*NAMES, "chrf++"))
    name, dialect = ("bleu", metric) if is_dialect else (metric, "sacrebleu")
    own = choose_metric(name, dialect, None, changes)
    if reason := _no_curve(own):
        hint = "people judged translations; most tools as they are, chrF and TER have a curve"
        raise OptionError(f"agreement with people is {reason} ({curve_name(own)}); {hint}")
    return own


def curve_name(metric: Any) -> str:
    """The name of a metric's curve: its dialect or metric and the options that differ."""
    if isinstance(metric, BLEU):
        name, own = metric.dialect.name, metric.dialect.options()
        default = DIALECTS[name].options() if name in DIALECTS else {}
    elif (name := type(metric).__name__.lower()) in curves():
        own, default = metric.settings, type(metric)().settings
    else:
        return name
    changes = [name]
    for key, value in sorted(own.items()):
        usual = default.get(key, value)
        if key == "smooth_value" and not ("=add-k" in changes[-1] and (value or 0) > 1):
            continue  # adds little to the counts of a corpus
        follows = key == "sentence_effective_order" and value == own["effective_order"]
        if value != usual and not follows and not {value, usual} <= _TOKENIZERS:
            changes.append(f"{key}={value}")
    return " ".join(changes)


def curve_of(metric: Any) -> tuple[str, float]:
    """The curve of a metric, or else of that without one option.

    Returns:
        The name of the curve, and the percentage of pairs of systems that both order alike: 100 for
        a curve of its own, 0 if nothing was compared.
    """
    name = curve_name(metric)
    if name in curves():
        return name, 100
    bases = {name.replace(f" {change}", "", 1): change for change in name.split(" ")[1:]}
    owners = [(base, curves()[base].orders.get(bases[base], 0)) for base in bases.keys() & curves()]
    return max(owners, key=lambda owner: owner[1], default=(name, 0))

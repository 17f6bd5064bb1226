# SPDX-License-Identifier: Apache-2.0
"""How often do people agree with a difference? Curves fitted to judged translation systems.

`curves.tsv` has a row for each dialect, metric and setting that was calibrated; `benchmarks/
agreement.py` writes it. The share of pairs of systems that people order as the metric does is
a logistic curve of the square root of the difference; it is never below one half, for a difference
of 0 says nothing. docs/meaning.md describes the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from math import copysign, exp, isfinite, log, sqrt
from numbers import Real
from pathlib import Path
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError, describe
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import NAMES, choose_metric

SOURCE = (
    "direct assessment of translation systems of WMT21 and WMT22, before large language models "
    "translated"
)

#: Ends of the ranges of differences, in points of 100, whose pairs are counted.
ENDS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10)

#: The fewest segments for which `compare` reports agreement; WMT's test sets had 400 and more.
SEGMENTS = 200

#: The curves of `Pair.mean_difference` and of differences that do not survive trials, and the rows
#: whose pairs they describe.
_MEAN, _LOST = "sacrebleu mean", "sacrebleu does not survive"
_OF_MEAN = ("sacrebleu", "sacrebleu tokenize=zh", "sacrebleu tokenize=ja-mecab")

#: Options that do not change the score of a corpus that has matches of each order.
_SMOOTHING = ("smooth_method", "smooth_value")
_WITHOUT_EFFECT = ("effective_order", "sentence_effective_order")

#: Dialects for other texts than translations.
_OTHER_TASKS = {
    "coco-caption": "captions", "code-summary": "code", "neuralcodesum": "code",
    "neuralcodesum-coco": "code", "codexglue": "code", "codebleu-ngram": "code",
    "codebleu-weighted": "code",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HumanAgreement:
    """How often people agreed with differences like this between two systems.

    Attributes:
        probability: the share of pairs of systems that people ordered as the metric did.
        interval: 95 % prediction interval of this share on a new test set.
        pairs: the number of judged pairs of systems with a difference of about this size.
        source: the judgements.
    """

    probability: float
    interval: tuple[float, float]
    pairs: int
    source: str = SOURCE

    def __str__(self) -> str:
        return f"people agreed with differences like this in {share(self.probability)} of cases"

    def to_dict(self) -> dict[str, Any]:
        """Numbers, lists and text for JSON."""
        return {**asdict(self), "interval": list(self.interval)}


@dataclass(frozen=True, slots=True)
class Curve:
    """A row of the table: the logit of agreement is intercept + slope * sqrt(points).

    Attributes:
        intercept, slope: fitted to the pairs of all sets.
        half_width: of the 95 % prediction interval for a new test set, in logits.
        pairs: the number of pairs in each range of differences.
    """

    intercept: float
    slope: float
    half_width: float
    pairs: tuple[int, ...]

    def agreement(self, points: float) -> HumanAgreement:
        """Of a difference on a scale of 100; below 0 if it is against the claim."""
        size = abs(points)
        logit = copysign(max(0.0, self.intercept + self.slope * sqrt(size)), points)
        low, high = (_expit(logit + sign * self.half_width) for sign in (-1, 1))
        place = sum(size >= end for end in ENDS)
        return HumanAgreement(_expit(logit), (low, high), self.pairs[place])

    def points(self, probability: float) -> float:
        """The difference on a scale of 100 with this agreement."""
        return ((log(probability / (1 - probability)) - self.intercept) / self.slope) ** 2


def human_agreement(
    difference: float,
    metric: str | Metric[Any, Any] | Dialect = "sacrebleu",
    *,
    mean: bool = False,
    **changes: Any,
) -> HumanAgreement:
    """How often people agreed that the system with the better score is the better one.

    The judgements are of translation systems on whole test sets: they say nothing about other
    tasks, single documents or single sentences.

    Args:
        difference: of two scores of the metric, on its scale; its sign does not matter.
        metric: the name of a dialect, `chrf`, `chrf++`, `ter`, `gleu`, `nist`, or a metric.
        mean: `difference` is a `Pair.mean_difference` of sacreBLEU's score; below 0 if most trials
            contradict the verdict.
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
    own = _metric(metric, changes)
    if not isinstance(difference, Real) or not isfinite(difference):
        raise OptionError(
            f"difference cannot be {describe(difference)}; give a number, such as 1.3"
        )
    points = float(difference) * _points_of(own)
    return _calibrated(own, mean=mean).agreement(points if mean else abs(points))


def difference_for(
    probability: float,
    metric: str | Metric[Any, Any] | Dialect = "sacrebleu",
    *,
    mean: bool = False,
    **changes: Any,
) -> float:
    """The difference with which people agreed this often; see `human_agreement`.

    Args:
        probability: above 0.5 and below 1.
        metric, mean, changes: as for `human_agreement`.

    Raises:
        OptionError: the metric is not calibrated, or the probability is out of range.

    Example:
        >>> import truebleu as tb
        >>> round(tb.difference_for(0.8), 1), round(tb.difference_for(0.8, "chrf"), 1)
        (2.7, 2.3)
    """
    own = _metric(metric, changes)
    if not isinstance(probability, Real) or not 0.5 < probability < 1:
        raise OptionError(
            f"probability cannot be {describe(probability)}; it must be above 0.5 and below 1, "
            "such as 0.8"
        )
    return _calibrated(own, mean=mean).points(float(probability)) / _points_of(own)


def curve_of(metric: Any, *, mean: bool = False) -> Curve | None:
    """The curve of a metric; None if it was not calibrated."""
    name = _name(metric)
    if mean:
        return curves()[_MEAN] if name in _OF_MEAN else None
    return curves().get(name)


def of_pairs(metric: Any) -> Callable[[float, float | None, bool | None], HumanAgreement]:
    """The agreement with a pair's difference, its `mean_difference` and whether it `survives`.

    The metric is one for which `unknown` is empty. Trials count for sacreBLEU's score alone.
    """
    name, scale, plain = _name(metric), _points_of(metric), _calibrated(metric, mean=False)

    def agreement(difference: float, mean: float | None, survives: bool | None) -> HumanAgreement:
        points = abs(difference) * scale
        if survives is None or mean is None or name not in _OF_MEAN:
            return plain.agreement(points)
        return curves()[_MEAN].agreement(mean) if survives else curves()[_LOST].agreement(points)

    return agreement


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
    if curve_of(metric) is None:
        return "unknown for this metric with these options"
    return f"unknown below {SEGMENTS} segments" if segments < SEGMENTS else ""


def other_task(metric: Any) -> str:
    """The texts other than translations that a metric is for; empty for translations."""
    if isinstance(metric, BLEU):
        return _OTHER_TASKS.get(metric.dialect.name, "")
    return "code" if metric.name in ("CodeBLEU", "CrystalBLEU") else ""


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


@cache
def curves() -> dict[str, Curve]:
    """All curves by dialect or metric and changed options."""
    text = Path(__file__).with_name("curves.tsv").read_text(encoding="utf-8")
    table = {}
    for line in text.splitlines()[1:]:
        name, intercept, slope, half_width, *pairs = line.split("\t")
        numbers = tuple(map(int, pairs))
        table[name] = Curve(float(intercept), float(slope), float(half_width), numbers)
    return table


def _metric(metric: Any, changes: dict[str, Any]) -> Any:
    if metric == "chrf++":
        metric, changes = "chrf", {"word_order": 2, **changes}
    if isinstance(metric, Dialect) or (isinstance(metric, str) and metric not in NAMES):
        return BLEU(metric, **changes)
    return choose_metric(metric, "sacrebleu", None, changes)


def _points_of(metric: Any) -> float:
    """Points of 100 in a difference of 1; NIST, which has no highest score, has its own scale."""
    return 100 / metric.scale if isfinite(metric.scale) else 1.0


def _calibrated(metric: Any, *, mean: bool) -> Curve:
    curve = curve_of(metric, mean=mean)
    if curve is None:
        choice = "mean is for sacreBLEU's scores" if mean else "tools as they are, chrF and TER are"
        raise OptionError(f"{_name(metric)} was not compared with human judgements; {choice}")
    return curve


def _name(metric: Any) -> str:
    """The name of a metric's curve: its dialect or metric and the options that differ."""
    if isinstance(metric, BLEU):
        name, own = metric.dialect.name, metric.dialect.options()
        row = DIALECTS.get(name)
        default = {} if row is None else row.options()
    else:
        name = type(metric).__name__.lower()
        if name not in curves():
            return name
        own, default = metric.settings, type(metric)().settings
    ignored: tuple[str, ...] = _WITHOUT_EFFECT
    replaces_zeros = ("exp", "floor", "none")
    if {own.get("smooth_method"), default.get("smooth_method")} <= set(replaces_zeros):
        ignored += _SMOOTHING
    changes = [
        f"{key}={value}"
        for key, value in sorted(own.items())
        if key not in ignored and value != default.get(key, own)
    ]
    return " ".join([name, *changes])


def _expit(logit: float) -> float:
    return 1 / (1 + exp(-logit))

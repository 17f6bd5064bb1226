# SPDX-License-Identifier: Apache-2.0
"""Scores of segments from elsewhere beside sentence scores: means, correlation, disagreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from math import atanh, isfinite, nan, sqrt, tanh
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.inputs.segment_scores import Error, segment_scores
from truebleu.metrics.intervals import Interval
from truebleu.text.results import Record, attributes

Array = NDArray[np.float64]


def joined(
    scores: Any, metric: Any, systems: Mapping[str, Any], refs: Any, level: float = 0.95
) -> tuple[SegmentScores, ...]:
    """Scores from elsewhere, as `segment_scores` reads them, with the sentence scores of a metric.

    Args:
        scores: by name and system, or the paths of files.
        metric: of the sentence scores.
        systems: hypotheses by name.
        refs: the references.
        level: of intervals.
    """
    read = segment_scores(scores, list(systems), len(next(iter(systems.values()))))
    sentences = {name: np.asarray(metric.sentences(hyps, refs)) for name, hyps in systems.items()}
    result = []
    for name, own in read.items():
        values = {of: np.array(scores) for of, scores in own.items()}
        errors = {of: [getattr(score, "errors", ()) for score in scores] for of, scores in own.items()}
        result.append(SegmentScores(name, metric.name, values, sentences, level, metric.higher_is_better, errors))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Correlation(Record):
    """How two scores of segments go together.

    Attributes:
        pearson: Pearson's r; NaN if a score is the same everywhere.
        pearson_interval: of r, for segments drawn at random.
        kendall: Kendall's tau-b.
        kendall_interval: of tau.
    """

    pearson: float
    pearson_interval: Interval
    kendall: float
    kendall_interval: Interval

    def __str__(self) -> str:
        """Both with their intervals."""
        r, (low, high), tau, (least, most) = astuple(self)
        ends = f"({low:z.2f} to {high:z.2f})", f"({least:z.2f} to {most:z.2f})"
        return f"r = {r:z.2f} {ends[0]}, tau = {tau:z.2f} {ends[1]}"


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScores:
    """Scores from elsewhere and the sentence scores of the same systems.

    Attributes:
        name: of what scored, such as `comet`.
        metric: the name of the sentence scores.
        values: of each system, a score for each segment, or NaN.
        sentences: of each system, its sentence scores.
        level: of the intervals.
        higher_is_better: whether the better sentence has the higher score.
        errors: of each system, the marked errors of each segment.
    """

    name: str
    metric: str
    values: Mapping[str, Array]
    sentences: Mapping[str, Array]
    level: float = 0.95
    higher_is_better: bool = True
    errors: Mapping[str, Sequence[Sequence[Error]]] = field(default_factory=dict)

    @property
    def means(self) -> dict[str, float]:
        """The mean score of each system; NaN if it has none."""
        return {name: float(np.nanmean(own)) if np.isfinite(own).any() else nan for name, own in self.values.items()}

    @property
    def decimals(self) -> int:
        """Decimals of a mean: four for scores up to 1, as of COMET, else two."""
        return 4 if max(map(abs, self.means.values())) <= 1 else 2

    def correlation(self, *systems: str) -> Correlation:
        """With the sentence scores, over all segments of these systems, or of all systems."""
        x, y = (np.transpose([own[name] for name in systems or self.values]) for own in (self.sentences, self.values))
        return correlation(x, y, self.level)

    def opposed(self, a: str, b: str) -> list[int]:
        """The segments on which the scores disagree about A and B, the most opposed first.

        By minus the product of both differences in standard units; without a second system, of both
        distances from the mean.
        """
        product = np.nan_to_num(_standard(self.sentences, a, b) * _standard(self.values, a, b))
        return [i for i in np.argsort(product, kind="stable").tolist() if product[i] < 0]

    def sentence(self) -> str:
        """Its correlation, and the system with the highest mean."""
        means = {name: mean for name, mean in self.means.items() if isfinite(mean)}
        both = self.correlation()
        # Where the scores are errors, as of MetricX, they fall as BLEU rises.
        is_error = both.pearson < 0 if self.higher_is_better else both.pearson > 0
        word, choose = ("lowest", min) if is_error else ("highest", max)
        ends = f"; {word}: {choose(means, key=lambda name: means[name])}" if len(means) > 1 else ""
        return f"{self.name}: {both} with sentence {self.metric}{ends}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text for JSON."""
        return {**attributes(self, ("name", "means")), **self.correlation().to_dict()}


def _standard(scores: Mapping[str, Array], a: str, b: str) -> Array:
    """A minus B in units of its root mean square, or A in standard units."""
    values: Array = scores[a] - (scores[b] if a != b else np.nanmean(scores[a]))
    return values / (sqrt(np.nansum(values * values) / len(values)) or 1.0)


def correlation(x: Array, y: Array, level: float = 0.95) -> Correlation:
    """The correlations of two scores, of shape (segments, systems); pairs with NaN do not count.

    The variance of r and of tau is that of the sums, over each segment, of what its scores
    contribute (the delta method, for tau by Hoeffding 1948), on the scale of Fisher's z; so the
    scores of one segment may depend on each other, and need no normal distribution.

    Example:
        >>> import numpy as np
        >>> x = np.arange(20.0)[:, None]
        >>> both = correlation(x, x**2)
        >>> round(both.pearson, 3), round(both.kendall, 3)
        (0.965, 1.0)
    """
    present = np.isfinite(x) & np.isfinite(y)
    rows = np.nonzero(present)[0]
    x, y = x[present], y[present]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(nan, (nan, nan), nan, (nan, nan))
    u, v = ((values - values.mean()) / values.std() for values in (x, y))
    r = float(np.mean(u * v))
    tau, concordance = _kendall(x, y)
    influences = u * v - r / 2 * (u * u + v * v), 2 * (concordance - concordance.mean())
    of_r, of_tau = (_interval(*pair, rows, level) for pair in zip((r, tau), influences, strict=True))
    return Correlation(r, of_r, tau, of_tau)


def _interval(estimate: float, influences: Array, rows: NDArray[np.intp], level: float) -> Interval:
    """The interval of a correlation, from the influence of each pair of scores on it."""
    if abs(estimate) > 1 - 1e-12:
        return estimate, estimate
    of_segments = np.bincount(rows, weights=influences) / len(influences)
    error = sqrt(float(of_segments @ of_segments)) / (1 - estimate * estimate)
    width = NormalDist().inv_cdf((1 + level) / 2) * error
    return tanh(atanh(estimate) - width), tanh(atanh(estimate) + width)


def _kendall(x: Array, y: Array) -> tuple[float, Array]:
    """Kendall's tau-b, and of each pair of scores its mean concordance with all others."""
    xs, ys = (np.unique(values, return_inverse=True)[1] for values in (x, y))
    ties_x, ties_y, ties = map(_ties, (xs, ys, xs * (ys.max() + 1) + ys))
    order = np.lexsort([ys, xs])
    concordance: Array = len(x) - 1 - ties_x - ties_y + ties
    concordance[order] -= 2 * _inversions(ys[order])
    untied = [float(len(x) * (len(x) - 1) - own.sum()) for own in (ties_x, ties_y)]
    scale = sqrt(untied[0] * untied[1])
    return float(concordance.sum()) / scale, concordance * (len(x) / scale)


def _ties(keys: NDArray[np.intp]) -> Array:
    """How many other items have the key of each item."""
    _, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[places].astype(np.float64) - 1)


def _inversions(ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """With how many others each item of a list is in the wrong order, by one bit after the other.

    Items that differ first in a bit are in a group; those with a 1 before one with a 0 are wrong.
    """
    places = np.arange(len(ranks))
    wrong = np.zeros(len(ranks), dtype=np.intp)
    for bit in reversed(range(int(ranks.max()).bit_length())):
        group, ones = ranks[places] >> (bit + 1), ranks[places] >> bit & 1
        first, end = (np.searchsorted(group, group, side) for side in ("left", "right"))
        sums = np.concatenate([[0], np.cumsum(ones)])
        before = sums[:-1] - sums[first]
        after = end - np.arange(len(ones)) - (sums[end] - sums[:-1])  # zeros from here on
        wrong[places] += np.where(ones == 1, after, before)
        places = places[np.argsort(ranks[places] >> bit, kind="stable")]
    return wrong

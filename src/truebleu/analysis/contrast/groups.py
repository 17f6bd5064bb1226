# SPDX-License-Identifier: Apache-2.0
"""The difference of two scores as a sum over groups.

Each group changes some counts from those of B to those of A, and the score is a function of the
sums of the counts. The points of a group are its Shapley value (Shapley 1953): the change of the
score when the group changes its counts, averaged over all orders of the groups. So the points of
all groups add up to the difference, and exchanging A and B changes only their signs. Only scores of
rows of integers are needed, which the kernel computes for every dialect.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from truebleu.metrics.bleu import BLEU
from truebleu.metrics.overlap import Floats, Integers, Overlap, Tally
from truebleu.metrics.stats import Stats
from truebleu.text.results import Record

#: The groups of n-grams, in the order in which the kernel counts the first four.
GROUPS = ("words", "names and numbers", "punctuation", "order", "length")

_COUNT = len(GROUPS)
#: For each set of groups, whether it has each group.
_SETS = np.array([[mask >> i & 1 for i in range(_COUNT)] for mask in range(1 << _COUNT)])
#: For each number of other groups before a group, the orders of the groups in sixtieths of all.
_SIXTIETHS = [
    60 * math.factorial(size) * math.factorial(_COUNT - 1 - size) // math.factorial(_COUNT) for size in range(_COUNT)
]


@dataclass(frozen=True, slots=True)
class NgramContrast(Record):
    """An n-gram that one system matches more often than the other.

    Attributes:
        words: its tokens.
        a: matches that only A has.
        b: matches that only B has.
        points: what these are worth, at the mean worth of one more match of its length.
    """

    words: tuple[str, ...]
    a: int
    b: int
    points: float


@dataclass(frozen=True, slots=True)
class Group(Record):
    """A part of the difference between two scores.

    Attributes:
        name: one of `GROUPS`, or what a typographic normalization changes.
        points: above 0 if A gains by it. The points of all groups add up to the difference.
        interval: the percentile interval of the points, from the bootstrap.
        ngrams: n-grams that only one system matches, the least accidental ones first.
    """

    name: str
    points: float
    interval: tuple[float, float]
    ngrams: tuple[NgramContrast, ...]


def values_of_sets(bleu: BLEU, sums: Integers) -> Floats:
    """The score with the counts of each set of groups from A, and all others from B.

    Args:
        bleu: the metric.
        sums: k tables of rows: the statistics of A and of B, then each group's but the last, as
            `Overlap.contrast` gives them.

    Returns:
        An array with k rows and 32 columns, one for each set.
    """
    a, b, parts = sums[:, :1], sums[:, 1:2], sums[:, 2:].copy()
    own = _own_lengths(parts[:, :, 0], parts[:, :, 1])
    parts[:, :, :2] = 0
    if bleu.dialect.count.length_unit == "tokens":
        parts[:, :, 0] = own
    rows = b + _SETS @ np.concatenate([parts, a - b - parts.sum(axis=1, keepdims=True)], axis=1)
    # Mixed counts can be impossible: matches beyond n-grams, or none where both systems have some.
    mixed, orders = rows[:, 1:-1], (rows.shape[2] - 2) // 2
    np.maximum(mixed, (np.minimum(a, b) > 0).astype(np.int64), out=mixed)
    matches, totals = mixed[:, :, 2 : 2 + orders], mixed[:, :, 2 + orders :]
    np.minimum(matches, totals, out=matches)
    values = bleu.values(Stats.from_buffer(np.ascontiguousarray(rows), orders)).reshape(len(sums), -1).copy()
    # A mix can be what a tool crashes on (NLTK's method 6). It counts as 0.
    values[:, 1:-1][np.isnan(values[:, 1:-1])] = 0
    return values


def differences_of_pairs(bleu: BLEU, sums: Integers) -> Floats:
    """The difference of each pair of systems, from sums of statistics."""
    if not sums.shape[1]:
        return np.empty((len(sums), 0))
    pairs = bleu.values(bleu.zero_stats().like(np.ascontiguousarray(sums))).reshape(len(sums), -1, 2)
    return np.asarray(pairs[:, :, 0] - pairs[:, :, 1])


def _own_lengths(a: Integers, b: Integers) -> Integers:
    """The change of the length that names and punctuation cause by themselves.

    With more words, there are more names and punctuation in proportion; that is length. The change
    of their ratio to the words, at the mean number of words, is their own.

    Args:
        a, b: the tokens of each group in A and in B; the first group is words.
    """
    words_a, words_b = a[:, :1], b[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = (a / words_a - b / words_b) * (words_a + words_b) / 2
    return np.where((words_a > 0) & (words_b > 0), np.rint(own), 0).astype(np.int64)


def resampled_points(values: Floats) -> Floats:
    """The points of each group: k rows and 5 columns, from the result of `values_of_sets`."""
    points = np.zeros((len(values), _COUNT))
    with np.errstate(invalid="ignore"):
        for i, before, after, share in _steps():
            points[:, i] += share / 60 * (values[:, after] - values[:, before])
    return points


def exact_points(values: Floats, difference: float, typography: Sequence[float]) -> list[float]:
    """The points of typography and of each group, whose sum by `math.fsum` is the difference.

    If that is smaller than the last digits of all points, their sum is a neighbor of it.
    """
    terms: list[list[float]] = [[] for _ in GROUPS]
    for i, before, after, share in _steps():
        terms[i].append(share * (float(values[after]) - float(values[before])))
    if not all(map(math.isfinite, (difference, *typography, *(term for shares in terms for term in shares)))):
        return [math.nan] * (len(typography) + _COUNT)
    points = [*typography, *(math.fsum(shares) / 60 for shares in terms)]
    # Multiples of one power of two add without rounding.
    unit = math.ulp(max(abs(values[0]), abs(values[-1]), math.fsum(map(abs, points))))
    points = [round(value / unit) * unit for value in points]
    remainder = math.fsum([difference, *(-value for value in points)])
    # The largest group that can represent it takes the remainder.
    for i in sorted(range(len(points)), key=lambda i: -abs(points[i])):
        if Fraction(points[i]) + Fraction(remainder) == Fraction(points[i] + remainder):
            points[i] += remainder
            break
    else:
        points[i] += remainder  # the smallest, which has the most digits
    return points


def _steps() -> Iterable[tuple[int, int, int, int]]:
    """Each group, each set before it, the set with it, and the share of orders in sixtieths."""
    for i in range(_COUNT):
        others = [1 << j for j in range(_COUNT) if j != i]
        for size in range(_COUNT):
            for chosen in combinations(others, size):
                before = sum(chosen)
                yield i, before, before | 1 << i, _SIXTIETHS[size]


def group_ngrams(tally: Tally, texts: Overlap, worth: Floats, most: int) -> list[tuple[NgramContrast, ...]]:
    """For each group, n-grams that only A and that only B matches, at most `most` of each.

    They come in the order of |a - b| / sqrt(a + b): how unlikely the matches would be divided so by
    chance. Points alone would put commas and articles first. Of n-grams that contain each other
    and occur alike, the first is kept.

    Args:
        tally: the n-grams.
        texts: the corpus.
        worth: for each order, the points of a match.
        most: the largest number for each group and system.
    """
    a, b = tally.counts[:, 0], tally.counts[:, 1]
    strength = (a - b) / np.sqrt(a + b)

    def gram(i: int) -> NgramContrast:
        order = int(tally.orders[i])
        points = float((a[i] - b[i]) * worth[order - 1])
        return NgramContrast(texts.words(int(tally.starts[i]), order), int(a[i]), int(b[i]), points)

    groups = []
    for group in range(_COUNT):
        chosen: list[NgramContrast] = []
        places = np.flatnonzero(tally.groups == group)
        for sign in (1, -1):
            own = places[sign * strength[places] > 0]
            keys = tally.starts[own], tally.orders[own], -sign * strength[own]
            chosen += _different(map(gram, own[np.lexsort(keys)]), most)
        chosen.sort(key=lambda gram: -abs(gram.a - gram.b) / math.sqrt(gram.a + gram.b))
        groups.append(tuple(chosen))
    return groups


def _different(grams: Iterable[NgramContrast], most: int) -> list[NgramContrast]:
    chosen: list[NgramContrast] = []
    for gram in grams:
        if len(chosen) == most:
            break
        equals = (other for other in chosen if (other.a, other.b) == (gram.a, gram.b))
        if not any(_contains(equal.words, gram.words) for equal in equals):
            chosen.append(gram)
    return chosen


def _contains(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    short, long = sorted((words, other), key=len)
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))

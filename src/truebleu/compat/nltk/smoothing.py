# SPDX-License-Identifier: Apache-2.0
"""NLTK's smoothing methods on counts: what its Fractions come to, without the Fractions.

A rational is a pair of integers here, not reduced: the quotient of two integers is rounded
correctly, and so is that of a Fraction, so that both become the same float. As in NLTK, whatever
meets a float is one from then on.
"""

from __future__ import annotations

import math
from operator import truediv
from types import FunctionType, MethodType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.compat.nltk.fraction import Fraction

    #: A precision: matches and n-grams, or what a smoothing method made of them.
    Number = tuple[int, int] | float


#: What method 7 calls.
_CALLED = ("method4", "method5")


class _Precision:
    """A precision as smoothing methods read it, in a fifth of the time that a Fraction takes."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator = numerator
        self.denominator = denominator


def standard(function: Any, methods: dict[Any, int]) -> int:
    """Which of NLTK's methods a smoothing function is, if it also calls none but NLTK's; else -1.

    Args:
        function: what `corpus_bleu` was given.
        methods: the number of each method, as a plain function.
    """
    if type(function) is not MethodType or type(function.__func__) is not FunctionType:
        return -1
    number = methods.get(function.__func__, -1)
    if number == 7:
        given = function.__self__
        own = [getattr(type(given), name, None) for name in _CALLED]
        if [methods.get(method) for method in own] != [4, 5] or {*_CALLED} & {*vars(given)}:
            return -1
    return number


def smooth(
    number: int, method: Any, counts: tuple[list[int], list[int]], segment: dict[str, Any],
    fifth: tuple[int, int] | Callable[..., Fraction],
) -> list[Any] | None:  # fmt: skip
    """Precisions after a method, from counts alone: as numbers whose logarithms are NLTK's.

    Args:
        number: of the method.
        method: itself, of its `SmoothingFunction`.
        counts: matches and totals of each order.
        segment: the method's other arguments.
        fifth: matches and n-grams of order 5 in the last segment, or `modified_precision`.

    Returns:
        None if there are parameters or counts for which only Fractions will do.
    """
    matches, totals = counts
    if number == 2:
        rest = zip(matches[1:], totals[1:], strict=True)
        return [matches[0] / totals[0], *[(match + 1) / (total + 1) for match, total in rest]]
    if number < 5:
        return _at_zeros(method, matches, totals, segment)
    if number == 6:
        alpha = method.__self__.alpha
        usual = type(alpha) is int and alpha > 0 and 3 <= len(matches) <= 8 and 0 not in matches[:3]
        return interpolate(matches, totals, alpha, len(segment["hypothesis"])) if usual else None
    if not isinstance(fifth, tuple):
        p = fifth(segment["references"], segment["hypothesis"], 5)
        fifth = p.numerator, p.denominator
    if number == 7 and 0 in matches and segment["hyp_len"] > 1:
        k, length = method.__self__.k, math.log(segment["hyp_len"])
        halvings = 1
        mixed: list[Number] = []
        for match, total in zip(matches, totals, strict=True):
            if match:
                mixed.append((match, total))
            else:
                halvings *= 2
                mixed.append(1 / (halvings * k / length) / total)
        # The parameter k may make something else of a precision than a float.
        return average_mixed(mixed, fifth) if {*map(type, mixed)} <= {tuple, float} else None
    return average(matches, totals, fifth)


def _at_zeros(
    method: Any, matches: list[int], totals: list[int], segment: dict[str, Any]
) -> list[Any]:
    """Precisions after a method that reads their counts alone, and changes those that are 0.

    Those that it leaves alone become floats: their logarithms are those of the Fractions.
    """
    if 0 not in matches:
        return [*map(truediv, matches, totals)]
    smoothed = method([*map(_Precision, matches, totals)], **segment)
    return [p.numerator / p.denominator if type(p) is _Precision else p for p in smoothed]


def average(matches: list[int], totals: list[int], fifth: tuple[int, int]) -> list[float]:
    """Precisions after method 5, over one denominator; `fifth` stands above the last."""
    whole = math.prod(totals) * fifth[1]
    shares = [match * (whole // total) for match, total in zip(matches, totals, strict=True)]
    shares.append(fifth[0] * (whole // fifth[1]))
    smoothed = shares[0] + whole
    averages = []
    for i, share in enumerate(shares[1:]):
        smoothed += (shares[i] + share) * 3**i
        averages.append(smoothed / (whole * 3 ** (i + 1)))
    return averages


def average_mixed(precisions: list[Number], fifth: tuple[int, int]) -> list[float]:
    """The same of precisions one of which, not the first, is a float: what meets it becomes one."""
    floats = [p[0] / p[1] if isinstance(p, tuple) else p for p in (*precisions, fifth)]
    pairs = []
    for p in precisions:
        if not isinstance(p, tuple):
            break
        pairs.append(p)
    above, below = pairs[0][0] + pairs[0][1], pairs[0][1]
    averages = []
    for i, (match, total) in enumerate(pairs):
        above, below = above * total + match * below, below * total
        if i + 1 < len(pairs):
            next_match, next_total = pairs[i + 1]
            above, below = above * next_total + next_match * below, 3 * below * next_total
            averages.append(above / below)
    smoothed = (above / below + floats[len(pairs)]) / 3
    averages.append(smoothed)
    for i in range(len(pairs), len(precisions)):
        smoothed = (smoothed + floats[i] + floats[i + 1]) / 3
        averages.append(smoothed)
    return averages


def interpolate(
    matches: Sequence[int], totals: Sequence[int], alpha: int, length: int
) -> list[float]:
    """Precisions after method 6.

    Args:
        matches: of three orders at least, and none of those three is 0.
        totals: of each order.
        alpha: the method's parameter, above 0.
        length: tokens of the last segment.
    """
    pairs = [*zip(matches, totals, strict=True)]
    for i in range(2, len(pairs)):
        (a, b), (c, d) = pairs[i - 2], pairs[i - 1]
        # The prior is (c / d)^2 / (a / b), and 0 if a is.
        above, below = (c * c * b, d * d * a) if a else (0, 1)
        total = max(0, length - i) + alpha
        pairs[i] = (matches[i] * below + alpha * above, total * below)
    return [a / b for a, b in pairs]

# SPDX-License-Identifier: Apache-2.0
"""Fractions that remember what they were made of: 2/4 stays two matches of four n-grams."""

from __future__ import annotations

import sys
from fractions import Fraction as _Fraction
from math import gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

_REDUCES = sys.version_info >= (3, 12)


class Fraction(_Fraction):
    """A fraction whose numerator and denominator are those given, without reducing.

    As `Fraction` of `nltk.translate.bleu_score` 3.10.4: a precision keeps its counts, which
    smoothing methods read, and calculates as any fraction. Results of arithmetic are plain
    `fractions.Fraction`s.

    Args:
        numerator: matches.
        denominator: n-grams.
        _normalize: whether `numerator` and `denominator` are in lowest terms after all.

    Raises:
        ZeroDivisionError: the denominator is 0.

    Example:
        >>> from truebleu.compat.nltk import Fraction
        >>> p = Fraction(2, 4)
        >>> p.numerator, p.denominator, float(p), p + 1
        (2, 4, 0.5, Fraction(6, 4))
    """

    # No __slots__, and these names: the original's instances have the same `__dict__`.
    _normalize: bool
    _original_numerator: Any
    _original_denominator: Any
    _numerator: int
    _denominator: int

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Self:
        """The fraction; nothing of it is set later."""
        made: Any
        if type(numerator) is int and type(denominator) is int and denominator > 0:
            # Counts, in a third of the time that the constructor takes for whatever may come.
            divisor = gcd(numerator, denominator) if _REDUCES or _normalize else 1
            made = object.__new__(cls)
            made._numerator = numerator // divisor
            made._denominator = denominator // divisor
        elif _REDUCES:
            made = super().__new__(cls, numerator, denominator)
        else:
            made = super().__new__(  # type: ignore[call-overload]  # undocumented up to 3.11
                cls, numerator, denominator, _normalize=_normalize
            )
        made._normalize = _normalize
        made._original_numerator = numerator
        made._original_denominator = denominator
        return made  # type: ignore[no-any-return]

    @property
    def numerator(self) -> Any:
        """What was given; in lowest terms with `_normalize`."""
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        """What was given; in lowest terms with `_normalize`."""
        return super().denominator if self._normalize else self._original_denominator

    # The next two give what they would without being here, in a tenth of the time: each score
    # asks each precision whether it is positive and what its logarithm is.

    def __gt__(self, other: Any) -> bool:
        if type(other) is int and not other:
            return self._numerator > 0
        return super().__gt__(other)

    def __float__(self) -> float:
        matches, total = self._original_numerator, self._original_denominator
        if type(matches) is int and type(total) is int and not self._normalize:
            return matches / total
        return super().__float__()

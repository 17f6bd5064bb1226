# SPDX-License-Identifier: Apache-2.0
"""Fractions that keep their counts: 2/4 stays two matches of four n-grams."""

from __future__ import annotations

import sys
from fractions import Fraction as _Fraction
from typing import Any, Self


class Fraction(_Fraction):
    """A fraction that is not reduced: `Fraction` of `nltk.translate.bleu_score` 3.10.4.

    Smoothing methods read its counts. Results of arithmetic are reduced `fractions.Fraction`s.

    Args:
        numerator: matches.
        denominator: n-grams.
        _normalize: whether `numerator` and `denominator` are in lowest terms.

    Raises:
        ZeroDivisionError: the denominator is 0.

    Example:
        >>> from truebleu.compat.nltk import Fraction
        >>> p = Fraction(2, 4)
        >>> p.numerator, p.denominator, float(p), p + 1
        (2, 4, 0.5, Fraction(6, 4))
    """

    # NLTK's instances have these names in their `__dict__`, and no `__slots__`.
    _normalize: bool
    _original_numerator: Any
    _original_denominator: Any

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Self:
        """A fraction of these counts."""
        fraction: Any
        if sys.version_info >= (3, 12):
            fraction = super().__new__(cls, numerator, denominator)
        else:
            fraction = super().__new__(  # type: ignore[call-overload]
                cls, numerator, denominator, _normalize=_normalize
            )
        fraction._normalize = _normalize
        fraction._original_numerator = numerator
        fraction._original_denominator = denominator
        return fraction  # type: ignore[no-any-return]

    @property
    def numerator(self) -> Any:
        """The first argument; in lowest terms with `_normalize`."""
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        """The second argument; in lowest terms with `_normalize`."""
        return super().denominator if self._normalize else self._original_denominator

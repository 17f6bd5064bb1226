# SPDX-License-Identifier: Apache-2.0
"""Power: the smallest difference that a test set detects, and the size that detects a difference.

A difference of scores is close to normal, and its standard error falls with the square root of the
number of segments (Cohen 1988, *Statistical power analysis*; for translation, Card and others 2020,
*With little power comes great responsibility*).
"""

from __future__ import annotations

from math import ceil, inf
from statistics import NormalDist

from truebleu.errors import InputError, OptionError

#: The conventional probability of detecting a true difference.
POWER = 0.8


def detectable(standard_error: float, alpha: float = 0.05, power: float = POWER) -> float:
    """The smallest true difference that a two-sided test detects with this power."""
    return (NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)) * standard_error


def units_needed(difference: float, standard_error: float, units: int, alpha: float = 0.05) -> int:
    """The number of segments that detect a true difference with the conventional power."""
    if not 0 < difference < inf:
        raise OptionError(f"the difference to detect cannot be {difference!r}; give one above 0")
    if not 0 <= standard_error < inf:
        raise InputError("the standard error of the difference is not finite; power is unknown")
    return ceil(units * (detectable(standard_error, alpha) / difference) ** 2)

# SPDX-License-Identifier: Apache-2.0
"""The drop-in beside its original: one call of each, and all of it that code can see."""

from __future__ import annotations

import fractions
import warnings

from nltk.translate import bleu_score as original

from truebleu.compat import nltk as ours

BOTH = (ours, original)

HYP = ["the", "cat", "sat", "on", "the", "mat", "today"]
REFS = [
    ["the", "cat", "is", "on", "the", "mat", "today"],
    ["there", "sat", "the", "cat", "on", "the", "mat"],
]
CORPUS = [REFS, [["a", "dog"]]], [HYP, ["the", "dog"]]


def outcome(call, *args, **kwargs):
    """What a call gives: its value with all types, or its error, and its warnings in order."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = described(call(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  whatever it is, the twin raises it too
            result = type(error).__name__, str(error)
    # Files that other tests left open may be closed here, when garbage is collected.
    own = [warning for warning in caught if warning.category is not ResourceWarning]
    return result, [(warning.category, str(warning.message)) for warning in own]


def described(value):
    """A value as text: floats to the last bit, and the inside of fractions."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [described(item) for item in value]
    if isinstance(value, fractions.Fraction):
        inside = (value._numerator, value._denominator, getattr(value, "__dict__", None))
        return type(value).__name__, str(value.numerator), str(value.denominator), inside
    return type(value).__name__, repr(value)


def check(function, *args, **kwargs):
    """Both give the same."""
    found, expected = (outcome(getattr(module, function), *args, **kwargs) for module in BOTH)
    assert found == expected


def method(module, name):
    """A method of a new SmoothingFunction; None stays None."""
    return name and getattr(module.SmoothingFunction(), name)

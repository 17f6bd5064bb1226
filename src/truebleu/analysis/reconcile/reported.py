# SPDX-License-Identifier: Apache-2.0
"""Scores as reported: their decimals show how exactly they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from truebleu.errors import OptionError, describe

Array = NDArray[Any]

#: Tools sum in different orders, so that equal scores differ in their last bits.
_LAST_BITS = 1e-11


@dataclass(frozen=True, slots=True)
class Reported:
    """The reported score of each system.

    Attributes:
        texts: the scores as given.
        values: the scores as numbers.
        places: the number of decimals of each; negative for zeros before the point.
        scales: possible scores of a perfect hypothesis, 1 or 100, the likelier first.
    """

    texts: tuple[str, ...]
    values: tuple[float, ...]
    places: tuple[int, ...]
    scales: tuple[int, ...]

    @classmethod
    def read(cls, *scores: Any, metric: str | None = None) -> Self:
        """Reported scores, each as text, whose decimals count, or as a number.

        Args:
            scores: the scores.
            metric: TER has scores above 100.

        Raises:
            OptionError: one is not a number, or outside of the scale.

        Example:
            >>> Reported.read("34.20").places, Reported.read(0.342).scales
            ((2,), (1, 100))
        """
        texts, numbers = zip(*(_read(score, metric) for score in scores), strict=True)
        if any(text.endswith("%") for text in texts):
            scales: tuple[int, ...] = (100,)
        else:
            scales = (1, 100) if max(numbers) <= 1 else (100, 1)
        exponents = (number.as_tuple().exponent for number in numbers)
        # A finite number has an integer as its exponent.
        places = tuple(-exponent if isinstance(exponent, int) else 0 for exponent in exponents)
        return cls(texts, tuple(map(float, numbers)), places, scales)

    @property
    def text(self) -> str:
        """The scores as given."""
        return " ".join(self.texts)

    @property
    def units(self) -> list[float]:
        """The value of one in the last decimal of each score."""
        return [10.0**-places for places in self.places]

    def without(self, system: int) -> Reported:
        """The scores of all systems but one."""
        return self.read(*self.texts[:system], *self.texts[system + 1 :], metric="ter")

    def format(self, values: Sequence[float]) -> str:
        """A score of each system with two decimals more than reported."""
        widths = [max(4, places + 2) for places in self.places]
        return " ".join(
            f"{value:.{width}f}" if width < 17 else repr(value) for value, width in zip(values, widths, strict=True)
        )

    def readings(self, values: Array) -> tuple[Array, Array]:
        """Whether each column of scores gives the reported ones: rounded, or cut off.

        Halves may be rounded either way.
        """
        scores, units = np.array(self.values)[:, None], np.array(self.units)[:, None]
        above, slack = values - scores, scores * _LAST_BITS
        rounded = abs(above) <= units / 2 + slack
        cut_off = (above >= -slack) & (above < units - slack)
        return rounded.all(axis=0), cut_off.all(axis=0)


def _read(score: Any, metric: str | None) -> tuple[str, Decimal]:
    """One reported score as text and as a number."""
    try:
        text = "" if isinstance(score, bool) else str(score).strip()
    except Exception:  # noqa: BLE001  (a list may hold itself, and a class may do anything)
        text = ""
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise OptionError(f"a reported score cannot be {describe(score)}; give a number such as 27.3")
    if number < 0 or (number > 100 + _LAST_BITS * 100 and metric != "ter"):
        name = {"chrf": "chrF", "ter": "TER"}.get(metric or "", "BLEU")
        highest = "" if metric == "ter" else " to 1 or from 0 to 100"
        raise OptionError(f"a reported score cannot be {text}; {name} goes from 0{highest}")
    return text, number

# SPDX-License-Identifier: Apache-2.0
"""A score as somebody reported it: its decimals say how much of it is known."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.errors import OptionError, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

#: Tools add in different orders, so that the same score differs in its last bits.
_LAST_BITS = 1e-11


@dataclass(frozen=True, slots=True)
class Reported:
    """A number with so many decimals. Frozen.

    Attributes:
        text: as it was given.
        value: the number.
        places: how many digits stand behind its point; below 0, zeros before it.
        scales: what a perfect score may be there, the likelier first: 1 or 100.
    """

    text: str
    value: float
    places: int
    scales: tuple[int, ...]

    @classmethod
    def read(cls, given: Any) -> Reported:
        """A score that is given as text, whose decimals count, or as a number.

        Raises:
            OptionError: it is no number, or no BLEU can be so high or so low.

        Example:
            >>> Reported.read("34.20").places, Reported.read(0.342).scales
            (2, (1, 100))
        """
        try:
            text = "" if isinstance(given, bool) else str(given).strip()
        except Exception:  # noqa: BLE001  (a list that holds itself: a class may do anything)
            text = ""
        number = _number(text.removesuffix("%").strip())
        if number is None:
            raise OptionError(
                f"a reported score cannot be {describe(given)}; give a number such as 27.3"
            )
        if not 0 <= number <= 100 + _LAST_BITS * 100:
            raise OptionError(
                f"a reported score cannot be {text}; BLEU goes from 0 to 1 or from 0 to 100"
            )
        exponent = number.as_tuple().exponent
        places = -exponent if isinstance(exponent, int) else 0  # a finite number has one
        if text.endswith("%"):
            scales: tuple[int, ...] = (100,)
        else:
            scales = (1, 100) if number <= 1 else (100, 1)
        return cls(text, float(number), places, scales)

    @property
    def unit(self) -> float:
        """What one more in its last decimal is."""
        return 10.0**-self.places

    def format(self, value: float) -> str:
        """A score with two decimals more than are known."""
        width = max(4, self.places + 2)
        return f"{value:.{width}f}" if width < 17 else repr(value)

    def is_rounded(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values, on its scale, are this number once they are rounded, halves either way."""
        return abs(values - self.value) <= self.unit / 2 + self._slack

    def is_truncated(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values are this number once their further decimals are cut off."""
        above = values - self.value
        return (above >= -self._slack) & (above < self.unit - self._slack)

    @property
    def _slack(self) -> float:
        return self.value * _LAST_BITS


def _number(text: str) -> Decimal | None:
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

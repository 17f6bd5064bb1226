# SPDX-License-Identifier: Apache-2.0
"""Statistics: the integers that every BLEU score is a function of. Rows add."""

from __future__ import annotations

from truebleu.metrics.rows import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any


class Stats(Rows):
    """Rows of statistics, one for each segment or sum of segments. Frozen.

    A row is `[hyp_len, ref_len, match_1..match_N, total_1..total_N]`: lengths in tokens, clipped
    matches and hypothesis n-grams of each order. Rows form a commutative monoid under `+`: corpora,
    shards, threads and resamples are sums of rows.

    Args:
        rows: sequences of 2 + 2N integers.
        orders: N, the highest n-gram order.

    Raises:
        InputError: a row has another length, or is no list of integers that fit 64 bits.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU()
        >>> stats = bleu.stats(["a b c d", "e f"], ["a b c d", "e g"])
        >>> stats.sum()
        Stats([[6, 6, 5, 3, 2, 1, 6, 4, 2, 1]])
        >>> bleu.score(stats[:1]).value
        100.00000000000004
    """

    __slots__ = ("orders",)

    _MAGIC = b"TBLEU\x00\x01\x00"
    _SHAPE = ("orders",)

    orders: int

    def __init__(self, rows: Iterable[Sequence[int]] = (), orders: int = 4) -> None:
        self._fill(rows, (orders,))

    @staticmethod
    def _width_of(*shape: int) -> int:
        (orders,) = shape
        return 2 + 2 * orders if orders > 0 else 0

    @classmethod
    def _described(cls, shape: tuple[int, ...]) -> str:
        return f"order {shape[0]}"

    @classmethod
    def from_buffer(cls, buffer: Any, orders: int) -> Stats:
        """Rows that lie one behind the other in `buffer` as native int64; nothing is copied."""
        return cls._wrap(buffer, (orders,))

    def __repr__(self) -> str:
        if len(self) > 6:
            return f"<Stats: {len(self)} rows up to order {self.orders}>"
        return (
            f"Stats({[list(row) for row in self]}{'' if self.orders == 4 else f', {self.orders}'})"
        )

    @property
    def hyp_len(self) -> int:
        """Tokens of the hypotheses, over all rows."""
        return self.sum()._values[0]

    @property
    def ref_len(self) -> int:
        """Tokens of the references that the brevity penalty compares with, over all rows."""
        return self.sum()._values[1]

    @property
    def matches(self) -> list[int]:
        """Clipped matches of each order, over all rows."""
        return self.sum()._values[2 : 2 + self.orders].tolist()

    @property
    def totals(self) -> list[int]:
        """Hypothesis n-grams of each order, over all rows."""
        return self.sum()._values[2 + self.orders :].tolist()

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        orders = range(1, self.orders + 1)
        names = ["hyp_len", "ref_len"]
        return names + [f"match_{n}" for n in orders] + [f"total_{n}" for n in orders]

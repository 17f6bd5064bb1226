# SPDX-License-Identifier: Apache-2.0
"""Scores of chrF and TER, and the statistics they are functions of."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.dialects.signature import shorten
from truebleu.errors import check_bool, check_int
from truebleu.metrics.rows import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self

#: Units in which TER counts lengths, for each word: the mean of the lengths of up to 22 references
#: is a whole number of them (the least common multiple of 1 to 22).
LENGTH_UNITS = 232_792_560


class CHRFStats(Rows):
    """What chrF counted, one row for each segment or sum of segments. Frozen.

    A row is `[hyp, ref, match]` for each order, characters first: n-grams of the hypothesis, of its
    best reference, and of both.

    Args:
        rows: sequences of 3 integers for each order.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words.

    Raises:
        InputError: a row has another length, or is no list of integers that fit 64 bits.
    """

    __slots__ = ("char_order", "word_order")

    _MAGIC = b"TBCHRF\x01\x00"
    _SHAPE = ("char_order", "word_order")

    char_order: int
    word_order: int

    def __init__(
        self, rows: Iterable[Sequence[int]] = (), char_order: int = 6, word_order: int = 0
    ) -> None:
        self._fill(rows, (char_order, word_order))

    @staticmethod
    def _width_of(*shape: int) -> int:
        return 3 * sum(shape)

    def __repr__(self) -> str:
        return f"<CHRFStats: {len(self)} rows, {self._described(self._shape)}>"

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return [f"{kind}_{order}" for order in orders for kind in ("hyp", "ref", "match")]


class TERStats(Rows):
    """What TER counted, one row for each segment or sum of segments. Frozen.

    A row is `[edits, ref_len]`; `ref_len` is the mean length of the references in units of which a
    word has `LENGTH_UNITS`, so that rows are integers and add.

    Args:
        rows: sequences of 2 integers.

    Raises:
        InputError: a row has another length, or is no list of integers that fit 64 bits.
    """

    __slots__ = ()

    _MAGIC = b"TBTER\x00\x01\x00"

    def __init__(self, rows: Iterable[Sequence[int]] = ()) -> None:
        self._fill(rows, ())

    @staticmethod
    def _width_of(*_: int) -> int:
        return 2

    def __repr__(self) -> str:
        return f"<TERStats: {len(self)} rows>"

    @property
    def edits(self) -> int:
        """Edits, over all rows."""
        return self.sum()._values[0]

    @property
    def ref_len(self) -> float:
        """Words of the references, over all rows."""
        return self.sum()._values[1] / LENGTH_UNITS

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        return ["edits", "ref_len"]


class MetricScore(Frozen):
    """A score of chrF or TER. Frozen.

    Attributes:
        name: what the number is called: chrF2, chrF2++, TER.
        value: the score; of chrF from 0 to 100, of TER from 0 on, where lower is better.
        signature: how the score came about.
        stats: the row it is a function of.

    Example:
        >>> from truebleu import CHRF, TER
        >>> print(CHRF().corpus(["the cat sat"], ["the cat sits"]))
        chrF2 = 61.03
        >>> print(TER().corpus(["sat the cat"], ["the cat sat"]))
        TER = 33.33
    """

    __slots__ = ("name", "signature", "stats", "value")

    name: str
    value: float
    signature: str
    stats: Any

    def __init__(self, name: str, value: float, signature: str, stats: Any) -> None:
        for field, given in (
            ("name", name), ("value", value), ("signature", signature), ("stats", stats),
        ):  # fmt: skip
            object.__setattr__(self, field, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.value, self.signature, self.stats)

    def with_signature(self, signature: str) -> Self:
        """The same score with another line for its signature."""
        return type(self)(self.name, self.value, signature, self.stats)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.__reduce__() == self.__reduce__()

    def __hash__(self) -> int:
        return hash((self.name, self.value, self.signature, self.stats))

    def counts(self) -> dict[str, float]:
        """What was counted, by name."""
        return dict(zip(self.stats.column_names(), self.stats[0], strict=True))

    @property
    def details(self) -> str:
        """What sacreBLEU prints behind the number, which is nothing."""
        return ""

    def format(
        self, width: int | None = None, *, signature: bool = False, short: bool = False
    ) -> str:
        """sacreBLEU's line; the signature, long or `short`, if asked for.

        Args:
            width: decimals, 0 to 100; without, 2.

        Raises:
            OptionError: `width` is no such number.
        """
        width = 2 if width is None else check_int("width", width, 0, 100)
        line = shorten(self.signature) if check_bool("short", short) else self.signature
        name = f"{self.name}|{line}" if check_bool("signature", signature) else self.name
        return f"{name} = {self.value:.{width}f}"

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.value!r}, {self.signature!r})"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain numbers and text, ready for JSON."""
        return {"value": self.value, **self.counts(), "signature": self.signature}

    def _repr_html_(self) -> str:
        from truebleu.text import html

        return html.block(html.headline(self.name, f"{self.value:.2f}"), html.code(self.signature))


class CHRFScore(MetricScore):
    """A score of chrF; see `MetricScore`."""

    __slots__ = ()


class TERScore(MetricScore):
    """A score of TER; see `MetricScore`."""

    __slots__ = ()

    @property
    def edits(self) -> int:
        """Words inserted, deleted and replaced, and blocks of words that were moved."""
        stats: TERStats = self.stats
        return stats.edits

    @property
    def ref_len(self) -> float:
        """Words of the references; of several, their mean."""
        stats: TERStats = self.stats
        return stats.ref_len

    def counts(self) -> dict[str, float]:
        """Edits and words, by name."""
        return {"edits": self.edits, "ref_len": self.ref_len}

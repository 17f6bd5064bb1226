# SPDX-License-Identifier: Apache-2.0
"""Statistics: the integers that every score is a function of. Rows add."""

from __future__ import annotations

import sys

from truebleu.errors import InputError, MissingExtraError
from truebleu.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, overload

    import numpy as np
    from numpy.typing import NDArray


#: What saved statistics begin with: name and version of the format.
_MAGIC = b"TBLEU\x00\x01\x00"


class Stats(Frozen):
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

    __slots__ = ("_values", "orders")

    orders: int
    _values: memoryview

    def __init__(self, rows: Iterable[Sequence[int]] = (), orders: int = 4) -> None:
        packed = bytearray()
        width = 2 + 2 * orders
        for i, row in enumerate(rows):
            if len(row) != width:
                raise InputError(f"row {i} has {len(row)} integers; order {orders} needs {width}")
            try:
                # Not the array module: its import takes 3.5 ms, a fifth of `truebleu score`.
                for value in row:
                    packed += value.__index__().to_bytes(8, sys.byteorder, signed=True)
            except (AttributeError, TypeError, OverflowError) as error:
                raise InputError(f"row {i} holds what is no 64-bit integer: {error}") from None
        self._set(packed, orders)

    def _set(self, values: Any, orders: int) -> None:
        view = memoryview(values).cast("B").cast("q")
        object.__setattr__(self, "_values", view.toreadonly())
        object.__setattr__(self, "orders", orders)

    @classmethod
    def from_buffer(cls, buffer: Any, orders: int) -> Stats:
        """Rows that lie one behind the other in `buffer` as native int64; nothing is copied."""
        width = 8 * (2 + 2 * orders)
        if memoryview(buffer).nbytes % width:
            raise InputError(f"{memoryview(buffer).nbytes} bytes are no rows of {width} bytes")
        stats = cls.__new__(cls)
        stats._set(buffer, orders)
        return stats

    @property
    def buffer(self) -> memoryview:
        """The rows one behind the other, as native int64; read only."""
        return self._values

    @property
    def width(self) -> int:
        """Integers in a row: 2 + 2N."""
        return 2 + 2 * self.orders

    def __len__(self) -> int:
        return len(self._values) // self.width

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> tuple[int, ...]: ...
        @overload
        def __getitem__(self, index: slice) -> Stats: ...

    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Stats:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                rows = self._values[start * self.width : max(start, stop) * self.width]
                return Stats.from_buffer(rows, self.orders)
            return Stats((self[i] for i in range(start, stop, step)), self.orders)
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return tuple(self._values[at * self.width : (at + 1) * self.width])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Stats)
            and other.orders == self.orders
            and other._values == self._values
        )

    def __hash__(self) -> int:
        return hash((self.orders, self._values.tobytes()))

    def __repr__(self) -> str:
        if len(self) > 6:
            return f"<Stats: {len(self)} rows up to order {self.orders}>"
        return (
            f"Stats({[list(row) for row in self]}{'' if self.orders == 4 else f', {self.orders}'})"
        )

    def __add__(self, other: Stats) -> Stats:
        """Row by row; both have the same number of rows."""
        if not isinstance(other, Stats):
            return NotImplemented
        if other.orders != self.orders or len(other) != len(self):
            raise InputError(
                f"{len(self)} rows of order {self.orders} and {len(other)} of order {other.orders} "
                "do not add; sum() them first, or use Stats.concat to join them"
            )
        pairs = zip(self, other, strict=True)
        return Stats(([a + b for a, b in zip(*pair, strict=True)] for pair in pairs), self.orders)

    def sum(self) -> Stats:
        """One row: the sum of all. No rows sum to zeros."""
        if len(self) == 1:
            return self
        if len(self) < 64:  # below, importing NumPy would take longer than adding
            columns = zip(*self, strict=True)
            return Stats([[sum(column) for column in columns] or [0] * self.width], self.orders)
        rows = self.__array__()
        if max(int(rows.max()), -int(rows.min())) * len(self) >= 1 << 63:
            # NumPy would wrap around; Python's integers do not.
            return Stats([rows.astype(object).sum(axis=0).tolist()], self.orders)
        return Stats.from_buffer(rows.sum(axis=0), self.orders)

    @classmethod
    def concat(cls, parts: Iterable[Stats]) -> Stats:
        """All rows of `parts`, one behind the other."""
        parts = list(parts)
        if not parts:
            raise InputError("nothing to join; give one Stats at least")
        if len({part.orders for part in parts}) > 1:
            raise InputError("the parts have different n-gram orders")
        return cls.from_buffer(b"".join(part._values.tobytes() for part in parts), parts[0].orders)

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

    def to_bytes(self) -> bytes:
        """A portable form: magic, order, number of rows, CRC-32, then little-endian int64."""
        rows = _little_endian(self._values.tobytes())
        head = (self.orders, len(self), _checksum(rows))
        return _MAGIC + b"".join(value.to_bytes(8, "little") for value in head) + rows

    @classmethod
    def from_bytes(cls, data: bytes) -> Stats:
        """What `to_bytes` gave.

        Raises:
            InputError: the bytes are something else, or not all there.
        """
        if data[:8] != _MAGIC or len(data) < 32:
            raise InputError("these bytes are no saved Stats, or of another version")
        orders, rows, checksum = (int.from_bytes(data[i : i + 8], "little") for i in (8, 16, 24))
        expected = 32 + rows * 8 * (2 + 2 * orders)
        if len(data) != expected or orders < 1:
            raise InputError(f"saved Stats of {expected} bytes, but {len(data)} are here")
        if _checksum(data[32:]) != checksum:
            raise InputError("saved Stats that are damaged: their checksum differs")
        return cls.from_buffer(_little_endian(data[32:]), orders)

    def __reduce__(self) -> tuple[Any, ...]:
        return Stats.from_bytes, (self.to_bytes(),)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.int64]:
        import numpy as np

        rows = np.frombuffer(self._values, dtype=np.int64).reshape(-1, self.width)
        if dtype is not None and np.dtype(dtype) != rows.dtype:
            return rows.astype(dtype)
        return rows.copy() if copy else rows

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The rows as an Arrow struct array with one field for each integer (needs PyArrow)."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingExtraError.of("Arrow output", "arrow") from None
        columns = [pa.array(column) for column in self.__array__().T]
        rows = pa.StructArray.from_arrays(columns, names=self.column_names())
        schema, array = rows.__arrow_c_array__(requested_schema)
        return schema, array

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        orders = range(1, self.orders + 1)
        names = ["hyp_len", "ref_len"]
        return names + [f"match_{n}" for n in orders] + [f"total_{n}" for n in orders]


def _checksum(data: bytes) -> int:
    from zlib import crc32

    return crc32(data)


def _little_endian(values: bytes) -> bytes:
    if sys.byteorder == "little":
        return values
    from array import array

    swapped = array("q", values)
    swapped.byteswap()
    return swapped.tobytes()

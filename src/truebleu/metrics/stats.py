# SPDX-License-Identifier: Apache-2.0
"""Statistics: rows of integers that add, the only thing a score depends on."""

from __future__ import annotations

import sys

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError, describe, needing, quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, ClassVar, Self, overload

    import numpy as np
    from numpy.typing import NDArray

#: The widest row: three integers for each of two times 1,000 orders are less.
_WIDEST = 1 << 13


class Rows(Frozen):
    """Rows of 64-bit integers, the statistics of any metric; see `Stats`. Frozen.

    A family of metrics declares its class: the names of its columns, on what their number depends,
    and which of them hold parts of a unit.

    Args:
        rows: sequences of integers.
        shape: the whole numbers that determine the width of a row, by name.

    Attributes:
        shape: the values of these numbers.
        signature: how the rows were counted, None for rows made by hand.
        width: integers in a row.

    Raises:
        InputError: a row has another length, or a value that is not an int64.
    """

    __slots__ = ("_values", "shape", "signature", "width")

    #: The first 8 bytes of saved rows of this kind: name and version of the format.
    _MAGIC: ClassVar[bytes]
    #: The names of the integers of a row, if all rows have the same.
    _COLUMNS: ClassVar[tuple[str, ...]]
    #: The whole numbers that determine the width of a row, with their defaults.
    _SHAPE: ClassVar[dict[str, int]] = {}
    #: Columns in fractions of a unit: the name for readers, and the fractions in a unit. Those with
    #: the same name are parts of one number.
    _UNITS: ClassVar[dict[str, tuple[str, float]]] = {}

    _values: memoryview
    shape: tuple[int, ...]
    signature: str | None
    width: int

    def __init__(self, rows: Iterable[Sequence[int]] = (), **shape: int) -> None:
        values = tuple({**self._SHAPE, **shape}.values())
        width = self._checked_width(values)
        self._set(_packed(rows, width), values, None, width)

    @classmethod
    def _names(cls, *_: int) -> list[str]:
        """Names of the integers of a row of this shape."""
        return list(cls._COLUMNS)

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        return self._names(*self.shape)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns for readers, by name: arrays with one number for each row."""
        return self._numbers(self.__array__().T)

    def _numbers(self, columns: Iterable[Any]) -> dict[str, Any]:
        """Columns, or the integers of a row, as numbers for readers by name."""
        numbers: dict[str, Any] = {}
        for name, column in zip(self.column_names(), columns, strict=True):
            shown, units = self._UNITS.get(name, (name, None))
            number = column if units is None else column / units
            numbers[shown] = numbers[shown] + number if shown in numbers else number
        return numbers

    @classmethod
    def _described(cls, shape: tuple[int, ...]) -> str:
        """A shape in words, for errors and `repr`."""
        return ", ".join(f"{name} {value}" for name, value in zip(cls._SHAPE, shape, strict=True))

    @classmethod
    def _checked_width(cls, shape: tuple[int, ...]) -> int:
        for name, value in zip(cls._SHAPE, shape, strict=True):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _WIDEST:
                raise InputError(f"{name} cannot be {describe(value)}; it must be a number of orders")
        width = len(cls._names(*shape))
        if width > _WIDEST or (shape and not any(shape)):
            raise InputError(f"{cls.__name__} of {cls._described(shape)} have no rows of integers")
        return width

    def _set(self, values: Any, shape: tuple[int, ...], signature: str | None, width: int) -> None:
        view = memoryview(values)
        if view.nbytes % (8 * width):
            size = quantity(view.nbytes, "byte")
            raise InputError(f"a buffer of {size} cannot hold rows of {8 * width} bytes")
        view = (view.cast("B") if view.nbytes else memoryview(b"")).cast("q")
        object.__setattr__(self, "_values", view.toreadonly())
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "signature", signature)
        object.__setattr__(self, "width", width)

    @classmethod
    def _wrap(cls, buffer: Any, shape: tuple[int, ...], signature: str | None) -> Self:
        rows = cls.__new__(cls)
        rows._set(buffer, shape, signature, cls._checked_width(shape))
        return rows

    @classmethod
    def _zeros(cls, shape: tuple[int, ...], signature: str) -> Self:
        """One row of zeros."""
        return cls._wrap(bytes(8 * cls._checked_width(shape)), shape, signature)

    @property
    def _title(self) -> str:
        return ", ".join(filter(None, [quantity(len(self), "row"), self._described(self.shape)]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._title}>"

    def like(self, buffer: Any) -> Self:
        """Statistics of the same kind and signature: the int64 rows of an array or a buffer."""
        rows = type(self).__new__(type(self))
        rows._set(buffer, self.shape, self.signature, self.width)
        return rows

    def like_rows(self, rows: Iterable[Sequence[int]]) -> Self:
        """Statistics of the same kind and signature, from sequences of integers."""
        return self.like(_packed(rows, self.width))

    @property
    def buffer(self) -> memoryview:
        """All rows as native int64, in order; read only."""
        return self._values

    def __len__(self) -> int:
        return len(self._values) // self.width

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> tuple[int, ...]: ...
        @overload
        def __getitem__(self, index: slice | Sequence[int] | NDArray[Any]) -> Self: ...

    def __getitem__(self, index: Any) -> tuple[int, ...] | Self:
        if isinstance(index, int) or getattr(index, "shape", None) == ():
            place = range(len(self))[index]
            return tuple(self._values[place * self.width : (place + 1) * self.width])
        import numpy as np

        if isinstance(index, list):
            index = np.array(index, dtype=None if index else np.intp)
        is_array = getattr(index, "ndim", 0) == 1 and index.dtype.kind in "iub"
        if not isinstance(index, slice) and not is_array:
            raise TypeError(
                f"rows are selected by an integer, a slice, or a list or array of integers or "
                f"booleans, not by {describe(index)}"
            )
        return self.like(np.ascontiguousarray(self.__array__()[index]))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.shape == self.shape and other._values == self._values

    def __hash__(self) -> int:
        return hash((self.shape, self._values.tobytes()))

    def __add__(self, other: Self) -> Self:
        """Row by row; both have the same number of rows."""
        if not isinstance(other, type(self)):
            return NotImplemented
        if other.shape != self.shape or len(other) != len(self):
            raise InputError(
                f"{self._title} and {other._title} do not add; sum() them first, or use "
                f"{type(self).__name__}.concat to join them"
            )
        if _largest(self) + _largest(other) >= 1 << 63:
            raise InputError("counts of 2^62 and more do not add; they do not fit into 64 bits")
        sums = self.__array__() + other.__array__()
        return self._wrap(sums, self.shape, _common_signature([self, other]))

    def __radd__(self, other: object) -> Self:
        return self if other == 0 else NotImplemented  # the start of `sum`

    def sum(self) -> Self:
        """One row: the sum of all. Without rows, it is zeros."""
        if len(self) == 1:
            return self
        rows = self.__array__()
        if _largest(self) * len(self) >= 1 << 63:
            # NumPy would wrap around; Python's integers do not.
            return self.like_rows([rows.astype(object).sum(axis=0).tolist()])
        return self.like(rows.sum(axis=0))

    @classmethod
    def concat(cls, parts: Iterable[Self]) -> Self:
        """All rows of `parts`, in order."""
        parts = list(parts)
        if not parts or not all(isinstance(part, cls) and part.shape == parts[0].shape for part in parts):
            raise InputError(f"give at least one {cls.__name__}; different n-gram orders or classes do not join")
        rows = b"".join(part._values.tobytes() for part in parts)
        return cls._wrap(rows, parts[0].shape, _common_signature(parts))

    def to_bytes(self) -> bytes:
        """The rows and their signature, to save.

        Magic, orders, number of rows, length of the signature, CRC-32; then the signature in UTF-8
        and the rows as native int64.
        """
        from zlib import crc32

        line = (self.signature or "").encode()
        body = line + self._values.tobytes()
        head = (*self.shape, len(self), len(line), crc32(body))
        return self._MAGIC + b"".join(value.to_bytes(8, "little") for value in head) + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The statistics that `to_bytes` saved."""
        from zlib import crc32

        name = f"saved {cls.__name__}"
        if not isinstance(data, (bytes, bytearray)):
            raise InputError(f"{name} are bytes, not {type(data).__name__}")
        start = 8 * (4 + len(cls._SHAPE))
        if data[:6] == cls._MAGIC[:6] and data[:8] != cls._MAGIC:
            raise InputError(f"{name} of another version of TrueBLEU; count them again")
        if data[:8] != cls._MAGIC or len(data) < start:
            raise InputError(f"these bytes are not {name}")
        *numbers, rows, length, checksum = (int.from_bytes(data[i : i + 8], "little") for i in range(8, start, 8))
        shape = tuple(numbers)
        # These lengths may be anything if the bytes were not saved by `to_bytes`.
        expected = start + length + rows * 8 * cls._checked_width(shape)
        if len(data) != expected or crc32(data[start:]) != checksum:
            raise InputError(f"{name} are damaged: their size or checksum differs")
        line = data[start : start + length].decode(errors="replace") or None
        return cls._wrap(data[start + length :], shape, line)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.int64]:
        import numpy as np

        rows = np.frombuffer(self._values, dtype=np.int64).reshape(-1, self.width)
        if dtype is not None and np.dtype(dtype) != rows.dtype:
            return rows.astype(dtype)
        return rows.copy() if copy else rows

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """`columns()` as an Arrow struct array (needs PyArrow)."""
        with needing("Arrow output", "arrow"):
            import pyarrow as pa
        columns = self.columns()
        rows = pa.StructArray.from_arrays(map(pa.array, columns.values()), names=list(columns))
        schema, array = rows.__arrow_c_array__(requested_schema)
        return schema, array


class Stats(Rows):
    """Rows of BLEU's statistics, one for each segment or sum of segments. Frozen.

    A row is `[hyp_len, ref_len, match_1..match_N, total_1..total_N]`: lengths in tokens, clipped
    matches and hypothesis n-grams of each order. Rows form a commutative monoid under `+`: corpora,
    shards, threads and resamples are sums of rows. `stats[i]` is a row; `stats[2:5]`,
    `stats[[0, 5]]` and `stats[mask]` are statistics, selected as in NumPy. Equality compares rows.

    Args:
        rows: sequences of 2 + 2N integers.
        orders: N, the highest n-gram order.

    Attributes:
        signature: how the rows were counted, None for rows made by hand. Rows that were counted in
            different ways do not mix; rows made by hand are scored by any metric of their order.

    Raises:
        InputError: a row has another length, or a value that is not an int64.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU()
        >>> stats = bleu.stats(["a b c d", "e f"], ["a b c d", "e g"])
        >>> stats.sum()
        Stats([[6, 6, 5, 3, 2, 1, 6, 4, 2, 1]])
        >>> bleu.score(stats[:1]).value
        100.00000000000004
        >>> stats.signature
        'case:mixed|tok:13a'
    """

    __slots__ = ()

    _MAGIC = b"TBLEU\x00\x02\x00"
    _SHAPE: ClassVar = {"orders": 4}

    def __init__(self, rows: Iterable[Sequence[int]] = (), orders: int = 4) -> None:
        super().__init__(rows, orders=orders)

    @staticmethod
    def _names(*shape: int) -> list[str]:
        orders = range(1, shape[0] + 1)
        return [
            "hyp_len", "ref_len",
            *(f"match_{n}" for n in orders), *(f"total_{n}" for n in orders),
        ]  # fmt: skip

    @classmethod
    def from_buffer(cls, buffer: Any, orders: int) -> Stats:
        """The native int64 rows in `buffer`, in order; nothing is copied."""
        return cls._wrap(buffer, (orders,), None)

    def __repr__(self) -> str:
        if len(self) > 6:
            return f"<Stats: {len(self)} rows up to order {self.orders}>"
        return f"Stats({[list(row) for row in self]}{'' if self.orders == 4 else f', {self.orders}'})"

    @property
    def orders(self) -> int:
        """The highest n-gram order."""
        return self.shape[0]

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


def _packed(rows: Iterable[Sequence[int]], width: int) -> bytes:
    """Sequences of integers as native int64."""
    # Not the modules array or struct: importing one takes a fifth of `truebleu score`.
    packed = []
    for i, row in enumerate(rows, 1):
        try:
            values = [value.__index__().to_bytes(8, sys.byteorder, signed=True) for value in row]
        except (AttributeError, TypeError, OverflowError):
            values = []
        if len(values) != width:
            raise InputError(f"row {i} is {describe(row)}; give {width} integers of 64 bits")
        packed += values
    return b"".join(packed)


def _common_signature(parts: Sequence[Rows]) -> str | None:
    """The signature of all parts that have one; an InputError if they have different ones."""
    signatures = list(dict.fromkeys(part.signature for part in parts if part.signature))
    if len(signatures) > 1:
        raise InputError(
            f"statistics counted with {signatures[0]} and with {signatures[1]} do not mix; count them with one metric"
        )
    return signatures[0] if signatures else None


def _largest(rows: Rows) -> int:
    """The largest absolute value."""
    array = rows.__array__()
    return max(int(array.max(initial=0)), -int(array.min(initial=0)))

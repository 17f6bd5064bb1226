# SPDX-License-Identifier: Apache-2.0
"""Rows of integers that add: what the statistics of every metric are."""

from __future__ import annotations

import sys

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError, MissingExtraError, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, ClassVar, Self, overload

    import numpy as np
    from numpy.typing import NDArray


#: Rows that a notebook shows.
_SHOWN = 8

#: The widest row: three integers for each of two times 1,000 orders are less.
_WIDEST = 1 << 13


class Rows(Frozen):
    """Rows of 64-bit integers, one for each segment or sum of segments. Frozen.

    Rows form a commutative monoid under `+`: corpora, shards, threads and resamples are sums of
    rows. A subclass says what a row holds.
    """

    __slots__ = ("_values",)

    #: What saved rows of this kind begin with: name and version of the format in 8 bytes.
    _MAGIC: ClassVar[bytes]
    #: The attributes that say how wide a row is, all whole numbers.
    _SHAPE: ClassVar[tuple[str, ...]] = ()

    _values: memoryview

    @property
    def width(self) -> int:
        """Integers in a row."""
        return self._width_of(*self._shape)

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        raise NotImplementedError

    @staticmethod
    def _width_of(*shape: int) -> int:
        raise NotImplementedError

    @property
    def _shape(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in self._SHAPE)

    @classmethod
    def _described(cls, shape: tuple[int, ...]) -> str:
        """A shape in words, for errors and `repr`."""
        return ", ".join(f"{name} {value}" for name, value in zip(cls._SHAPE, shape, strict=True))

    @classmethod
    def _checked_width(cls, shape: tuple[int, ...]) -> int:
        """The width of rows of this shape.

        Raises:
            InputError: there are none.
        """
        for name, value in zip(cls._SHAPE, shape, strict=True):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _WIDEST:
                raise InputError(
                    f"{name} cannot be {describe(value)}; it must be a number of orders"
                )
        width = cls._width_of(*shape)
        if not 0 < width <= _WIDEST:
            raise InputError(f"{cls.__name__} of {cls._described(shape)} have no rows of integers")
        return width

    def _fill(self, rows: Iterable[Sequence[int]], shape: tuple[int, ...]) -> None:
        packed = bytearray()
        width = self._checked_width(shape)
        for i, row in enumerate(rows):
            if not hasattr(row, "__len__") or not hasattr(row, "__iter__"):
                raise InputError(f"row {i} is of type {type(row).__name__}; give {width} integers")
            if len(row) != width:
                needs = " ".join(filter(None, [self._described(shape), f"needs {width}"]))
                raise InputError(f"row {i} has {len(row)} integers; {needs}")
            try:
                # Not the array module: its import takes 3.5 ms, a fifth of `truebleu score`.
                for value in row:
                    packed += value.__index__().to_bytes(8, sys.byteorder, signed=True)
            except (AttributeError, TypeError, OverflowError) as error:
                raise InputError(f"row {i} holds what is no 64-bit integer: {error}") from None
        self._set(packed, shape)

    def _set(self, values: Any, shape: tuple[int, ...]) -> None:
        view = memoryview(values).cast("B").cast("q")
        object.__setattr__(self, "_values", view.toreadonly())
        for name, value in zip(self._SHAPE, shape, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def _wrap(cls, buffer: Any, shape: tuple[int, ...]) -> Self:
        width = 8 * cls._checked_width(shape)
        if memoryview(buffer).nbytes % width:
            raise InputError(f"{memoryview(buffer).nbytes} bytes are no rows of {width} bytes")
        rows = cls.__new__(cls)
        rows._set(buffer, shape)
        return rows

    def _alike(self, rows: Iterable[Sequence[int]]) -> Self:
        made = type(self).__new__(type(self))
        made._fill(rows, self._shape)
        return made

    @property
    def buffer(self) -> memoryview:
        """The rows one behind the other, as native int64; read only."""
        return self._values

    def __len__(self) -> int:
        return len(self._values) // self.width

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> tuple[int, ...]: ...
        @overload
        def __getitem__(self, index: slice) -> Self: ...

    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Self:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                rows = self._values[start * self.width : max(start, stop) * self.width]
                return self._wrap(rows, self._shape)
            return self._alike(self[i] for i in range(start, stop, step))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return tuple(self._values[at * self.width : (at + 1) * self.width])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, type(self))
            and other._shape == self._shape
            and other._values == self._values
        )

    def __hash__(self) -> int:
        return hash((self._shape, self._values.tobytes()))

    def __add__(self, other: Self) -> Self:
        """Row by row; both have the same number of rows."""
        if not isinstance(other, type(self)):
            return NotImplemented
        if other._shape != self._shape or len(other) != len(self):
            mine, its = (
                " of ".join(filter(None, [str(len(one)), self._described(one._shape)]))
                for one in (self, other)
            )
            raise InputError(
                f"{mine} and {its} do not add as rows; sum() them first, or use "
                f"{type(self).__name__}.concat to join them"
            )
        pairs = zip(self, other, strict=True)
        return self._alike([a + b for a, b in zip(*pair, strict=True)] for pair in pairs)

    def _repr_html_(self) -> str:
        from truebleu.text import html

        numbered = list(range(len(self)))
        if len(self) > _SHOWN:
            numbered = [*numbered[: _SHOWN - 2], *numbered[-2:]]
        rows = [(str(i), *(f"{value:,}" for value in self[i])) for i in numbered]
        if len(self) > _SHOWN:
            rows.insert(_SHOWN - 2, ("\u2026",) * (1 + self.width))
        total = ("sum", *(f"{value:,}" for value in self.sum()[0]))
        described = ", ".join(filter(None, [f"{len(self):,} rows", self._described(self._shape)]))
        return html.block(
            html.line(f"{type(self).__name__}: {described}"),
            html.table([("", *self.column_names()), *rows, total]),
        )

    def sum(self) -> Self:
        """One row: the sum of all. No rows sum to zeros."""
        if len(self) == 1:
            return self
        if len(self) < 64:  # below, importing NumPy would take longer than adding
            columns = zip(*self, strict=True)
            return self._alike([[sum(column) for column in columns] or [0] * self.width])
        rows = self.__array__()
        if max(int(rows.max()), -int(rows.min())) * len(self) >= 1 << 63:
            # NumPy would wrap around; Python's integers do not.
            return self._alike([rows.astype(object).sum(axis=0).tolist()])
        return self._wrap(rows.sum(axis=0), self._shape)

    @classmethod
    def concat(cls, parts: Iterable[Self]) -> Self:
        """All rows of `parts`, one behind the other."""
        parts = list(parts)
        if not parts:
            raise InputError(f"nothing to join; give one {cls.__name__} at least")
        for part in parts:
            if not isinstance(part, cls):
                raise InputError(f"{type(part).__name__} cannot be joined; give {cls.__name__}")
        if len({part._shape for part in parts}) > 1:
            raise InputError("the parts have different n-gram orders")
        return cls._wrap(b"".join(part._values.tobytes() for part in parts), parts[0]._shape)

    def to_bytes(self) -> bytes:
        """A portable form: magic, orders, number of rows, CRC-32, then little-endian int64."""
        rows = _little_endian(self._values.tobytes())
        head = (*self._shape, len(self), _checksum(rows))
        return self._MAGIC + b"".join(value.to_bytes(8, "little") for value in head) + rows

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` gave.

        Raises:
            InputError: the bytes are something else, or not all there.
        """
        name = f"saved {cls.__name__}"
        if not isinstance(data, (bytes, bytearray)):
            raise InputError(f"{name} are bytes, not {type(data).__name__}")
        start = 8 * (3 + len(cls._SHAPE))
        if data[:8] != cls._MAGIC or len(data) < start:
            raise InputError(f"these bytes are no {name}, or of another version")
        *shape, rows, checksum = (
            int.from_bytes(data[i : i + 8], "little") for i in range(8, start, 8)
        )
        # The lengths of what was never saved may be anything.
        expected = start + rows * 8 * cls._checked_width(tuple(shape))
        if len(data) != expected:
            raise InputError(f"{name} of {expected} bytes, but {len(data)} are here")
        if _checksum(data[start:]) != checksum:
            raise InputError(f"{name} that are damaged: their checksum differs")
        return cls._wrap(_little_endian(data[start:]), tuple(shape))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

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

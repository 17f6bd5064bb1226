# SPDX-License-Identifier: Apache-2.0
"""Token ids in arrays, read without a copy."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The largest id.
MOST = (1 << 63) - 1

#: Rows of an array that share their memory or take none; their counts take memory.
MOST_ROWS = 1 << 24


class Ids(Frozen):
    """Token ids of many segments in one array: padded rows, or rows one after another.

    The array may be of NumPy, PyTorch, JAX or any library that shares the processor's memory by
    DLPack. Nothing is copied if it holds int32 or int64 and is contiguous. Masked ids of NumPy are
    no tokens, and a masked row of a 3-D array is an absent entry.

    Args:
        values: a 2-D array, one row to a segment; a 3-D array, several rows to an entry, such as
            several references of each segment; or a 1-D array, with `offsets`.
        offsets: bounds of the rows: row i is `values[offsets[i]:offsets[i + 1]]`.
        items: bounds of the entries, for several references: those of entry i are the rows
            `items[i]` to `items[i + 1] - 1`.

    Raises:
        InputError: the arrays have another shape or type, or are on another device.

    Example:
        >>> import numpy as np
        >>> from truebleu import BLEU, Ids
        >>> hyps = Ids(np.array([5, 7, 9, 11, 8, 8, 2]), np.array([0, 4, 7]))
        >>> BLEU().sentences(hyps, [[5, 7, 9, 11], [8, 8, 3]]).round(2)
        array([100.  ,  55.03])
    """

    __slots__ = ("items", "offsets", "values")

    values: Any
    offsets: Any
    items: Any

    def __init__(self, values: Any, offsets: Any = None, items: Any = None) -> None:
        import numpy as np

        array = view("ids", values)
        if offsets is not None and array.ndim != 1:
            raise InputError(f"ids are {array.ndim}-D; they must be 1-D where there are offsets")
        if offsets is None and array.ndim not in (2, 3):
            raise InputError(f"ids are {array.ndim}-D; give 2-D or 3-D, or Ids(values, offsets)")
        if items is not None and array.ndim == 3:
            raise InputError("items are given for a 3-D array, which has its own; leave them out")
        if array.dtype.kind not in "iu":
            raise InputError(f"ids are of type {array.dtype}; they must be integers")
        if not (array.size and array.flags.c_contiguous):
            check_memory("ids", array)
        if array.dtype not in (np.int32, np.int64) or not array.dtype.isnative:
            if array.dtype.kind == "u" and array.size and int(array.max()) > MOST:
                raise InputError(f"an id is {array.max()}, which is not a 64-bit id")
            array = array.astype(np.int32 if array.dtype.itemsize < 4 else np.int64)
        if isinstance(array, np.ma.MaskedArray):
            array, offsets, items = _unmasked(array, items)
        strided = array.size and array.strides[-1] != array.itemsize and array.shape[-1] > 1
        if strided or min(array.strides) < 0:
            array = np.array(array, order="C")
        super().__init__(values=array, offsets=_bounds("offsets", offsets), items=_bounds("items", items))

    def __reduce__(self) -> tuple[Any, ...]:
        return Ids, (self.values, self.offsets, self.items)

    def __len__(self) -> int:
        bounds = self.offsets if self.items is None else self.items
        return len(self.values) if bounds is None else max(0, len(bounds) - 1)

    def rows(self, start: int, end: int) -> Ids:
        """Some of the segments, in the same memory; of `Ids` without `items`."""
        if self.offsets is None:
            return Ids(self.values[start:end])
        return Ids(self.values, self.offsets[start : max(start, end) + 1])

    def row(self, place: int) -> Any:
        """The ids of one row, with padding, in the same memory."""
        if self.offsets is None:
            index = divmod(place, self.values.shape[1]) if self.values.ndim == 3 else place
            return self.values[index]
        return self.values[self.offsets[place] : self.offsets[place + 1]]

    def __repr__(self) -> str:
        return f"<Ids: {len(self)} of {self.values.dtype}>"


def check_memory(name: str, array: Any) -> None:
    """Raise InputError if an array has far more rows or values than memory.

    Args:
        name: the column's name in errors.
        array: of NumPy, PyTorch or PyArrow; other objects are not checked.
    """
    from math import prod

    if hasattr(array, "get_total_buffer_size"):
        import pyarrow as pa

        if len(array) > max(MOST_ROWS, 8 * array.get_total_buffer_size()):
            raise InputError(f"{name}: {len(array):,} values take no memory; at most {MOST_ROWS:,}")
        fields = array.flatten() if isinstance(array, pa.StructArray) else ()
        lists = isinstance(array, (pa.ListArray, pa.LargeListArray, pa.FixedSizeListArray))
        for part in (*fields, *getattr(array, "chunks", ()), *([array.values] if lists else ())):
            check_memory(name, part)
    strides = getattr(array, "strides", None)
    if strides is None and hasattr(array, "stride"):  # of PyTorch, in items
        strides = [step * array.itemsize for step in array.stride()]
    if not strides:
        return
    extent = sum((count - 1) * abs(step) for count, step in zip(array.shape, strides, strict=True))
    size, rows = prod(array.shape), max(array.shape[0], prod(array.shape[:-1]))
    if (array.nbytes > extent + array.itemsize or not size) and max(rows, size >> 4) > MOST_ROWS:
        raise InputError(
            f"{name} have the shape {tuple(array.shape)}, but share memory or take none; the limit "
            f"is {MOST_ROWS:,} rows of 16 values"
        )


def is_array(values: object) -> bool:
    """Whether `values` is an array of numbers, of NumPy or by DLPack."""
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if isinstance(kind, str):
        return kind in "biufc"
    return hasattr(values, "__dlpack__")


def view(name: str, values: Any) -> Any:
    """A NumPy array in the memory of `values`."""
    import numpy as np

    if isinstance(values, np.ndarray):
        return values
    if not hasattr(values, "__dlpack__"):
        try:
            return np.asarray(values)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name} is not an array: {error}") from None
    on_cpu = 1  # kDLCPU
    try:
        device, _ = values.__dlpack_device__()
        if int(device) == on_cpu:
            return np.from_dlpack(values)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read by DLPack: {error}") from None
    raise InputError(f"{name} are on {getattr(values, 'device', device)}; give x.cpu()")


def _unmasked(array: Any, items: Any) -> tuple[Any, Any, Any]:
    """The ids of a masked array that are not masked, with offsets; of a 3-D array with items."""
    import numpy as np

    if array.ndim == 1:
        raise InputError("masked ids are 1-D; give a 2-D array, one row to a segment")
    counts = array.count(axis=-1)
    if array.ndim == 3:
        items = np.cumsum([0, *(counts > 0).sum(axis=1)])
        counts = counts[counts > 0]
    return array.compressed(), np.cumsum([0, *counts]), items


def _bounds(name: str, bounds: Any) -> Any:
    if bounds is None:
        return None
    import numpy as np

    array = view(name, bounds)
    if array.ndim != 1 or array.dtype.kind not in "iu" or not array.size:
        raise InputError(f"{name} are {array.ndim}-D {array.dtype}; they must be 1-D integers")
    return array.astype(np.int64, copy=False)

# SPDX-License-Identifier: Apache-2.0
"""Columns of a batch: which are read, and what is done to lines, lists and Arrow arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from truebleu.errors import OptionError, suggest
from truebleu.inputs.corpus import Lines, LineStreams, as_python
from truebleu.inputs.files import name_of

#: Lines, a list, or an array of PyArrow.
Values = Any
#: The problems of single rows, by their places in a batch.
Bad = dict[int, str]
#: Columns to read, by name, each with the kind of its values.
Wanted = Sequence[tuple[str, str]]

#: Kinds of values: a text; a text, a list of texts, or null; the name of a group, or null.
TEXT, TEXTS, LABEL = "text", "texts", "label"


def references(columns: Sequence[Values]) -> Values:
    """The references of each row, from one column or several."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, Lines) for column in columns):
        return LineStreams(columns)
    if all(str(getattr(column, "type", "")) == "string" for column in columns):  # arrays of PyArrow
        return interleaved(columns, len(columns))
    return [
        [ref for item in row for ref in (item if isinstance(item, list) else [item])]
        for row in zip(*map(as_list, columns), strict=True)
    ]


def as_list(column: Values) -> list[Any]:
    """The column as Python objects."""
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


def labels(column: Values) -> list[str | None]:
    """The labels in a column; in lines of text, which have no null, an empty line is one."""
    listed = as_list(column)
    return [label or None for label in listed] if isinstance(column, Lines) else listed


def interleaved(chunks: Sequence[Any], count: int) -> Any:
    """Arrow columns with one reference each as one of lists; `chunks` are those of all columns."""
    import numpy as np
    import pyarrow as pa

    values = pa.concat_arrays(chunks)
    order = np.arange(len(values)).reshape(count, -1).T.ravel()
    offsets = pa.array(np.arange(0, len(values) + 1, count, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, values.take(pa.array(order)))


def reference_counts(refs: Values) -> Any:
    """The number of references of each row: one number if all rows have as many, else an array."""
    if isinstance(refs, Lines):
        return 1
    if isinstance(refs, LineStreams):
        return len(refs.files)
    import numpy as np

    if not hasattr(refs, "type"):  # not an array of PyArrow
        listed = as_python("refs", refs)
        if set(map(type, listed)) == {str}:
            return 1
        rows = (item if isinstance(item, (list, tuple)) else [item] for item in listed)
        return np.array([len(row) - list(row).count(None) for row in rows], dtype=np.int64)
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_nested(refs.type):
        return np.asarray(refs.is_valid()).astype(np.int64) if refs.null_count else 1
    lengths = pc.fill_null(pc.list_value_length(refs), 0)
    counts = lengths.to_numpy(zero_copy_only=False).astype(np.int64)
    items = pc.list_flatten(refs)
    if items.null_count:
        owners = pc.list_parent_indices(refs)
        absent = pc.filter(owners, pc.is_null(items)).to_numpy()
        counts -= np.bincount(absent, minlength=len(counts))
    return counts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRows:
    """Some rows of a table: the values of each, or an error.

    Attributes:
        position: bytes of all files that were read so far.
    """

    _rows: list[list[Any] | str]
    _width: int
    position: int

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def split(self, count: int) -> tuple[TableRows, TableRows]:
        """The first rows and the rest."""
        first, remainder = self._rows[:count], self._rows[count:]
        return replace(self, _rows=first), replace(self, _rows=remainder)

    def columns(self) -> tuple[list[Values], Bad]:
        """The columns, and an error for each bad row, by its place in them."""
        bad: Bad = {i: row for i, row in enumerate(self._rows) if isinstance(row, str)}
        # What replaces a bad row is never scored.
        rows = [[""] * self._width if isinstance(row, str) else row for row in self._rows]
        return [list(column) for column in zip(*rows, strict=True)], bad


def reason(error: ValueError) -> str:
    """The problem of a row, from the error of its parser."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} of the line is not utf-8"
    return str(error)


def no_column(path: str, name: str, names: Sequence[str]) -> OptionError:
    """The error for a column that a table does not have, or has twice."""
    if name in names:
        return OptionError(f"{name_of(path)}: several columns are named {name!r}; rename them")
    return OptionError(f"{name_of(path)}: no column is named {suggest(name, names)}")


def is_number(text: str) -> bool:
    """Whether it is the number of a column or of a list item; Python limits the digits."""
    return text.isdecimal() and len(text) < 20

# SPDX-License-Identifier: Apache-2.0
"""Rows of an Arrow record batch: which columns, what is wrong with them, in one form of each."""

from __future__ import annotations

from truebleu.errors import InputError, MissingExtraError, OptionError
from truebleu.inputs.records import LABEL, MAYBE, TEXT, TEXTS, no_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.inputs.columns import Bad, Column
    from truebleu.inputs.records import Wanted


def pyarrow(what: str) -> Any:
    """The library.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError.of(what, "arrow") from None
    return pa


class ArrowPiece:
    """Some rows of a record batch, not yet checked."""

    __slots__ = ("_batch", "_path", "_row", "_wanted", "count")

    def __init__(self, path: str, batch: Any, row: int, wanted: Wanted) -> None:
        self._path = path
        self._batch = batch
        self._row = row
        self._wanted = wanted
        self.count = len(batch)

    def columns(self) -> tuple[list[Column], Bad]:
        """The columns, and what is wrong with single rows, by their places.

        Raises:
            InputError: a column has another type, or values that the library does not bear.
        """
        import pyarrow as pa

        try:
            return self._columns()
        except (pa.ArrowException, UnicodeDecodeError) as error:
            what = str(error).partition("\n")[0]
            raise InputError(f"{self._path}: from row {self._row} on: {what}; correct it") from None

    def _columns(self) -> tuple[list[Column], Bad]:
        bad: Bad = {}
        columns = []
        for name, kind in self._wanted:
            column = _as_kind(self._path, name, kind, _column(self._path, self._batch, name))
            for i, what in faults(column, name, kind):
                bad.setdefault(i, f"{self._path}: row {self._row + i}: {what}; "
                               "correct the row, or use --on-error skip")  # fmt: skip
            columns.append(column.to_pylist() if kind == LABEL and not bad else column)
        if bad:  # what stands for a bad value is never scored
            columns = [
                ["" if i in bad else value for i, value in enumerate(_loose(column))]
                for column in columns
            ]
        return columns, bad


def _loose(column: Any) -> list[Any]:
    """The values of a column that may hold what is no UTF-8."""
    if isinstance(column, list):
        return column
    import pyarrow as pa

    if pa.types.is_list(column.type):
        values = _loose(column.values)
        offsets = column.offsets.to_pylist()
        valid = column.is_valid().to_pylist()
        spans = zip(offsets, offsets[1:], valid, strict=False)
        return [values[start:end] if there else None for start, end, there in spans]
    raw = column.cast(pa.binary()).to_pylist()
    return [None if text is None else text.decode(errors="replace") for text in raw]


def fields_of(path: str, schema: Any, name: str) -> list[str]:
    """A column by its name, or by that of a column and those of fields in it with dots between.

    Raises:
        OptionError: there is no such column, or several.
    """
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        top = ".".join(parts[:end])
        if schema.names.count(top) == 1:
            break
    else:
        raise no_column(path, name, schema.names)
    kind = schema.field(top).type
    for field in parts[end:]:
        if not hasattr(kind, "get_field_index") or kind.get_field_index(field) < 0:
            raise OptionError(f"{path}: there is no field {field!r} on the way to {name!r}")
        kind = kind.field(field).type
    return [top, *parts[end:]]


def _column(path: str, batch: Any, name: str) -> Any:
    top, *fields = fields_of(path, batch.schema, name)
    column = batch.column(top)
    if fields:
        import pyarrow.compute as pc

        column = pc.struct_field(column, fields)
    return column


def _as_kind(path: str, name: str, kind: str, column: Any) -> Any:
    """A column of strings, or of lists of them, in the one form of each that the rest knows."""
    import pyarrow as pa

    types = pa.types
    if hasattr(column, "storage"):
        column = column.storage
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    found = column.type
    if types.is_null(found):
        return column.cast(pa.string())
    is_list = types.is_list(found) or types.is_large_list(found) or types.is_fixed_size_list(found)
    inner = found.value_type if is_list else found
    if types.is_dictionary(inner):
        inner = inner.value_type
    is_text = inner in (pa.string(), pa.large_string()) or str(inner) in ("string_view", "null")
    if is_list and is_text and kind in (TEXTS, MAYBE):
        column = column.cast(pa.list_(pa.string()))
        if len(column) and len(column.values) != _span(column):
            # A part of a long array has the values of all, and each look at them would take long.
            column = column.take(pa.array(range(len(column))))
        return column
    if not is_list and is_text:
        return column if found == pa.string() else column.cast(pa.string())
    if kind == LABEL and not (types.is_nested(found) or types.is_binary(found)):
        return column.cast(pa.string())
    needs = {TEXT: "text", LABEL: "text or a number"}.get(kind, "text, or lists of it")
    raise InputError(f"{path}: the column {name!r} has the Arrow type {found}; it must be {needs}")


def _span(column: Any) -> int:
    """How many values the lists of a column have."""
    return int(column.offsets[-1].as_py() - column.offsets[0].as_py())


def faults(column: Any, name: str, kind: str) -> Iterator[tuple[int, str]]:
    """Rows that hold what cannot be scored, and why."""
    import pyarrow as pa

    if pa.types.is_list(column.type):
        yield from _faults_of_lists(column, name, kind)
        return
    if column.null_count and kind != MAYBE:
        for i in _where(column.is_null()):
            yield i, f"{name!r} is null"
    for i in _not_utf8(column):
        yield i, f"{name!r} is not utf-8"


def _faults_of_lists(column: Any, name: str, kind: str) -> Iterator[tuple[int, str]]:
    import numpy as np

    from truebleu.inputs.columns import reference_counts

    if column.null_count and kind != MAYBE:
        for i in _where(column.is_null()):
            yield i, f"{name!r} is null"
    if kind != MAYBE:
        for i in np.flatnonzero(reference_counts(column) == 0).tolist():
            yield i, f"{name!r} has no reference"
    for i in _not_utf8(column.values):
        row = int(np.searchsorted(column.offsets.to_numpy(), i, side="right")) - 1
        if 0 <= row < len(column):
            yield row, f"{name!r} is not utf-8"


def _where(mask: Any) -> list[int]:
    import numpy as np

    return np.flatnonzero(mask.to_numpy(zero_copy_only=False)).tolist()


def _not_utf8(column: Any) -> list[int]:
    """Items of an array of strings that are not UTF-8, of which no library makes sure."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        pass
    else:
        return []
    found = []
    for i, item in enumerate(column.cast(pa.binary()).to_pylist()):
        try:
            (item or b"").decode()
        except UnicodeDecodeError:
            found.append(i)
    return found

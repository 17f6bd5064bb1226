# SPDX-License-Identifier: Apache-2.0
"""Columns of an Arrow record batch, checked and converted to the types that the kernel views."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from truebleu.errors import InputError, OptionError, needing
from truebleu.inputs.columns import LABEL, TEXT, TEXTS, Bad, Values, Wanted, no_column
from truebleu.inputs.ids import check_memory


def pyarrow(purpose: str) -> Any:
    """Import PyArrow."""
    with needing(purpose, "arrow"):
        import pyarrow as pa
    return pa


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArrowRows:
    """Some rows of a record batch, not yet checked.

    Args:
        path: file name in errors.
        batch: the rows.
        row: number of the first row in the file, from 1.
        wanted: columns by name.
        position: bytes of all files that were read so far.
    """

    _path: str
    _batch: Any
    _row: int
    _wanted: Wanted
    position: int = 0

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._batch)

    def split(self, count: int) -> tuple[ArrowRows, ArrowRows]:
        """The first rows and the rest."""
        first, remainder = self._batch.slice(0, count), self._batch.slice(count)
        row = self._row + count
        return replace(self, _batch=first), replace(self, _batch=remainder, _row=row)

    def columns(self) -> tuple[list[Values], Bad]:
        """The columns, and an error for each bad row, by its place in them."""
        import pyarrow as pa

        bad: Bad = {}
        columns = []
        try:
            for name, kind in self._wanted:
                column = _as_kind(self._path, name, kind, _column(self._path, self._batch, name))
                if kind == TEXT and column.null_count:
                    for i in column.is_null().to_numpy(zero_copy_only=False).nonzero()[0].tolist():
                        where = f"{self._path}: row {self._row + i}"
                        bad.setdefault(i, f"{where}: {name!r} is null; correct the row")
                columns.append(column)
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise _damaged(self._path, self._row, error) from None
        return columns, bad


def checked_rows(path: str, batch: Any, row: int, wanted: Wanted, position: int = 0) -> ArrowRows:
    """The rows of a batch whose offsets, indices, views and run ends do not leave its memory.

    Before this check, neither PyArrow nor the kernel may compute anything from a batch.

    Raises:
        InputError: the batch is damaged, or has text that is not UTF-8.
    """
    import pyarrow as pa

    try:
        batch.validate()
        for top in {fields_of(path, batch.schema, name)[0] for name, _ in wanted}:
            batch.column(top).validate(full=True)
            check_memory(f"{path}: {top!r}", batch.column(top))
    except pa.ArrowException as error:
        raise _damaged(path, row, error) from None
    return ArrowRows(path, batch, row, wanted, position)


def _damaged(path: str, row: int, error: Exception) -> InputError:
    what = str(error).partition("\n")[0]
    return InputError(f"{path}: from row {row} on: damaged Arrow data: {what}; write them again")


def fields_of(path: str, schema: Any, name: str) -> list[str]:
    """Find a column by its name, or by the names of a column and fields in it, joined by dots."""
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


def plain(column: Any) -> Any:
    """A column without extension types, dictionaries, run ends and string views, also in lists.

    PyArrow has few functions for these. Other columns are returned as they are.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    types, kind = pa.types, column.type
    if isinstance(column, pa.ChunkedArray):
        chunks = [plain(chunk) for chunk in column.chunks or [pa.array([], kind)]]
        column = pa.chunked_array(chunks)
    elif hasattr(column, "storage"):
        column = plain(column.storage)
    elif types.is_dictionary(kind):
        column = plain(column.dictionary).take(column.indices)
    elif types.is_run_end_encoded(kind):
        runs = pa.RunEndEncodedArray.from_arrays(column.run_ends, plain(column.values))
        column = pc.run_end_decode(runs.slice(column.offset, len(column)))
    elif types.is_string_view(kind):
        column = column.cast(pa.large_string())
    elif isinstance(kind, (pa.ListType, pa.LargeListType, pa.FixedSizeListType)):
        no_values = column.values.slice(0, 0)
        if (item := plain(no_values).type) != no_values.type:  # rare, so that this may be slow
            column = pa.array(column.to_pylist(), pa.list_(item))
    return column


def _as_kind(path: str, name: str, kind: str, column: Any) -> Any:
    """A column as strings or as lists of strings, whichever of Arrow's types they have."""
    import pyarrow as pa

    types = pa.types
    arrow_type, column = column.type, plain(column)
    if types.is_null(column.type):
        return column.cast(pa.string())
    is_list = isinstance(column.type, (pa.ListType, pa.LargeListType, pa.FixedSizeListType))
    item = column.type.value_type if is_list else column.type
    is_text = item in (pa.string(), pa.large_string(), pa.null())
    if is_list and is_text and kind == TEXTS:
        column = column.cast(pa.list_(pa.string()))
        offsets = column.offsets
        if len(column) and len(column.values) != offsets[-1].as_py() - offsets[0].as_py():
            # A slice of a long array has the values of the whole, which would be checked each time.
            column = column.take(pa.array(range(len(column))))
        return column
    if not is_list and is_text:
        return column if column.type == pa.string() else column.cast(pa.string())
    if kind == LABEL and not (types.is_nested(column.type) or types.is_binary(column.type)):
        return column.cast(pa.string())
    needs = {TEXT: "text", LABEL: "text or a number"}.get(kind, "text, or lists of text")
    raise InputError(f"{path}: column {name!r} has the Arrow type {arrow_type}; it must be {needs}")

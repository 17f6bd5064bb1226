# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet files, Arrow IPC files and record batches, as columns that the kernel views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from truebleu.errors import InputError, OptionError, needing
from truebleu.inputs.columns import LABEL, TEXT, TEXTS, Bad, Values, Wanted, no_column
from truebleu.inputs.files import name_of, open_bytes, unreadable
from truebleu.inputs.ids import check_memory

#: First bytes of Parquet files, Arrow IPC files and Arrow IPC streams.
MAGIC = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


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
        import pyarrow.compute as pc

        bad: Bad = {}
        columns = []
        try:
            for name, kind in self._wanted:
                top, *fields = fields_of(self._path, self._batch.schema, name)
                column = self._batch.column(top)
                column = _as_kind(self._path, name, kind, pc.struct_field(column, fields) if fields else column)
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


def read_arrow(
    paths: Sequence[str], wanted: Wanted, size: int = 1 << 14, *, parallel: bool = True
) -> Iterator[ArrowRows]:
    """Read Parquet and Arrow IPC files, one file after another.

    Args:
        paths: files to read.
        wanted: columns by name.
        size: rows of Parquet that are read at once.
        parallel: whether PyArrow may use other cores.

    Raises:
        InputError: a file cannot be read or is damaged.
        MissingExtraError: PyArrow is not installed.
        OptionError: a file does not have such a column.
    """
    pa = pyarrow("reading Parquet and Arrow files")
    before = 0
    names = [name for name, _ in wanted]
    for path in paths:
        row = 1
        with naming_file(path):
            # Formats with an index at the end are not read in order; files that are mapped to
            # memory and truncated meanwhile would end the process.
            source = pa.BufferReader(open_bytes(path).read()) if path == "-" else pa.OSFile(path)
            bytes_in_file, head = source.size(), source.read(6)
            if head.startswith(b"PAR1"):
                batches = _parquet(path, source, names, size, parallel=parallel)
            else:
                batches = _ipc(path, source, names, is_file=head == b"ARROW1")
            for batch, share in batches:
                if len(batch):
                    position = before + int(bytes_in_file * share)
                    yield checked_rows(path, batch, row, wanted, position)
                row += len(batch)
        before += bytes_in_file


@contextmanager
def naming_file(path: str) -> Iterator[None]:
    """A block in which errors of PyArrow become one that names the file."""
    from pyarrow import ArrowException

    try:
        yield
    except (InputError, OptionError):
        raise
    except (ArrowException, MemoryError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise unreadable(path, error) from None
        what = str(error).strip().partition("\n")[0].rstrip(".") or "out of memory"
        raise InputError(f"{name_of(path)}: damaged or huge: {what}; copy it again") from None


def _parquet(path: str, source: Any, names: list[str], size: int, *, parallel: bool) -> Iterator[tuple[Any, float]]:
    from pyarrow import parquet

    # Buffered, so that a column of a row group is never in memory as a whole.
    with parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False) as file:
        columns = [".".join(fields_of(path, file.schema_arrow, name)) for name in names]
        rows = 0
        for batch in file.iter_batches(size, columns=columns, use_threads=parallel):
            rows += len(batch)
            yield batch, rows / file.metadata.num_rows


def _ipc(path: str, source: Any, names: list[str], *, is_file: bool) -> Iterator[tuple[Any, float]]:
    from pyarrow import ipc

    with source:
        source.seek(0)
        opened = ipc.open_file if is_file else ipc.open_stream
        schema = opened(source).schema
        tops = {fields_of(path, schema, name)[0] for name in names}
        fields = sorted(map(schema.get_field_index, tops))
        source.seek(0)
        reader = opened(source, options=ipc.IpcReadOptions(included_fields=fields))
        if is_file:
            count = reader.num_record_batches
            for i in range(count):
                yield reader.get_batch(i), (i + 1) / count
        else:
            for batch in reader:
                yield batch, source.tell() / source.size()


def read_batches(batches: Iterable[Any], wanted: Wanted) -> Iterator[ArrowRows]:
    """Read Arrow batches of any library from an iterator: tables, or parts of them."""
    pa = pyarrow("reading Arrow batches")
    row = 1
    for item in batches:
        try:
            parts = [item] if isinstance(item, pa.RecordBatch) else pa.table(item).to_batches()
        except (TypeError, ValueError) as error:
            raise InputError(f"batches: not Arrow, but {type(item).__name__}: {error}") from None
        for batch in parts:
            if len(batch):
                yield checked_rows("batches", batch, row, wanted)
            row += len(batch)

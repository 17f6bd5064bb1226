# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet files, Arrow IPC files and iterators of record batches."""

from __future__ import annotations

from truebleu.errors import InputError, MissingExtraError, OptionError
from truebleu.files import name_of, unreadable
from truebleu.streaming.paths import system_size
from truebleu.streaming.records import LABEL, MAYBE, TEXT, TEXTS, no_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.streaming.columns import Bad, Column
    from truebleu.streaming.records import Wanted

    #: Which of the files, and rows of it that are done.
    Place = tuple[int, int]


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
        """The columns, and what is wrong with single rows, by their places."""
        bad: Bad = {}
        columns = []
        for name, kind in self._wanted:
            column = _as_kind(self._path, name, kind, _column(self._path, self._batch, name))
            for i, what in _faults(column, name, kind):
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


def _column(path: str, batch: Any, name: str) -> Any:
    """A column by its name, or by names of fields in fields with dots between."""
    names = batch.schema.names
    if names.count(name) == 1:
        return batch.column(name)
    key, _, rest = name.partition(".")
    while rest and names.count(key) != 1:
        more, _, rest = rest.partition(".")
        key = f"{key}.{more}"
    if not rest:
        raise no_column(path, name, names)
    import pyarrow.compute as pc

    column = batch.column(key)
    for field in rest.split("."):
        kind = column.type
        if not hasattr(kind, "get_field_index") or kind.get_field_index(field) < 0:
            raise OptionError(f"{path}: there is no field {field!r} on the way to {name!r}")
        # Of a null there is no field, which `struct_field` knows.
        column = pc.struct_field(column, field)
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
        return column.cast(pa.list_(pa.string()))
    if not is_list and is_text:
        return column if found == pa.string() else column.cast(pa.string())
    if kind == LABEL and not (types.is_nested(found) or types.is_binary(found)):
        return column.cast(pa.string())
    needs = {TEXT: "text", LABEL: "text or a number"}.get(kind, "text, or lists of it")
    raise InputError(f"{path}: the column {name!r} has the Arrow type {found}; it must be {needs}")


def _faults(column: Any, name: str, kind: str) -> Iterator[tuple[int, str]]:
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

    from truebleu.streaming.columns import reference_counts

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


class ArrowSource:
    """Rows of Parquet or Arrow files, one file behind the other.

    Args:
        name: what errors call all of it.
        paths: of the files.
        wanted: columns by name.
        place: where to begin, as `place` was.
        size: rows that are read at a time.
    """

    unit = "rows"

    def __init__(
        self, name: str, paths: Sequence[str], wanted: Wanted, place: Place = (0, 0),
        size: int = 1 << 13,
    ) -> None:  # fmt: skip
        self.name = name
        self.paths = tuple(paths)
        self._wanted = wanted
        self._size = size
        self._file, self._row = place
        self._pa = pyarrow("reading Parquet and Arrow files")
        self._batch: Any = None
        self._open_file: Any = None
        self._batches: Iterator[Any] = iter(())
        self._rows_in_file = 0
        self._before = system_size(self.paths[: self._file])
        self.rows = 0
        if self.paths:
            self._open()

    @property
    def place(self) -> Place:
        """Where it stands: a new source of this place goes on here."""
        return self._file, self._row

    @property
    def given(self) -> int:
        """Bytes of the files so far; within a file, by its rows."""
        if self._open_file is None or not self._rows_in_file:
            return self._before
        return self._before + self._bytes * self._row // self._rows_in_file

    def ready(self, most: int) -> int:
        """How many rows, `most` of them or fewer, can be taken; none at the end of all files."""
        while self._open_file is not None and (self._batch is None or not len(self._batch)):
            with self._reading():
                self._batch = next(self._batches, None)
            if self._batch is None and not self._next_file():
                return 0
        return min(most, len(self._batch)) if self._batch is not None else 0

    def take(self, count: int) -> ArrowPiece:
        """The next rows, so many as were ready or fewer."""
        piece, self._batch = self._batch.slice(0, count), self._batch.slice(count)
        path, first = self.paths[self._file], self._row + 1
        self._row += count
        self.rows += count
        return ArrowPiece(path, piece, first, self._wanted)

    def close(self) -> None:
        """Close what is open."""
        if self._open_file is not None:
            self._open_file.close()
            self._open_file = None

    def _next_file(self) -> bool:
        self._before += self._bytes
        self.close()
        if self._file + 1 == len(self.paths):
            return False
        self._file, self._row = self._file + 1, 0
        self._open()
        return True

    def _open(self) -> None:
        import os

        path = self.paths[self._file]
        with self._reading():
            self._bytes = os.path.getsize(path)
            with open(path, "rb") as file:
                head = file.read(6)
        wanted = [name for name, _ in self._wanted]
        with self._reading():
            self._open_file, self._rows_in_file, self._batches = (
                _parquet(path, wanted, self._row, self._size)
                if head.startswith(b"PAR1")
                else _ipc(self._pa, path, wanted, self._row, is_file=head == b"ARROW1")
            )

    def _reading(self) -> _Reading:
        return _Reading(self.paths[self._file], self._pa.ArrowException)


class _Reading:
    """A block in which errors of the library are those of the user's file."""

    def __init__(self, path: str, kind: type[Exception]) -> None:
        self._path = path
        self._kind = kind

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and error.errno is not None:
            raise unreadable(self._path, error) from None
        if isinstance(error, (self._kind, OSError, ValueError)) and not isinstance(
            error, (InputError, OptionError)
        ):
            what = str(error).strip().partition("\n")[0].rstrip(".")
            raise InputError(
                f"{name_of(self._path)}: no whole Parquet or Arrow file: {what}; copy it again"
            ) from None


class BatchesSource:
    """Rows of Arrow batches of any library, which an iterator gives.

    Args:
        batches: objects that export Arrow data, each a table or a part of one.
        wanted: columns by name.
    """

    name = "batches"
    unit = "rows"
    given = 0
    place = (0,)

    def __init__(self, batches: Iterable[Any], wanted: Wanted) -> None:
        self._batches = self._records(pyarrow("reading Arrow batches"), iter(batches))
        self._wanted = wanted
        self._batch: Any = None
        self.rows = 0

    @staticmethod
    def _records(pa: Any, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if isinstance(batch, pa.RecordBatch):
                yield batch
                continue
            try:
                yield from pa.table(batch).to_batches()
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"an iterator of Arrow batches gave a {type(batch).__name__}: {error}"
                ) from None

    def ready(self, most: int) -> int:
        """How many rows, `most` of them or fewer, can be taken; none at the end."""
        while self._batch is None or not len(self._batch):
            self._batch = next(self._batches, None)
            if self._batch is None:
                return 0
        return min(most, len(self._batch))

    def take(self, count: int) -> ArrowPiece:
        """The next rows, so many as were ready or fewer."""
        piece, self._batch = self._batch.slice(0, count), self._batch.slice(count)
        self.rows += count
        return ArrowPiece(self.name, piece, self.rows - count + 1, self._wanted)

    def close(self) -> None:
        """Nothing is open."""


def _parquet(path: str, wanted: list[str], skip: int, size: int) -> tuple[Any, int, Iterator[Any]]:
    """The file, its number of rows, and its batches from row `skip` on."""
    from pyarrow import parquet

    # Buffered, so that a column of a row group is never in memory at once.
    file = parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)
    metadata = file.metadata
    known = file.schema_arrow.names
    columns = list(dict.fromkeys(_top(path, name, known) for name in wanted))
    paths = [name for name in wanted if name not in known] + [c for c in columns if c in wanted]
    groups = iter(range(metadata.num_row_groups))
    left = []
    for group in groups:
        rows = metadata.row_group(group).num_rows
        if skip >= rows:
            skip -= rows
        else:
            left = [group, *groups]
    batches = file.iter_batches(size, row_groups=left, columns=paths) if left else iter(())
    return file, metadata.num_rows, _behind(batches, skip)


def _ipc(
    pa: Any, path: str, wanted: list[str], skip: int, *, is_file: bool
) -> tuple[Any, int, Iterator[Any]]:
    """The same of an Arrow file or stream."""
    memory = pa.memory_map(path)
    reader = pa.ipc.open_file(memory) if is_file else pa.ipc.open_stream(memory)
    names = reader.schema.names
    fields = sorted({names.index(_top(path, name, names)) for name in wanted})
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    memory.seek(0)
    if is_file:
        reader = pa.ipc.open_file(memory, options=options)
        batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
    else:
        batches = iter(pa.ipc.open_stream(memory, options=options))
    return memory, 0, _behind(batches, skip)


def _top(path: str, name: str, names: Sequence[str]) -> str:
    """The column of a file that holds a column, which may be a field of it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        top = ".".join(parts[:end])
        if names.count(top) == 1:
            return top
    raise no_column(path, name, names)


def _behind(batches: Iterable[Any], skip: int) -> Iterator[Any]:
    """The batches without their first rows."""
    for batch in batches:
        left = batch.slice(min(skip, len(batch)))
        skip -= min(skip, len(batch))
        if len(left):
            yield left

# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet files, Arrow IPC files and iterators of record batches."""

from __future__ import annotations

from truebleu.errors import InputError, OptionError
from truebleu.inputs.arrow_rows import ArrowPiece, fields_of, pyarrow
from truebleu.inputs.files import name_of, unreadable
from truebleu.inputs.paths import system_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.inputs.records import Wanted

    #: Which of the files, and rows of it that are done.
    Place = tuple[int, int]


class ArrowSource:
    """Rows of Parquet or Arrow files, one file behind the other.

    Args:
        name: what errors call all of it.
        paths: of the files.
        wanted: columns by name.
        place: where to begin, as `place` was.
        size: rows that are read at a time.
        parallel: whether the library may use other cores.
    """

    unit = "rows"

    def __init__(
        self, name: str, paths: Sequence[str], wanted: Wanted, place: Place = (0, 0),
        size: int = 1 << 14,
        parallel: bool = True,
    ) -> None:  # fmt: skip
        self.name = name
        self.paths = tuple(paths)
        self._wanted = wanted
        self._size = size
        self._parallel = parallel
        self._file, self._row = place
        self._pa = pyarrow("reading Parquet and Arrow files")
        self._batch: Any = None
        self._open_file: Any = None
        self._batches: Iterator[Any] = iter(())
        self._rows_in_file = self._batches_in_file = 0
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
        if self._open_file is None:
            return self._before
        if not self._rows_in_file:
            return self._before + int(self._open_file.tell())
        return self._before + min(self._bytes, self._bytes * self._row // self._rows_in_file)

    def ready(self, most: int) -> int:
        """How many rows, `most` of them or fewer, can be taken; none at the end of all files."""
        while self._open_file is not None and (self._batch is None or not len(self._batch)):
            with self._reading():
                self._batch = next(self._batches, None)
            if self._batch is None and not self._next_file():
                return 0
            if not self._rows_in_file and self._batch is not None:  # about, for the bar
                self._rows_in_file = len(self._batch) * self._batches_in_file
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
            if head.startswith(b"PAR1"):
                self._open_file, self._rows_in_file, self._batches = _parquet(
                    path, wanted, self._row, self._size, self._parallel
                )
            else:
                self._open_file, self._batches_in_file, self._batches = _ipc(
                    self._pa, path, wanted, self._row, is_file=head == b"ARROW1"
                )

    def _reading(self) -> Reading:
        return Reading(self.paths[self._file], self._pa.ArrowException)


class Reading:
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


def _parquet(
    path: str, wanted: list[str], skip: int, size: int, parallel: bool
) -> tuple[Any, int, Iterator[Any]]:
    """The file, its number of rows, and its batches from row `skip` on."""
    from pyarrow import parquet

    # Buffered, so that a column of a row group is never in memory at once.
    file = parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)
    metadata = file.metadata
    columns = [".".join(fields_of(path, file.schema_arrow, name)) for name in wanted]
    groups = iter(range(metadata.num_row_groups))
    left = []
    for group in groups:
        rows = metadata.row_group(group).num_rows
        if skip >= rows:
            skip -= rows
        else:
            left = [group, *groups]
    batches = iter(())
    if left:
        batches = file.iter_batches(size, row_groups=left, columns=columns, use_threads=parallel)
    return file, metadata.num_rows, _behind(batches, skip)


def _ipc(
    pa: Any, path: str, wanted: list[str], skip: int, *, is_file: bool
) -> tuple[Any, int, Iterator[Any]]:
    """An Arrow file, its number of batches, and those from row `skip` on; of a stream, 0."""
    memory = pa.memory_map(path)
    reader = pa.ipc.open_file(memory) if is_file else pa.ipc.open_stream(memory)
    tops = [fields_of(path, reader.schema, name)[0] for name in wanted]
    fields = sorted({reader.schema.get_field_index(top) for top in tops})
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    memory.seek(0)
    if is_file:
        reader = pa.ipc.open_file(memory, options=options)
        count = reader.num_record_batches
        batches = (reader.get_batch(i) for i in range(count))
    else:
        count, batches = 0, iter(pa.ipc.open_stream(memory, options=options))
    return memory, count, _behind(batches, skip)


def _behind(batches: Iterable[Any], skip: int) -> Iterator[Any]:
    """The batches without their first rows."""
    for batch in batches:
        left = batch.slice(min(skip, len(batch)))
        skip -= min(skip, len(batch))
        if len(left):
            yield left

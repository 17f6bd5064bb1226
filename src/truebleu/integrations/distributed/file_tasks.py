# SPDX-License-Identifier: Apache-2.0
"""Parquet files that are read by the task that counts them.

An engine that reads text hands it from process to process. A task that is told of files reads them
by itself, and only integers leave it.
"""

from __future__ import annotations

import os
import sys
from itertools import accumulate

from truebleu.errors import InputError
from truebleu.inputs.arrow_columns import faults
from truebleu.inputs.arrow_files import Reading
from truebleu.inputs.files import unreadable
from truebleu.inputs.paths import HIDDEN, files_of
from truebleu.inputs.table_rows import TEXTS_OR_NULL
from truebleu.integrations.distributed.batches import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from truebleu.integrations.distributed.batches import Batches
    from truebleu.integrations.distributed.segments import Place

    #: A store, a file in it, and the bytes in which the row groups of the piece begin.
    Piece = tuple[Any, str, int, int]

#: The fewest and the most bytes to a task, unless all are fewer.
_FEWEST, _MOST = 4 << 20, 128 << 20

#: To open a file takes as long as to read so many bytes.
_OPENING = 1 << 20

#: Rows that are read at a time.
_ROWS = 1 << 16


def are_paths(data: Any) -> bool:
    """Whether this is a path or a list of such, and not a table of an engine."""
    return isinstance(data, (str, os.PathLike, list, tuple))


class Tasks:
    """The Parquet files that paths name, dealt out in order, and cut where row groups begin.

    It pickles to some hundred bytes for each file.

    Args:
        paths: a file, a folder, a pattern, or a list of such; also a file or a folder of a store
            that PyArrow knows by its scheme, such as `s3://`.
        cores: that all tasks will have. There are two tasks for each, unless they would be very
            small or large.
        rows: the most that are read at a time.

    Raises:
        InputError: there are no files.

    Example:
        >>> import pathlib, tempfile
        >>> import pyarrow as pa, pyarrow.parquet as pq
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.distributed.batches import Batches
        >>> from truebleu.integrations.distributed.file_tasks import Tasks
        >>> path = pathlib.Path(tempfile.mkdtemp(), "part.parquet")
        >>> pq.write_table(pa.table({"hyp": ["a b", "c d"], "ref": ["a b", "c e"]}), path)
        >>> tasks, batches = Tasks(path, cores=1), Batches(BLEU(), ["hyp"], ["ref"])
        >>> sums = tasks.counted(range(len(tasks)), batches, batches.partial)
        >>> batches.scores(pa.concat_tables(sums)).matches
        [3, 1, 0, 0]
    """

    def __init__(self, paths: Any, cores: int, rows: int | None = None) -> None:
        several = paths if isinstance(paths, (list, tuple)) else [paths]
        files = [file for path in several for file in _files(os.fspath(path))]
        if not files:
            raise InputError("there is no file to read; give one at least")
        self._rows = rows or _ROWS
        size = sum(size + _OPENING for _, _, size in files) // (2 * cores) + 1
        self._tasks = list(_dealt(files, min(max(size, _FEWEST), _MOST)))

    def __len__(self) -> int:
        return len(self._tasks)

    def no_rows(self) -> Any:
        """A table with the columns of the first file.

        Raises:
            InputError: it is no Parquet file.
        """
        import pyarrow as pa

        store, path, *_ = self._tasks[0][0]
        with _opened(store, path) as file:
            return pa.table(_plain(file.schema_arrow.empty_table()))

    def counted(
        self, numbers: Iterable[int], batches: Batches, count: Callable[..., Any]
    ) -> Iterator[Any]:
        """What is made in the tasks of these numbers, a table for each table that is read.

        Args:
            numbers: below the length.
            batches: says which columns are read.
            count: a function of a table and its place.

        Raises:
            InputError: a file cannot be read or lacks a column, or `count` raises it.
        """
        for number in numbers:
            for piece in self._tasks[number]:
                for table, place in self._read(piece, batches):
                    yield count(table, place=place)

    def _read(self, piece: Piece, batches: Batches) -> Iterator[tuple[Any, Place]]:
        """The tables of a piece, with the places of their rows, which files count from 1 on."""
        import pyarrow as pa

        store, path, start, end = piece
        with _opened(store, path) as file:
            try:
                batches.check(file.schema_arrow.names)
            except InputError as error:
                raise InputError(f"{path}: {error}") from None
            row, groups = _groups(file.metadata, start, end)
            how = {"columns": batches.columns, "row_groups": groups, "use_threads": False}
            found = file.iter_batches(self._rows, **how) if groups else iter(())
            while True:
                with _reading(path):
                    batch = next(found, None)
                    if batch is None:
                        return
                    columns = _plain(batch)
                for name, column in columns.items():
                    for i, what in faults(column, name, TEXTS_OR_NULL):
                        raise InputError(f"{path}: row {row + i}: {what}; correct the row")
                yield pa.table(columns), (row, path)
                row += batch.num_rows


def _files(path: str) -> Iterator[tuple[Any, str, int]]:
    """Where files lie that a path names, how they are called there, and how large they are."""
    from pyarrow import fs

    if "://" not in path:
        for file in files_of(path):
            try:
                yield fs.LocalFileSystem(), os.path.abspath(file), os.path.getsize(file)
            except OSError as error:
                raise unreadable(file, error) from None
        return
    try:
        store, name = fs.FileSystem.from_uri(path)
        (found,) = store.get_file_info([name])
        if found.type == fs.FileType.Directory:
            listed = store.get_file_info(fs.FileSelector(name, recursive=True))
        else:
            listed = [found]
    except (OSError, ValueError) as error:  # PyArrow's own errors are such
        what = str(error).strip().partition("\n")[0].rstrip(".")
        raise InputError(f"{path}: cannot be listed: {what}; check the path") from None
    for file in sorted(listed, key=lambda file: file.path):
        inner = file.path[len(name) :].split("/")
        if file.type != fs.FileType.Directory and not any(map(_is_hidden, inner)):
            yield store, file.path, file.size or 0


def _dealt(files: Iterable[tuple[Any, str, int]], size: int) -> Iterator[list[Piece]]:
    """The files in tasks of so many bytes."""
    task: list[Piece] = []
    room = size
    for store, path, length in files:
        start, left = 0, _OPENING + length
        while left > room:
            end = length - left + room
            if end > start:
                task.append((store, path, start, end))
                start = end
            yield task
            left -= room
            task, room = [], size
        task.append((store, path, start, sys.maxsize))
        room -= left
    yield task


def _is_hidden(name: str) -> bool:
    return name.startswith(HIDDEN)


def _reading(path: str) -> Reading:
    import pyarrow as pa

    return Reading(path, pa.ArrowException)


def _opened(store: Any, path: str) -> Any:
    from pyarrow import parquet

    with _reading(path):
        return parquet.ParquetFile(path, filesystem=store)


def _groups(metadata: Any, start: int, end: int) -> tuple[int, list[int]]:
    """The row groups that begin in a range of bytes, and the number of their first row from 1 on.

    Each row group is in one range, and those of a range follow each other, whatever a file says.
    """
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    begins = accumulate((group.column(0).data_page_offset for group in groups), max)
    chosen = [i for i, begin in enumerate(begins) if start <= begin < end]
    before = groups[: chosen[0]] if chosen else []
    return 1 + sum(group.num_rows for group in before), chosen


def _plain(data: Any) -> dict[str, Any]:
    """The columns of a batch or a table, with texts where there are numbers of texts."""
    return {name: decoded(data.column(name)) for name in data.schema.names}

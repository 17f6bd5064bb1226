# SPDX-License-Identifier: Apache-2.0
"""Parquet files that are read by the tasks that count them.

An engine that reads text passes it from process to process. A task that gets paths reads the files
itself, and only integers leave it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

from truebleu.errors import InputError, within
from truebleu.inputs.arrow import naming_file, plain
from truebleu.inputs.files import unreadable
from truebleu.inputs.paths import HIDDEN, files_of
from truebleu.integrations.batches import Batches

#: A store, a file in it, and the range of bytes in which the row groups of the piece begin.
Piece = tuple[Any, str, int, int]

#: The minimum and maximum number of bytes of a task, unless all files together have fewer.
_MIN_BYTES, _MAX_BYTES = 4 << 20, 128 << 20

#: Opening a file takes as long as reading this many bytes.
_OPENING_BYTES = 1 << 20


class Tasks:
    """Parquet files divided into tasks, in order, at the boundaries of row groups.

    It pickles to a few hundred bytes for each file.

    Args:
        paths: a file, a folder, a pattern, or a list of these; also a file or folder of a store
            that PyArrow knows by its scheme, such as `s3://`.
        cores: the cores of all workers. Each gets two tasks, unless these would be very small or
            large.
        rows: the maximum number of rows of a table (default: 65,536).

    Raises:
        InputError: there are no files.

    Example:
        >>> import pathlib, tempfile
        >>> import pyarrow as pa, pyarrow.parquet as pq
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.batches import Batches
        >>> from truebleu.integrations.parquet import Tasks
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
            raise InputError("there is no file to read; give at least one")
        self._rows = rows or 1 << 16
        size = sum(size + _OPENING_BYTES for _, _, size in files) // (2 * cores) + 1
        self._tasks = list(_divided(files, min(max(size, _MIN_BYTES), _MAX_BYTES)))

    def __len__(self) -> int:
        return len(self._tasks)

    def no_rows(self) -> Any:
        """A table with the columns of the first file.

        Raises:
            InputError: it is not a Parquet file.
        """
        import pyarrow as pa

        store, path, *_ = self._tasks[0][0]
        with naming_file(path), _opened(store, path) as file:
            return pa.table(_plain(file.schema_arrow.empty_table()))

    def counted(self, numbers: Iterable[int], batches: Batches, count: Callable[..., Any]) -> Iterator[Any]:
        """The results of tasks: one for each table that they read.

        Args:
            numbers: of the tasks, from 0 on.
            batches: its columns are read.
            count: a function of a table.

        Raises:
            InputError: a file cannot be read or lacks a column, or `count` raises it.
        """
        for number in numbers:
            for piece in self._tasks[number]:
                for table, place in self._read(piece, batches):
                    with within(place):
                        yield count(table)

    def _read(self, piece: Piece, batches: Batches) -> Iterator[tuple[Any, str]]:
        """The tables of a piece with the places of their rows, which count from 1 in each file."""
        import pyarrow as pa

        store, path, start, end = piece
        with naming_file(path), _opened(store, path) as file:
            with within(path):
                batches.check(file.schema_arrow.names)
            row, groups = _groups(file.metadata, start, end)
            options = {"columns": batches.columns, "row_groups": groups, "use_threads": False}
            batches_read = file.iter_batches(self._rows, **options) if groups else iter(())
            for columns in map(_plain, batches_read):
                table = pa.table(columns)
                yield table, f"{path}, from row {row} on"
                row += table.num_rows


def _files(path: str) -> Iterator[tuple[Any, str, int]]:
    """The stores, names and sizes of the files of a path."""
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
        listed = store.get_file_info([name])
        if listed[0].type == fs.FileType.Directory:
            listed = store.get_file_info(fs.FileSelector(name, recursive=True))
    except (OSError, ValueError) as error:  # base classes of PyArrow's errors
        what = str(error).strip().partition("\n")[0].rstrip(".")
        raise InputError(f"{path}: cannot be listed: {what}; check the path") from None
    for file in sorted(listed, key=lambda file: file.path):
        inner = file.path[len(name) :].split("/")
        if file.type != fs.FileType.Directory and not any(part.startswith(HIDDEN) for part in inner):
            yield store, file.path, file.size or 0


def _divided(files: Iterable[tuple[Any, str, int]], size: int) -> Iterator[list[Piece]]:
    """The files in tasks of up to `size` bytes, with the time of opening them."""
    task: list[Piece] = []
    free = size
    for store, path, length in files:
        for start in range(0, max(length, 1), size):
            cost = _OPENING_BYTES + min(size, length - start)
            if task and cost > free:
                yield task
                task, free = [], size
            end = start + size if start + size < length else sys.maxsize
            task.append((store, path, start, end))
            free -= cost
    yield task


def _opened(store: Any, path: str) -> Any:
    from pyarrow import parquet

    return parquet.ParquetFile(path, filesystem=store)


def _groups(metadata: Any, start: int, end: int) -> tuple[int, list[int]]:
    """The number of the first row, from 1 on, and the row groups that begin in a range of bytes.

    Each row group is in one range, and those of a range are consecutive, for any metadata.
    """
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    begins = accumulate((group.column(0).data_page_offset for group in groups), max)
    inside = [i for i, begin in enumerate(begins) if start <= begin < end]
    before = groups[: inside[0]] if inside else []
    return 1 + sum(group.num_rows for group in before), inside


def _plain(data: Any) -> dict[str, Any]:
    """The columns of a batch or a table, without dictionaries and the like."""
    return {name: plain(data.column(name)) for name in data.schema.names}

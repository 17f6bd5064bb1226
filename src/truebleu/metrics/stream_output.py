# SPDX-License-Identifier: Apache-2.0
"""Scores and statistics of single segments, written as they are found."""

from __future__ import annotations

import os
from contextlib import suppress

from truebleu.errors import OptionError, TrueBLEUError
from truebleu.metrics.checkpoint import remove, sync_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.metrics.tally import Found

#: Rows in a row group of Parquet, whatever the batches were.
_GROUP = 1 << 17


class Output:
    """A file with one row for each segment. It has its name only when it is complete.

    Until then it is `PATH.partial`: the rows as text, or for Parquet, whose end cannot be written
    before all is known, as a stream of Arrow batches. Both only grow, so that a run that goes on
    cuts off what a checkpoint does not know of.

    Args:
        path: what the file will be; its end says which format.
        metrics: that are computed.
        grouped: whether there are groups.

    Raises:
        OptionError: the format is not known, or the file cannot be made.
    """

    def __init__(self, path: str, metrics: Sequence[Any], *, grouped: bool) -> None:
        self.path = path
        self.partial = f"{path}.partial"
        format_of: dict[str, Callable[[list[tuple[str, str]]], Any]] = {
            ".tsv": _Tsv, ".jsonl": _Jsonl, ".parquet": _Parquet,
        }  # fmt: skip
        end = os.path.splitext(path)[1].lower()
        if end not in format_of:
            raise OptionError(f"--per-segment {path}: its name must end in {', '.join(format_of)}")
        if os.path.exists(path) and not os.path.isfile(path):
            raise OptionError(f"--per-segment {path}: this is no file; name another")
        names = [("row", "int64"), *([("group", "string")] if grouped else [])]
        for metric in metrics:
            name = type(metric).__name__.lower()
            prefix = f"{name}_" if len(metrics) > 1 else ""
            names.append((name, "double"))
            names += [(prefix + column, "int64") for column in metric.zero_stats().column_names()]
        self._format = format_of[end](names)
        self._file: Any = None

    def open(self, size: int | None = None, *, done: bool = False) -> None:
        """Begin, or go on behind the first `size` bytes, which may be all.

        Raises:
            TrueBLEUError: there is no such file, or it cannot be written.
        """
        if done and not os.path.exists(self.partial) and os.path.exists(self.path):
            return  # it had its name, and no more was left to do than to say so
        try:
            self._file = open(self.partial, "r+b" if size is not None else "wb")  # noqa: SIM115
            if size is None:
                self._write(self._format.head())
                return
            if os.path.getsize(self.partial) < size:
                raise TrueBLEUError(
                    f"{self.partial}: is shorter than it was; start again without --resume"
                )
            self._file.truncate(size)
            self._file.seek(size)
        except OSError as error:
            raise self._unwritable(error) from None

    def write(self, found: Found) -> None:
        """Add the segments of a batch.

        Raises:
            TrueBLEUError: they cannot be written.
        """
        if len(found.batch):
            self._write(self._format.rows(found))

    def sync(self) -> int:
        """The size of what is on the disk, which is all of it.

        Raises:
            TrueBLEUError: it cannot be written.
        """
        if self._file is None:
            return os.path.getsize(self.path)
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            return int(self._file.tell())
        except OSError as error:
            raise self._unwritable(error) from None

    def finish(self) -> None:
        """Give the file its name.

        Raises:
            TrueBLEUError: it cannot be written.
        """
        if self._file is None:
            return
        self.sync()
        self._file.close()
        try:
            if isinstance(self._format, _Parquet):
                self._format.convert(self.partial, f"{self.partial}.parquet")
                os.replace(f"{self.partial}.parquet", self.path)
                remove(self.partial)
            else:
                os.replace(self.partial, self.path)
            sync_folder(self.path)
        except OSError as error:
            raise self._unwritable(error) from None

    def discard(self) -> None:
        """Remove what was written so far."""
        self.close()
        remove(self.partial)

    def close(self) -> None:
        """Leave what was written so far for a run that goes on."""
        remove(f"{self.partial}.parquet")
        if self._file is not None:
            with suppress(OSError):  # what it had not written is what could not be
                self._file.close()

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> TrueBLEUError:
        return TrueBLEUError(
            f"{self.path}: cannot be written: {error.strerror or error}; "
            "make room there, or name another place"
        )


def _columns(found: Found) -> list[Any]:
    """The columns of a batch, in the order of their names."""
    import numpy as np

    columns: list[Any] = [np.asarray(found.batch.numbers, dtype=np.int64)]
    if found.batch.by is not None:
        columns.append(found.batch.by)
    for values, rows in zip(found.values, found.rows, strict=True):
        columns += [values, *np.asarray(rows).T]
    return columns


def _as_objects(found: Found) -> zip[tuple[Any, ...]]:
    columns = [c if isinstance(c, list) else c.tolist() for c in _columns(found)]
    return zip(*columns, strict=True)


class _Tsv:
    """Tab-separated values; a tab or a line feed in the name of a group becomes a blank."""

    def __init__(self, names: list[tuple[str, str]]) -> None:
        self._names = [name for name, _ in names]
        self._grouped = "group" in self._names

    def head(self) -> bytes:
        return ("\t".join(self._names) + "\n").encode()

    def rows(self, found: Found) -> bytes:
        form = "\t".join(["%s"] * len(self._names)) + "\n"
        rows: Any = _as_objects(found)
        if self._grouped:
            rows = ((n, g.replace("\t", " ").replace("\n", " "), *row) for n, g, *row in rows)
        return "".join([form % tuple(row) for row in rows]).encode()


class _Jsonl:
    """A JSON object to a line; what is no number is null."""

    def __init__(self, names: list[tuple[str, str]]) -> None:
        self._names = [name for name, _ in names]

    def head(self) -> bytes:
        return b""

    def rows(self, found: Found) -> bytes:
        from json import dumps

        lines = []
        for row in _as_objects(found):
            # NaN alone is not itself.
            values = (None if value != value else value for value in row)  # noqa: PLR0124
            lines.append(dumps(dict(zip(self._names, values, strict=True)), ensure_ascii=False))
        return ("\n".join(lines) + "\n").encode()


class _Parquet:
    """Parquet, by way of a stream of Arrow batches."""

    def __init__(self, names: list[tuple[str, str]]) -> None:
        from truebleu.inputs.arrow_rows import pyarrow

        self._pa = pyarrow("writing Parquet")
        types = {
            "int64": self._pa.int64(),
            "double": self._pa.float64(),
            "string": self._pa.string(),
        }
        self._schema = self._pa.schema([(name, types[kind]) for name, kind in names])

    def head(self) -> bytes:
        data: bytes = self._schema.serialize().to_pybytes()
        return data

    def rows(self, found: Found) -> bytes:
        kinds = zip(_columns(found), self._schema.types, strict=True)
        arrays = [self._pa.array(column, type=kind) for column, kind in kinds]
        batch = self._pa.record_batch(arrays, schema=self._schema)
        data: bytes = batch.serialize().to_pybytes()
        return data

    def convert(self, spool: str, path: str) -> None:
        """Write the stream as Parquet, in row groups that do not depend on the batches."""
        from pyarrow import parquet

        pa = self._pa
        with (
            pa.OSFile(spool, "rb") as file,
            parquet.ParquetWriter(path, self._schema, compression="zstd") as writer,
        ):
            waiting, rows = [], 0
            for batch in pa.ipc.open_stream(file):
                waiting.append(batch)
                rows += len(batch)
                while rows >= _GROUP:
                    table = pa.Table.from_batches(waiting)
                    writer.write_table(table.slice(0, _GROUP), row_group_size=_GROUP)
                    waiting = table.slice(_GROUP).to_batches()
                    rows -= _GROUP
            if rows:
                writer.write_table(pa.Table.from_batches(waiting), row_group_size=_GROUP)
        with open(path, "rb") as written:
            os.fsync(written.fileno())

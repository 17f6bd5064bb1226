# SPDX-License-Identifier: Apache-2.0
"""Scores and statistics of single segments, written to a file as they are computed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from json import dumps
from typing import Any, BinaryIO

from truebleu.errors import OptionError
from truebleu.inputs.alignment import Batch
from truebleu.inputs.arrow_columns import pyarrow
from truebleu.text.atomic import check_output, open_whole
from truebleu.text.json_text import for_json

#: For each metric the segments' scores, and their statistics.
Segments = list[tuple[Any, Any]]


_BLANKS = str.maketrans("\t\n", "  ")


class SegmentFile:
    """A file with one row for each segment, written whole or not at all.

    Args:
        path: output file; an existing one is replaced. Its suffix names the format.
        metrics: metrics that are computed.
        grouped: whether there are groups.

    Raises:
        OptionError: the format is not known, or the file cannot be written.
    """

    def __init__(self, path: str, metrics: Sequence[Any], *, grouped: bool) -> None:
        suffix = os.path.splitext(path)[1].lower()
        writers = {
            ".tsv": partial(_Text, is_json=False),
            ".jsonl": partial(_Text, is_json=True),
            ".parquet": _Parquet,
        }
        if suffix not in writers:
            raise OptionError(f"--per-segment {path}: its name must end in {', '.join(writers)}")
        check_output(path, force=True)
        self._path = path
        self._writer: Any = writers[suffix]
        self._names = [("row", "int64"), *([("group", "string")] if grouped else [])]
        for metric in metrics:
            name = type(metric).__name__.lower()
            prefix = f"{name}_" if len(metrics) > 1 else ""
            self._names.append((name, "double"))
            for column, values in metric.zero_stats().columns().items():
                kind = "double" if values.dtype == float else "int64"
                self._names.append((prefix + column, kind))

    @contextmanager
    def open(self) -> Iterator[Any]:
        """Open the file; the writer has the method `write(batch, segments)`."""
        with open_whole(self._path, force=True) as file:
            writer = self._writer(file, self._names)
            try:
                yield writer
                writer.finish()
            except BaseException:
                writer.abandon()
                raise


def _columns(batch: Batch, segments: Segments) -> list[Any]:
    """The columns of a batch, in the order of their names."""
    import numpy as np

    columns: list[Any] = [np.asarray(batch.numbers, dtype=np.int64)]
    if batch.by is not None:
        columns.append(batch.by)
    for values, stats in segments:
        columns += [values, *stats.columns().values()]
    return columns


class _Text:
    """Tab-separated values, or a JSON object on each line."""

    def __init__(self, file: BinaryIO, names: list[tuple[str, str]], *, is_json: bool) -> None:
        self._file, self._is_json = file, is_json
        self._names = [name for name, _ in names]
        if not is_json:
            file.write((self._line(self._names) + "\n").encode())

    def write(self, batch: Batch, segments: Segments) -> None:
        columns = [c if isinstance(c, list) else c.tolist() for c in _columns(batch, segments)]
        lines = (self._line(row) + "\n" for row in zip(*columns, strict=True))
        self._file.write("".join(lines).encode())

    def finish(self) -> None:
        pass

    abandon = finish

    def _line(self, row: Sequence[Any]) -> str:
        """A row as text: null is an empty value in TSV, and NaN is null in JSON.

        A tab or a line feed in the name of a group becomes a blank in TSV.
        """
        if not self._is_json:
            texts = ("" if value is None else str(value).translate(_BLANKS) for value in row)
            return "\t".join(texts)
        values = (for_json(value) if isinstance(value, float) else value for value in row)
        return dumps(dict(zip(self._names, values, strict=True)), ensure_ascii=False)


class _Parquet:
    """Parquet, with a row group for each batch."""

    def __init__(self, file: BinaryIO, names: list[tuple[str, str]]) -> None:
        pa = self._pa = pyarrow("writing Parquet")
        from pyarrow import parquet

        types = {"int64": pa.int64(), "double": pa.float64(), "string": pa.string()}
        self._schema = pa.schema([(name, types[kind]) for name, kind in names])
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, batch: Batch, segments: Segments) -> None:
        kinds = zip(_columns(batch, segments), self._schema.types, strict=True)
        arrays = [self._pa.array(column, type=kind) for column, kind in kinds]
        self._writer.write_batch(self._pa.record_batch(arrays, schema=self._schema))

    def finish(self) -> None:
        self._writer.close()

    def abandon(self) -> None:
        with suppress(OSError, self._pa.ArrowException):
            self._writer.close()
        self._writer.is_open = False  # or it is closed again, with a message

# SPDX-License-Identifier: Apache-2.0
"""Scores and statistics of single segments, written to a file as they are computed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from json import dumps
from typing import Any, BinaryIO

from truebleu.errors import OptionError
from truebleu.inputs.alignment import Batch
from truebleu.inputs.arrow import pyarrow
from truebleu.text.atomic import check_output, open_whole
from truebleu.text.json_text import for_json

#: For each metric the segments' scores, and their statistics.
Segments = list[tuple[Any, Any]]
#: The names of columns, and the types of their values.
Names = list[tuple[str, str]]
Write = Callable[[Batch, Segments], None]

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
        writers = {".tsv": partial(_text, is_json=False), ".jsonl": partial(_text, is_json=True), ".parquet": _parquet}
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
    def open(self) -> Iterator[Write]:
        """Open the file; the function writes the columns of a batch."""
        with open_whole(self._path, force=True) as file, self._writer(file, self._names) as write:
            yield lambda batch, segments: write(_columns(batch, segments))


def _columns(batch: Batch, segments: Segments) -> list[Any]:
    """The columns of a batch, in the order of their names."""
    import numpy as np

    columns: list[Any] = [np.asarray(batch.numbers, dtype=np.int64)]
    if batch.by is not None:
        columns.append(batch.by)
    for values, stats in segments:
        columns += [values, *stats.columns().values()]
    return columns


@contextmanager
def _text(file: BinaryIO, names: Names, *, is_json: bool) -> Iterator[Callable[[Any], None]]:
    """Tab-separated values, or a JSON object on each line.

    Null is an empty value in TSV, and NaN is null in JSON. A tab or a line feed in the name of a
    group becomes a blank in TSV.
    """
    heads = [name for name, _ in names]

    def line(row: Sequence[Any]) -> str:
        if not is_json:
            texts = ("" if value is None else str(value).translate(_BLANKS) for value in row)
            return "\t".join(texts) + "\n"
        values = (for_json(value) if isinstance(value, float) else value for value in row)
        return dumps(dict(zip(heads, values, strict=True)), ensure_ascii=False) + "\n"

    def write(columns: Sequence[Any]) -> None:
        listed = [column if isinstance(column, list) else column.tolist() for column in columns]
        file.write("".join(map(line, zip(*listed, strict=True))).encode())

    if not is_json:
        file.write(line(heads).encode())
    yield write


@contextmanager
def _parquet(file: BinaryIO, names: Names) -> Iterator[Callable[[Any], None]]:
    """Parquet, with a row group for each batch."""
    pa = pyarrow("writing Parquet")
    from pyarrow import parquet

    types = {"int64": pa.int64(), "double": pa.float64(), "string": pa.string()}
    schema = pa.schema([(name, types[kind]) for name, kind in names])
    writer = parquet.ParquetWriter(file, schema, compression="zstd")

    def write(columns: Sequence[Any]) -> None:
        arrays = map(pa.array, columns, schema.types)
        writer.write_batch(pa.record_batch(list(arrays), schema=schema))

    try:
        yield write
        writer.close()
    finally:
        with suppress(OSError, pa.ArrowException):
            writer.close()
        writer.is_open = False  # or it is closed again, with a message

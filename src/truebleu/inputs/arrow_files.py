# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet files, Arrow IPC files and iterators of record batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from truebleu.errors import InputError, OptionError
from truebleu.inputs.arrow_columns import ArrowRows, checked_rows, fields_of, pyarrow
from truebleu.inputs.columns import Wanted
from truebleu.inputs.files import name_of, open_bytes, unreadable

#: First bytes of Parquet files, Arrow IPC files and Arrow IPC streams.
MAGIC = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


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
    for path in paths:
        row = 1
        names = [name for name, _ in wanted]
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
        reader = ipc.open_file(source) if is_file else ipc.open_stream(source)
        tops = {fields_of(path, reader.schema, name)[0] for name in names}
        fields = sorted(reader.schema.get_field_index(top) for top in tops)
        options = ipc.IpcReadOptions(included_fields=fields)
        source.seek(0)
        if is_file:
            reader = ipc.open_file(source, options=options)
            count = reader.num_record_batches
            for i in range(count):
                yield reader.get_batch(i), (i + 1) / count
        else:
            for batch in ipc.open_stream(source, options=options):
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

# SPDX-License-Identifier: Apache-2.0
"""Rows of tables, whichever of the formats they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from truebleu.errors import InputError, quantity
from truebleu.inputs.arrow import MAGIC, read_arrow
from truebleu.inputs.columns import TableRows, Wanted, as_list
from truebleu.inputs.delimited import csv_rows, read_delimited, tsv_rows
from truebleu.inputs.files import UTF_8, Decoding, name_of, open_bytes
from truebleu.inputs.json_rows import ARRAY, read_json
from truebleu.inputs.paths import files_of, kind_of
from truebleu.inputs.text_lines import LineRows, by_file, read_text


def read_rows(
    files: Sequence[str], wanted: Wanted, decoding: Decoding = UTF_8, *, size: int = 1 << 14, parallel: bool = True
) -> Iterator[Any]:
    """The rows of files that make one table, some at a time, not yet parsed.

    Standard input, `-`, may have any format, which its first line shows.

    Args:
        files: as `files_of` finds them.
        wanted: columns to read.
        decoding: as for `read_text`; JSON is always UTF-8.
        size: rows of Parquet that are read at once.
        parallel: whether PyArrow may use other cores.

    Raises:
        InputError: a file cannot be read, or has no known format.
        OptionError: a file does not have such a column.
    """
    kind = "" if list(files) == ["-"] else kind_of(files)
    if not kind and open_bytes("-").peek(8).startswith(MAGIC):
        kind = "arrow"
    if kind == "arrow":
        return read_arrow(files, wanted, size, parallel=parallel)
    if kind == "json":
        decoding = Decoding(notice=decoding.notice)
    longest = ARRAY if kind == "json" else None
    lines = read_text(files, decoding, longest)
    if not kind:
        first = next(lines)
        is_json = first.first.lstrip().startswith((b"{", b"["))
        kind = "json" if is_json else "tsv" if b"\t" in first.first else "csv"
        lines = chain([first], lines)

    def read(file: Iterator[LineRows]) -> Iterator[TableRows]:
        if kind == "json":
            return read_json(file, wanted)
        return read_delimited(csv_rows(file) if kind == "csv" else tsv_rows(file, decoding.notice), wanted)

    return (rows for file in by_file(lines) for rows in read(file))


def read_columns(paths: Sequence[str], wanted: Wanted, decoding: Decoding = UTF_8) -> list[list[Any]]:
    """The columns of a table as lists, read whole.

    Args:
        paths: files, folders and patterns; the others as for `read_rows`.

    Raises:
        InputError: a row is bad, or there is none.
    """
    files = [file for path in paths for file in files_of(path)]
    columns: list[list[Any]] = [[] for _ in wanted]
    for rows in read_rows(files, wanted, decoding):
        parsed, bad = rows.columns()
        if bad:
            raise InputError(bad[min(bad)])
        for column, values in zip(columns, parsed, strict=True):
            column.extend(as_list(values))
    if not columns[0]:
        raise InputError(f"{name_of(paths[0])}: the table has no rows; it must have at least one")
    return columns


def in_one_order(column: str, tables: Mapping[tuple[str, ...], list[list[Any]]]) -> None:
    """Bring the rows of tables into the order of the first, by the keys in their last columns.

    Args:
        column: the name of the keys.
        tables: the columns of each table by its files.

    Raises:
        InputError: a key is null or occurs twice, or another table does not have it.
    """
    places = {files: _places(name_of(files[0]), column, columns[-1]) for files, columns in tables.items()}
    (first_files, first), *_ = places.items()
    for files, columns in tables.items():
        own = places[files]
        for lacking, rows, others in ((files, own, first), (first_files, first, own)):
            if missing := [key for key in others if key not in rows]:
                more = f" and {quantity(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
                raise InputError(
                    f"{name_of(lacking[0])}: no row has {column} {missing[0]!r}{more}; both tables "
                    "must have the same rows"
                )
        columns[:] = [[values[own[key]] for key in first] for values in columns]


def _places(file: str, column: str, keys: Sequence[str | None]) -> dict[str, int]:
    """The place of each key."""
    places: dict[str, int] = {}
    for row, key in enumerate(keys):
        if key is None:
            raise InputError(f"{file}: row {row + 1}: {column} is missing; add it")
        if key in places:
            raise InputError(
                f"{file}: rows {places[key] + 1} and {row + 1} have the same {column} {key!r}; "
                "join by a column that is different in each row"
            )
        places[key] = row
    return places

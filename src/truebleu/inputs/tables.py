# SPDX-License-Identifier: Apache-2.0
"""Rows of tables, whichever of the formats they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from truebleu.errors import InputError
from truebleu.inputs.arrow_files import MAGIC, read_arrow
from truebleu.inputs.columns import Wanted, as_list
from truebleu.inputs.delimited import read_csv, read_tsv
from truebleu.inputs.files import UTF_8, Decoding, name_of, open_bytes
from truebleu.inputs.json_rows import ARRAY, read_json
from truebleu.inputs.paths import files_of, kind_of
from truebleu.inputs.text_lines import read_text


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
    if kind == "tsv":
        return read_tsv(lines, wanted, decoding.notice)
    return read_json(lines, wanted) if kind == "json" else read_csv(lines, wanted)


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

# SPDX-License-Identifier: Apache-2.0
"""Runs of a ledger as a table for other programs: CSV, or Parquet with all statistics."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from truebleu.campaigns.ledger_compare import Reader
from truebleu.campaigns.ledger_runs import Run
from truebleu.errors import MissingExtraError, OptionError
from truebleu.text.atomic import check_output, open_whole, write_whole


def export(runs: Sequence[Run], read: Reader, path: str, *, force: bool = False) -> None:
    """Write a row for each run to a file, .csv or .parquet.

    The columns are the attributes of `Run`, and `tag_KEY` for each tag. Parquet also has `rows`,
    the statistics of each segment as lists of integers.

    Raises:
        OptionError: the name ends otherwise, or the file exists or cannot be written.
        MissingExtraError: PyArrow is not installed, which writes Parquet.
    """
    check_output(path, force=force)
    columns = _columns(runs)
    if path.endswith(".csv"):
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        write_whole(path, text.getvalue().encode(errors="backslashreplace"), force=force)
    elif path.endswith(".parquet"):
        _write_parquet(runs, columns, read, path, force=force)
    else:
        raise OptionError(f"{path}: export writes .csv and .parquet files; name one")


def _columns(runs: Sequence[Run]) -> dict[str, list[Any]]:
    entries = [run.to_dict() for run in runs]
    names = [name for name in Run.__dataclass_fields__ if name not in ("tags", "kind", "options")]
    columns = {name: [entry[name] for entry in entries] for name in names}
    for tag in sorted({tag for run in runs for tag in run.tags}):
        values: list[Any] = [run.tags.get(tag) for run in runs]
        if any(isinstance(value, str) for value in values):  # a column has one type
            values = [None if value is None else str(value) for value in values]
        columns[f"tag_{tag}"] = values
    return columns


def _write_parquet(
    runs: Sequence[Run], columns: dict[str, list[Any]], read: Reader, path: str, *, force: bool
) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError.of("Parquet", "arrow") from None
    import numpy as np

    table = pa.table(columns)
    schema = table.schema.append(pa.field("rows", pa.list_(pa.list_(pa.int64()))))
    with open_whole(path, force=force) as file, pq.ParquetWriter(file, schema) as writer:
        for i, run in enumerate(runs):  # one at a time: all statistics may not fit into memory
            rows = np.asarray(read(run))
            lists = pa.ListArray.from_arrays(np.arange(len(rows) + 1) * rows.shape[1], rows.ravel())
            several = pa.ListArray.from_arrays([0, len(rows)], lists)
            one = table.slice(i, 1).append_column("rows", several)
            writer.write_table(one.cast(schema))

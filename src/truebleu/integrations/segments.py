# SPDX-License-Identifier: Apache-2.0
"""Columns of an Arrow table as segments, with errors that name column and row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.errors import InputError
from truebleu.inputs.arrow_columns import plain
from truebleu.inputs.columns import interleaved, reference_counts

#: The number of the first row of a table, from 1, and the name of its source.
Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Segments:
    """The columns of a table that hold the hypotheses and their references.

    Args:
        hyp: a column of strings, or of lists of words or token ids.
        refs: a column of references or of lists of references, or several columns.
    """

    hyp: str
    refs: Sequence[str]

    def read(self, table: Any, place: Place) -> tuple[Any, Any, Any]:
        """Hypotheses, references, and the number of references, one for all or one per segment.

        Text is not copied, unless it is in a dictionary, or the references are in several columns.
        """
        hyps = _unchunked(table[self.hyp])
        depth, leaf = _shape(self.hyp, hyps.type)
        if depth > 1 or (depth == 0 and leaf == "ids"):
            raise _wrong_type(self.hyp, hyps.type)
        _check_null(self.hyp, hyps, place, table, self.refs[0])
        columns = [_unchunked(table[name]) for name in self.refs]
        for name, column in zip(self.refs, columns, strict=True):
            levels, kind = _shape(name, column.type)
            if (kind != leaf and "null" not in (kind, leaf)) or not 0 <= levels - depth <= 1:
                raise InputError(
                    f"column {name!r} has the type {column.type}, which does not match column "
                    f"{self.hyp!r} of type {hyps.type}; use the same type, or lists of it"
                )
            if levels > depth and len(columns) > 1:
                raise InputError(
                    f"column {name!r} holds lists; use one column of lists of references, or "
                    "several columns with one reference each"
                )
        if len(columns) > 1:
            refs = _joined(columns)
        else:
            (refs,) = columns
            _check_null(self.refs[0], refs, place, table, self.hyp)
            if levels == depth:
                return hyps, refs, 1
        counts = reference_counts(refs)
        if len(counts) and not counts.min():
            row = int(counts.argmin())
            names = " and ".join(map(repr, self.refs))
            raise InputError(
                f"no reference in column {names}, {_where(row, place, table, self.hyp)}; "
                "each segment needs at least one"
            )
        return hyps, refs, counts


def _unchunked(column: Any) -> Any:
    """A plain column, without chunks if it has only one, so that slices of it stay cheap."""
    column = plain(column)
    return column.chunk(0) if column.num_chunks == 1 else column


def _shape(name: str, kind: Any) -> tuple[int, str]:
    """The number of nested lists of a type, and what they hold: text, ids or null."""
    from pyarrow import types

    depth, leaf = 0, kind
    while types.is_list(leaf) or types.is_large_list(leaf) or types.is_fixed_size_list(leaf):
        depth, leaf = depth + 1, leaf.value_type
    if types.is_string(leaf) or types.is_large_string(leaf):
        return depth, "text"
    if types.is_int32(leaf) or types.is_int64(leaf):
        return depth, "ids"
    if types.is_null(leaf):
        return depth, "null"
    raise _wrong_type(name, kind)


def _wrong_type(name: str, kind: Any) -> InputError:
    return InputError(
        f"column {name!r} has the type {kind}; it must be strings, or lists of words or token ids"
    )


def _check_null(name: str, column: Any, place: Place, table: Any, other: str) -> None:
    if not column.null_count:
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    row = pc.index(pc.is_null(column), pa.scalar(value=True)).as_py()
    raise InputError(
        f"column {name!r} is null, {_where(row, place, table, other)}; "
        'filter such rows, or fill them with "" to count them as empty'
    )


def _where(row: int, place: Place, table: Any, other: str) -> str:
    """The row and, because rows of an engine have no fixed numbers, its text in another column."""
    start, source = place
    text = table[other][row].as_py()
    return f"row {start + row} of {source}" + (
        f" (where {other!r} is {text!r:.60})" if text else ""
    )


def _joined(columns: Sequence[Any]) -> Any:
    """Columns with one reference each as one column of lists."""
    import pyarrow as pa

    # Several columns of a batch may exceed the 2 GB of 32-bit offsets.
    columns = [column.cast(pa.large_string()) for column in columns]
    chunks = [chunk for column in columns for chunk in getattr(column, "chunks", [column])]
    return interleaved(chunks, len(columns))

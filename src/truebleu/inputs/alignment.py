# SPDX-License-Identifier: Apache-2.0
"""Hypotheses and references side by side, a few thousand segments at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truebleu.errors import InputError, quantity
from truebleu.inputs.arrow import ArrowRows, pyarrow
from truebleu.inputs.columns import Bad, TableRows, Values, labels, reference_counts, references
from truebleu.inputs.corpus import Lines
from truebleu.inputs.files import check_counts, name_of
from truebleu.inputs.text_lines import LineRows

if TYPE_CHECKING:
    from pyarrow import RecordBatch

#: Rows of one source, not yet parsed.
SourceRows = LineRows | TableRows | ArrowRows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Batch:
    """Some segments of a scan: aligned columns without bad rows.

    Attributes:
        systems: a column of hypotheses for each system.
        refs: the references of each segment.
        by: the group of each segment, which may be None; or None if there are no groups.
        first: number of the first row in the whole input, from 1.
        bad: errors of the rows that were left out, by their places from `first` on.
    """

    systems: list[Values]
    refs: Values
    by: list[str | None] | None
    first: int
    _count: int
    bad: Bad

    @property
    def hyps(self) -> Values:
        """The hypotheses of the first system, which usually is the only one."""
        return self.systems[0]

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each segment in the whole input, from 1."""
        rows = range(self.first, self.first + self._count)
        return [row for i, row in enumerate(rows) if i not in self.bad] if self.bad else rows

    def __len__(self) -> int:
        return self._count - len(self.bad)

    def __repr__(self) -> str:
        return f"<Batch: {quantity(len(self), 'segment')} from row {self.first} on>"

    def to_arrow(self) -> RecordBatch:
        """The batch as a record batch of PyArrow: `hyp`, `ref` and, if there are groups, `by`."""
        pa = pyarrow("Arrow output")
        columns = {"hyp": self.hyps, "ref": self.refs}
        if self.by is not None:
            columns["by"] = self.by
        arrays = [pa.array(column if hasattr(column, "type") else list(column)) for column in columns.values()]
        return pa.record_batch(arrays, names=list(columns))

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The batch for other libraries (needs PyArrow)."""
        schema, array = self.to_arrow().__arrow_c_array__(requested_schema)
        return schema, array


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or several that make one table, whose rows are read in step with other sources.

    Args:
        name: file name in errors.
        unit: what a row is called: `line` or `row`.
        rows: all rows, some at a time.
    """

    name: str
    unit: str
    rows: Iterator[SourceRows]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlignedRows:
    """Rows of all sources side by side, not yet parsed: a thread may do that."""

    _alignment: Alignment
    _rows: list[SourceRows]
    _first: int

    @property
    def position(self) -> int:
        """Bytes of all files that were read so far."""
        return sum(rows.position for rows in self._rows)

    def batch(self) -> Batch:
        """Parse the rows, and leave out bad ones if they are to be skipped."""
        alignment = self._alignment
        parsed = [rows.columns() for rows in self._rows]
        bad: Bad = {}
        for _, errors in parsed:
            bad = errors | bad

        def column(place: tuple[int, int]) -> Values:
            return parsed[place[0]][0][place[1]]

        refs = [column(place) for place in alignment.refs]
        files = [alignment.sources[source].name for source, _ in alignment.refs]
        if alignment.fields is None:
            bad = absent(refs, files[0], self._first) | bad
        else:
            for i, file in enumerate(files):
                refs[i], errors = split_references(file, refs[i], alignment.fields, self._first)
                bad = errors | bad
        if bad and not alignment.skip:
            raise InputError(f"{bad[min(bad)]}, or use --on-error skip")
        systems = [column(place) for place in alignment.systems]
        groups = [column(alignment.by)] if alignment.by else []
        if bad:
            systems, refs, groups = (
                [_without(column, bad) for column in columns] for columns in (systems, refs, groups)
            )
        by = labels(groups[0]) if groups else None
        return Batch(systems, references(refs), by, self._first, self._rows[0].count, bad)


def _without(column: Values, bad: Bad) -> Values:
    """The column without the bad rows."""
    if isinstance(column, Lines):
        lines = column.data.removesuffix(b"\n").split(b"\n")
        return Lines(b"".join(line + b"\n" for i, line in enumerate(lines) if i not in bad))
    if isinstance(column, list):
        return [item for i, item in enumerate(column) if i not in bad]
    import pyarrow as pa

    return column.take(pa.array([i for i in range(len(column)) if i not in bad], pa.int64()))


def split_references(path: str, lines: Values, fields: int, first: int = 1) -> tuple[list[list[str]], Bad]:
    """The tab-separated references on each line of a file, and an error for each bad line."""
    rows = [line.split("\t") for line in lines]
    return rows, {
        i: f"{name_of(path)}:{first + i}: {quantity(len(row), 'tab-separated reference')}, "
        f"expected {fields}; correct the line or --num-refs"
        for i, row in enumerate(rows)
        if len(row) != fields
    }


def absent(refs: list[Values], name: str, first: int = 1) -> Bad:
    """Errors for the rows without a reference."""
    counts = sum(map(reference_counts, refs))
    if isinstance(counts, int):
        return {}
    return {
        i: f"{name_of(name)}: row {first + i}: there is no reference; correct the row"
        for i in (counts == 0).nonzero()[0].tolist()
    }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Alignment:
    """Sources whose rows belong together, read in step.

    Attributes:
        sources: of the rows.
        systems: for each system, the place of its hypotheses: a source, and one of its columns.
        refs: the places of the references.
        by: the place of the groups, or None.
        fields: tab-separated references on each line of text; None if a line is one reference.
        size: the most rows that are taken at once.
        skip: whether bad rows are left out.
    """

    sources: Sequence[Source]
    systems: Sequence[tuple[int, int]]
    refs: Sequence[tuple[int, int]]
    by: tuple[int, int] | None
    fields: int | None
    size: int
    skip: bool

    def __iter__(self) -> Iterator[AlignedRows]:
        """All rows, some at a time; closes the sources at the end."""
        first = 1
        waiting: list[SourceRows | None] = [None] * len(self.sources)
        try:
            while True:
                waiting = [rows or next(source.rows, None) for rows, source in zip(waiting, self.sources, strict=True)]
                ready = [rows for rows in waiting if rows is not None]
                if len(ready) < len(waiting):
                    break
                count = min(self.size, *(rows.count for rows in ready))
                parts = [rows.split(count) for rows in ready]
                yield AlignedRows(self, [rows for rows, _ in parts], first)
                waiting = [others if others.count else None for _, others in parts]
                first += count
            if ready:
                counts = [first - 1 + (rows.count if rows else 0) for rows in waiting]
                check_counts(
                    (source.name, source.unit, count + sum(rows.count for rows in source.rows))
                    for source, count in zip(self.sources, counts, strict=True)
                )
        finally:
            for source in self.sources:
                if hasattr(source.rows, "close"):
                    source.rows.close()

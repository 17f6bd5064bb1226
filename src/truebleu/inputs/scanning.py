# SPDX-License-Identifier: Apache-2.0
"""Hypotheses and references side by side, some thousand segments at a time."""

from __future__ import annotations

from truebleu.errors import InputError
from truebleu.inputs.columns import as_list, reference_counts, references, without
from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.files import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    from truebleu.inputs.columns import Bad, Column

    class Piece(Protocol):
        """Rows of one source that are not yet looked into."""

        count: int

        def columns(self) -> tuple[list[Column], Bad]:
            """The columns, and what is wrong with single rows, by their places."""

    class Source(Protocol):
        """Rows that are taken one behind the other."""

        name: str
        unit: str

        @property
        def rows(self) -> int:
            """Rows taken so far."""

        @property
        def given(self) -> int:
            """Bytes of its files so far."""

        @property
        def place(self) -> tuple[int, ...]:
            """Where it stands."""

        def ready(self, most: int) -> int:
            """How many rows can be taken; none at the end."""

        def take(self, count: int) -> Piece:
            """The next rows."""

        def close(self) -> None:
            """Close its files."""


class Batch:
    """Some segments of a scan: aligned columns, in which no row is bad.

    Attributes:
        systems: a column of hypotheses for each system.
        refs: the references of each segment.
        by: the group of each segment, or None.
        first: the number of its first row in the whole input, from 1.
        bad: what was wrong with the rows that were left out, by their places from `first` on.
    """

    __slots__ = ("_count", "bad", "by", "first", "refs", "systems")

    def __init__(
        self, systems: list[Column], refs: Column, by: list[str] | None, first: int, count: int,
        bad: Bad,
    ) -> None:  # fmt: skip
        self.systems = systems
        self.refs = refs
        self.by = by
        self.first = first
        self.bad = bad
        self._count = count

    @property
    def hyps(self) -> Column:
        """The hypotheses of the first system, which mostly is the only one."""
        return self.systems[0]

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each segment in the whole input, from 1."""
        rows = range(self.first, self.first + self._count)
        if not self.bad:
            return rows
        return [row for i, row in enumerate(rows) if i not in self.bad]

    def __len__(self) -> int:
        return self._count - len(self.bad)

    def __repr__(self) -> str:
        return f"<Batch: {len(self)} segments from row {self.first} on>"

    def to_arrow(self) -> Any:
        """The batch as a record batch of PyArrow: `hyp`, `ref` and, if there are groups, `by`."""
        from truebleu.inputs.arrow_rows import pyarrow

        pa = pyarrow("Arrow output")
        columns = {
            "hyp": self.hyps,
            "ref": self.refs,
            **({} if self.by is None else {"by": self.by}),
        }
        arrays = [
            [list(refs) for refs in column] if isinstance(column, LineStreams)
            else as_list(column) if isinstance(column, Lines) else column
            for column in columns.values()
        ]  # fmt: skip
        return pa.record_batch([pa.array(array) for array in arrays], names=list(columns))

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The batch for other libraries (needs PyArrow)."""
        schema, array = self.to_arrow().__arrow_c_array__(requested_schema)
        return schema, array


class Raw:
    """Rows of all sources that are taken, but not yet looked into: a thread may do that."""

    __slots__ = ("_alignment", "_pieces", "count", "first", "places")

    def __init__(
        self, alignment: Alignment, pieces: list[Piece], first: int, places: list[tuple[int, ...]]
    ) -> None:
        self._alignment = alignment
        self._pieces = pieces
        self.count = pieces[0].count
        self.first = first
        #: Where each source stands behind these rows.
        self.places = places

    def batch(self) -> Batch:
        """The rows, without the bad ones if these are to be skipped.

        Raises:
            InputError: a row is bad.
        """
        alignment = self._alignment
        found = [piece.columns() for piece in self._pieces]
        bad: Bad = {}
        for _, wrong in found:
            for i, what in wrong.items():
                bad.setdefault(i, what)
        refs = [_pick(found, place) for place in alignment.refs]
        if alignment.fields is not None:
            names = [name_of(alignment.sources[at].name) for at, _ in alignment.refs]
            pairs = zip(refs, names, strict=True)
            refs = [split(lines, alignment.fields, name, self.first, bad) for lines, name in pairs]
        elif len(refs) > 1:
            _check_present(refs, alignment.sources[alignment.refs[0][0]].name, self.first, bad)
        if bad and not alignment.skip:
            raise InputError(bad[min(bad)])
        systems = [_pick(found, place) for place in alignment.systems]
        by = _pick(found, alignment.by) if alignment.by else None
        if bad:
            systems, refs = ([without(column, bad) for column in side] for side in (systems, refs))
            by = None if by is None else without(by, bad)
        return Batch(
            systems, references(refs), None if by is None else as_list(by), self.first, self.count,
            bad,
        )  # fmt: skip


def _pick(found: Sequence[tuple[list[Column], Bad]], place: tuple[int, int]) -> Column:
    source, column = place
    return found[source][0][column]


def split(lines: Column, fields: int, name: str, first: int, bad: Bad) -> list[list[str]]:
    """Lines as lists of the references that are behind tabs on each."""
    rows = [line.split("\t") for line in lines]
    for i, row in enumerate(rows):
        if len(row) != fields:
            bad.setdefault(
                i,
                f"{name}:{first + i}: {len(row)} tab-separated references, expected {fields}; "
                "correct the line or --num-refs",
            )
    return rows


def _check_present(refs: list[Column], name: str, first: int, bad: Bad) -> None:
    """Rows of which each column of references is null are bad."""
    counts: Any = 0
    for column in refs:
        counts = counts + reference_counts(column)
    if isinstance(counts, int):
        return
    for i in (counts == 0).nonzero()[0].tolist():
        bad.setdefault(
            i,
            f"{name}: row {first + i}: each column of references is null; "
            "correct the row, or use --on-error skip",
        )


class Alignment:
    """Sources whose rows belong together, read in step.

    Attributes:
        sources: of the rows.
        systems: for each system, the place of its hypotheses: a source, and one of its columns.
        refs: the places of the references.
        by: the place of the groups, or None.
        fields: references on each line of text, behind tabs; None if a line is one.
        skip: whether bad rows are left out.
    """

    __slots__ = ("by", "fields", "refs", "rows", "size", "skip", "sources", "systems")

    def __init__(
        self,
        sources: Sequence[Source],
        systems: Sequence[tuple[int, int]],
        refs: Sequence[tuple[int, int]],
        by: tuple[int, int] | None,
        *,
        fields: int | None,
        skip: bool,
        size: int,
        rows: int,
    ) -> None:
        self.sources = tuple(sources)
        self.systems = tuple(systems)
        self.refs = tuple(refs)
        self.by = by
        self.fields = fields
        self.skip = skip
        self.size = size
        self.rows = rows

    def __iter__(self) -> Iterator[Raw]:
        """All rows, some at a time.

        Raises:
            InputError: the sources differ in length.
        """
        while count := min(ready := [source.ready(self.size) for source in self.sources]):
            pieces = [source.take(count) for source in self.sources]
            places = [source.place for source in self.sources]
            yield Raw(self, pieces, self.rows + 1, places)
            self.rows += count
        if any(ready):
            raise self._unequal()

    def _unequal(self) -> InputError:
        for source in self.sources:
            while count := source.ready(self.size):
                source.take(count)
        first = self.sources[self.refs[0][0]]
        other = next(source for source in self.sources if source.rows != first.rows)
        # A run that goes on has counted the rows before in `rows` alone.
        before = self.rows - min(source.rows for source in self.sources)
        return InputError(
            f"{name_of(other.name)}: {other.rows + before} {other.unit}, but "
            f"{name_of(first.name)} has {first.rows + before}; "
            f"{other.unit.removesuffix('s')} i of each file must belong to the same segment"
        )

    def close(self) -> None:
        """Close all files."""
        for source in self.sources:
            source.close()

    @property
    def given(self) -> int:
        """Bytes of all files so far."""
        return sum(source.given for source in self.sources)

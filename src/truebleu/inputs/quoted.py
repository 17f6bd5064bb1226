# SPDX-License-Identifier: Apache-2.0
"""Rows of CSV, whose quoted values may go over several lines."""

from __future__ import annotations

from itertools import chain

from truebleu.errors import InputError
from truebleu.inputs.files import name_of
from truebleu.inputs.records import find, numbered, what_is_wrong, wrong_row, wrong_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from truebleu.inputs.columns import Bad, Column
    from truebleu.inputs.lines import LinesSource, Place
    from truebleu.inputs.records import Wanted

#: Lines that are taken from a file at a time.
_LINES = 1 << 12


class QuotedPiece:
    """Some rows, parsed."""

    __slots__ = ("_bad", "_rows", "count")

    def __init__(self, rows: list[list[str] | str], width: int) -> None:
        self.count = len(rows)
        self._bad: Bad = {i: row for i, row in enumerate(rows) if isinstance(row, str)}
        self._rows = [[""] * width if isinstance(row, str) else row for row in rows]

    def columns(self) -> tuple[list[Column], Bad]:
        """The columns, and what is wrong with single rows, by their places."""
        return [list(column) for column in zip(*self._rows, strict=True)], self._bad


class QuotedSource:
    """Rows of CSV files as RFC 4180 has them: commas, double quotes, a first line of names.

    Args:
        lines: of the files.
        wanted: columns by name; or all by number, then there is no line of names.
    """

    unit = "rows"

    def __init__(self, lines: LinesSource, wanted: Wanted) -> None:
        self.name = lines.name
        self._lines = lines
        self._wanted = wanted
        self._headed = not numbered(wanted)
        #: Parsed rows, each with its values or what is wrong, and the place behind it.
        self._waiting: list[tuple[list[str] | str, Place]] = []
        self._place: Place = lines.place
        self._parsed = self._all()
        self.rows = 0

    @property
    def given(self) -> int:
        """Bytes of the files so far."""
        return self._lines.given

    @property
    def place(self) -> Place:
        """Where it stands: a new source of this place goes on here."""
        return self._place

    def ready(self, most: int) -> int:
        """How many rows, `most` of them or fewer, can be taken; none at the end of all files."""
        while len(self._waiting) < most:
            row = next(self._parsed, None)
            if row is None:
                break
            self._waiting.append(row)
        return min(most, len(self._waiting))

    def take(self, count: int) -> QuotedPiece:
        """The next rows, so many as were ready or fewer."""
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        self._place = taken[-1][1]
        self.rows += count
        return QuotedPiece([row for row, _ in taken], len(self._wanted))

    def close(self) -> None:
        """Close what is open."""
        self._lines.close()

    def _all(self) -> Iterator[tuple[list[str] | str, Place]]:
        while self._lines.ready(1):
            yield from self._of_file()

    def _of_file(self) -> Iterator[tuple[list[str] | str, Place]]:
        """The rows of the file that the next line is in."""
        path = self._lines.paths[self._lines.file]
        is_at_start = self._lines.is_at_start
        lines = _Lines(self._lines)
        rows = lines.rows()
        if is_at_start:
            first = next(rows)
        else:  # in another run; this one goes on behind it
            again = self._lines.again()
            first = next(_Lines(again).rows())
            again.close()
        line, fields = first
        if isinstance(fields, str):
            raise InputError(f"{name_of(path)}:{line}: {fields}; correct it")
        places, width = find(path, fields, self._wanted), len(fields)
        if is_at_start and not self._headed:
            rows = chain([first], rows)
        for line, fields in rows:
            problem = fields if isinstance(fields, str) else None
            if problem is None and len(fields) != width:
                problem = wrong_width(fields, width)
            if problem is None:
                yield [fields[place] for place in places], lines.place
            else:
                yield wrong_row(path, line, problem), lines.place


class _Lines:
    """The lines of the file that the next line of a source is in, as text."""

    def __init__(self, source: LinesSource) -> None:
        source.ready(1)
        self._source = source
        self._file = source.file
        self._raw: Iterator[bytes] = iter(())
        #: Behind the last line that was given.
        self.place = source.place
        self._problem: str | None = None

    def rows(self) -> Iterator[tuple[int, list[str] | str]]:
        """The line that each row begins at, and its fields or what is wrong with it."""
        from csv import Error, reader

        rows = reader(self, strict=True)
        while True:
            begin = self.place[2] + 1
            self._problem = None
            try:
                fields = next(rows)
            except StopIteration:
                return
            except Error as error:  # the next row begins on the next line
                yield begin, self._problem or f"no CSV: {error}"
            else:
                yield begin, self._problem or fields

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        raw = next(self._raw, None)
        if raw is None:
            count = self._source.ready(_LINES)
            if not count or self._source.file != self._file:
                raise StopIteration
            self._raw = iter(self._source.take(count).raw())
            raw = next(self._raw)
        file, offset, line = self.place
        self.place = file, offset + len(raw) + 1, line + 1
        try:
            return raw.decode() + "\n"
        except UnicodeDecodeError as error:
            self._problem = f"line {line + 1}: {what_is_wrong(error)}"
            return raw.decode(errors="replace") + "\n"

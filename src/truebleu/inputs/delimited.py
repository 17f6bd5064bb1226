# SPDX-License-Identifier: Apache-2.0
"""Rows of delimited files: TSV without quotes, and CSV, whose quoted values may contain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from csv import Error, reader
from itertools import islice
from typing import Any

from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.columns import Bad, Column
from truebleu.inputs.files import name_of
from truebleu.inputs.table_rows import (
    Parse,
    ParsedRows,
    Wanted,
    is_number,
    no_column,
    reason,
    row_error,
)
from truebleu.inputs.text_lines import LineRows

#: CSV rows that are parsed at once.
_ROWS = 1 << 12


def read_tsv(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[ParsedRows]:
    """Read tab-separated files. Their first lines name the columns, unless all are numbers."""
    for rows in lines:
        if rows.line == 1:
            header = rows.split(1)[0].raw()[0]
            try:
                names = _fields(header)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name_of(rows.path)}:1: {reason(error)}; save it as utf-8"
                ) from None
            parse = _tsv_parser(_places(rows.path, names, wanted), len(names))
            if not are_numbers(wanted):
                rows = rows.split(1)[1]  # noqa: PLW2901
        if rows.count:
            yield ParsedRows(rows, parse, len(wanted))


def _tsv_parser(places: Sequence[int], width: int) -> Parse:
    def parse(line: bytes) -> list[Any]:
        fields = _fields(line)
        if len(fields) != width:
            raise ValueError(_wrong_width(fields, width))
        return [fields[place] for place in places]

    return parse


def _fields(line: bytes) -> list[str]:
    return line.removesuffix(b"\r").decode().split("\t")


def _wrong_width(fields: Sequence[str], width: int) -> str:
    return f"{quantity(len(fields), 'field')}, but the first line has {width}"


def are_numbers(wanted: Wanted) -> bool:
    """Whether columns are named by their numbers: then a file has no line of names."""
    return all(is_number(name) for name, _ in wanted)


def _places(path: str, names: list[str], wanted: Wanted) -> list[int]:
    """The places of columns by name, or by number from 1."""
    if are_numbers(wanted):
        places = [int(name) - 1 for name, _ in wanted]
        for place in places:
            if not 0 <= place < len(names):
                raise OptionError(
                    f"{name_of(path)}: there is no column {place + 1}; "
                    f"it has {quantity(len(names), 'column')}"
                )
        return places
    for name, _ in wanted:
        if names.count(name) != 1:
            raise no_column(path, name, names)
    return [names.index(name) for name, _ in wanted]


class CsvRows:
    """Some rows of CSV files: the values of each, or an error."""

    __slots__ = ("_rows", "_width", "count", "position")

    def __init__(self, rows: list[list[str] | str], width: int, position: int) -> None:
        self._rows = rows
        self._width = width
        self.count = len(rows)
        self.position = position

    def split(self, count: int) -> tuple[CsvRows, CsvRows]:
        """The first rows and the rest."""
        first, rest = self._rows[:count], self._rows[count:]
        return CsvRows(first, self._width, self.position), CsvRows(rest, self._width, self.position)

    def columns(self) -> tuple[list[Column], Bad]:
        """The columns, and an error for each bad row, by its place in them."""
        bad: Bad = {i: row for i, row in enumerate(self._rows) if isinstance(row, str)}
        rows = [[""] * self._width if isinstance(row, str) else row for row in self._rows]
        return [list(column) for column in zip(*rows, strict=True)], bad


def read_csv(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[CsvRows]:
    """Read CSV files as RFC 4180 describes them: commas, double quotes, a first line of names.

    Args:
        lines: of the files.
        wanted: columns by name; or all by number, then the files have no line of names.

    Raises:
        InputError: the line of names is not CSV.
        OptionError: a file does not have such a column.
    """
    first = next(lines, None)
    while first is not None:
        file = _CsvFile(first, lines)
        rows = file.rows(wanted)
        while some := list(islice(rows, _ROWS)):
            yield CsvRows(some, len(wanted), file.position)
        first = file.next


class _CsvFile:
    """One file of those that the lines come from."""

    def __init__(self, first: LineRows, lines: Iterator[LineRows]) -> None:
        self._path = first.path
        self._first = first
        self._lines = lines
        #: The problem of the characters of the row that is being read.
        self._problem = ""
        self.position = first.position
        #: The first lines of the next file.
        self.next: LineRows | None = None

    def rows(self, wanted: Wanted) -> Iterator[list[str] | str]:
        """The wanted values of each row, or what is wrong with it."""
        parsed = self._parsed()
        line, header = next(parsed)
        if isinstance(header, str):
            raise InputError(f"{name_of(self._path)}:{line}: {header}; correct it")
        places, width = _places(self._path, header, wanted), len(header)
        if are_numbers(wanted):
            yield [header[place] for place in places]
        for line, fields in parsed:
            if isinstance(fields, str):
                yield row_error(self._path, line, fields)
            elif len(fields) != width:
                yield row_error(self._path, line, _wrong_width(fields, width))
            else:
                yield [fields[place] for place in places]

    def _parsed(self) -> Iterator[tuple[int, list[str] | str]]:
        """The line that each row starts on, and its fields or what is wrong with it."""
        rows = reader(self._text(), strict=True)
        while True:
            line = rows.line_num + 1
            self._problem = ""
            try:
                fields = next(rows)
            except StopIteration:
                return
            except Error as error:  # the next row starts on the next line
                yield line, self._problem or f"not CSV: {error}"
            else:
                yield line, self._problem or fields

    def _text(self) -> Iterator[str]:
        rows: LineRows | None = self._first
        while rows is not None:
            if rows.line == 1 and rows is not self._first:
                self.next = rows
                return
            self.position = rows.position
            for i, line in enumerate(rows.raw()):
                try:
                    yield line.decode() + "\n"
                except UnicodeDecodeError as error:
                    self._problem = f"line {rows.line + i}: {reason(error)}"
                    yield line.decode(errors="replace") + "\n"
            rows = next(self._lines, None)

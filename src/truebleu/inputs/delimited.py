# SPDX-License-Identifier: Apache-2.0
"""Rows of delimited files: TSV, and CSV, whose values in quotes may contain line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from csv import Error, reader
from dataclasses import replace
from itertools import islice
from typing import Any

from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.columns import (
    LABEL,
    Parse,
    TableRows,
    Wanted,
    is_number,
    no_column,
    reason,
    row_error,
)
from truebleu.inputs.files import name_of
from truebleu.inputs.text_lines import LineRows

#: CSV rows that are parsed at once.
_ROWS = 1 << 12


#: The text of a value in quotes.
_QUOTED = re.compile(rb'(?:^|\t)"([^\t\n]*)"(?=\t|\r?$)', re.MULTILINE)
#: A quote that opens a value.
_OPENED = re.compile(rb'(?:^|\t)"', re.MULTILINE)
#: A value with a single quote in the middle, which writers of CSV would put in quotes.
_UNQUOTED = re.compile(rb'(?:^|\t)[^"\t\n]++"(?!")[^\t\n]*[^"\s](?=\t|\r?$)', re.MULTILINE)


def read_tsv(
    lines: Iterator[LineRows], wanted: Wanted, notice: Callable[[str], None] = lambda _: None
) -> Iterator[LineRows | TableRows]:
    """Read tab-separated files. Their first lines name the columns, unless all are numbers.

    pandas and other writers of CSV put values with quotes in quotes. From the first block of lines
    on that shows this, the values are read by the rules of CSV, with a notice, unless a block
    before has a value that they would not write. An error if these rules would also change a value
    before, or such a value follows: the order of rows must not change a score.
    """
    has_quotes = is_plain = False
    rows = next(lines, None)
    while rows is not None:
        if rows.line == 1:
            has_quotes = is_plain = False
            header = rows.split(1)[0].raw()[0]
            try:
                names = _fields(header)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name_of(rows.path)}:1: {reason(error)}; save it as utf-8"
                ) from None
        text = b"\n".join(rows.raw()) if rows.has(b'"') and not is_plain else b""
        if not is_plain and is_quoted(text, names if rows.line == 1 else ()):
            if has_quotes:
                raise InputError(
                    f"{name_of(rows.path)}:{rows.line}: values are in quotes as in CSV from here "
                    "on, but not before; write all of them in one way"
                )
            notice(
                f"{name_of(rows.path)}: values are in quotes, as pandas writes them; read as CSV"
            )
            file = _CsvFile(rows, lines, "\t", None if rows.line == 1 else names)
            yield from file.read(wanted)
            rows = file.next
            continue
        has_quotes = has_quotes or _OPENED.search(text) is not None
        is_plain = is_plain or _UNQUOTED.search(text) is not None
        if rows.line == 1:
            parse = _tsv_parser(_Columns(rows.path, names, wanted), len(names))
            if not are_numbers(wanted):
                rows = rows.split(1)[1]
        if rows.count:
            yield replace(rows, parse=parse, width=len(wanted))
        rows = next(lines, None)


def is_quoted(text: bytes, names: Sequence[str]) -> bool:
    """Whether a writer of CSV wrote lines of a TSV file, perhaps with a first line of names."""
    if names and all(len(name) > 1 and name[0] == name[-1] == '"' for name in names):
        return True
    if _UNQUOTED.search(text):
        return False
    # Only writers of CSV write a value in quotes in which each quote is doubled.
    values = (value[1] for value in _QUOTED.finditer(text))
    return any(b'""' in value and b'"' not in value.replace(b'""', b"") for value in values)


def _tsv_parser(columns: _Columns, width: int) -> Parse:
    def parse(line: bytes) -> list[Any]:
        fields = _fields(line)
        if len(fields) != width:
            what = _wrong_width(fields, width)
            if line.count(b'"') % 2:
                what += ", and a quote is not closed; save values with line breaks as CSV"
            raise ValueError(what)
        return columns.of(fields)

    return parse


def _fields(line: bytes) -> list[str]:
    return line.removesuffix(b"\r").decode().split("\t")


def _wrong_width(fields: Sequence[str], width: int) -> str:
    return f"{quantity(len(fields), 'field')}, but the first line has {width}"


def are_numbers(wanted: Wanted) -> bool:
    """Whether columns are named by their numbers: then a file has no line of names."""
    return all(is_number(name) for name, _ in wanted)


class _Columns:
    """The columns to read of a file: by name, or by number from 1."""

    def __init__(self, path: str, names: list[str], wanted: Wanted) -> None:
        if are_numbers(wanted):
            self._places = [int(name) - 1 for name, _ in wanted]
            for place in self._places:
                if not 0 <= place < len(names):
                    raise OptionError(
                        f"{name_of(path)}: there is no column {place + 1}; "
                        f"it has {quantity(len(names), 'column')}"
                    )
        else:
            for name, _ in wanted:
                if names.count(name) != 1:
                    raise no_column(path, name, names)
            self._places = [names.index(name) for name, _ in wanted]
        self._labels = [i for i, (_, kind) in enumerate(wanted) if kind == LABEL]

    def of(self, fields: Sequence[str]) -> list[Any]:
        """Their values in a row; an empty label is null, which these files cannot write."""
        values: list[Any] = [fields[place] for place in self._places]
        for i in self._labels:
            values[i] = values[i] or None
        return values


def read_csv(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[TableRows]:
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
        yield from file.read(wanted)
        first = file.next


class _CsvFile:
    """One file of those that the lines come from, or the rest of it after the line of `names`."""

    def __init__(
        self,
        first: LineRows,
        lines: Iterator[LineRows],
        delimiter: str = ",",
        names: list[str] | None = None,
    ) -> None:
        self._path = first.path
        self._delimiter = delimiter
        self._names = names
        self._first = first
        self._lines = lines
        #: The problem of the characters of the row that is being read.
        self._problem = ""
        self.position = first.position
        #: The first lines of the next file.
        self.next: LineRows | None = None

    def read(self, wanted: Wanted) -> Iterator[TableRows]:
        """The wanted values, some rows at a time."""
        rows = self._rows(wanted)
        while chunk := list(islice(rows, _ROWS)):
            yield TableRows(chunk, len(wanted), self.position)

    def _rows(self, wanted: Wanted) -> Iterator[list[Any] | str]:
        """The wanted values of each row, or what is wrong with it."""
        parsed = self._parsed()
        header: list[str] | str | None = self._names
        if header is None:
            line, _, header = next(parsed)
        if isinstance(header, str):
            raise InputError(f"{name_of(self._path)}:{line}: {header}; correct it")
        columns, width = _Columns(self._path, header, wanted), len(header)
        if are_numbers(wanted) and self._names is None:
            yield columns.of(header)
        for line, end, fields in parsed:
            if isinstance(fields, list) and len(fields) == width:
                yield columns.of(fields)
                continue
            what = fields if isinstance(fields, str) else _wrong_width(fields, width)
            if end > line + 1:  # rows inside the quotes would be neither scored nor counted
                raise InputError(
                    f"{name_of(self._path)}:{line}: {what}; the row has line breaks in quotes and "
                    f"ends on line {end - 1}: correct its quotes"
                )
            yield row_error(self._path, line, what)

    def _parsed(self) -> Iterator[tuple[int, int, list[str] | str]]:
        """The line that each row starts on, that after it, and its fields or what is wrong."""
        rows = reader(self._text(), strict=True, delimiter=self._delimiter)
        before = self._first.line
        while True:
            line = rows.line_num + before
            self._problem = ""
            try:
                fields = next(rows)
            except StopIteration:
                return
            except Error as error:  # the next row starts on the next line
                yield line, rows.line_num + before, self._problem or f"not CSV: {error}"
            else:
                end = line + 1 if self._problem else rows.line_num + before
                yield line, end, self._problem or fields

    def _text(self) -> Iterator[str]:
        rows: LineRows | None = self._first
        while rows is not None:
            if rows.line == 1 and rows is not self._first:
                self.next = rows
                return
            self.position = rows.position
            if self._delimiter == "\t" and rows.has(b'"'):
                text = b"\n".join(rows.raw())
                if match := _UNQUOTED.search(text):
                    raise InputError(
                        f"{name_of(self._path)}:{rows.line + text.count(10, 0, match.end())}: a "
                        "value with quotes is not in quotes as in CSV, but values before are; "
                        "write all of them in one way"
                    )
            for i, line in enumerate(rows.raw()):
                try:
                    yield line.decode() + "\n"
                except UnicodeDecodeError as error:
                    self._problem = f"line {rows.line + i}: {reason(error)}"
                    yield line.decode(errors="replace") + "\n"
            rows = next(self._lines, None)

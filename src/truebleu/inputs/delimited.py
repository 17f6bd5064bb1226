# SPDX-License-Identifier: Apache-2.0
"""Rows of delimited files: TSV, and CSV, whose values in quotes may contain line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from csv import Error, reader
from itertools import chain, islice
from typing import Any

from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.columns import LABEL, TableRows, Wanted, bad_row, is_number, no_column, reason
from truebleu.inputs.files import name_of
from truebleu.inputs.text_lines import LineRows, by_file

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
) -> Iterator[TableRows]:
    """Read tab-separated files. Their first lines name the columns, unless all are numbers.

    pandas and other writers of CSV put values with quotes in quotes. From the first block of lines
    on that shows this, the values are read by the rules of CSV, with a notice, unless a block
    before has a value that they would not write. An error if these rules would also change a value
    before, or such a value follows: the order of rows must not change a score.
    """
    for file in by_file(lines):
        yield from _read_tsv(file, wanted, notice)


def _read_tsv(file: Iterator[LineRows], wanted: Wanted, notice: Callable[[str], None]) -> Iterator[TableRows]:
    names, has_quotes, is_plain = [""], False, False
    for rows in file:
        where = f"{name_of(rows.path)}:{rows.line}"
        if is_first := rows.line == 1:
            try:
                names = _fields(rows.first)
            except UnicodeDecodeError as error:
                raise InputError(f"{where}: {reason(error)}; save it as utf-8") from None
        text = b"\n".join(rows.raw()) if rows.has(b'"') and not is_plain else b""
        if not is_plain and is_quoted(text, names if is_first else ()):
            if has_quotes:
                raise InputError(f"{where}: values are quoted from here on only; quote all or none")
            notice(f"{name_of(rows.path)}: values are in quotes, as pandas writes them; read as CSV")
            header = None if is_first else names
            yield from _CsvFile(chain([rows], file), "\t").read(wanted, header)
            return
        has_quotes = has_quotes or _OPENED.search(text) is not None
        is_plain = is_plain or _UNQUOTED.search(text) is not None
        if is_first:
            parse = _tsv_parser(_values(rows.path, names, wanted), len(names))
            if not are_numbers(wanted):
                rows = rows.split(1)[1]  # noqa: PLW2901
        if rows.count:
            yield rows.table(parse, len(wanted))


def is_quoted(text: bytes, names: Sequence[str]) -> bool:
    """Whether a writer of CSV wrote lines of a TSV file, perhaps with a first line of names."""
    if names and all(len(name) > 1 and name[0] == name[-1] == '"' for name in names):
        return True
    if _UNQUOTED.search(text):
        return False
    # Only writers of CSV write a value in quotes in which each quote is doubled.
    values = (value[1] for value in _QUOTED.finditer(text))
    return any(b'""' in value and b'"' not in value.replace(b'""', b"") for value in values)


def _tsv_parser(values: Callable[[list[str]], list[Any]], width: int) -> Callable[[bytes], list[Any]]:
    def parse(line: bytes) -> list[Any]:
        fields = _fields(line)
        if len(fields) != width:
            what = _wrong_width(fields, width)
            if line.count(b'"') % 2:
                what += ", and a quote is not closed; save values with line breaks as CSV"
            raise ValueError(what)
        return values(fields)

    return parse


def _fields(line: bytes) -> list[str]:
    return line.removesuffix(b"\r").decode().split("\t")


def _wrong_width(fields: Sequence[str], width: int) -> str:
    return f"{quantity(len(fields), 'field')}, but the first line has {width}"


def are_numbers(wanted: Wanted) -> bool:
    """Whether columns are named by their numbers: then a file has no line of names."""
    return all(is_number(name) for name, _ in wanted)


def _values(path: str, names: list[str], wanted: Wanted) -> Callable[[list[str]], list[Any]]:
    """The function that takes the wanted values of a row: by name, or by number from 1.

    An empty label is null, which these files cannot write.
    """
    for name, _ in wanted:
        if not are_numbers(wanted):
            if names.count(name) != 1:
                raise no_column(path, name, names)
        elif not 1 <= int(name) <= len(names):
            raise OptionError(f"{name_of(path)}: no column {name}; the last is {len(names)}")
    places = [
        (int(name) - 1 if are_numbers(wanted) else names.index(name), None if kind == LABEL else "")
        for name, kind in wanted
    ]
    return lambda fields: [fields[place] or empty for place, empty in places]


def read_csv(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[TableRows]:
    """Read CSV files as RFC 4180 describes them: commas, double quotes, a first line of names.

    Args:
        lines: of the files.
        wanted: columns by name; or all by number, then the files have no line of names.

    Raises:
        InputError: the line of names is not CSV.
        OptionError: a file does not have such a column.
    """
    for file in by_file(lines):
        yield from _CsvFile(file).read(wanted)


class _CsvFile:
    """One file of delimited values, or the rest of it after some lines."""

    def __init__(self, blocks: Iterator[LineRows], delimiter: str = ",") -> None:
        self._blocks = blocks
        self._delimiter = delimiter
        #: The problem of the characters of the row that is being read.
        self._problem = ""
        #: The lines that are being read.
        self._block = next(blocks)
        self._path, self._start = self._block.path, self._block.line

    def read(self, wanted: Wanted, names: list[str] | None = None) -> Iterator[TableRows]:
        """The wanted values, some rows at a time; `names` are of the columns, if they were read."""
        rows = self._rows(wanted, names)
        while chunk := list(islice(rows, _ROWS)):
            yield TableRows(chunk, len(wanted), self._block.position)

    def _rows(self, wanted: Wanted, names: list[str] | None) -> Iterator[list[Any] | str]:
        """The wanted values of each row, or what is wrong with it."""
        parsed = self._parsed()
        if names is None:
            line, end, names, problem = next(parsed)
            if problem:
                raise InputError(f"{name_of(self._path)}:{line}: {problem}; correct it")
            if are_numbers(wanted):
                parsed = chain([(line, end, names, "")], parsed)
        values, width = _values(self._path, names, wanted), len(names)
        for line, end, fields, problem in parsed:
            if not problem and len(fields) == width:
                yield values(fields)
                continue
            what = problem or _wrong_width(fields, width)
            if end > line + 1:  # rows inside the quotes would be neither scored nor counted
                raise InputError(
                    f"{name_of(self._path)}:{line}: {what}; the row has line breaks in quotes and "
                    f"ends on line {end - 1}: correct its quotes"
                )
            yield bad_row(self._path, line, what)

    def _parsed(self) -> Iterator[tuple[int, int, list[str], str]]:
        """The line that each row starts on, that after it, its fields, and what is wrong."""
        rows = reader(self._text(), strict=True, delimiter=self._delimiter)
        while True:
            line, self._problem = self._start + rows.line_num, ""
            try:
                fields = next(rows)
                end = line + 1 if self._problem else self._start + rows.line_num
            except StopIteration:
                return
            except Error as error:  # the next row starts on the next line
                fields, end = [], self._start + rows.line_num
                self._problem = self._problem or f"not CSV: {error}"
            yield line, end, fields, self._problem

    def _text(self) -> Iterator[str]:
        for block in chain([self._block], self._blocks):
            self._block = block
            if self._delimiter == "\t" and block.has(b'"'):
                text = b"\n".join(block.raw())
                if match := _UNQUOTED.search(text):
                    number = block.line + text.count(10, 0, match.end())
                    where = f"{name_of(self._path)}:{number}"
                    raise InputError(f"{where}: a value is not quoted as before; quote all")
            for i, line in enumerate(block.raw()):
                try:
                    yield line.decode() + "\n"
                except UnicodeDecodeError as error:
                    self._problem = f"line {block.line + i}: {reason(error)}"
                    yield line.decode(errors="replace") + "\n"

# SPDX-License-Identifier: Apache-2.0
"""Rows of delimited files: TSV, and CSV, whose values in quotes may contain line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from csv import Error, reader
from itertools import chain, islice
from typing import Any

from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.columns import LABEL, TableRows, Wanted, is_number, no_column, reason
from truebleu.inputs.files import name_of
from truebleu.inputs.text_lines import LineRows

#: Rows that are parsed at once.
_ROWS = 1 << 12

#: The lines that a row is in, its first line, that after it, its fields, and what is wrong.
Row = tuple[LineRows, int, int, list[str], str]

#: The text of a value in quotes.
_QUOTED = re.compile(rb'(?:^|\t)"([^\t\n]*)"(?=\t|\r?$)', re.MULTILINE)
#: A quote that opens a value.
_OPENED = re.compile(rb'(?:^|\t)"', re.MULTILINE)
#: A value with a single quote in the middle, which writers of CSV would put in quotes.
_UNQUOTED = re.compile(rb'(?:^|\t)[^"\t\n]++"(?!")[^\t\n]*[^"\s](?=\t|\r?$)', re.MULTILINE)


def read_delimited(rows: Iterator[Row], wanted: Wanted) -> Iterator[TableRows]:
    """The wanted values of the rows of a file, or what is wrong with them, some at a time.

    Args:
        rows: of the file; the first row names the columns.
        wanted: columns by name; or all by number, then the file has no row of names.

    Raises:
        InputError: the row of names is not in the format.
        OptionError: the file does not have such a column.
    """
    block, line, _, names, problem = first = next(rows)
    file, width = name_of(block.path), len(names)
    if problem:
        raise InputError(f"{file}:{line}: {problem}; correct it")
    values = _values(block.path, names, wanted)

    def read(row: Row) -> list[Any] | str:
        nonlocal block
        block, line, end, fields, problem = row
        if not problem and len(fields) == width:
            return values(fields)
        what = problem or _wrong_width(fields, width)
        if end > line + 1:  # rows inside the quotes would be neither scored nor counted
            raise InputError(
                f"{file}:{line}: {what}; the row has line breaks in quotes and "
                f"ends on line {end - 1}: correct its quotes"
            )
        return f"{file}:{line}: {what}; correct the row"

    rows = chain([first], rows) if are_numbers(wanted) else rows
    while chunk := list(map(read, islice(rows, _ROWS))):
        yield TableRows(chunk, len(wanted), block.position)


def tsv_rows(blocks: Iterator[LineRows], notice: Callable[[str], None]) -> Iterator[Row]:
    """The rows of a tab-separated file.

    pandas and other writers of CSV put values with quotes in quotes. From the first block of lines
    on that shows this, the values are read by the rules of CSV, with a notice, unless a block
    before has a value that they would not write. An error if these rules would also change a value
    before, or such a value follows: the order of rows must not change a score.
    """
    width, has_quotes, is_plain = 0, False, False
    for block in blocks:
        file, names = name_of(block.path), []
        if block.line == 1:
            try:
                names = _fields(block.first)
            except UnicodeDecodeError as error:
                raise InputError(f"{file}:1: {reason(error)}; save it as utf-8") from None
            width = len(names)
        text = block.text if not is_plain and b'"' in block.text else b""
        if not is_plain and is_quoted(text, names):
            if has_quotes:
                raise InputError(f"{file}:{block.line}: values are quoted from here on only; quote all or none")
            notice(f"{file}: values are in quotes, as pandas writes them; read as CSV")
            yield from csv_rows(chain([block], blocks), "\t")
            return
        has_quotes = has_quotes or _OPENED.search(text) is not None
        is_plain = is_plain or _UNQUOTED.search(text) is not None
        for number, line in enumerate(block.raw(), block.line):
            fields, problem = [], ""
            try:
                fields = _fields(line)
                if len(fields) != width and line.count(b'"') % 2:
                    problem = (
                        f"{_wrong_width(fields, width)}, and a quote is not closed; save values with line breaks as CSV"
                    )
            except UnicodeDecodeError as error:
                problem = reason(error)
            yield block, number, number + 1, fields, problem


def csv_rows(blocks: Iterator[LineRows], delimiter: str = ",") -> Iterator[Row]:
    """The rows of a CSV file as RFC 4180 describes it: commas and double quotes."""
    block = first = next(blocks)
    problem = ""

    def text() -> Iterator[str]:
        nonlocal block, problem
        for block in chain([first], blocks):
            if delimiter == "\t" and (match := _UNQUOTED.search(block.text)):
                where = f"{name_of(block.path)}:{block.line + block.text.count(10, 0, match.end())}"
                raise InputError(f"{where}: a value is not quoted as before; quote all")
            for number, line in enumerate(block.raw(), block.line):
                try:
                    yield line.decode() + "\n"
                except UnicodeDecodeError as error:
                    problem = f"line {number}: {reason(error)}"
                    yield line.decode(errors="replace") + "\n"

    rows = reader(text(), strict=True, delimiter=delimiter)
    while True:
        line, problem = first.line + rows.line_num, ""
        try:
            fields = next(rows)
            end = line + 1 if problem else first.line + rows.line_num
        except StopIteration:
            return
        except Error as error:  # the next row starts on the next line
            fields, end = [], first.line + rows.line_num
            problem = problem or f"not CSV: {error}"
        yield block, line, end, fields, problem


def is_quoted(text: bytes, names: Sequence[str]) -> bool:
    """Whether a writer of CSV wrote lines of a TSV file, perhaps with a first line of names."""
    if names and all(len(name) > 1 and name[0] == name[-1] == '"' for name in names):
        return True
    if _UNQUOTED.search(text):
        return False
    # Only writers of CSV write a value in quotes in which each quote is doubled.
    values = (value[1] for value in _QUOTED.finditer(text))
    return any(b'""' in value and b'"' not in value.replace(b'""', b"") for value in values)


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

# SPDX-License-Identifier: Apache-2.0
"""Rows of tables: the columns that are read, the values they may hold, errors of single rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truebleu.errors import OptionError, suggest
from truebleu.inputs.columns import Bad, Column
from truebleu.inputs.files import name_of

#: Columns to read, by name, each with the kind of its values.
Wanted = Sequence[tuple[str, str]]
#: Parses a line to one value for each column; raises ValueError with the problem.
Parse = Callable[[bytes], list[Any]]

#: Kinds of values: a text; a text or a list of texts; the same or null, because there are other
#: columns of references; the name of a group, or null.
TEXT, TEXTS, TEXTS_OR_NULL, LABEL = "text", "texts", "texts or null", "label"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRows:
    """Some rows of a table: the values of each, or an error.

    Attributes:
        position: bytes of all files that were read so far.
    """

    _rows: list[list[Any] | str]
    _width: int
    position: int

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def split(self, count: int) -> tuple[TableRows, TableRows]:
        """The first rows and the rest."""
        first, remainder = self._rows[:count], self._rows[count:]
        return replace(self, _rows=first), replace(self, _rows=remainder)

    def columns(self) -> tuple[list[Column], Bad]:
        """The columns, and an error for each bad row, by its place in them."""
        bad: Bad = {i: row for i, row in enumerate(self._rows) if isinstance(row, str)}
        # What replaces a bad row is never scored.
        rows = [[""] * self._width if isinstance(row, str) else row for row in self._rows]
        return [list(column) for column in zip(*rows, strict=True)], bad


def row_error(path: str, line: int, what: str) -> str:
    """The message about a row that starts on a line of a file."""
    return f"{name_of(path)}:{line}: {what}; correct the row"


def reason(error: ValueError) -> str:
    """The problem of a row, from the error of its parser."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} of the line is not utf-8"
    return str(error)


def no_column(path: str, name: str, names: Sequence[str]) -> OptionError:
    """The error for a column that a table does not have, or has twice."""
    if name in names:
        return OptionError(f"{name_of(path)}: several columns are named {name!r}; rename them")
    return OptionError(f"{name_of(path)}: no column is named {suggest(name, names)}")


def is_number(text: str) -> bool:
    """Whether it is the number of a column or of a list item; Python limits the digits."""
    return text.isdecimal() and len(text) < 20

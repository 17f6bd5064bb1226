# SPDX-License-Identifier: Apache-2.0
"""Rows of several tables, matched by the values of a column."""

from __future__ import annotations

from typing import Any

from truebleu.errors import InputError, quantity
from truebleu.inputs.files import name_of


class Join:
    """Brings the rows of tables into the order of the first.

    Args:
        column: whose values are the keys of the rows.
    """

    def __init__(self, column: str) -> None:
        self._column = column
        self._first: tuple[str, dict[str, int]] | None = None

    def matched(self, path: str, keys: list[str | None], columns: list[Any]) -> list[Any]:
        """The columns of a table in the order of the first table.

        Raises:
            InputError: a key is null or occurs twice, or another table does not have it.
        """
        file, rows = name_of(path), self._rows(name_of(path), keys)
        if self._first is None:
            self._first = file, rows
        first_file, first = self._first
        for own, other, named in ((rows, first, file), (first, rows, first_file)):
            if missing := [key for key in other if key not in own]:
                others = f" and {quantity(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
                raise InputError(
                    f"{named}: no row has {self._column} {missing[0]!r}{others}; both tables must "
                    "have the same rows"
                )
        return [[values[rows[key]] for key in first] for values in columns]

    def _rows(self, file: str, keys: list[str | None]) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row, key in enumerate(keys):
            if key is None:
                raise InputError(f"{file}: row {row + 1}: {self._column} is missing; add it")
            if key in rows:
                raise InputError(
                    f"{file}: rows {rows[key] + 1} and {row + 1} have the same {self._column} "
                    f"{key!r}; join by a column that is different in each row"
                )
            rows[key] = row
        return rows

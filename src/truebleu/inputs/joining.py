# SPDX-License-Identifier: Apache-2.0
"""Rows of several tables, matched by the values of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truebleu.errors import InputError, quantity
from truebleu.inputs.files import name_of


def in_one_order(column: str, tables: Mapping[tuple[str, ...], list[list[Any]]]) -> None:
    """Bring the rows of tables into the order of the first, by the keys in their last columns.

    Args:
        column: the name of the keys.
        tables: the columns of each table by its files.

    Raises:
        InputError: a key is null or occurs twice, or another table does not have it.
    """
    places = {files: _places(name_of(files[0]), column, columns[-1]) for files, columns in tables.items()}
    (first_files, first), *_ = places.items()
    for files, columns in tables.items():
        own = places[files]
        for lacking, rows, others in ((files, own, first), (first_files, first, own)):
            if missing := [key for key in others if key not in rows]:
                more = f" and {quantity(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
                raise InputError(
                    f"{name_of(lacking[0])}: no row has {column} {missing[0]!r}{more}; both tables "
                    "must have the same rows"
                )
        columns[:] = [[values[own[key]] for key in first] for values in columns]


def _places(file: str, column: str, keys: Sequence[str | None]) -> dict[str, int]:
    """The place of each key."""
    places: dict[str, int] = {}
    for row, key in enumerate(keys):
        if key is None:
            raise InputError(f"{file}: row {row + 1}: {column} is missing; add it")
        if key in places:
            raise InputError(
                f"{file}: rows {places[key] + 1} and {row + 1} have the same {column} {key!r}; "
                "join by a column that is different in each row"
            )
        places[key] = row
    return places

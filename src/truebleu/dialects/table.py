# SPDX-License-Identifier: Apache-2.0
"""From the literals of a table of dialects to dialects."""

from __future__ import annotations

# The same as in collections.abc, without the import of all of collections: 1 ms of the command.
from _collections_abc import Mapping

from truebleu.dialects.decisions import ABOUT, OPTIONS, PARTS, Dialect, rebuild

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Table(Mapping[str, Dialect]):
    """Dialects by name, each made when it is asked for: making all would take a command 3 ms.

    Args:
        rows: for each name what is said about the row, the options in which it differs from the
            defaults, and perhaps as `like` the row whose options it has beside its own.
    """

    def __init__(self, rows: dict[str, dict[str, Any]]) -> None:
        self._rows = rows
        self._made: dict[str, Dialect] = {}

    def __getitem__(self, name: str) -> Dialect:
        if name not in self._made:
            options, about = self._resolve(name)
            parts = [
                part(**{o.name: options[o.name] for o in part.options if o.name in options})
                for part in PARTS
            ]
            self._made[name] = rebuild(parts, name, about)
        return self._made[name]

    def _resolve(self, name: str) -> tuple[dict[str, Any], dict[str, str]]:
        row = self._rows[name]
        options, about = self._resolve(row["like"]) if "like" in row else ({}, {})
        options |= {key: value for key, value in row.items() if key in OPTIONS}
        return options, {key: row.get(key, about.get(key, "")) for key in ABOUT}

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

# SPDX-License-Identifier: Apache-2.0
"""Where columns of segments are."""

from __future__ import annotations

from truebleu.inputs.files import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any


class Origin:
    """Where a column of segments is.

    Attributes:
        kind: of its values, as tables have them: `text`, `texts`, `texts or null` or `label`.
        paths: a text file, or the files of a table.
        name: of the column of the table; empty for a text file.
        run: the statistics of a system, if the file is a run file.
    """

    __slots__ = ("kind", "name", "paths", "run")

    def __init__(self, kind: str, paths: Iterable[str], name: str = "", run: Any = None) -> None:
        self.kind = kind
        self.paths = tuple(paths)
        self.name = name
        self.run = run

    @property
    def label(self) -> str:
        """The name of the column, or of the file."""
        return self.name or name_of(self.paths[0])


def origins(kind: str, paths: Sequence[str], names: Sequence[str]) -> list[Origin]:
    """Columns of a table by their names; without names, text files."""
    return [Origin(kind, paths, name) for name in names] or [Origin(kind, [p]) for p in paths]

# SPDX-License-Identifier: Apache-2.0
"""The texts that are checked: columns, which need not be of one length, and how their rows pair."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any


class Column(Frozen):
    """Segments one below the other: a file, or an argument of `check`.

    Attributes:
        role: `hyp`, `ref` or `src`.
        name: the path of the file, or the name of the argument.
        texts: a text for each row; None where a reference is absent.
        first: the number of the first row: 1 in a file, 0 in an argument.
        suffix: what follows the number of a row of several references in one argument.
    """

    __slots__ = ("first", "name", "role", "suffix", "texts")

    role: str
    name: str
    texts: tuple[str | None, ...]
    first: int
    suffix: str

    def __init__(
        self, role: str, name: str, texts: Sequence[Any], first: int = 0, suffix: str = ""
    ) -> None:
        for row, text in enumerate(texts):
            if not isinstance(text, str) and not (text is None and role == "ref"):
                raise InputError(
                    f"{name}[{row}] is of type {type(text).__name__}; check reads text as it is "
                    "before it is tokenized: give strings"
                )
        values = {"role": role, "name": name, "texts": tuple(texts), "first": first}
        for slot, value in {**values, "suffix": suffix}.items():
            object.__setattr__(self, slot, value)

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def place(self) -> tuple[str, str, str]:
        """What tells columns apart, whatever their texts."""
        return self.role, self.name, self.suffix

    def rows(self) -> Iterator[tuple[int, str]]:
        """The rows that have a text."""
        return ((row, text) for row, text in enumerate(self.texts) if text is not None)

    def where(self, row: int) -> str:
        """A row as an editor or Python finds it: `hyp.txt:17`, `refs[16][1]`."""
        if self.first:
            return f"{self.name}:{row + self.first}{self.suffix}"
        return f"{self.name}[{row}]{self.suffix}"

    def cut(self, length: int) -> Column:
        """The column without the rows from `length` on."""
        return Column(self.role, self.name, self.texts[:length], self.first, self.suffix)


class Texts(Frozen):
    """Hypotheses, references and perhaps sources, and which of their rows make a segment.

    Attributes:
        hyp, refs, src: the columns.
        rows: for each column, the row of each segment, None where the segment lacks it. Without,
            row i of each column is segment i.
    """

    __slots__ = ("hyp", "refs", "rows", "src")

    hyp: Column
    refs: tuple[Column, ...]
    src: Column | None
    rows: Mapping[Column, Sequence[int | None]]

    def __init__(
        self,
        hyp: Column,
        refs: Sequence[Column],
        src: Column | None = None,
        rows: Mapping[Column, Sequence[int | None]] | None = None,
    ) -> None:
        values = {"hyp": hyp, "refs": tuple(refs), "src": src, "rows": rows or {}}
        for slot, value in values.items():
            object.__setattr__(self, slot, value)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns: hypotheses, references, sources."""
        return (self.hyp, *self.refs, *(() if self.src is None else (self.src,)))

    @property
    def paired(self) -> bool:
        """Whether hypotheses and references can be scored as they stand: all of one length."""
        return len({len(column) for column in (self.hyp, *self.refs)}) == 1

    def segments(self, column: Column) -> list[str | None]:
        """The texts of a column in the order of the segments."""
        if column not in self.rows:
            return list(column.texts)
        texts = column.texts
        return [None if row is None else texts[row] for row in self.rows[column]]

    def row(self, column: Column, segment: int) -> int | None:
        """Which row of a column a segment has."""
        return self.rows[column][segment] if column in self.rows else segment

    def without(self, segments: Sequence[int]) -> Texts:
        """The texts less some segments."""
        gone = set(segments)
        rows = {
            column: [self.row(column, i) for i in range(self.length) if i not in gone]
            for column in self.columns
        }
        return Texts(self.hyp, self.refs, self.src, rows)

    def with_refs(self, refs: Sequence[Column]) -> Texts:
        """The texts with these of the references alone."""
        return Texts(self.hyp, refs, self.src, self.rows)

    def without_src(self) -> Texts:
        """The texts without their sources."""
        rows = {column: rows for column, rows in self.rows.items() if column is not self.src}
        return Texts(self.hyp, self.refs, None, rows)

    @property
    def length(self) -> int:
        """The number of segments, of texts that are in step."""
        return len(self.rows.get(self.hyp, self.hyp.texts))

    def scored(self) -> tuple[list[str], list[list[str | None]]]:
        """Hypotheses and references as the metric takes them; a lost hypothesis is empty."""
        hyps = [hyp or "" for hyp in self.segments(self.hyp)]
        columns = [self.segments(ref) for ref in self.refs]
        return hyps, [list(refs) for refs in zip(*columns, strict=True)]

# SPDX-License-Identifier: Apache-2.0
"""The texts to check: columns, which may differ in length, and excerpts of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from truebleu.errors import InputError
from truebleu.text.escaping import excerpt

#: Excerpts of a finding: more are skipped by readers.
EXCERPTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Segments in order: a file, or an argument of `check`.

    Attributes:
        role: `hyp`, `ref` or `src`.
        texts: one per row; None where a reference is absent.
        first: the number of the first row: 1 in a file, 0 in an argument.
        suffix: follows the row number, for one of several references in an argument.
        rows: of aligned texts, the row of each segment in the file, None where it has none.
    """

    role: str
    name: str
    texts: Sequence[str | None]
    first: int = 0
    suffix: str = ""
    rows: Sequence[int | None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for row, text in enumerate(self.texts):
            if not isinstance(text, str) and not (text is None and self.role == "ref"):
                raise InputError(
                    f"{self.name}[{row}] is of type {type(text).__name__}; check reads text before "
                    "it is tokenized: give strings"
                )

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def place(self) -> tuple[str, str, str]:
        """Identifies the column, independent of its texts."""
        return self.role, self.name, self.suffix

    @property
    def filled(self) -> list[str]:
        """The texts, empty ones where a reference is absent."""
        is_full = None not in self.texts
        return [*self.texts] if is_full else [text or "" for text in self.texts]  # type: ignore[list-item]

    def aligned(self, rows: Sequence[int | None]) -> Column:
        """The column with these rows in this order; a lost hypothesis is empty."""
        lost = None if self.role == "ref" else ""
        texts = [lost if row is None else self.texts[row] for row in rows]
        places = [None if row is None else self.row(row) for row in rows]
        return replace(self, texts=texts, rows=places)

    def row(self, segment: int) -> int | None:
        """The row of a segment in the file."""
        return segment if self.rows is None else self.rows[segment]

    def numbers(self, segments: Iterable[int]) -> tuple[int, ...]:
        """The numbers of the lines of some segments, ascending."""
        rows = map(self.row, segments)
        return tuple(sorted(row + self.first for row in rows if row is not None))

    def where(self, number: int) -> str:
        """A line as an editor or Python writes it: `hyp.txt:17`, `refs[16][1]`."""
        if self.first:
            return f"{self.name}:{number}{self.suffix}"
        return f"{self.name}[{number}]{self.suffix}"

    def evidence(self, segments: Iterable[int], pattern: re.Pattern[str] | None = None) -> list[tuple[str, str]]:
        """Places and excerpts of the first segments, around the first match of a pattern."""
        rows = ((row, self.texts[segment] or "") for segment in segments if (row := self.row(segment)) is not None)
        return [
            (self.where(row + self.first), excerpt(text, match.start() if match else 0))
            for row, text in islice(rows, EXCERPTS)
            for match in [pattern.search(text) if pattern else None]
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Hypotheses, references and perhaps sources."""

    hyp: Column
    refs: Sequence[Column]
    src: Column | None = None

    @property
    def scored(self) -> tuple[Column, ...]:
        """Hypotheses and references."""
        return (self.hyp, *self.refs)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns: hypotheses, references, sources."""
        return self.scored if self.src is None else (*self.scored, self.src)

    @property
    def paired(self) -> bool:
        """Whether hypotheses and references have the same length."""
        return len(set(map(len, self.scored))) == 1

    @property
    def has_score(self) -> bool:
        """Whether each hypothesis has a reference."""
        rows = zip(*(ref.texts for ref in self.refs), strict=False)
        return self.paired and len(self.hyp) > 0 and (None,) * len(self.refs) not in rows

    def aligned(self, rows: Mapping[Column, Sequence[int | None]]) -> Texts:
        """The texts with these rows of each column; columns without an entry stay."""
        hyp, *refs = (column.aligned(rows[column]) if column in rows else column for column in self.scored)
        src = self.src
        return Texts(hyp, refs, src.aligned(rows[src]) if src is not None and src in rows else src)

    def without(self, segments: Iterable[int]) -> Texts:
        """Aligned texts without some segments."""
        left = sorted(set(range(len(self.hyp))).difference(segments))
        return self.aligned(dict.fromkeys(self.columns, left))

    def with_texts(self, texts: Sequence[Sequence[str]]) -> Texts:
        """Aligned texts with other hypotheses and references; absent ones stay absent."""
        hyp, *refs = (
            replace(column, texts=[new if old is not None else None for old, new in zip(column.texts, of, strict=True)])
            for column, of in zip(self.scored, texts, strict=True)
        )
        return Texts(hyp, refs, self.src)

# SPDX-License-Identifier: Apache-2.0
"""The texts to check: columns, which may differ in length, how their rows pair, and excerpts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.check.scripts import letters_by_script, script_of_most
from truebleu.analysis.check.signs import Scan, Sign
from truebleu.errors import InputError
from truebleu.text.escaping import named

#: Characters of an excerpt: before the place it shows, and in all. Excerpts per fault.
_BEFORE, _LONGEST, _EXCERPTS = 24, 72, 3


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Segments in order: a file, or an argument of `check`.

    Attributes:
        role: `hyp`, `ref` or `src`.
        texts: one per row; None where a reference is absent.
        first: the number of the first row: 1 in a file, 0 in an argument.
        suffix: follows the row number, for one of several references in an argument.
    """

    role: str
    name: str
    texts: Sequence[str | None]
    first: int = 0
    suffix: str = ""
    _known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if {*map(type, self.texts)} <= {str}:
            self._known["filled"] = self.texts
            return
        for row, text in enumerate(self.texts):
            if not isinstance(text, str) and not (text is None and self.role == "ref"):
                raise InputError(
                    f"{self.name}[{row}] is of type {type(text).__name__}; check reads text before "
                    "it is tokenized: give strings"
                )

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def scan(self) -> Scan:
        """The signs and the lengths of the texts; UnicodeEncodeError for lone surrogates."""
        if "scan" not in self._known:
            if "origin" in self._known:
                origin, rows = self._known.pop("origin")
                scan = origin.scan.with_rows(rows, Scan.of([self.texts[row] for row in rows]))
            else:
                scan = Scan.of(self.texts)
            self._known["scan"] = scan
        known: Scan = self._known["scan"]
        return known

    def with_texts(self, changed: Mapping[int, str]) -> Column:
        """The column with other texts in some rows: only these are scanned again."""
        texts = list(self.texts)
        for row, text in changed.items():
            texts[row] = text
        column = replace(self, texts=texts)
        column._known["origin"] = self, list(changed)
        return column

    @property
    def signs(self) -> NDArray[np.uint32]:
        """The signs that each text has."""
        return self.scan.signs

    @property
    def letters(self) -> Counter[str]:
        """How many letters of each script some texts have."""
        if "letters" not in self._known:
            self._known["letters"] = letters_by_script(self.texts)
        letters: Counter[str] = self._known["letters"]
        return letters

    @property
    def script(self) -> str:
        """The script of most letters."""
        return script_of_most(self.letters)

    @property
    def filled(self) -> Sequence[str]:
        """The texts, empty ones where a reference is absent; the same object each time."""
        if "filled" not in self._known:
            self._known["filled"] = [text or "" for text in self.texts]
        filled: Sequence[str] = self._known["filled"]
        return filled

    def with_sign(self, sign: Sign) -> Iterator[tuple[int, str]]:
        """The rows whose text has a sign."""
        return ((row, self.texts[row] or "") for row in sign.rows(self.signs))

    @property
    def place(self) -> tuple[str, str, str]:
        """Identifies the column, independent of its texts."""
        return self.role, self.name, self.suffix

    def rows(self) -> Iterator[tuple[int, str]]:
        """The rows that have a text."""
        return ((row, text) for row, text in enumerate(self.texts) if text is not None)

    def where(self, row: int) -> str:
        """A row as an editor or Python writes it: `hyp.txt:17`, `refs[16][1]`."""
        if self.first:
            return f"{self.name}:{row + self.first}{self.suffix}"
        return f"{self.name}[{row}]{self.suffix}"

    def evidence(
        self, rows: Iterable[int], pattern: re.Pattern[str] | None = None
    ) -> list[tuple[str, str]]:
        """Places and excerpts of the first rows, around the first match of a pattern."""
        pairs = []
        for row in list(rows)[:_EXCERPTS]:
            text = self.texts[row] or ""
            match = pattern.search(text) if pattern else None
            pairs.append((self.where(row), excerpt(text, match.start() if match else 0)))
        return pairs


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Hypotheses, references and perhaps sources, and which of their rows make a segment.

    Attributes:
        rows: for each column, the row of each segment, None where the segment has none. A column
            without an entry has segment i in row i.
    """

    hyp: Column
    refs: Sequence[Column]
    src: Column | None = None
    rows: Mapping[Column, Sequence[int | None]] = field(default_factory=dict)
    _segments: dict[Column, list[str | None]] = field(default_factory=dict, init=False, repr=False)
    _filled: dict[Column, list[str]] = field(default_factory=dict, init=False, repr=False)

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
        """Whether hypotheses and references have the same length, and so a score."""
        return len(set(map(len, self.scored))) == 1

    @property
    def length(self) -> int:
        """The number of segments of aligned texts."""
        return len(self.rows.get(self.hyp, self.hyp.texts))

    @property
    def script(self) -> str:
        """The script of most letters of the references."""
        return script_of_most(sum((ref.letters for ref in self.refs), Counter()))

    def segments(self, column: Column) -> Sequence[str | None]:
        """The texts of a column in the order of the segments."""
        if column not in self.rows:
            return column.texts
        if column not in self._segments:
            self._segments[column] = [
                None if row is None else column.texts[row] for row in self.rows[column]
            ]
        return self._segments[column]

    def filled(self, column: Column) -> Sequence[str]:
        """The same, with an empty text where there is none; the same object each time."""
        if column not in self.rows:
            return column.filled
        if column not in self._filled:
            self._filled[column] = [text or "" for text in self.segments(column)]
        return self._filled[column]

    def with_sign(self, sign: Sign, column: Column, *, present: bool = True) -> list[int]:
        """The segments whose text in a column has a sign, or does not have it."""
        rows = sign.rows(column.signs, present=present)
        if column not in self.rows:
            return rows
        some = set(rows)
        return [segment for segment, row in enumerate(self.rows[column]) if row in some]

    def matching(self, pattern: re.Pattern[str], sign: Sign, column: Column) -> set[int]:
        """The segments whose text in a column has a sign, and a match of the pattern."""
        segments = self.segments(column)
        return {i for i in self.with_sign(sign, column) if pattern.search(segments[i] or "")}

    def lengths(self, column: Column) -> NDArray[np.int64]:
        """The number of characters of each segment of a column."""
        return self._in_order(column, column.scan.lengths)

    def blanks(self, column: Column) -> NDArray[np.int64]:
        """The number of blanks of each segment of a column."""
        return self._in_order(column, column.scan.blanks)

    def _in_order(self, column: Column, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of rows in the order of the segments; 0 where there is no row."""
        if column not in self.rows:
            return numbers
        return np.array([0 if row is None else numbers[row] for row in self.rows[column]])

    def row(self, column: Column, segment: int) -> int | None:
        """The row of a column that belongs to a segment."""
        return self.rows[column][segment] if column in self.rows else segment

    def rows_of(self, column: Column, segments: Iterable[int]) -> list[int]:
        """The rows of a column that belong to segments."""
        return [row for one in segments if (row := self.row(column, one)) is not None]

    def segments_of(self, column: Column, rows: Iterable[int]) -> list[int]:
        """The segments that have these rows of a column, which is known by its place."""
        own = next(one for one in self.scored if one.place == column.place)
        some = set(rows)
        if own not in self.rows:
            return sorted(row for row in some if row < len(own))
        return [segment for segment, row in enumerate(self.rows[own]) if row in some]

    def without(self, segments: Iterable[int]) -> Texts:
        """The texts without some segments."""
        rest = sorted(set(range(self.length)).difference(segments))
        rows = {column: [self.row(column, i) for i in rest] for column in self.columns}
        return Texts(self.hyp, self.refs, self.src, rows)

    def for_metric(self, some: Sequence[int] | None = None) -> tuple[Sequence[str], Sequence[Any]]:
        """Hypotheses and references, or those of some segments, as a metric takes them.

        A lost hypothesis is empty.
        """
        columns = [self.segments(column) for column in self.scored]
        if some is not None:
            columns = [[column[i] for i in some] for column in columns]
        hyps = self.filled(self.hyp) if some is None else [text or "" for text in columns[0]]
        columns = columns[1:]
        if len(columns) == 1 and None not in columns[0]:
            return hyps, columns[0]
        return hyps, list(zip(*columns, strict=True))


def excerpt(text: str | None, start: int = 0) -> str:
    """The part of `text` around `start`, with the names of odd characters."""
    text = text or ""
    begin = max(start - _BEFORE, 0)
    end = begin + _LONGEST
    before, after = "…" if begin else "", "…" if end < len(text) else ""
    return f"{before}{named(text[begin:end])}{after}"

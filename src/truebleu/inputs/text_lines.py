# SPDX-License-Identifier: Apache-2.0
"""Lines of text files, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from truebleu.inputs import files
from truebleu.inputs.columns import Bad, Values
from truebleu.inputs.corpus import Lines
from truebleu.inputs.files import UTF_8, Decoding, empty, text_blocks, too_long, undecodable
from truebleu.inputs.utf8 import invalid_utf8, lines_end

#: Bytes of text that are read at once.
BLOCK = 2 << 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LineRows:
    """Some lines of one file, not yet checked to be UTF-8.

    Attributes:
        path: of the file.
        line: number of the first line, from 1.
        position: bytes of all files that were read so far.
        count: their number.
    """

    path: str
    line: int
    position: int
    _data: bytes
    _start: int
    _end: int
    count: int

    def split(self, count: int) -> tuple[LineRows, LineRows]:
        """The first lines and the rest."""
        end = self._end  # of a last line without a line feed, too
        if count < self.count:
            end = lines_end(self._data, self._start, count)[1]
        return replace(self, count=count, _end=end), replace(
            self, line=self.line + count, count=self.count - count, _start=end
        )

    @property
    def first(self) -> bytes:
        """The first line."""
        return self.split(1)[0].raw()[0]

    @property
    def text(self) -> bytes:
        """The lines as one text."""
        return self._data[self._start : self._end]

    def raw(self) -> list[bytes]:
        """The lines as bytes."""
        return self.text.removesuffix(b"\n").split(b"\n")

    def columns(self) -> tuple[list[Values], Bad]:
        """The columns, and an error for each bad line, by its place in them."""
        if invalid_utf8(self._data, self._start, self._end) is None:
            return [Lines(self._data, (self._start, self._end, self.count))], {}
        bad: Bad = {}
        lines = self.raw()
        for i, line in enumerate(lines):
            at = invalid_utf8(line)
            if at is not None:
                bad[i] = str(undecodable(self.path, line, at, self.line + i))
                lines[i] = b""  # never scored
        return [Lines(b"\n".join(lines) + b"\n")], bad


def read_text(paths: Sequence[str], decoding: Decoding = UTF_8, longest: int | None = None) -> Iterator[LineRows]:
    """Read the lines of files, one file after another.

    Args:
        paths: files to read; a single one must not be empty.
        decoding: of their bytes.
        longest: bytes of the longest line (default: 16 MiB).

    Raises:
        InputError: a file cannot be read or decoded, or is empty.
    """
    before = 0
    for path in paths:
        rows = None
        for rows in _lines(path, decoding, before, longest or files.LONGEST):
            yield rows
        if rows is not None:
            before = rows.position
        elif len(paths) == 1:
            raise empty(path)


def by_file(lines: Iterator[LineRows]) -> Iterator[Iterator[LineRows]]:
    """The lines of each file, of which one may be named twice."""
    number = 0

    def number_of(rows: LineRows) -> int:
        nonlocal number
        number += rows.line == 1
        return number

    return (file for _, file in groupby(lines, number_of))


def _lines(path: str, decoding: Decoding, before: int, longest: int) -> Iterator[LineRows]:
    line, position = 1, before
    tail: list[bytes] = []
    for block, read in text_blocks(path, decoding, BLOCK):
        first, position = block.find(b"\n"), before + read
        if sum(map(len, tail)) + (len(block) if first < 0 else first) > longest:
            raise too_long(path, line, longest)
        tail.append(block)
        if first >= 0:
            data = b"".join(tail)
            count, end = lines_end(data, 0, len(data))
            tail = [data[end:]]
            yield LineRows(path, line, position, data, 0, end, count)
            line += count
    if data := b"".join(tail):
        yield LineRows(path, line, position, data, 0, len(data), 1)

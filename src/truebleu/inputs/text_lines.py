# SPDX-License-Identifier: Apache-2.0
"""Lines of text files, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from truebleu.inputs import files
from truebleu.inputs.columns import Bad, Column
from truebleu.inputs.corpus import Lines
from truebleu.inputs.files import TextFile, empty, too_long, undecodable
from truebleu.inputs.utf8 import invalid_utf8, lines_end

#: Bytes of text that are read at once.
BLOCK = 2 << 20


class LineRows:
    """Some lines of one file, not yet checked to be UTF-8.

    Attributes:
        path: of the file.
        line: number of the first line, from 1.
        position: bytes of all files that were read so far.
    """

    __slots__ = ("_data", "_end", "_start", "count", "line", "path", "position")

    def __init__(
        self, path: str, line: int, position: int,
        data: bytes, start: int, end: int, count: int,
    ) -> None:  # fmt: skip
        self.path = path
        self.line = line
        self.position = position
        self.count = count
        self._data = data
        self._start = start
        self._end = end

    def split(self, count: int) -> tuple[LineRows, LineRows]:
        """The first lines and the rest."""
        end = self._end  # of a last line without a line feed, too
        if count < self.count:
            end = lines_end(self._data, self._start, count)[1]
        return self._part(0, count, self._start, end), self._part(
            count, self.count - count, end, self._end
        )

    def _part(self, skipped: int, count: int, start: int, end: int) -> LineRows:
        line = self.line + skipped
        return LineRows(self.path, line, self.position, self._data, start, end, count)

    def has(self, part: bytes) -> bool:
        """Whether the lines contain some bytes."""
        return self._data.find(part, self._start, self._end) >= 0

    def raw(self) -> list[bytes]:
        """The lines as bytes."""
        return self._data[self._start : self._end].removesuffix(b"\n").split(b"\n")

    def columns(self) -> tuple[list[Column], Bad]:
        """One column, and an error for each line that is not UTF-8, by its place in it."""
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


def read_text(
    paths: Sequence[str],
    encoding: str = "utf-8",
    errors: str = "strict",
    notice: Callable[[str], None] = print,
) -> Iterator[LineRows]:
    """Read the lines of files, one file after another.

    Args:
        paths: files to read; a single one must not be empty.
        encoding, errors: as Python's `open`.
        notice: called with one line about what was changed.

    Raises:
        InputError: a file cannot be read or decoded, or is empty.
    """
    before = 0
    for path in paths:
        file = TextFile(path, encoding, errors, notice)
        is_empty = True
        try:
            for rows in _lines(file, path):
                rows.position += before
                is_empty = False
                yield rows
            if len(paths) == 1 and is_empty:
                raise empty(path)
            before += file.position
        finally:
            file.close()


def _lines(file: TextFile, path: str) -> Iterator[LineRows]:
    line, tail = 1, b""
    while block := file.read(max(BLOCK, len(tail))):  # a long line is not copied with each block
        data = tail + block
        count, end = lines_end(data, 0, len(data))
        tail = data[end:]
        if len(tail) > files.LONGEST:
            raise too_long(path, line + count)
        if count:
            yield LineRows(path, line, file.position, data, 0, end, count)
            line += count
    if tail:
        yield LineRows(path, line, file.position, tail, 0, len(tail), 1)

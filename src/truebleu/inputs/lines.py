# SPDX-License-Identifier: Apache-2.0
"""Lines of text files, some thousand at a time."""

from __future__ import annotations

from truebleu.inputs.blocks import BLOCK, Blocks
from truebleu.inputs.corpus import Lines
from truebleu.inputs.decoding import undecodable
from truebleu.inputs.files import LONGEST, empty, name_of, too_long
from truebleu.inputs.paths import system_size
from truebleu.metrics.kernel import invalid_utf8, lines_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from truebleu.errors import InputError
    from truebleu.inputs.columns import Bad, Column

    #: Where a source stands: which of its files, where in its text, and lines before that.
    Place = tuple[int, int, int]

#: The least that is read at once, less one; sizes that differ little are made the same.
_LEAST = (1 << 16) - 1
#: Bytes of lines that wait; longer lines come fewer at a time.
_MOST = 2 * BLOCK


class LinesPiece:
    """Some lines of one file, not yet checked to be UTF-8."""

    __slots__ = ("count", "data", "end", "line", "path", "start")

    def __init__(self, path: str, data: bytes, start: int, end: int, count: int, line: int) -> None:
        self.path = path
        self.data = data
        self.start = start
        self.end = end
        self.count = count
        #: The number of the first line in the file, from 1.
        self.line = line

    def check(self) -> InputError | None:
        """The error for the first byte that is not UTF-8."""
        at = invalid_utf8(self.data, self.start, self.end)
        if at is None:
            return None
        text = self.data[self.start : self.end]
        return undecodable(name_of(self.path), text, at - self.start, line=self.line)

    def raw(self) -> list[bytes]:
        """The lines as they are."""
        return self.data[self.start : self.end].removesuffix(b"\n").split(b"\n")

    def columns(self) -> tuple[list[Column], Bad]:
        """One column, and what is wrong with single lines, by their places in it."""
        first = self.check()
        if first is None:
            return [Lines(self.data, (self.start, self.end, self.count))], {}
        bad: Bad = {}
        raw = self.raw()
        for i, line in enumerate(raw):
            at = invalid_utf8(line)
            if at is not None:
                bad[i] = str(undecodable(name_of(self.path), line, at, line=self.line + i))
        # What stands for a bad line is never scored.
        lines = b"\n".join(b"" if i in bad else line for i, line in enumerate(raw)) + b"\n"
        return [Lines(lines)], bad


class LinesSource:
    """The lines of files, one file behind the other.

    Args:
        name: what errors call all of it.
        paths: of the files.
        encoding, errors: as Python's `open`.
        notice: is given one line about what was changed.
        place: where to begin, as `place` was.
    """

    unit = "lines"

    def __init__(
        self,
        name: str,
        paths: Sequence[str],
        encoding: str = "utf-8",
        errors: str = "strict",
        notice: Callable[[str], None] = print,
        place: Place = (0, 0, 0),
    ) -> None:
        self.name = name
        self.paths = tuple(paths)
        self._how = (encoding, errors, notice)
        self._file, self._offset, self._line = place
        self._before = system_size(self.paths[: self._file])  # bytes of the files that are done
        self.rows = 0
        self._blocks: Blocks | None = None
        if self.paths:
            self._open()

    def _open(self) -> None:
        self._blocks = Blocks(self.paths[self._file], *self._how)
        self._data = self._blocks.begin(self._offset)
        self._start = self._end = self._found = 0
        if not self._data and not self._offset and len(self.paths) == 1:
            raise empty(self.paths[0])

    @property
    def place(self) -> Place:
        """Where it stands: a new source of this place goes on here."""
        return self._file, self._offset, self._line

    @property
    def given(self) -> int:
        """Bytes of the files so far."""
        return self._before + (self._blocks.given if self._blocks else 0)

    def ready(self, most: int) -> int:
        """How many lines, `most` of them or fewer, can be taken; none at the end of all files."""
        fed = False
        while self._blocks and self._found < most:
            count, self._end = lines_end(self._data, self._end, most - self._found)
            self._found += count
            waiting = len(self._data) - self._start
            # One block at a time is enough: to add to lines is to copy them.
            if self._found >= most or (self._found and (fed or waiting >= _MOST)):
                break
            if not self._found and waiting > LONGEST:
                raise too_long(self.paths[self._file], self._line + 1)
            data = self._blocks.behind(self._data, self._start, self._wanted(most, waiting))
            self._end -= self._start
            self._data, self._start = data, 0
            if len(data) > waiting:
                fed = True
            elif self._end < len(self._data):  # a last line that ends with the file
                if len(data) - self._end > LONGEST:
                    raise too_long(self.paths[self._file], self._line + self._found + 1)
                self._found += 1
                self._end = len(self._data)
            elif self._found or not self._next_file():
                break
        return self._found

    def _wanted(self, most: int, waiting: int) -> int:
        """Bytes to read: about those of the lines, because what is too much is read again."""
        if not self._line:
            return max(BLOCK, 0 if self._found else min(4 * waiting, LONGEST))
        usual = most * self._offset // self._line * 33 // 32
        # A line that is longer than a block is not copied with each of them.
        return max(min(usual | _LEAST, BLOCK), 0 if self._found else min(4 * waiting, LONGEST))

    def _next_file(self) -> bool:
        if self._blocks:
            self._before += self._blocks.given
            self._blocks.close()
            self._blocks = None
        if self._file + 1 == len(self.paths):
            return False
        self._file, self._offset, self._line = self._file + 1, 0, 0
        self._open()
        return True

    @property
    def file(self) -> int:
        """Which of the files the next line is in."""
        return self._file

    @property
    def is_at_start(self) -> bool:
        """Whether no line of the file has been taken."""
        return self._line == 0

    def head(self) -> bytes:
        """The first line of the file, wherever it stands in it."""
        if self.is_at_start:
            ends, end = lines_end(self._data, self._start, 1)
            return self._data[self._start : end if ends else self._end].removesuffix(b"\n")
        again = self.again()
        try:
            again.ready(1)
            return again.head()
        finally:
            again.close()

    def again(self) -> LinesSource:
        """The file that the next line is in, from its start."""
        return LinesSource(self.name, [self.paths[self._file]], *self._how)

    def skip(self) -> None:
        """Pass over one line, which is ready and does not count as a row."""
        self.take(1)
        self.rows -= 1

    def take(self, count: int) -> LinesPiece:
        """The next lines, so many as were ready or fewer."""
        end = self._end
        if count < self._found:
            end = lines_end(self._data, self._start, count)[1]
        piece = LinesPiece(
            self.paths[self._file], self._data, self._start, end, count, self._line + 1
        )
        self._offset += end - self._start
        self._start = end
        self._found -= count
        self._line += count
        self.rows += count
        return piece

    def close(self) -> None:
        """Close what is open."""
        if self._blocks:
            self._blocks.close()

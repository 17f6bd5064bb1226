# SPDX-License-Identifier: Apache-2.0
"""Rows of TSV and JSON Lines: each line is one row, and no value is taken for another type."""

from __future__ import annotations

from truebleu.errors import InputError, OptionError
from truebleu.inputs.files import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.inputs.columns import Bad, Column
    from truebleu.inputs.lines import LinesPiece, LinesSource

    #: Columns of a table by name, each with what its values are.
    Wanted = Sequence[tuple[str, str]]
    #: Values of a row, one for each column; raises ValueError with what is wrong.
    Parse = Callable[[bytes], list[Any]]

#: What the values of a column are: a text; a text or a list of them; the same or null, because
#: there are other columns of references; or the name of a group.
TEXT, TEXTS, MAYBE, LABEL = "text", "texts", "maybe", "label"


class RecordsPiece:
    """Some rows of one file, not yet parsed; each has `width` values."""

    __slots__ = ("_lines", "_parse", "_width", "count")

    def __init__(self, lines: LinesPiece, parse: Parse, width: int) -> None:
        self._lines = lines
        self._parse = parse
        self._width = width
        self.count = lines.count

    def columns(self) -> tuple[list[Column], Bad]:
        """The columns, and what is wrong with single rows, by their places."""
        bad: Bad = {}
        rows = []
        for i, line in enumerate(self._lines.raw()):
            try:
                rows.append(self._parse(line))
            except ValueError as error:
                number = self._lines.line + i
                bad[i] = wrong_row(self._lines.path, number, what_is_wrong(error))
                # It has a place in each column until it is left out.
                rows.append([""] * self._width)
        return [list(column) for column in zip(*rows, strict=True)], bad


def wrong_row(path: str, line: int, what: str) -> str:
    """The message about a row that begins on a line of a file."""
    return f"{name_of(path)}:{line}: {what}; correct the row, or use --on-error skip"


def what_is_wrong(error: ValueError) -> str:
    """The error of a row in words."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} of the line is not utf-8"
    return str(error)


class RecordsSource:
    """Rows of files with a row to each line.

    Args:
        lines: of the files.
        wanted: the columns.
        parser: makes the function that parses lines, given these, then a file and its first line.
        headed: whether the first line of a file is no row.
    """

    unit = "rows"

    def __init__(
        self,
        lines: LinesSource,
        wanted: Wanted,
        parser: Callable[[Wanted], Callable[[str, bytes], Parse]],
        *,
        headed: bool,
    ) -> None:
        self._lines = lines
        self._parser = parser(wanted)
        self._width = len(wanted)
        self._headed = headed
        self._of = -1
        self.name = lines.name

    @property
    def rows(self) -> int:
        """Rows taken so far."""
        return self._lines.rows

    @property
    def given(self) -> int:
        """Bytes of the files so far."""
        return self._lines.given

    @property
    def place(self) -> tuple[int, ...]:
        """Where it stands: a new source of this place goes on here."""
        return self._lines.place

    def ready(self, most: int) -> int:
        """How many rows, `most` of them or fewer, can be taken; none at the end of all files."""
        while count := self._lines.ready(most):
            file = self._lines.file
            if file == self._of:
                return count
            self._of = file
            self._parse = self._parser(self._lines.paths[file], self._lines.head())
            if self._headed and self._lines.is_at_start:
                self._lines.skip()
        return 0

    def take(self, count: int) -> RecordsPiece:
        """The next rows, so many as were ready or fewer."""
        return RecordsPiece(self._lines.take(count), self._parse, self._width)

    def close(self) -> None:
        """Close what is open."""
        self._lines.close()


def tsv(wanted: Wanted) -> Callable[[str, bytes], Parse]:
    """A parser of values between tabs, without quotes, whose names are in a file's first line."""

    def parser(path: str, head: bytes) -> Parse:
        try:
            names = _fields(head)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name_of(path)}:1: {what_is_wrong(error)}; save it as utf-8"
            ) from None
        places = find(path, names, wanted)
        width = len(names)

        def parse(line: bytes) -> list[Any]:
            fields = _fields(line)
            if len(fields) != width:
                raise ValueError(wrong_width(fields, width))
            return [fields[place] for place in places]

        return parse

    return parser


def _fields(line: bytes) -> list[str]:
    return line.removesuffix(b"\r").decode().split("\t")


def wrong_width(fields: Sequence[str], width: int) -> str:
    """What is wrong with a row that has not a value for each column."""
    return f"{len(fields)} fields, but the first line has {width}"


def numbered(wanted: Wanted) -> bool:
    """Whether columns are named by their numbers: the file has no line of names then."""
    return all(_is_number(name) for name, _ in wanted)


def _is_number(text: str) -> bool:
    """Whether it counts columns or items: Python refuses to read thousands of digits."""
    return text.isdecimal() and len(text) < 20


def find(path: str, names: list[str], wanted: Wanted) -> list[int]:
    """The places of columns by name, or by number from 1.

    Raises:
        OptionError: one is not there, or twice.
    """
    if numbered(wanted):
        places = [int(name) - 1 for name, _ in wanted]
        for place in places:
            if not 0 <= place < len(names):
                raise OptionError(
                    f"{name_of(path)}: there is no column {place + 1}; it has {len(names)} columns"
                )
        return places
    for name, _ in wanted:
        if names.count(name) != 1:
            raise no_column(path, name, names)
    return [names.index(name) for name, _ in wanted]


def no_column(path: str, name: str, names: Sequence[str]) -> OptionError:
    """The error for a column that is not there, or there twice."""
    from truebleu.errors import suggest

    if name in names:
        return OptionError(f"{name_of(path)}: several columns are named {name!r}; rename them")
    return OptionError(f"{name_of(path)}: no column is named {suggest(name, names)}")


def jsonl(wanted: Wanted) -> Callable[[str, bytes], Parse]:
    """A parser of lines with a JSON object each; dots in a name lead into objects and lists."""
    from json import loads

    def parse(line: bytes) -> list[Any]:
        try:
            row = loads(line.decode())
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise ValueError(f"no JSON: {error}" if line.strip() else "the line is empty") from None
        values = [checked(name, kind, _field(row, name)) for name, kind in wanted]
        if b"\\ud" in line or b"\\uD" in line:
            for (name, _), value in zip(wanted, values, strict=True):
                _check_surrogates(name, value)
        return values

    return lambda _path, _head: parse


def _field(row: Any, name: str) -> Any:
    if isinstance(row, dict) and name in row:
        return row[name]
    value = row
    for key in name.split("."):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and _is_number(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            raise ValueError(f"there is no field {name!r}")
    return value


def checked(name: str, kind: str, value: Any) -> Any:
    """A value of a row, if it is of its kind.

    Raises:
        ValueError: it is not.
    """
    if isinstance(value, str):
        return value
    if value is None:
        if kind == MAYBE:
            return None
        raise ValueError(f"{name!r} is null")
    if kind == LABEL and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if kind in (TEXTS, MAYBE) and isinstance(value, list):
        if all(ref is None or isinstance(ref, str) for ref in value):
            if kind == TEXTS and all(ref is None for ref in value):
                raise ValueError(f"{name!r} has no reference")
            return value
        raise ValueError(f"{name!r} holds what is no text")
    raise ValueError(f"{name!r} is of type {type(value).__name__}, which is no text")


def _check_surrogates(name: str, value: Any) -> None:
    for text in value if isinstance(value, list) else [value]:
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} holds a lone surrogate, which is no character") from None

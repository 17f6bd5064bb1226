# SPDX-License-Identifier: Apache-2.0
"""Text files: opened, decompressed, recoded to UTF-8, and read whole.

No line is ever dropped, joined or repaired without a notice.
"""

from __future__ import annotations

import os
import sys
from stat import S_ISREG

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError, quantity
from truebleu.inputs.compression import HEAD, decompressed, method_of
from truebleu.inputs.corpus import Lines
from truebleu.inputs.utf8 import invalid_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.inputs.markup import Markup

#: A byte order mark in UTF-8.
BOM = "\ufeff".encode()
#: Byte order marks and their encodings; that of UTF-32 may start with that of UTF-16.
_MARKS = (
    (BOM, "utf-8"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
)  # fmt: skip
#: First bytes of SGML and XML with segments.
_MARKUP = (
    b"<?xml", b"<!doctype", b"<mteval", b"<refset", b"<tstset", b"<srcset", b"<dataset", b"<doc ",
    b"<seg id",
)  # fmt: skip
#: Bytes that show whether a file is markup, or a run file.
_START = 256
#: The first bytes of a run file (`metrics/runs.py`), which no text in UTF-8 has.
RUN = b"\x93TBRUN"
#: Bytes of the longest line, which is counted in about a second, and in up to 48 times its memory.
LONGEST = 1 << 24
#: Bytes that are read at once: signal handlers run between two blocks.
_BLOCK = 1 << 24


class Decoding(Frozen):
    """How bytes become text.

    Args:
        encoding, errors: as Python's `open`, for files without a byte order mark.
        notice: called with one line about what was changed.
    """

    __slots__ = ("encoding", "errors", "notice")

    encoding: str
    errors: str
    notice: Callable[[str], None]

    def __init__(
        self, encoding: str = "utf-8", errors: str = "strict", notice: Callable[[str], None] = lambda _: None
    ) -> None:
        super().__init__(encoding=encoding, errors=errors, notice=notice)


UTF_8 = Decoding()


def read_lines(path: str, decoding: Decoding = UTF_8, *, keep_bom: bool = False) -> Lines:
    r"""Read the lines of a file; `-` is standard input.

    Lines end at `\n` only: a carriage return, U+2028 or a form feed is text. gzip, bzip2, xz and
    zstd files are recognized by content, and so are UTF-16 and UTF-32 by their byte order mark.
    Of SGML and XML, a line is the text of a segment.

    Args:
        path: file to read; `all.xml#ref:A` is reference A of a file with several texts.
        decoding: of its bytes.
        keep_bom: keep a byte order mark as a part of the first line.

    Raises:
        InputError: the file cannot be read or decoded, or is empty.
    """
    blocks: list[bytes] = []
    unended = 0
    for block, _ in text_blocks(path, decoding, _BLOCK, keep_bom=keep_bom):
        first, last = block.find(b"\n"), block.rfind(b"\n")
        if unended + (len(block) if first < 0 else first) > LONGEST:
            raise too_long(path, 1 + b"".join(blocks).count(b"\n"), LONGEST)
        unended = len(block) - last - 1 if last >= 0 else unended + len(block)
        blocks.append(block)
    data = b"".join(blocks)
    if not data:
        raise empty(path)
    if (at := invalid_utf8(data)) is not None:
        raise undecodable(path, data, at)
    return Lines(data)


def text_blocks(
    path: str, decoding: Decoding = UTF_8, size: int = _BLOCK, *, keep_bom: bool = False, keep_markup: bool = False
) -> Iterator[tuple[bytes, int]]:
    """The text of a file as UTF-8, however it is compressed and encoded; lines of SGML and XML.

    Only bytes that are not recoded may be invalid.

    Args:
        path: file to read; `-` is standard input.
        decoding: of its bytes.
        size: of a block; several are short at the end.
        keep_bom: keep a byte order mark of UTF-8.
        keep_markup: keep SGML and XML as they are.

    Yields:
        A block, and the number of bytes of the file that were read so far; 0 for a pipe.

    Raises:
        InputError: the file cannot be read, or the encoding is not known.
    """
    name, (file_path, part) = name_of(path), split_part(path)
    file = open_bytes(file_path)
    try:
        blocks = _contents(path, file, size)
        data = next(blocks, b"")
        mark = next((own for mark, own in _MARKS if data.startswith(mark)), "")
        if mark and mark[:6] != decoding.encoding.lower().replace("_", "-")[:6]:
            decoding.notice(f"{name}: read as {mark.upper()}, by its byte order mark")
        encoding = mark or decoding.encoding
        if (encoding, decoding.errors) != ("utf-8", "strict"):
            from truebleu.inputs.encodings import recoded

            blocks = recoded(name, _with_first(data, blocks), encoding, decoding.errors)
            data = next(blocks)
        if data.startswith(BOM) and not keep_bom:
            decoding.notice(f"{name}: dropped the byte order mark at its start")
            data = data.removeprefix(BOM)
        if not keep_markup and (part or _is_markup(path, data)):
            data = b"".join([data, *blocks])
            if markup := markup_of(path, data):
                data = markup.lines(part)
                if markup.notice and not part:
                    decoding.notice(markup.notice)
        for block in _with_first(data, blocks):
            yield block, file.tell() if file.seekable() else 0
    finally:
        if path != "-":
            file.close()


def _with_first(first: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from blocks


def _contents(path: str, file: Any, size: int) -> Iterator[bytes]:
    """The bytes of an open file, decompressed.

    After its end, a file is not read again: at a terminal, this would need a second Ctrl-D.
    """
    try:
        data: bytes = file.read(HEAD)
        if method := method_of(data):
            yield from decompressed(name_of(path), method, data, file, size)
            return
        is_last = len(data) < HEAD
        while not is_last:
            block = file.read(size)
            is_last = len(block) < size
            yield data + block
            data = b""
        if data:
            yield data
    except OSError as error:
        raise unreadable(path, error) from None


def markup_of(path: str, data: bytes) -> Markup | None:
    """The texts of a whole file if it is SGML or XML.

    Files without segments, such as lines of HTML, are text, unless their names tell otherwise.
    """
    from truebleu.inputs.encodings import declared, recoded
    from truebleu.inputs.markup import parse

    file, part = split_part(path)
    if not (part or _is_named(file) or b"<seg" in data or b"<SEG" in data):
        return None
    data = data.removeprefix(BOM)
    if invalid_utf8(data) is not None:
        data = b"".join(recoded(name_of(file), iter([data]), declared(data), "strict"))
    return parse(data, name_of(file))


def open_bytes(path: str) -> Any:
    """Open a file, or standard input, for reading bytes."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("<stdin>: is closed; name a file, or pipe text into the command")
        return sys.stdin.buffer
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError:  # a null character, or half a surrogate pair
        raise InputError(f"{path!r} is not a valid file name; give another") from None


def is_run(path: str) -> bool:
    """Whether a regular file is a run file."""
    return _start_of(path).startswith(RUN)


def is_markup(path: str) -> bool:
    """Whether a regular file is SGML or XML; by its name if it is compressed."""
    start = _start_of(path)
    return _is_markup(path, b"<" if method_of(start) else start)


def _is_markup(path: str, start: bytes) -> bool:
    start = start[:_START].replace(b"\0", b"").lstrip(BOM + b"\xff\xfe \t\r\n").lower()
    return start.startswith(_MARKUP) or (_is_named(path) and start.startswith(b"<"))


def _is_named(path: str) -> bool:
    return ".sgm" in path.lower() or ".xml" in path.lower()


def is_small(path: str) -> bool:
    """Whether a file is read whole: it is not compressed, and at most 16 MiB; or it is missing."""
    try:
        status = os.stat(0 if path == "-" else path)
    except (OSError, ValueError):
        return True  # reading it names the error
    is_plain = S_ISREG(status.st_mode) and method_of(_start_of(path)) is None
    return is_plain and status.st_size <= _BLOCK


def _start_of(path: str) -> bytes:
    """The first bytes of a regular file. Pipes are not opened, which would stop their writer."""
    try:
        if not S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb", buffering=0) as file:
            return file.read(_START)
    except (OSError, ValueError):
        return b""  # reading it names the error


def split_part(path: str) -> tuple[str, str]:
    """A file, and the text of it that is named after `#`, as in `all.xml#ref:A`."""
    file = path
    while "#" in file and not os.path.exists(file):
        file = file.rpartition("#")[0]
    return (file, path[len(file) + 1 :]) if os.path.exists(file) else (path, "")


def name_of(path: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if path == "-" else path


def check_counts(counts: Iterable[tuple[str, str, int]]) -> None:
    """Raise InputError unless all files have as many lines or rows as the first.

    Args:
        counts: of each file its path, the unit and the number.
    """
    (first, _, expected), *others = counts
    for path, unit, count in others:
        if count != expected:
            raise InputError(
                f"{name_of(path)}: {quantity(count, unit)}, but {name_of(first)} has {expected:,}; "
                f"{unit} i of each file must belong to the same segment"
            )


def empty(path: str) -> InputError:
    """The error for a file without a line."""
    hint = " (hypothesis files are named after -i)" if path == "-" else ""
    return InputError(f"{name_of(path)}: the file is empty; it must have at least one line{hint}")


def unreadable(path: str, error: OSError) -> InputError:
    """The error for a file that the system cannot open or read."""
    name = name_of(path)
    if isinstance(error, FileNotFoundError):
        return InputError(f"{name}: no such file; check the path")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{name}: this is a directory; name a file in it")
    return InputError(f"{name}: cannot be read: {error.strerror or error}")


def too_long(path: str, line: int, longest: int) -> InputError:
    """The error for a line that does not end, as in `/dev/zero`."""
    return InputError(
        f"{name_of(path)}:{line}: the line is longer than {longest >> 20} MiB; put each segment on a line of its own"
    )


def undecodable(path: str, data: bytes, at: int, first_line: int = 1) -> InputError:
    """The error for the byte of `data` at `at` that is not UTF-8; `data` are whole lines."""
    if data.startswith(RUN):
        return InputError(f"{name_of(path)}: a run file has no texts; name the file of the texts")
    line = first_line + data.count(b"\n", 0, at)
    offset = at - (data.rfind(b"\n", 0, at) + 1)
    return InputError(
        f"{name_of(path)}:{line}: byte {offset + 1} of the line is not utf-8; "
        "name the right --encoding, or use --errors replace"
    )


class Origin:
    """Where a column of segments is.

    Attributes:
        kind: of its values, as tables have them: `text`, `texts` or `label`.
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

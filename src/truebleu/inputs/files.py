# SPDX-License-Identifier: Apache-2.0
"""Files of segments, one to a line. No line is ever dropped, joined or repaired in silence."""

from __future__ import annotations

import sys

from truebleu.errors import InputError
from truebleu.inputs.compressed import decompressed
from truebleu.inputs.corpus import Lines
from truebleu.metrics.kernel import invalid_utf8, lines_end, make_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

#: A byte order mark in UTF-8.
BOM = "\ufeff".encode()
#: Bytes of the longest line. To count one takes up to 48 times as much memory.
LONGEST = 1 << 28
#: Bytes that are read at a time: what is usual is read at once.
_BLOCK = 1 << 26


def read_lines(
    path: str,
    encoding: str = "utf-8",
    errors: str = "strict",
    notice: Callable[[str], None] = print,
) -> Lines:
    r"""The lines of a file; `-` is standard input.

    Lines end at `\n` only: a carriage return, U+2028 or a form feed is text. gzip, bzip2, xz and
    zstd are recognized by content. A byte order mark at the start is dropped with a notice.

    Args:
        encoding, errors: as Python's `open`.
        notice: is given one line about what was changed.

    Raises:
        InputError: the file cannot be read or decoded, or is empty.
    """
    data = _text(path, encoding, errors)
    if data.startswith(BOM):
        notice(f"{name_of(path)}: dropped the byte order mark at its start")
        data = data[len(BOM) :]
    return _lines(path, data)


def read_whole(path: str, encoding: str = "utf-8", errors: str = "strict") -> Lines:
    """As `read_lines`, with the byte order mark as a part of the first line."""
    return _lines(path, _text(path, encoding, errors))


def _lines(path: str, data: bytes) -> Lines:
    if not data:
        raise empty(path)
    # The kernel counts ten times as fast as `bytes.count`, which took 2 % of a cold process.
    ended, end = lines_end(data, 0, len(data))
    return Lines(data, (0, len(data), ended + (end < len(data))))


def _text(path: str, encoding: str, errors: str) -> bytes:
    name = name_of(path)
    return _to_utf8(name, _whole(path, decompressed(name, _blocks(path))), encoding, errors)


def name_of(path: str) -> str:
    """What a file is called in messages."""
    return "<stdin>" if path == "-" else path


def empty(path: str) -> InputError:
    """The error for a file without a line."""
    return InputError(f"{name_of(path)}: the file is empty; BLEU needs one line at least")


def open_bytes(path: str) -> Any:
    """A file, or standard input, opened for reading bytes.

    Raises:
        InputError: it cannot be.
    """
    if path == "-":
        if sys.stdin is None:
            raise InputError("<stdin>: is closed; name a file, or give it something to read")
        return sys.stdin.buffer
    try:
        return open(path, "rb", buffering=0)
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError:  # a null, or half a surrogate pair
        raise InputError(f"{path!r} cannot be the name of a file; give another") from None


def unreadable(path: str, error: OSError) -> InputError:
    """The error for a file that the system does not give."""
    name = name_of(path)
    if isinstance(error, FileNotFoundError):
        return InputError(f"{name}: no such file; check the path")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{name}: this is a directory; name a file in it")
    return InputError(f"{name}: cannot be read: {error.strerror or error}")


def too_long(path: str, line: int) -> InputError:
    """The error for a line that nobody has seen the end of."""
    return InputError(
        f"{name_of(path)}:{line}: the line is longer than {LONGEST >> 20} MiB; a file has one "
        "segment to a line"
    )


def _blocks(path: str) -> Iterator[bytes]:
    """The bytes of a file. Ctrl-C is heard between two of the blocks."""
    file = open_bytes(path)
    try:
        while block := file.read(_BLOCK):
            yield block
    except OSError as error:
        raise unreadable(path, error) from None
    finally:
        if path != "-":
            file.close()


def _whole(path: str, blocks: Iterator[bytes]) -> bytes:
    """All blocks in one, which may be more than there is memory for: `/dev/zero` has no end."""
    found: list[bytes] = []
    size = open_line = 0
    for block in blocks:
        found.append(block)
        size += len(block)
        end = block.rfind(b"\n") + 1
        open_line = len(block) - end + (0 if end else open_line)
        if open_line > LONGEST:
            raise too_long(path, 1 + sum(part.count(b"\n") for part in found))
        make_room(2 * size)  # the blocks become one
    return found[0] if len(found) == 1 else b"".join(found)


def _to_utf8(name: str, data: bytes, encoding: str, errors: str) -> bytes:
    at = None
    is_utf8 = (encoding, errors) == ("utf-8", "strict")
    if is_utf8 and (at := invalid_utf8(data)) is None:
        return data
    from truebleu.inputs.decoding import Decoder, undecodable  # usual files need neither

    if at is not None:
        raise undecodable(name, data, at)
    return Decoder(name, encoding, errors).whole(data)

# SPDX-License-Identifier: Apache-2.0
"""Files of segments, one to a line. No line is ever dropped, joined or repaired in silence."""

from __future__ import annotations

import sys

from truebleu.corpus import Lines
from truebleu.errors import InputError, MissingExtraError
from truebleu.metric import invalid_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_BOM = "\ufeff".encode()

#: Compressed files by their first bytes.
_MAGIC: dict[bytes, str] = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
    b"\x28\xb5\x2f\xfd": "zstd",
}


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
    data = read_whole(path, encoding, errors).data
    if data.startswith(_BOM):
        notice(f"{name_of(path)}: dropped the byte order mark at its start")
        data = data[len(_BOM) :]
    if not data:
        raise _empty(path)
    return Lines(data)


def read_whole(path: str, encoding: str = "utf-8", errors: str = "strict") -> Lines:
    """As `read_lines`, with the byte order mark as a part of the first line."""
    name = name_of(path)
    data = _to_utf8(name, _decompress(name, _read_bytes(path, name)), encoding, errors)
    if not data:
        raise _empty(path)
    return Lines(data)


def name_of(path: str) -> str:
    """What a file is called in messages."""
    return "<stdin>" if path == "-" else path


def _empty(path: str) -> InputError:
    return InputError(f"{name_of(path)}: the file is empty; BLEU needs one line at least")


def _read_bytes(path: str, name: str) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:
                raise InputError(f"{name}: is closed; name a file, or give it something to read")
            return sys.stdin.buffer.read()
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{name}: this is a directory; name a file in it") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def _decompress(name: str, data: bytes) -> bytes:
    method = next((name for magic, name in _MAGIC.items() if data.startswith(magic)), None)
    if method is None:
        return data
    decompress = _decompressor(method)
    errors: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, *_own_errors())
    try:
        return decompress(data)
    except errors as error:
        raise InputError(f"{name}: damaged {method} data: {error}; copy the file again") from None


def _decompressor(method: str) -> Callable[[bytes], bytes]:
    if method == "zstd":
        return _zstd()
    from importlib import import_module

    decompress: Callable[[bytes], bytes] = import_module(method).decompress
    return decompress


def _zstd() -> Callable[[bytes], bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.decompress
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError.of("reading zstd files before Python 3.14", "zstd") from None

    def decompress(data: bytes) -> bytes:
        reader = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
        try:
            text: bytes = reader.read()
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from None
        return text

    return decompress


def _own_errors() -> tuple[type[Exception], ...]:
    """Errors of the libraries that are none of Python's."""
    from lzma import LZMAError
    from zlib import error

    return LZMAError, error


def _to_utf8(name: str, data: bytes, encoding: str, errors: str) -> bytes:
    if (encoding, errors) == ("utf-8", "strict"):
        at = invalid_utf8(data)
        if at is not None:
            raise _undecodable(name, data, at, encoding)
        return data
    try:
        return data.decode(encoding, errors).encode()
    except UnicodeDecodeError as error:
        raise _undecodable(name, data, error.start, encoding) from None
    except UnicodeError as error:
        raise InputError(f"{name}: cannot be read as {encoding}: {error}") from None
    except LookupError as error:
        raise InputError(f"{error}; use a name that Python knows, such as utf-8") from None


def _undecodable(name: str, data: bytes, at: int, encoding: str) -> InputError:
    line = data.count(b"\n", 0, at) + 1
    offset = at - (data.rfind(b"\n", 0, at) + 1)
    return InputError(
        f"{name}:{line}: byte {offset + 1} of the line is not {encoding}; "
        "name the right --encoding, or use --errors replace"
    )

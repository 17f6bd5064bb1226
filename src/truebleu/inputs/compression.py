# SPDX-License-Identifier: Apache-2.0
"""gzip, bzip2, xz and zstd files, recognized by content and read in bounded pieces."""

from __future__ import annotations

import io

from truebleu.errors import InputError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Compression methods by the first bytes of a file.
_MAGIC: dict[bytes, str] = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
    b"\x28\xb5\x2f\xfd": "zstd",
}

#: The number of first bytes that identify the method.
HEAD = max(map(len, _MAGIC))


def method_of(head: bytes) -> str | None:
    """The method with which data that start with `head` are compressed, or None."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


#: Bytes that are decompressed at once.
_LIMIT = 1 << 16


class Decompressed:
    """A compressed file, read as its content.

    Args:
        name: file name in errors.
        method: as `method_of` returns it.
        file: open at its start.

    Raises:
        MissingExtraError: the library of the method is not installed.
    """

    __slots__ = ("_errors", "_file", "_method", "_name")

    def __init__(self, name: str, method: str, file: Any) -> None:
        self._name = name
        self._method = method
        self._file, *errors = _opened(method, file)
        self._errors = (OSError, EOFError, ValueError, *errors)

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes of the content; empty at the end."""
        try:
            data: bytes = self._file.read(size)
        except self._errors as error:
            raise InputError(
                f"{self._name}: damaged {self._method} data: {error}; copy the file again"
            ) from None
        return data


def _opened(method: str, file: Any) -> tuple[Any, ...]:
    """A file object with the content, and the errors of its library that are not Python's."""
    if method == "gzip":
        from gzip import GzipFile
        from zlib import error

        return GzipFile(fileobj=file), error
    if method == "bz2":
        from bz2 import BZ2Decompressor

        return (io.BufferedReader(_Streams(file, BZ2Decompressor, _LIMIT)),)
    if method == "lzma":
        from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

        streams = _Streams(file, lambda: LZMADecompressor(FORMAT_XZ), _LIMIT)
        return io.BufferedReader(streams), LZMAError
    try:
        from compression import zstd  # from Python 3.14 on
    except ImportError:
        pass
    else:
        return zstd.ZstdFile(file), zstd.ZstdError
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError:
        raise MissingExtraError.of("reading zstd files before Python 3.14", "zstd") from None
    return io.BufferedReader(_Streams(file, ZstdDecompressor().decompressobj)), ZstdError


class _Streams(io.RawIOBase):
    """Compressed streams, one after another.

    Python's readers of bzip2 and xz end silently where a later stream is damaged, and the reader of
    `zstandard` where a file is truncated.

    Args:
        file: open at its start.
        new: makes the decompressor of a stream.
        limit: the most bytes that it returns at once; None if it has no limit.
    """

    def __init__(self, file: Any, new: Any, limit: int | None = None) -> None:
        self._file = file
        self._new = new
        self._limit = () if limit is None else (limit,)
        # Without a limit, four bytes may stand for 128 KiB.
        self._size = limit or 1 << 10
        self._stream: Any = None
        self._packed = self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._content and self._has_next():
            content = self._stream.decompress(self._packed, *self._limit)
            self._content, self._packed = memoryview(content), memoryview(b"")
            if self._stream.eof:
                self._packed = memoryview(self._stream.unused_data)
                self._stream = None
        count = min(len(buffer), len(self._content))
        buffer[:count], self._content = self._content[:count], self._content[count:]
        return count

    def _has_next(self) -> bool:
        """Have a stream, with compressed data if it needs some, unless the file has ended."""
        if self._stream is not None and not getattr(self._stream, "needs_input", True):
            return True
        self._packed = self._packed or memoryview(self._file.read(self._size))
        if not self._packed:
            if self._stream is not None:
                raise EOFError("the file ends in the middle of a stream")
            return False
        if self._stream is None:
            self._stream = self._new()
        return True


class Rejoined(io.RawIOBase):
    """A file whose first `HEAD` bytes were read already, such as a pipe.

    After the end it is not read again: at a terminal, that would need a second Ctrl-D.
    """

    def __init__(self, head: bytes, file: Any) -> None:
        self._head = head
        self._file = file
        self._has_ended = len(head) < HEAD

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there are data."""
        data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        if not data and not self._has_ended:
            data = self._file.read(len(buffer))
            self._has_ended = len(data) < len(buffer)
        buffer[: len(data)] = data
        return len(data)

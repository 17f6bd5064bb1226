# SPDX-License-Identifier: Apache-2.0
"""Decompressing piece by piece: what a file holds never has to fit into memory."""

from __future__ import annotations

import sys

from truebleu.errors import InputError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: The most that is decompressed at once, whatever a file holds.
_PIECE = 1 << 22


class Decompressor:
    """Streams of one method, one behind the other, with zeros as padding behind each.

    Args:
        name: the file, for errors.
        method: as `method_of` names it.

    Raises:
        MissingExtraError: the library of the method is not installed.
    """

    __slots__ = ("_errors", "_make", "_method", "_name", "_stream")

    def __init__(self, name: str, method: str) -> None:
        self._name = name
        self._method = method
        self._make, *errors = _library(method)
        self._errors = (OSError, EOFError, ValueError, *errors)
        self._stream: Any = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What the next bytes of the file decompress to, in pieces of a few megabytes at most.

        Raises:
            InputError: they are damaged.
        """
        while data or (self._stream is not None and not self._stream.needs_input):
            if self._stream is None:
                data = data.lstrip(b"\0")
                if not data:
                    break
                self._stream = self._make()
            try:
                found = self._stream.decompress(data, _PIECE)
            except self._errors as error:
                raise self._damaged(str(error)) from None
            data = b""
            if self._stream.eof:
                data, self._stream = self._stream.unused_data, None
            if found:
                yield found

    def finish(self) -> None:
        """Say that the file has ended.

        Raises:
            InputError: its data have not.
        """
        if self._stream is not None:
            raise self._damaged("they end in the middle")

    def _damaged(self, what: str) -> InputError:
        return InputError(f"{self._name}: damaged {self._method} data: {what}; copy the file again")


class _Gzip:
    """zlib's decompressor with what those of the other methods have."""

    __slots__ = ("_stream", "needs_input")

    def __init__(self) -> None:
        import zlib

        self._stream = zlib.decompressobj(wbits=31)
        self.needs_input = True

    def decompress(self, data: bytes, most: int) -> bytes:
        found = self._stream.decompress(data or self._stream.unconsumed_tail, most)
        self.needs_input = not self._stream.unconsumed_tail and len(found) < most
        return found

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data


class _Zstd:
    """The same of `zstandard`, which gives all that there is: so it is given little at a time."""

    __slots__ = ("_count", "_head", "_rest", "_stream")

    #: Four bytes may stand for 128 KiB.
    _GIVEN = 1 << 12

    #: The longest header of a frame.
    _HEAD = 18

    def __init__(self) -> None:
        import zstandard

        self._stream = zstandard.ZstdDecompressor().decompressobj()
        self._rest = memoryview(b"")
        self._head, self._count = b"", 0

    def decompress(self, data: bytes, most: int) -> bytes:
        # The first byte alone: a frame that comes whole takes another way through libzstd, which
        # refuses other frames.
        size = self._GIVEN if self._head else 1
        if data:
            self._head += data[: self._HEAD - len(self._head)]
            self._rest = memoryview(data)
        found: list[bytes] = []
        while self._rest and not self.eof and sum(map(len, found)) < most:
            given, self._rest = self._rest[:size], self._rest[size:]
            found.append(self._stream.decompress(given))
            size = self._GIVEN
        self._count += sum(map(len, found))
        if self.eof:
            self._check_size()
        return b"".join(found)

    def _check_size(self) -> None:
        """libzstd 1.5.7 does so itself, but not if a frame in pieces ends in an empty block."""
        import zstandard

        size = zstandard.frame_content_size(self._head)
        if size not in (-1, self._count):  # -1: the frame does not say
            raise ValueError(f"{size} bytes were compressed, and {self._count} are there")

    @property
    def needs_input(self) -> bool:
        return not self._rest

    @property
    def eof(self) -> bool:
        return bool(self._stream.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._stream.unused_data) + bytes(self._rest)


def _library(method: str) -> tuple[Any, ...]:
    """What makes a decompressor of one stream, and the errors that are none of Python's."""
    if method == "gzip":
        import zlib

        return _Gzip, zlib.error
    if method == "bz2":
        from bz2 import BZ2Decompressor

        return (BZ2Decompressor,)
    if method == "lzma":
        from lzma import LZMADecompressor, LZMAError

        return LZMADecompressor, LZMAError
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.ZstdDecompressor, zstd.ZstdError
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError.of("reading zstd files before Python 3.14", "zstd") from None
    return _Zstd, zstandard.ZstdError

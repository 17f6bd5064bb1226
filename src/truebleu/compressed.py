# SPDX-License-Identifier: Apache-2.0
"""gzip, bzip2, xz and zstd, piece by piece: what a file holds never has to fit into memory."""

from __future__ import annotations

import sys

from truebleu.errors import InputError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Compressed files by their first bytes.
_MAGIC: dict[bytes, str] = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
    b"\x28\xb5\x2f\xfd": "zstd",
}

#: As many first bytes as tell a compressed file.
HEAD = max(map(len, _MAGIC))


def method_of(head: bytes) -> str | None:
    """How data that begin so are compressed, or None."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


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

    def feed(self, data: bytes) -> bytes:
        """What the next bytes of the file decompress to.

        Raises:
            InputError: they are damaged.
        """
        found = []
        while data:
            if self._stream is None:
                data = data.lstrip(b"\0")
                if not data:
                    break
                self._stream = self._make()
            try:
                found.append(self._stream.decompress(data))
            except self._errors as error:
                raise self._damaged(str(error)) from None
            data = b""
            if self._stream.eof:
                data, self._stream = self._stream.unused_data, None
        return found[0] if len(found) == 1 else b"".join(found)

    def finish(self) -> None:
        """Say that the file has ended.

        Raises:
            InputError: its data have not.
        """
        if self._stream is not None:
            raise self._damaged("they end in the middle")

    def _damaged(self, what: str) -> InputError:
        return InputError(f"{self._name}: damaged {self._method} data: {what}; copy the file again")


def decompress(name: str, data: bytes) -> bytes:
    """All of `data`, decompressed if they are compressed.

    Raises:
        InputError: they are damaged.
    """
    method = method_of(data[:HEAD])
    if method is None:
        return data
    decompressor = Decompressor(name, method)
    found = decompressor.feed(data)
    decompressor.finish()
    return found


def _library(method: str) -> tuple[Any, ...]:
    """What makes a decompressor of one stream, and the errors that are none of Python's."""
    if method == "gzip":
        import zlib

        return lambda: zlib.decompressobj(wbits=31), zlib.error
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
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError

# SPDX-License-Identifier: Apache-2.0
"""gzip, bzip2, xz and zstd files, recognized by content and read in bounded pieces."""

from __future__ import annotations

from truebleu.errors import InputError, needing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Compression methods by the first bytes of a file.
_MAGIC: dict[bytes, str] = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma", b"\x28\xb5\x2f\xfd": "zstd"}

#: The number of first bytes that identify the method.
HEAD = max(map(len, _MAGIC))


def method_of(head: bytes) -> str | None:
    """The method with which data that start with `head` are compressed, or None."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


#: Bytes that libraries with a limit read and return at once; others are passed fewer, because a
#: byte of gzip may stand for 1 KiB, and four bytes of zstd for 128 KiB.
_LIMIT, _GZIP, _ZSTD = 1 << 16, 1 << 13, 1 << 10


class Decompressed:
    """A compressed file, read as its content.

    Args:
        name: file name in errors.
        method: as `method_of` returns it.
        head: the first bytes, which were read already.
        file: with the other bytes.

    Raises:
        MissingExtraError: the library of the method is not installed.
    """

    __slots__ = ("_errors", "_method", "_name", "_pieces")

    def __init__(self, name: str, method: str, head: bytes, file: Any) -> None:
        self._name = name
        self._method = method
        new, size, *errors = _library(method)
        self._pieces = _pieces(head, file, new, size)
        self._errors = (OSError, EOFError, ValueError, *errors)

    def read(self, size: int) -> bytes:
        """Read `size` bytes of the content or some more; fewer at the end."""
        pieces: list[bytes] = []
        try:
            while size > 0 and (piece := next(self._pieces, b"")):
                pieces.append(piece)
                size -= len(piece)
        except self._errors as error:
            raise InputError(f"{self._name}: damaged {self._method} data: {error}; copy the file again") from None
        return b"".join(pieces)


def _library(method: str) -> tuple[Any, ...]:
    """What makes a decompressor, the bytes that it is passed at once, and its library's errors."""
    if method == "gzip":
        from zlib import decompressobj, error

        return lambda: decompressobj(wbits=31), _GZIP, error
    if method == "bz2":
        from bz2 import BZ2Decompressor

        return BZ2Decompressor, _LIMIT
    if method == "lzma":
        from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

        return lambda: LZMADecompressor(FORMAT_XZ), _LIMIT, LZMAError
    try:
        from compression import zstd  # from Python 3.14 on
    except ImportError:
        with needing("reading zstd files before Python 3.14", "zstd"):
            from zstandard import ZstdDecompressor, ZstdError
        return ZstdDecompressor().decompressobj, _ZSTD, ZstdError
    return zstd.ZstdDecompressor, _LIMIT, zstd.ZstdError


def _pieces(packed: bytes, file: Any, new: Any, size: int) -> Iterator[bytes]:
    """The content of compressed streams, one after another, and perhaps zeros, as on tapes.

    Python's readers of bzip2 and xz end silently where a later stream is damaged, and the reader of
    `zstandard` where a file is truncated.
    """
    limit = (size,) if hasattr(new(), "needs_input") else ()
    stream: Any = None
    while True:
        if not packed and (stream is None or getattr(stream, "needs_input", True)):
            packed = file.read(size)
            if not packed:
                break
        if stream is None:
            packed = packed.lstrip(b"\0")
            stream = new() if packed else None
            continue
        content = stream.decompress(packed, *limit)
        packed = b""
        if stream.eof:
            packed, stream = stream.unused_data, None
        if content:
            yield content
    if stream is not None:
        raise EOFError("the file ends in the middle of a stream")

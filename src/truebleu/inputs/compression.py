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


def decompressed(name: str, method: str, packed: bytes, file: Any, block: int) -> Iterator[bytes]:
    """The content of compressed streams, one after another, and perhaps zeros, as on tapes.

    Python's readers of bzip2 and xz end silently where a later stream is damaged, and the reader of
    `zstandard` where a file is truncated.

    Args:
        name: file name in errors.
        method: as `method_of` returns it.
        packed: the first bytes, which were read already.
        file: with the other bytes.
        block: bytes of the content that are returned at once, or some more; fewer at the end.

    Raises:
        InputError: the data are damaged or truncated.
        MissingExtraError: the library of the method is not installed.
    """
    new, size, *errors = _library(method)
    limit = (size,) if hasattr(new(), "needs_input") else ()
    stream: Any = None
    pieces: list[bytes] = []
    left = block
    try:
        while True:
            if not packed and getattr(stream, "needs_input", True):
                packed = file.read(size)
                if not packed:
                    break
            if stream is None:
                packed = packed.lstrip(b"\0")
                stream = new() if packed else None
                continue
            pieces.append(stream.decompress(packed, *limit))
            packed, left = b"", left - len(pieces[-1])
            if stream.eof:
                packed, stream = stream.unused_data, None
            if left <= 0:
                yield b"".join(pieces)
                pieces, left = [], block
    except (OSError, EOFError, ValueError, *errors) as error:
        raise InputError(f"{name}: damaged {method} data: {error}; copy the file again") from None
    if stream is not None:
        what = "the file ends in the middle of a stream"
        raise InputError(f"{name}: damaged {method} data: {what}; copy the file again")
    yield b"".join(pieces)


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

# SPDX-License-Identifier: Apache-2.0
"""gzip, bzip2, xz and zstd, recognized by content."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def decompressed(name: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks of a file, decompressed if they are compressed.

    Raises:
        InputError: they are damaged.
    """
    blocks = iter(blocks)
    first = b""
    while len(first) < HEAD and (more := next(blocks, b"")):
        first += more
    method = method_of(first)
    if method is None:
        yield first
        yield from blocks
        return
    from truebleu.inputs.decompressor import Decompressor  # usual files need none

    decompressor = Decompressor(name, method)
    yield from decompressor.feed(first)
    for block in blocks:
        yield from decompressor.feed(block)
    decompressor.finish()

# SPDX-License-Identifier: Apache-2.0
"""The text of a file as UTF-8, block by block, however it is compressed or encoded."""

from __future__ import annotations

import os

from truebleu.errors import InputError
from truebleu.inputs.compressed import HEAD, method_of
from truebleu.inputs.decoding import Decoder
from truebleu.inputs.decompressor import Decompressor
from truebleu.inputs.files import BOM, name_of, open_bytes, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Bytes that are read at a time: the calls are nothing beside it.
BLOCK = 3 << 20
#: The same of a compressed file, which may become a thousand times as long.
_COMPRESSED_BLOCK = 1 << 16


class Blocks:
    """A file as blocks of UTF-8. Undecoded UTF-8 is handed out as it is, to be checked later.

    Args:
        path: of a file; `-` is standard input.
        encoding, errors: as Python's `open`.
        notice: is given one line about what was changed.

    Raises:
        InputError: it cannot be read.
    """

    __slots__ = (
        "_decoder", "_decompressor", "_file", "_head", "_is_plain", "_notice", "_path", "_pieces",
        "_size", "given",
    )  # fmt: skip

    def __init__(
        self, path: str, encoding: str, errors: str, notice: Callable[[str], None]
    ) -> None:
        self._path = path
        self._notice = notice
        self._file = open_bytes(path)
        self._size = os.path.getsize(path) if path != "-" else 0
        self._decoder: Decoder | None = None
        if (encoding, errors) != ("utf-8", "strict"):
            self._decoder = Decoder(name_of(path), encoding, errors)
        #: Bytes of the file so far.
        self.given = 0
        head = self._read(HEAD)
        while 0 < len(head) < HEAD and (more := self._read(HEAD - len(head))):
            head += more
        method = method_of(head)
        self._decompressor = Decompressor(name_of(path), method) if method else None
        self._head: bytes | None = head
        self._pieces: Iterator[bytes] = iter(())  # of what was given to the decompressor
        # Whether a place in the text is one in the file.
        plain = self._decompressor is None and self._decoder is None
        self._is_plain = plain and os.path.isfile(path)

    def begin(self, offset: int) -> bytes:
        """The first block, without a byte order mark; from a place in the text on, if not zero.

        The offset counts behind the byte order mark.
        """
        block = b""
        while len(block) < len(BOM) and (more := self.next()):
            block += more
        marked = block.startswith(BOM)
        if marked:
            block = block[len(BOM) :]
            if not offset:
                self._notice(f"{name_of(self._path)}: dropped the byte order mark at its start")
        if not offset:
            return block
        if self._is_plain and offset > len(block):
            self.given = offset + marked * len(BOM)
            self._file.seek(self.given)
            return self.next()
        while offset > len(block):
            offset -= len(block)
            block = self.next()
            if not block:
                return b""
        return block[offset:] or self.next()

    def next(self, size: int = BLOCK) -> bytes:
        """The next block, of about `size` bytes; nothing at the end, however often it is asked."""
        if self._decompressor is None and self._decoder is None:
            return self._raw(size)
        while True:
            if self._decompressor:
                data, ended = self._decompressed(self._decompressor)
            else:
                data = self._raw(size)
                ended = not data
            if self._decoder:
                data = self._decoder.feed(data, ended)
            if data or ended:
                return data

    def _decompressed(self, decompressor: Decompressor) -> tuple[bytes, bool]:
        """The next piece, which may be empty, and whether the file has ended."""
        found = next(self._pieces, None)
        if found is not None:
            return found, False
        data = self._raw(_COMPRESSED_BLOCK)
        if not data:
            decompressor.finish()
            return b"", True
        self._pieces = decompressor.feed(data)
        return next(self._pieces, b""), False

    def behind(self, data: bytes, start: int, size: int) -> bytes:
        """What is left of `data` from `start` on, with about `size` bytes of the file behind it."""
        left = len(data) - start
        if self._head is None and self._is_plain and left < size // 2:
            # To read these bytes again is half the work of copying all that is behind them.
            self._file.seek(-left, os.SEEK_CUR)
            self.given -= left
            again = self._read(size)
            if len(again) < left:
                raise InputError(
                    f"{name_of(self._path)}: became shorter while it was read; begin anew when it "
                    "is complete"
                )
            return again
        block = self.next(size)
        return data[start:] + block if left else block

    def close(self) -> None:
        """Close the file."""
        if self._path != "-":
            self._file.close()

    @property
    def size(self) -> int:
        """Bytes of the file; 0 if nobody knows."""
        return self._size

    def _raw(self, size: int) -> bytes:
        head, self._head = self._head, None
        return (head or b"") + self._read(size - len(head or b""))

    def _read(self, size: int) -> bytes:
        try:
            data: bytes = self._file.read(size)
        except OSError as error:
            raise unreadable(self._path, error) from None
        self.given += len(data)
        return data

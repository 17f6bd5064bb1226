# SPDX-License-Identifier: Apache-2.0
"""The text of a file as UTF-8, block by block, however it is compressed or encoded."""

from __future__ import annotations

import os

from truebleu.compressed import HEAD, method_of
from truebleu.decompressor import Decompressor
from truebleu.errors import InputError
from truebleu.files import BOM, name_of, open_bytes, undecodable, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

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
        self._decoder: _Decoder | None = None
        if (encoding, errors) != ("utf-8", "strict"):
            self._decoder = _Decoder(name_of(path), encoding, errors)
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


class _Decoder:
    """Text in another encoding as UTF-8."""

    __slots__ = ("_column", "_decoder", "_encoding", "_fed", "_line", "_name", "_pending")

    def __init__(self, name: str, encoding: str, errors: str) -> None:
        from codecs import getincrementaldecoder

        self._name = name
        self._encoding = encoding
        try:
            self._decoder: Any = getincrementaldecoder(encoding)(errors)
        except LookupError as error:
            raise InputError(f"{error}; use a name that Python knows, such as utf-8") from None
        self._pending = b""  # what the line that is not at its end has had so far
        self._line = 1

    def feed(self, data: bytes, ended: bool) -> bytes:
        """The text of the next bytes of the file, as UTF-8.

        Raises:
            InputError: they cannot be decoded.
        """
        try:
            text = self._decoder.decode(data, ended).encode()
        except UnicodeDecodeError as error:
            # The decoder's own view may begin with bytes of the piece before.
            at = len(self._pending) + len(data) - len(error.object) + error.start
            whole = self._pending + data
            raise undecodable(self._name, whole, at, self._encoding, self._line) from None
        except UnicodeError as error:
            message = f"{self._name}: cannot be read as {self._encoding}: {error}"
            raise InputError(message) from None
        except LookupError as error:
            raise InputError(f"{error}; use a name that Python knows, such as utf-8") from None
        end = data.rfind(b"\n") + 1
        self._line += data.count(b"\n")
        self._pending = data[end:] if end else self._pending + data
        return bytes(text)

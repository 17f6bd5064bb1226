# SPDX-License-Identifier: Apache-2.0
"""Text in any encoding that Python knows as UTF-8, piece by piece: Ctrl-C is heard between two."""

from __future__ import annotations

from codecs import getincrementaldecoder

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Bytes that are decoded at once: the slowest encodings take 50 ms.
_PIECE = 1 << 22


class Decoder:
    """Bytes of a file as UTF-8.

    Args:
        name: the file, for errors.
        encoding, errors: as Python's `open`.

    Raises:
        InputError: Python does not know the encoding, or it gives no text.
    """

    __slots__ = ("_decoder", "_encoding", "_line", "_name", "_pending")

    def __init__(self, name: str, encoding: str, errors: str) -> None:
        self._name = name
        self._encoding = encoding
        try:
            "".encode(encoding)  # says of base64 and its like that they are none of text
            self._decoder: Any = getincrementaldecoder(encoding)(errors)
        except UnicodeError as error:
            raise self._no_text(error) from None
        except (LookupError, ValueError) as error:
            raise InputError(f"{error}; use a name that Python knows, such as utf-8") from None
        #: What has come since the last line end that was decoded.
        self._pending: list[bytes] = []
        self._line = 1

    def whole(self, data: bytes) -> bytes:
        """The text of a whole file; see `feed`."""
        places = range(0, len(data) or 1, _PIECE)
        return b"".join(self.feed(data[i : i + _PIECE], i == places[-1]) for i in places)

    def feed(self, data: bytes, ended: bool) -> bytes:
        """The text of the next bytes of the file, as UTF-8.

        Raises:
            InputError: they cannot be decoded.
        """
        try:
            text = self._decoder.decode(data, ended).encode()
        except UnicodeDecodeError as error:
            # The decoder's own view may begin with bytes of the piece before.
            whole = b"".join([*self._pending, data])
            at = len(whole) - len(error.object) + error.start
            raise undecodable(self._name, whole, at, self._encoding, self._line) from None
        except UnicodeError as error:
            raise self._no_text(error) from None
        except (LookupError, ValueError) as error:
            raise InputError(f"{error}; use a name that Python knows, such as utf-8") from None
        self._pending.append(data)
        if b"\n" in data:
            whole = b"".join(self._pending)
            # An error may be found yet in what the decoder keeps for the next piece.
            end = whole.rfind(b"\n", 0, len(whole) - len(self._decoder.getstate()[0])) + 1
            self._line += whole.count(b"\n", 0, end)
            self._pending = [whole[end:]]
        return bytes(text)

    def _no_text(self, error: UnicodeError) -> InputError:
        return InputError(f"{self._name}: cannot be read as {self._encoding}: {error}")


def undecodable(
    name: str, data: bytes, at: int, encoding: str = "utf-8", line: int = 1
) -> InputError:
    """The error for the byte of `data` at `at`, which begin with line `line`."""
    line += data.count(b"\n", 0, at)
    offset = at - (data.rfind(b"\n", 0, at) + 1)
    return InputError(
        f"{name}:{line}: byte {offset + 1} of the line is not {encoding}; "
        "name the right --encoding, or use --errors replace"
    )

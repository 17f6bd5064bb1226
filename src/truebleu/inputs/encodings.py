# SPDX-License-Identifier: Apache-2.0
"""Text in any encoding that Python knows, recoded to UTF-8 block by block."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Any

from truebleu.errors import InputError

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")


def declared(xml: bytes) -> str:
    """The encoding that XML declares, or UTF-8."""
    match = _DECLARED.match(xml)
    return match[1].decode() if match else "utf-8"


class Recoder:
    """Recodes the bytes of a file to UTF-8.

    Args:
        name: file name in errors.
        encoding, errors: as Python's `open`.

    Raises:
        InputError: Python does not know the encoding, or it is not an encoding of text.
    """

    __slots__ = ("_decoder", "_encoding", "_lines", "_name")

    def __init__(self, name: str, encoding: str, errors: str) -> None:
        self._name = name
        self._encoding = encoding
        self._lines = 0
        try:
            "".encode(encoding)  # fails for base64 and other encodings of bytes
            self._decoder: Any = getincrementaldecoder(encoding)(errors)
        except (LookupError, ValueError) as error:
            raise self._named(error) from None

    def feed(self, data: bytes, *, is_last: bool) -> bytes:
        """Recode the next bytes of the file."""
        try:
            text = self._decoder.decode(data, is_last)
            recoded: bytes = text.encode()
        except (LookupError, ValueError) as error:
            raise self._named(error) from None
        self._lines += text.count("\n")
        return recoded

    def _named(self, error: Exception) -> InputError:
        if not isinstance(error, UnicodeError):
            problem = str(error).partition(";")[0]
            return InputError(f"{problem}; use an encoding that Python knows, such as utf-8")
        if isinstance(error, UnicodeDecodeError):
            self._lines += error.object.count(b"\n", 0, error.start)
        what = getattr(error, "reason", error)
        return InputError(
            f"{self._name}:{self._lines + 1}: not {self._encoding} ({what}); "
            "name the right --encoding, or use --errors replace"
        )

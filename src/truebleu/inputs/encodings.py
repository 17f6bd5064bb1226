# SPDX-License-Identifier: Apache-2.0
"""Text in any encoding that Python knows, recoded to UTF-8 block by block."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from itertools import chain
from typing import Any

from truebleu.errors import InputError

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")


def declared(xml: bytes) -> str:
    """The encoding that XML declares, or UTF-8."""
    match = _DECLARED.match(xml)
    return match[1].decode() if match else "utf-8"


def recoded(name: str, blocks: Iterator[bytes], encoding: str, errors: str) -> Iterator[bytes]:
    """The blocks of a file in UTF-8.

    Args:
        name: file name in errors.
        blocks: at least one.
        encoding, errors: as Python's `open`.

    Raises:
        InputError: the bytes have another encoding, Python does not know it, or it is not one of
            text.
    """
    lines = 0
    try:
        "".encode(encoding)  # fails for base64 and other encodings of bytes
        decoder: Any = getincrementaldecoder(encoding)(errors)
        for block in chain(blocks, [None]):
            text = decoder.decode(block or b"", block is None)
            yield text.encode()
            lines += text.count("\n")
    except InputError:  # of a file that cannot be read
        raise
    except UnicodeError as error:
        if isinstance(error, UnicodeDecodeError):
            lines += error.object.count(b"\n", 0, error.start)
        what = getattr(error, "reason", error)
        raise InputError(
            f"{name}:{lines + 1}: not {encoding} ({what}); name the right --encoding, or use --errors replace"
        ) from None
    except (LookupError, ValueError) as error:
        problem = str(error).partition(";")[0]
        raise InputError(f"{problem}; use an encoding that Python knows, such as utf-8") from None

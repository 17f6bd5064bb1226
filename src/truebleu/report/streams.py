# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers and texts, small enough to lie in a page.

Each is compressed and written as base64, which no markup can be in; data.js reads them.
"""

from __future__ import annotations

import zlib
from array import array
from base64 import b64encode

from truebleu.errors import InputError
from truebleu.report.spans import locate, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


#: Bytes that are compressed at once.
_PIECE = 1 << 17


class Streams:
    """Named columns, and the type of each.

    Attributes:
        encoded: the columns, as base64 of zlib's format.
        types: of each, `text` (UTF-8), `f8`, or `u1`, `u2`, `u4`: floats and unsigned integers of
            so many bytes, the first one first.
    """

    def __init__(self) -> None:
        self.encoded: dict[str, str] = {}
        self.types: dict[str, str] = {}

    def add_text(self, name: str, text: str) -> None:
        """Add a text.

        Raises:
            InputError: it has half a character.
        """
        try:
            self._add(name, "text", text.encode())
        except UnicodeEncodeError as error:
            raise InputError(
                f"a text holds the lone surrogate U+{ord(text[error.start]):04X}, which is no "
                'character; decode it without errors="surrogateescape", or replace it'
            ) from None

    def add_floats(self, name: str, values: Any) -> None:
        """Add floats; what is no number stays none."""
        import numpy as np

        self._add(name, "f8", np.asarray(values, dtype="<f8").tobytes())

    def add_integers(self, name: str, values: Any) -> None:
        """Add integers from 0 on, in as few bytes each as the largest takes."""
        import numpy as np

        array = np.asarray(values, dtype=np.int64)
        largest = int(array.max()) if len(array) else 0
        kind = "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4"
        self._add(name, kind, array.astype(f"<{kind}").tobytes())

    def add_column(
        self, name: str, segments: Sequence[Any], tokens: Callable[[Any], list[str]]
    ) -> dict[str, Any]:
        """Add texts and where their tokens are.

        A text that does not show its tokens is followed by them in the table that is returned. One
        that does but for their case is given a second time, as it is counted.

        Args:
            segments: strings, lists of words, or None where there is nothing.
            tokens: what the metric counts of one of them.

        Returns:
            What is to be known beside the streams: the segments that are `absent`, and the tokens
            of those that are `spelled`.
        """
        texts, as_counted = [], []
        lengths, counts, gaps, sizes = (array("I") for _ in range(4))
        absent: list[int] = []
        spelled: dict[int, list[str]] = {}
        for i, segment in enumerate(segments):
            if segment is None:
                absent.append(i)
                text, words = "", []
            else:
                text = segment if isinstance(segment, str) else " ".join(segment)
                words = tokens(segment)
            located = locate(text, words)
            if located is None:
                spelled[i] = words
                located = ([], []), text
            (before, within), counted = located
            texts.append(text)
            as_counted.append(counted)
            lengths.append(units(text))
            counts.append(len(within))
            gaps.extend(before)
            sizes.extend(within)
        self.add_text(f"{name}.text", "".join(texts))
        if as_counted != texts:
            self.add_text(f"{name}.counted", "".join(as_counted))
        for kind, numbers in (
            ("lengths", lengths), ("counts", counts), ("gaps", gaps), ("sizes", sizes),
        ):  # fmt: skip
            self.add_integers(f"{name}.{kind}", numbers)
        return {"absent": absent, "spelled": spelled}

    def _add(self, name: str, kind: str, data: bytes) -> None:
        self.types[name] = kind
        # Ctrl-C is heard between two pieces, each of which takes a few milliseconds.
        packer = zlib.compressobj()
        packed = [packer.compress(data[at : at + _PIECE]) for at in range(0, len(data), _PIECE)]
        self.encoded[name] = b64encode(b"".join([*packed, packer.flush()])).decode()

# SPDX-License-Identifier: Apache-2.0
"""Texts as hashes, by which a ledger knows them, and rows of integers as a few bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError
from truebleu.inputs.corpus import Lines, LineStreams, as_python, check_aligned, reference_columns

#: Bytes of a hash.
_SIZE = 16


@dataclass(frozen=True, slots=True)
class Texts:
    """Hypotheses and their references.

    Attributes:
        hyp: a hash of the hypotheses.
        refs: a hash of the references.
        nrefs: references of a segment, for signatures.
    """

    hyp: bytes
    refs: bytes
    nrefs: int | str

    @classmethod
    def of(cls, hyps: Any, refs: Any) -> Texts:
        """The hashes of two columns of text, which may be read again.

        Raises:
            InputError: they are not text, or not aligned.
        """
        hyps, rows = _texts("hyps", hyps), _texts("refs", refs)
        check_aligned(hyps, rows)
        if isinstance(rows, LineStreams):
            return cls(_hash([hyps]), _hash(rows.files), len(rows.files))
        if isinstance(rows, Lines) or not set(map(type, rows)) - {str}:
            return cls(_hash([hyps]), _hash([rows]), 1)
        columns = reference_columns(rows)
        counts = {sum(ref is not None for ref in row) for row in zip(*columns, strict=True)} or {0}
        return cls(_hash([hyps]), _hash(columns), nrefs((min(counts), max(counts))))


def _texts(name: str, column: Any) -> Any:
    """A column that can be joined: lines of files, or a list or tuple."""
    is_ready = isinstance(column, (Lines, LineStreams, list, tuple))
    return column if is_ready else as_python(name, column)


def _hash(columns: Sequence[Any]) -> bytes:
    """A hash of columns: lines of files and strings, in which None is an absent text.

    Files and lists with equal texts have equal hashes.
    """
    digest = blake2b(digest_size=_SIZE)
    for column in columns:
        is_file = isinstance(column, Lines)
        lines = column.data.removesuffix(b"\n") if is_file else _lines(column)
        data = _json(column) if lines is None else lines
        # With both numbers and the kind, no two different columns are the same bytes.
        kind = "json" if lines is None else "lines"
        digest.update(f"{kind} {len(column)} {len(data)}\n".encode())
        digest.update(data)
    return digest.digest()


def _lines(column: Sequence[Any]) -> bytes | None:
    """Strings as lines; None if one of them has a line feed, or is not a string."""
    try:
        text = "\n".join(column)
    except TypeError:
        return None
    return text.encode(errors="surrogatepass") if text.count("\n") == len(column) - 1 else None


def _json(column: Sequence[Any]) -> bytes:
    for i, text in enumerate(column):
        if not isinstance(text, (str, type(None))):
            kind = type(text).__name__
            raise InputError(f"segment {i + 1} is of type {kind}; a ledger holds scores of text")
    return json.dumps(column).encode()


def pack(rows: memoryview, width: int) -> bytes:
    """Rows of `width` 64-bit integers, compressed.

    The first bytes of all rows, then the second ones, and so on: most bytes of a count are 0, so
    that equal bytes come together. zlib adds a checksum.
    """
    data, stride = rows.tobytes(), 8 * width
    return zlib.compress(b"".join(data[i::stride] for i in range(stride)), 1)


def unpack(packed: bytes, width: int, segments: int) -> bytearray:
    """The rows that `pack` compressed.

    Raises:
        ValueError: the bytes are damaged.
    """
    stride = 8 * width
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(packed, stride * segments + 1)
    except (zlib.error, TypeError) as error:
        raise ValueError(str(error)) from None
    if len(data) != stride * segments or not reader.eof:
        raise ValueError("wrong size")
    rows = bytearray(len(data))
    for i in range(stride):
        rows[i::stride] = data[i * segments : (i + 1) * segments]
    return rows

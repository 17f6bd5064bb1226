# SPDX-License-Identifier: Apache-2.0
"""Rows of JSON: an object on each line, or an array of objects. Values are never converted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from json import JSONDecoder, loads
from typing import Any

from truebleu.errors import InputError, suggest
from truebleu.inputs import files
from truebleu.inputs.columns import (
    LABEL,
    TEXTS,
    TEXTS_OR_NULL,
    TableRows,
    Wanted,
    is_number,
)
from truebleu.inputs.files import name_of
from truebleu.inputs.text_lines import LineRows

#: Bytes of the longest line, which may be a whole array; rows on lines of their own have less.
ARRAY = 1 << 28

#: `loads` without its tests of the type and options, which take as long as that of the keys.
_decode = JSONDecoder().decode

#: The end of a key. In a text, the same characters are rare.
_END_OF_KEY = re.compile(rb'"\s*:')

_ADVICE = (
    "write an object on each line, or an array of objects, as pandas does with "
    'to_json(orient="records")'
)


def read_json(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[LineRows | TableRows]:
    """Read files with a JSON object on each line, or with one array of objects.

    Args:
        lines: of the files.
        wanted: columns by name; dots in a name lead into objects and lists.

    Raises:
        InputError: an array is not JSON.
    """

    def parse(line: bytes) -> list[Any]:
        if len(line) > files.LONGEST:
            raise ValueError(f"the line is longer than {files.LONGEST >> 20} MiB")
        try:
            row = _decode(line.decode())
            # Cheap tests first: parsing it again to find a key that occurs twice is slow.
            if (type(row) is not dict or line.count(b":") > len(row)) and (
                len(_END_OF_KEY.findall(line)) > _keys_in(row)
            ):
                loads(line.decode(), object_pairs_hook=_unique)
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            what = "the line is empty"
            if line.strip():
                what = f"not JSON: {error}; {_ADVICE}"
            raise ValueError(what) from None
        return _values(row, wanted, has_escapes=_has_surrogates(line))

    rows = next(lines, None)
    while rows is not None:
        if rows.line > 1 or not rows.split(1)[0].raw()[0].lstrip().startswith(b"["):
            yield replace(rows, parse=parse, width=len(wanted))
            rows = next(lines, None)
            continue
        path, position, text = rows.path, rows.position, rows.raw()
        while (rows := next(lines, None)) is not None and rows.line > 1:
            position = rows.position
            text += rows.raw()
        if table := _array(path, b"\n".join(text), wanted):
            yield TableRows(table, len(wanted), position)


def _keys_in(value: Any) -> int:
    """The number of keys of all objects in a value."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys_in, value.values()))
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in an object")
    return row


def _array(path: str, text: bytes, wanted: Wanted) -> list[list[Any] | str]:
    """The wanted values of each row of a JSON array, or what is wrong with it."""
    try:
        rows = loads(text.decode(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        what = "it is not utf-8" if isinstance(error, UnicodeDecodeError) else error
        raise InputError(f"{name_of(path)}: not a JSON array: {what}; {_ADVICE}") from None
    has_escapes = _has_surrogates(text)
    read: list[list[Any] | str] = []
    for number, row in enumerate(rows, start=1):
        try:
            read.append(_values(row, wanted, has_escapes=has_escapes))
        except ValueError as error:
            read.append(f"{name_of(path)}: row {number}: {error}; correct the row")
    return read


def _values(row: Any, wanted: Wanted, *, has_escapes: bool) -> list[Any]:
    """The wanted values of a row; raises ValueError if one is missing or not of its kind."""
    try:
        values = []
        for name, kind in wanted:
            parent, key = place_of(row, name)
            values.append(_checked(name, kind, parent[key]))
    except ValueError as error:
        if isinstance(row, dict) and any(isinstance(value, str) for value in row.values()):
            raise
        raise ValueError(f"{error}; {_ADVICE}") from None  # it is not a row
    if has_escapes:
        for (name, _), value in zip(wanted, values, strict=True):
            _check_surrogates(name, value)
    return values


def place_of(row: Any, name: str) -> tuple[Any, Any]:
    """The object or list that has a field of a row, and the key of the field in it.

    Raises:
        ValueError: there is no such field.
    """
    if isinstance(row, dict) and name in row:
        return row, name
    parent: Any = None
    place: Any = None
    value = row
    for key in name.split("."):
        parent, place = value, key
        if isinstance(value, list) and is_number(key) and int(key) < len(value):
            place = int(key)
        elif not (isinstance(value, dict) and key in value):
            near = suggest(name, row) if isinstance(row, dict) and row else repr(name)
            raise ValueError(f"there is no field {near}")
        value = parent[place]
    return parent, place


def _checked(name: str, kind: str, value: Any) -> Any:
    """A value of a row; raises ValueError if it is not of its kind."""
    if isinstance(value, str):
        return value
    if value is None:
        if kind in (TEXTS_OR_NULL, LABEL):
            return None
        raise ValueError(f"{name!r} is null")
    if kind == LABEL and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if kind in (TEXTS, TEXTS_OR_NULL) and isinstance(value, list):
        if not all(ref is None or isinstance(ref, str) for ref in value):
            raise ValueError(f"{name!r} holds a value that is not text")
        if kind == TEXTS and all(ref is None for ref in value):
            raise ValueError(f"{name!r} has no reference")
        return value
    raise ValueError(f"{name!r} is of type {type(value).__name__}, not text")


def _has_surrogates(text: bytes) -> bool:
    """Whether half of a surrogate pair may be escaped in a text."""
    return b"\\u" in text and (b"\\ud" in text or b"\\uD" in text)


def _check_surrogates(name: str, value: Any) -> None:
    for text in value if isinstance(value, list) else [value]:
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} holds a lone surrogate, not a character") from None

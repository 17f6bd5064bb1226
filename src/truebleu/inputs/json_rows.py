# SPDX-License-Identifier: Apache-2.0
"""Rows of JSON: an object on each line, or an array of objects. Values are never converted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from json import JSONDecoder
from typing import Any

from truebleu.errors import InputError, suggest
from truebleu.inputs import files
from truebleu.inputs.columns import LABEL, TEXT, TEXTS, TableRows, Wanted, is_number, reason
from truebleu.inputs.files import name_of
from truebleu.inputs.text_lines import LineRows

#: Bytes of the longest line, which may be a whole array; rows on lines of their own have less.
ARRAY = 1 << 28

_ADVICE = 'write an object on each line, or an array of objects, as pandas does with to_json(orient="records")'


def read_json(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[TableRows]:
    """Read a file with a JSON object on each line, or with one array of objects.

    Args:
        lines: of the file.
        wanted: columns by name; dots in a name lead into objects and lists.

    Raises:
        InputError: an array is not JSON.
    """

    def parse(line: bytes) -> list[Any]:
        if len(line) > files.LONGEST:
            raise ValueError(f"the line is longer than {files.LONGEST >> 20} MiB")
        try:
            row = _decode(line.decode())
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            what = f"not JSON: {error}; {_ADVICE}" if line.strip() else "the line is empty"
            raise ValueError(what) from None
        return _values(row, wanted, has_escapes=b"\\u" in line)

    first = next(lines)
    path = name_of(first.path)
    if not first.first.lstrip().startswith(b"["):
        for block in chain([first], lines):
            rows = _parsed(block.raw(), parse, f"{path}:", block.line)
            yield TableRows(rows, len(wanted), block.position)
        return
    blocks = [first, *lines]
    text = b"".join(block.text for block in blocks).removesuffix(b"\n")
    try:
        array = _decode(text.decode())
    except (ValueError, RecursionError) as error:
        what = "it is not utf-8" if isinstance(error, UnicodeDecodeError) else error
        raise InputError(f"{path}: not a JSON array: {what}; {_ADVICE}") from None
    # Escapes may be of half of a surrogate pair.
    values = partial(_values, wanted=wanted, has_escapes=b"\\u" in text)
    if table := _parsed(array, values, f"{path}: row "):
        yield TableRows(table, len(wanted), blocks[-1].position)


def _parsed(items: Iterable[Any], parse: Callable[[Any], list[Any]], where: str, start: int = 1) -> list[Any]:
    """The wanted values of each row, or what is wrong with it."""
    rows: list[list[Any] | str] = []
    for number, item in enumerate(items, start):
        try:
            rows.append(parse(item))
        except ValueError as error:
            rows.append(f"{where}{number}: {reason(error)}; correct the row")
    return rows


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise ValueError(f"the key {twice!r} occurs twice in an object")
    return row


#: Not `loads`, which would make a decoder for each line.
_decode = JSONDecoder(object_pairs_hook=_unique).decode


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
    if isinstance(value, str) or (value is None and kind != TEXT):
        return value
    if kind == LABEL and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if kind == TEXTS and isinstance(value, list):
        if not all(ref is None or isinstance(ref, str) for ref in value):
            raise ValueError(f"{name!r} holds a value that is not text")
        return value
    if value is None:
        raise ValueError(f"{name!r} is null")
    raise ValueError(f"{name!r} is of type {type(value).__name__}, not text")


def _check_surrogates(name: str, value: Any) -> None:
    for text in value if isinstance(value, list) else [value]:
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} holds a lone surrogate, not a character") from None

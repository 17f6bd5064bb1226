# SPDX-License-Identifier: Apache-2.0
"""Rows of JSON Lines: one object on each line, whose values are never converted to another type."""

from __future__ import annotations

from collections.abc import Iterator
from json import loads
from typing import Any

from truebleu.inputs.table_rows import LABEL, TEXTS, TEXTS_OR_NULL, ParsedRows, Wanted, is_number
from truebleu.inputs.text_lines import LineRows


def read_json_lines(lines: Iterator[LineRows], wanted: Wanted) -> Iterator[ParsedRows]:
    """Read files with a JSON object on each line.

    Args:
        lines: of the files.
        wanted: columns by name; dots in a name lead into objects and lists.
    """

    def parse(line: bytes) -> list[Any]:
        try:
            row = loads(line.decode())
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"not JSON: {error}" if line.strip() else "the line is empty"
            ) from None
        values = [_checked(name, kind, _field(row, name)) for name, kind in wanted]
        if b"\\ud" in line or b"\\uD" in line:
            for (name, _), value in zip(wanted, values, strict=True):
                _check_surrogates(name, value)
        return values

    for rows in lines:
        yield ParsedRows(rows, parse, len(wanted))


def _field(row: Any, name: str) -> Any:
    if isinstance(row, dict) and name in row:
        return row[name]
    value = row
    for key in name.split("."):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and is_number(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            raise ValueError(f"there is no field {name!r}")
    return value


def _checked(name: str, kind: str, value: Any) -> Any:
    """A value of a row; raises ValueError if it is not of its kind."""
    if isinstance(value, str):
        return value
    if value is None:
        if kind == TEXTS_OR_NULL:
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


def _check_surrogates(name: str, value: Any) -> None:
    for text in value if isinstance(value, list) else [value]:
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name!r} holds a lone surrogate, not a character") from None

# SPDX-License-Identifier: Apache-2.0
"""Tables with other values in some columns, in the format in which they were read."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from json import dumps, loads
from typing import Any

from truebleu.errors import OptionError
from truebleu.inputs.columns import is_number
from truebleu.inputs.delimited import is_quoted
from truebleu.inputs.files import BOM, UTF_8, Decoding, text_blocks
from truebleu.inputs.json_rows import place_of
from truebleu.inputs.paths import kind_of

#: The new values of each row, by the name of their column.
NewColumns = Mapping[str, Sequence[Any]]


def rewritten(path: str, columns: NewColumns, decoding: Decoding) -> bytes:
    """A table with new values in some columns. In text, rows that stay the same keep their bytes.

    Args:
        path: of a file that was read as a TSV, CSV or JSON table. The copy is not compressed.
        columns: the new values.
        decoding: of its bytes.

    Raises:
        InputError: the file cannot be read again.
        OptionError: a repair wrote a character that the encoding lacks.
    """
    kind = kind_of([path])
    if kind == "json":
        decoding = UTF_8
    data = b"".join(block for block, _ in text_blocks(path, decoding, keep_bom=True))
    mark = BOM if data.startswith(BOM) else b""
    text = data.removeprefix(mark).decode()
    parts = _json(text, columns) if kind == "json" else _delimited(text, kind, columns)
    return encoded(path, "".join([mark.decode(), *parts]), decoding.encoding)


def encoded(path: str, text: str, encoding: str) -> bytes:
    """The text of a repaired file in its encoding.

    Raises:
        OptionError: a repair wrote a character that the encoding lacks.
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise OptionError(
            f"{path}: a repair writes {text[error.start]!a}, which {encoding} lacks; convert the file to utf-8 first"
        ) from None


def _delimited(text: str, kind: str, columns: NewColumns) -> Iterator[str]:
    rows = _rows(list(StringIO(text, newline="\n")), kind)
    if all(map(is_number, columns)):
        places = [int(name) - 1 for name in columns]
    else:
        line, names, _ = next(rows)
        yield line
        places = [names.index(name) for name in columns]
    values = zip(*columns.values(), strict=True)
    for (line, fields, join), new in zip(rows, values, strict=True):
        changed = list(fields)
        for place, value in zip(places, new, strict=True):
            changed[place] = value
        end = line[len(line.rstrip("\r\n")) :]
        yield line if changed == fields else join(changed) + end


def _rows(lines: list[str], kind: str) -> Iterator[tuple[str, list[str], Callable[..., str]]]:
    """The text of each row, its fields, and the function that joins fields."""
    if kind == "tsv" and not is_quoted("".join(lines).encode(), _fields(lines[0])):
        yield from ((line, _fields(line), "\t".join) for line in lines)
        return
    delimiter = "," if kind == "csv" else "\t"

    def join(fields: list[str]) -> str:
        text = StringIO(newline="")
        csv.writer(text, delimiter=delimiter, lineterminator="").writerow(fields)
        return text.getvalue()

    rows, start = csv.reader(lines, strict=True, delimiter=delimiter), 0
    for fields in rows:
        yield "".join(lines[start : rows.line_num]), fields, join
        start = rows.line_num


def _fields(line: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split("\t")


def _json(text: str, columns: NewColumns) -> Iterator[str]:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if text.lstrip().startswith("["):
        array = loads(text)
        for row, new in zip(array, rows, strict=True):
            _set(row, new)
        yield _as_before(text, array)
        return
    for line, new in zip(StringIO(text, newline="\n"), rows, strict=True):
        row = loads(line)
        is_changed = _set(row, new)
        yield _as_before(line, row) if is_changed else line


def _set(row: Any, new: Mapping[str, Any]) -> bool:
    """Set fields of a row; returns whether this changed the row."""
    is_changed = False
    for name, value in new.items():
        parent, key = place_of(row, name)
        is_changed |= parent[key] != value
        parent[key] = value
    return is_changed


def _as_before(text: str, value: Any) -> str:
    """JSON with the spaces, the escapes and the end of a text."""
    is_lined = "\n" in text.strip()
    separators = (",", ":") if '":"' in text and not is_lined else None
    written = dumps(value, ensure_ascii=text.isascii(), separators=separators, indent=2 if is_lined else None)
    return written + text[len(text.rstrip()) :]

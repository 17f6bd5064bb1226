# SPDX-License-Identifier: Apache-2.0
"""`truebleu check --fix DIR`: repaired copies of text files and tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truebleu.analysis.check import Column, Texts, repaired
from truebleu.cli import inputs
from truebleu.cli.flags import Args, exclude
from truebleu.errors import OptionError, quantity
from truebleu.inputs.files import Decoding, Origin, is_markup, split_part
from truebleu.inputs.paths import files_of, kind_of, plain_name
from truebleu.inputs.rewriting import encoded, rewritten
from truebleu.text.atomic import check_output, make_folder, write_whole
from truebleu.text.escaping import visible

#: A file, and the name of a column of it; empty for a text file.
Place = tuple[str, str]


def targets(args: Args, plan: inputs.Plan) -> dict[str, str]:
    """For each file the path of its copy, before any work is done.

    Raises:
        OptionError: a file is standard input, a table has several files, two files have the same
            name, or a copy cannot be written.
    """
    folder = args["fix"]
    exclude(args, "--fix", "join_col")
    columns = [*plan.refs, *plan.hyps, *([plan.source] if plan.source else [])]
    places = list(map(_place, columns))
    copies: dict[str, str] = {}
    for path, column in places:
        if path in copies:
            continue
        if split_part(path)[1] or is_markup(path) or (column and kind_of([path]) == "arrow"):
            raise OptionError(f"--fix repairs text, TSV, CSV and JSON; save {path} as such first")
        name = os.path.basename(plain_name(path))  # copies are not compressed
        copy = os.path.join(folder, name)
        if copy in copies.values():
            raise OptionError(f"two files have the name {name}; --fix needs different names")
        if os.path.exists(copy) and any(os.path.samefile(copy, other) for other, _ in places):
            raise OptionError(f"--fix would replace the input {copy}; name another folder")
        if os.path.lexists(folder):
            check_output(copy, force="force" in args)
        copies[path] = copy
    return copies


def _place(column: Origin) -> Place:
    files = list(column.paths)
    if column.name:
        files = [file for path in files for file in files_of(path)]
    if files == ["-"]:
        raise OptionError("--fix needs names for the copies; name files instead of standard input")
    if len(files) > 1:
        raise OptionError(f"--fix repairs tables of one file, not of {len(files)}; name one file")
    return files[0], column.name


def write(
    args: Args,
    copies: Mapping[str, str],
    origins: Mapping[Column, Origin],
    read: Mapping[Origin, Any],
    systems: Sequence[Texts],
    metric: Any,
) -> list[dict[str, Any]]:
    """Write the copies; returns what was changed in each file.

    Rows of tables stay where they are, because their other columns belong to them.

    Args:
        args: the flags.
        copies: from `targets`.
        origins: where each column of the systems was read.
        read: the segments that were read there.
        systems: the texts to repair.
        metric: as for `repair`.
    """
    moves = not any(column.name for column in read)
    places = {column.place: _place(origin) for column, origin in origins.items()}
    repairs: dict[tuple[str, str, str], Column] = {}
    changes: dict[str, list[dict[str, Any]]] = {path: [] for path in copies}
    for texts in systems:
        whole, own_changes = repaired(texts, metric, moves=moves)
        for before, column in zip(texts.columns, whole.columns, strict=True):
            merged = _merged(repairs.get(column.place, column), column, before)
            if merged is None:
                raise OptionError(f"repairs of {places[column.place][0]} differ; --fix one system")
            repairs[column.place] = merged
        for column, change in own_changes:
            path, name = places[column.place]
            entry: dict[str, Any] = {"column": name + column.suffix} if name else {}
            entry |= {"kind": change.kind, "count": change.lines}
            if entry not in changes[path]:  # those of references are the same for each system
                changes[path].append(entry)
    columns: dict[Place, list[Column]] = {}
    for place, column in repairs.items():
        columns.setdefault(places[place], []).append(column)
    contents: dict[str, bytes] = {}
    cells = {_place(origin): read[origin] for origin in origins.values()}
    for path, copy in copies.items():
        if (path, "") in columns:
            rows = zip(*(column.texts for column in columns[path, ""]), strict=True)
            text = "".join("\t".join(cell or "" for cell in row) + "\n" for row in rows)
            contents[copy] = encoded(path, text, args["encoding"])
        else:
            new = {place[1]: _in_cells(own, cells[place]) for place, own in columns.items() if place[0] == path}
            contents[copy] = rewritten(path, new, Decoding(args["encoding"], args["errors"]))
    make_folder(args["fix"])
    for copy, data in contents.items():
        write_whole(copy, data, force="force" in args)
    return [{"file": path, "copy": copy, "changes": changes[path]} for path, copy in copies.items()]


def _merged(column: Column, other: Column, before: Column) -> Column | None:
    """A column with the repairs of two systems; None if both repair a line, and not alike."""
    if column.texts == other.texts:
        return column
    if not len(column) == len(other) == len(before):
        return None
    rows = zip(column.texts, other.texts, before.texts, strict=True)
    texts = [{*new} - {old} or {old} for *new, old in rows]
    if any(len(row) > 1 for row in texts):
        return None
    return replace(column, texts=[text for (text,) in texts])


def _in_cells(columns: Sequence[Column], cells: Sequence[Any]) -> list[Any]:
    """The texts as a column of a table had them: one in each cell, or a list."""
    return [
        list(texts[: len(cell)]) if isinstance(cell, list) else texts[0]
        for cell, texts in zip(cells, zip(*(column.texts for column in columns), strict=True), strict=True)
    ]


def described(written: Sequence[Mapping[str, Any]]) -> str:
    """What was changed, a line for each file."""

    def named(change: Mapping[str, Any]) -> str:
        column, unit = (f"{change['column']}: ", "row") if "column" in change else ("", "line")
        return f"{column}{change['kind']} ({quantity(change['count'], unit)})"

    lines = (f"{file['copy']}: {', '.join(map(named, file['changes'])) or 'copied as it is'}" for file in written)
    return "\n".join(map(visible, lines))

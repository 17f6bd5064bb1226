# SPDX-License-Identifier: Apache-2.0
"""`truebleu check --fix DIR`: repaired copies of text files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from truebleu.analysis.check import Change, Column, Texts, repaired
from truebleu.cli import inputs
from truebleu.cli.flags import Args
from truebleu.errors import OptionError, quantity
from truebleu.inputs.files import is_markup, split_part
from truebleu.inputs.origins import Origin
from truebleu.inputs.paths import plain_name
from truebleu.text.atomic import check_output, make_folder, write_whole
from truebleu.text.escaping import visible


def targets(args: Args, plan: inputs.Plan) -> dict[str, str]:
    """For each file the path of its copy, before any work is done.

    Raises:
        OptionError: a file is no text file or standard input, two files have the same name, or a
            copy cannot be written.
    """
    folder = args["fix"]
    columns = [*plan.refs, *plan.hyps, *([plan.source] if plan.source else [])]
    paths = list(dict.fromkeys(column.paths[0] for column in columns))
    if "-" in paths:
        raise OptionError("--fix needs names for the copies; name files instead of standard input")
    copies: dict[str, str] = {}
    for path in paths:
        is_table = any(column.name and path in column.paths for column in columns)
        if is_table or split_part(path)[1] or is_markup(path):
            raise OptionError(
                f"--fix repairs text files; save the texts of {path} as lines of text, or use "
                "truebleu.repair in Python"
            )
        name = os.path.basename(plain_name(path))  # copies are not compressed
        copy = os.path.join(folder, name)
        if copy in copies.values():
            raise OptionError(f"two files have the name {name}; --fix needs different names")
        if Path(copy).exists() and any(os.path.samefile(copy, other) for other in paths):
            raise OptionError(f"--fix would replace the input {copy}; name another folder")
        if os.path.lexists(folder):
            check_output(copy, force="force" in args)
        copies[path] = copy
    return copies


def write(
    args: Args,
    copies: Mapping[str, str],
    origins: Mapping[Column, Origin],
    systems: Sequence[Texts],
    metric: Any,
) -> list[dict[str, Any]]:
    """Write the copies; returns what was changed in each file.

    Args:
        args: the flags.
        copies: from `targets`.
        origins: where each column of the systems was read.
        systems: the texts to repair.
        metric: as for `repair`.
    """
    columns: dict[str, list[Column]] = {}
    changes: dict[str, list[Change]] = {path: [] for path in copies}
    for texts in systems:
        paths = {column.place: origins[column].paths[0] for column in texts.columns}
        whole, repairs = repaired(texts, metric)
        for path in dict.fromkeys(paths.values()):
            own, original = (
                [column for column in side.columns if paths[column.place] == path]
                for side in (whole, texts)
            )
            merged = _merged(columns.get(path, own), own, original)
            if merged is None:
                raise OptionError(
                    f"--fix repairs {path} differently for {whole.hyp.name}: repair one system at "
                    "a time"
                )
            columns[path] = merged
        for column, change in repairs:
            path = paths[column.place]
            named = replace(change, column=column.suffix)
            if named not in changes[path]:  # those of references are the same for each system
                changes[path].append(named)
    contents: dict[str, bytes] = {}
    for path, copy in copies.items():
        rows = zip(*(column.texts for column in columns[path]), strict=True)
        text = "".join("\t".join(cell or "" for cell in row) + "\n" for row in rows)
        contents[copy] = _encoded(path, text, args["encoding"])
    make_folder(args["fix"])
    for copy, data in contents.items():
        write_whole(copy, data, force="force" in args)
    return [
        {
            "file": path,
            "copy": copy,
            "changes": [{"kind": change.kind, "count": change.lines} for change in changes[path]],
        }
        for path, copy in copies.items()
    ]


def _encoded(path: str, text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise OptionError(
            f"{path}: a repair writes {text[error.start]!a}, which {encoding} lacks; "
            "convert the file to utf-8 first"
        ) from None


def _merged(
    columns: Sequence[Column], others: Sequence[Column], original: Sequence[Column]
) -> list[Column] | None:
    """Columns with the repairs of two systems; None if both repair a line, and not alike."""
    merged = []
    for column, other, before in zip(columns, others, original, strict=True):
        texts = list(column.texts)
        if texts != list(other.texts):
            if not len(texts) == len(other) == len(before):
                return None
            for row, (new, old) in enumerate(zip(other.texts, before.texts, strict=True)):
                if new not in (old, texts[row]):
                    if texts[row] != old:
                        return None
                    texts[row] = new
        merged.append(replace(column, texts=texts))
    return merged


def described(written: Sequence[Mapping[str, Any]]) -> str:
    """What was changed, a line for each file."""
    lines = []
    for entry in written:
        kinds = [f"{each['kind']} ({quantity(each['count'], 'line')})" for each in entry["changes"]]
        lines.append(visible(f"{entry['copy']}: {', '.join(kinds) or 'copied as it is'}"))
    return "\n".join(lines)

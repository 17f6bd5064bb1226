# SPDX-License-Identifier: Apache-2.0
"""`truebleu check --fix DIR`: repaired copies of the text files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from truebleu.analysis.check import Change, Column, Texts, repaired
from truebleu.cli import inputs
from truebleu.cli.flags import Args
from truebleu.errors import OptionError, quantity
from truebleu.text.atomic import check_output, write_whole
from truebleu.text.escaping import visible

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def targets(args: Args, plan: inputs.Plan) -> dict[str, str]:
    """For each text file the path of its copy, before any work is done.

    Raises:
        OptionError: an input is no text file, two have the same name, or a copy cannot be written.
    """
    folder = args["fix"]
    places = [*plan.refs, *plan.hyps, *([plan.source] if plan.source else [])]
    paths = list(dict.fromkeys(place.paths[0] for place in places))
    if any(place.name for place in places):
        raise OptionError(
            "--fix writes copies of text files, and these are columns of tables; write the columns "
            "to text files, or use repair in Python"
        )
    if "-" in paths:
        raise OptionError("--fix needs names for the copies; name files instead of standard input")
    copies: dict[str, str] = {}
    for path in paths:
        name = os.path.basename(path)
        for ending in _COMPRESSED:
            name = name.removesuffix(ending)  # copies are plain text
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
    args: Args, copies: Mapping[str, str], systems: Sequence[Texts], metric: Any
) -> list[dict[str, Any]]:
    """Write the copies; returns what was changed in each file."""
    columns: dict[str, list[Column]] = {}
    changes: dict[str, list[Change]] = {path: [] for path in copies}
    for texts in systems:
        whole, made = repaired(texts, metric)
        by_file: dict[str, list[Column]] = {}
        for column in whole.columns:
            by_file.setdefault(column.name, []).append(column)
        for path, some in by_file.items():
            known = columns.setdefault(path, some)
            if [list(one.texts) for one in known] != [list(one.texts) for one in some]:
                raise OptionError(
                    f"--fix repairs {path} differently for {whole.hyp.name}: repair one system "
                    "at a time"
                )
        changes = {path: _with(known, made, path) for path, known in changes.items()}
    try:
        os.makedirs(args["fix"], exist_ok=True)
    except OSError as error:
        raise OptionError(f"--fix cannot make the folder {args['fix']}: {error.strerror}") from None
    for path, copy in copies.items():
        rows = zip(*(one.texts for one in columns[path]), strict=True)
        text = "".join("\t".join(cell or "" for cell in row) + "\n" for row in rows)
        write_whole(copy, text.encode(args["encoding"]), force="force" in args)
    return [
        {
            "file": path,
            "copy": copies[path],
            "changes": [{"kind": one.kind, "count": one.lines} for one in made],
        }
        for path, made in changes.items()
    ]


def _with(known: list[Change], made: Sequence[Change], path: str) -> list[Change]:
    """The changes of a file, each once: those of references are the same for each system."""
    new = [one for one in made if one.column == path or one.column.startswith(f"{path} (")]
    return [*known, *(one for one in new if one not in known)]


def described(written: Sequence[Mapping[str, Any]]) -> str:
    """What was changed, a line for each file."""
    lines = []
    for one in written:
        kinds = [f"{each['kind']} ({quantity(each['count'], 'line')})" for each in one["changes"]]
        what = ", ".join(kinds) if kinds else "copied as it is"
        lines.append(f"{visible(one['copy'])}: {what}")
    return "\n".join(lines)

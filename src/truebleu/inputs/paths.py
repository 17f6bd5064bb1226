# SPDX-License-Identifier: Apache-2.0
"""Files, folders and patterns as lists of files; and what kind of table a file is."""

from __future__ import annotations

import os

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Kinds of tables by the ends of file names.
_KINDS = {
    ".parquet": "arrow", ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".tsv": "tsv",
    ".tab": "tsv", ".csv": "csv",
}  # fmt: skip
#: What names of files begin with that are not for readers.
HIDDEN = (".", "_")
_COMPRESSED = (".gz", ".zst", ".zstd", ".xz", ".bz2")


def files_of(path: str) -> list[str]:
    """The files that a path names, in order: a file; all in a folder; or those of a pattern.

    In folders, names that begin with a dot or an underscore are passed over, as they are by the
    engines that write such folders.

    Raises:
        InputError: there are none.
    """
    if path == "-" or os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        found = sorted(_walk(path))
        if not found:
            raise InputError(f"{path}: this is a directory without a file to read; name a file")
        return found
    if any(character in path for character in "*?["):
        from glob import glob

        found = [file for name in sorted(glob(path, recursive=True)) for file in _files(name)]
        if not found:
            raise InputError(f"{path}: no file has a name like this; check the pattern")
        return found
    return [path]  # what cannot be opened is named when it is


def _files(path: str) -> list[str]:
    return sorted(_walk(path)) if os.path.isdir(path) else [path]


def _walk(path: str) -> list[str]:
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(HIDDEN)]
        found += [os.path.join(folder, name) for name in names if not name.startswith(HIDDEN)]
    return found


def kind_of(paths: Sequence[str]) -> str:
    """What kind of table the files are: `arrow`, `jsonl`, `tsv` or `csv`.

    Raises:
        InputError: they are of several kinds, or of none that is known.
    """
    kinds = {path: _KINDS.get(os.path.splitext(_plain(path))[1].lower(), "") for path in paths}
    for path, kind in kinds.items():
        if not kind:
            raise InputError(
                f"{'<stdin>' if path == '-' else path}: what kind of table is this? Name it "
                f"with {', '.join(_KINDS)}, the text formats also with {', '.join(_COMPRESSED)}"
            )
    if len(set(kinds.values())) > 1:
        first, other = paths[0], next(p for p in paths if kinds[p] != kinds[paths[0]])
        raise InputError(f"{other}: not the kind of table that {first} is; give one kind at a time")
    return kinds[paths[0]]


def _plain(path: str) -> str:
    """The name without the end that says how it is compressed."""
    base, end = os.path.splitext(path)
    return base if end.lower() in _COMPRESSED else path


def total_size(paths: Sequence[str]) -> int:
    """Bytes of the files together; 0 if nobody knows."""
    try:
        return sum(os.path.getsize(path) for path in paths)
    except (OSError, ValueError):  # no name of a file at all
        return 0

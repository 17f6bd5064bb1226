# SPDX-License-Identifier: Apache-2.0
"""Paths, folders and patterns as lists of files; the formats of tables."""

from __future__ import annotations

import os
from collections.abc import Sequence

from truebleu.errors import InputError

#: Formats of tables by the suffixes of file names.
_KINDS = {
    ".parquet": "arrow", ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".jsonl": "json", ".ndjson": "json", ".json": "json", ".tsv": "tsv",
    ".tab": "tsv", ".csv": "csv",
}  # fmt: skip
#: First characters of file names that readers skip.
HIDDEN = (".", "_")
#: Suffixes of compressed files.
COMPRESSED = (".gz", ".zst", ".zstd", ".xz", ".bz2")


def files_of(path: str) -> list[str]:
    """The files of a path in order: the file, all files in a folder, or those of a pattern.

    In folders, names that start with a dot or an underscore are skipped, as the engines that write
    such folders do.

    Raises:
        InputError: there are none.
    """
    if path == "-" or os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        files = walked(path)
    elif any(character in path for character in "*?["):
        from glob import glob  # imported only if there is a pattern

        names = sorted(glob(path, recursive=True))
        files = [file for name in names for file in (walked(name) if os.path.isdir(name) else [name])]
    else:
        return [path]  # opening it names the error
    if not files:
        what = "this is a directory without files" if os.path.isdir(path) else "no file matches"
        raise InputError(f"{path}: {what}; name a file")
    return files


def walked(path: str) -> list[str]:
    """All files in a folder and those below, in order, but for hidden ones."""
    files = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(HIDDEN)]
        files += [os.path.join(folder, name) for name in names if not name.startswith(HIDDEN)]
    return sorted(files)


def is_named_table(paths: Sequence[str]) -> bool:
    """Whether there are files, all with names of tables."""
    return bool(paths) and all(map(_kind, paths))


def _kind(path: str) -> str:
    return _KINDS.get(os.path.splitext(plain_name(path))[1].lower(), "")


def kind_of(paths: Sequence[str]) -> str:
    """The format of tables: `arrow`, `json`, `tsv` or `csv`."""
    first = _kind(paths[0])
    for path in paths:
        if not _kind(path):
            raise InputError(
                f"{'<stdin>' if path == '-' else path}: not a known table format; its name must "
                f"end in {', '.join(_KINDS)}, for text optionally with {', '.join(COMPRESSED)}"
            )
        if _kind(path) != first:
            raise InputError(f"{path}: not the table format of {paths[0]}; give one at a time")
    return first


def plain_name(path: str) -> str:
    """The name without the suffix of its compression."""
    base, end = os.path.splitext(path)
    return base if end.lower() in COMPRESSED else path


def total_size(paths: Sequence[str]) -> int:
    """Bytes of all files; 0 if that is not known."""
    try:
        return sum(os.path.getsize(path) for path in paths)
    except (OSError, ValueError):  # not a file, or not a valid name
        return 0

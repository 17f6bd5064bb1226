# SPDX-License-Identifier: Apache-2.0
"""`campaign.toml`: the files of each test set, written down.

A table `[[set]]` for each set; paths are relative to the manifest.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from truebleu.campaigns.sets import SetFiles
from truebleu.errors import InputError, describe, suggest, within
from truebleu.inputs.files import is_run, split_part, unreadable

_OTHERS = ("source", "documents", "labels")
_KEYS = ("name", "pair", "references", *_OTHERS, "systems")

#: Bytes of the largest manifest, and keys of which reading would take quadratic time.
_LARGEST = 1 << 18
_LONG_KEY = re.compile(r"""^[ \t[]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""", re.MULTILINE)


def read_manifest(path: str | os.PathLike[str]) -> tuple[SetFiles, ...]:
    """The test sets of a manifest.

    Raises:
        InputError: the file is not TOML, a key is missing, unknown or has a wrong value, or a file
            that it names does not exist.
    """
    path = os.fspath(path)
    try:
        if os.path.getsize(path) > _LARGEST:
            raise InputError(f"it is larger than {_LARGEST >> 10} KiB")
        text = Path(path).read_text("utf-8")
        if _LONG_KEY.search(text):
            raise InputError("a key has more than 100 parts")
        tables = tomllib.loads(text)
    except OSError as error:
        raise unreadable(path, error) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8, which TOML is; save it as UTF-8") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: not a manifest: {error}; correct it") from None
    with within(path):
        _check_keys(tables, ["set"])
        listed = tables.get("set")
        are_tables = isinstance(listed, list) and all(isinstance(own, dict) for own in listed)
        if not listed or not are_tables:
            raise InputError("there is no test set; begin each with [[set]]")
        return tuple(_set(i, table, Path(path).parent) for i, table in enumerate(listed, start=1))


def _set(number: int, table: Mapping[str, Any], folder: Path) -> SetFiles:
    """A test set, from its table."""

    def text(key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError(f"{key} cannot be {describe(value)}; it must be a string")
        return value

    def file(key: str, value: Any) -> str:
        path = str(folder / text(key, value))
        if "\0" in path or not os.path.exists(split_part(path)[0]):
            raise InputError(f"{key}: {path}: no such file; check the path")
        return path

    with within(f"set {number}"):
        _check_keys(table, _KEYS)
        if not table.get("name"):
            raise InputError('it has no name; add name = "..."')
        systems, references = table.get("systems"), table.get("references", [])
        if not isinstance(systems, dict) or not systems:
            raise InputError(f"systems cannot be {describe(systems)}; write NAME = FILE")
        if not isinstance(references, (str, list)):
            raise InputError(f"references cannot be {describe(references)}; list files")
        listed = [references] if isinstance(references, str) else references
        files = {name: file(name, path) for name, path in systems.items()}
        if not references and not all(map(is_run, files.values())):
            raise InputError("it has no references; add them")
        return SetFiles(
            name=text("name", table["name"]),
            pair=text("pair", table.get("pair", "")),
            references=tuple(file("references", path) for path in listed),
            systems=files,
            **{key: file(key, table[key]) for key in _OTHERS if key in table},
        )


def _check_keys(table: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in table:
        if key not in keys:
            raise InputError(f"unknown key {suggest(key, keys)}")


def manifest_text(sets: Sequence[SetFiles], folder: str | os.PathLike[str]) -> str:
    """The text of a manifest with these sets; paths are relative to `folder`."""
    lines = ["# The test sets of a campaign: truebleu campaign campaign.toml"]
    for test_set in sets:

        def file(path: str) -> str:
            return _string(Path(os.path.relpath(path, folder)).as_posix())

        references = ", ".join(map(file, test_set.references))
        others = {key: getattr(test_set, key) for key in _OTHERS}
        values = {
            "name": _string(test_set.name),
            "pair": _string(test_set.pair),
            "references": f"[{references}]",
            **{key: file(path) for key, path in others.items() if path is not None},
        }
        lines += ["", "[[set]]", *(f"{key} = {value}" for key, value in values.items())]
        lines.append("[set.systems]")
        lines += [f"{_string(name)} = {file(path)}" for name, path in test_set.systems.items()]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    r"""A text as a string of TOML.

    Example:
        >>> print(_string('a"b\n'))
        "a\"b\u000a"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'

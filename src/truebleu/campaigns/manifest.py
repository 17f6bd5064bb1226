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
from typing import Any, NoReturn

from truebleu.campaigns.sets import SetFiles
from truebleu.errors import InputError, describe, suggest
from truebleu.inputs.files import is_run, split_part, unreadable

_OTHERS = ("source", "documents", "labels")
_KEYS = ("name", "pair", "references", *_OTHERS, "systems")

#: Bytes of the largest manifest, and keys of which reading would take quadratic time.
_LARGEST = 1 << 18
_LONG_KEY = re.compile(
    r"""^[ \t[]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""", re.MULTILINE
)
_HEADER = re.compile(r"\s*\[\[\s*set\s*\]\]")


def read_manifest(path: str | os.PathLike[str]) -> tuple[SetFiles, ...]:
    """The test sets of a manifest.

    Raises:
        InputError: the file is not TOML, a key is missing, unknown or has a wrong value, or a file
            that it names does not exist; with the line.
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
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        at = int(line[1]) if line else text.count("\n") + 1
        what = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise InputError(f"{path}:{at}: not TOML: {what}; correct the line") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: not a manifest: {error}; correct it") from None
    return _Reader(path, text).sets(tables)


class _Reader:
    """Checks tables and names the lines of what is wrong."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._folder = Path(path).parent

    def sets(self, tables: Mapping[str, Any]) -> tuple[SetFiles, ...]:
        for key in tables:
            if key != "set":
                self._fail(-1, key, f"unknown key {suggest(key, ['set'])}")
        listed = tables.get("set")
        if not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
            self._fail(-1, "set", "there is no test set; begin each with [[set]]")
        sets: list[SetFiles] = []
        for i, table in enumerate(listed):
            test_set = self._set(i, table)
            if test_set.title in (other.title for other in sets):
                self._fail(i, "name", f"a second set is named {test_set.title!r}; rename one")
            sets.append(test_set)
        return tuple(sets)

    def _set(self, i: int, table: Mapping[str, Any]) -> SetFiles:
        for key in table:
            if key not in _KEYS:
                self._fail(i, key, f"unknown key {suggest(key, _KEYS)}")
        for key in ("name", "systems", "references"):
            if key == "references" and self._has_runs_only(table["systems"]):
                continue
            if not table.get(key):
                self._fail(i, key, f"the set has no {key}; add them" if key != "name" else
                           'the set has no name; add name = "..."')  # fmt: skip
        references, systems = table.get("references", []), table["systems"]
        if isinstance(references, str):
            references = [references]
        if not isinstance(references, list):
            self._fail(i, "references", f"references cannot be {describe(references)}; list files")
        if not isinstance(systems, dict):
            self._fail(i, "systems", f"systems cannot be {describe(systems)}; write NAME = FILE")
        others = {key: self._file(i, key, table[key]) for key in _OTHERS if key in table}
        return SetFiles(
            name=self._text(i, "name", table["name"]),
            pair=self._text(i, "pair", table.get("pair", "")),
            references=tuple(self._file(i, "references", path) for path in references),
            systems={name: self._file(i, name, path) for name, path in systems.items()},
            **others,
        )

    def _has_runs_only(self, systems: Any) -> bool:
        """Whether all systems are run files, which need no references."""
        paths = systems.values() if isinstance(systems, dict) else ["-"]
        return all(isinstance(path, str) and is_run(str(self._folder / path)) for path in paths)

    def _text(self, i: int, key: str, value: Any) -> str:
        if not isinstance(value, str):
            self._fail(i, key, f"{key} cannot be {describe(value)}; it must be a string")
        return value

    def _file(self, i: int, key: str, value: Any) -> str:
        path = str(self._folder / self._text(i, key, value))
        if "\0" in path or not os.path.exists(split_part(path)[0]):
            self._fail(i, key, f"{key}: {path}: no such file; check the path", value)
        return path

    def _fail(self, i: int, key: str, what: str, value: Any = None) -> NoReturn:
        raise InputError(f"{self._path}:{self._line(i, key, value)}: {what}")

    def _line(self, i: int, key: str, value: Any) -> int:
        """The number of the line of a key or a value of the i-th set; else that of its header."""
        starts = [at for at, line in enumerate(self._lines) if _HEADER.match(line)]
        start, end = 0, len(self._lines)
        if 0 <= i < len(starts):
            start, end = starts[i], [*starts, end][i + 1]
        key_pattern = re.compile(
            rf"""[\s,{{\[]*(?:\w+\.)*["']?{re.escape(key)}["']?[\s\].]*(=|$)"""
        )
        lines = range(start, end)
        found = [at for at in lines if isinstance(value, str) and value in self._lines[at]]
        found += [at for at in lines if key_pattern.match(self._lines[at])]
        return (found or [start])[0] + 1


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

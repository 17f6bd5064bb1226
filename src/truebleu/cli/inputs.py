# SPDX-License-Identifier: Apache-2.0
"""Input of commands: reference files, systems, labels."""

from __future__ import annotations

import os
import sys
from stat import S_ISREG

from truebleu.cli.flags import Args, Flag
from truebleu.errors import InputError, OptionError, quantity
from truebleu.inputs.compression import HEAD, method_of
from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.files import name_of, read_lines
from truebleu.metrics import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INPUT = Flag(
    ("-i", "--input"), "hypothesis file of each system (default: standard input)",
    takes="+", file=True, common=True,
)  # fmt: skip
NAMES = Flag(
    ("--names",), "system names (default: file names without their common parts)", takes="+",
    common=True,
)  # fmt: skip
BY_DOC = Flag(
    ("--by-doc",), "file with the document of each line; resampling draws whole documents",
    file=True,
)  # fmt: skip

#: Bytes of the largest file that is read whole: streams take a few milliseconds to start.
_SMALL = 1 << 24

#: Flags for decoding files.
ENCODING_FLAGS = (
    Flag(("-e", "--encoding"), "encoding of the files", default="utf-8"),
    Flag(("--errors",), "what to do with invalid bytes", choices=("strict", "replace", "ignore"),
         default="strict"),
)  # fmt: skip
#: Flags for reading files.
FILE_FLAGS = (
    Flag(("-nr", "--num-refs"), "references on each line of REF, separated by tabs", kind=int,
         range=(1, None)),
    *ENCODING_FLAGS,
)  # fmt: skip


def are_large(ref_paths: list[str], args: Args) -> bool:
    """Whether files should be streamed: they may not fit into memory."""
    paths = [*ref_paths, *args.get("input", ["-"])]
    return not args.get("sentence_level") and not all(map(_is_small, paths))


def _is_small(path: str) -> bool:
    place = 0 if path == "-" else path
    try:
        # A named pipe is not opened: closing it again would stop its writer.
        status = os.stat(place)
        if not S_ISREG(status.st_mode) or status.st_size > _SMALL:
            return False
        with open(place, "rb", buffering=0, closefd=path != "-") as file:
            head = file.read(HEAD)
            file.seek(-len(head), os.SEEK_CUR)  # for standard input, which is read from here on
            return method_of(head) is None
    except (OSError, ValueError):
        return True  # reading it names the error


def read(
    args: Args, paths: list[str], names: list[str] | None = None
) -> tuple[Any, list[tuple[str, Lines]]]:
    """The references of each segment, and each system's name and lines, all of one length.

    `paths` are the reference files; without `names`, systems have the names of their files.
    """
    hyp_paths = hypothesis_paths(args)
    labels = [args[key] for key in ("src", "by_doc", "group") if key in args]
    check_standard_input([*paths, *hyp_paths, *labels])
    references = _read_references(paths, args)
    systems = [_read(path, args) for path in hyp_paths]
    for path, lines in zip(hyp_paths, systems, strict=True):
        _check_length(path, lines, paths[0], len(references))
    return references, list(zip(names or system_names(hyp_paths), systems, strict=True))


def hypothesis_paths(args: Args) -> list[str]:
    """The files of --input, or standard input."""
    paths: list[str] = args.get("input", ["-"])
    return paths


def read_one_system(args: Args, paths: list[str]) -> tuple[Any, Lines]:
    """The references and the lines of the only system."""
    if len(hypothesis_paths(args)) > 1:
        raise OptionError("-i has several files, but this command reads one system; give one")
    references, ((_, lines),) = read(args, paths)
    return references, lines


def read_columns(paths: list[str], args: Args) -> list[Lines]:
    """The lines of each file; all of one length."""
    columns = [_read(path, args) for path in paths]
    for path, lines in zip(paths[1:], columns[1:], strict=True):
        _check_length(path, lines, paths[0], len(columns[0]))
    return columns


def read_labels(args: Args, key: str, ref_path: str, segments: int) -> list[str] | None:
    """The lines of the file that a flag names, one for each segment; None without the flag."""
    if key not in args:
        return None
    lines = _read(args[key], args)
    _check_length(args[key], lines, ref_path, segments)
    return list(lines)


def system_names(paths: list[str]) -> list[str]:
    """File names without folders, or the paths if two names are the same."""
    names = [os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else paths


def short_names(args: Args) -> list[str]:
    """The names of --names; without it, file names without their common parts."""
    paths = hypothesis_paths(args)
    names: list[str] = args["names"] or _distinct(system_names(paths))
    if len(names) != len(paths):
        raise OptionError(f"--names needs one name per system: {len(paths)}, not {len(names)}")
    return names


def _distinct(names: list[str]) -> list[str]:
    """Names without the parts between dots that all of them begin or end with."""
    parts = [name.split(".") for name in names]
    for end in (0, -1):
        while len(parts) > 1 and min(map(len, parts)) > 1 and len({p[end] for p in parts}) == 1:
            for part in parts:
                part.pop(end)
    return [".".join(part) for part in parts]


def notice(message: str) -> None:
    """One line on standard error about something that the user should know."""
    from truebleu.text.escaping import visible  # not needed by most runs

    print(f"truebleu: notice: {visible(message)}", file=sys.stderr)


def _read(path: str, args: Args) -> Lines:
    return read_lines(path, kernel, args["encoding"], args["errors"], notice)


def _read_references(paths: list[str], args: Args) -> Any:
    """The references of each segment."""
    notice_repeats(paths)
    columns = read_columns(paths, args)
    split = args["num_refs"]
    if split is not None:
        fields = [
            split_references(path, lines, split) for path, lines in zip(paths, columns, strict=True)
        ]
        return [[ref for refs in row for ref in refs] for row in zip(*fields, strict=True)]
    return columns[0] if len(columns) == 1 else LineStreams(columns)


def notice_repeats(ref_paths: list[str]) -> None:
    """Tell the user about references that are listed twice."""
    for i, path in enumerate(ref_paths):
        if path in ref_paths[:i]:
            notice(f"{path} is listed twice as a reference")


def check_standard_input(paths: list[str], argument: str = "-i FILE") -> None:
    """Raise OptionError if two files are standard input; say so if it is the keyboard."""
    if paths.count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")
    if "-" in paths and is_keyboard():
        notice(f"reading from the keyboard; add {argument} to read a file, Ctrl-D to end")


def is_keyboard() -> bool:
    """Whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def split_references(path: str, lines: Lines, count: int) -> list[list[str]]:
    """The tab-separated references on each line of a file."""
    from truebleu.inputs.alignment import split_references

    rows, bad = split_references(path, lines, count)
    if bad:
        raise InputError(bad[min(bad)])
    return rows


def _check_length(path: str, lines: Lines, ref_path: str, expected: int) -> None:
    if len(lines) != expected:
        raise InputError(
            f"{name_of(path)}: {quantity(len(lines), 'line')}, but {name_of(ref_path)} has "
            f"{expected:,}; line i of each file must belong to the same segment"
        )

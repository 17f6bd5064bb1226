# SPDX-License-Identifier: Apache-2.0
"""What commands read: reference files, systems, and a dialect with its changes."""

from __future__ import annotations

import os
import sys
from stat import S_ISREG

from truebleu.cli.flags import Flag
from truebleu.dialects.decisions import OPTIONS
from truebleu.errors import InputError, OptionError
from truebleu.inputs.compressed import HEAD, method_of
from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.files import name_of, read_lines
from truebleu.metrics.bleu import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

INPUT = Flag(
    ("-i", "--input"), "hypothesis files, one for each system; without, standard input",
    takes="+", file=True,
)  # fmt: skip
DIALECT = Flag(("-d", "--dialect"), "the tool whose BLEU is computed; the options below change it")
THREADS = Flag(("--threads",), "the most threads to use", kind=int)
NO_COLOR = Flag(("--no-color",), "no colors on a terminal", takes=0)
HELP = Flag(("-h", "--help"), "print this help", takes=0)

NAMES = Flag(
    ("--names",), "names of the systems (those of their files, without what all have)", takes="+"
)

#: Bytes of a file that is read as a whole, which takes some less time to start.
_SMALL = 1 << 24

#: How files are decoded.
ENCODING_FLAGS = (
    Flag(("-e", "--encoding"), "encoding of the files (utf-8)"),
    Flag(("--errors",), "what to do with bytes that are not of this encoding",
         choices=("strict", "replace", "ignore")),
)  # fmt: skip
#: How files are read.
FILE_FLAGS = (
    Flag(
        ("-nr", "--num-refs"),
        "references on each line of REF, separated by tabs",
        kind=int,
        range=(1, None),
    ),
    *ENCODING_FLAGS,
)


def metric(given: Mapping[str, Any]) -> BLEU:
    """The dialect that the flags name, with the options that they change."""
    return BLEU(
        given.get("dialect", "sacrebleu"),
        threads=given.get("threads"),
        **{name: given[name] for name in given if name in OPTIONS},
    )


def are_large(ref_paths: list[str], given: Mapping[str, Any]) -> bool:
    """Whether files should not be read as a whole: they may not fit into memory."""
    paths = [*ref_paths, *given.get("input", ["-"])]
    return not given.get("sentence_level") and not all(map(_is_small, paths))


def _is_small(path: str) -> bool:
    place = 0 if path == "-" else path
    try:
        # Whoever writes to a named pipe that is opened and closed again has lost its reader.
        found = os.stat(place)
        if not S_ISREG(found.st_mode) or found.st_size > _SMALL:
            return False
        with open(place, "rb", buffering=0, closefd=path != "-") as file:
            head = file.read(HEAD)
            file.seek(-len(head), os.SEEK_CUR)  # standard input is read on from here
            return method_of(head) is None
    except (OSError, ValueError):
        return True  # what cannot be opened is named when it is read


def read(
    ref_paths: list[str], hyp_paths: list[str], given: Mapping[str, Any]
) -> tuple[Any, list[Lines]]:
    """The references of each segment, and the lines of each system; all of one length.

    Raises:
        InputError: a file cannot be read, or their numbers of lines differ.
        OptionError: standard input is named twice, or --num-refs is no number of references.
    """
    references = _read_references(ref_paths, hyp_paths, given)
    systems = [_read(path, given) for path in hyp_paths]
    for path, lines in zip(hyp_paths, systems, strict=True):
        _check_length(path, lines, ref_paths[0], len(references))
    return references, systems


def read_columns(paths: list[str], given: Mapping[str, Any]) -> list[Lines]:
    """The lines of each file; all of one length.

    Raises:
        InputError: a file cannot be read, or their numbers of lines differ.
        OptionError: standard input is named twice.
    """
    check_standard_input(paths)
    columns = [_read(path, given) for path in paths]
    for path, lines in zip(paths[1:], columns[1:], strict=True):
        _check_length(path, lines, paths[0], len(columns[0]))
    return columns


def one_system(given: Mapping[str, Any]) -> list[str]:
    """The path of the hypothesis, for commands that read one.

    Raises:
        OptionError: there are several.
    """
    paths: list[str] = given.get("input", ["-"])
    if len(paths) > 1:
        raise OptionError("-i has several files, but this command reads one system; give one")
    return paths


def read_labels(path: str, ref_path: str, segments: int, given: Mapping[str, Any]) -> list[str]:
    """The lines of a file that has one for each segment.

    Raises:
        InputError: the file cannot be read, or has another number of lines.
    """
    lines = _read(path, given)
    _check_length(path, lines, ref_path, segments)
    return list(lines)


def system_names(paths: list[str]) -> list[str]:
    """File names without folders, if they tell the systems apart."""
    names = [os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else paths


def short_names(paths: list[str], given: Mapping[str, Any]) -> list[str]:
    """What --names says; without, file names less the parts that all of them begin or end with.

    Raises:
        OptionError: there are more or fewer names than systems.
    """
    names: list[str] = given.get("names") or _distinct(system_names(paths))
    if len(names) != len(paths):
        raise OptionError(f"--names has {len(names)} names for {len(paths)} systems; give one each")
    return names


def _distinct(names: list[str]) -> list[str]:
    """Names without the parts between dots that all of them begin or end with."""
    parts = [name.split(".") for name in names]
    for end in (0, -1):
        while len(parts) > 1 and min(map(len, parts)) > 1 and len({p[end] for p in parts}) == 1:
            for part in parts:
                part.pop(end)
    return [".".join(part) for part in parts]


def colored(given: Iterable[str]) -> bool:
    """Whether to print colors: on a terminal, unless the flag or NO_COLOR says no."""
    return sys.stdout.isatty() and "no_color" not in given and not os.environ.get("NO_COLOR")


def notice(message: str) -> None:
    """One line on standard error about something that the user should know."""
    from truebleu.text.escaping import visible  # only paid for by what is odd

    print(f"truebleu: notice: {visible(message)}", file=sys.stderr)


def _read(path: str, given: Mapping[str, Any]) -> Lines:
    return read_lines(path, given.get("encoding", "utf-8"), given.get("errors", "strict"), notice)


def _read_references(paths: list[str], inputs: list[str], given: Mapping[str, Any]) -> Any:
    """The references of each segment."""
    check_standard_input(paths + inputs)
    for i, path in enumerate(paths):
        if path in paths[:i]:
            notice(f"{path}: given twice as a reference, which changes nothing")
    columns = read_columns(paths, given)
    split = given.get("num_refs")
    if split is not None:
        fields = [
            split_references(path, lines, split) for path, lines in zip(paths, columns, strict=True)
        ]
        return [[ref for refs in row for ref in refs] for row in zip(*fields, strict=True)]
    return columns[0] if len(columns) == 1 else LineStreams(columns)


def check_standard_input(paths: list[str]) -> None:
    """Raise OptionError if two of the files are standard input."""
    if paths.count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")


def split_references(path: str, lines: Lines, count: int) -> list[list[str]]:
    """The references on each line of a file, which are behind tabs."""
    fields = [line.split("\t") for line in lines]
    for number, found in enumerate(fields, start=1):
        if len(found) != count:
            raise InputError(
                f"{name_of(path)}:{number}: {len(found)} tab-separated references, "
                f"expected {count}; correct the line or --num-refs"
            )
    return fields


def _check_length(path: str, lines: Lines, ref_path: str, expected: int) -> None:
    if len(lines) != expected:
        raise InputError(
            f"{name_of(path)}: {len(lines)} lines, but {name_of(ref_path)} has {expected}; "
            "line i of each file must belong to the same segment"
        )

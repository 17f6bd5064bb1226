# SPDX-License-Identifier: Apache-2.0
"""`truebleu score REF... -i HYP...`: score systems against references."""

from __future__ import annotations

import os
import sys

from truebleu.cli.flags import DIALECT_FLAGS, Flag, help_text, parse
from truebleu.corpus import Lines, LineStreams
from truebleu.dialect import OPTIONS
from truebleu.errors import InputError, OptionError
from truebleu.files import read_lines
from truebleu.metric import BLEU

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORMATS = ("text", "json", "tsv", "latex", "markdown")

FLAGS = (
    Flag(("-i", "--input"), "hypothesis files, one for each system; without, standard input",
         takes="+", file=True),
    Flag(("-nr", "--num-refs"), "references on each line of REF, separated by tabs", kind=int),
    Flag(("-d", "--dialect"), "the tool whose BLEU is computed; the options below change it"),
    Flag(("-sl", "--sentence-level"), "score each line by itself", takes=0),
    Flag(("-f", "--format"), "how results are printed", choices=FORMATS),
    Flag(("-b", "--score-only"), "print the number alone", takes=0),
    Flag(("-w", "--width"), "decimals of the score (1; 4 on a scale of 1)", kind=int),
    Flag(("-sh", "--short"), "short keys in the signature", takes=0),
    Flag(("--fail-under",), "exit with 1 if a score is below this", kind=float),
    Flag(("-e", "--encoding"), "encoding of the files (utf-8)"),
    Flag(("--errors",), "what to do with bytes that are not of this encoding",
         choices=("strict", "replace", "ignore")),
    Flag(("--threads",), "the most threads to use", kind=int),
    Flag(("--no-color",), "no colors on a terminal", takes=0),
    Flag(("-h", "--help"), "print this help", takes=0),
)  # fmt: skip

USAGE = "truebleu score REF... [-i HYP...] [options]"
PURPOSE = (
    "Score translations. REF are reference files, one segment to a line; HYP are systems.\n"
    "A - stands for standard input. Exit codes: 0 ok, 1 below --fail-under, 2 bad input."
)


def help_page() -> str:
    """What `truebleu score --help` prints."""
    return help_text(USAGE, PURPOSE, [("files and output", FLAGS), ("dialect", DIALECT_FLAGS)])


def run(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    given, paths = parse(arguments, (*FLAGS, *DIALECT_FLAGS))
    if "help" in given:
        print(help_page())
        return 0
    if not paths:
        raise OptionError(f"no reference file is given; usage: {USAGE}")
    bleu = BLEU(
        given.get("dialect", "sacrebleu"),
        threads=given.get("threads"),
        **{name: given[name] for name in given if name in OPTIONS},
    )
    width = given.get("width", 4 if bleu.dialect.combine.scale == 1 else 1)
    if not 0 <= width <= 100:
        raise OptionError(f"--width cannot be {width}; it must be 0 to 100")
    inputs = given.get("input", ["-"])
    if given.get("sentence_level") and len(inputs) > 1:
        raise OptionError("--sentence-level scores one system; give one file to -i")
    references = _read_references(paths, inputs, given)
    systems = [(path, _read(path, given)) for path in inputs]
    for path, lines in systems:
        _check_length(path, lines, paths[0], len(references))
    if given.get("sentence_level"):
        pairs = zip(systems[0][1], references, strict=True)
        scored = [(str(i), bleu.sentence(hyp, refs)) for i, (hyp, refs) in enumerate(pairs, 1)]
    else:
        names = _system_names([path for path, _ in systems])
        scored = [
            (name, bleu.corpus(lines, references))
            for name, (_, lines) in zip(names, systems, strict=True)
        ]
    print(_render(scored, given, width))
    floor = given.get("fail_under")
    # A score that is not a number is not at least the floor.
    return int(floor is not None and not all(score.value >= floor for _, score in scored))


def _render(scored: list[tuple[str, Any]], given: dict[str, Any], width: int) -> str:
    chosen = given.get("format", "text")
    if given.get("score_only") and chosen == "text":
        return "\n".join(f"{score.value:.{width}f}" for _, score in scored)
    if chosen == "text" and (len(scored) == 1 or given.get("sentence_level")):
        # The common case, without the import of the tables.
        short = "short" in given
        return "\n".join(score.format(width, signature=True, short=short) for _, score in scored)
    from truebleu import formats

    color = (
        chosen == "text"
        and sys.stdout.isatty()
        and "no_color" not in given
        and not os.environ.get("NO_COLOR")
    )
    title = "Segment" if given.get("sentence_level") else "System"
    short = "short" in given
    return formats.render(chosen, scored, width=width, title=title, color=color, short=short)


def _notice(message: str) -> None:
    print(f"truebleu: notice: {message}", file=sys.stderr)


def _read(path: str, given: dict[str, Any]) -> Lines:
    return read_lines(path, given.get("encoding", "utf-8"), given.get("errors", "strict"), _notice)


def _read_references(paths: list[str], inputs: list[str], given: dict[str, Any]) -> Any:
    """The references of each segment."""
    if (paths + inputs).count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")
    for i, path in enumerate(paths):
        if path in paths[:i]:
            _notice(f"{path}: given twice as a reference, which changes nothing")
    columns = [_read(path, given) for path in paths]
    for path, lines in zip(paths[1:], columns[1:], strict=True):
        _check_length(path, lines, paths[0], len(columns[0]))
    split = given.get("num_refs")
    if split is not None:
        if split < 1:
            raise OptionError(f"--num-refs cannot be {split}; it must be 1 or more")
        fields = [
            _split_references(path, lines, split)
            for path, lines in zip(paths, columns, strict=True)
        ]
        return [[ref for refs in row for ref in refs] for row in zip(*fields, strict=True)]
    return columns[0] if len(columns) == 1 else LineStreams(columns)


def _split_references(path: str, lines: Lines, count: int) -> list[list[str]]:
    fields = [line.split("\t") for line in lines]
    for number, found in enumerate(fields, start=1):
        if len(found) != count:
            raise InputError(
                f"{_name(path)}:{number}: {len(found)} tab-separated references, expected {count}; "
                "correct the line or --num-refs"
            )
    return fields


def _check_length(path: str, lines: Lines, ref_path: str, expected: int) -> None:
    if len(lines) != expected:
        raise InputError(
            f"{_name(path)}: {len(lines)} lines, but {_name(ref_path)} has {expected}; "
            "line i of each file must belong to the same segment"
        )


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _system_names(paths: list[str]) -> list[str]:
    """File names without folders, if they tell the systems apart."""
    names = [os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else paths

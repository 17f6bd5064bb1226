# SPDX-License-Identifier: Apache-2.0
"""`truebleu mbr CANDIDATES...`: the best of several candidates for each source."""

from __future__ import annotations

import re
import sys

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.errors import InputError, OptionError
from truebleu.inputs.files import name_of
from truebleu.metrics.pairs import MBR, mbr
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FLAGS = (
    Flag(("-n", "--candidates-per-source"), "lines in a row that belong to one source",
         kind=int, range=(1, None)),
    Flag(("-r", "--pseudo-references"), "score against these in place of the candidates; laid out "
         "as those", takes="+", file=True),
    Flag(("-p", "--probabilities"), "files of weights, one for each reference, laid out as those",
         takes="+", file=True),
    metrics.ONE,
    inputs.DIALECT,
    Flag(("--exact",), "scores to the last bit, in about twice the time", takes=0),
    Flag(("-f", "--format"), "how results are printed", choices=("text", "json", "tsv")),
    Flag(("-w", "--width"), "decimals of the scores in tsv (2; 4 on a scale of 1)", kind=int,
         range=(0, 100)),
    *inputs.ENCODING_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)  # fmt: skip

#: The flags as the help and the shell completion show them.
GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu mbr CANDIDATES... [-n N] [options]"
PURPOSE = (
    "Minimum Bayes risk decoding: print, for each source, the candidate that scores best against\n"
    "all candidates. Of one file, each line holds the candidates of a source, separated by tabs;\n"
    "or with -n, so many lines in a row do. Of several files, line i of each is one (systems to\n"
    "choose from). - is standard input, which is read if there is no file. See docs/pairwise.md."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    paths = paths or ["-"]
    others = [*given.get("pseudo_references", ()), *given.get("probabilities", ())]
    if (paths + others).count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")
    computed = metrics.chosen(given)
    width = given.get("width", 4 if metrics.scale_of_one(computed) else 2)
    candidates = _read_candidates(paths, given)
    references = weights = None
    if "pseudo_references" in given:
        references = _read_like(candidates, given["pseudo_references"], given)
    if "probabilities" in given:
        rows = _read_like(candidates, given["probabilities"], given)
        weights = _numbers(rows, references or candidates, given["probabilities"][0])
    (metric,) = computed
    with Progress("decoding"):
        found = mbr(candidates, weights, references, metric=metric, exact="exact" in given)
    chosen = given.get("format", "text")
    text = _render(found, chosen, width)
    if chosen != "json" and sys.stdout.isatty():
        # Candidates are data for whatever reads them; a terminal would obey what is in them.
        text = re.sub(r"[^\n\t]+", lambda part: visible(part[0]), text)
    print(text)
    return 0


def _read_candidates(paths: list[str], given: dict[str, Any]) -> list[Sequence[str]]:
    """The candidates of each source."""
    count = given.get("candidates_per_source")
    if count is None:
        return _read(paths, given)
    if len(paths) > 1:
        raise OptionError("--candidates-per-source is for one file; several have one on each line")
    lines = list(inputs.read_columns(paths, given)[0])
    if len(lines) % count:
        raise InputError(
            f"{name_of(paths[0])}: {len(lines)} lines, which {count} does not divide; "
            "each source needs as many candidates as --candidates-per-source says"
        )
    return [lines[i : i + count] for i in range(0, len(lines), count)]


def _read_like(
    candidates: Sequence[Any], paths: list[str], given: dict[str, Any]
) -> list[Sequence[str]]:
    """What is laid out as the candidates are; the number for each source may be another."""
    if "candidates_per_source" in given and len(paths) == 1:
        lines = list(inputs.read_columns(paths, given)[0])
        count, rest = divmod(len(lines), len(candidates))
        if not rest and count:
            return [lines[i : i + count] for i in range(0, len(lines), count)]
        raise InputError(
            f"{name_of(paths[0])}: {len(lines)} lines for {len(candidates)} sources; "
            "each source needs the same number of lines"
        )
    found = _read(paths, given)
    if len(found) != len(candidates):
        raise InputError(
            f"{name_of(paths[0])}: {len(found)} lines, but there are candidates for "
            f"{len(candidates)} sources; line i must belong to source i"
        )
    return found


def _read(paths: list[str], given: dict[str, Any]) -> list[Sequence[str]]:
    columns = inputs.read_columns(paths, given)
    if len(columns) == 1:
        return [line.split("\t") for line in columns[0]]
    return list(zip(*columns, strict=True))


def _numbers(
    rows: Sequence[Sequence[str]], references: Sequence[Any], path: str
) -> list[list[float]]:
    """The weights; errors count sources from 1, as lines are counted."""
    name = name_of(path)
    for i, (row, refs) in enumerate(zip(rows, references, strict=True), start=1):
        if len(row) != len(refs):
            raise InputError(
                f"{name}: source {i} has {len(row)} weights, but {len(refs)} references; "
                "give one for each"
            )
    numbers: list[list[float]] = []
    for i, row in enumerate(rows, start=1):
        try:
            numbers.append([float(weight) for weight in row])
        except ValueError as error:
            raise InputError(f"{name}: source {i}: a weight is no number: {error}") from None
    return numbers


def _render(found: Sequence[MBR], form: str, width: int) -> str:
    if form == "text":
        return "\n".join(one.best for one in found)
    if form == "tsv":
        rows = [("index", "score", "best")]
        for one in found:
            best = one.best.replace("\t", " ")
            rows.append((str(one.index), f"{one.scores[one.index]:.{width}f}", best))
        return "\n".join("\t".join(row) for row in rows)
    from truebleu.text.json_text import json_text

    # JSON has no NaN.
    entries = [
        {
            "best": one.best,
            "index": one.index,
            "scores": [score if score == score else None for score in one.scores],  # noqa: PLR0124
        }
        for one in found
    ]
    return json_text(entries)

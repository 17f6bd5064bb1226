# SPDX-License-Identifier: Apache-2.0
"""`truebleu mbr CANDIDATES...`: the best of several candidates for each source."""

from __future__ import annotations

import re
import sys

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import NO_COLOR, THREADS, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.errors import InputError, OptionError
from truebleu.inputs.files import name_of
from truebleu.metrics.pairs import MBR, mbr
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.cli.flags import Args

FLAGS = (
    Flag(("-n", "--candidates-per-source"), "consecutive lines that belong to one source",
         kind=int, range=(1, None), common=True),
    Flag(("-r", "--pseudo-references"), "score against these instead of the candidates; same "
         "layout", takes="+", file=True, common=True),
    Flag(("-p", "--probabilities"), "files with a weight for each reference; same layout",
         takes="+", file=True, common=True),
    metrics.METRIC,
    metrics.DIALECT,
    Flag(("--exact",), "exact scores to the last bit; takes about twice the time", takes=0,
         common=True),
    format_flag("text", "json", "tsv"),
    Flag(("-w", "--width"), "decimals of scores in tsv (default: 2, or 4 on a scale of 1)",
         kind=int, range=(0, 100)),
    *inputs.ENCODING_FLAGS,
    THREADS,
    NO_COLOR,
)  # fmt: skip

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu mbr CANDIDATES... [-n N] [options]"
PURPOSE = (
    "Minimum Bayes risk decoding: print, for each source, the candidate with the highest mean\n"
    "score against all candidates. In one file, each line holds the candidates of a source,\n"
    "separated by tabs; with -n, N consecutive lines do. In several files (such as systems to\n"
    "choose from), line i of each file is a candidate for source i. Without a file, or with -,\n"
    "standard input is read. See docs/pairwise.md."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    paths = paths or ["-"]
    pseudo_references = args.get("pseudo_references", [])
    probabilities = args.get("probabilities", [])
    inputs.check_standard_input([*paths, *pseudo_references, *probabilities])
    (metric,) = metrics.make_metrics(args)
    width = metrics.decimals(args, [metric], default=2)
    candidates = _read_candidates(paths, args)
    references = weights = None
    if pseudo_references:
        references = _read_like(candidates, pseudo_references, args)
    if probabilities:
        rows = _read_like(candidates, probabilities, args)
        weights = _numbers(rows, references or candidates, probabilities[0])
    with Progress("decoding"):
        results = mbr(candidates, weights, references, metric=metric, exact="exact" in args)
    form = args["format"]
    text = _render(results, form, width)
    if form != "json" and sys.stdout.isatty():
        # Programs get candidates as they are; terminals get control characters escaped.
        text = re.sub(r"[^\n\t]+", lambda part: visible(part[0]), text)
    print(text)
    return 0


def _read_candidates(paths: list[str], args: Args) -> list[Sequence[str]]:
    """The candidates of each source."""
    count = args["candidates_per_source"]
    if count is None:
        return _read(paths, args)
    if len(paths) > 1:
        raise OptionError("--candidates-per-source needs one file; leave it out for several")
    lines = list(inputs.read_columns(paths, args)[0])
    if len(lines) % count:
        raise InputError(
            f"{name_of(paths[0])}: {len(lines)} lines are not a multiple of {count}; each source "
            "needs as many candidates as --candidates-per-source says"
        )
    return [lines[i : i + count] for i in range(0, len(lines), count)]


def _read_like(candidates: Sequence[Any], paths: list[str], args: Args) -> list[Sequence[str]]:
    """Texts in the layout of the candidates, with any number of texts per source."""
    if "candidates_per_source" in args and len(paths) == 1:
        lines = list(inputs.read_columns(paths, args)[0])
        count, rest = divmod(len(lines), len(candidates))
        if not rest and count:
            return [lines[i : i + count] for i in range(0, len(lines), count)]
        raise InputError(
            f"{name_of(paths[0])}: {len(lines)} lines for {len(candidates)} sources; "
            "each source needs the same number of lines"
        )
    rows = _read(paths, args)
    if len(rows) != len(candidates):
        raise InputError(
            f"{name_of(paths[0])}: {len(rows)} lines, but there are candidates for "
            f"{len(candidates)} sources; line i must belong to source i"
        )
    return rows


def _read(paths: list[str], args: Args) -> list[Sequence[str]]:
    columns = inputs.read_columns(paths, args)
    if len(columns) == 1:
        return [line.split("\t") for line in columns[0]]
    return list(zip(*columns, strict=True))


def _numbers(
    rows: Sequence[Sequence[str]], references: Sequence[Any], path: str
) -> list[list[float]]:
    """The weights; errors count sources from 1, like lines."""
    numbers: list[list[float]] = []
    for i, (row, refs) in enumerate(zip(rows, references, strict=True), start=1):
        where = f"{name_of(path)}: source {i}"
        if len(row) != len(refs):
            raise InputError(
                f"{where} has {len(row)} weights, but {len(refs)} references; "
                "give one weight for each reference"
            )
        try:
            numbers.append([float(weight) for weight in row])
        except ValueError as error:
            raise InputError(f"{where}: a weight is not a number: {error}") from None
    return numbers


def _render(results: Sequence[MBR], form: str, width: int) -> str:
    if form == "text":
        return "\n".join(one.best for one in results)
    if form == "tsv":
        rows = [("index", "score", "best")]
        for one in results:
            best = one.best.replace("\t", " ")
            rows.append((str(one.index), f"{one.scores[one.index]:.{width}f}", best))
        return "\n".join("\t".join(row) for row in rows)
    from truebleu.text.json_text import for_json, json_text

    return json_text(
        [
            {
                "best": one.best,
                "index": one.index,
                "scores": [for_json(score) for score in one.scores],
            }
            for one in results
        ]
    )

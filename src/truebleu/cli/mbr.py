# SPDX-License-Identifier: Apache-2.0
"""`truebleu mbr CANDIDATES...`: the best of several candidates for each source.

example: truebleu mbr samples.txt -n 32 > best.txt

Minimum Bayes risk decoding: print, for each source, the candidate with the highest mean
score against all candidates. In one file, each line holds the candidates of a source,
separated by tabs; with -n, N consecutive lines do. In several files (such as systems to
choose from), line i of each file is a candidate for source i. Without a file, or with -,
standard input is read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.errors import InputError, OptionError
from truebleu.inputs.columns import labels
from truebleu.inputs.columns import references as joined
from truebleu.inputs.corpus import label_names, unused
from truebleu.inputs.files import Origin, origins
from truebleu.metrics.names import NAMES
from truebleu.metrics.pairs import MBR, mbr
from truebleu.text import tables
from truebleu.text.escaping import visible
from truebleu.text.json_text import json_text
from truebleu.text.results import attributes, plain

FLAGS = (
    Flag("-n, --candidates-per-source N", "consecutive lines that belong to one source",
         range=(1, None), common=True),
    Flag("-r, --pseudo-references FILE...", "score against these texts instead of the candidates; "
         "same layout", common=True),
    Flag("-p, --probabilities FILE...", "files with a weight for each reference; same layout",
         common=True),
    Flag("-m, --metrics", "metric to compute",
         choices=tuple(name for name in NAMES if name != "codebleu"), default="bleu",
         common=True),  # which scores no pairs
    metrics.DIALECT,
    Flag("--exact", "exact scores to the last bit; takes about twice the time", common=True),
    format_flag("text", "json", "tsv"),
    Flag("--hyp-col COLUMN...", "columns of candidates, or one of lists; CANDIDATES are tables "
         "then", common=True),
    Flag("--ref-col COLUMN...", "columns of pseudo-references, for the same", common=True),
    Flag("--group-by COLUMN|FILE", "group of each source: a column of tables; for text, a file "
         "with a name on each line. Shows the expected scores by group instead of the texts"),
    *inputs.LAST_TEXT_FLAGS,
)  # fmt: skip

GROUPS = (("files and output", FLAGS), *metrics.GROUPS[:-1])

USAGE = "truebleu mbr CANDIDATES... [-n N] [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    paths = paths or ["-"]
    (metric,) = metrics.make_metrics(args)
    ref_col, by, size = args.get("ref_col", ()), args.get("group_by"), args["candidates_per_source"]
    columns = [
        origins("texts", paths, args.get("hyp_col", ())),
        origins("texts", args.get("pseudo_references", paths if ref_col else []), ref_col),
        origins("text", args.get("probabilities", []), ()),
    ]
    if by is not None:
        is_table = "hyp_col" in args
        columns.append(origins("label", paths if is_table else [by], [by] if is_table else ()))
    if size and len(columns[0]) > 1:
        raise OptionError("--candidates-per-source needs one file; leave it out for several")
    every = [column for own in columns for column in own]
    read = inputs.load(every, args, "FILE")
    candidates, references, weights = (
        _rows({column: read[column] for column in own}, is_flat=size is not None) for own in columns[:3]
    )
    sources = len(candidates) // (size or 1)
    if size and weights:  # as many for each source
        count = max(1, len(weights) // max(1, sources))
        weights = [weights[i : i + count] for i in range(0, len(weights), count)]
    groups, title = None, ""
    if by is not None:
        ((column,),) = columns[3:]
        groups = _groups(labels(read[column]), column.label, sources)
        title = column.name or "group"
    with Progress("decoding"):
        results: Any = mbr(
            candidates, weights or None, references or None, metric=metric, exact="exact" in args, group=size
        )
    form = args["format"]
    text = _render(results, groups, form, title, metrics.decimals(args, [metric]))
    if form != "json" and sys.stdout.isatty():
        # Programs get candidates as they are; terminals get control characters escaped.
        text = re.sub(r"[^\n\t]+", lambda part: visible(part[0]), text)
    print(text)


def _rows(columns: dict[Origin, Any], *, is_flat: bool) -> list[Any]:
    """The texts of each source; if they are flat, the texts of all sources."""
    if not columns:
        return []
    inputs.check_lengths(columns)
    if len(columns) > 1:
        return list(joined(list(map(list, columns.values()))))
    ((column, items),) = columns.items()
    return list(items) if is_flat else [_row(item, is_line=not column.name) for item in items]


def _groups(lines: list[Any], name: str, sources: int) -> list[str]:
    """The name of each source's group, from a line for each source or for each candidate."""
    size, remainder = divmod(len(lines), sources or 1)
    if remainder or not size or not sources:
        raise InputError(f"{name}: {len(lines):,} lines for {sources:,} sources; give one each")
    names = label_names(lines)
    for i in range(0, len(lines), size):
        if len(set(lines[i : i + size])) > 1:
            raise InputError(f"{name}: source {i // size + 1} is in two groups; it needs one")
    return [names[label] for label in lines[::size]]


def _row(item: Any, *, is_line: bool) -> Sequence[str]:
    """The texts of one row: a list in a table, or separated by tabs on a line of text."""
    if isinstance(item, str):
        return item.split("\t") if is_line else [item]
    return [text for text in item or () if text is not None]


def _render(results: Sequence[MBR], groups: Sequence[str] | None, form: str, title: str, width: int) -> str:
    """The choices, with their groups for programs; as text, the mean expected scores by group."""
    if form == "tsv":
        rows = [
            (result.index, float(result.scores[result.index]), result.best.replace("\t", " ")) for result in results
        ]
        lines = ["\t".join(map(str, row)) for row in [("index", "score", "best"), *rows]]
        if groups is not None:
            cells = tables.tsv([(name,) for name in (title, *groups)])
            lines = [f"{cell}\t{line}" for cell, line in zip(cells, lines, strict=True)]
        return "\n".join(lines)
    if form == "text" and groups is None:
        return "\n".join(result.best for result in results)
    entries = [attributes(result, ("best", "index", "scores")) for result in results]
    if groups is None:
        return json_text(entries)
    means = {}
    whole = unused("(all)", groups)
    for name in [*sorted(set(groups)), whole]:
        members = [result for result, group in zip(results, groups, strict=True) if name in (group, whole)]
        best = fmean(result.scores[result.index] for result in members)
        means[name] = (len(members), best, fmean(fmean(result.scores) for result in members))
    if form == "json":
        keys = ("sources", "best", "average")
        by_group = {name: dict(zip(keys, plain(row), strict=True)) for name, row in means.items()}
        choices = [{"group": name, **entry} for name, entry in zip(groups, entries, strict=True)]
        return json_text({"groups": by_group, "choices": choices})
    table = [(title, "sources", "expected score", "average candidate", "difference")]
    table += [
        (name, f"{size:,}", f"{best:.{width}f}", f"{mean:.{width}f}", f"{best - mean:+.{width}f}")
        for name, (size, best, mean) in means.items()
    ]
    return "\n".join(tables.aligned(tables.padded(table)))

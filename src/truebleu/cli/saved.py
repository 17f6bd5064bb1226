# SPDX-License-Identifier: Apache-2.0
"""Run files on the command line: what `--save` writes, and commands read instead of texts."""

from __future__ import annotations

from typing import Any

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Args, exclude
from truebleu.errors import OptionError
from truebleu.metrics.runs import Run, common_signatures, parse_tags, record, write_run
from truebleu.text.atomic import check_output

#: Keys of the flags that choose metrics.
_OF_METRICS = {"metrics", "dialect", *(flag.key for _, own in metrics.GROUPS for flag in own)}


def check(args: Args, *others: str) -> None:
    """Check the flags of --save before any work; `others` are keys of flags that exclude it."""
    if "save" not in args:
        if "force" in args or "tag" in args:
            raise OptionError("--tag and --force are for run files; add --save FILE")
        return
    parse_tags(args.get("tag", ()))
    exclude(args, "--save", *others)
    check_output(args["save"], force="force" in args)


def save(args: Args, computed: list[Any], corpus: inputs.Corpus) -> Run:
    """Score all systems by all metrics, and write the file of --save."""
    if any(isinstance(hyps, Run) for _, hyps in corpus.systems):
        raise OptionError("--save needs texts; leave out run files")
    run = record(corpus.systems, corpus.references, computed, parse_tags(args.get("tag", ())))
    return write_run(run, args["save"], force="force" in args)


def scores(args: Args, plan: inputs.Plan) -> list[tuple[str, Any]]:
    """The scores in run files, with the names of the systems."""
    runs = [column.run for column in plan.hyps if column.run is not None]
    if len(runs) < len(plan.all) or "save" in args or has_metrics(args):
        raise OptionError("run files have scores of their own; leave out texts, metrics and --save")
    pairs = zip(plan.names, runs, strict=True)
    return [(name, score) for name, run in pairs for score in run.scores[run.system]]


def has_metrics(args: Args) -> bool:
    """Whether a flag chooses metrics."""
    return bool(args.keys() & _OF_METRICS)


def by_metric(systems: list[tuple[str, Any]]) -> list[tuple[Any, list[tuple[str, Any]]]]:
    """The metrics that all runs have, each with the systems, whose runs have no other."""
    runs = {name: run for name, run in systems if isinstance(run, Run)}
    common = common_signatures(runs)
    for name, run in runs.items():
        for scoring in run.scorings:
            if scoring.signature not in common:
                inputs.notice(f"{name} was also scored with {scoring.signature}; others were not")
    first = next(iter(runs.values()))

    def by(line: str) -> tuple[Any, list[tuple[str, Any]]]:
        own = [(name, run.by(line) if isinstance(run, Run) else run) for name, run in systems]
        return first.by(line).scorings[0].metric(), own

    return list(map(by, common))

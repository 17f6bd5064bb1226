# SPDX-License-Identifier: Apache-2.0
"""`truebleu report REF... -i A B... -o report.html`: a page to send to a colleague.

example: truebleu report ref.txt -i a.txt b.txt -o report.html

Write a page about systems: scores, tests, charts, problems of the texts, and every segment
with its matches. It is one file that needs no network; send it to a colleague.
Needs pip install 'truebleu[report]'.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from truebleu.cli import inputs, metrics
from truebleu.cli.compare import OPTIONS, TEST_FLAGS
from truebleu.cli.flags import THREADS, Args, Flag
from truebleu.cli.progress import Progress
from truebleu.report import write_report
from truebleu.text.atomic import check_output
from truebleu.text.escaping import visible

#: Flags that are arguments of `write_report`, too.
_OPTIONS = (*OPTIONS, "title")

FLAGS = (
    inputs.INPUT,
    Flag("-o, --output FILE", "file to write", default="report.html", common=True),
    inputs.NAMES,
    Flag("--force", "replace an existing file", common=True),
    Flag("--title TEXT", "page title (default: BLEU report)"),
    *inputs.SRC_FLAGS,
    Flag("-m, --metrics NAME...", "metrics to show besides BLEU", choices=metrics.METRICS.choices, common=True),
    metrics.DIALECT,
    inputs.GROUP_BY,
    inputs.SCORES,
    *TEST_FLAGS,
    inputs.QUIET,
    *inputs.TEST_SET_FLAGS,
    *inputs.SUBSET_FLAGS,
    *inputs.FILE_FLAGS,
    THREADS,
)

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu report REF... -i A B... [-o report.html] [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    target, force = args["output"], "force" in args
    check_output(target, force=force)
    args["metrics"] = ["bleu", *args.get("metrics", ())]
    bleu, *others = metrics.make_metrics(args)
    corpus = inputs.Plan(args, paths).read()
    inputs.warn(args, [bleu, *others], corpus.references, corpus.systems)
    options: dict[str, Any] = {name: args[name] for name in _OPTIONS if name in args}
    with Progress("writing the report") as progress:
        write_report(
            target,
            corpus.systems,
            corpus.references,
            bleu,
            force=force,
            srcs=corpus.sources,
            documents=corpus.documents,
            groups=corpus.groups,
            scores=corpus.scores,
            metrics=others,
            ref_names=None if corpus.ref_names is None else _short(corpus.ref_names),
            command=command_text(args),
            progress=progress,
            **options,
        )
    print(visible(target))


def command_text(args: Args) -> str:
    """What was typed, with names of files for their paths."""
    return shlex.join(["truebleu", *map(_without_folder, args["typed"])])


def _without_folder(argument: str) -> str:
    """An argument, of a path only the name: the page goes to other people."""
    flag, path = re.findall(r"(?s)^((?:--[\w-]+=|-\w+=?)?(?:[\w-]+:)?)(.*)$", argument)[0]
    folder, name = os.path.split(path.rstrip(os.sep))
    return f"{flag}{name}" if folder and os.path.isdir(folder) else argument


def _short(paths: list[str]) -> list[str]:
    """The names of files without the folder they share: the page goes to other people."""
    names = inputs.file_names(paths)
    return [name[inputs.shared_start(names, os.sep) :] for name in names]

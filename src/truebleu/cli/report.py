# SPDX-License-Identifier: Apache-2.0
"""`truebleu report REF... -i A B... -o report.html`: a page to send to a colleague."""

from __future__ import annotations

from typing import Any

from truebleu.cli import inputs, metrics
from truebleu.cli.compare import OPTIONS, TEST_FLAGS
from truebleu.cli.flags import THREADS, Args, Flag
from truebleu.cli.progress import Progress
from truebleu.inputs.files import name_of
from truebleu.report import write_report
from truebleu.text.atomic import check_output
from truebleu.text.escaping import visible

#: Flags that are arguments of `write_report`, too.
_OPTIONS = (*OPTIONS, "title")

FLAGS = (
    inputs.INPUT,
    Flag(("-o", "--output"), "file to write", file=True, default="report.html", common=True),
    inputs.NAMES,
    Flag(("--force",), "replace an existing file", takes=0, common=True),
    Flag(("--title",), "page title (default: BLEU report)", placeholder="TEXT"),
    Flag(("--src",), "source file, shown with each segment", file=True, common=True),
    Flag(metrics.METRICS.names, "metrics to show besides BLEU", takes="+",
         choices=metrics.METRICS.choices, common=True),
    metrics.DIALECT,
    Flag(("--group",), "file with a label for each line, such as its domain", file=True),
    *TEST_FLAGS,
    *inputs.FILE_FLAGS,
    THREADS,
)  # fmt: skip

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu report REF... -i A B... [-o report.html] [options]"
PURPOSE = (
    "Write a page about systems: scores, tests, charts, problems of the texts, and every segment\n"
    "with its matches. It is one file that needs no network; send it to a colleague.\n"
    "Needs pip install 'truebleu[report]'."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    target, force = args["output"], "force" in args
    check_output(target, force=force)
    args["metrics"] = ["bleu", *args.get("metrics", ())]
    bleu, *others = metrics.make_metrics(args)
    references, systems = inputs.read(args, paths, inputs.short_names(args))

    def labels(key: str) -> list[str] | None:
        return inputs.read_labels(args, key, paths[0], len(references))

    options: dict[str, Any] = {name: args[name] for name in _OPTIONS if name in args}
    if "num_refs" not in args:
        options["ref_names"] = [name_of(path) for path in paths]
    with Progress("writing the report") as progress:
        write_report(
            target,
            systems,
            references,
            bleu,
            force=force,
            srcs=labels("src"),
            documents=labels("by_doc"),
            groups=labels("group"),
            metrics=others,
            progress=progress,
            **options,
        )
    print(visible(target))
    return 0

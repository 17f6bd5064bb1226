# SPDX-License-Identifier: Apache-2.0
"""`truebleu report REF... -i A B... -o report.html`: a page to send to a colleague."""

from __future__ import annotations

from truebleu.cli import inputs, metrics
from truebleu.cli.compare import OPTIONS, TEST_FLAGS
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.inputs.files import name_of
from truebleu.text.atomic import check_output
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Flags that are arguments of `write_report`, too.
_OPTIONS = (*OPTIONS, "title")

FLAGS = (
    inputs.INPUT,
    inputs.NAMES,
    Flag(("-o", "--output"), "the file to write (report.html)", file=True),
    Flag(("--force",), "replace a file that is there", takes=0),
    Flag(("--title",), "of the page (BLEU report)"),
    Flag(("--src",), "the source file, to be shown beside", file=True),
    inputs.DIALECT,
    Flag(metrics.FLAG.names, "what to show beside BLEU", takes="+", choices=metrics.FLAG.choices),
    Flag(("--group",), "a file with a label for each line, such as its domain", file=True),
    *TEST_FLAGS,
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.HELP,
)  # fmt: skip

#: The flags as the help and the shell completion show them.
GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu report REF... -i A B... [-o report.html] [options]"
PURPOSE = (
    "Write a page about systems: scores, tests, charts, what is wrong, and every segment with its\n"
    "matches. One file that opens from disk and needs no network; send it to a colleague."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    target = given.get("output", "report.html")
    force = "force" in given
    check_output(target, force=force)
    bleu, *others = metrics.chosen({**given, "metrics": ["bleu", *given.get("metrics", ())]})
    hyp_paths = given.get("input", ["-"])
    sources = [given["src"]] if "src" in given else []
    inputs.check_standard_input([*paths, *hyp_paths, *sources])
    names = inputs.short_names(hyp_paths, given)
    references, systems = inputs.read(paths, hyp_paths, given)

    def labels(flag: str) -> list[str] | None:
        if flag not in given:
            return None
        return inputs.read_labels(given[flag], paths[0], len(references), given)

    options: dict[str, Any] = {name: given[name] for name in _OPTIONS if name in given}
    if "num_refs" not in given:
        options["ref_names"] = [name_of(path) for path in paths]
    from truebleu.report import write_report

    with Progress("writing the report") as progress:
        write_report(
            target,
            zip(names, systems, strict=True),
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

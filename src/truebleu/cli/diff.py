# SPDX-License-Identifier: Apache-2.0
"""`truebleu diff REF... -i HYP -a NAME -b NAME`: the differences between two dialects."""

from __future__ import annotations

from truebleu.analysis.diff import diff, surveys
from truebleu.cli import inputs
from truebleu.cli.flags import NO_COLOR, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_result, terminal_width
from truebleu.errors import OptionError

FLAGS = (
    inputs.INPUT,
    Flag(("-a",), "first dialect, by name or signature", placeholder="DIALECT",
         default="sacrebleu", common=True),
    Flag(("-b",), "second dialect, by name or signature", placeholder="DIALECT", common=True),
    Flag(("--all",), "score the corpus under every dialect instead", takes=0, common=True),
    Flag(("--segments",), "number of segments with a difference to show", kind=int,
         range=(0, None), default=5, common=True),
    format_flag("text", "json"),
    *inputs.FILE_FLAGS,
    NO_COLOR,
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu diff REF... [-i HYP] [-a DIALECT] -b DIALECT [options]"
PURPOSE = (
    "Explain why two dialects disagree: how the score changes from one to the other, one decision\n"
    "at a time, and the first segments that differ. --all lists the score under every dialect."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "all" in args and ("a" in args or "b" in args):
        raise OptionError("--all takes every dialect; leave out -a and -b")
    if "all" not in args and "b" not in args:
        raise OptionError("no dialect to compare with; name one with -b, or use --all")
    references, lines = inputs.read_one_system(args, paths)
    if "all" in args:
        with Progress("scoring under every dialect") as progress:
            standings = surveys.survey(lines, references, progress=progress)
        print_result(
            args,
            lambda: [standing.to_dict() for standing in standings],
            lambda: surveys.table(standings, terminal_width()),
        )
        return 0
    with Progress("comparing dialects"):
        result = diff(lines, references, args["a"], args["b"], most=args["segments"])
    print_result(args, result.to_dict, lambda: result.format(color=has_color(args)))
    return 0

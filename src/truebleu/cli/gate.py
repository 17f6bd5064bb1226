# SPDX-License-Identifier: Apache-2.0
"""`truebleu gate --baseline base.bleu new.bleu`: fail if a system is significantly worse."""

from __future__ import annotations

from truebleu.campaigns.gate import gate, read_systems
from truebleu.cli.compare import TEST_FLAGS
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import print_result
from truebleu.errors import OptionError

#: Flags that are also arguments of `gate`.
_OPTIONS = ("test", "resamples", "seed", "alpha")

FLAGS = (
    Flag(("--baseline",), "run file of the baseline, or a folder of its run files", file=True,
         placeholder="FILE|DIR", common=True),
    *(flag for flag in TEST_FLAGS if flag.key in _OPTIONS),
    format_flag("text", "json"),
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu gate --baseline FILE|DIR FILE|DIR... [options]"
PURPOSE = (
    "Fail if a system is significantly worse than the baseline, on any test set and by any metric\n"
    "of the baseline's run files. The tests are paired, and corrected for all comparisons.\n"
    "Run files are written by --save of score, compare and campaign. In folders, those that end\n"
    "in .bleu are read. If the baseline has several systems on a test set, each is compared with\n"
    "that of its name.\n"
    "Exit codes: 0 no system is significantly worse, 1 one is, 2 bad input."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "baseline" not in args or not paths:
        what = "run file of a new system" if "baseline" in args else "baseline"
        raise OptionError(f"no {what}; usage: {USAGE}")
    options = {name: args[name] for name in _OPTIONS if name in args}
    baseline, new = read_systems([args["baseline"]]), read_systems(paths)
    with Progress("comparing") as progress:
        result = gate(baseline, new, args["baseline"], progress=progress, **options)
    print_result(args, result.to_dict, lambda: str(result))
    return int(bool(result.worse))

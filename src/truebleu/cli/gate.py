# SPDX-License-Identifier: Apache-2.0
"""`truebleu gate --ledger FILE --baseline RUN`: fail if a system is significantly worse."""

from __future__ import annotations

from truebleu.cli import inputs
from truebleu.cli.compare import TEST_FLAGS
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.recorded import open_existing
from truebleu.cli.terminal import print_result
from truebleu.errors import OptionError
from truebleu.text.escaping import visible

#: Flags that are also arguments of `Ledger.gate`.
_OPTIONS = ("test", "resamples", "seed", "alpha")

FLAGS = (
    inputs.LEDGER,
    Flag(("--baseline",), "the baseline: a tag, such as release=1.0, the name of a system, or the "
         "number of a run", placeholder="RUN", common=True),
    *(flag for flag in TEST_FLAGS if flag.key in _OPTIONS),
    format_flag("text", "json"),
)  # fmt: skip
GROUPS = (("options", FLAGS),)

USAGE = "truebleu gate [RUN...] --ledger FILE --baseline RUN [options]"
PURPOSE = (
    "Fail if a system is significantly worse than the baseline, on any test set and by any metric\n"
    "on which the ledger has both. The tests are paired, and corrected for all comparisons.\n"
    "RUN are the systems to test, by number, name or tag; without one, all but the baseline. Of\n"
    "each system, the last scored run counts. If the baseline has several systems, each run is\n"
    "compared with that of its name.\n"
    "Exit codes: 0 no system is significantly worse, 1 one is, 2 bad input."
)


def run(args: Args, words: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "baseline" not in args:
        raise OptionError(f"no baseline; name a run with --baseline; usage: {USAGE}")
    options = {name: args[name] for name in _OPTIONS if name in args}
    with open_existing(args) as ledger, Progress("comparing") as progress:
        result = ledger.gate(args["baseline"], *words, progress=progress, **options)
    lines = str(result).split("\n")
    print_result(args, result.to_dict, lambda: "\n".join(map(visible, lines)))
    return int(bool(result.worse))

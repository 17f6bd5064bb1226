# SPDX-License-Identifier: Apache-2.0
"""`truebleu gate --baseline base.bleu new.bleu`: fail if a system is significantly worse.

example: truebleu gate --baseline baseline/news.bleu new.bleu

Fail if a system is significantly worse than the baseline, on any test set and by any metric
of the baseline's run files. The tests are paired, and corrected for all comparisons.
Run files are written by --save of score, compare and campaign. In folders, those that end
in .bleu are read. If the baseline has several systems on a test set, each is compared with
that of its name.
With --ref, they are texts, and each result says whether it survives other typography.
Exit codes: 0 no system is significantly worse, 1 one is, 2 bad input.
"""

from __future__ import annotations

from functools import partial

from truebleu.campaigns.gate import TextFiles, gate, read_systems
from truebleu.cli import inputs, metrics, saved
from truebleu.cli.compare import TEST_FLAGS
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import print_result
from truebleu.errors import OptionError
from truebleu.inputs.files import Decoding, read_lines

#: Flags that are also arguments of `gate`.
_OPTIONS = ("test", "resamples", "seed", "alpha")

FLAGS = (
    Flag("--baseline FILE|DIR", "run file of the baseline, or a folder of its run files", common=True),
    Flag("--ref FILE...", "references; the baseline and the systems are texts then", common=True),
    Flag("--robust", "fail only by verdicts that survive other typography and settings; needs --ref", common=True),
    *metrics.FLAGS,
    *(flag for flag in TEST_FLAGS if flag.key in _OPTIONS),
    format_flag("text", "json"),
)
GROUPS = (("options", FLAGS), *metrics.GROUPS)

USAGE = "truebleu gate --baseline FILE|DIR FILE|DIR... [options]"


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "baseline" not in args or not paths:
        what = "run file of a new system" if "baseline" in args else "baseline"
        raise OptionError(f"no {what}; type {USAGE}")
    options = {name: args[name] for name in _OPTIONS if name in args}
    files = None
    if "ref" in args:
        read = partial(read_lines, decoding=Decoding(notice=inputs.notice))
        refs = inputs.references([read(path) for path in args["ref"]], args["ref"][0])
        files = TextFiles(refs, metrics.make_metrics(args), read)
    elif "robust" in args or saved.has_metrics(args):
        raise OptionError("run files have no texts or other metrics; name texts, and --ref")
    baseline, new = read_systems([args["baseline"]], files), read_systems(paths, files)
    with Progress("comparing") as progress:
        result = gate(
            baseline, new, args["baseline"], files=files, robust="robust" in args, progress=progress, **options
        )
    print_result(args, result.to_dict, lambda: str(result))
    return int(bool(result.worse))

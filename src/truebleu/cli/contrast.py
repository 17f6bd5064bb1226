# SPDX-License-Identifier: Apache-2.0
"""`truebleu contrast REF... -i A B`: why one system scores higher than another.

example: truebleu contrast ref.txt -i a.txt b.txt

Explain why system A scores higher or lower than system B: points by kind of n-gram, with
intervals and examples; the segments that decide it; both systems by word frequency,
position, length and domain.
"""

from __future__ import annotations

from truebleu.analysis.contrast import contrast
from truebleu.cli import inputs
from truebleu.cli.flags import SEED, Args, Flag, format_flag
from truebleu.cli.metrics import BLEU_GROUP, DIALECT, make_metrics
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import looks, print_result
from truebleu.errors import OptionError
from truebleu.inputs.files import origins

FLAGS = (
    Flag("-i, --input FILE...", "hypothesis files of both systems", common=True),
    inputs.NAMES,
    DIALECT,
    Flag("--segments N", "number of decisive segments to show", range=(0, None), default=5, common=True),
    Flag("--ngrams N", "number of n-grams to show for each group and system", range=(0, None), default=10, common=True),
    inputs.GROUP_BY,
    inputs.SCORES,
    Flag(
        "--frequencies FILE", "text whose word frequencies count, such as the training data (default: the references)"
    ),
    Flag("-n, --resamples N", "number of resamples for the intervals", range=(1, None), default=1000),
    SEED,
    *inputs.DOC_FLAGS,
    format_flag("text", "json"),
    *inputs.LAST_FLAGS,
)
GROUPS = (("files and output", FLAGS), BLEU_GROUP)

USAGE = "truebleu contrast REF... -i A B [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    plan = inputs.Plan(args, paths)
    if len(plan.hyps) != 2:
        raise OptionError(f"contrast needs exactly two systems; type {USAGE}")
    (bleu,) = make_metrics(args)
    read = plan.read()
    (a, hyps), (b, others) = read.systems
    frequencies = None
    if "frequencies" in args:
        (frequencies,) = inputs.load(origins("text", [args["frequencies"]], ()), args).values()
    with Progress("contrasting"):
        options = {name: args[name] for name in ("segments", "ngrams", "resamples", "seed")}
        result = contrast(
            hyps,
            others,
            read.references,
            bleu.dialect,
            names=(a, b),
            domains=read.groups,
            documents=read.documents,
            scores=read.scores,
            frequencies=frequencies,
            threads=bleu.threads,
            **options,
        )
    print_result(args, result.to_dict, lambda: result.format(**looks(args)))

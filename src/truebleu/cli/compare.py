# SPDX-License-Identifier: Apache-2.0
"""`truebleu compare REF... -i A B C ...`: tests, intervals and ranks of systems."""

from __future__ import annotations

from functools import partial

from truebleu.analysis.compare import Comparison, compare
from truebleu.analysis.compare.corrections import CORRECTIONS
from truebleu.analysis.compare.formats import render_all
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import GIVEN_ORDER, NO_COLOR, SEED, THREADS, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import has_color, print_wrapped, terminal_width
from truebleu.errors import OptionError

#: Flags that are also arguments of `compare`.
OPTIONS = ("test", "correction", "resamples", "seed", "alpha")

FORMATS = ("text", "json", "tsv", "latex", "markdown")

#: Flags of the tests, which `report` shares.
TEST_FLAGS = (
    Flag(("--test",), "test of each pair", choices=tuple(TESTS), default="permutation",
         common=True),
    Flag(("--correction",), "correction of the p-values of several pairs (default: maxt; "
         "sacreBLEU's tests: holm)", choices=tuple(CORRECTIONS)),
    Flag(("-n", "--resamples"), "number of resamples (default: 10000, more for holm and bh of more "
         "than 10 systems; sacrebleu-bootstrap: 1000)", kind=int, range=(1, None), common=True),
    SEED,
    Flag(("--alpha",), "significance level of tests; intervals cover the rest", kind=float,
         default=0.05),
    *inputs.DOC_FLAGS,
)  # fmt: skip

FLAGS = (
    Flag(inputs.INPUT.names, "hypothesis file of each system", takes="+", file=True, common=True),
    inputs.NAMES,
    metrics.METRICS,
    metrics.DIALECT,
    *TEST_FLAGS,
    inputs.BASELINE,
    GIVEN_ORDER,
    Flag(("--detect",), "show how many segments detect a true difference of this size",
         kind=float, placeholder="POINTS"),
    format_flag(*FORMATS),
    metrics.WIDTH,
    *inputs.TEST_SET_FLAGS,
    *inputs.FILE_FLAGS,
    THREADS,
    NO_COLOR,
)  # fmt: skip

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu compare REF... -i A B... [options]"
PURPOSE = (
    "Compare systems: intervals, a test of every pair, ranks, and what the test set can detect.\n"
    "REF are reference files, one segment per line; A, B and so on are systems."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    plan = inputs.Plan(args, paths)
    if len(plan.hyps) < 2:
        raise OptionError(f"compare needs at least two systems; usage: {USAGE}")
    baseline = plan.baseline
    computed = metrics.make_metrics(args)
    width = metrics.decimals(args, computed)
    corpus = plan.read()
    options = {name: args[name] for name in OPTIONS if name in args}
    comparisons: list[Comparison] = []
    with Progress("comparing") as progress:

        def step(before: int, share: float) -> None:
            progress((before + share) / len(computed))

        for i, metric in enumerate(computed):
            comparisons.append(
                compare(
                    corpus.systems,
                    corpus.references,
                    metric=metric,
                    documents=corpus.documents,
                    baseline=baseline,
                    progress=partial(step, i),
                    **options,
                )
            )
    form = args["format"]
    text = render_all(
        form,
        comparisons,
        width=width,
        detect=args["detect"],
        given_order="given_order" in args,
        color=form == "text" and has_color(args),
        terminal=terminal_width(),
    )
    if form == "text":
        print_wrapped(text)
    else:
        print(text)
    if form == "tsv":  # has no place for warnings
        for warning in dict.fromkeys(text for one in comparisons for text in one.warnings):
            inputs.notice(warning)
    return 0

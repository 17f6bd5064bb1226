# SPDX-License-Identifier: Apache-2.0
"""`truebleu compare REF... -i A B C ...`: tests, intervals and ranks of systems.

example: truebleu compare ref.txt -i a.txt b.txt

Compare systems: intervals, a test of every pair, ranks, what the test set can detect, and
whether differences survive other typography, other settings and other metrics.
REF are reference files, one segment per line; A, B and so on are systems: texts, or run
files, which --save writes. Run files alone need no REF.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from truebleu.analysis.compare import Comparison, compare
from truebleu.analysis.compare.corrections import CORRECTIONS
from truebleu.analysis.compare.formats import render_groups
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.progress import part_of
from truebleu.cli import inputs, metrics, saved
from truebleu.cli.flags import FORMATS, GIVEN_ORDER, SEED, Args, Flag, format_flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import looks, print_wrapped

#: Flags that are also arguments of `compare`.
OPTIONS = ("test", "correction", "resamples", "seed", "alpha", "robustness")

RESAMPLES = Flag(
    "-n, --resamples N",
    "number of resamples (default: 10000, more for holm and bh of more than 10 systems; sacrebleu-bootstrap: 1000)",
    range=(1, None),
    common=True,
)
ALPHA = Flag("--alpha NUMBER", "significance level of tests; intervals cover the rest", default=0.05)
CAPTION = Flag("--caption", "with -f latex: say in the caption how often people agreed with such differences")
#: Flags of the tests, which `report` shares.
TEST_FLAGS = (
    Flag("--test", "test of each pair", choices=tuple(TESTS), default="permutation", common=True),
    Flag("--correction", "correction of the p-values of several pairs (default: maxt; sacreBLEU's "
         "tests: holm)", choices=tuple(CORRECTIONS)),
    RESAMPLES,
    SEED,
    ALPHA,
    *inputs.DOC_FLAGS,
)  # fmt: skip

FLAGS = (
    Flag("-i, --input FILE...", "hypothesis file of each system", common=True),
    inputs.NAMES,
    *metrics.FLAGS,
    *TEST_FLAGS,
    inputs.BASELINE,
    GIVEN_ORDER,
    Flag("--pairs", "show every pair of systems; -f tsv then has a line for each"),
    Flag("--intervals", "show intervals with several metrics, too"),
    inputs.GROUP_BY,
    inputs.SCORES,
    *inputs.SAVE_FLAGS,
    Flag("--robustness", "try which differences survive other typography and settings (default: up "
         "to 50,000 segments of all systems)", kind=bool),
    Flag("--detect POINTS", "show how many segments detect a true difference of this size",
         kind=float),
    format_flag(*FORMATS),
    CAPTION,
    metrics.WIDTH,
    metrics.CITE,
    *inputs.ALL_LAST_FLAGS,
)  # fmt: skip

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu compare REF... -i A B... [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    saved.check(args, "group_by")
    plan = inputs.Plan(args, paths, takes_runs=True)
    baseline = plan.baseline
    computed = metrics.make_metrics(args)
    corpus = plan.read()
    inputs.warn(args, computed, corpus.references, corpus.systems)
    if "save" in args:
        saved.save(args, computed, corpus)  # the texts are compared, of which trials change some
    parts = corpus.parts()
    are_of_runs = plan.has_runs and not saved.has_metrics(args)
    by_metric = saved.by_metric(corpus.systems) if are_of_runs else [(metric, None) for metric in computed]
    width = metrics.decimals(args, [metric for metric, _ in by_metric])
    options = {name: args[name] for name in OPTIONS if name in args}
    steps = len(parts) * len(by_metric)
    groups: dict[str | None, list[Comparison]] = {name: [] for name in parts}
    with Progress("comparing") as progress:
        for i, ((name, part), task) in enumerate(product(parts.items(), by_metric)):
            metric, systems = task
            with plan.in_group(name):
                result = compare(
                    systems or part.systems,
                    part.references,
                    documents=part.documents,
                    metric=None if are_of_runs else metric,
                    baseline=baseline,
                    scores=part.scores,
                    progress=part_of(progress, i, steps),
                    **options,
                )
            groups[name].append(result)
    form = args["format"]
    text = render_groups(
        form,
        groups,
        plan.group_title,
        width=width,
        detect=args["detect"],
        **{key: key in args for key in ("given_order", "pairs", "intervals", "caption")},
        **looks(args),
    )
    (print_wrapped if form == "text" else print)(text)
    notice_warnings(args, (result for results in groups.values() for result in results))


def notice_warnings(args: Args, comparisons: Iterable[Comparison]) -> None:
    """Print the warnings of comparisons, for which TSV has no place."""
    if args["format"] == "tsv":
        warnings = (warning for comparison in comparisons for warning in comparison.warnings)
        for warning in dict.fromkeys(warnings):
            inputs.notices(args)(warning)

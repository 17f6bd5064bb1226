# SPDX-License-Identifier: Apache-2.0
"""`truebleu compare REF... -i A B C ...`: which system is better, and how sure that is."""

from __future__ import annotations

from truebleu.analysis.compare import SEED, compare
from truebleu.analysis.compare.formats import render_all
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import room, show
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison

#: Flags that are arguments of `compare`, too.
OPTIONS = ("test", "resamples", "seed", "alpha")

FORMATS = ("text", "json", "tsv", "latex", "markdown")

#: How systems are tested; the page of `report` shows it, too.
TEST_FLAGS = (
    Flag(("-t", "--test"), "the test of a pair (permutation)", choices=tuple(TESTS)),
    Flag(("-n", "--resamples"), "how many are drawn (10000; sacrebleu-bootstrap 1000)", kind=int,
         range=(1, None)),
    Flag(("--seed",), f"of the random numbers ({SEED})", kind=int, range=(0, (1 << 64) - 1)),
    Flag(("--alpha",), "level of the tests (0.05); intervals have the rest", kind=float),
    Flag(("--by-doc",), "a file with the name of its document for each line, to draw documents",
         file=True),
)  # fmt: skip

FLAGS = (
    inputs.INPUT,
    metrics.FLAG,
    inputs.DIALECT,
    *TEST_FLAGS,
    Flag(("--detect",), "say how many segments find a true difference of so many points",
         kind=float),
    Flag(("-f", "--format"), "how results are printed", choices=FORMATS),
    Flag(("-w", "--width"), "decimals of scores (1; 4 on a scale of 1)", kind=int, range=(0, 100)),
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)  # fmt: skip

#: The flags as the help and the shell completion show them.
GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu compare REF... -i A B... [options]"
PURPOSE = (
    "Compare systems: intervals, a test of every pair, ranks, and what the test set can show.\n"
    "REF are reference files, one segment to a line; A, B and so on are systems."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    hyp_paths = given.get("input", [])
    if len(hyp_paths) < 2:
        raise OptionError(f"two systems at least are compared; usage: {USAGE}")
    computed = metrics.chosen(given)
    width = given.get("width", 4 if metrics.scale_of_one(computed) else 1)
    references, systems = inputs.read(paths, hyp_paths, given)
    documents = None
    if "by_doc" in given:
        documents = inputs.read_labels(given["by_doc"], paths[0], len(references), given)
    options = {name: given[name] for name in OPTIONS if name in given}
    found: list[Comparison] = []
    with Progress("comparing") as progress:
        for metric in computed:

            def step(share: float, before: int = len(found)) -> None:
                progress((before + share) / len(computed))

            one = compare(
                zip(inputs.system_names(hyp_paths), systems, strict=True),
                references,
                metric=metric,
                documents=documents,
                progress=step,
                **options,
            )
            found.append(one)
    chosen = given.get("format", "text")
    color = chosen == "text" and inputs.colored(given)
    text = render_all(
        chosen, found, width=width, detect=given.get("detect"), color=color, room=room()
    )
    if chosen == "text":
        show(text)
    else:
        print(text)
    return 0

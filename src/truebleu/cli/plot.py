# SPDX-License-Identifier: Apache-2.0
"""`truebleu plot REF... -i A B -o figure.pdf`: a figure for a paper."""

from __future__ import annotations

from truebleu.charts import KINDS, Look, plot
from truebleu.charts.figure import converter, format_of
from truebleu.charts.look import COLORS, WIDTHS
from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Flag
from truebleu.cli.progress import Progress
from truebleu.dialects.decisions import OPTIONS
from truebleu.errors import OptionError
from truebleu.text.atomic import check_output
from truebleu.text.escaping import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAGS = (
    inputs.INPUT,
    Flag(("-o", "--output"), "the file to write, .svg, .pdf or .png", file=True),
    inputs.NAMES,
    Flag(("-k", "--kind"), "what is shown (precisions)", choices=tuple(KINDS)),
    Flag(("--force",), "replace the file if it is there", takes=0),
    Flag(("--width",), "single or double, a column of a paper or two, or points (single)"),
    Flag(("--height",), "points; without, what suits the content", kind=float),
    Flag(("--font",), "family of the type, which must be installed here"),
    Flag(("--font-size",), "of the type, in points (8)", kind=float),
    Flag(("--colors",), "of paper or screen (print)", choices=COLORS),
    Flag(("--by-doc",), "a file with the name of its document or group for each line", file=True),
    Flag(("-n", "--resamples"), "how many are drawn for difference and scores (10000)", kind=int,
         range=(1, None)),
    Flag(("--seed",), "of the random numbers (12345)", kind=int, range=(0, (1 << 64) - 1)),
    metrics.ONE,
    inputs.DIALECT,
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)  # fmt: skip
GROUPS = (("files and figure", FLAGS), *metrics.GROUPS)

USAGE = "truebleu plot REF... -i A [B...] -o figure.pdf [--kind KIND] [options]"
PURPOSE = (
    "Draw a figure for a paper, as wide as a column of it, with fonts embedded in PDF:\n"
    + "\n".join(f"  {name:<{max(map(len, KINDS))}}  {shown}" for name, shown in KINDS.items())
    + "\nNeeds pip install 'truebleu[report]'."
)

#: Flags and what the look of a figure calls them.
_LOOK = {"width": "width", "height": "height", "font": "font", "font_size": "size",
         "colors": "colors"}  # fmt: skip


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    if "output" not in given:
        raise OptionError(
            f"no file is given to write the figure to; name one with -o; usage: {USAGE}"
        )
    kind, output, force = given.get("kind", "precisions"), given["output"], "force" in given
    # What is wrong with the figure is told before a corpus is read.
    format_of(output)
    check_output(output, force=force)
    look = _look(given)
    hyp_paths = given.get("input", ["-"])
    if kind in ("difference", "scores") and len(hyp_paths) < 2:
        raise OptionError(f"the figure of {kind} compares systems; give two at least to -i")
    if kind == "groups" and "by_doc" not in given:
        raise OptionError("the figure of groups needs --by-doc FILE, a name for each line")
    names = inputs.short_names(hyp_paths, given)
    (metric,) = metrics.chosen(given)
    converter("a figure")
    references, systems = inputs.read(paths, hyp_paths, given)
    documents = None
    if "by_doc" in given:
        documents = inputs.read_labels(given["by_doc"], paths[0], len(references), given)
    options: dict[str, Any] = {name: given[name] for name in ("resamples", "seed") if name in given}
    if kind != "dialects":
        options["metric"] = metric
    elif "dialect" in given or given.get("metrics", "bleu") != "bleu":
        raise OptionError(
            "the figure of dialects shows BLEU under all of them; leave out -d and -m"
        )
    else:
        options |= {name: given[name] for name in OPTIONS if name in given}
    with Progress("drawing") as progress:
        figure = plot(
            zip(names, systems, strict=True),
            references,
            kind,
            look=look,
            documents=documents,
            progress=progress,
            **options,
        )
        figure.save(output, force=force)
    print(f"{visible(output)}: {KINDS[kind]}")
    return 0


def _look(given: dict[str, Any]) -> Look:
    values = {name: given[flag] for flag, name in _LOOK.items() if flag in given}
    if values.get("width", "single") not in WIDTHS:
        try:
            values["width"] = float(values["width"])
        except ValueError:
            known = " or ".join(WIDTHS)
            raise OptionError(
                f"--width cannot be {values['width']!r}; it must be {known}, or points"
            ) from None
    return Look(**values)

# SPDX-License-Identifier: Apache-2.0
"""`truebleu plot REF... -i A B -o figure.pdf`: a figure for a paper.

example: truebleu plot ref.txt -i a.txt b.txt -o figure.pdf --kind precisions

Draw a figure for a paper, as wide as a column of it, with fonts embedded in PDF. For the kind
curve, REF are run files that --save wrote, one for each step. With --group-by, kinds other than
groups are drawn for each group, below each other. Needs pip install 'truebleu[report]'.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from truebleu.analysis.progress import part_of
from truebleu.campaigns.curves import learning_curve
from truebleu.charts import KINDS, Look, plot
from truebleu.charts.figure import Figure, converter, format_of, save_below_each_other
from truebleu.charts.layout import labels, span_of
from truebleu.charts.look import COLORS
from truebleu.cli import inputs, metrics, saved
from truebleu.cli.flags import GIVEN_ORDER, SEED, Args, Flag
from truebleu.cli.progress import Progress
from truebleu.cli.terminal import print_wrapped
from truebleu.dialects.decisions import OPTIONS
from truebleu.errors import OptionError
from truebleu.text.atomic import check_output
from truebleu.text.escaping import visible

_KINDS = {**KINDS, "curve": "scores of the steps of a training, from run files"}

FLAGS = (
    inputs.INPUT,
    Flag("-o, --output FILE", "figure file: .svg, .pdf or .png", common=True),
    inputs.NAMES,
    Flag("-k, --kind", "kind of figure", choices=tuple(_KINDS), default="precisions", common=True),
    Flag("--force", "replace an existing file", common=True),
    Flag("--width WIDTH", "one column of a paper (single), two (double), or a number of points",
         default="single", common=True),
    Flag("--height NUMBER", "height in points (default: fits the content)"),
    Flag("--font NAME", "font family, which must be installed"),
    Flag("--font-size NUMBER", "font size in points (default: 8)"),
    Flag("--colors", "color palette (default: print)", choices=COLORS),
    inputs.BASELINE,
    GIVEN_ORDER,
    inputs.GROUP_BY,
    *inputs.DOC_FLAGS,
    Flag("-n, --resamples N", "number of resamples for difference and scores (default: 10000)",
         range=(1, None)),
    SEED,
    Flag("--over TAG", "curve: the tag of the steps", default="step"),
    metrics.METRIC,
    metrics.DIALECT,
    *inputs.LAST_FLAGS,
)  # fmt: skip
GROUPS = (("files and figure", FLAGS), *metrics.GROUPS)
DETAILS = ["", "kinds:", *(f"  {name:<{max(map(len, _KINDS))}}  {shown}" for name, shown in _KINDS.items())]

USAGE = "truebleu plot REF... -i A [B...] -o figure.pdf [--kind KIND] [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    if "output" not in args:
        raise OptionError(f"no output file; name one with -o; type {USAGE}")
    kind, output = args["kind"], args["output"]
    # Check the options of the figure before reading files.
    format_of(output)
    check_output(output, force="force" in args)
    look = _look(args)
    (_curve if kind == "curve" else _figures)(args, paths, look)
    print(f"{visible(output)}: {_KINDS[kind]}")


def _figures(args: Args, paths: list[str], look: Look) -> None:
    """Draw a figure of systems, or one for each group."""
    kind, output, force = args["kind"], args["output"], "force" in args
    plan = inputs.Plan(args, paths)
    if kind in ("difference", "scores") and len(plan.hyps) < 2:
        raise OptionError(f"--kind {kind} needs at least two systems; name their files with -i")
    if kind == "groups" and plan.groups is plan.documents is None:
        raise OptionError("--kind groups needs --group-by, or --by-doc or --doc-col")
    baseline = plan.baseline
    (metric,) = metrics.make_metrics(args)
    converter("a figure")
    corpus = plan.read()
    if kind == "groups":
        corpus.documents, corpus.groups = corpus.groups or corpus.documents, None
    parts = corpus.parts()
    options: dict[str, Any] = {name: args[name] for name in ("resamples", "seed") if name in args}
    if kind != "dialects":
        options["metric"] = metric
    elif "dialect" in args or args["metrics"] != "bleu":
        raise OptionError("--kind dialects shows every dialect; leave out -d and -m")
    else:
        options |= {name: args[name] for name in OPTIONS if name in args}
    with Progress("drawing") as progress:

        def draw(place: int, name: str | None, look: Look) -> Figure:
            part = parts[name]
            with plan.in_group(name):
                return plot(
                    part.systems,
                    part.references,
                    kind,
                    look=look,
                    given_order="given_order" in args,
                    documents=part.documents,
                    baseline=baseline,
                    progress=part_of(progress, place, len(parts)),
                    **options,
                )

        figures = {name: draw(place, name, look) for place, name in enumerate(parts)}
        if len(figures) > 1:
            look = replace(look, values=span_of(figures.values()))
            figures = {name: draw(place, name, look) for place, name in enumerate(parts)}
        if None in figures:
            figures[None].save(output, force=force)
        else:
            names = labels((f"{plan.group_title}: {name}" for name in figures), look, 1)
            named = dict(zip(names, figures.values(), strict=True))
            save_below_each_other(named, output, look, force=force)


def _curve(args: Args, paths: list[str], look: Look) -> None:
    """Draw the learning curve of run files, and print it as a table."""
    converter("a figure")
    metric = metrics.make_metrics(args)[0] if saved.has_metrics(args) else None
    options = {name: args[name] for name in ("resamples", "seed") if name in args}
    with Progress("comparing") as progress:
        curve = learning_curve(paths, metric, tag=args["over"], progress=progress, **options)
    plot(curve, look=look).save(args["output"], force="force" in args)
    print_wrapped("\n".join(map(visible, str(curve).split("\n"))))


def _look(args: Args) -> Look:
    flags = ("width", "height", "font", "font_size", "colors")
    values = {flag.removeprefix("font_"): args[flag] for flag in flags if flag in args}
    with suppress(KeyError, ValueError):  # Look knows the names of widths
        values["width"] = float(values["width"])
    return Look(**values)

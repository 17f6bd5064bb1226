# SPDX-License-Identifier: Apache-2.0
"""`truebleu score REF... -i HYP...`: score systems against references."""

from __future__ import annotations

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import NO_COLOR, THREADS, Args, Flag, format_flag
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMATS = ("text", "json", "tsv", "latex", "markdown")

FLAGS = (
    inputs.INPUT,
    metrics.METRICS,
    metrics.DIALECT,
    Flag(("-sl", "--sentence-level"), "score each line by itself", takes=0, common=True),
    format_flag(*FORMATS),
    Flag(("-b", "--score-only"), "print only the score", takes=0, common=True),
    metrics.WIDTH,
    Flag(("-sh", "--short"), "short keys in the signature", takes=0),
    Flag(("--fail-under",), "exit with code 1 if a score is below this", kind=float,
         placeholder="SCORE"),
    *inputs.FILE_FLAGS,
    THREADS,
    NO_COLOR,
)  # fmt: skip

#: Flags for tables and large files.
STREAM_FLAGS = (
    Flag(("--hyp-col",), "columns of hypotheses, one for each system; REF are tables then",
         takes="+", placeholder="COLUMN", common=True),
    Flag(("--ref-col",), "columns of references; REF are tables then", takes="+",
         placeholder="COLUMN", common=True),
    Flag(("--group-by",), "a score for each value of this column", placeholder="COLUMN"),
    Flag(("--per-segment",), "write scores and statistics of each segment to this .parquet, .tsv "
         "or .jsonl file", file=True),
    Flag(("--on-error",), "stop at a bad row, or skip it and report it at the end",
         choices=("stop", "skip"), default="stop"),
)  # fmt: skip

GROUPS = (("files and output", FLAGS), ("tables and large files", STREAM_FLAGS), *metrics.GROUPS)

USAGE = "truebleu score REF... [-i HYP...] [options]"
PURPOSE = (
    "Score translations. REF are reference files, one segment per line; HYP are systems.\n"
    "With --hyp-col and --ref-col, REF are tables: TSV, CSV, JSON Lines, Parquet or Arrow.\n"
    "A - is standard input. Exit codes: 0 ok, 1 below --fail-under, 2 bad input."
)


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    computed = _metrics(args)
    width = metrics.decimals(args, computed)
    hyp_paths = inputs.hypothesis_paths(args)
    if args.get("sentence_level") and len(hyp_paths) > 1:
        raise OptionError("--sentence-level scores one system; name one file with -i")
    if any(flag.key in args for flag in STREAM_FLAGS) or inputs.are_large(paths, args):
        from truebleu.cli import streamed

        return _report(streamed.score(computed, paths, args), args, width)
    references, systems = inputs.read(args, paths)
    if args.get("sentence_level"):
        pairs = zip(systems[0][1], references, strict=True)
        (metric,) = computed
        scored = [(str(i), metric.sentence(hyp, refs)) for i, (hyp, refs) in enumerate(pairs, 1)]
    else:
        scored = [
            (name, metric.corpus(lines, references))
            for name, lines in systems
            for metric in computed
        ]
    return _report(scored, args, width)


def _report(scored: list[tuple[str, Any]], args: Args, width: int) -> int:
    """Print the scores; returns the exit code."""
    print(_render(scored, args, width))
    limit = args["fail_under"]
    # NaN is below every limit.
    return int(limit is not None and not all(score.value >= limit for _, score in scored))


def _metrics(args: Args) -> list[Any]:
    """The metrics of --metrics, each once, with their options."""
    names = list(dict.fromkeys(args.get("metrics", ("bleu",))))
    if args.get("sentence_level") and len(names) > 1:
        raise OptionError("--sentence-level computes one metric; name one with --metrics")
    if "fail_under" in args and (len(names) > 1 or names == ["ter"]):
        raise OptionError("--fail-under needs one metric, bleu or chrf; name it with --metrics")
    return metrics.make_metrics(args)


def _render(scored: list[tuple[str, Any]], args: Args, width: int) -> str:
    form = args["format"]
    if args.get("score_only") and form == "text":
        return "\n".join(f"{score.value:.{width}f}" for _, score in scored)
    systems = {name for name, _ in scored}
    grouped = args["group_by"]
    if form == "text" and ((len(systems) == 1 and not grouped) or args.get("sentence_level")):
        # The usual case, which needs no tables.
        short = "short" in args
        return "\n".join(score.format(width, signature=True, short=short) for _, score in scored)
    from truebleu.cli.terminal import has_color, terminal_width
    from truebleu.metrics import formats

    color = form == "text" and has_color(args)
    title = "Segment" if args.get("sentence_level") else grouped or "System"
    short = "short" in args
    return formats.render(
        form, scored, width=width, title=title, color=color, short=short, terminal=terminal_width()
    )

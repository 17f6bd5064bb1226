# SPDX-License-Identifier: Apache-2.0
"""`truebleu score REF... -i HYP...`: score systems against references."""

from __future__ import annotations

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import Flag
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMATS = ("text", "json", "tsv", "latex", "markdown")

FLAGS = (
    inputs.INPUT,
    metrics.FLAG,
    inputs.DIALECT,
    Flag(("-sl", "--sentence-level"), "score each line by itself", takes=0),
    Flag(("-f", "--format"), "how results are printed", choices=FORMATS),
    Flag(("-b", "--score-only"), "print the number alone", takes=0),
    Flag(
        ("-w", "--width"), "decimals of the score (1; 4 on a scale of 1)", kind=int, range=(0, 100)
    ),
    Flag(("-sh", "--short"), "short keys in the signature", takes=0),
    Flag(("--fail-under",), "exit with 1 if a score is below this", kind=float),
    *inputs.FILE_FLAGS,
    inputs.THREADS,
    inputs.NO_COLOR,
    inputs.HELP,
)

#: What only tables and long runs have.
STREAM_FLAGS = (
    Flag(("--hyp-col",), "the column of hypotheses, or several, one for each system", takes="+"),
    Flag(("--ref-col",), "the column of references, or several; REF are parts of one table then",
         takes="+"),
    Flag(("--group-by",), "a column; each of its values gets a score of its own"),
    Flag(("--per-segment",), "write scores and statistics of each segment to FILE.parquet, "
         "FILE.tsv or FILE.jsonl", file=True),
    Flag(("--on-error",), "at a bad row stop, or skip it and say so at the end",
         choices=("stop", "skip")),
    Flag(("--resume",), "go on where a run of the same command was killed", takes=0),
    Flag(("--checkpoint",), "the file that --resume goes on from (FILE.checkpoint beside "
         "--per-segment FILE; else one in the user's cache)", file=True),
    Flag(("--checkpoint-every",), "seconds between two checkpoints (10)", kind=float),
)  # fmt: skip

#: The flags as the help and the shell completion show them.
GROUPS = (
    ("files and output", FLAGS),
    ("tables and long runs", STREAM_FLAGS),
    *metrics.GROUPS,
)

USAGE = "truebleu score REF... [-i HYP...] [options]"
PURPOSE = (
    "Score translations. REF are reference files, one segment to a line; HYP are systems.\n"
    "With --hyp-col and --ref-col, REF are tables: TSV, CSV, JSON Lines, Parquet or Arrow.\n"
    "A - stands for standard input. Exit codes: 0 ok, 1 below --fail-under, 2 bad input."
)


def run(given: dict[str, Any], paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    computed = _metrics(given)
    width = given.get("width", 4 if metrics.scale_of_one(computed) else 1)
    hyp_paths = given.get("input", ["-"])
    if given.get("sentence_level") and len(hyp_paths) > 1:
        raise OptionError("--sentence-level scores one system; give one file to -i")
    if any(flag.key in given for flag in STREAM_FLAGS) or inputs.are_large(paths, given):
        from truebleu.cli import streamed

        return _report(streamed.score(computed, paths, given), given, width)
    references, systems = inputs.read(paths, hyp_paths, given)
    if given.get("sentence_level"):
        pairs = zip(systems[0], references, strict=True)
        (metric,) = computed
        scored = [(str(i), metric.sentence(hyp, refs)) for i, (hyp, refs) in enumerate(pairs, 1)]
    else:
        scored = [
            (name, metric.corpus(lines, references))
            for name, lines in zip(inputs.system_names(hyp_paths), systems, strict=True)
            for metric in computed
        ]
    return _report(scored, given, width)


def _report(scored: list[tuple[str, Any]], given: dict[str, Any], width: int) -> int:
    """Print the scores; returns the exit code."""
    print(_render(scored, given, width))
    floor = given.get("fail_under")
    # A score that is not a number is not at least the floor.
    return int(floor is not None and not all(score.value >= floor for _, score in scored))


def _metrics(given: dict[str, Any]) -> list[Any]:
    """The metrics that are asked for, each once, with their options."""
    names = list(dict.fromkeys(given.get("metrics", ("bleu",))))
    if given.get("sentence_level") and len(names) > 1:
        raise OptionError("--sentence-level computes one metric; name one to --metrics")
    if "fail_under" in given and (len(names) > 1 or names == ["ter"]):
        raise OptionError("--fail-under judges BLEU or chrF; name one of them to --metrics")
    return metrics.chosen(given)


def _render(scored: list[tuple[str, Any]], given: dict[str, Any], width: int) -> str:
    chosen = given.get("format", "text")
    if given.get("score_only") and chosen == "text":
        return "\n".join(f"{score.value:.{width}f}" for _, score in scored)
    systems = {name for name, _ in scored}
    grouped = given.get("group_by")
    if chosen == "text" and ((len(systems) == 1 and not grouped) or given.get("sentence_level")):
        # The common case, without the import of the tables.
        short = "short" in given
        return "\n".join(score.format(width, signature=True, short=short) for _, score in scored)
    from truebleu.cli.terminal import room
    from truebleu.metrics import formats

    color = chosen == "text" and inputs.colored(given)
    title = "Segment" if given.get("sentence_level") else grouped or "System"
    short = "short" in given
    return formats.render(
        chosen, scored, width=width, title=title, color=color, short=short, room=room()
    )

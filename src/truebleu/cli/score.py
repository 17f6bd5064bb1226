# SPDX-License-Identifier: Apache-2.0
"""`truebleu score REF... -i HYP...`: score systems against references.

example: truebleu score ref.txt -i hyp.txt -m bleu chrf

Score translations. REF are reference files, one segment per line; HYP are systems.
REF may be run files instead, which --save writes: their scores are printed.
With --hyp-col and --ref-col, REF are tables: TSV, CSV, JSON, Parquet or Arrow.
A - is standard input. Exit codes: 0 ok, 1 below --fail-under or, with multi-bleu, no word,
2 bad input.
"""

from __future__ import annotations

import os

from truebleu.cli import inputs, metrics
from truebleu.cli.flags import FORMATS, Args, Flag, exclude, format_flag, is_number
from truebleu.errors import OptionError
from truebleu.inputs.corpus import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    #: The scores of each group with the names of their systems; None without groups.
    Groups = Mapping[str | None, list[tuple[str, Any]]]

FLAGS = (
    *inputs.SYSTEM_FLAGS,
    *metrics.FLAGS,
    Flag("-sl, --sentence-level", "score each line by itself", common=True),
    format_flag(*FORMATS),
    Flag("--orders", "show BLEU-1 to BLEU-4 instead of the precisions", common=True),
    Flag("-b, --score-only", "print only the score", common=True),
    metrics.WIDTH,
    metrics.CITE,
    Flag("--confidence", "add the 95 % interval of each score"),
    Flag("-sh, --short", "short keys in the signature"),
    Flag("--fail-under SCORE", "exit with code 1 if a score is below this", kind=float),
    *inputs.SAVE_FLAGS,
    *inputs.ALL_LAST_FLAGS,
)  # fmt: skip

#: Flags for groups and large files.
STREAM_FLAGS = (
    inputs.GROUP_BY,
    Flag("--per-segment FILE", "write scores and statistics of each segment to this .parquet, .tsv or .jsonl file"),
    Flag(
        "--on-error", "stop at a bad row, or skip it and report it at the end", choices=("stop", "skip"), default="stop"
    ),
)

_STREAMED = tuple(flag.key for flag in STREAM_FLAGS)

GROUPS = (("files and output", FLAGS), ("groups and large files", STREAM_FLAGS), *metrics.GROUPS)

USAGE = "truebleu score REF... [-i HYP...] [options]"


def run(args: Args, paths: list[str]) -> int:
    """Run the command; returns its exit code."""
    computed = _metrics(args)
    width = metrics.decimals(args, computed)
    if args.keys() & {"save", "tag", "force"}:
        from truebleu.cli import saved

        saved.check(args, "sentence_level", *_STREAMED)
    confidence = 0.95 if "confidence" in args else None
    if confidence:
        exclude(args, "--confidence", "sentence_level", "save", "join_col", *_STREAMED)
        for path in (path for path in paths if is_number(path) and not os.path.exists(path)):
            raise OptionError(f"--confidence takes no value (it is 95 %); leave out {path}")
    plan = inputs.Plan(args, paths, takes_runs=not args.keys() & {"sentence_level", "confidence"})
    if plan.has_runs:
        from truebleu.cli import saved

        return _report({None: saved.scores(args, plan)}, plan, args, width)
    if _exits(computed) and _are_empty(plan.all):
        scored = [(name, metric.corpus([""], [[""]])) for name in plan.names for metric in computed]
        return _report({None: scored}, plan, args, width) or 1
    by_sentence = "sentence_level" in args
    if plan.places is not None:
        exclude(args, "--origlang or --subset", *_STREAMED)
    is_read = by_sentence or "save" in args or plan.places is not None or confidence
    is_small = is_read or ("join_col" not in args and inputs.are_small(plan.all))
    if not is_small or args.keys() & {*_STREAMED}:
        from truebleu.cli import streamed

        return _report(streamed.score(computed, plan, args), plan, args, width)
    corpus = plan.read()
    inputs.warn(args, computed, corpus.references, corpus.systems)
    if by_sentence:
        refs = corpus.references
        columns = [
            [(name, ready.sentence(*pair)) for pair in zip(lines, refs, strict=True)]
            for name, lines in corpus.systems
            for ready in [metric._ready(lines, refs, PLAIN)[0] for metric in computed]
        ]
        rows = enumerate(zip(*columns, strict=True), 1)
        if len(columns) > 1:
            return _report({str(i): list(row) for i, row in rows}, plan, args, width)
        scored = [(str(i), score) for i, ((_, score),) in rows]
    elif "save" in args:
        systems = saved.save(args, computed, corpus).scores
        scored = [(name, score) for name, own in systems.items() for score in own]
    else:
        scored = [
            (name, metric.corpus(lines, corpus.references, confidence=confidence))
            for name, lines in corpus.systems
            for metric in computed
        ]
    fails = _exits(computed) and any(score.hyp_len == 0 == score.ref_len for _, score in scored)
    return _report({None: scored}, plan, args, width) or int(fails)


def _exits(computed: list[Any]) -> bool:
    """Whether the tool exits with 1 if neither side has a word, as multi-bleu."""
    dialects = [metric.dialect for metric in computed if hasattr(metric, "dialect")]
    return any(dialect.combine.undefined == "empty-hyp-only" for dialect in dialects)


def _are_empty(origins: Sequence[Any]) -> bool:
    """Whether all files are, of which each has 0 bytes."""
    paths = [path for origin in origins for path in origin.paths]
    return all(os.path.isfile(path) and not os.path.getsize(path) for path in paths)


def _report(groups: Groups, plan: inputs.Plan, args: Args, width: int) -> int:
    """Print the scores; returns the exit code."""
    print(_render(groups, plan, args, width))
    limit = args["fail_under"]
    scores = [score for scored in groups.values() for _, score in scored]
    # NaN is below every limit.
    return int(limit is not None and not all(score.value >= limit for score in scores))


def _metrics(args: Args) -> list[Any]:
    """The metrics of --metrics, each once, with their options."""
    computed = metrics.make_metrics(args)
    if "fail_under" in args:
        first, *others = computed
        if others or not first.higher_is_better:
            raise OptionError("--fail-under needs one metric, of which higher scores are better")
        if args["fail_under"] > first.scale:
            what = first.dialect.name if first.name == "BLEU" else first.name
            raise OptionError(
                f"--fail-under {args['fail_under']:g} is above the scale of {what}, "
                f"0 to {first.scale:g}; give a threshold of at most {first.scale:g}"
            )
    return computed


def _render(groups: Groups, plan: inputs.Plan, args: Args, width: int) -> str:
    form = args["format"]
    if "orders" in args:
        groups = {
            group: [
                (name, order)
                for name, score in pairs
                for order in (score.orders() if hasattr(score, "orders") else [score])
            ]
            for group, pairs in groups.items()
        }
    scored = [pair for pairs in groups.values() for pair in pairs]
    if args.get("score_only") and form == "text":
        return "\n".join(f"{score.value:.{width}f}" for _, score in scored)
    systems = {name for name, _ in scored}
    grouped = "" if plan.groups is None else plan.group_title
    by_sentence = "sentence_level" in args
    if form == "text" and None in groups and (len(systems) == 1 or by_sentence):
        # The usual case, which needs no tables.
        short = "short" in args
        return "\n".join(score.format(width, signature=True, short=short) for _, score in scored)
    from truebleu.cli.terminal import looks
    from truebleu.metrics import formats

    options = {"width": width, "short": "short" in args, **looks(args)}
    if None not in groups:
        named = {str(group): pairs for group, pairs in groups.items()}
        return formats.render_groups(form, named, grouped or "Segment", **options)
    title = "Segment" if by_sentence else grouped or "System"
    return formats.render(form, scored, title=title, **options)

# SPDX-License-Identifier: Apache-2.0
"""`truebleu score` of tables, and of files that may not fit into memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from truebleu.cli import inputs
from truebleu.cli.flags import Args, exclude
from truebleu.cli.progress import Progress
from truebleu.errors import OptionError, quantity
from truebleu.inputs.alignment import Batch
from truebleu.inputs.columns import Values, as_list
from truebleu.inputs.corpus import label_names, unused
from truebleu.metrics import streaming
from truebleu.metrics.scan import Scan
from truebleu.metrics.segment_files import SegmentFile

#: The scores of each system, one by each metric.
Scores = list[list[Any]]

#: Seconds between two drawings of the bar.
_PAUSE = 0.2
#: Segments that are looked at for mistakes.
_WARNED = 1024


def score(metrics: list[Any], plan: inputs.Plan, args: Args) -> dict[str | None, list[tuple[str, Any]]]:
    """The scores of each group, each with the name of its system.

    Without groups, all are in the group None; and so are the groups of a single system, where each
    score has the name of its group.
    """
    if "sentence_level" in args:
        raise OptionError("use --per-segment FILE instead of --sentence-level")
    totals, groups = (_joined if "join_col" in args else _streamed)(metrics, plan, args)

    def named(names: Sequence[str], scores: Scores) -> list[tuple[str, Any]]:
        return [(name, score) for name, own in zip(names, scores, strict=True) for score in own]

    if plan.groups is None:
        return {None: named(plan.names, totals)}
    groups[unused("(all)", groups)] = totals
    if len(plan.names) == 1:
        return {None: [pair for name, scores in groups.items() for pair in named([name], scores)]}
    return {name: named(plan.names, scores) for name, scores in groups.items()}


def _streamed(metrics: list[Any], plan: inputs.Plan, args: Args) -> tuple[Scores, dict[str, Scores]]:
    """The scores of all segments and of each group."""
    labels = [] if plan.groups is None or plan.groups.name else plan.groups.paths
    paths = [*plan.paths, *plan.hyp_paths, *labels]
    inputs.check_standard_input(paths)
    if "-" in paths and any(metric.name == "NIST" for metric in metrics):
        raise OptionError("nist reads its files twice; save standard input to a file first")
    scan = Scan(
        plan.refs,
        plan.hyps,
        plan.groups,
        on_error=args["on_error"],
        encoding=args["encoding"],
        errors=args["errors"],
        fields=args["num_refs"],
        notice=inputs.notices(args),
    )
    names = plan.names
    output = None
    if "per_segment" in args:
        if len(names) > 1:
            raise OptionError(f"--per-segment needs a single system, not {len(names)}")
        output = SegmentFile(args["per_segment"], metrics, grouped="group_by" in args)

    def warn(batch: Batch) -> None:
        refs, *systems = map(_first, (batch.refs, *batch.systems))
        where = f"first {quantity(len(refs), 'segment')}: "
        inputs.warn(args, metrics, refs, zip(names, systems, strict=True), where)

    # While the user types, nothing else is drawn on the terminal.
    is_typed = "-" in paths and inputs.is_keyboard()
    bar = Progress("scoring", None if is_typed else sys.stderr)
    with bar:
        tally = streaming.score(metrics, scan, output=output, progress=_report(bar), first=warn)
    if tally.skipped:
        notice = inputs.notices(args)
        notice(f"skipped {quantity(tally.skipped, 'bad row')} of {tally.rows:,}:")
        for message in tally.messages:
            notice(message)
    by_label = label_names(tally.groups())
    groups = {by_label[label]: scores for label, scores in tally.groups().items()}
    return tally.scores(), groups


def _joined(metrics: list[Any], plan: inputs.Plan, args: Args) -> tuple[Scores, dict[str, Scores]]:
    """The same of tables whose rows are matched by --join-col, which are read whole."""
    exclude(args, "--join-col", "per_segment", "on_error")

    def scores(part: inputs.Corpus) -> Scores:
        return [[metric.corpus(hyps, part.references) for metric in metrics] for _, hyps in part.systems]

    corpus = plan.read()
    inputs.warn(args, metrics, corpus.references, corpus.systems)
    groups = corpus.parts() if plan.groups else {}
    return scores(corpus), {str(name): scores(part) for name, part in groups.items()}


def _first(column: Values) -> list[Any]:
    """Its first segments: Python objects of a whole batch of Arrow data take as long as scoring."""
    is_arrow = hasattr(column, "slice")
    return as_list(column.slice(0, _WARNED) if is_arrow else list(islice(column, _WARNED)))


def _report(bar: Progress) -> Callable[[streaming.Tally, int, int], None]:
    """What draws the progress of a run: segments, the score so far and the time left."""
    start = time.monotonic()

    def draw(tally: streaming.Tally, position: int, total: int) -> None:
        if not bar.is_due(_PAUSE):
            return
        parts = [quantity(tally.rows, "segment")]
        if (running := tally.running()) is not None:
            parts.append(f"{running.name} {running.value:.1f}")
        if total and position:
            left = round((time.monotonic() - start) * (total - position) / position)
            parts.append(f"{timedelta(seconds=left)} left")
        share = position / total if total else 0.0
        bar.draw(share, "".join(f"  {part}" for part in parts))

    return draw

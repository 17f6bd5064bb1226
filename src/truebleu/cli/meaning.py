# SPDX-License-Identifier: Apache-2.0
"""`truebleu meaning 1.3 [-m chrf]`: how often people agreed with a difference of this size.

Show how often people agreed with a difference of this size between the scores of two
systems; without DIFFERENCE, the differences with which they agreed in 55 to 95 % of cases.
The judgements are direct assessments of translation systems of WMT21 and WMT22.
"""

from __future__ import annotations

from truebleu.analysis import agreement
from truebleu.cli import metrics
from truebleu.cli.flags import Args, Flag, format_flag
from truebleu.cli.terminal import print_result
from truebleu.text import tables

#: The shares of the table.
_SHARES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)

FLAGS: tuple[Flag, ...] = (metrics.METRIC, metrics.DIALECT, format_flag("text", "json"))
GROUPS = (("options", FLAGS), *metrics.GROUPS)

USAGE = "truebleu meaning [DIFFERENCE] [options]"


def run(args: Args, words: list[str]) -> None:
    """Run the command."""
    (metric,) = metrics.make_metrics(args)
    notes = [f"judgements: {agreement.source_of(metric)}", f"signature: {metric.signature}"]
    if task := agreement.other_task(metric):
        notes.append(f"warning: this metric is for {task}, and people judged translations")
    if not words:
        width = metrics.decimals(args, [metric])
        rows = {p: agreement.difference_for(p, metric) for p in _SHARES}
        cells = [[agreement.share(p), f"{points:.{width}f}"] for p, points in rows.items()]
        table = tables.aligned(tables.padded([["people agree", metric.name], *cells]))
        print_result(args, lambda: rows, lambda: "\n".join([*table, "", *notes]))
        return
    result = agreement.human_agreement(Flag("DIFFERENCE NUMBER", "").convert(" ".join(words)), metric)
    interval = f"95 % interval for a new test set: {agreement.span(result.interval)}"
    pairs = f"pairs of systems with about this difference: {result.pairs:,}"
    print_result(args, result.to_dict, lambda: "\n".join([str(result), interval, pairs, *notes]))

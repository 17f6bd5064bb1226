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
from truebleu.errors import OptionError
from truebleu.text import tables

#: The shares of the table.
_SHARES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)

FLAGS: tuple[Flag, ...] = (metrics.METRIC, metrics.DIALECT, format_flag("text", "json"))
GROUPS = (("options", FLAGS), *metrics.GROUPS)

USAGE = "truebleu meaning [DIFFERENCE] [options]"


def run(args: Args, words: list[str]) -> int:
    """Run the command; returns its exit code."""
    (metric,) = metrics.make_metrics(args)
    if len(words) > 1:
        raise OptionError(f"several differences: {' '.join(words)}; give one")
    notes = [f"judgements: {agreement.source_of(metric)}", f"signature: {metric.signature}"]
    if task := agreement.other_task(metric):
        notes.append(f"warning: this metric is for {task}, and people judged translations")
    if not words:
        width = metrics.decimals(args, [metric])
        rows = {p: agreement.difference_for(p, metric) for p in _SHARES}
        cells = [[agreement.share(p), f"{points:.{width}f}"] for p, points in rows.items()]
        table = tables.aligned(tables.padded([["people agree", metric.name], *cells]))
        print_result(args, lambda: rows, lambda: "\n".join([*table, "", *notes]))
        return 0
    try:
        difference = float(words[0])
    except ValueError:
        raise OptionError(f"DIFFERENCE cannot be {words[0]!r}; give a number like 1.3") from None
    result = agreement.human_agreement(difference, metric)
    lines = [str(result), f"95 % interval for a new test set: {agreement.span(result.interval)}",
             f"pairs of systems with about this difference: {result.pairs:,}", *notes]  # fmt: skip
    print_result(args, result.to_dict, lambda: "\n".join(lines))
    return 0

# SPDX-License-Identifier: Apache-2.0
"""Two systems whose rows were counted elsewhere, compared here."""

from __future__ import annotations

from dataclasses import replace

from truebleu.analysis.compare import compare
from truebleu.integrations.distributed.batches import Batches, names
from truebleu.metrics.bleu import choose_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison
    from truebleu.dialects.decisions import Dialect


#: Options of `truebleu.compare` that are no changes of a dialect.
_RESAMPLING = ("test", "resamples", "seed", "alpha", "progress")


def to_compare(
    a: str,
    b: str,
    refs: str | Sequence[str],
    documents: str | None,
    dialect: str | Dialect,
    metric: Any,
    options: dict[str, Any],
) -> tuple[Batches, dict[str, Any]]:
    """What counts both systems, with one thread, and options for `compared`."""
    resampling = {name: options[name] for name in _RESAMPLING if name in options}
    changes = {name: options[name] for name in options if name not in _RESAMPLING}
    threads = changes.pop("threads", None)
    resampling["metric"] = choose_metric(metric, dialect, threads, changes)
    return Batches(resampling["metric"], [a, b], names(refs), names(documents)), resampling


def compared(batches: Batches, sums: Any, options: dict[str, Any]) -> Comparison:
    """The comparison that `truebleu.compare` makes of the same texts in the same order.

    Args:
        batches: what counted, with two columns of hypotheses, whose names the systems get.
        sums: its rows, in the order of the data: of segments, or of documents if `by` names their
            column.
        options: those of `truebleu.compare`, the metric among them.
    """
    empty = batches.metric.zero_stats()
    found = {}
    for one, states in zip(batches.segments, batches.states(sums), strict=True):
        stats = states[:, -empty.width :].copy()
        found[one.hyp] = empty.like(stats)
        signature = batches.score(states.sum(axis=0)).signature
    labels = sums[batches.by[0]].to_pylist() if batches.by else None
    comparison = compare(found, documents=labels, **options)
    systems = [
        replace(system, score=system.score.with_signature(signature))
        for system in comparison.systems
    ]
    return replace(comparison, systems=tuple(systems), signature=signature)

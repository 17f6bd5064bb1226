# SPDX-License-Identifier: Apache-2.0
"""The common part of Ray and Spark: an adapter runs a function on all batches and adds up rows.

It has two methods. `sums(batches)` is the table of `Batches.partial` of all batches; with groups,
added up or not. `rows(batches, count)` is the table that `count`, a method of `batches`, makes of
all batches, in their order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from truebleu import errors
from truebleu.analysis.compare.comparison import Comparison
from truebleu.dialects.decisions import Dialect
from truebleu.integrations.batches import Batches
from truebleu.metrics.accumulation import accumulator_of
from truebleu.metrics.names import choose_metric

#: Options of `truebleu.compare`; others are changes of a dialect.
_COMPARISON = ("test", "correction", "resamples", "seed", "alpha", "progress")


def is_path(data: Any) -> bool:
    """Whether data are a path or a list of paths, and not a table of an engine."""
    return isinstance(data, (str, os.PathLike, list, tuple))


def score(engine: Any, batches: Batches) -> Any:
    """The score of the data of an engine, or of each group."""
    with worker_errors():
        return batches.scores(engine.sums(batches))


def compare(
    engine: Any,
    a: str,
    b: str,
    refs: str | Sequence[str],
    documents: str | None,
    dialect: str | Dialect,
    metric: Any,
    options: Mapping[str, Any],
) -> Comparison:
    """Compare two columns of hypotheses, from rows of segments, or of documents and batches."""
    from truebleu.analysis.compare import compare as compare_systems  # which imports NumPy

    resampling = {name: options[name] for name in _COMPARISON if name in options}
    changes = {name: options[name] for name in options if name not in _COMPARISON}
    metric = choose_metric(metric, dialect, changes.pop("threads", None), changes)
    batches = Batches(metric, [a, b], refs, documents)
    with worker_errors():
        rows = engine.rows(batches, batches.partial if documents else batches.rows)
        zeros = metric.zero_stats()
        systems = {}
        for system, states in zip(batches.hyps, batches.states(rows), strict=True):
            systems[system] = zeros.like(states[:, -zeros.width :].copy())
            signature = accumulator_of(metric, states.sum(axis=0)).compute().signature
        labels = rows[documents].to_pylist() if documents else None
        result = compare_systems(systems, documents=labels, metric=metric, **resampling)
    # Only the states have the number of references.
    scores = [replace(system, score=system.score.with_signature(signature)) for system in result.systems]
    return replace(result, systems=tuple(scores), signature=signature)


@contextmanager
def worker_errors() -> Iterator[None]:
    """Raise the package's error that an engine's exception quotes, instead of that exception."""
    try:
        yield
    except Exception as error:
        # Ray's exceptions are also of the class that they quote, and have many lines.
        if type(error).__module__ == errors.__name__:
            raise
        kinds = {kind.__name__: kind for kind in errors.TrueBLEUError.__subclasses__()}
        pattern = rf"truebleu\.errors\.({'|'.join(kinds)}): (.+)"
        quotes = re.findall(pattern, str(error))
        if not quotes:
            raise
        name, message = quotes[-1]
        raise kinds[name](message.strip()) from error

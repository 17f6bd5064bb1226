# SPDX-License-Identifier: Apache-2.0
"""BLEU as an expression of Polars: importing this module registers the namespace `bleu`.

    import polars as pl
    import truebleu.integrations.polars

    frame.group_by("lang").agg(pl.col("hyp").bleu.score("ref"))

The kernel reads text in the memory of Polars.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from truebleu.dialects.changes import MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, needing, within
from truebleu.metrics.accumulation import group_sums
from truebleu.metrics.names import choose_metric

with needing("the namespace of Polars", "polars"):
    import polars as pl


def bleu(hyps: pl.Expr) -> BLEUNamespace:
    """The namespace `bleu` of an expression, as a function that type checkers know.

    Example:
        >>> import polars as pl
        >>> from truebleu.integrations.polars import bleu
        >>> frame = pl.DataFrame({"hyp": ["a b c d"], "ref": ["a b c d"]})
        >>> round(frame.select(bleu(pl.col("hyp")).score("ref")).item(), 2)
        100.0
    """
    return BLEUNamespace(hyps)


@pl.api.register_expr_namespace("bleu")
class BLEUNamespace:
    """The methods of `pl.col("hyp").bleu`, an expression of hypotheses.

    References are an expression, or the name of a column, of strings or of lists of strings; or a
    list of these with one reference each. `metric` is a metric, instead of a
    dialect.

    Example:
        >>> import polars as pl
        >>> import truebleu.integrations.polars
        >>> frame = pl.DataFrame({"hyp": ["a b c d e", "a c"], "ref": ["a b c d f", "a b"]})
        >>> frame.select(pl.col("hyp").bleu.score("ref")).item()
        61.47881529512643
    """

    def __init__(self, hyps: pl.Expr) -> None:
        self._hyps = hyps

    def score(
        self, refs: Any, dialect: str | Dialect = "sacrebleu", *, metric: Any = None, **changes: Unpack[MetricChanges]
    ) -> pl.Expr:
        """The corpus score: one number, in `group_by().agg()` and `over()` one for each group.

        All groups are counted in one call and without copying text.
        """
        metric = choose_metric(metric, dialect, None, changes)

        columns = [column.implode() for column in self._columns(refs)]
        return _mapped(columns, lambda groups: _group_scores(metric, *groups), pl.Float64)

    def sentences(
        self, refs: Any, dialect: str | Dialect = "sacrebleu", *, metric: Any = None, **changes: Unpack[MetricChanges]
    ) -> pl.Expr:
        """The score of each segment."""
        metric = choose_metric(metric, dialect, None, changes)

        def scores(columns: Any) -> Any:
            return pl.Series(columns[0].name, _counted(metric.sentences, *columns), dtype=pl.Float64)

        return _mapped(self._columns(refs), scores, pl.Float64)

    def stats(
        self, refs: Any, dialect: str | Dialect = "sacrebleu", *, metric: Any = None, **changes: Unpack[MetricChanges]
    ) -> pl.Expr:
        """The statistics of each segment: a struct of integers, which add."""
        metric = choose_metric(metric, dialect, None, changes)
        fields = dict.fromkeys(metric.zero_stats().column_names(), pl.Int64)

        def count(columns: Any) -> Any:
            rows = np.asarray(_counted(metric.stats, *columns))
            return pl.DataFrame(rows, schema=fields, orient="row").to_struct(columns[0].name)

        return _mapped(self._columns(refs), count, pl.Struct(fields))

    def _columns(self, refs: Any) -> list[Any]:
        several = refs if isinstance(refs, (list, tuple)) else [refs]
        refs = [pl.col(ref) if isinstance(ref, str) else ref for ref in several]
        return [self._hyps, *refs]


def _mapped(columns: list[Any], function: Callable[[Any], Any], kind: Any) -> pl.Expr:
    # Elementwise: Polars may pass the rows in parts, and passes the lists of all groups at once.
    return pl.map_batches(columns, function, return_dtype=kind, is_elementwise=True)


def _group_scores(metric: Any, hyps: Any, *refs: Any) -> Any:
    """The score of each row of columns of lists, null for empty lists."""
    lengths = hyps.list.len()
    mask = lengths > 0
    # Depending on its version, Polars explodes an empty list to a null or to nothing.
    flat = [column.filter(mask).explode() for column in (hyps, *refs)]
    nothing = pl.Series(hyps.name, [], dtype=pl.Float64).clear(len(hyps))
    if not len(flat[0]):
        return nothing
    stats = _counted(metric.stats, *flat)
    places = np.repeat(np.arange(len(lengths)), lengths.cast(pl.Int64).to_numpy())
    values = metric.values(stats.like(group_sums(stats, places, len(lengths))))
    return pl.Series(hyps.name, values).zip_with(mask, nothing)


def _counted(count: Callable[[Any, Any], Any], hyps: Any, *refs: Any) -> Any:
    """The result for hypotheses and references; several columns are joined in one of lists."""
    for column in refs if len(refs) > 1 else ():
        if column.dtype not in (pl.String, pl.Categorical, pl.Enum):
            raise InputError(
                f"column {column.name!r} has the type {column.dtype}; of several columns of "
                "references, each must be strings"
            )
    joined = refs[0]
    if len(refs) > 1:
        frame = pl.DataFrame({str(i): column.cast(pl.String) for i, column in enumerate(refs)})
        joined = frame.select(pl.concat_list(pl.all())).to_series()
    names = ", ".join(repr(column.name) for column in refs)
    with within(f"with hyps in column {hyps.name!r} and refs in {names}"):
        return count(hyps, joined)

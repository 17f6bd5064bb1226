# SPDX-License-Identifier: Apache-2.0
"""Arrow batch in, Arrow batch out: what runs on the workers of an engine.

Statistics add, so that each batch becomes a few rows of integers, and the engine adds these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.errors import InputError, within
from truebleu.inputs.arrow import plain
from truebleu.inputs.columns import interleaved, reference_counts
from truebleu.metrics.accumulation import accumulator_of, states

#: Prefix of the columns that hold sums, so that they never clash with a column of the user.
_PREFIX = "_truebleu_"


class Batches:
    """Reads the columns of batches, counts, and adds up by group.

    It pickles to a few hundred bytes. It uses one thread on a worker, because engines run as many
    tasks as there are cores.

    Args:
        metric: a metric, such as `BLEU()`.
        hyps: columns of hypotheses; two are systems to compare.
        refs: the column of references, of strings or lists of strings, or several columns of
            strings.
        by: columns whose values form groups.
        threads: the maximum number of threads for a batch.

    Example:
        >>> import pyarrow as pa
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.batches import Batches
        >>> batches = Batches(BLEU(), ["hyp"], ["ref"], by=["lang"])
        >>> table = pa.table({"hyp": ["a b", "c d"], "ref": ["a b", "c e"], "lang": ["de", "de"]})
        >>> sums = batches.partial(table)
        >>> sums.num_rows, batches.scores(sums)["de"].matches
        (1, [3, 1, 0, 0])
    """

    def __init__(
        self,
        metric: Any,
        hyps: Sequence[str],
        refs: str | Sequence[str],
        by: str | Sequence[str] | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self.metric = copy(metric)
        self.metric.threads = threads
        self.hyps, self.refs, self.by = list(hyps), _names(refs), _names(by)

    @property
    def columns(self) -> list[str]:
        """The columns to read, each once."""
        return list(dict.fromkeys([*self.hyps, *self.refs, *self.by]))

    @property
    def sum_columns(self) -> list[str]:
        """The columns of `partial` and `rows` that add."""
        integers = len(self.hyps) * len(self.metric.accumulator().state)
        return [f"{_PREFIX}{i}" for i in range(integers)]

    def check(self, columns: Sequence[str]) -> None:
        """Raise InputError if the data lack a column to read."""
        for name in self.columns:
            if name not in columns:
                raise InputError(f"there is no column {name!r}; there are {', '.join(columns)}")

    def check_new(self, columns: Sequence[str], column: str, *, stats: bool) -> None:
        """Raise InputError if the data already have one of `score_columns`."""
        for name in self.score_columns(column, stats=stats):
            if name in columns:
                raise InputError(f"there is a column {name!r} already; set column= to another name")

    def partial(self, table: Any) -> Any:
        """A row of sums for each group of a batch, in the order of their first segments.

        Args:
            table: a table of PyArrow.

        Raises:
            InputError: a column is missing, has another type, or lacks a text.
        """
        if self.by:
            return self._grouped(self.rows(table))

        def total(hyps: Any, refs: Any, _: Any) -> Any:
            accumulator = self.metric.accumulator()
            accumulator.update(hyps, refs)
            return accumulator.state

        return self._table(table, np.concatenate(self._each(table, total))[None][: table.num_rows])

    def no_sums(self) -> Any:
        """The result of `partial` without any rows."""
        import pyarrow as pa

        return pa.table({name: pa.array([], pa.int64()) for name in [*self.by, *self.sum_columns]})

    def rows(self, table: Any) -> Any:
        """The same with a row for each segment."""
        return self._table(table, np.hstack(self._each(table, partial(states, self.metric))))

    def _each(self, table: Any, count: Callable[[Any, Any, Any], Any]) -> list[Any]:
        """`count` of the hypotheses of each system, the references, and their numbers.

        Text is not copied, unless it is in a dictionary, or the references are in several columns.
        """
        self.check(table.column_names)
        columns = {name: _unchunked(table[name]) for name in (*self.hyps, *self.refs)}
        refs = _joined({name: columns[name] for name in self.refs})
        results = []
        for name in self.hyps:
            hyps = columns[name]
            has_lists = _depth(refs.type) > _depth(hyps.type)
            with within(f"with hyps in column {name!r} and refs in {', '.join(map(repr, self.refs))}"):
                results.append(count(hyps, refs, reference_counts(refs) if has_lists else 1))
        return results

    def _table(self, table: Any, rows: NDArray[np.int64]) -> Any:
        import pyarrow as pa

        columns = {name: plain(table[name]) for name in self.by}
        sums = zip(self.sum_columns, rows.T, strict=True)
        columns |= {name: pa.array(values) for name, values in sums}
        return pa.table(columns)

    def _grouped(self, sums: Any) -> Any:
        grouped = sums.group_by(self.by, use_threads=False)
        grouped = grouped.aggregate([(name, "sum") for name in self.sum_columns])
        return self.renamed(grouped, "{}_sum")

    def renamed(self, sums: Any, pattern: str) -> Any:
        """Sums whose columns an engine has named by a pattern, with the names of `partial`."""
        columns = sums.select([*self.by, *map(pattern.format, self.sum_columns)])
        return columns.rename_columns([*self.by, *self.sum_columns])

    def scored(self, table: Any, column: str, *, stats: bool = False) -> Any:
        """The batch with a column of scores, and with `stats` one for each integer.

        Args:
            table: as for `partial`.
            column: the name of the new column.
            stats: whether to add the statistics.
        """
        import pyarrow as pa

        def count(hyps: Any, refs: Any, _: Any) -> list[Any]:
            counts = np.array(self.metric.stats(hyps, refs)).T if stats else ()
            return [self.metric.sentences(hyps, refs), *counts]

        (columns,) = self._each(table, count)
        for name, values in zip(self.score_columns(column, stats=stats), columns, strict=True):
            table = table.append_column(name, pa.array(values))
        return table

    def score_columns(self, column: str, *, stats: bool) -> list[str]:
        """Names of the columns that `scored` adds."""
        integers = self.metric.zero_stats().column_names() if stats else []
        return [column, *(f"{column}_{name}" for name in integers)]

    def scores(self, sums: Any) -> Any:
        """The score of all sums, or a dictionary with the score of each group.

        Args:
            sums: results of `partial`, the tables of any number of batches concatenated.

        Raises:
            InputError: there are no segments.
        """
        groups, scores, _ = self._totals(sums)
        if not self.by:
            return scores[0]
        columns = [groups[name].to_pylist() for name in self.by]
        keys = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
        return dict(zip(keys, scores, strict=True))

    def summary(self, sums: Any) -> Any:
        """The same as a table: the columns of groups, then `score`, `segments` and `signature`."""
        import pyarrow as pa

        groups, scores, totals = self._totals(sums)
        columns = {name: groups[name] for name in self.by}
        columns["score"] = pa.array([score.value for score in scores], pa.float64())
        columns["segments"] = pa.array([int(total[0]) for total in totals], pa.int64())
        columns["signature"] = pa.array([score.signature for score in scores], pa.string())
        return pa.table(columns)

    def _totals(self, sums: Any) -> tuple[Any, list[Any], NDArray[np.int64]]:
        """The groups, and the score and the state of each; without groups, one of each."""
        groups = self._grouped(sums) if self.by else sums
        (totals,) = self.states(groups)
        totals = totals if self.by else totals.sum(axis=0, keepdims=True)
        return groups, [accumulator_of(self.metric, total).compute() for total in totals], totals

    def states(self, sums: Any) -> list[NDArray[np.int64]]:
        """Rows of sums as states of accumulators: an array for each column of hypotheses.

        Raises:
            InputError: there are no rows.
        """
        if not sums.num_rows and not self.by:
            raise InputError("there are no rows; give at least one segment")
        columns = [sums[name].to_numpy() for name in self.sum_columns]
        return np.split(np.stack(columns, axis=1), len(self.hyps), axis=1)


def _names(columns: str | Sequence[str] | None) -> list[str]:
    """The names of one column, of several, or of none."""
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else list(columns)


def _unchunked(column: Any) -> Any:
    """A plain column, without chunks if it has only one, so that slices of it stay cheap."""
    column = plain(column)
    return column.chunk(0) if column.num_chunks == 1 else column


def _depth(kind: Any) -> int:
    """The number of nested lists of a type."""
    return 1 + _depth(kind.value_type) if hasattr(kind, "value_type") else 0


def _joined(columns: dict[str, Any]) -> Any:
    """Columns with one reference each as one column of lists; a single column as it is."""
    import pyarrow as pa

    if len(columns) == 1:
        return next(iter(columns.values()))
    for name, column in columns.items():
        if column.type not in (pa.string(), pa.large_string(), pa.null()):
            raise InputError(
                f"column {name!r} has the type {column.type}; of several columns of references, each must be strings"
            )
    # Several columns of a batch may exceed the 2 GB of 32-bit offsets.
    parts = [column.cast(pa.large_string()) for column in columns.values()]
    chunks = [chunk for part in parts for chunk in getattr(part, "chunks", [part])]
    return interleaved(chunks, len(parts))

# SPDX-License-Identifier: Apache-2.0
"""BLEU of a Ray data set, or of Parquet files, on all nodes of a cluster.

Ray repeats the task of a worker that fails; a batch has the same rows each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Unpack, overload

from truebleu.analysis.compare.comparison import Comparison
from truebleu.dialects.changes import ComparisonOptions, FrameOptions, MetricChanges, Table
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, needing
from truebleu.integrations import engine
from truebleu.integrations.batches import Batches
from truebleu.integrations.parquet import Tasks
from truebleu.metrics.names import choose_metric
from truebleu.metrics.score import MetricScore

#: The maximum number of rows of groups that are added here: Ray needs seconds to start adding.
_ROWS_ADDED_HERE = 1 << 20


@overload
def corpus(
    dataset: Any,
    hyp: str = ...,
    refs: str | Sequence[str] = ...,
    by: None = ...,
    *,
    batch_size: int | None = ...,
    **options: Unpack[FrameOptions],
) -> MetricScore: ...


@overload
def corpus(
    dataset: Any,
    hyp: str = ...,
    refs: str | Sequence[str] = ...,
    by: str | Sequence[str] = ...,
    *,
    batch_size: int | None = ...,
    **options: Unpack[FrameOptions],
) -> dict[Any, MetricScore]: ...


def corpus(
    dataset: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    by: str | Sequence[str] | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int | None = None,
    **changes: Unpack[MetricChanges],
) -> Any:
    """Score a data set, or Parquet files.

    Args:
        dataset: a `ray.data.Dataset`. Or paths, which is the fastest way to score files that every
            worker can open: a file, a folder, a pattern, or a list of these; also a file or folder
            of a store that PyArrow knows by its scheme, such as `s3://`.
        batch_size: rows of a batch (default: a block, or 65,536 rows of a file).
        hyp, refs, by, dialect, metric, changes: as for `truebleu.integrations.spark.corpus`, which
            has the same result and errors.

    Raises:
        MissingExtraError: Ray is not installed.
    """
    adapter = _Ray(dataset, batch_size)
    metric = choose_metric(metric, dialect, None, changes)
    return engine.score(adapter, Batches(metric, [hyp], refs, by))


def with_scores(
    dataset: Table,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    *,
    column: str = "bleu",
    stats: bool = False,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int | None = None,
    **changes: Unpack[MetricChanges],
) -> Table:
    """Add a column with the score of each segment, as `BLEU.sentences` computes it.

    Args:
        dataset: a `ray.data.Dataset`.
        batch_size: as for `corpus`.
        hyp, refs, column, stats, dialect, metric, changes: as for
            `truebleu.integrations.spark.with_scores`, which has the same errors.

    Raises:
        MissingExtraError: Ray is not installed.
    """
    _import_ray()
    if engine.is_path(dataset):
        raise InputError("with_scores needs a data set; read the files: ray.data.read_parquet(...)")
    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], refs)
    columns = dataset.columns(fetch_if_missing=False)
    if columns:
        batches.check(columns)
        batches.check_new(columns, column, stats=stats)
    options = {"column": column, "stats": stats}
    scored: Table = dataset.map_batches(
        batches.scored, batch_format="pyarrow", batch_size=batch_size, fn_kwargs=options
    )
    return scored


def compare(
    dataset: Any,
    a: str,
    b: str,
    refs: str | Sequence[str] = "ref",
    documents: str | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int | None = None,
    **options: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare two systems, named as their columns; see `truebleu.compare`.

    Workers count the texts; this process gets rows of integers, one for each segment (300 bytes for
    BLEU) or document, and resamples them.

    Args:
        dataset: as for `corpus`.
        batch_size: as for `corpus`.
        a, b, refs, documents, dialect, metric, options: as for
            `truebleu.integrations.spark.compare`, which has the same result and errors.

    Raises:
        MissingExtraError: Ray is not installed.
    """
    adapter = _Ray(dataset, batch_size)
    return engine.compare(adapter, a, b, refs, documents, dialect, metric, options)


class _Ray:
    """A data set, or the Parquet files of paths."""

    def __init__(self, dataset: Any, batch_size: int | None) -> None:
        self.ray = _import_ray()
        self.dataset = dataset
        self.batch_size = batch_size

    def sums(self, batches: Batches) -> Any:
        partial = self._mapped(batches, batches.partial)
        if not batches.by:
            return self._table(partial, batches)
        # Actors that add would take cores from the tasks that count, if these still ran.
        partial = partial.materialize()
        if partial.count() <= _ROWS_ADDED_HERE:
            return self._table(partial, batches)
        # Ray's default of 200 partitions takes seven seconds on two cores.
        groups = partial.groupby(batches.by, int(self.ray.cluster_resources().get("CPU", 1)))
        sums = self._table(groups.sum(batches.sum_columns), batches)
        return batches.renamed(sums, "sum({})")

    def rows(self, batches: Batches, count: Callable[..., Any]) -> Any:
        mapped = self._mapped(batches, count)
        options = mapped.context.execution_options  # shared with the data set of the user
        before, options.preserve_order = options.preserve_order, True
        try:
            return self._table(mapped, batches)
        finally:
            options.preserve_order = before

    def _mapped(self, batches: Batches, count: Callable[..., Any]) -> Any:
        """The data set that `count` makes of each batch; other columns are not read."""
        dataset, batch_size = self.dataset, self.batch_size
        if engine.is_path(dataset):
            if not self.ray.is_initialized():
                self.ray.init()
            tasks = Tasks(dataset, int(self.ray.cluster_resources().get("CPU", 1)), batch_size)
            batches.check(tasks.no_rows().column_names)

            def run(table: Any) -> Iterator[Any]:
                yield from tasks.counted(table["id"].to_pylist(), batches, count)

            # Ray makes a task of each block.
            numbers = self.ray.data.range(len(tasks), override_num_blocks=len(tasks))
            return numbers.map_batches(run, batch_format="pyarrow", batch_size=None)
        columns = dataset.columns(fetch_if_missing=False)
        if columns:
            batches.check(columns)
            dataset = dataset.select_columns(batches.columns)
        return dataset.map_batches(count, batch_format="pyarrow", batch_size=batch_size)

    def _table(self, dataset: Any, batches: Batches) -> Any:
        """All rows in one table of PyArrow."""
        import pyarrow as pa

        blocks = [block for block in self.ray.get(dataset.to_arrow_refs()) if block.num_rows]
        tables = blocks or [batches.no_sums()]
        return pa.concat_tables(tables, promote_options="permissive")


def _import_ray() -> Any:
    with needing("a data set of Ray", "ray"):
        import ray
        import ray.data
    return ray

# SPDX-License-Identifier: Apache-2.0
"""BLEU of a Spark data frame, or of Parquet files, on all executors of a cluster.

Spark repeats the task of an executor that fails; a batch has the same rows each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Unpack, overload

from truebleu.analysis.compare.comparison import Comparison
from truebleu.dialects.changes import ComparisonOptions, FrameOptions, MetricChanges, Table
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, needing, within
from truebleu.integrations import engine
from truebleu.integrations.batches import Batches
from truebleu.integrations.parquet import Tasks
from truebleu.metrics.names import choose_metric
from truebleu.metrics.score import MetricScore

#: The assumed number of cores of a cluster that does not report it.
_CORES = 64


@overload
def corpus(
    frame: Any, hyp: str = ..., refs: str | Sequence[str] = ..., by: None = ..., **options: Unpack[FrameOptions]
) -> MetricScore: ...


@overload
def corpus(
    frame: Any,
    hyp: str = ...,
    refs: str | Sequence[str] = ...,
    by: str | Sequence[str] = ...,
    **options: Unpack[FrameOptions],
) -> dict[Any, MetricScore]: ...


def corpus(
    frame: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    by: str | Sequence[str] | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **changes: Unpack[MetricChanges],
) -> Any:
    """Score a data frame, or Parquet files.

    Args:
        frame: a `pyspark.sql.DataFrame`. Or paths, which is the fastest way to score files that
            every executor can open: a file, a folder, a pattern, or a list of these; also a file or
            folder of a store that PyArrow knows by its scheme, such as `s3://`.
        hyp: the column of hypotheses.
        refs: the column of references, of strings or lists of strings, or several columns.
        by: a column, or several, whose values form groups.
        dialect: as for `BLEU`.
        metric: a name, such as `"chrf"`, or a metric, instead of a dialect.
        changes: as for `BLEU`.

    Returns:
        The score, equal to that of `BLEU.corpus`. With `by`, a dictionary with the score of each
        group; with several columns, its keys are tuples.

    Raises:
        InputError: a column is missing or has another type, a hypothesis is null, a segment has no
            reference, or there are no rows; or a file is missing or broken.
        MissingExtraError: PySpark is not installed.
    """
    adapter = _Spark(frame)
    metric = choose_metric(metric, dialect, None, changes)
    return engine.score(adapter, Batches(metric, [hyp], refs, by))


def with_scores(
    frame: Table,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    *,
    column: str = "bleu",
    stats: bool = False,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **changes: Unpack[MetricChanges],
) -> Table:
    """Add a column with the score of each segment, as `BLEU.sentences` computes it.

    Args:
        frame: a `pyspark.sql.DataFrame`.
        hyp: as for `corpus`.
        refs: as for `corpus`.
        column: the name of the new column.
        stats: whether to add the statistics, in columns such as `bleu_hyp_len`.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        changes: as for `BLEU`.

    Raises:
        InputError: a column is missing, or the new one exists. Spark raises errors in rows when it
            reads them.
        MissingExtraError: PySpark is not installed.
    """
    if engine.is_path(frame):
        raise InputError("with_scores needs a data frame; read the files: spark.read.parquet(...)")
    types = _import_types()
    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], refs)
    batches.check(frame.columns)
    batches.check_new(frame.columns, column, stats=stats)
    first, *integers = batches.score_columns(column, stats=stats)
    fields = [*frame.schema.fields, types.StructField(first, types.DoubleType())]
    fields += [types.StructField(name, types.LongType()) for name in integers]
    score = partial(batches.scored, column=column, stats=stats)
    scored: Table = frame.mapInArrow(_of_partition(score), types.StructType(fields))
    return scored


def compare(
    frame: Any,
    a: str,
    b: str,
    refs: str | Sequence[str] = "ref",
    documents: str | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **options: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare two systems, named as their columns; see `truebleu.compare`.

    Executors count the texts; this process gets rows of integers, one for each segment (250 bytes
    for BLEU), or for each document of a batch, and resamples them.

    Args:
        frame: as for `corpus`.
        a: a column of hypotheses.
        b: another one.
        refs: as for `corpus`.
        documents: a column of labels; segments with equal labels are drawn together.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        options: `test`, `resamples`, `seed`, `alpha`, `threads` and `progress` of
            `truebleu.compare`; others are changes as for `BLEU`.

    Returns:
        The result of `truebleu.compare` for the same texts in the same order.

    Raises:
        InputError: as for `corpus` and for `truebleu.compare`.
        OptionError: an option does not exist or cannot have this value.
        MissingExtraError: PySpark is not installed.
    """
    return engine.compare(_Spark(frame), a, b, refs, documents, dialect, metric, options)


class _Spark:
    """A data frame, or the Parquet files of paths."""

    def __init__(self, frame: Any) -> None:
        self.types = _import_types()
        self.frame = frame

    def sums(self, batches: Batches) -> Any:
        groups = self._mapped(batches, batches.partial).groupBy(*batches.by)
        sums = groups.agg(dict.fromkeys(batches.sum_columns, "sum")).toArrow()
        sums = batches.renamed(sums, "sum({})")
        return sums.slice(0, 0) if sums[-1].null_count else sums  # Spark's sum of no rows

    def rows(self, batches: Batches, count: Callable[..., Any]) -> Any:
        return self._mapped(batches, count).toArrow()

    def _mapped(self, batches: Batches, count: Callable[..., Any]) -> Any:
        """The data frame that `count` makes of each batch; other columns are not read."""
        if engine.is_path(self.frame):
            table, frame, run = self._of_files(batches, count)
        else:
            batches.check(self.frame.columns)
            table, run = self.frame, _of_partition(count)
            frame = table.select(*batches.columns)
        fields = [table.schema[name] for name in batches.by]
        long = self.types.LongType()
        fields += [self.types.StructField(name, long) for name in batches.sum_columns]
        return frame.mapInArrow(run, self.types.StructType(fields))

    def _of_files(self, batches: Batches, count: Callable[..., Any]) -> tuple[Any, Any, Any]:
        """A data frame with the columns of files, one of numbers of tasks, and a function of it."""
        from pyspark.sql import SparkSession

        session = SparkSession.builder.getOrCreate()
        context = getattr(session, "sparkContext", None)  # Spark Connect has none
        tasks = Tasks(self.frame, context.defaultParallelism if context else _CORES)
        no_rows = tasks.no_rows()
        batches.check(no_rows.column_names)

        def run(numbers: Iterator[Any]) -> Iterator[Any]:
            for batch in numbers:
                for table in tasks.counted(batch["id"].to_pylist(), batches, count):
                    yield from table.to_batches()

        table = session.createDataFrame(no_rows.select(batches.columns))
        return table, session.range(0, len(tasks), 1, len(tasks)), run


def _of_partition(count: Callable[..., Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """`count`, a function of a table, for all batches of a partition."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        where = f"partition {context.partitionId()}" if context else "a partition"
        start = 1
        for batch in batches:
            with within(f"{where}, from row {start} on"):
                yield from count(pa.Table.from_batches([batch])).to_batches()
            start += batch.num_rows

    return run


def _import_types() -> Any:
    with needing("a data frame of Spark", "spark"):
        import pyarrow as pa  # noqa: F401
        from pyspark.sql import types
    return types

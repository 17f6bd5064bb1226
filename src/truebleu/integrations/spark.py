# SPDX-License-Identifier: Apache-2.0
"""BLEU of a data frame of Spark, wherever its partitions lie, and of Parquet files.

An executor that dies is Spark's to mind: it runs the task again, and a batch has the same rows
whenever it is counted.
"""

from __future__ import annotations

from truebleu.errors import InputError, MissingExtraError
from truebleu.integrations.distributed.batches import Batches, names
from truebleu.integrations.distributed.comparing import compared, to_compare
from truebleu.integrations.distributed.failures import mistakes_raised
from truebleu.integrations.distributed.file_tasks import Tasks, are_paths
from truebleu.metrics.bleu import choose_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison
    from truebleu.dialects.decisions import Dialect


#: How many cores a cluster has that does not tell.
_CORES = 64


def corpus(
    frame: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    by: str | Sequence[str] | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **changes: Any,
) -> Any:
    """Score a data frame, or Parquet files.

    Args:
        frame: a `pyspark.sql.DataFrame`. Or paths, which is the fastest way to score files that
            each executor can open: a file, a folder, a pattern, or a list of such; also a file or a
            folder of a store that PyArrow knows by its scheme, such as `s3://`.
        hyp: the column of hypotheses.
        refs: the column of references, of strings or lists of strings, or several columns.
        by: a column, or several, whose values say to which group a segment belongs.
        dialect: as for `BLEU`.
        metric: a `BLEU`, `CHRF` or `TER`, in place of a dialect.
        changes: as for `BLEU`.

    Returns:
        The score, the same as of `BLEU.corpus`. With `by`, a dictionary with the score of each
        group; of several columns, its keys are tuples.

    Raises:
        InputError: a column does not exist or is of another type, a hypothesis is null, a segment
            has no reference, or there are no rows; or a file is missing or broken.
        MissingExtraError: PySpark is not installed.
    """
    _check_spark()
    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], names(refs), names(by))
    with mistakes_raised():
        partial = _mapped(frame, batches, batches.partial)
        sums = dict.fromkeys(batches.sum_columns, "sum")
        added = partial.groupBy(*batches.by).agg(sums).toArrow()
        added = added.select([*batches.by, *(f"sum({name})" for name in sums)])
        if added[-1].null_count:  # Spark's sum of no rows
            added = added.slice(0, 0)
        return batches.scores(added.rename_columns([*batches.by, *sums]))


def with_scores(
    frame: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    *,
    column: str = "bleu",
    stats: bool = False,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **changes: Any,
) -> Any:
    """A data frame with the score of each segment, as of `BLEU.sentences`, in one more column.

    Args:
        frame: a `pyspark.sql.DataFrame`.
        hyp: as for `corpus`.
        refs: as for `corpus`.
        column: what the new column is called.
        stats: whether to add statistics, too: a column for each integer, `bleu_hyp_len` and so on.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        changes: as for `BLEU`.

    Raises:
        InputError: a column does not exist, or the new one does. What is wrong in a row is only
            found when Spark comes to it.
        MissingExtraError: PySpark is not installed.
    """
    _check_spark()
    if are_paths(frame):
        raise InputError(
            "segments get their scores in a table; read the files: spark.read.parquet(...)"
        )
    from pyspark.sql.types import DoubleType, LongType, StructField, StructType

    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], names(refs))
    batches.check(frame.columns)
    batches.check_new(frame.columns, column, stats=stats)
    first, *counted = batches.score_columns(column, stats=stats)
    fields = [*frame.schema.fields, StructField(first, DoubleType())]
    fields += [StructField(name, LongType()) for name in counted]

    def score(table: Any, place: Any) -> Any:
        return batches.scored(table, column, stats=stats, place=place)

    return frame.mapInArrow(_in_batches(score), StructType(fields))


def compare(
    frame: Any,
    a: str,
    b: str,
    refs: str | Sequence[str] = "ref",
    documents: str | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **options: Any,
) -> Comparison:
    """Compare two systems, whose names are those of their columns; see `truebleu.compare`.

    The texts are counted where they lie; rows of integers come here, one to a segment (250 bytes of
    BLEU), or one to a document and batch, and are resampled here.

    Args:
        frame: as for `corpus`.
        a: a column of hypotheses.
        b: another one.
        refs: as for `corpus`.
        documents: a column of labels; what has the same label is drawn together.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        options: `test`, `resamples`, `seed`, `alpha`, `threads` and `progress` of
            `truebleu.compare`; others are changes as for `BLEU`.

    Returns:
        What `truebleu.compare` gives for the same texts in the same order.

    Raises:
        InputError: as for `corpus` and for `truebleu.compare`.
        OptionError: an option does not exist or cannot have this value.
        MissingExtraError: PySpark is not installed.
    """
    _check_spark()
    batches, resampling = to_compare(a, b, refs, documents, dialect, metric, options)
    count = batches.partial if documents else batches.rows
    with mistakes_raised():
        return compared(batches, _mapped(frame, batches, count).toArrow(), resampling)


def _check_spark() -> None:
    try:
        import pyarrow as pa  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingExtraError.of("a data frame of Spark", "spark") from None


def _mapped(frame: Any, batches: Batches, count: Callable[..., Any]) -> Any:
    """The data frame of what `count` makes of each batch, which other columns do not reach."""
    from pyspark.sql.types import LongType, StructField, StructType

    if are_paths(frame):
        known, read, run = _of_files(frame, batches, count)
    else:
        batches.check(frame.columns)
        known, read, run = frame, frame.select(*batches.columns), _in_batches(count)
    fields = [known.schema[name] for name in batches.by]
    fields += [StructField(name, LongType()) for name in batches.sum_columns]
    return read.mapInArrow(run, StructType(fields))


def _of_files(paths: Any, batches: Batches, count: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """A data frame with the columns of files, one of numbers of tasks, and what runs the tasks."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    context = getattr(session, "sparkContext", None)  # of Spark Connect there is none
    tasks = Tasks(paths, context.defaultParallelism if context else _CORES)
    no_rows = tasks.no_rows()
    batches.check(no_rows.column_names)

    def run(numbers: Iterator[Any]) -> Iterator[Any]:
        for batch in numbers:
            for table in tasks.counted(batch["id"].to_pylist(), batches, count):
                yield from table.to_batches()

    known = session.createDataFrame(no_rows.select(batches.columns))
    return known, session.range(0, len(tasks), 1, len(tasks)), run


def _in_batches(count: Callable[..., Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """`count`, a function of a table and its place, for all batches of a partition."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        where = f"partition {context.partitionId()}" if context else "a partition"
        start = 0
        for batch in batches:
            yield from count(pa.Table.from_batches([batch]), place=(start, where)).to_batches()
            start += batch.num_rows

    return run

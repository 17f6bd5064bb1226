# SPDX-License-Identifier: Apache-2.0
"""BLEU of a data set of Ray, wherever its blocks lie, and of Parquet files.

A worker that dies is Ray's to mind: it runs the task again, and a batch has the same rows whenever
it is counted.
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
    from types import ModuleType
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison
    from truebleu.dialects.decisions import Dialect


#: The most rows of groups that are added here: Ray takes seconds to start what adds.
_HERE = 1 << 20


def corpus(
    dataset: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    by: str | Sequence[str] | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int | None = None,
    **changes: Any,
) -> Any:
    """Score a data set, or Parquet files.

    Args:
        dataset: a `ray.data.Dataset`. Or paths, which is the fastest way to score files that each
            worker can open: a file, a folder, a pattern, or a list of such; also a file or a folder
            of a store that PyArrow knows by its scheme, such as `s3://`.
        hyp: the column of hypotheses.
        refs: the column of references, of strings or lists of strings, or several columns.
        by: a column, or several, whose values say to which group a segment belongs.
        dialect: as for `BLEU`.
        metric: a `BLEU`, `CHRF` or `TER`, in place of a dialect.
        batch_size: rows to a batch; without, a batch is a block, or 65,536 rows of a file.
        changes: as for `BLEU`.

    Returns:
        The score, the same as of `BLEU.corpus`. With `by`, a dictionary with the score of each
        group; of several columns, its keys are tuples.

    Raises:
        InputError: a column does not exist or is of another type, a hypothesis is null, a segment
            has no reference, or there are no rows; or a file is missing or broken.
        MissingExtraError: Ray is not installed.
    """
    _ray()
    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], names(refs), names(by))
    with mistakes_raised():
        partial = _mapped(dataset, batches, batches.partial, batch_size)
        sums = _added(partial, batches) if by else _table(partial)
        return batches.scores(batches.no_sums() if sums is None else sums)


def with_scores(
    dataset: Any,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    *,
    column: str = "bleu",
    stats: bool = False,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int | None = None,
    **changes: Any,
) -> Any:
    """A data set with the score of each segment, as of `BLEU.sentences`, in one more column.

    Args:
        dataset: a `ray.data.Dataset`.
        hyp: as for `corpus`.
        refs: as for `corpus`.
        column: what the new column is called.
        stats: whether to add statistics, too: a column for each integer, `bleu_hyp_len` and so on.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        batch_size: as for `corpus`.
        changes: as for `BLEU`.

    Raises:
        InputError: a column does not exist, or the new one does. What is wrong in a row is only
            found when Ray comes to it.
        MissingExtraError: Ray is not installed.
    """
    _ray()
    if are_paths(dataset):
        raise InputError(
            "segments get their scores in a table; read the files: ray.data.read_parquet(...)"
        )
    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], names(refs))
    known = dataset.columns(fetch_if_missing=False)
    if known:
        batches.check(known)
        batches.check_new(known, column, stats=stats)
    how = {"column": column, "stats": stats}
    return dataset.map_batches(
        batches.scored, batch_format="pyarrow", batch_size=batch_size, fn_kwargs=how
    )


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
    **options: Any,
) -> Comparison:
    """Compare two systems, whose names are those of their columns; see `truebleu.compare`.

    The texts are counted where they lie; rows of integers come here, one to a segment (300 bytes of
    BLEU), or one to a document, and are resampled here.

    Args:
        dataset: as for `corpus`.
        a: a column of hypotheses.
        b: another one.
        refs: as for `corpus`.
        documents: a column of labels; what has the same label is drawn together.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        batch_size: as for `corpus`.
        options: `test`, `resamples`, `seed`, `alpha`, `threads` and `progress` of
            `truebleu.compare`; others are changes as for `BLEU`.

    Returns:
        What `truebleu.compare` gives for the same texts in the same order.

    Raises:
        InputError: as for `corpus` and for `truebleu.compare`.
        OptionError: an option does not exist or cannot have this value.
        MissingExtraError: Ray is not installed.
    """
    _ray()
    batches, resampling = to_compare(a, b, refs, documents, dialect, metric, options)
    count = batches.partial if documents else batches.rows
    with mistakes_raised():
        counted = _mapped(dataset, batches, count, batch_size)
        how = counted.context.execution_options  # shared with `dataset`
        before, how.preserve_order = how.preserve_order, True
        try:
            sums = _table(counted)
        finally:
            how.preserve_order = before
        return compared(batches, batches.no_sums() if sums is None else sums, resampling)


def _ray() -> ModuleType:
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtraError.of("a data set of Ray", "ray") from None
    module: ModuleType = ray
    return module


def _mapped(
    dataset: Any, batches: Batches, count: Callable[..., Any], batch_size: int | None
) -> Any:
    """The data set of what `count` makes of each batch, which other columns do not reach."""
    if are_paths(dataset):
        return _of_files(dataset, batches, count, batch_size)
    known = dataset.columns(fetch_if_missing=False)
    if known:
        batches.check(known)
        dataset = dataset.select_columns(batches.columns)
    return dataset.map_batches(count, batch_format="pyarrow", batch_size=batch_size)


def _of_files(
    paths: Any, batches: Batches, count: Callable[..., Any], batch_size: int | None
) -> Any:
    """As `_mapped`, of tables that tasks read by themselves."""
    ray = _ray()

    if not ray.is_initialized():
        ray.init()
    tasks = Tasks(paths, int(ray.cluster_resources().get("CPU", 1)), batch_size)
    batches.check(tasks.no_rows().column_names)

    def run(table: Any) -> Iterator[Any]:
        yield from tasks.counted(table["id"].to_pylist(), batches, count)

    # Ray makes a task of each block that it reads.
    numbers = ray.data.range(len(tasks), override_num_blocks=len(tasks))
    return numbers.map_batches(run, batch_format="pyarrow", batch_size=None)


def _added(partial: Any, batches: Batches) -> Any:
    """The sums of groups, which Ray has added if they are many; None if there are none."""
    ray = _ray()

    # The actors that add would keep cores from the tasks that count, if these were not done.
    partial = partial.materialize()
    if partial.count() <= _HERE:
        return _table(partial)
    # Ray would make 200 partitions, which takes seven seconds on two cores.
    partitions = int(ray.cluster_resources().get("CPU", 1))
    names = batches.sum_columns
    added = _table(partial.groupby(batches.by, partitions).sum(names))
    added = added.select([*batches.by, *(f"sum({name})" for name in names)])
    return added.rename_columns([*batches.by, *names])


def _table(dataset: Any) -> Any:
    """All rows in one table of PyArrow; None if there are none."""
    import pyarrow as pa
    import ray

    blocks = [block for block in ray.get(dataset.to_arrow_refs()) if block.num_rows]
    return pa.concat_tables(blocks, promote_options="permissive") if blocks else None

# SPDX-License-Identifier: Apache-2.0
"""BLEU of a relation of DuckDB, as a relation.

DuckDB passes rows as Arrow batches, so that a relation may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Unpack

from truebleu.dialects.changes import MetricChanges, Table
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, needing, within
from truebleu.integrations.batches import Batches
from truebleu.metrics.names import choose_metric

_numbers = count()


def corpus(
    relation: Table,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    by: str | Sequence[str] | None = None,
    *,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    batch_size: int = 100_000,  # enough for several threads, and about ten MB of text
    **changes: Unpack[MetricChanges],
) -> Table:
    """Score a relation.

    Args:
        relation: a `duckdb.DuckDBPyRelation`.
        hyp: the column of hypotheses.
        refs: the column of references, of strings or lists of strings, or several columns.
        by: a column, or several, whose values form groups.
        dialect: as for `BLEU`.
        metric: a name, such as `"chrf"`, or a metric, instead of a dialect.
        batch_size: rows of a batch.
        changes: as for `BLEU`.

    Returns:
        A relation with the columns of `by`, then `score`, `segments` and `signature`; without `by`,
        it has one row.

    Raises:
        InputError: a column is missing or has another type, a hypothesis is null, a segment has no
            reference, or there are no rows.
        MissingExtraError: DuckDB or PyArrow is not installed.

    Example:
        >>> import duckdb
        >>> from truebleu.integrations.duckdb import corpus
        >>> relation = duckdb.sql("SELECT 'a b c d e' AS hyp, 'a b c d f' AS ref")
        >>> corpus(relation).project("score, segments").fetchall()
        [(66.87403049764218, 1)]
    """
    _duckdb()
    import pyarrow as pa

    metric = choose_metric(metric, dialect, None, changes)
    batches = Batches(metric, [hyp], refs, by, threads=metric.threads)
    batches.check(relation.columns)
    read = relation.project(", ".join(map(_quoted, batches.columns)))
    renamed = hasattr(read, "to_arrow_reader")  # in DuckDB 2
    reader = (read.to_arrow_reader if renamed else read.fetch_record_batch)(batch_size)
    sums = [batches.partial(reader.schema.empty_table())]
    start = 1
    for batch in reader:
        with within(f"the relation, from row {start} on"):
            sums.append(batches.partial(pa.Table.from_batches([batch])))
        start += batch.num_rows
    summary = batches.summary(pa.concat_tables(sums))  # noqa: F841  (DuckDB reads the variable)
    scores: Table = relation.query("relation", "SELECT * FROM summary")
    return scores


def with_scores(
    relation: Table,
    hyp: str = "hyp",
    refs: str | Sequence[str] = "ref",
    *,
    column: str = "bleu",
    connection: Any = None,
    dialect: str | Dialect = "sacrebleu",
    metric: Any = None,
    **changes: Unpack[MetricChanges],
) -> Table:
    """Add a column with the score of each segment, as `BLEU.sentences` computes it.

    The scores are computed when the relation is read.

    Args:
        relation: as for `corpus`.
        hyp: as for `corpus`.
        refs: as for `corpus`.
        column: the name of the new column.
        connection: the connection of the relation, unless it is that of `duckdb.sql`. It gets a
            function with a unique name.
        dialect: as for `BLEU`.
        metric: as for `corpus`.
        changes: as for `BLEU`.

    Raises:
        InputError: a column is missing, or the new one exists; or the relation has another
            connection. DuckDB raises errors in rows when it reads them.
        MissingExtraError: DuckDB or PyArrow is not installed.
    """
    duckdb = _duckdb()
    import pyarrow as pa

    batches = Batches(choose_metric(metric, dialect, None, changes), [hyp], refs)
    batches.check(relation.columns)
    batches.check_new(relation.columns, column, stats=False)

    def score(rows):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202  (DuckDB evaluates types)
        table = pa.Table.from_struct_array(rows)
        return batches.scored(table, column, stats=False)[column]

    function = f"truebleu_{next(_numbers)}"
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    row = duckdb.struct_type({name: kinds[name] for name in batches.columns})
    (connection or duckdb).create_function(function, score, [row], "DOUBLE", type="arrow", null_handling="special")
    fields = ", ".join(f"{_quoted(name)} := {_quoted(name)}" for name in batches.columns)
    try:
        scored: Table = relation.project(f"*, {function}(struct_pack({fields})) AS {_quoted(column)}")
    except duckdb.CatalogException:
        raise InputError("the relation has another connection; set connection= to that one") from None
    return scored


def _duckdb() -> Any:
    with needing("a relation of DuckDB", "duckdb"):
        import duckdb
        import pyarrow as pa  # noqa: F401
    return duckdb


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

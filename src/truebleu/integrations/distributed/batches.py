# SPDX-License-Identifier: Apache-2.0
"""Arrow batch in, Arrow batch out: what runs on the workers of an engine, wherever they are."""

from __future__ import annotations

from copy import copy

from truebleu.errors import InputError
from truebleu.integrations.distributed.segments import Segments
from truebleu.metrics.accumulation import accumulator_of, states

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.integrations.distributed.segments import Place

#: What names of columns begin with that hold sums, so that they meet no column of the user's.
_PREFIX = "_truebleu_"

#: How large the largest integer of a row is, in units of 2^31 and rounded up. Engines add 64-bit
#: integers and let them wrap around, but the sum of these tells.
_SIZE = f"{_PREFIX}size"

#: Where the rows of a batch come from if an engine does not say.
_BATCH: Place = (0, "a batch")


class Batches:
    """What is done to each batch: read its columns, count, and add up by group.

    It pickles to a few hundred bytes, and uses one thread where it runs, because engines have as
    many tasks as cores.

    Args:
        metric: a `BLEU`, `CHRF` or `TER`.
        hyps: columns of hypotheses; two are systems to compare.
        refs: the column of references, of strings or of lists of strings, or several columns of
            strings.
        by: columns whose values say to which group a segment belongs.
        threads: the most threads that a batch uses.

    Example:
        >>> import pyarrow as pa
        >>> from truebleu import BLEU
        >>> from truebleu.integrations.distributed.batches import Batches
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
        refs: Sequence[str],
        by: Sequence[str] = (),
        *,
        threads: int = 1,
    ) -> None:
        self.metric = copy(metric)
        self.metric.threads = threads
        self.segments = [Segments(hyp, refs) for hyp in hyps]
        self.by = list(by)

    def __reduce__(self) -> tuple[Any, ...]:
        hyps = [one.hyp for one in self.segments]
        return Batches, (self.metric, hyps, self.segments[0].refs, self.by)

    @property
    def columns(self) -> list[str]:
        """The columns that are read, each once."""
        names = [name for one in self.segments for name in (one.hyp, *one.refs)]
        return list(dict.fromkeys([*names, *self.by]))

    @property
    def sum_columns(self) -> list[str]:
        """The columns of `partial` and `rows` that add."""
        integers = len(self.segments) * len(self.metric.accumulator().state)
        return [*(f"{_PREFIX}{i}" for i in range(integers)), _SIZE]

    def check(self, columns: Sequence[str]) -> None:
        """Raise InputError if a column that is read is not among those of the data."""
        for name in self.columns:
            if name not in columns:
                raise InputError(f"there is no column {name!r}; there are {', '.join(columns)}")

    def check_new(self, known: Sequence[str], column: str, *, stats: bool) -> None:
        """Raise InputError if the data have one of `score_columns` already."""
        for name in self.score_columns(column, stats=stats):
            if name in known:
                raise InputError(f"there is a column {name!r} already; set column= to another name")

    def partial(self, table: Any, place: Place = _BATCH) -> Any:
        """A row of sums for each group of a batch, in the order in which groups come.

        Args:
            table: a table of PyArrow.
            place: the number of its first row, and of what, for errors.

        Raises:
            InputError: a column does not exist, is of another type, or has no text where it must.
        """
        import numpy as np

        if self.by:
            return self._sized(self._grouped(self._labeled(table, place), self.sum_columns[:-1]))
        self.check(table.column_names)
        read = [one.read(table, place) for one in self.segments]
        if not table.num_rows:
            return self._sized(self._table(table, self._no_rows()))
        totals = []
        for hyps, refs, _ in read:
            accumulator = self.metric.accumulator()
            accumulator.update(hyps, refs)
            totals.append(accumulator.state)
        return self._sized(self._table(table, np.concatenate(totals)[None]))

    def no_sums(self) -> Any:
        """What `partial` gives of no rows at all."""
        import pyarrow as pa

        return pa.table({name: pa.array([], pa.int64()) for name in [*self.by, *self.sum_columns]})

    def rows(self, table: Any, place: Place = _BATCH) -> Any:
        """As `partial`, with a row for each segment."""
        return self._sized(self._labeled(table, place))

    def _labeled(self, table: Any, place: Place) -> Any:
        """The state of each segment, behind the columns that name its group."""
        import numpy as np

        self.check(table.column_names)
        read = [one.read(table, place) for one in self.segments]
        if not table.num_rows:
            return self._table(table, self._no_rows())
        return self._table(table, np.hstack([states(self.metric, *each) for each in read]))

    def _no_rows(self) -> NDArray[np.int64]:
        import numpy as np

        return np.zeros((0, len(self.sum_columns) - 1), dtype=np.int64)

    def _table(self, table: Any, rows: NDArray[np.int64]) -> Any:
        import pyarrow as pa

        columns = {name: decoded(table[name]) for name in self.by}
        names = self.sum_columns[:-1]
        columns |= {name: pa.array(each) for name, each in zip(names, rows.T, strict=True)}
        return pa.table(columns)

    def _sized(self, sums: Any) -> Any:
        import numpy as np
        import pyarrow as pa

        rows = np.stack([sums[name].to_numpy() for name in self.sum_columns[:-1]])
        return sums.append_column(_SIZE, pa.array((rows.max(axis=0) >> 31) + 1))

    def _grouped(self, sums: Any, names: Sequence[str]) -> Any:
        grouped = sums.group_by(self.by, use_threads=False)
        grouped = grouped.aggregate([(name, "sum") for name in names])
        found = {name: grouped[name] for name in self.by}
        found |= {name: grouped[f"{name}_sum"] for name in names}
        return type(sums).from_pydict(found)

    def scored(self, table: Any, column: str, *, stats: bool = False, place: Place = _BATCH) -> Any:
        """The batch with a column of scores, and on request one for each integer counted.

        Args:
            table: as for `partial`.
            column: what the new column is called.
            stats: whether statistics are added, too.
            place: as for `partial`.
        """
        import numpy as np
        import pyarrow as pa

        self.check(table.column_names)
        (one,) = self.segments
        hyps, refs, _ = one.read(table, place)
        names = self.score_columns(column, stats=stats)
        scores, counts = np.zeros(0), np.zeros((0, len(names) - 1), np.int64)
        if table.num_rows:
            scores = self.metric.sentences(hyps, refs)
            if stats:
                counts = self.metric.stats(hyps, refs).__array__()
        for name, values in zip(names, (scores, *counts.T), strict=True):
            table = table.append_column(name, pa.array(values))
        return table

    def score_columns(self, column: str, *, stats: bool) -> list[str]:
        """Names of the columns that `scored` adds."""
        counted = self.metric.zero_stats().column_names() if stats else []
        return [column, *(f"{column}_{name}" for name in counted)]

    def scores(self, sums: Any) -> Any:
        """The score of all sums of batches, or of each group, in a dictionary.

        Args:
            sums: what `partial` gave, the tables of any number of batches one behind the other.

        Raises:
            InputError: there are no segments, or the sums need more than 64 bits.
        """
        groups, states = self._totals(sums)
        scores = map(self.score, states)
        if not self.by:
            return next(scores)
        columns = [groups[name].to_pylist() for name in self.by]
        keys = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
        return dict(zip(keys, scores, strict=True))

    def summary(self, sums: Any) -> Any:
        """The same as a table: the columns of groups, then `score`, `segments` and `signature`."""
        import pyarrow as pa

        groups, states = self._totals(sums)
        scores = [self.score(state) for state in states]
        columns = {name: groups[name] for name in self.by}
        columns["score"] = pa.array([score.value for score in scores], pa.float64())
        columns["segments"] = pa.array([int(state[0]) for state in states], pa.int64())
        columns["signature"] = pa.array([score.signature for score in scores], pa.string())
        return pa.table(columns)

    def _totals(self, sums: Any) -> tuple[Any, NDArray[np.int64]]:
        """The groups, and the state of each; without groups, one state."""
        if not self.by:
            (states,) = self.states(sums)
            return None, states.sum(axis=0, keepdims=True)
        groups = self._grouped(sums, self.sum_columns)
        (states,) = self.states(groups)
        return groups, states

    def states(self, sums: Any) -> list[NDArray[np.int64]]:
        """Rows of sums as states of accumulators: an array for each column of hypotheses.

        Raises:
            InputError: there are no rows, or the sums need more than 64 bits.
        """
        import numpy as np

        *columns, sizes = (sums[name].to_numpy() for name in self.sum_columns)
        if not len(sizes) and not self.by:
            raise InputError("there are no rows; give one segment at least")
        if (sizes.max(initial=0) if self.by else sizes.sum()) >= 1 << 32:
            raise InputError("the sums need more than 64 bits; score the data in parts")
        return np.split(np.stack(columns, axis=1), len(self.segments), axis=1)

    def score(self, state: NDArray[np.int64]) -> Any:
        """The score of a state."""
        return accumulator_of(self.metric, state).compute()


def decoded(column: Any) -> Any:
    """A column without a dictionary, because those of two batches may differ."""
    from pyarrow import types

    return column.cast(column.type.value_type) if types.is_dictionary(column.type) else column


def names(given: str | Sequence[str] | None) -> list[str]:
    """Names of columns, given as one or several, or as none."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)

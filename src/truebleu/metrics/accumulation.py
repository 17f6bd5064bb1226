# SPDX-License-Identifier: Apache-2.0
"""Sums: a corpus that comes in batches or is spread over processes, and groups of rows.

This is the one place where the package adds the statistics of groups of segments.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from truebleu.dialects.changes import MetricOf, ScoreOfMetric, StatsOfMetric
from truebleu.errors import InputError, OptionError, describe, quantity
from truebleu.inputs.corpus import Marks, reading
from truebleu.inputs.ids import view

#: The counts that a state begins with, before the row of statistics. All of them add.
#: Segments; those that the caller tokenized; those of batches with unequal numbers of references;
#: the sum of the numbers of references of all other segments, and the sum of their squares.
HEAD = ("segments", "tokenized", "unequal", "refs", "refs_squared")


class Accumulator(Generic[StatsOfMetric, ScoreOfMetric]):
    """A corpus that comes in batches: stores a few integers, for any number of segments.

    Its state is a vector of int64 that adds: the sum of the states of several processes is the
    state of one process that had all segments. Threads may update one at the same time.

    Attributes:
        metric: a metric, such as `BLEU()`.

    Example:
        >>> from truebleu import BLEU
        >>> acc = BLEU().accumulator()
        >>> acc.update(["a b c d"], ["a b c d"])
        >>> acc.update(["e f g h"], ["e f g i"])
        >>> print(acc.compute())
        BLEU = 72.31 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
    """

    __slots__ = ("_state", "metric")

    def __init__(self, metric: MetricOf[StatsOfMetric, ScoreOfMetric]) -> None:
        if not hasattr(metric, "zero_stats"):
            raise OptionError(f"metric cannot be {describe(metric)}; give a metric, such as BLEU()")
        self.metric = metric
        self.reset()

    def __reduce__(self) -> tuple[Any, ...]:
        return accumulator_of, (self.metric, self._state)

    def __repr__(self) -> str:
        size = quantity(self.segments, "segment")
        return f"<Accumulator of {self.metric.name}|{self.metric.signature}: {size}>"

    def __add__(self, other: Accumulator[StatsOfMetric, ScoreOfMetric]) -> Accumulator[StatsOfMetric, ScoreOfMetric]:
        """A new accumulator with the segments of both."""
        if not isinstance(other, Accumulator):
            return NotImplemented
        both = accumulator_of(self.metric, self._state)
        both.merge(other)
        return both

    def __radd__(self, other: object) -> Accumulator[StatsOfMetric, ScoreOfMetric]:
        return self if other == 0 else NotImplemented  # the start of `sum`

    def reset(self) -> None:
        """Remove all segments."""
        self._state = [0] * (len(HEAD) + self.metric.zero_stats().width)

    @property
    def segments(self) -> int:
        """Number of segments so far."""
        return self._state[0]

    @property
    def stats(self) -> StatsOfMetric:
        """The sum of their statistics, as `metric.stats` counts them."""
        return self.metric.zero_stats().like_rows((self._state[len(HEAD) :],))

    @property
    def state(self) -> NDArray[np.int64]:
        """All that is stored, as a new vector of int64.

        To add up processes, sum their vectors and set the sum. Do not convert it to floating point:
        float32 is exact only up to 16,777,216.

        Raises:
            InputError: the value that is set is not such a vector.
        """
        return np.array(self._state, dtype=np.int64)

    @state.setter
    def state(self, values: Any) -> None:
        array = view("the counts of a state", values)
        if array.dtype.kind not in "iu" or array.shape != (len(self._state),):
            raise InputError(
                f"a state has {len(self._state)} integers, not {array.dtype} of shape "
                f"{array.shape}; set the state of another accumulator of the metric, or a sum of "
                "states"
            )
        if array[: len(HEAD)].min() < 0:  # a row may have less than no n-grams
            raise InputError("a state holds counts, which cannot be negative")
        self._state = [int(value) for value in array.tolist()]

    def state_dict(self) -> dict[str, Any]:
        """The state with its signature, ready for `torch.save`, pickle or JSON."""
        return {"signature": self.metric.signature, "state": list(self._state)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Set the state that `state_dict` returned.

        Raises:
            InputError: it is of another dialect, or not a state.
        """
        line = state_dict.get("signature") if isinstance(state_dict, dict) else None
        if not isinstance(line, str) or line != self.metric.signature:
            raise InputError(f"not a state of {self.metric.signature}, but of {describe(line)}")
        self.state = state_dict.get("state")

    def update(self, hyps: Any, refs: Any, *, pad_id: Marks = None, eos_id: Marks = None, group: int = 1) -> None:
        """Add segments. The arguments are those of the metric's `corpus`.

        Raises:
            InputError: `corpus` would raise it.
        """
        options = reading(pad_id, eos_id, group)
        total, segments, (fewest, most), tokenized = self.metric._total(hyps, refs, options)
        equal = segments if fewest == most else 0
        head = (segments, segments * tokenized, segments - equal, equal * most, equal * most**2)
        self._add([*head, *total[0]])

    def merge(self, other: Accumulator[StatsOfMetric, ScoreOfMetric]) -> None:
        """Add the segments of another accumulator of the same metric and dialect.

        Raises:
            InputError: it is of another metric or dialect, or not an accumulator.
        """
        if not isinstance(other, Accumulator):
            raise InputError(f"{describe(other)} is not an accumulator and cannot be merged")
        mine, its = self.metric, other.metric
        if type(its) is not type(mine) or its.signature != mine.signature:
            raise InputError(f"accumulators of {mine.signature} and {its.signature} do not merge")
        self._add(other._state)

    def _add(self, state: list[int]) -> None:
        with _LOCK:
            self._state = [mine + its for mine, its in zip(self._state, state, strict=True)]

    def compute(self) -> ScoreOfMetric:
        """The score of all segments so far.

        Raises:
            InputError: there are none.
        """
        segments, tokenized, unequal, refs, squared = self._state[: len(HEAD)]
        if not segments:
            raise InputError("there are no segments to score; call update() with at least one")
        # All numbers of references are equal if and only if (Cauchy and Schwarz):
        same = not unequal and segments * squared == refs**2
        count = refs // segments if same else "var"
        return self.metric._score_of_sum(self.stats, count, tokenized=bool(tokenized))


#: Held while a state is replaced. Another thread may hold it when the process forks.
_LOCK = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)


def accumulator_of(
    metric: MetricOf[StatsOfMetric, ScoreOfMetric], state: Any
) -> Accumulator[StatsOfMetric, ScoreOfMetric]:
    """The accumulator of a metric with this state, such as a row of `states` or a sum of rows."""
    accumulator = metric.accumulator()
    accumulator.state = state
    return accumulator


def states(metric: Any, hyps: Any, refs: Any, counts: Any = None, *, stats: Any = None) -> NDArray[np.int64]:
    """The states of accumulators of each segment alone: a row for each, and rows add.

    Columns can be sliced; `counts` are numbers of references, and `stats` saves counting again.
    """
    rows = np.asarray(metric.stats(hyps, refs) if stats is None else stats)
    *_, tokenized = metric._total(hyps[:1], refs[:1])
    ones = np.ones(len(rows), dtype=np.int64)
    counts = ones if counts is None else ones * np.asarray(counts, dtype=np.int64)
    return np.column_stack([ones, ones * tokenized, 0 * ones, counts, counts**2, rows])


def group_places(
    labels: Iterable[Any], segments: int | None = None, name: str = ""
) -> tuple[list[Any], NDArray[np.intp]]:
    """Each label once, in the order of their first segments, and the place of each segment's label.

    Raises:
        InputError: there are not as many labels as `segments`; `name` is that of the argument.

    Example:
        >>> group_places("bab")
        (['b', 'a'], array([0, 1, 0]))
    """
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(label, len(numbers)) for label in labels]
    if segments not in (None, len(places)):
        counts = f"{quantity(len(places), 'label')} for {quantity(segments or 0, 'segment')}"
        raise InputError(f"{name and name + ' has '}{counts}; give one for each")
    return list(numbers), np.array(places, dtype=np.intp)


def group_sums(rows: Any, places: NDArray[np.integer[Any]], groups: int) -> NDArray[np.int64]:
    """The sum of the rows of each group, whose numbers `places` holds; zeros if it has no rows.

    Example:
        >>> import numpy as np
        >>> group_sums(np.array([[1, 2], [3, 4], [5, 6]]), np.array([1, 0, 1]), 2)
        array([[3, 4],
               [6, 8]])
    """
    rows = np.asarray(rows)
    order = np.argsort(places, kind="stable")
    lengths = np.bincount(places, minlength=groups)
    mask = lengths > 0
    sums = np.zeros((groups, rows.shape[1]), dtype=np.int64)
    if mask.any():
        starts = np.cumsum(lengths) - lengths
        sums[mask] = np.add.reduceat(rows[order], starts[mask], axis=0)
    return sums


def corpus_of_batches(metric: Any, values: Any) -> Any:
    """The score of all segments of batches that hold hypotheses and references."""
    if hasattr(values, "aligned"):  # a scan counts several batches at once
        return values.score(metric)
    accumulator = metric.accumulator()
    for hyps, refs in _pairs(values):
        accumulator.update(hyps, refs)
    return accumulator.compute()


def sentences_of_batches(metric: Any, values: Any) -> NDArray[np.float64]:
    """The score of each segment of such batches."""
    return np.concatenate([np.empty(0), *(metric.sentences(hyps, refs) for hyps, refs in _pairs(values))])


def _pairs(batches: Any) -> Iterator[tuple[Any, Any]]:
    """Hypotheses and references of each batch that is not empty.

    Batches are a `truebleu.Scan`, or an iterator of tables or record batches of any library with
    the columns `hyp` and `ref`.
    """
    if isinstance(batches, (str, bytes, list, tuple)) or not hasattr(batches, "__iter__"):
        raise InputError("refs are missing; give them, or batches that hold both: truebleu.scan")
    for batch in batches:
        if hasattr(batch, "hyps") and hasattr(batch, "refs"):
            hyps, refs = batch.hyps, batch.refs
        else:
            try:
                hyps, refs = batch["hyp"], batch["ref"]
            except Exception:  # noqa: BLE001  (each library has its own error)
                raise InputError(
                    f"a batch, a {type(batch).__name__}, does not have the columns hyp and ref; "
                    "name its columns: truebleu.scan(batches, hyp=..., ref=...)"
                ) from None
        if len(hyps):
            yield hyps, refs

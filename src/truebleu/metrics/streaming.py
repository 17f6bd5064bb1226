# SPDX-License-Identifier: Apache-2.0
"""Scores of data larger than memory: batches are counted on all cores and summed in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import copy
from typing import Any

from truebleu.errors import InputError
from truebleu.inputs.alignment import AlignedRows, Batch
from truebleu.inputs.columns import reference_counts
from truebleu.metrics.accumulation import Accumulator, group_places, group_sums, states
from truebleu.metrics.segment_files import SegmentFile
from truebleu.metrics.workers import ordered

#: The most threads: one reader supplies about five, and batches that wait take memory.
_THREADS = 8
#: Bad rows whose messages are kept.
_MESSAGES = 5


def score(
    metrics: Sequence[Any],
    scan: Any,
    *,
    output: SegmentFile | None = None,
    progress: Callable[[Tally, int, int], None] = lambda *_: None,
    first: Callable[[Batch], None] = lambda _: None,
) -> Tally:
    """Score all rows of a scan.

    Args:
        metrics: metrics to compute.
        scan: a `Scan`, the files to read.
        output: file for the scores and statistics of each segment.
        progress: called after each batch with the sums, the bytes read and the bytes of all files.
        first: called with the first batch that has a good row.

    Raises:
        TrueBLEUError: the input is bad, or the output cannot be written.
    """
    threads = min(metrics[0].threads, _THREADS)  # as many batches are counted at once
    if any(metric._texts for metric in metrics):
        threads = 1  # functions in Python hold its lock, and may not be safe in threads
    # The threads count batches, each with one thread.
    metrics = [copy(metric._ready_for(scan)) for metric in metrics]
    for metric in metrics:
        metric.threads = 1
    tally = Tally(metrics, scan.systems)
    total = scan.total

    def count(rows: AlignedRows) -> BatchSums:
        return BatchSums(metrics, rows, has_segments=output is not None)

    with output.open() if output else nullcontext() as write:
        for sums in ordered(count, scan.aligned(parallel=threads > 1), threads):
            if len(sums.batch) and tally.rows == tally.skipped:
                first(sums.batch)
            tally.add(sums)
            if write is not None and len(sums.batch):
                write(sums.batch, sums.segments)
            progress(tally, sums.position, total)
        tally.scores()  # raises an error before the output gets its name
    return tally


#: The place of a state: the name of its group in a tuple, or an empty tuple for all rows; then the
#: numbers of its system and metric.
Place = tuple[tuple[str | None, ...], int, int]


class BatchSums:
    """The counts of one batch.

    Args:
        metrics: with one thread each.
        rows: rows to parse and count.
        has_segments: whether scores and statistics of single segments are needed.

    Attributes:
        batch: its segments.
        position: bytes of all files that were read so far.
        states: the states of accumulators.
        segments: for each metric the first system's scores of segments, and their statistics.

    Raises:
        InputError: a row is bad.
    """

    __slots__ = ("batch", "position", "segments", "states")

    def __init__(self, metrics: Sequence[Any], rows: AlignedRows, *, has_segments: bool) -> None:
        self.batch: Batch = rows.batch()
        self.position = rows.position
        self.states: dict[Place, list[int]] = {}
        self.segments: list[tuple[Any, Any]] = []
        if not len(self.batch):
            return
        if has_segments or self.batch.by is not None:
            self._count_segments(metrics, has_segments=has_segments)
            return
        for i, hyps in enumerate(self.batch.systems):
            for k, metric in enumerate(metrics):
                accumulator = metric.accumulator()
                accumulator.update(hyps, self.batch.refs)
                self.states[(), i, k] = accumulator._state

    def _count_segments(self, metrics: Sequence[Any], *, has_segments: bool) -> None:
        """Count each segment of each system, and sum them by group."""
        counts = reference_counts(self.batch.refs)
        names, places = group_places(self.batch.by or ())
        for i, hyps in enumerate(self.batch.systems):
            for k, metric in enumerate(metrics):
                stats = metric.stats(hyps, self.batch.refs)
                # The caller never tokenizes the texts of a scan, whichever they are.
                rows = states(metric, ("",), ("",), counts, stats=stats)
                self.states[(), i, k] = rows.sum(axis=0).tolist()
                if has_segments and i == 0:
                    self.segments.append((metric.sentence_values(stats), stats))
                if names:
                    sums = group_sums(rows, places, len(names)).tolist()
                    for name, state in zip(names, sums, strict=True):
                        self.states[(name,), i, k] = state


class Tally:
    """Sums over all batches so far.

    Attributes:
        rows: rows of the input, with the bad ones.
        skipped: bad rows that were left out.
        messages: messages about the first of them.
    """

    def __init__(self, metrics: Sequence[Any], systems: int) -> None:
        self._metrics, self._systems = metrics, systems
        self._sums: dict[Place, Accumulator] = {}
        self.rows = 0
        self.skipped = 0
        self.messages: list[str] = []

    def add(self, sums: BatchSums) -> None:
        """Add a batch."""
        bad = sums.batch.bad
        self.rows += len(sums.batch) + len(bad)
        self.skipped += len(bad)
        self.messages += [bad[i] for i in sorted(bad)[: _MESSAGES - len(self.messages)]]
        for place, state in sums.states.items():
            total = self._sums.setdefault(place, self._metrics[place[-1]].accumulator())
            total._add(state)  # of the same metric, which `merge` would check

    def scores(self, *group: str | None) -> list[list[Any]]:
        """For each system, the score of each metric, of all rows or of those of a group."""
        if self.rows == self.skipped:
            what = "all rows are bad" if self.rows else "there are no rows"
            raise InputError(f"{what}; at least one good row is needed")
        metrics = range(len(self._metrics))
        return [[self._sums[group, i, k].compute() for k in metrics] for i in range(self._systems)]

    def running(self) -> Any:
        """The score of the first metric and system so far, or None."""
        first = self._sums.get(((), 0, 0))
        return None if first is None else first.compute()

    def groups(self) -> dict[str | None, list[list[Any]]]:
        """The scores of each group by its name, as for all; that of null, if any, is the last."""
        names = {name for group, *_ in self._sums for name in group}
        return {name: self.scores(name) for name in sorted(names, key=lambda name: (name is None, name or ""))}

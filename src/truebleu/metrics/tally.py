# SPDX-License-Identifier: Apache-2.0
"""What is known of the segments so far: sums, of all and of each group. Sums add."""

from __future__ import annotations

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.inputs.scanning import Batch, Raw

#: Bad rows of which the message is kept.
_KEPT = 5


class Found:
    """What came of one batch.

    Attributes:
        batch: its segments.
        places: where the sources stand behind it.
        accumulators: for each system, one of each metric.
        groups: for each group, a state of each metric.
        rows: the statistics of each segment, of each metric, where they are asked for.
        values: the scores that belong to them.
    """

    __slots__ = ("accumulators", "batch", "groups", "places", "rows", "values")

    def __init__(self, batch: Batch, places: Sequence[Sequence[int]]) -> None:
        self.batch = batch
        self.places = places
        self.accumulators: list[list[Any]] = []
        self.groups: dict[str, list[list[int]]] = {}
        self.rows: list[Any] = []
        self.values: list[Any] = []


class Counting:
    """Makes of each batch what the tally adds. Threads may share it.

    Args:
        metrics: with one thread each.
        segments: whether the statistics of single segments are asked for.
    """

    def __init__(self, metrics: Sequence[Any], *, segments: bool) -> None:
        self._metrics = metrics
        self._segments = segments

    def __call__(self, raw: Raw) -> Found:
        """What is found in rows.

        Raises:
            InputError: a row is bad.
        """
        batch = raw.batch()
        found = Found(batch, raw.places)
        if not len(batch):
            return found
        if not self._segments and batch.by is None:
            for hyps in batch.systems:
                found.accumulators.append([])
                for metric in self._metrics:
                    accumulator = metric.accumulator()
                    accumulator.update(hyps, batch.refs)
                    found.accumulators[-1].append(accumulator)
            return found
        self._count_rows(found)
        return found

    def _count_rows(self, found: Found) -> None:
        import numpy as np

        from truebleu.inputs.columns import reference_counts

        batch = found.batch
        counts = np.broadcast_to(np.asarray(reference_counts(batch.refs)), len(batch))
        ones = np.ones(len(batch), dtype=np.int64)
        # The parts of an accumulator's state before its statistics; no segment is tokenized.
        head = [ones, 0 * ones, 0 * ones, counts, counts**2]
        found.accumulators.append([])
        labels: dict[str, int] = {}
        codes = np.array([labels.setdefault(name, len(labels)) for name in batch.by or ()])
        sums = []
        for metric in self._metrics:
            rows = metric.stats(batch.hyps, batch.refs)
            states = np.column_stack([*head, np.asarray(rows)])
            accumulator = metric.accumulator()
            accumulator.state = states.sum(axis=0)
            found.accumulators[-1].append(accumulator)
            if self._segments:
                found.rows.append(rows)
                found.values.append(metric.sentence_values(rows))
            if labels:
                of_groups = np.zeros((len(labels), states.shape[1]), dtype=np.int64)
                np.add.at(of_groups, codes, states)
                sums.append(of_groups.tolist())
        for name, code in labels.items():
            found.groups[name] = [of_groups[code] for of_groups in sums]


class Tally:
    """Sums over all batches so far.

    Attributes:
        rows: of the input, with the bad ones.
        skipped: bad rows that were left out.
        messages: about the first of them.
    """

    def __init__(self, metrics: Sequence[Any], systems: int) -> None:
        self._metrics = metrics
        self._accumulators = [[metric.accumulator() for metric in metrics] for _ in range(systems)]
        self._groups: dict[str, list[list[int]]] = {}
        self.rows = 0
        self.skipped = 0
        self.messages: list[str] = []

    def add(self, found: Found) -> None:
        """Add a batch."""
        batch = found.batch
        self.rows += len(batch) + len(batch.bad)
        self.skipped += len(batch.bad)
        for i in sorted(batch.bad)[: _KEPT - len(self.messages)]:
            self.messages.append(batch.bad[i])
        for mine, its in zip(self._accumulators, found.accumulators, strict=False):
            for accumulator, other in zip(mine, its, strict=True):
                accumulator._add(other._state)  # of the same metric, as `merge` would make sure
        for name, states in found.groups.items():
            if name not in self._groups:
                self._groups[name] = states
                continue
            pairs = zip(self._groups[name], states, strict=True)
            self._groups[name] = [[a + b for a, b in zip(*pair, strict=True)] for pair in pairs]

    def scores(self) -> list[list[Any]]:
        """For each system, the score of each metric.

        Raises:
            InputError: there is no segment.
        """
        if self.rows == self.skipped:
            what = "each row is bad" if self.rows else "there is no row"
            raise InputError(f"{what}; BLEU needs one segment at least")
        return [[one.compute() for one in system] for system in self._accumulators]

    def running(self) -> Any:
        """The score of the first metric and system so far, or None."""
        first = self._accumulators[0][0]
        return first.compute() if first.segments else None

    def groups(self) -> dict[str, list[Any]]:
        """The score of each metric for each group, by name."""
        found: dict[str, list[Any]] = {}
        for name in sorted(self._groups):
            found[name] = []
            for metric, state in zip(self._metrics, self._groups[name], strict=True):
                accumulator = metric.accumulator()
                accumulator.state = state
                found[name].append(accumulator.compute())
        return found

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "rows": self.rows,
            "skipped": self.skipped,
            "messages": self.messages,
            "states": [
                [one.state_dict()["state"] for one in system] for system in self._accumulators
            ],
            "groups": self._groups,
        }

    def take_over(self, saved: dict[str, Any]) -> None:
        """Go on from what `to_dict` gave."""
        self.rows, self.skipped = saved["rows"], saved["skipped"]
        self.messages = list(saved["messages"])
        self._groups = dict(saved["groups"])
        for mine, states in zip(self._accumulators, saved["states"], strict=True):
            for accumulator, state in zip(mine, states, strict=True):
                accumulator.state = state

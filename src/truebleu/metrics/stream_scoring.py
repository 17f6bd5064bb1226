# SPDX-License-Identifier: Apache-2.0
"""A long run: batches are counted on all cores, added up in order, written, and kept safe."""

from __future__ import annotations

from copy import copy

from truebleu.inputs.scanning import Alignment
from truebleu.metrics.tally import Counting, Tally
from truebleu.metrics.workers import ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.metrics.checkpoint import Checkpoint
    from truebleu.metrics.stream_output import Output
    from truebleu.metrics.tally import Found

#: The most threads: one reader keeps about five at work, and what waits for more takes memory.
_THREADS = 8


def score(
    metrics: Sequence[Any],
    scan: Any,
    *,
    threads: int | None = None,
    output: Output | None = None,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
    progress: Callable[[Tally, int, int], None] = lambda *_: None,
) -> Tally:
    """Score all of a scan.

    Args:
        metrics: that are computed.
        scan: a `Scan`.
        threads: how many batches are counted at once; by default as many as a metric may use.
        output: is given the scores and statistics of each segment.
        checkpoint: is written from time to time.
        resume: go on from the checkpoint, if there is one.
        progress: is told of each batch: the sums so far, the bytes read, and those there are.

    Raises:
        TrueBLEUError: the input is bad, or something cannot be written.
    """
    threads = min(threads or metrics[0].threads, _THREADS)
    if any(getattr(metric, "_function", None) for metric in metrics):
        threads = 1  # a tokenizer in Python keeps all others waiting, and may not bear them
    # The threads count batches, of which each takes one.
    metrics = [copy(metric) for metric in metrics]
    for metric in metrics:
        metric.threads = 1
    run = _Run(metrics, scan, output, checkpoint)
    total = scan.total
    state = checkpoint.load() if checkpoint and resume else None
    if checkpoint and state is None:  # that of an earlier run knows nothing of this one
        checkpoint.remove()
    try:
        run.begin(state, parallel=threads > 1)
        for found in ordered(Counting(metrics, segments=output is not None), run.rows, threads):
            run.add(found)
            progress(run.tally, run.rows.given, total)
        run.finish()
    except BaseException:
        run.stop()
        raise
    finally:
        run.rows.close()
    return run.tally


class _Run:
    """What one run holds, and how it ends."""

    def __init__(
        self,
        metrics: Sequence[Any],
        scan: Any,
        output: Output | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self._scan = scan
        self._output = output
        self._checkpoint = checkpoint
        self._places: Sequence[Sequence[int]] = ()
        self.rows = Alignment([], [], [], None, fields=None, skip=False, size=1, rows=0)
        self.tally = Tally(metrics, scan.systems)

    def begin(self, state: dict[str, Any] | None, *, parallel: bool) -> None:
        """Begin, or go on from the state of a checkpoint."""
        if state is None:
            self.rows = self._scan.aligned(parallel=parallel)
            if self._output:
                self._output.open()
            return
        self._places = state["places"]
        self.tally.take_over(state["tally"])
        self.rows = self._scan.aligned(self._places, self.tally.rows, parallel=parallel)
        if self._output:
            self._output.open(state["written"], done=state["done"])

    def add(self, found: Found) -> None:
        """Add a batch."""
        self.tally.add(found)
        self._places = found.places
        if self._output:
            self._output.write(found)
        if self._checkpoint and self._checkpoint.is_due():
            self._save(self._checkpoint, done=False)

    def finish(self) -> None:
        """Give the output its name. Nothing is left to go on with."""
        self.tally.scores()  # there is a segment, or an error in place of an output
        if self._output:
            if self._checkpoint and self._checkpoint.is_there():
                self._save(self._checkpoint, done=True)
            self._output.finish()
        if self._checkpoint:
            self._checkpoint.remove()

    def stop(self) -> None:
        """Leave what is needed to go on."""
        if self._output:
            self._output.close()
            if not (self._checkpoint and self._checkpoint.is_there()):
                self._output.discard()

    def _save(self, checkpoint: Checkpoint, *, done: bool) -> None:
        written = self._output.sync() if self._output else None
        tally = self.tally.to_dict()
        checkpoint.save({"tally": tally, "places": self._places, "written": written, "done": done})

# SPDX-License-Identifier: Apache-2.0
"""A long run: batches are counted on all cores, added up in order, written, and kept safe."""

from __future__ import annotations

from truebleu.errors import InputError, OptionError
from truebleu.streaming.tally import Counting, Tally
from truebleu.streaming.workers import ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu.streaming.checkpoint import Checkpoint
    from truebleu.streaming.output import Output


def score(
    metrics: Sequence[Any],
    scan: Any,
    *,
    threads: int,
    output: Output | None = None,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
    progress: Callable[[Tally, int, int], None] = lambda *_: None,
) -> Tally:
    """Score all of a scan.

    Args:
        metrics: that are computed, each with one thread.
        scan: a `Scan`.
        threads: how many batches are counted at once.
        output: is given the scores and statistics of each segment.
        checkpoint: is written from time to time.
        resume: go on from the checkpoint, if there is one.
        progress: is told of each batch: the sums so far, the bytes read, and those there are.

    Raises:
        TrueBLEUError: the input is bad, or something cannot be written.
    """
    tally = Tally(metrics, max(1, scan.systems))
    state = checkpoint.load() if checkpoint and resume else None
    if state:
        tally.take_over(state["tally"])
    elif checkpoint:  # that of an earlier run knows nothing of what this one writes
        checkpoint.remove()
    alignment = scan.aligned(state["places"] if state else None, tally.rows)
    places: Sequence[Sequence[int]] = [source.place for source in alignment.sources]
    total = scan.total

    def save(*, done: bool = False) -> None:
        if checkpoint:
            written = output.sync() if output else None
            checkpoint.save(
                {"tally": tally.to_dict(), "places": places, "written": written, "done": done}
            )

    try:
        if output:
            output.open(state["written"] if state else None, done=bool(state and state["done"]))
        counting = Counting(metrics, segments=output is not None)
        for found in ordered(counting, alignment, threads):
            tally.add(found)
            if output:
                output.write(found)
            places = found.places
            if checkpoint and checkpoint.is_due():
                save()
            progress(tally, alignment.given, total)
        tally.scores()  # before the output has its name
        if output:
            if checkpoint and checkpoint.exists:
                save(done=True)
            output.finish()
    except (InputError, OptionError):
        # What is wrong with the input stays wrong: there is nothing to go on to.
        if output:
            output.discard()
        if checkpoint:
            checkpoint.remove()
        raise
    except BaseException:
        if output:
            output.close()
            if not (checkpoint and checkpoint.exists):
                output.discard()
        raise
    finally:
        alignment.close()
    if checkpoint:
        checkpoint.remove()
    return tally

# SPDX-License-Identifier: Apache-2.0
"""Corpora that come in batches: one row of integers holds all that a score needs."""

from __future__ import annotations

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Accumulator:
    """A corpus that comes in batches: holds one row of integers, whatever the number of segments.

    Example:
        >>> from truebleu import BLEU
        >>> acc = BLEU().accumulator()
        >>> acc.update(["a b c d"], ["a b c d"])
        >>> acc.update(["e f g h"], ["e f g i"])
        >>> print(acc.compute())
        BLEU = 72.31 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
    """

    __slots__ = ("_nrefs", "_tokenized", "metric", "segments", "stats")

    def __init__(self, metric: Any) -> None:
        self.metric = metric
        self.reset()

    def reset(self) -> None:
        """Forget all segments."""
        self.stats = self.metric._no_stats()
        self.segments = 0
        self._nrefs: int | str | None = None
        self._tokenized = False

    def update(self, hyps: Any, refs: Any) -> None:
        """Add segments."""
        self._add(*self.metric._total(hyps, refs))

    def merge(self, other: Accumulator) -> None:
        """Add the segments of another accumulator of the same metric and dialect."""
        if other.metric._identity != self.metric._identity:
            mine, its = self.metric.signature, other.metric.signature
            raise InputError(f"accumulators of {mine} and {its} do not merge")
        if other.segments:
            self._add(other.stats, other.segments, other._nrefs, other._tokenized)

    def _add(self, stats: Any, segments: int, nrefs: int | str | None, tokenized: bool) -> None:
        self._nrefs = nrefs if self._nrefs in (None, nrefs) else "var"
        self._tokenized |= tokenized
        self.stats += stats
        self.segments += segments

    def compute(self) -> Any:
        """The score of all segments so far.

        Raises:
            InputError: there are none.
        """
        if not self.segments:
            raise InputError("nothing was accumulated; update() with one segment at least")
        return self.metric._score_of(self.stats, self._nrefs, self._tokenized)

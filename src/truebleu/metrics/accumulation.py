# SPDX-License-Identifier: Apache-2.0
"""A corpus that comes in batches, or is spread over processes."""

from __future__ import annotations

from _thread import allocate_lock  # `threading.Lock`, without the import of `threading`

from truebleu.errors import InputError, describe
from truebleu.inputs.corpus import reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

#: What the state begins with, before the row of statistics. All of them add.
#: Segments; those that the caller tokenized; those of batches with unequal numbers of references;
#: for all other segments the number of references, summed, and its square, summed.
_HEAD = ("segments", "tokenized", "unequal", "refs", "refs_squared")


class Accumulator:
    """A corpus that comes in batches: holds a few integers, whatever the number of segments.

    Its state is a vector of int64 that adds: the sum of the states of several processes is the
    state of one that saw everything. Threads may update one at the same time.

    Attributes:
        metric: a `BLEU`, `CHRF` or `TER`.

    Example:
        >>> from truebleu import BLEU
        >>> acc = BLEU().accumulator()
        >>> acc.update(["a b c d"], ["a b c d"])
        >>> acc.update(["e f g h"], ["e f g i"])
        >>> print(acc.compute())
        BLEU = 72.31 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
    """

    __slots__ = ("_adding", "_state", "metric")

    def __init__(self, metric: Any) -> None:
        self.metric = metric
        self._adding = allocate_lock()
        self.reset()

    def __getstate__(self) -> tuple[Any, list[int]]:
        return self.metric, self._state

    def __setstate__(self, held: tuple[Any, list[int]]) -> None:
        self.metric, self._state = held
        self._adding = allocate_lock()

    def reset(self) -> None:
        """Forget all segments."""
        self._state = [0] * (len(_HEAD) + self.metric._no_stats().width)

    @property
    def segments(self) -> int:
        """Number of segments so far."""
        return self._state[0]

    @property
    def stats(self) -> Any:
        """The sum of their statistics, as `metric.stats` counts them."""
        return self.metric._no_stats()._alike((self._state[len(_HEAD) :],))

    @property
    def state(self) -> NDArray[np.int64]:
        """All that is held, as a new vector of int64.

        To add up processes, sum their vectors and set the sum. Never make it floating point:
        float32 is exact to 16,777,216 only.

        Raises:
            InputError: what is set is no such vector.
        """
        import numpy as np

        return np.array(self._state, dtype=np.int64)

    @state.setter
    def state(self, values: Any) -> None:
        import numpy as np

        array = np.asarray(values)
        if array.dtype.kind not in "iu" or array.shape != (len(self._state),):
            raise InputError(
                f"a state here is {len(self._state)} integers, not {array.dtype} of shape "
                f"{array.shape}; set what another accumulator of the metric has, or a sum of such"
            )
        if array.min() < 0:
            raise InputError("a state holds counts, none of which is negative")
        self._state = [int(value) for value in array.tolist()]

    def state_dict(self) -> dict[str, Any]:
        """The state with the signature it belongs to, ready for `torch.save`, pickle or JSON."""
        return {"signature": self.metric.signature, "state": list(self._state)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave.

        Raises:
            InputError: it is of another dialect, or no such thing.
        """
        if not isinstance(state_dict, dict) or not {"signature", "state"} <= state_dict.keys():
            raise InputError("this is no state of an accumulator; it has signature and state")
        line, values = state_dict["signature"], state_dict["state"]
        if not isinstance(line, str) or line != self.metric.signature:
            raise InputError(
                f"this is a state of {describe(line)}, but the metric is {self.metric.signature}"
            )
        self.state = values

    def update(
        self,
        hyps: Any,
        refs: Any,
        *,
        pad_id: int | None = None,
        eos_id: int | None = None,
        group: int = 1,
    ) -> None:
        """Add segments. The arguments are those of the metric's `corpus`.

        Raises:
            InputError: `corpus` would raise it, or the metric has no such argument.
        """
        how = reading(pad_id, eos_id, group)
        total, segments, (fewest, most), tokenized = self.metric._total(hyps, refs, how)
        equal = segments if fewest == most else 0
        head = (segments, segments * tokenized, segments - equal, equal * most, equal * most**2)
        self._add([*head, *total[0]])

    def merge(self, other: Accumulator) -> None:
        """Add the segments of another accumulator of the same metric and dialect.

        Raises:
            InputError: it is of another one, or none.
        """
        if not isinstance(other, Accumulator):
            raise InputError(f"{describe(other)} is no accumulator, and cannot be merged")
        mine, its = self.metric, other.metric
        if its._identity != mine._identity:
            raise InputError(f"accumulators of {mine.signature} and {its.signature} do not merge")
        self._add(other._state)

    def _add(self, state: list[int]) -> None:
        with self._adding:
            self._state = [mine + its for mine, its in zip(self._state, state, strict=True)]

    def compute(self) -> Any:
        """The score of all segments so far.

        Raises:
            InputError: there are none.
        """
        segments, tokenized, unequal, refs, squared = self._state[: len(_HEAD)]
        if not segments:
            raise InputError("nothing was accumulated; update() with one segment at least")
        # By Cauchy and Schwarz, all numbers of references are equal if and only if:
        same = not unequal and segments * squared == refs**2
        count = refs // segments if same else "var"
        return self.metric._score_of(self.stats, count, bool(tokenized))


def states(metric: Any, hyps: Any, refs: Any, counts: Any = None) -> NDArray[np.int64]:
    """What an accumulator of each segment alone would hold: a row for each, and rows add.

    Args:
        metric: a `BLEU`, `CHRF` or `TER`.
        hyps: as for its `corpus`, and can be sliced.
        refs: likewise.
        counts: how many references each segment has; without, each has one.
    """
    import numpy as np

    stats = metric.stats(hyps, refs).__array__()
    first = metric.accumulator()
    first.update(hyps[:1], refs[:1])  # tells whether the caller tokenized
    head = np.zeros((len(stats), len(_HEAD)), dtype=np.int64)
    head[:, 0] = 1
    head[:, 1] = first._state[1]
    head[:, 3] = 1 if counts is None else counts
    head[:, 4] = head[:, 3] ** 2
    return np.hstack([head, stats])


def added(rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of groups that lie one behind the other, summed: a row for each group.

    Args:
        rows: as `states` or statistics.
        lengths: how many rows each group has; of none at all, the sum is zero.
    """
    import numpy as np

    sums = np.zeros((len(lengths), rows.shape[1]), dtype=np.int64)
    some = lengths > 0
    if some.any():
        starts = np.cumsum(lengths) - lengths
        sums[some] = np.add.reduceat(rows, starts[some], axis=0)
    return sums

# SPDX-License-Identifier: Apache-2.0
"""PINC: the n-grams of a paraphrase that its source lacks (Chen and Dolan 2011)."""

from __future__ import annotations

from truebleu.dialects.options import PINCOptions
from truebleu.metrics.derived import ReadAsBLEU
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

#: One in the sums of scores.
_ONE = 1 << 36


class PINCStats(Rows):
    """Rows of PINC's statistics, one for each segment or sum of segments. Frozen.

    A row is `[pinc_units, segments]`, then for all orders the clipped matches, and the n-grams of
    the hypothesis: the sum of the scores in units of 2^-36. `columns()` gives it as a number.

    Args:
        rows: sequences of 2 + 2N integers.
        orders: N, the highest n-gram order.

    Raises:
        InputError: a row has another length, or a value that is not an int64.
    """

    __slots__ = ()

    _MAGIC = b"TBPINC\x01\x00"
    _SHAPE = ("orders",)

    def __init__(self, rows: Iterable[Sequence[int]] = (), orders: int = 4) -> None:
        self._fill(rows, (orders,))

    @staticmethod
    def _width_of(*shape: int) -> int:
        return 2 + 2 * shape[0] if shape[0] else 0

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        orders = range(1, self.shape[0] + 1)
        names = ["pinc_units", "segments"]
        return names + [f"match_{n}" for n in orders] + [f"total_{n}" for n in orders]

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns for readers, by name; `pinc_sum` is the sum of the scores."""
        columns = super().columns()
        return {"pinc_sum": columns.pop("pinc_units") / _ONE, **columns}


class PINCScore(MetricScore):
    """A score of PINC, from 0 to 1. Frozen. Its n-grams are in `counts()`.

    Attributes:
        name: PINC.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.
    """

    __slots__ = ()

    scale = 1


class PINC(ReadAsBLEU["PINCStats", "PINCScore"]):
    """PINC (Chen and Dolan 2011), with the verbs of `BLEU` and sources instead of references.

    For each order, the share of the hypothesis's n-grams that the source lacks; their mean. N-grams
    are clipped as in BLEU, and orders without n-grams are left out. A corpus score is the mean of
    those of its segments. A higher PINC is a freer paraphrase, good or bad.

    Args:
        dialect: a row of `DIALECTS`, or a Dialect, whose first two decisions say how text is read.
        order: the highest n-gram order (4).
        tokenize: the tokenizer; like other options of these decisions, such as `lowercase`, it
            changes how text is read.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import PINC
        >>> print(PINC().corpus(["a cat sat on the mat"], ["the cat sat on the mat"]))
        PINC = 0.2375
    """

    __slots__ = ()

    _KERNEL = "pinc"
    _OPTIONS = PINCOptions
    _SCORE = PINCScore

    @property
    def name(self) -> str:
        """The name of its scores, PINC."""
        return "PINC"

    def _kernel_options(self) -> dict[str, Any]:
        return {"max_ngram_order": self.options.order}

    def _zero_stats(self, signature: str) -> PINCStats:
        return PINCStats._zeros((self.options.order,), signature)

    @property
    def _version(self) -> str:
        return "2011"

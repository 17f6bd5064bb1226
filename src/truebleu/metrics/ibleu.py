# SPDX-License-Identifier: Apache-2.0
"""iBLEU: BLEU against the references, less BLEU against the source (Sun and Zhou 2012)."""

from __future__ import annotations

from truebleu.dialects.options import IBLEUOptions
from truebleu.errors import InputError, OptionError
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.derived import Derived
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows, Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.dialects.decisions import Dialect


class IBLEUStats(Rows):
    """Rows of iBLEU's statistics, one for each segment or sum of segments. Frozen.

    A row is BLEU's with the references, then BLEU's with the source; see `Stats`.

    Args:
        rows: sequences of 4 + 4N integers.
        orders: N, the highest n-gram order.

    Raises:
        InputError: a row has another length, or a value that is not an int64.
    """

    __slots__ = ()

    _MAGIC = b"TBIBLE\x01\x00"
    _SHAPE = ("orders",)

    def __init__(self, rows: Iterable[Sequence[int]] = (), orders: int = 4) -> None:
        self._fill(rows, (orders,))

    @staticmethod
    def _width_of(*shape: int) -> int:
        return 2 * Stats._width_of(*shape)

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        names = Stats(orders=self.shape[0]).column_names()
        return [*names, *(f"source_{name}" for name in names)]


class IBLEUScore(MetricScore):
    """A score of iBLEU, from -100 (1 - alpha) to 100 alpha, or of 1. Frozen.

    Attributes:
        name: iBLEU.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.
    """

    __slots__ = ()


class IBLEU(Derived["IBLEUStats", "IBLEUScore"]):
    """iBLEU (Sun and Zhou 2012), with the verbs of `BLEU`.

    alpha times BLEU against the references, minus 1 - alpha times BLEU against the source: a
    paraphrase should be like the references, and unlike the source. The last reference of a segment
    is its source; `with_sources` puts it there. The paper does not say which BLEU it is: name the
    dialect.

    Args:
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        alpha: the weight of BLEU against the references, 0 to 1 (0.9).
        threads: the most threads that a call uses; see `BLEU`.
        changes: options of BLEU to change, by name.

    Raises:
        OptionError: a dialect, an option or a value does not exist.

    Example:
        >>> from truebleu import IBLEU, with_sources
        >>> refs = with_sources([["a cat sat down", "the cat sat"]], ["the cat was sitting"])
        >>> print(IBLEU(max_ngram_order=2).corpus(["a cat sat"], refs))
        iBLEU = 87.93
    """

    __slots__ = ()

    _KERNEL = "ibleu"
    _OPTIONS = IBLEUOptions
    _SCORE = IBLEUScore

    def __init__(
        self,
        dialect: str | Dialect = "sacrebleu",
        *,
        alpha: float = 0.9,
        threads: int | None = None,
        **changes: Any,
    ) -> None:
        super().__init__(BLEU(dialect, threads=threads, **changes), {"alpha": alpha}, threads)

    @property
    def name(self) -> str:
        """The name of its scores, iBLEU."""
        return "iBLEU"

    @property
    def scale(self) -> float:
        """The score of a perfect hypothesis, if alpha is 1."""
        return self.reader.scale

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        return {"dialect": self.reader.dialect, **vars(self.options)}

    def _zero_stats(self, signature: str) -> IBLEUStats:
        return IBLEUStats._zeros((self.reader.dialect.counted_orders,), signature)

    @property
    def _counting(self) -> str:
        return str(self.reader.zero_stats().signature)

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:  # noqa: ARG002
        """Raise an OptionError: segments without references have no source either."""
        raise OptionError("iBLEU has no scores of pairs, which have no source")

    def _score_signature(
        self, nrefs: int | str | None, *, tokenized: bool = False, sentence: bool = False
    ) -> str:
        references = nrefs - 1 if isinstance(nrefs, int) else nrefs
        line = self.reader._score_signature(references, tokenized=tokenized, sentence=sentence)
        return f"{line}|alpha:{self.options.alpha!r}"


def with_sources(refs: Any, sources: Any) -> list[list[Any]]:
    """References of each segment with its source as the last one, for `IBLEU`.

    Args:
        refs: n entries: a segment each, or a list of segments each.
        sources: n segments.

    Raises:
        InputError: their numbers differ.

    Example:
        >>> from truebleu import with_sources
        >>> with_sources(["a cat", ["a dog", "one dog"]], ["the cat", "the dog"])
        [['a cat', 'the cat'], ['a dog', 'one dog', 'the dog']]
    """
    rows, last = corpus.as_python("refs", refs), corpus.as_python("sources", sources)
    if len(rows) != len(last):
        raise InputError(f"refs has {len(rows)} segments, sources has {len(last)}")
    return [
        [*([row] if _is_segment(row, source) else row), source]
        for row, source in zip(rows, last, strict=True)
    ]


def _is_segment(row: Any, source: Any) -> bool:
    """Whether references are one segment: a text, or for lists of tokens a list of those."""
    if isinstance(row, str) or isinstance(source, str):
        return isinstance(row, str)
    return not any(isinstance(item, (list, tuple)) for item in row)

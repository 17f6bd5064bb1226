# SPDX-License-Identifier: Apache-2.0
"""TER: how many edits turn a hypothesis into its reference (Snover et al. 2006)."""

from __future__ import annotations

from truebleu.dialects.options import TEROptions
from truebleu.dialects.signature import metric_signature
from truebleu.metrics.kernel import compile_metric, unicode_versions
from truebleu.metrics.metric import Metric, from_options
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

#: Units of length in a word: the mean of the lengths of up to 22 references is a whole number of
#: them (the least common multiple of 1 to 22).
LENGTH_UNITS = 232_792_560


class TERStats(Rows):
    """Rows of TER's statistics, one for each segment or sum of segments. Frozen.

    A row is `[edits, ref_len_units]`: the mean length of the references in units of which a word
    has 232,792,560, so that rows are integers and add. `columns()` gives the length in words.

    Args:
        rows: sequences of 2 integers.

    Raises:
        InputError: a row has another length, or a value that is not an int64.
    """

    __slots__ = ()

    _MAGIC = b"TBTER\x00\x02\x00"

    def __init__(self, rows: Iterable[Sequence[int]] = ()) -> None:
        self._fill(rows, ())

    @staticmethod
    def _width_of(*_: int) -> int:
        return 2

    @property
    def edits(self) -> int:
        """Edits, over all rows."""
        return self.sum()._values[0]

    @property
    def ref_len(self) -> float:
        """Words of the references, over all rows."""
        return self.sum()._values[1] / LENGTH_UNITS

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        return ["edits", "ref_len_units"]

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns for readers, by name: `edits`, and `ref_len` in words."""
        edits, units = self.__array__().T
        return {"edits": edits, "ref_len": units / LENGTH_UNITS}


class TERScore(MetricScore):
    """A score of TER, from 0 on; lower is better. Frozen.

    Attributes:
        name: TER.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.

    Example:
        >>> from truebleu import TER
        >>> print(TER().corpus(["sat the cat"], ["the cat sat"]))
        TER = 33.33
    """

    __slots__ = ()

    stats: TERStats

    @property
    def edits(self) -> int:
        """Words inserted, deleted and replaced, and blocks of words that were moved."""
        return self.stats.edits

    @property
    def ref_len(self) -> float:
        """Words of the references; with several, their mean."""
        return self.stats.ref_len

    def counts(self) -> dict[str, float]:
        """Edits and words by name."""
        return {"edits": self.edits, "ref_len": self.ref_len}


class TER(Metric["TERStats", "TERScore"]):
    """TER as sacreBLEU 2.6.0 computes it, after Tercom, with the verbs of `BLEU`. Lower is better.

    An edit inserts, deletes or replaces a word, or moves a block of words; the score is the number
    of edits divided by the number of reference words, times 100. With several references, the
    nearest one counts its edits, and the length is the mean of all.

    Args:
        normalized: split punctuation and decode entities.
        no_punct: remove punctuation.
        asian_support: apply both options to Asian text as well, and split its characters.
        case_sensitive: do not lowercase the text.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import TER
        >>> score = TER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
        >>> print(score, score.edits, score.ref_len)
        TER = 16.67 1 6.0
    """

    __slots__ = ("options",)

    _SCORE = TERScore

    higher_is_better = False

    def __init__(self, *, threads: int | None = None, **changes: Any) -> None:
        self.options = TEROptions(**changes)
        plan = compile_metric("ter", dict(vars(self.options)))
        super().__init__(plan, plan, TERStats._zeros((), f"{self.name}|{self.signature}"), threads)

    def __reduce__(self) -> tuple[Any, ...]:
        return from_options, (type(self), self.settings)

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        return dict(vars(self.options))

    @property
    def name(self) -> str:
        """The name of its scores, TER."""
        return "TER"

    def words(self, text: str) -> list[str]:
        """The words of a text, as Tercom's tokenizer splits it."""
        return self.tokens(text)

    def _score_signature(self, nrefs: int | str | None, **_: bool) -> str:
        options = self.options
        pairs = {
            "case": "mixed" if options.case_sensitive else "lc",
            "tok": "tercom",
            "norm": options.normalized,
            "punct": not options.no_punct,
            "asian": options.asian_support,
        }
        return metric_signature(pairs, nrefs=nrefs, lower=unicode_versions()[1])

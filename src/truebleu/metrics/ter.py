# SPDX-License-Identifier: Apache-2.0
"""TER: how many edits turn a hypothesis into its reference (Snover et al. 2006)."""

from __future__ import annotations

from truebleu.dialects.options import TEROptions
from truebleu.metrics.family import Family
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Unpack

    from truebleu.dialects.changes import TERChanges

#: Units of length in a word: the mean of the lengths of up to 22 references is a whole number of
#: them (the least common multiple of 1 to 22).
LENGTH_UNITS = 232_792_560


class TERStats(Rows):
    """Rows of TER's statistics, one for each segment or sum of segments. Frozen.

    A row is `[edits, ref_len_units]`: the mean length of the references in units of which a word
    has 232,792,560, so that rows are integers and add. `columns()` gives the length in words.
    """

    __slots__ = ()

    _MAGIC = b"TBTER\x00\x02\x00"
    _UNITS: ClassVar = {"ref_len_units": ("ref_len", LENGTH_UNITS)}
    _COLUMNS = ("edits", "ref_len_units")


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
        return self.stats[0][0]

    @property
    def ref_len(self) -> float:
        """Words of the references; with several, their mean."""
        return self.counts()["ref_len"]


class TER(Family["TERStats", "TERScore"]):
    """TER as sacreBLEU 2.6.0 computes it, after Tercom, with the verbs of `BLEU`. Lower is better.

    An edit inserts, deletes or replaces a word, or moves a block of words; the score is the number
    of edits divided by the number of reference words, times 100. With several references, the
    nearest one counts its edits, and the length is the mean of all.

    Args:
        normalized: split punctuation and decode entities.
        no_punct: remove punctuation.
        asian_support: apply both options to Asian text as well, and split its characters.
        case_sensitive: do not lowercase the text.
        normalize: normalizations of the texts, as for `BLEU`.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import TER
        >>> score = TER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
        >>> print(score, score.edits, score.ref_len)
        TER = 16.67 1 6.0
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, *, threads: int | None = None, **changes: Unpack[TERChanges]) -> None: ...

    _NAME, _KERNEL = "TER", "ter"
    options: TEROptions
    _OPTIONS, _STATS, _SCORE = TEROptions, TERStats, TERScore

    higher_is_better = False

    def words(self, text: str) -> list[str]:
        """The words of a text, as Tercom's tokenizer splits it."""
        return self.tokens(text)

    def _signature_pairs(self, nrefs: int | str | None) -> dict[str, Any]:  # noqa: ARG002
        options = self.options
        return {
            "case": "mixed" if options.case_sensitive else "lc",
            "tok": "tercom",
            "norm": options.normalized,
            "punct": not options.no_punct,
            "asian": options.asian_support,
        }

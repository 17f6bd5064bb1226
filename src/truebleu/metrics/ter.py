# SPDX-License-Identifier: Apache-2.0
"""TER: how many edits turn a hypothesis into its reference (Snover et al. 2006)."""

from __future__ import annotations

from truebleu.dialects.options import TEROptions
from truebleu.metrics.metric_scores import TERScore, TERStats
from truebleu.metrics.segment_metric import SegmentMetric, yes_no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TER(SegmentMetric["TERStats", "TERScore"]):
    """TER as sacreBLEU 2.6.0 computes it, after Tercom, with the verbs of `BLEU`. Lower is better.

    Edits insert, delete or replace a word, or move a block of words; the score is their number over
    that of the reference's words, times 100. Of several references the nearest counts its edits,
    and all count their length.

    Args:
        normalized: set signs apart and undo markup.
        no_punct: drop punctuation.
        asian_support: the two do the same for Asian signs; `normalized` sets characters apart.
        case_sensitive: do not lower-case the text.
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

    higher_is_better = False

    _KIND = "ter"
    _OPTIONS = TEROptions

    @property
    def name(self) -> str:
        """What its scores are called, TER."""
        return "TER"

    def words(self, text: str) -> list[str]:
        """The words of a text, as Tercom's tokenizer makes them."""
        return self.plan.tokens((text,))[0]

    def _stats(self, rows: Any) -> TERStats:
        return TERStats._wrap(rows, ())

    def _made(self, value: float, signature: str, total: TERStats) -> TERScore:
        return TERScore(self.name, value, signature, total)

    def _signature(self, _: int | str | None) -> dict[str, Any]:
        options = self.options
        return {
            "case": "mixed" if options.case_sensitive else "lc",
            "tok": "tercom",
            "norm": yes_no(options.normalized),
            "punct": yes_no(not options.no_punct),
            "asian": yes_no(options.asian_support),
        }

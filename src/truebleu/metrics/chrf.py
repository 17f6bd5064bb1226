# SPDX-License-Identifier: Apache-2.0
"""chrF and chrF++: n-grams of characters, and of words (Popović 2015, 2017)."""

from __future__ import annotations

from truebleu.dialects.options import CHRFOptions
from truebleu.metrics.metric_scores import CHRFScore, CHRFStats
from truebleu.metrics.segment_metric import SegmentMetric, yes_no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class CHRF(SegmentMetric["CHRFStats", "CHRFScore"]):
    """chrF as sacreBLEU 2.6.0 computes it, with the verbs of `BLEU`.

    The F-score of n-grams of characters, of all orders alike. Of several references the one with
    the best F-score counts. Where two are alike, sacreBLEU takes the one listed first, so that the
    order of the references can change a corpus score; here the longer one counts, which
    `tie:longer` in the signature says. With one reference there is no difference.

    Args:
        char_order: the longest n-grams of characters (6).
        word_order: the longest n-grams of words (0); 2 makes chrF++.
        beta: how many times as much recall counts as precision (2).
        lowercase: lower-case the text.
        whitespace: blanks are characters, too.
        eps_smoothing: an order without n-grams counts a little, as in chrF++.py, NLTK and Moses, in
            place of being left out.
        tie: `longer`, or `first` for sacreBLEU's rule.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import CHRF
        >>> chrf = CHRF(word_order=2)
        >>> score = chrf.corpus(["the cat sat on the mat"], ["the cat sits on the mat"])
        >>> print(score.format(signature=True))
        chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0 = 66.36
    """

    __slots__ = ()

    _KIND = "chrf"
    _OPTIONS = CHRFOptions

    @property
    def name(self) -> str:
        """What its scores are called, such as chrF2 or chrF2++."""
        return f"chrF{self.options.beta:g}{'+' * self.options.word_order}"

    def words(self, text: str) -> list[str]:
        """The words of a text that chrF++ counts: signs at the end of a word stand alone."""
        return self.plan.tokens((text,))[0]

    def _kernel_options(self) -> dict[str, Any]:
        options = super()._kernel_options()
        options["factor"] = options.pop("beta") ** 2
        return options

    def _stats(self, rows: Any) -> CHRFStats:
        return CHRFStats._wrap(rows, (self.options.char_order, self.options.word_order))

    def _made(self, value: float, signature: str, total: CHRFStats) -> CHRFScore:
        return CHRFScore(self.name, value, signature, total)

    def _signature(self, nrefs: int | str | None) -> dict[str, Any]:
        options = self.options
        pairs = {
            "case": "lc" if options.lowercase else "mixed",
            "eff": yes_no(not options.eps_smoothing),
            "nc": options.char_order,
            "nw": options.word_order,
            "space": yes_no(options.whitespace),
        }
        # One reference is not alike another; and sacreBLEU does not say how it takes the first.
        if nrefs != 1 and options.tie != "first":
            pairs["tie"] = options.tie
        return pairs

# SPDX-License-Identifier: Apache-2.0
"""chrF and chrF++: n-grams of characters, and of words (Popović 2015, 2017)."""

from __future__ import annotations

from truebleu.dialects.options import CHRFOptions
from truebleu.metrics.family import Family
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Unpack

    from truebleu.dialects.changes import CHRFChanges


class CHRFStats(Rows):
    """Rows of chrF's statistics, one for each segment or sum of segments. Frozen.

    A row is `[hyp, ref, match]` for each order, characters first: n-grams of the hypothesis, of its
    best reference, and of both.
    """

    __slots__ = ()

    _MAGIC = b"TBCHRF\x02\x00"
    _SHAPE: ClassVar = {"char_order": 6, "word_order": 0}

    @staticmethod
    def _names(*shape: int) -> list[str]:
        orders = zip(("char", "word"), shape, strict=True)
        names = [f"{unit}_{n}" for unit, order in orders for n in range(1, order + 1)]
        return [f"{kind}_{name}" for name in names for kind in ("hyp", "ref", "match")]


class CHRFScore(MetricScore):
    """A score of chrF, from 0 to 100. Frozen. Its n-grams are in `counts()`.

    Attributes:
        name: the name of the score, such as chrF2 or chrF2++.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.

    Example:
        >>> from truebleu import CHRF
        >>> print(CHRF().corpus(["the cat sat"], ["the cat sits"]))
        chrF2 = 61.03
    """

    __slots__ = ()

    stats: CHRFStats


class CHRF(Family["CHRFStats", "CHRFScore"]):
    """chrF as sacreBLEU 2.6.0 computes it, with the verbs of `BLEU`.

    The F-score of n-grams of characters, with equal weight for each order. With several references,
    the one with the best F-score counts. If two are equally good, the first of them counts, as in
    sacreBLEU, so the order of the references can change a corpus score; `tie="longer"` takes the
    longer one instead.

    Args:
        char_order: the longest n-grams of characters (6).
        word_order: the longest n-grams of words (0); 2 makes chrF++.
        beta: how many times as much recall weighs as precision (2).
        lowercase: lowercase the text.
        whitespace: count white space as characters.
        eps_smoothing: smooth an order without n-grams by a small value, as chrF++.py, NLTK and
            Moses do, instead of skipping it.
        tie: which of several equally good references counts: `first` or `longer`.
        normalize: normalizations of the texts, as for `BLEU`.
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

    if TYPE_CHECKING:

        def __init__(self, *, threads: int | None = None, **changes: Unpack[CHRFChanges]) -> None: ...

    _KERNEL = "chrf"
    options: CHRFOptions
    _OPTIONS, _STATS, _SCORE = CHRFOptions, CHRFStats, CHRFScore
    _SHAPE = ("char_order", "word_order")

    @property
    def name(self) -> str:
        """The name of its scores, such as chrF2 or chrF2++."""
        return f"chrF{self.options.beta:g}{'+' * self.options.word_order}"

    def words(self, text: str) -> list[str]:
        """The words of a text that chrF++ counts: punctuation at the end of a word stands alone."""
        return self.tokens(text)

    def _kernel_options(self) -> dict[str, Any]:
        values = super()._kernel_options()
        values["factor"] = values.pop("beta") ** 2
        return values

    def _signature_pairs(self, nrefs: int | str | None) -> dict[str, Any]:
        options = self.options
        pairs = {
            "case": "lc" if options.lowercase else "mixed",
            "eff": not options.eps_smoothing,
            "nc": options.char_order,
            "nw": options.word_order,
            "space": options.whitespace,
        }
        # sacreBLEU's signature does not mention its own rule, and one reference has no tie.
        if nrefs != 1 and options.tie != "first":
            pairs["tie"] = options.tie
        return pairs

# SPDX-License-Identifier: Apache-2.0
"""chrF and chrF++: n-grams of characters, and of words (Popović 2015, 2017)."""

from __future__ import annotations

from truebleu.dialects.options import CHRFOptions
from truebleu.dialects.signature import metric_signature
from truebleu.metrics.kernel import compile_metric, unicode_versions
from truebleu.metrics.metric import Metric, from_options
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any


class CHRFStats(Rows):
    """Rows of chrF's statistics, one for each segment or sum of segments. Frozen.

    A row is `[hyp, ref, match]` for each order, characters first: n-grams of the hypothesis, of its
    best reference, and of both.

    Args:
        rows: sequences of 3 integers for each order.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words.

    Raises:
        InputError: a row has another length, or a value that is not an int64.
    """

    __slots__ = ()

    _MAGIC = b"TBCHRF\x02\x00"
    _SHAPE = ("char_order", "word_order")

    def __init__(
        self, rows: Iterable[Sequence[int]] = (), char_order: int = 6, word_order: int = 0
    ) -> None:
        self._fill(rows, (char_order, word_order))

    @staticmethod
    def _width_of(*shape: int) -> int:
        return 3 * sum(shape)

    @property
    def char_order(self) -> int:
        """The longest n-grams of characters."""
        return self.shape[0]

    @property
    def word_order(self) -> int:
        """The longest n-grams of words."""
        return self.shape[1]

    def column_names(self) -> list[str]:
        """Names of the integers of a row."""
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return [f"{kind}_{order}" for order in orders for kind in ("hyp", "ref", "match")]


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


class CHRF(Metric["CHRFStats", "CHRFScore"]):
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

    __slots__ = ("options",)

    _SCORE = CHRFScore

    def __init__(self, *, threads: int | None = None, **changes: Any) -> None:
        self.options = options = CHRFOptions(**changes)
        values = dict(vars(options))
        values["factor"] = values.pop("beta") ** 2
        plan = compile_metric("chrf", values)
        shape = (options.char_order, options.word_order)
        zero = CHRFStats._zeros(shape, f"{self.name}|{self.signature}")
        super().__init__(plan, plan, zero, threads)

    def __reduce__(self) -> tuple[Any, ...]:
        return from_options, (type(self), self.settings)

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        return dict(vars(self.options))

    @property
    def name(self) -> str:
        """The name of its scores, such as chrF2 or chrF2++."""
        return f"chrF{self.options.beta:g}{'+' * self.options.word_order}"

    def words(self, text: str) -> list[str]:
        """The words of a text that chrF++ counts: punctuation at the end of a word stands alone."""
        return self.tokens(text)

    def _score_signature(self, nrefs: int | str | None, **_: bool) -> str:
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
        return metric_signature(pairs, nrefs=nrefs, lower=unicode_versions()[1])

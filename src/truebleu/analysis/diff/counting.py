# SPDX-License-Identifier: Apache-2.0
"""A corpus beside many dialects: it is tokenized and counted once for each way to do so."""

from __future__ import annotations

from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics import tokenizers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.metrics.bleu import BLEU
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats


class CountedCorpus:
    """Hypotheses and references, with what was made of them so far.

    Attributes:
        hyps, refs: the columns, in Python's lists and strings.
    """

    def __init__(self, hyps: Any, refs: Any) -> None:
        hyps, refs = corpus.columns(hyps, refs)
        self.hyps = corpus.as_python("hyps", hyps)
        self.refs = corpus.as_python("refs", refs)
        if not self.hyps:
            raise InputError("hyps is empty; give one segment at least")
        self._words: dict[Any, tuple[Any, Any]] = {}
        #: For each tokenizer what it made of a text.
        self._known: dict[Any, dict[str, Sequence[str] | str]] = {}
        self._totals: dict[Any, tuple[Stats, int, tuple[int, int], bool]] = {}

    def score(self, bleu: BLEU) -> Score:
        """The score of the corpus, as `bleu.corpus` gives it."""
        total, _, counts, tokenized = self._counted(bleu)
        return bleu.score_of_sum(total, nrefs(counts), tokenized=tokenized)

    def total(self, bleu: BLEU) -> Stats:
        """The row of the corpus: the sum of `bleu.stats`."""
        return self._counted(bleu)[0]

    def stats(self, bleu: BLEU) -> Stats:
        """The rows of the segments, as `bleu.stats` gives them."""
        return bleu.stats(*self.columns(bleu))

    def _counted(self, bleu: BLEU) -> tuple[Stats, int, tuple[int, int], bool]:
        dialect = bleu.dialect
        key = (dialect.normalize, dialect.tokenize, dialect.count, dialect.aggregate,
               dialect.counted_orders)  # fmt: skip
        if key not in self._totals:
            self._totals[key] = bleu.total(*self.columns(bleu))
        return self._totals[key]

    def columns(self, bleu: BLEU) -> tuple[Any, Any]:
        """The texts, or their words where Python tokenizes: the kernel is faster than a cache."""
        function, how = bleu._function, bleu.dialect.normalize
        if function is None or isinstance(self.hyps[0], (list, tuple)):
            return self.hyps, self.refs
        key = (how, bleu.dialect.tokenize)
        if key not in self._words:
            known = self._known.setdefault(bleu.dialect.tokenize.tokenize, {})

            def remembered(text: str) -> Sequence[str] | str:
                if text not in known:
                    known[text] = function(text)
                return known[text]

            apply = tokenizers.apply
            self._words[key] = (
                apply(remembered, how, "hyps", self.hyps),
                apply(remembered, how, "refs", self.refs),
            )
        return self._words[key]

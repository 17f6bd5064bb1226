# SPDX-License-Identifier: Apache-2.0
"""A corpus that many dialects score: what they tokenize or count alike is done once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any

from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU, totals
from truebleu.metrics.score import Score
from truebleu.metrics.stats import Stats


class CountedCorpus:
    """Hypotheses and references, with a cache of their tokens and counts.

    Attributes:
        hyps, refs: the columns, as lists and strings of Python.
    """

    def __init__(self, hyps: Any, refs: Any) -> None:
        hyps, refs = corpus.columns(hyps, refs)
        self.hyps = corpus.as_python("hyps", hyps)
        self.refs = corpus.as_python("refs", refs)
        if not self.hyps:
            raise InputError("hyps is empty; give at least one segment")
        #: For each tokenizer in Python, a function that remembers the tokens of each text.
        self._functions: dict[Any, Any] = {}
        self._totals: dict[Any, tuple[Stats, int, tuple[int, int], bool]] = {}

    def score(self, bleu: BLEU) -> Score:
        """The score of the corpus, equal to that of `bleu.corpus`."""
        total, _, counts, tokenized = self._counted(bleu)
        return bleu._score_of_sum(total, nrefs(counts), tokenized=tokenized)

    def total(self, bleu: BLEU) -> Stats:
        """The statistics of the corpus: the sum of `bleu.stats`."""
        return self._counted(bleu)[0]

    def count(self, metrics: Iterable[BLEU]) -> None:
        """Count several metrics together, which is faster than one by one."""
        wanted = {_key(bleu): bleu for bleu in metrics if bleu._texts is None}
        if wanted:
            counted = totals([*wanted.values()], self.hyps, self.refs)
            self._totals |= zip(wanted, counted, strict=True)

    def _counted(self, bleu: BLEU) -> tuple[Stats, int, tuple[int, int], bool]:
        key = _key(bleu)
        if key not in self._totals:
            self._totals[key] = bleu._total(*self.columns(bleu))
        return self._totals[key]

    def columns(self, bleu: BLEU) -> tuple[Any, Any]:
        """The texts, or their tokens if the tokenizer is in Python; the kernel needs no cache."""
        tokens = bleu._function
        is_text = isinstance(self.hyps[0], str) and not bleu.dialect.normalize.normalize
        if tokens is None or not is_text:
            return self.hyps, self.refs
        function = self._functions.setdefault(bleu.dialect.tokenize, cache(tokens))
        words = partial(tokenizers.apply, function, bleu.dialect.normalize)
        return words("hyps", self.hyps), words("refs", self.refs)


def _key(bleu: BLEU) -> tuple[Any, ...]:
    """What the counts of a metric depend on."""
    dialect = bleu.dialect
    key: tuple[Any, ...]
    key = (dialect.normalize, dialect.tokenize, dialect.count, dialect.aggregate,
           dialect.counted_orders)  # fmt: skip
    if dialect.aggregate.join != "rows":  # rows hold more, which depends on the formula
        key += (dialect.combine,)
    return key

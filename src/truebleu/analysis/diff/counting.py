# SPDX-License-Identifier: Apache-2.0
"""A corpus that many dialects score: what they tokenize or count alike is done once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError
from truebleu.inputs import corpus
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU, compile_dialect, totals
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
        self._columns: dict[Any, tuple[Any, Any]] = {}
        self._totals: dict[Any, tuple[Stats, int, tuple[int, int], bool]] = {}

    def score(self, bleu: BLEU) -> Score:
        """The score of the corpus, equal to that of `bleu.corpus`."""
        total, _, counts, tokenized = self._counted(bleu.dialect)
        return bleu._score_of_sum(total, nrefs(counts), tokenized=tokenized)

    def value(self, dialect: Dialect) -> float:
        """The value of the score of the corpus."""
        row = self._counted(dialect)[0].buffer
        return memoryview(compile_dialect(dialect).values(row)).cast("d")[0]

    def count(self, metrics: Iterable[BLEU]) -> None:
        """Count several metrics together, which is faster than one by one."""
        wanted = {bleu.dialect.counting: bleu for bleu in metrics if bleu._texts is None}
        if wanted:
            self._totals |= zip(wanted, totals([*wanted.values()], self.hyps, self.refs), strict=True)

    def _counted(self, dialect: Dialect) -> tuple[Stats, int, tuple[int, int], bool]:
        key = dialect.counting
        if key not in self._totals:
            bleu = BLEU(dialect)
            self._totals[key] = bleu._total(*self.columns(bleu))
        return self._totals[key]

    def columns(self, bleu: BLEU) -> tuple[Any, Any]:
        """The texts; or their tokens, made once, if a function in Python has those of each text."""
        tokens, dialect = bleu._function, bleu.dialect
        is_text = isinstance(self.hyps[0], str) and not dialect.normalize.normalize
        is_paired = hasattr(tokens, "of") or dialect.count.swap  # reads both sides of a pair
        if tokens is None or not is_text or is_paired:
            return self.hyps, self.refs
        key = dialect.normalize, dialect.tokenize
        if key not in self._columns:
            words = partial(tokenizers.apply, tokens, dialect.normalize)
            self._columns[key] = words("hyps", self.hyps), words("refs", self.refs)
        return self._columns[key]

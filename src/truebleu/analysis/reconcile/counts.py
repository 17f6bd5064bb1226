# SPDX-License-Identifier: Apache-2.0
"""Counts of a corpus under many dialects; what several dialects count alike is counted once.

Counts of any selection of references are kept. The rule for the reference length, and the n-gram
that some tools add for short segments, are applied to these counts without counting again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.dialects.decisions import Aggregate, Combine, Count, Dialect, Normalize, Tokenize
from truebleu.errors import InputError
from truebleu.inputs.corpus import as_words, reference_columns
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import Kernel, compile_metric
from truebleu.metrics.workers import ordered

Integers = NDArray[np.int64]

#: N-grams up to this order are counted eight times as fast as longer ones.
FAST_ORDERS = 4


@dataclass(frozen=True, slots=True)
class Text:
    """The tokenization of a text, and the kind of counts."""

    normalize: Normalize
    tokenize: Tokenize
    counted: Count


@dataclass(frozen=True, slots=True)
class Selection:
    """Everything that the counts of a segment depend on.

    Attributes:
        text: how text is tokenized, and what is counted.
        references: positions of the references that are used.
        ref_len: the rule for the reference length.
        floor_totals: whether each segment has at least one n-gram of each order.
    """

    text: Text
    references: tuple[int, ...]
    ref_len: str
    floor_totals: bool


class CorpusCounts:
    """Counts of a corpus.

    Args:
        hyps, refs: as for `BLEU.corpus`.
        threads: the largest number of threads.

    Attributes:
        hyps, columns: the hypotheses, and the references by position.
        references: the largest number of references of a segment.
        tokenized: whether the caller tokenized.

    Raises:
        InputError: the corpus cannot be scored, or is empty.
    """

    def __init__(self, hyps: Any, refs: Any, threads: int | None = None) -> None:
        metric = BLEU(threads=threads)
        self.threads = metric.threads
        self.hyps = list(as_words("hyps", hyps))
        rows = list(as_words("refs", refs))
        metric.corpus(self.hyps, rows)  # raises InputError for bad input
        if not self.hyps:
            raise InputError("the corpus is empty; give at least one segment")
        self.tokenized = isinstance(self.hyps[0], (list, tuple))
        self.columns = list(map(list, reference_columns(rows, tokenized=self.tokenized)))
        self.references = len(self.columns)
        self._present = np.array([[ref is not None for ref in c] for c in self.columns])
        self._counted: dict[tuple[Text, tuple[int, ...]], Integers] = {}

    def sample(self) -> str:
        """The text of some references."""
        return "".join("".join(text) for text in self.columns[0][:200] if text)

    def complete(self, references: tuple[int, ...]) -> bool:
        """Whether each segment has one of these references."""
        return bool(self._present[list(references)].any(axis=0).all())

    def selected(self, references: tuple[int, ...]) -> tuple[list[Any], list[list[Any]]]:
        """The hypotheses, and these references of each."""
        rows = zip(*(self.columns[i] for i in references), strict=True)
        return self.hyps, [[ref for ref in row if ref is not None] for row in rows]

    def text(self, dialect: Dialect, orders: int) -> Text:
        """The counts of a dialect up to this order; equal for dialects that count alike."""
        count = dialect.count
        names = ("measure", "keywords", "length_unit", "negative_totals")
        options = {name: getattr(count, name) for name in names}
        if count.references == "best":
            options["references"] = "best"
        tokenize = Tokenize(tokenize="none") if self.tokenized else dialect.tokenize
        return Text(dialect.normalize, tokenize, Count(max_ngram_order=orders, **options))

    def run(self, selections: Iterable[Selection]) -> None:
        """Count all selections, one text at a time on each thread."""
        wanted = defaultdict[Text, set[tuple[int, ...]]](set)
        for selection in selections:
            wanted[selection.text].add(selection.references)
            if selection.ref_len != "closest":  # needs the length of each reference
                wanted[selection.text] |= {(i,) for i in selection.references}
        # Tokenizers in Python first: they take longest, and run on one thread at a time.
        texts = sorted(wanted, key=lambda text: text.tokenize.tokenize in tokenizers.NATIVE)
        for counted in ordered(lambda text: self._count(text, wanted[text]), texts, self.threads):
            self._counted |= counted

    def _count(self, text: Text, references: Iterable[tuple[int, ...]]) -> dict[tuple[Text, tuple[int, ...]], Integers]:
        parts = (text.normalize, text.tokenize, text.counted, Aggregate(), Combine())
        bleu = BLEU(Dialect("sacrebleu", parts), threads=1)
        absent: Any = [] if self.tokenized else ""

        def rows(subset: tuple[int, ...]) -> Integers:
            hyps, refs = self.selected(subset)
            return np.asarray(bleu.stats(hyps, [row or [absent] for row in refs]))

        return {(text, subset): rows(subset) for subset in references}

    def rows(self, selection: Selection) -> Integers:
        """The row of each segment."""
        rows = self._counted[selection.text, selection.references]
        if selection.ref_len == "closest" and not selection.floor_totals:
            return rows
        rows = rows.copy()
        if selection.ref_len != "closest":
            lens = [self._counted[selection.text, (i,)][:, 1] for i in selection.references]
            table = np.ascontiguousarray(np.where(self._present[list(selection.references)], lens, -1).T)
            chosen = choosing(selection.ref_len).ref_lens(np.ascontiguousarray(rows[:, 0]), table)
            rows[:, 1] = np.frombuffer(chosen, np.int64)
        if selection.floor_totals:
            totals = rows[:, 2 + selection.text.counted.max_ngram_order :]
            np.maximum(totals, 1, out=totals)
        return rows


@cache
def choosing(rule: str) -> Kernel:
    """The plan with a rule for the reference length."""
    return compile_metric("bleu", {"ref_len": rule})

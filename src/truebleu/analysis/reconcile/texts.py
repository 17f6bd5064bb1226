# SPDX-License-Identifier: Apache-2.0
"""Texts as other people may have scored them, and their counts under many dialects.

Texts are normalized, exchanged, or laid out wrongly. What several dialects count alike is counted
once, and counts of any selection of references are kept. The rule for the reference length, and the
n-gram that some tools add for short segments, are applied to these counts without counting again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.reconcile import penalties
from truebleu.dialects.decisions import Aggregate, Combine, Dialect, Tokenize
from truebleu.errors import InputError
from truebleu.inputs.corpus import as_words, reference_columns
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import Kernel, compile_metric
from truebleu.metrics.workers import ordered
from truebleu.text.normalizations import PREPROCESSING, TYPOGRAPHY, Fix, normalizer

Integers = NDArray[np.int64]

#: N-grams up to this order are counted eight times as fast as longer ones.
FAST_ORDERS = 4


@dataclass(frozen=True, slots=True)
class Selection:
    """Everything that the counts of a segment depend on.

    Attributes:
        text: the dialect that tokenizes the text and counts.
        references: positions of the references that are used.
        ref_len: the rule for the reference length.
        floor_totals: whether each segment has at least one n-gram of each order.
    """

    text: Dialect
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
        self._counted: dict[tuple[Dialect, tuple[int, ...]], Integers] = {}

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

    def text(self, dialect: Dialect, orders: int) -> Dialect:
        """What counts like a dialect, up to this order; equal for dialects that count alike."""
        references = "best" if dialect.count.references == "best" else "all"
        counted = dialect.count.replace(max_ngram_order=orders, references=references, floor_totals=False)
        tokenize = Tokenize(tokenize="none") if self.tokenized else dialect.tokenize
        return Dialect("sacrebleu", (dialect.normalize, tokenize, counted, Aggregate(), Combine()))

    def run(self, selections: Iterable[Selection]) -> None:
        """Count all selections, one text at a time on each thread."""
        wanted = defaultdict[Dialect, set[tuple[int, ...]]](set)
        for selection in selections:
            wanted[selection.text].add(selection.references)
            if selection.ref_len != "closest":  # needs the length of each reference
                wanted[selection.text] |= {(i,) for i in selection.references}
        # Tokenizers in Python first: they take longest, and run on one thread at a time.
        texts = sorted(wanted, key=lambda text: text.tokenize.tokenize in tokenizers.NATIVE)
        for counted in ordered(lambda text: self._count(text, wanted[text]), texts, self.threads):
            self._counted |= counted

    def _count(self, text: Dialect, references: Iterable[References]) -> dict[tuple[Dialect, References], Integers]:
        bleu = BLEU(text, threads=1)
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
            totals = rows[:, 2 + selection.text.count.max_ngram_order :]
            np.maximum(totals, 1, out=totals)
        return rows


@cache
def choosing(rule: str) -> Kernel:
    """The plan with a rule for the reference length."""
    return compile_metric("bleu", {"ref_len": rule})


#: Penalty points of normalizations that people apply to whole files; of all others, and of
#: mistakes.
_USUAL = {
    "at-splits": 10, "moses-punctuation": 11, "moses-punctuation-de": 11, "nfkc": 12,
    "typography": 13,
}  # fmt: skip
_ROW, _EXCHANGED, _MARKED, _BY_SEGMENT = 14, 12, 14, 14

#: How scores of segments become the score of a corpus: their counts are added; their scores are
#: averaged; or their counts are added, but smoothing reads those of the last segment, as in NLTK's
#: methods 5 to 7.
CORPUS, MEAN, LAST = "corpus", "mean of segments", "corpus, smoothed by its last segment"


#: Positions of references.
References = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to score the corpus.

    Attributes:
        row: the tool; None for chrF and TER.
        changes: changed options with their values.
        references: positions of the references that are used.
        aggregation: how the scores of segments become one.
        metric: `bleu`, `chrf` or `ter`.
        texts: the change of the texts in words, if no option makes it.
    """

    row: Dialect | None
    changes: tuple[tuple[str, Any], ...]
    references: References
    aggregation: str
    metric: str = "bleu"
    texts: str = ""


Texts = list[Any]
#: From hypotheses and columns of references to changed ones.
Change = Callable[[Texts, list[Texts]], Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """The texts of all systems, changed in one way.

    Attributes:
        corpora: the texts of each system.
        points: penalty points of the change.
        words: the change in words.
        changes: the change as options of a metric.
        references: positions of the references that are used; None if each subset is tried.
    """

    corpora: Sequence[CorpusCounts]
    points: int = 0
    words: str = ""
    changes: tuple[tuple[str, Any], ...] = ()
    references: References | None = None

    def subsets(self) -> list[tuple[References, int]]:
        """Subsets of the references that no segment lacks, with their points."""
        if self.references is not None:
            return [(tuple(range(self.corpora[0].references)), 0)]
        subsets = penalties.subsets(self.corpora[0].references)
        return [(subset, points) for subset, points in subsets if self.complete(subset)]

    def complete(self, references: References) -> bool:
        """Whether each segment of all systems has one of these references."""
        return all(corpus.complete(references) for corpus in self.corpora)

    def setting(self, setting: Setting) -> Setting:
        """A setting with this change of the texts."""
        references = setting.references if self.references is None else self.references
        return replace(setting, changes=(*setting.changes, *self.changes), references=references, texts=self.words)


def variants(texts: Variant) -> Iterator[Variant]:
    """Texts changed in each way that changes something."""
    corpora = texts.corpora
    for variant, change in _changes(texts):
        changed = [change(corpus.hyps, corpus.columns) for corpus in corpora]
        if changed != [(corpus.hyps, corpus.columns) for corpus in corpora] and all(hyps for hyps, _ in changed):
            columns = ((hyps, list(zip(*columns, strict=True))) for hyps, columns in changed)
            yield replace(variant, corpora=[CorpusCounts(*pair, corpora[0].threads) for pair in columns])


def _changes(texts: Variant) -> Iterator[tuple[Variant, Change]]:
    first, everything = texts.corpora[0], tuple(range(texts.corpora[0].references))
    for i in everything:
        if texts.complete((i,)):
            words = "hypotheses and references exchanged"
            yield replace(texts, points=_EXCHANGED, words=words, references=(i,)), partial(_exchanged, i)
    if first.tokenized:
        return
    for name in ("typography", *(row.name for row in (*PREPROCESSING, *TYPOGRAPHY))):
        points, changes = _USUAL.get(name, _ROW), (("normalize", (name,)),)
        yield replace(texts, points=points, changes=changes), partial(_normalized, normalizer((name,)))
    words = "byte order mark kept in hypotheses, or in references"
    yield replace(texts, points=_MARKED, words=words), _marked
    if all(texts.complete((i,)) for i in everything):
        words = "references by segment, where sacreBLEU expects them by reference"
        by_segment = replace(texts, points=_BY_SEGMENT, words=words, references=everything)
        yield by_segment, lambda hyps, columns: _zipped(hyps, list(zip(*columns, strict=True)))
        if len(everything) == 1:
            words = "references as one list, where sacreBLEU expects a list of lists"
            yield replace(by_segment, words=words), lambda hyps, columns: _zipped(hyps, columns[0])


def _exchanged(reference: int, hyps: Texts, columns: list[Texts]) -> tuple[Texts, list[Texts]]:
    return columns[reference], [hyps]


def _normalized(fix: Fix, hyps: Texts, columns: list[Texts]) -> tuple[Texts, list[Texts]]:
    hyps, *columns = ([text and fix(text) for text in column] for column in (hyps, *columns))
    return hyps, columns


def _marked(hyps: Texts, columns: list[Texts]) -> tuple[Texts, list[Texts]]:
    return [hyps[0] and f"\ufeff{hyps[0]}", *hyps[1:]], columns


def _zipped(hyps: Texts, streams: Sequence[Any]) -> tuple[Texts, list[Texts]]:
    """What sacreBLEU scores with these streams of references: as many segments as all have."""
    rows = list(zip(hyps, *streams, strict=False))
    return list(hyps[: len(rows)]), [list(stream[: len(rows)]) for stream in streams]

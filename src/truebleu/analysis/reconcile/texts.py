# SPDX-License-Identifier: Apache-2.0
"""Texts as other people may have scored them: normalized, exchanged, or laid out wrongly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.counts import CorpusCounts
from truebleu.dialects.decisions import Dialect
from truebleu.text.normalizations import PREPROCESSING, TYPOGRAPHY, Fix, normalizer

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
        if changed != [(corpus.hyps, corpus.columns) for corpus in corpora]:
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

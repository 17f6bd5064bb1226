# SPDX-License-Identifier: Apache-2.0
"""Explanations of scores: each step for a segment, the lost points for a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.explain import formatting
from truebleu.analysis.explain.influence import NgramCost, ngram_costs, segment_costs
from truebleu.analysis.explain.overlap import Overlap, overlap, reference_list, token_reader
from truebleu.analysis.explain.worksheet import Worksheet, worksheet
from truebleu.dialects.changes import BLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, check_bool, check_int, quantity
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.score import Score
from truebleu.metrics.stats import Stats
from truebleu.text.results import Printed, plain


@dataclass(frozen=True, slots=True)
class Explanation(Printed):
    """A score and its calculation; `str()` describes it.

    Attributes:
        dialect: the dialect of the score.
        score: the score; `individual` and `cumulative` have the scores of each order alone and up
            to each order.
        worksheet: the calculation, and the points lost to each factor.
    """

    dialect: Dialect
    score: Score
    worksheet: Worksheet

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        score, sheet = self.score.to_dict(), self.worksheet.to_dict()
        return {"dialect": self.dialect.name, **score, "worksheet": sheet}


@dataclass(frozen=True, slots=True)
class SegmentExplanation(Explanation):
    """A segment scored by itself, step by step.

    Attributes:
        overlap: tokens and n-grams of hypothesis and references, and their matches.
        ref_lens: the number of tokens of each reference.
        chosen: the reference length of the brevity penalty, and the rule for it.
        number: the number of the segment in its corpus, from 1; None without a corpus.
        cost: change of the corpus score if the segment is removed; None without a corpus.
    """

    overlap: Overlap
    ref_lens: tuple[int, ...]
    chosen: str
    number: int | None = None
    cost: float | None = None

    def format(self, *, color: bool = False, terminal: int | None = None) -> str:
        """All steps in words; `terminal` is the width of the terminal in columns."""
        shared, sheet = self.overlap, self.worksheet
        number = "" if self.number is None else f"segment {self.number}: "
        scored = f"{self.dialect.name} scores a sentence"
        lines = formatting.title(number, self.score, scored, color=color)
        if self.cost is not None:
            change = f"{self.cost:+.{2 if sheet.scale > 1 else 4}f}"
            lines.append(f"Removing it changes the corpus score by {change}.")
        legend = formatting.legend(len(shared.ngrams), color=color)
        parts = {
            "1. tokens": [*legend, *_texts(shared, color, terminal)],
            "2. n-grams": formatting.ngrams(shared, sheet),
            "3. precisions": formatting.precisions(sheet),
            "4. length": [
                f"  hypothesis  c = {sheet.hyp_len} {self.dialect.count.length_unit}",
                f"  reference   r = {sheet.ref_len}: {self.chosen}",
                formatting.brevity(sheet),
            ],
            "5. score": [
                *formatting.product(sheet),
                "  Each order alone, and the orders up to it:",
                *formatting.orders(self.score, sheet),
            ],
        }
        return "\n".join([*lines, *formatting.sections(parts, color=color)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "segment": self.number,
            "cost": plain(self.cost),
            **Explanation.to_dict(self),
            "ref_lens": self.ref_lens,
            "chosen": self.chosen,
            "overlap": self.overlap.to_dict(),
        }


@dataclass(frozen=True, slots=True, eq=False)  # arrays do not compare to one truth value
class CorpusExplanation(Explanation):
    """A corpus with the costs of its segments and n-grams.

    Attributes:
        stats: the statistics of each segment.
        costs: for each segment, the score without it minus the score.
        sentences: the score of each segment by itself.
        unmatched: the costliest n-grams that do not match, the costliest first.
        missed: the costliest n-grams of references that the hypotheses lack.
        numbers: the numbers of the segments, from 1; of a part of a corpus, those in the whole.
    """

    stats: Stats
    costs: NDArray[np.float64]
    sentences: NDArray[np.float64]
    unmatched: tuple[NgramCost, ...]
    missed: tuple[NgramCost, ...]
    numbers: Sequence[int]
    _bleu: BLEU = field(repr=False)
    _hyps: tuple[Any, ...] = field(repr=False)
    _refs: tuple[Any, ...] = field(repr=False)

    def segment(self, number: int) -> SegmentExplanation:
        """The explanation of one segment; segments are counted from 1, like lines.

        Raises:
            InputError: the segment does not exist.
            OptionError: the number is not an integer.
        """
        number = check_int("number", number, 0)
        if number not in self.numbers:
            first, last = self.numbers[0], self.numbers[-1]
            raise InputError(f"there is no segment {number}; segments have numbers {first} to {last}")
        at = self.numbers.index(number)
        return _explain_segment(self._bleu, self._hyps[at], self._refs[at], number, float(self.costs[at]))

    def worst(self, count: int) -> list[int]:
        """The numbers of the costliest segments, the costliest first."""
        count = check_int("count", count, 0)
        return [self.numbers[i] for i in np.argsort(-self.costs, kind="stable")[:count]]

    def format(self, worst: int = 5, *, color: bool = False, terminal: int | None = None) -> str:
        """The calculation in words, the costliest segments and n-grams."""
        sheet, count = self.worksheet, len(self.stats)
        scored = f"{self.dialect.name} scores a corpus of {quantity(count, 'segment')}"
        lines = formatting.title("", self.score, scored, color=color)
        parts = {
            "the calculation": [
                *formatting.orders(self.score, sheet),
                *formatting.precisions(sheet),
                f"  lengths c = {sheet.hyp_len} (hypotheses), r = {sheet.ref_len} (references)",
                formatting.brevity(sheet),
                *formatting.product(sheet),
            ]
        }
        if check_int("worst", worst, 0):
            parts["costliest segments"] = listed = [
                "  cost: change of the corpus score if the segment is removed",
                *formatting.legend(len(sheet.terms), color=color),
            ]
            for segment in map(self.segment, self.worst(worst)):
                cost = formatting.cost(segment.cost or 0.0, sheet)
                alone = f"{segment.score.value:.{segment.score._width}f}"
                listed.append(f"  segment {segment.number}: cost {cost}, by itself {alone}")
                listed += _texts(segment.overlap, color, terminal)
        parts |= formatting.costly(self.unmatched, self.missed, sheet)
        return "\n".join([*lines, *formatting.sections(parts, color=color)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        columns = self.numbers, self.costs.tolist(), self.sentences.tolist(), self.stats
        keys = ("segment", "cost", "sentence", "stats")
        return {
            **Explanation.to_dict(self),
            "segments": [plain(dict(zip(keys, row, strict=True)))
                         for row in zip(*columns, strict=True)],
            "unmatched": plain(self.unmatched),
            "missed": plain(self.missed),
        }  # fmt: skip


# fmt: off
@overload
def explain(hyp: str, refs: Any, dialect: str | Dialect = "sacrebleu", *, segment: None = None,
            most: int = 20, **changes: Unpack[BLEUChanges]) -> SegmentExplanation: ...
@overload
def explain(hyp: Any, refs: Any, dialect: str | Dialect = "sacrebleu", *, segment: Literal[True],
            most: int = 20, **changes: Unpack[BLEUChanges]) -> SegmentExplanation: ...
@overload
def explain(hyp: Iterable[Any], refs: Any, dialect: str | Dialect = "sacrebleu", *,
            segment: Literal[False] | None = None, most: int = 20,
            **changes: Unpack[BLEUChanges]) -> CorpusExplanation: ...
# fmt: on


def explain(
    hyp: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    segment: bool | None = None,
    most: int = 20,
    **changes: Unpack[BLEUChanges],
) -> SegmentExplanation | CorpusExplanation:
    """Explain a score.

    A string is one segment, scored like `sentence_bleu`; every other `hyp` is a corpus, scored like
    `corpus_bleu`. A list of words is a corpus with one word in each segment, unless `segment=True`.

    Args:
        hyp: a segment or a column of segments.
        refs: the references of the segment, or a column of them.
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        segment: whether `hyp` is one segment; by default, whether it is a string.
        most: the largest number of unmatched and of missed n-grams of a corpus to list.
        changes: options to change, by name.

    Returns:
        For a segment, tokens, matches, precisions, lengths and their product. For a corpus, the
        points lost to orders, brevity, segments and n-grams.

    Raises:
        InputError: hypotheses and references are not aligned, or not text.
        OptionError: a dialect, an option or a value does not exist.

    Example:
        >>> from truebleu import explain
        >>> why = explain("the the cat", ["the cat sat"], max_ngram_order=2)
        >>> [(g.words, g.matched, g.clipped) for g in why.overlap.ngrams[0][:2]]
        [(('the',), 1, 1), (('cat',), 1, 0)]
        >>> [term.derivation for term in why.worksheet.terms]
        ['2 / 3', '1 / 2']
        >>> {name: round(points, 2) for name, points in why.worksheet.lost.items()}
        {'brevity': 0.0, 'order 1': 15.6, 'order 2': 26.67}
    """
    bleu = BLEU(dialect, **changes)
    if isinstance(hyp, str) if segment is None else check_bool("segment", segment):
        corpus.as_words("hyp and refs", (hyp, refs))
        return _explain_segment(bleu, hyp, refs)
    return explain_corpus(bleu, hyp, refs, check_int("most", most, 0))


def explain_corpus(
    bleu: BLEU, hyps: Any, refs: Any, most: int = 20, numbers: Sequence[int] | None = None
) -> CorpusExplanation:
    """Explain the score of a corpus; see `explain`, and `CorpusExplanation` for `numbers`."""
    hyps, refs = corpus.columns(hyps, refs)
    hyps, refs = corpus.as_words("hyps", hyps), corpus.as_words("refs", refs)
    score = bleu.corpus(hyps, refs)
    stats = bleu.stats(hyps, refs)
    sheet, numbers = worksheet(bleu.dialect, score), numbers or range(1, len(hyps) + 1)
    costs, sentences = segment_costs(bleu, stats), bleu.sentences(hyps, refs)
    ngrams = ngram_costs(bleu, score.stats, hyps, refs, most)
    return CorpusExplanation(bleu.dialect, score, sheet, stats, costs, sentences, *ngrams, numbers, bleu, hyps, refs)


def _explain_segment(
    bleu: BLEU, hyp: Any, refs: Any, number: int | None = None, cost: float | None = None
) -> SegmentExplanation:
    score = bleu.sentence(hyp, refs)
    dialect = bleu.sentence_dialect
    tokens = token_reader(bleu)
    ref_tokens = [tokens(ref) for ref in reference_list(hyp, refs)]
    lengths = tuple(map(len, ref_tokens))
    chosen = _chosen(dialect, score.hyp_len, lengths)
    shared = overlap(bleu, tokens(hyp), ref_tokens)
    return SegmentExplanation(dialect, score, worksheet(dialect, score), shared, lengths, chosen, number, cost)


def _texts(shared: Overlap, color: bool, terminal: int | None) -> list[str]:
    """Hypothesis and references, with the matches that cover their tokens."""
    texts = zip((shared.hyp, *shared.refs), (shared.hyp_covered, *shared.refs_covered), strict=True)
    lines = []
    for i, (tokens, covered) in enumerate(texts):
        label = f"reference {i}" if i else "hypothesis"
        lines += formatting.tokens(label, tokens, covered, color=color, terminal=terminal)
    return lines


def _chosen(dialect: Dialect, hyp_len: int, lengths: tuple[int, ...]) -> str:
    rule = dialect.aggregate.ref_len
    if rule == "pair":
        return "2 for all references"
    if len(lengths) == 1:
        return f"{lengths[0]}, of the only reference"
    rules = {
        **dict.fromkeys(("closest", "closest-first"), f"the closest to {hyp_len}"),
        "shortest": "the shortest",
        "longest": "the longest",
        "first": "the first",
        "average": "the average, rounded down,",
    }
    text = f"{rules[rule]} of {', '.join(map(str, lengths))}"
    if rule.startswith("closest") and len(set(lengths)) > len({abs(length - hyp_len) for length in lengths}):
        text += f"; of two as close, the {'shorter' if rule == 'closest' else 'first listed'}"
    return text

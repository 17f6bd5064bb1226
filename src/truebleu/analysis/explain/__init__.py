# SPDX-License-Identifier: Apache-2.0
"""Why a score is what it is: for one segment every stage, for a corpus what costs the points."""

from __future__ import annotations

from dataclasses import dataclass, field

from truebleu.analysis.explain import narration, notebook
from truebleu.analysis.explain.influence import ngram_costs, segment_costs
from truebleu.analysis.explain.overlap import overlap, reference_list, token_reader
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.errors import InputError, check_bool, check_int
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.text.json_text import for_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.explain.influence import NgramCost
    from truebleu.analysis.explain.overlap import Overlap
    from truebleu.analysis.explain.worksheet import Worksheet
    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score and how it came about. Frozen; `str()` tells it in words.

    Attributes:
        dialect: how it was computed.
        score: the score; its `individual` and `cumulative` are those of single orders and up to
            each order.
        worksheet: the sum on paper, and the points that each factor costs.
    """

    dialect: Dialect
    score: Score
    worksheet: Worksheet

    def _repr_html_(self) -> str:
        return notebook.explanation(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON."""
        return {
            "dialect": self.dialect.name,
            **self.score.to_dict(),
            "worksheet": self.worksheet.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class SegmentExplanation(Explanation):
    """A segment scored by itself, stage by stage.

    Attributes:
        overlap: tokens and n-grams of hypothesis and references, and what matches.
        ref_lens: tokens of each reference.
        chosen: which length the brevity penalty compares with, and why.
        number: the segment's in its corpus, from 1; None without a corpus.
        cost: points that the corpus would gain without it; None without a corpus.
    """

    overlap: Overlap
    ref_lens: tuple[int, ...]
    chosen: str
    number: int | None = None
    cost: float | None = None

    def __str__(self) -> str:
        return self.format()

    def format(self, *, color: bool = False, room: int | None = None) -> str:
        """All stages in words, with colors and in so many columns if a terminal is to have them."""
        shared, sheet = self.overlap, self.worksheet

        def heading(text: str) -> list[str]:
            return ["", narration.heading(text, color=color)]

        number = "" if self.number is None else f"segment {self.number}: "
        scored = f"{self.dialect.name} scores a sentence"
        lines = narration.title(number, self.score, scored, color=color)
        if self.cost is not None:
            lines.append(f"Without it the corpus gains {narration.cost(self.cost, sheet)} points.")
        lines += heading("1. tokens") + narration.legend(len(shared.ngrams), color=color)
        lines += _texts(shared, color, room)
        lines += heading("2. n-grams") + narration.ngrams(shared, sheet)
        lines += heading("3. precisions") + narration.precisions(sheet)
        unit = self.dialect.count.length_unit
        lines += heading("4. length")
        lines.append(f"  hypothesis  c = {sheet.hyp_len} {unit}")
        lines.append(f"  reference   r = {sheet.ref_len}: {self.chosen}")
        lines += narration.brevity(sheet) + heading("5. score") + narration.product(sheet)
        lines.append("  Each order alone, and the orders up to it:")
        return "\n".join(lines + narration.orders(self.score, sheet))

    def _repr_html_(self) -> str:
        return notebook.segment(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON."""
        return {
            "segment": self.number,
            "cost": for_json(self.cost),
            **Explanation.to_dict(self),
            "ref_lens": self.ref_lens,
            "chosen": self.chosen,
            "overlap": self.overlap.to_dict(),
        }


@dataclass(frozen=True, slots=True, eq=False)  # arrays do not compare to one truth
class CorpusExplanation(Explanation):
    """A corpus: what its segments and n-grams cost.

    Attributes:
        stats: the row of each segment.
        costs: for each segment the score without it less the score: what it costs the corpus.
        sentences: the score of each segment by itself.
        unmatched: the n-grams that cost most by not matching, the most costly first.
        missed: the n-grams of references that cost most by not being there.
    """

    stats: Stats
    costs: NDArray[np.float64]
    sentences: NDArray[np.float64]
    unmatched: tuple[NgramCost, ...]
    missed: tuple[NgramCost, ...]
    _bleu: BLEU = field(repr=False)
    _hyps: tuple[Any, ...] = field(repr=False)
    _refs: tuple[Any, ...] = field(repr=False)

    def segment(self, number: int) -> SegmentExplanation:
        """The explanation of one segment, counted from 1 as lines are.

        Raises:
            InputError: there is no such segment.
            OptionError: it is no number.
        """
        count = len(self._hyps)
        number = check_int("number", number, 0)
        if not 1 <= number <= count:
            raise InputError(f"there is no segment {number}; they are numbered from 1 to {count}")
        at = number - 1
        cost = float(self.costs[at])
        return _explain_segment(self._bleu, self._hyps[at], self._refs[at], number, cost)

    def worst(self, count: int) -> list[int]:
        """The numbers of the segments that cost most, the most costly first."""
        import numpy as np

        count = check_int("count", count, 0)
        return [int(i) + 1 for i in np.argsort(-self.costs, kind="stable")[:count]]

    def __str__(self) -> str:
        return self.format()

    def format(self, worst: int = 5, *, color: bool = False, room: int | None = None) -> str:
        """The sum in words, the `worst` segments and the n-grams that cost most."""
        sheet, count = self.worksheet, len(self.stats)
        scored = f"{self.dialect.name} scores a corpus of {count} segments"
        lines = narration.title("", self.score, scored, color=color)
        lines += ["", narration.heading("the sum", color=color)]
        lines += narration.orders(self.score, sheet) + narration.precisions(sheet)
        lines.append(
            f"  lengths c = {sheet.hyp_len} (hypotheses), r = {sheet.ref_len} (references)"
        )
        lines += narration.brevity(sheet) + narration.product(sheet)
        if check_int("worst", worst, 0):
            lines += ["", narration.heading("segments that cost most", color=color)]
            lines.append("  cost: what the corpus would gain without the segment")
            lines += narration.legend(len(sheet.terms), color=color)
        for number in self.worst(worst):
            found = self.segment(number)
            cost = narration.cost(float(self.costs[number - 1]), sheet)
            alone = f"{found.score.value:.{found.score._width}f}"
            lines.append(f"  segment {number}: cost {cost}, by itself {alone}")
            lines += _texts(found.overlap, color, room)
        lines += narration.costly(self.unmatched, self.missed, sheet, color=color)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return notebook.corpus(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, ready for JSON."""
        costs, sentences = self.costs.tolist(), self.sentences.tolist()
        return {
            **Explanation.to_dict(self),
            "segments": [
                {
                    "segment": number,
                    "cost": for_json(cost),
                    "sentence": for_json(sentence),
                    "stats": row,
                }
                for number, (cost, sentence, row) in enumerate(
                    zip(costs, sentences, self.stats, strict=True), start=1
                )
            ],
            "unmatched": [gram.to_dict() for gram in self.unmatched],
            "missed": [gram.to_dict() for gram in self.missed],
        }


def explain(
    hyp: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    segment: bool | None = None,
    most: int = 20,
    **changes: Any,
) -> SegmentExplanation | CorpusExplanation:
    """Why a score is what it is.

    A string is one segment, scored as `sentence_bleu` does; every other `hyp` is a corpus, a
    column of segments as `corpus_bleu` takes it. So a list of words is a corpus of so many
    segments, unless `segment=True` says that it is the words of one.

    Args:
        hyp: a segment or a column of segments.
        refs: the references of the segment, or a column of them.
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        segment: whether `hyp` is one segment; by default, if it is a string.
        most: how many n-grams of a corpus to name, of those that do not match and of those that
            are missed.
        changes: options to change, by name.

    Returns:
        For a segment, tokens, matches, precisions, lengths and their product. For a corpus, what
        orders, brevity, segments and n-grams cost.

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


def explain_corpus(bleu: BLEU, hyps: Any, refs: Any, most: int = 20) -> CorpusExplanation:
    """Why a corpus scores what it does; see `explain`."""
    hyps, refs = corpus.columns(hyps, refs)
    hyps, refs = corpus.as_words("hyps", hyps), corpus.as_words("refs", refs)
    score = bleu.corpus(hyps, refs)
    stats = bleu.stats(hyps, refs)
    tokens = token_reader(bleu)
    segments = (
        (tokens(hyp), [tokens(ref) for ref in reference_list(hyp, row)])
        for hyp, row in zip(hyps, refs, strict=True)
    )
    unmatched, missed = ngram_costs(bleu, score.stats, segments, most)
    return CorpusExplanation(
        bleu.dialect, score, worksheet(bleu.dialect, score), stats, segment_costs(bleu, stats),
        bleu.sentences(hyps, refs), unmatched, missed, bleu, hyps, refs,
    )  # fmt: skip


def _explain_segment(
    bleu: BLEU, hyp: Any, refs: Any, number: int | None = None, cost: float | None = None
) -> SegmentExplanation:
    score = bleu.sentence(hyp, refs)
    dialect = bleu.sentence_dialect
    tokens = token_reader(bleu)
    ref_tokens = [tokens(ref) for ref in reference_list(hyp, refs)]
    lengths = tuple(map(len, ref_tokens))
    chosen = _chosen(dialect, score.hyp_len, lengths)
    shared = overlap(dialect, tokens(hyp), ref_tokens)
    sheet = worksheet(dialect, score)
    return SegmentExplanation(dialect, score, sheet, shared, lengths, chosen, number, cost)


def _texts(shared: Overlap, color: bool, room: int | None) -> list[str]:
    """The tokens of hypothesis and references."""
    lines = narration.tokens("hypothesis", shared.hyp, shared.hyp_covered, color=color, room=room)
    for i, tokens in enumerate(zip(shared.refs, shared.refs_covered, strict=True), start=1):
        lines += narration.tokens(f"reference {i}", *tokens, color=color, room=room)
    return lines


def _chosen(dialect: Dialect, hyp_len: int, lengths: tuple[int, ...]) -> str:
    rule = dialect.aggregate.ref_len
    if rule == "pair":
        return "2, whatever the references are"
    if len(lengths) == 1:
        return f"{lengths[0]}, of the only reference"
    said = {
        "closest": f"the closest to {hyp_len}",
        "closest-first": f"the closest to {hyp_len}",
        "shortest": "the shortest",
        "longest": "the longest",
        "first": "the first",
        "average": "the average, rounded down,",
    }
    text = f"{said[rule]} of {', '.join(map(str, lengths))}"
    distances = [abs(length - hyp_len) for length in lengths]
    if rule.startswith("closest") and len(set(lengths)) > len(set(distances)):
        text += f"; of two as close the {'shorter' if rule == 'closest' else 'one listed first'}"
    return text

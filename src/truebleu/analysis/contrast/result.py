# SPDX-License-Identifier: Apache-2.0
"""The result of a contrast, as a value and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from truebleu.analysis.contrast.breakdowns import Part
from truebleu.analysis.contrast.groups import Group
from truebleu.analysis.contrast.segments import SegmentContrast
from truebleu.analysis.explain.formatting import legend, sections, table, tokens
from truebleu.analysis.segment_scores import SegmentScores
from truebleu.errors import check_bool
from truebleu.metrics.intervals import Interval
from truebleu.metrics.score import Score
from truebleu.text.escaping import shortened, visible
from truebleu.text.json_text import for_json
from truebleu.text.results import Printed, Record


@dataclass(frozen=True, slots=True)
class Contrast(Printed, Record):
    """Why A and B score differently; `str()` describes it.

    Attributes:
        a: the name of the first system.
        b: the name of the second.
        score_a: the score of A.
        score_b: the score of B.
        interval: the percentile interval of the difference, from the bootstrap.
        groups: the parts of the difference: typography, then `GROUPS`. Their points add up to it.
        segments: those without which the difference would be smallest, the most decisive first.
        by_frequency: words of the references by their frequency.
        by_position: words of the references by the third of the segment that they are in.
        by_length: scores by the length of the first reference, in tokens.
        by_domain: scores by domain; empty without domains.
        units: segments or documents that were resampled.
        scores: those of segments from elsewhere.
    """

    a: str
    b: str
    score_a: Score
    score_b: Score
    interval: Interval
    groups: tuple[Group, ...]
    segments: tuple[SegmentContrast, ...]
    by_frequency: tuple[Part, ...]
    by_position: tuple[Part, ...]
    by_length: tuple[Part, ...]
    by_domain: tuple[Part, ...]
    units: int
    scores: tuple[SegmentScores, ...] = ()

    @property
    def difference(self) -> float:
        """The score of A minus that of B."""
        return self.score_a.value - self.score_b.value

    def format(self, *, color: bool = False, terminal: int | None = None) -> str:
        """All parts as text; `terminal` is the width of the terminal in columns."""
        color, signed = check_bool("color", color), self._signed
        lines = [
            f"{letter}: {score.value:.{score._width}f} of {score.scale}   {visible(name)}"
            for letter, score, name in (("A", self.score_a, self.a), ("B", self.score_b, self.b))
        ]
        lines.append(f"A - B: {signed(self.difference)}, 95 % interval {signed(*self.interval)}")
        lines.append(self.score_a.signature)
        rows = [("group", "points", "95 % interval")]
        rows += [(group.name, signed(group.points), signed(*group.interval)) for group in self.groups]
        rows.append(("sum", signed(self.difference), ""))
        parts = {"what the difference consists of": [_GROUPS, *table(rows)]}
        grams = [
            f"  {letter}  {group.name:18}  {' | '.join(listed)}"
            for group in self.groups
            for letter, listed in _by_winner(group)
        ]
        if grams:
            parts["n-grams that only one system matches"] = [_NGRAM_COUNTS, *grams]
        if self.segments:
            deciding = [_SEGMENTS, *legend(len(self.score_a.precisions), color=color)]
            parts["segments that decide it"] = deciding
            for segment in self.segments:
                deciding.append(f"  segment {segment.number}: {_influence(self, segment)}")
                for label, words, covered in _texts(segment):
                    deciding += tokens(f"  {label}", words, covered, color=color, terminal=terminal)
        parts |= _breakdowns(self)
        if self.scores:
            listed = [f"  {line}" for own in self.scores for line in _elsewhere(self, own)]
            parts["scores from elsewhere"] = [_ELSEWHERE, *listed]
        return "\n".join([*lines, *sections(parts, color=color)])

    def _signed(self, *points: float) -> str:
        """A number of points with its sign, or an interval."""
        return " to ".join(f"{end:+.{2 if self.score_a.scale > 1 else 4}f}" for end in points)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        entry = Record.to_dict(self)
        scores = ((entry.pop(f"score_{key}"), entry.pop(key)) for key in ("a", "b"))
        a, b = ({**score, "name": name} for score, name in scores)
        if not self.scores:
            del entry["scores"]
        return {"a": a, "b": b, "difference": for_json(self.difference), **entry}


# ---------------------------------------------------------------- in words

#: The largest width of the names of domains.
_NAME = 16

#: Segments on which scores from elsewhere disagree most.
_OPPOSED = 5
_ELSEWHERE = "  Below each, the segments on which it disagrees most with sentence scores."
#: The number of n-grams in a line.
_NGRAMS = 10

_GROUPS = "  Points that A gains over B; they add up to the difference."
_NGRAM_COUNTS = "  How often only A matches an n-gram, and how often only B; the clearest ones first."
_SEGMENTS = "  The difference minus that without the segment. Brackets: where A and B differ."


def _elsewhere(result: Contrast, scores: SegmentScores) -> Iterator[str]:
    """The means of A and B, the correlation, and the segments of the largest disagreement."""
    a, b, digits = scores.means[result.a], scores.means[result.b], scores.decimals
    yield f"{scores.name}: A {a:.{digits}f}, B {b:.{digits}f}, A - B {a - b:+.{digits}f}"
    yield scores.sentence()
    for i in scores.opposed(result.a, result.b)[:_OPPOSED]:
        bleu, other = (own[result.a][i] - own[result.b][i] for own in (scores.sentences, scores.values))
        yield f"segment {i + 1}: A - B {result._signed(bleu)}, {scores.name} {other:+.{digits}f}"


def _by_winner(group: Group) -> Iterator[tuple[str, list[str]]]:
    """The n-grams that A matches more often, then those that B does, with both counts."""
    for letter, sign in (("A", 1), ("B", -1)):
        listed = [
            f"{visible(' '.join(gram.words)) or repr('')} {gram.a}:{gram.b}"
            for gram in group.ngrams
            if sign * (gram.a - gram.b) > 0
        ]
        if listed:
            yield letter, listed[:_NGRAMS]


def _influence(result: Contrast, segment: SegmentContrast) -> str:
    width = 4 if result.score_a.scale > 1 else 6
    alone = ", ".join(
        f"{letter} {side.score:.{result.score_a._width}f}" for letter, side in (("A", segment.a), ("B", segment.b))
    )
    return f"{segment.influence:+.{width}f}, by itself {alone}"


def _texts(segment: SegmentContrast) -> Iterator[tuple[str, Sequence[str], tuple[int, ...] | None]]:
    """The references and both hypotheses, with brackets around different words, and matches."""
    for i, ref in enumerate(segment.refs, start=1):
        yield f"reference {i}" if len(segment.refs) > 1 else "reference", ref, None
    for letter, side in (("A", segment.a), ("B", segment.b)):
        words = list(side.tokens)
        for different, group in groupby(range(len(words)), side.different.__getitem__):
            places = list(group)
            if different:
                words[places[0]] = f"[{words[places[0]]}"
                words[places[-1]] += "]"
        yield letter, words, side.covered


def _breakdowns(result: Contrast) -> dict[str, list[str]]:
    """The tables that are not empty, by their titles."""
    matched = "  Percentage of the references' words, without punctuation, that match."
    scored = "  Scores of the segments."
    tables = {}
    for title, remark, first, size, parts in (
        ("by word frequency", matched, "frequency", "words", result.by_frequency),
        ("by position in the reference", matched, "third", "words", result.by_position),
        ("by length of the reference", scored, "tokens", "segments", result.by_length),
        ("by domain", scored, "domain", "segments", result.by_domain),
    ):
        rows = [(first, size, "A", "B", "A - B")]
        for part in parts:
            name, scores = shortened(visible(part.name), _NAME), (f"{part.a:.2f}", f"{part.b:.2f}")
            rows.append((name, f"{part.size:,}", *scores, f"{part.difference:+.2f}"))
        if parts:
            tables[title] = [remark, *table(rows)]
    return tables

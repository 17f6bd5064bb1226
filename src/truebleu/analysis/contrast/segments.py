# SPDX-License-Identifier: Apache-2.0
"""Segments that decide a difference, with both hypotheses side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from truebleu.analysis.explain.overlap import overlap, reference_list, token_reader
from truebleu.metrics.bleu import BLEU
from truebleu.text.results import Record

#: In longer texts, words that are frequent there begin no match: all pairs would take minutes.
_LONG = 2000


@dataclass(frozen=True, slots=True)
class Side(Record):
    """A hypothesis next to another one.

    Attributes:
        score: of the segment by itself.
        tokens: of the hypothesis.
        covered: for each token, the length of the longest match that covers it.
        different: for each token, whether the other hypothesis lacks it here.
    """

    score: float
    tokens: tuple[str, ...]
    covered: tuple[int, ...]
    different: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SegmentContrast(Record):
    """A segment and its share in a difference.

    Attributes:
        number: its number in the corpus, from 1.
        influence: the difference of the corpus minus the difference without this segment.
        a: the hypothesis of A.
        b: the hypothesis of B.
        refs: the tokens of each reference.
    """

    number: int
    influence: float
    a: Side
    b: Side
    refs: tuple[tuple[str, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        entry = Record.to_dict(self)
        return {"segment": entry.pop("number"), **entry, "references": entry.pop("refs")}


def segment_contrast(bleu: BLEU, number: int, influence: float, hyps: Sequence[Any], refs: Any) -> SegmentContrast:
    """The hypotheses of A and B for a segment, and its references."""
    tokens = token_reader(bleu)
    ref_tokens = [tokens(ref) for ref in reference_list(hyps[0], refs)]
    a, b = (tokens(hyp) for hyp in hyps)
    different: tuple[list[bool], list[bool]] = ([True] * len(a), [True] * len(b))
    for same in SequenceMatcher(None, a, b, autojunk=max(len(a), len(b)) > _LONG).get_matching_blocks():
        for flags, start in zip(different, (same.a, same.b), strict=True):
            flags[start : start + same.size] = [False] * same.size
    side_a, side_b = (
        Side(bleu.sentence(hyp, refs).value, tuple(words), overlap(bleu, words, ref_tokens).hyp_covered, tuple(flags))
        for hyp, words, flags in zip(hyps, (a, b), different, strict=True)
    )
    return SegmentContrast(number, influence, side_a, side_b, tuple(map(tuple, ref_tokens)))

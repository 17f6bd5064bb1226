# SPDX-License-Identifier: Apache-2.0
"""The n-grams that a hypothesis shares with its references, and the tokens that they cover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.errors import InputError
from truebleu.inputs.corpus import is_missing
from truebleu.metrics import kernel, tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.text.results import Record, plain

#: Bytes of memory for an n-gram, in addition to 8 for each of its words.
_GRAM = 400


@dataclass(frozen=True, slots=True)
class Ngram(Record):
    """An n-gram of a hypothesis or of its references, and its counts.

    Attributes:
        words: its tokens.
        in_hyp: occurrences in the hypothesis.
        in_refs: occurrences in each reference; 0 in references that do not count.
        possible: occurrences that are counted: in the hypothesis or, if recall is measured, in all
            references.
        matched: counted occurrences that match.
        weight: weight of an occurrence.
        clipped: occurrences in the hypothesis beyond those that can match.
        unmatched: occurrences in the hypothesis if no reference contains the n-gram.
        missed: occurrences in a reference that the hypothesis lacks.
    """

    words: tuple[str, ...]
    in_hyp: int
    in_refs: tuple[int, ...]
    possible: int
    matched: int
    weight: int
    clipped: int
    unmatched: int
    missed: int

    @property
    def allowed(self) -> int:
        """The largest count in a reference: the limit of the matches."""
        return max(self.in_refs)

    @property
    def allowed_by(self) -> tuple[int, ...]:
        """The references, from 1, that each contain all matched occurrences."""
        if not self.matched:
            return ()
        enough = min(self.in_hyp, self.allowed)
        return tuple(i for i, times in enumerate(self.in_refs, 1) if times >= enough)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**Record.to_dict(self), "allowed_by": list(self.allowed_by)}


@dataclass(frozen=True, slots=True)
class Overlap:
    """The n-grams that a hypothesis shares with its references.

    Attributes:
        hyp: the tokens of the hypothesis, after normalization.
        refs: the tokens of each reference.
        ngrams: for each order, the n-grams of the hypothesis, then others of the references, in
            the order of the text.
        hyp_covered: for each token, the length of the longest match that covers it. Of a clipped
            n-gram, the first occurrences match.
        refs_covered: the same for each reference.
    """

    hyp: tuple[str, ...]
    refs: tuple[tuple[str, ...], ...]
    ngrams: tuple[tuple[Ngram, ...], ...]
    hyp_covered: tuple[int, ...]
    refs_covered: tuple[tuple[int, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        texts = zip((self.hyp, *self.refs), (self.hyp_covered, *self.refs_covered), strict=True)
        hyp, *refs = ({"tokens": tokens, "covered": covered} for tokens, covered in texts)
        return {**hyp, "references": refs, "ngrams": plain(self.ngrams)}


def overlap(bleu: BLEU, hyp: Sequence[Any], refs: Sequence[Sequence[Any]]) -> Overlap:
    """The n-grams that a hypothesis shares with its references, from their tokens."""
    texts = [hyp, *refs]
    orders = range(1, bleu.dialect.count.max_ngram_order + 1)
    kernel.check_memory(sum((_GRAM + 8 * n) * max(0, len(text) - n + 1) for n in orders for text in texts))
    ngrams, covered = kernel.matches(bleu.plan, [list(map(str, text)) for text in texts])

    def ngram(order: int, places: list[list[int]], counts: list[int]) -> Ngram:
        text, start = places[0]
        in_hyp, *in_refs = map([text for text, _ in places].count, range(len(texts)))
        return Ngram(tuple(texts[text][start : start + order]), in_hyp, tuple(in_refs), *counts)

    of_orders = [tuple(ngram(order, *gram) for gram in grams) for order, grams in enumerate(ngrams, start=1)]
    (own, *others), (hyp_covered, *refs_covered) = (map(tuple, side) for side in (texts, covered))
    return Overlap(own, tuple(others), tuple(of_orders), hyp_covered, tuple(refs_covered))


def token_reader(bleu: BLEU) -> Callable[[Any], list[str]]:
    """A function from a segment, as text or words, to the tokens that `bleu` counts."""
    normalize = bleu.dialect.normalize

    def tokens(item: Any) -> list[str]:
        if isinstance(item, str):
            return bleu.tokens(item)
        if not normalize.lowercase:
            return list(item)
        # Ids have no case.
        return [tokenizers.lower(normalize, own) if isinstance(own, str) else own for own in item]

    return tokens


def reference_list(hyp: Any, refs: Any) -> list[Any]:
    """The present references of a segment as a list; `refs` may be a single reference."""
    single = isinstance(refs, str) or (
        not isinstance(hyp, str) and all(isinstance(word, str) or hasattr(word, "__index__") for word in refs)
    )
    present = [refs] if single else [ref for ref in refs if not is_missing(ref)]
    if not present:
        raise InputError("a segment has no reference; each hypothesis needs at least one")
    return present

# SPDX-License-Identifier: Apache-2.0
"""The n-grams that a hypothesis shares with its references, and the tokens that they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.kernel import check_memory
from truebleu.spec.numbers import ngrams

Gram = tuple[str, ...]


#: Bytes of memory for an n-gram, in addition to 8 for each of its words.
_GRAM = 400


@dataclass(frozen=True, slots=True)
class Ngram:
    """An n-gram of a hypothesis or of its references, and its counts.

    Attributes:
        words: its tokens.
        in_hyp: occurrences in the hypothesis.
        in_refs: occurrences in each reference that is matched; 0 in those that do not count.
        possible: occurrences that are counted: in the hypothesis or, if recall is measured, in all
            references.
        matched: counted occurrences that match.
        weight: weight of an occurrence.
    """

    words: Gram
    in_hyp: int
    in_refs: tuple[int, ...]
    possible: int
    matched: int
    weight: int

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

    @property
    def clipped(self) -> int:
        """Occurrences of a matching n-gram in the hypothesis beyond the limit."""
        return max(0, self.in_hyp - self.allowed) if self.allowed else 0

    @property
    def unmatched(self) -> int:
        """Occurrences in the hypothesis if no reference contains the n-gram."""
        return 0 if self.allowed else self.in_hyp

    @property
    def missed(self) -> int:
        """Occurrences in a reference that the hypothesis lacks."""
        return max(0, self.allowed - self.in_hyp)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        counts = ("allowed_by", "clipped", "unmatched", "missed")
        return {**asdict(self), **{name: getattr(self, name) for name in counts}}


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
        return {
            "tokens": self.hyp,
            "covered": self.hyp_covered,
            "references": [
                {"tokens": tokens, "covered": covered}
                for tokens, covered in zip(self.refs, self.refs_covered, strict=True)
            ],
            "ngrams": [[gram.to_dict() for gram in grams] for grams in self.ngrams],
        }


def overlap(dialect: Dialect, hyp: Sequence[str], refs: Sequence[Sequence[str]]) -> Overlap:
    """The n-grams that a hypothesis shares with its references, as `dialect` counts them."""
    pool = refs[:1] if dialect.count.references == "first" else refs
    orders = range(1, dialect.count.max_ngram_order + 1)
    lengths = list(map(len, (hyp, *pool)))
    check_memory(
        sum((_GRAM + 8 * n) * max(0, length - n + 1) for n in orders for length in lengths)
    )
    counted = [[ngrams(tokens, n) for tokens in (hyp, *pool)] for n in orders]
    if dialect.count.references == "best" and dialect.count.measure != "recall":
        shared = _SHARED[dialect.count.measure]
        counted = [_with_best(shared, *counts) for counts in counted]
    grams = tuple(
        tuple(_ngram(dialect, gram, counts) for gram in dict.fromkeys(chain(*counts)))
        for counts in counted
    )
    return Overlap(
        tuple(hyp),
        tuple(map(tuple, refs)),
        grams,
        _covered(hyp, (reduce(or_, counts[1:]) for counts in counted)),
        tuple(_covered(ref, (counts[0] for counts in counted)) for ref in refs),
    )


#: How often an n-gram matches, from its counts in the hypothesis and in a reference.
_SHARED: dict[str, Callable[[int, int], int]] = {
    "precision": min,
    "simple-precision": lambda in_hyp, in_ref: in_hyp * (in_ref > 0),
    "reference-counts": lambda in_hyp, in_ref: in_ref * (in_hyp > 0),
}


def _with_best(
    shared: Callable[[int, int], int], hyp: Counter[Gram], *refs: Counter[Gram]
) -> list[Counter[Gram]]:
    """The counts of an order without those of references that are not the best one."""
    best = max(refs, key=lambda ref: sum(shared(hyp[gram], ref[gram]) for gram in hyp))
    return [hyp, *(ref if ref is best else Counter() for ref in refs)]


def _ngram(dialect: Dialect, gram: Gram, counts: Sequence[Counter[Gram]]) -> Ngram:
    in_hyp, *in_refs = (counter[gram] for counter in counts)
    if dialect.count.measure == "recall":
        weight = 5 if len(gram) == 1 and gram[0] in dialect.count.keywords else 1
        matched = sum(min(in_hyp, times) for times in in_refs)
        return Ngram(gram, in_hyp, tuple(in_refs), sum(in_refs), matched, weight)
    matched = _SHARED[dialect.count.measure](in_hyp, max(in_refs))
    return Ngram(gram, in_hyp, tuple(in_refs), in_hyp, matched, 1)


def _covered(tokens: Sequence[str], allowed: Iterable[Counter[Gram]]) -> tuple[int, ...]:
    """For each token, the length of the longest match; `allowed` has the counts of each order."""
    covered = [0] * len(tokens)
    for n, times in enumerate(allowed, start=1):
        left: Counter[Gram] = Counter()
        matches = False
        for i in range(len(tokens) - n + 1):
            gram = tuple(tokens[i : i + n])
            left[gram] += 1
            if left[gram] <= times[gram]:
                covered[i : i + n] = [n] * n
                matches = True
        if not matches:
            break  # a longer match would start with one of this order
    return tuple(covered)


def token_reader(bleu: BLEU) -> Callable[[Any], list[str]]:
    """A function from a segment, as text or words, to the tokens that `bleu` counts."""
    normalize = bleu.dialect.normalize

    def tokens(item: Any) -> list[str]:
        if isinstance(item, str):
            return bleu.tokens(item)
        words = list(item)
        if not normalize.lowercase:
            return words
        return [
            tokenizers.lower(normalize, word) if isinstance(word, str) else word  # ids have no case
            for word in words
        ]

    return tokens


def reference_list(hyp: Any, refs: Any) -> list[Any]:
    """The present references of a segment as a list; `refs` may be a single reference."""
    single = isinstance(refs, str) or (
        not isinstance(hyp, str)
        and all(isinstance(word, str) or hasattr(word, "__index__") for word in refs)
    )
    present = [refs] if single else [ref for ref in refs if ref is not None]
    if not present:
        raise InputError("a segment has no reference; each hypothesis needs at least one")
    return present

# SPDX-License-Identifier: Apache-2.0
"""Mistakes that no dialect makes, by what they do in words: in reading, counting, combining."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.identify.probes import Probe

Array = NDArray[Any]
Words = Sequence[str]
Grams = Counter[Any]

# ---------------------------------------------------------------------- reading


def _texts(hyp: Callable[[str], str], ref: Callable[[str], str]) -> Callable[[Probe], Probe]:
    """Changes the texts of each side."""
    return lambda p: replace(
        p, hyps=tuple(map(hyp, p.hyps)), refs=tuple(tuple(map(ref, refs)) for refs in p.refs)
    )


def _cut(size: int) -> Callable[[str], str]:
    return lambda text: text if len(text.split()) <= size else " ".join(text.split()[:size])


def _joined(probe: Probe) -> Probe:
    most = max(map(len, probe.refs))
    refs = tuple(" ".join(own[min(i, len(own) - 1)] for own in probe.refs) for i in range(most))
    return replace(probe, hyps=(" ".join(probe.hyps),), refs=(refs,))


def _without_empty(probe: Probe) -> Probe:
    pairs = [(hyp, refs) for hyp, refs in zip(probe.hyps, probe.refs, strict=True) if hyp.strip()]
    hyps, refs = zip(*pairs, strict=True) if pairs else (("",), (("x",),))
    return replace(probe, hyps=hyps, refs=refs)


#: Other texts than those that are passed.
READING: dict[str, Callable[[Probe], Probe]] = {
    "exchanges hypotheses and references": lambda p: replace(
        p, hyps=tuple(own[0] for own in p.refs), refs=tuple((hyp,) for hyp in p.hyps)),
    "joins all segments into one": _joined,
    "reads only the first segment": lambda p: replace(p, hyps=p.hyps[:1], refs=p.refs[:1]),
    "reads only the last reference": lambda p: replace(p, refs=tuple(r[-1:] for r in p.refs)),
    "joins the references of a segment": lambda p: replace(
        p, refs=tuple((" ".join(own),) for own in p.refs)),
    "leaves out empty hypotheses": _without_empty,
    "lowercases only hypotheses": _texts(str.lower, str),
    "lowercases only references": _texts(str, str.lower),
    **{f"reads only the first {size} tokens": _texts(_cut(size), _cut(size))
       for size in (20, 32, 50, 64, 100, 128, 256, 512)},
}  # fmt: skip
#: How scores of each reference alone become the score of a segment.
EACH_REFERENCE: dict[str, Any] = {
    "takes the best score over the references": np.maximum,
    "averages the scores over the references": np.add,
}

# ---------------------------------------------------------------------- counting


def ngrams(words: Words, order: int) -> Grams:
    """The n-grams of a segment with their counts."""
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def _union(refs: Sequence[Grams]) -> Grams:
    union: Grams = Counter()
    for ref in refs:
        union |= ref
    return union


@dataclass(frozen=True, slots=True)
class Counting:
    """How a segment is counted.

    There are the n-grams of an order; how many of the hypothesis match those of each reference, and
    by how many that is divided; the length of a text; and the reference length, from all lengths,
    or None for the dialect's.
    """

    ngrams: Callable[[Words, int], Grams] = ngrams
    matches: Callable[[Grams, Sequence[Grams]], int] = lambda h, refs: (h & _union(refs)).total()
    total: Callable[[Grams, Sequence[Grams]], int] = lambda h, _: h.total()
    length: Callable[[Words], int] = len
    ref_len: Callable[[int, Sequence[int]], int] | None = None

    def count(self, hyp: Words, refs: Sequence[Words], orders: int) -> tuple[list[int], list[int]]:
        """Matches and totals of all orders."""
        grams = [(self.ngrams(hyp, n), [self.ngrams(ref, n) for ref in refs])
                 for n in range(1, orders + 1)]  # fmt: skip
        return [self.matches(*own) for own in grams], [self.total(*own) for own in grams]


def _as_text(separator: str) -> Callable[[Words, int], Grams]:
    return lambda words, n: Counter(separator.join(gram) for gram in ngrams(words, n).elements())


COUNTING = {
    "counts n-grams as sets": Counting(lambda words, n: Counter(set(ngrams(words, n)))),
    "counts matches as sets": Counting(matches=lambda h, refs: len(h.keys() & _union(refs))),
    "clips by the sum of all references": Counting(
        matches=lambda h, refs: (h & sum(refs, Counter())).total()),
    "clips by the reference with the fewest": Counting(
        matches=lambda h, refs: sum(min(n, *(r[gram] for r in refs)) for gram, n in h.items())),
    "finds n-grams inside of words": Counting(_as_text(" "), matches=lambda h, refs: sum(
        n for gram, n in h.items() if any(gram in other for r in refs for other in r))),
    "joins the words of an n-gram without a blank": Counting(_as_text("")),
    "leaves out the last n-gram": Counting(lambda words, n: ngrams(words[:-1], n)),
    "counts shorter n-grams at the end": Counting(
        lambda words, n: Counter(tuple(words[i : i + n]) for i in range(len(words)))),
    "divides by the n-grams of the reference": Counting(
        total=lambda _, refs: max(ref.total() for ref in refs)),
    "divides by the length of the hypothesis": Counting(
        total=lambda h, _: h.total() and h.total() + len(next(iter(h))) - 1),
    "measures lengths in characters": Counting(length=lambda words: len(" ".join(words))),
    "measures lengths in different words": Counting(length=lambda words: len(set(words))),
    "adds the lengths of the references": Counting(ref_len=lambda _, lens: sum(lens)),
    "with a tie, takes the longer reference": Counting(
        ref_len=lambda own, lens: -min((abs(size - own), -size) for size in lens)[1]),
    "takes the length of the last reference": Counting(ref_len=lambda _, lens: lens[-1]),
}  # fmt: skip

# ---------------------------------------------------------------------- combining


@dataclass(frozen=True, slots=True)
class Factors:
    """Factors of scores, 1 for perfect hypotheses, of corpora, or of segments that start them."""

    values: Array
    bps: Array
    precisions: Array  # a column for each order
    hyp_lens: Array
    ref_lens: Array
    starts: Array

    def with_bp(self, bp: Callable[[Array], Array]) -> Array:
        """The scores with another brevity penalty, by reference over hypothesis length."""
        own = np.nan_to_num(bp(self.ref_lens / self.hyp_lens))
        return np.asarray(np.where(self.bps > 0, self.values / self.bps, 0) * own)

    def of_corpora(self, array: Array) -> Array:
        """The means over the segments of each corpus."""
        sizes = np.diff([*self.starts, len(array)])
        return np.asarray((np.add.reduceat(array, self.starts).T / sizes).T)

    def macro(self, bps: Array) -> Array:
        """The geometric mean of mean precisions, with a brevity penalty."""
        return np.asarray(bps * np.exp(np.log(self.of_corpora(self.precisions)).mean(axis=1)))

    def corpus_bps(self) -> Array:
        """The brevity penalty of each corpus."""
        hyp, ref = np.add.reduceat(np.array([self.hyp_lens, self.ref_lens]), self.starts, axis=1)
        return np.asarray(np.where(hyp > 0, np.exp(np.minimum(0, 1 - ref / hyp)), 0))


#: Formulas that read rows of segments, not of corpora.
OF_SEGMENTS: dict[str, Callable[[Factors], Array]] = {
    "averages the precisions of the segments": lambda f: f.macro(f.corpus_bps()),
    "averages precisions and brevity penalties": lambda f: f.macro(f.of_corpora(f.bps)),
}
COMBINING: dict[str, Callable[[Factors], Array]] = {
    "takes the arithmetic mean of the precisions": lambda f: f.bps * f.precisions.mean(axis=1),
    "takes the product of the precisions without a root": lambda f: f.bps * f.precisions.prod(1),
    "takes the harmonic mean of the precisions": lambda f: (
        f.bps * f.precisions.shape[1] / (1 / f.precisions).sum(axis=1)),
    "has no upper limit of the brevity penalty": lambda f: f.with_bp(lambda x: np.exp(1 - x)),
    "penalizes long hypotheses, not short ones": lambda f: f.with_bp(
        lambda x: np.exp(np.minimum(0, 1 - 1 / x))),
    "has the brevity penalty e^(c/r-1)": lambda f: f.with_bp(
        lambda x: np.exp(np.minimum(0, 1 / x - 1))),
    **OF_SEGMENTS,
}  # fmt: skip

#: All mistakes.
MISTAKES = (*READING, *EACH_REFERENCE, *COUNTING, *COMBINING)

# SPDX-License-Identifier: Apache-2.0
"""What is no dialect: mistakes in reading, counting and combining, and other metrics.

They are named in words, as the result shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.identify.probes import Probe
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.nist import NIST

Array = NDArray[Any]
Words = Sequence[str]
Grams = Counter[Any]
Metric = Callable[[Any, Any], float]


def _texts(hyp: Callable[[str], str], ref: Callable[[str], str]) -> Callable[[Probe], Probe]:
    return lambda p: replace(p, hyps=tuple(map(hyp, p.hyps)), refs=tuple(tuple(map(ref, refs)) for refs in p.refs))


def _cut(size: int) -> Callable[[str], str]:
    return lambda text: text if len(text.split()) <= size else " ".join(text.split()[:size])


def _joined(probe: Probe) -> Probe:
    refs = tuple(" ".join(own[min(i, len(own) - 1)] for own in probe.refs) for i in range(max(map(len, probe.refs))))
    return replace(probe, hyps=(" ".join(probe.hyps),), refs=(refs,))


#: Other texts than those that are passed.
READING: dict[str, Callable[[Probe], Probe]] = {
    "joins all segments into one": _joined,
    "reads only the first segment": lambda p: replace(p, hyps=p.hyps[:1], refs=p.refs[:1]),
    "reads only the last reference": lambda p: replace(p, refs=tuple(r[-1:] for r in p.refs)),
    "joins the references of a segment": lambda p: replace(
        p, refs=tuple((" ".join(own),) for own in p.refs)),
    "lowercases only hypotheses": _texts(str.lower, str),
    "lowercases only references": _texts(str, str.lower),
    **{f"reads only the first {size} tokens": _texts(_cut(size), _cut(size))
       for size in (20, 32, 50, 64, 100, 128, 256, 512)},
}  # fmt: skip
#: Other texts only for the lengths of hypotheses and references.
LENGTHS: dict[str, Callable[[Probe], Probe]] = {
    "measures lengths in characters": _texts(*[lambda text: " ".join(text.replace(" ", "_"))] * 2),
    "measures lengths in different words": _texts(
        *[lambda text: " ".join(dict.fromkeys(text.split()))] * 2),
    "adds the lengths of the references": READING["joins the references of a segment"],
    "takes the length of the last reference": READING["reads only the last reference"],
}  # fmt: skip
#: How scores of each reference alone become the score of a segment.
EACH_REFERENCE: dict[str, Any] = {
    "takes the best score over the references": np.maximum,
    "averages the scores over the references": np.add,
}


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
    """N-grams of an order, how many match those of each reference, and what divides that."""

    ngrams: Callable[[Words, int], Grams] = ngrams
    matches: Callable[[Grams, Sequence[Grams]], int] = lambda h, refs: (h & _union(refs)).total()
    total: Callable[[Grams, Sequence[Grams]], int] = lambda h, _: h.total()

    def count(self, hyp: Words, refs: Sequence[Words], orders: int) -> list[int]:
        """Matches and totals of all orders."""
        grams = [(self.ngrams(hyp, n), [self.ngrams(ref, n) for ref in refs]) for n in range(1, orders + 1)]
        return [count(*own) for count in (self.matches, self.total) for own in grams]


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
}  # fmt: skip


def _with_bp(bp: Callable[[Array], Array]) -> Callable[..., Array]:
    """Another brevity penalty, by reference over hypothesis length."""
    return lambda mean, _bps, _precisions, ratios: mean * np.nan_to_num(bp(ratios))


#: Scores from geometric means, brevity penalties, precisions (a column for each order) and ratios
#: of reference to hypothesis length.
COMBINING: dict[str, Callable[..., Array]] = {
    "takes the arithmetic mean of the precisions": lambda _, bps, own, __: bps * own.mean(axis=1),
    "takes the product of the precisions without a root": lambda _, bps, own, __: bps * own.prod(1),
    "has no upper limit of the brevity penalty": _with_bp(lambda x: np.exp(1 - x)),
    "has the brevity penalty e^(c/r-1)": _with_bp(lambda x: np.exp(np.minimum(0, 1 / x - 1))),
}  # fmt: skip

#: All mistakes.
MISTAKES = (*READING, *LENGTHS, *EACH_REFERENCE, *COUNTING, *COMBINING)


def _common(order: int, hyp: Words, ref: Words) -> int:
    """The number of n-grams that two texts share; for order 0, of words in the same order."""
    if order:
        return (ngrams(hyp, order) & ngrams(ref, order)).total()
    row = [0] * (len(ref) + 1)  # lengths of common subsequences
    for word in hyp:
        before = 0
        for j, other in enumerate(ref, start=1):
            both = before + 1 if word == other else max(row[j], row[j - 1])
            before, row[j] = row[j], both
    return row[-1]


def _rouge(order: int, share: float, hyp: Words, ref: Words) -> float:
    """The harmonic mean of precision, with this share, and recall."""
    own, other = (max(0, len(words) - max(order - 1, 0)) for words in (hyp, ref))
    return _common(order, hyp, ref) / (share * own + (1 - share) * other)


def _mean_of_pairs(score: Callable[[Words, Words], float], hyps: Any, refs: Any) -> float:
    """The mean over segments of the score of the best reference."""
    read: Any = str.split if isinstance(hyps[0], str) else list
    pairs = zip(hyps, refs, strict=True)
    return sum(max(score(read(hyp), read(ref)) for ref in own) for hyp, own in pairs) / len(hyps)


def _ours(score: Callable[..., Any], hyps: Any, refs: Any) -> float:
    """The score of a corpus, or the mean of its segments' scores."""
    result = score(hyps, refs)
    return float(np.mean(getattr(result, "value", result)))


_OWN: dict[str, Any] = {
    "tb.GLEU()": GLEU(threads=1), "tb.GLEU('nltk')": GLEU("nltk", threads=1),
    "tb.NIST()": NIST(threads=1), "tb.NIST('nltk')": NIST("nltk", threads=1),
    "tb.CHRF()": CHRF(threads=1), "tb.CHRF(word_order=2)": CHRF(word_order=2, threads=1),
}  # fmt: skip
#: Other metrics: scores of corpora, of strings or of tokens.
METRICS: dict[str, Metric] = {
    **{f"{metric.name} ({code}.{verb})": partial(_ours, getattr(metric, verb.split(",")[0]))
       for code, metric in _OWN.items() for verb in ("corpus", "sentences, averaged")},
    **{f"ROUGE-{order or 'L'} ({name})": partial(_mean_of_pairs, partial(_rouge, order, share))
       for order in range(5) for name, share in (("F1", 0.5), ("precision", 1), ("recall", 0))},
    "ROUGE-L (F with beta 1.2, as for captions)": partial(
        _mean_of_pairs, partial(_rouge, 0, 1 / 2.44)),
    "the Jaccard index of sets of words": partial(
        _mean_of_pairs, lambda hyp, ref: len({*hyp} & {*ref}) / len({*hyp} | {*ref})),
}  # fmt: skip

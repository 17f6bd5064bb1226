# SPDX-License-Identifier: Apache-2.0
"""Other metrics that are called BLEU, or used instead of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from truebleu.analysis.identify.candidates import Scorer
from truebleu.analysis.identify.mistakes import Array, Words, ngrams
from truebleu.errors import TrueBLEUError
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.gleu import GLEU
from truebleu.metrics.nist import NIST


def _f(matches: float, hyp: float, ref: float, share: float) -> float:
    """The harmonic mean of precision, with this share, and recall."""
    return matches / (share * hyp + (1 - share) * ref)


def _rouge(order: int, share: float, hyp: Words, ref: Words) -> float:
    own, other = ngrams(hyp, order), ngrams(ref, order)
    return _f((own & other).total(), own.total(), other.total(), share)


def _rouge_l(share: float, hyp: Words, ref: Words) -> float:
    row = [0] * (len(ref) + 1)  # lengths of common subsequences
    for word in hyp:
        before = 0
        for j, other in enumerate(ref, start=1):
            both = before + 1 if word == other else max(row[j], row[j - 1])
            before, row[j] = row[j], both
    return _f(row[-1], len(hyp), len(ref), share)


def _meteor(hyp: Words, ref: Words) -> float:
    """METEOR 2005 with exact matches only, each with the first free place from the left."""
    free, places = list(enumerate(ref)), list[int]()
    for word in hyp:
        match = next((pair for pair in free if pair[1] == word), (-1, ""))
        free = [pair for pair in free if pair != match]
        places.append(match[0])
    pairs = zip(places, [-1, *places], strict=False)
    chunks = sum(place >= 0 and (before < 0 or place != before + 1) for place, before in pairs)
    matches = sum(place >= 0 for place in places)
    return _f(matches, len(hyp), len(ref), 0.1) * (1 - 0.5 * (chunks / max(matches, 1)) ** 3)


_SHARES = {"F1": 0.5, "precision": 1.0, "recall": 0.0}
#: Scores of a pair by the name of the metric; the best reference counts, and segments are averaged.
_PAIRS: dict[str, Callable[[Words, Words], float]] = {
    **{f"ROUGE-{n} ({name})": partial(_rouge, n, share)
       for n in (1, 2, 3, 4) for name, share in _SHARES.items()},
    **{f"ROUGE-L ({name})": partial(_rouge_l, share) for name, share in _SHARES.items()},
    "ROUGE-L (F with beta 1.2, as for captions)": partial(_rouge_l, 1 / 2.44),
    "METEOR (exact matches only)": _meteor,
}  # fmt: skip
_OWN: dict[str, Any] = {
    "tb.GLEU()": GLEU(threads=1), "tb.GLEU('nltk')": GLEU("nltk", threads=1),
    "tb.NIST()": NIST(threads=1), "tb.NIST('nltk')": NIST("nltk", threads=1),
    "tb.NIST('nltk', references='best')": NIST("nltk", references="best", threads=1),
    "tb.CHRF()": CHRF(threads=1), "tb.CHRF(word_order=2)": CHRF(word_order=2, threads=1),
}  # fmt: skip


def metrics(scorer: Scorer) -> Iterator[tuple[str, Callable[[], Array]]]:
    """The name of each metric, and what computes its scores of probes; NaN where it has none."""

    def values(score: Callable[..., float], *texts: Any) -> Array:
        results = []
        for start, size in zip(scorer.starts, scorer.sizes, strict=True):
            try:
                results.append(score(*(column[start : start + size] for column in texts)))
            except (ZeroDivisionError, TrueBLEUError):
                results.append(math.nan)
        return np.array(results)

    for code, metric in _OWN.items():
        for score, verb in ((_corpus, "corpus"), (_mean, "sentences, averaged")):
            own = partial(values, partial(score, metric), scorer.hyps, scorer.refs)
            yield f"{metric.name} ({code}.{verb})", own
    read: Any = list if scorer.tokens else str.split
    words = list(map(read, scorer.hyps)), [list(map(read, own)) for own in scorer.refs]
    for name, pair in _PAIRS.items():
        yield name, partial(values, partial(_mean_of_pairs, pair), *words)


def _corpus(metric: Any, hyps: Any, refs: Any) -> float:
    return float(metric.corpus(hyps, refs).value)


def _mean(metric: Any, hyps: Any, refs: Any) -> float:
    return float(metric.sentences(hyps, refs).mean())


def _mean_of_pairs(pair: Callable[[Words, Words], float], hyps: Any, refs: Any) -> float:
    best = (max(pair(hyp, ref) for ref in own) for hyp, own in zip(hyps, refs, strict=True))
    return sum(best) / len(hyps)

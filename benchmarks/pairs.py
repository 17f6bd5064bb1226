# SPDX-License-Identifier: Apache-2.0
"""W3 and W4: all pairs of a set, and each text against all the others."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import peers
import sacrebleu
from corpora import english
from nltk.translate import bleu_score as nltk_bleu
from numpy.typing import NDArray
from results import Figure, Row, race
from timing import Contender, interleave

from truebleu import BLEU, pairwise, self_bleu


def w3(*, quick: bool) -> Iterator[Row]:
    """Sentence BLEU of all pairs, 13a, from a list of strings to a matrix; peers from a sample."""
    texts = distinct(1_024)
    rounds = 5 if quick else 15
    for size in (256, 1_024):
        few = texts[:size]
        yield from against_sacrebleu(few, sampled_pairs(few, 300), rounds)


def w4(*, quick: bool) -> Iterator[Row | Figure]:
    """Self-BLEU, each text against all the others; peers on a sample of the texts."""
    texts = distinct(10_000)
    rounds = 5 if quick else 15
    yield against_nltk(texts[:1_000], 5, rounds)
    for size in (100, 1_000, 10_000):
        few = texts[:size]
        own = Contender("self_bleu", partial(self_bleu, few), repeat=3)
        ((times, result),) = interleave([own], rounds)
        yield Row("w4", "growth", size, "self_bleu", times)
        bleu = BLEU(threads=1)
        alone = [bleu.sentence(few[i], few[:i] + few[i + 1 :]).value for i in range(3)]
        equal = result.scores[:3].tolist() == alone
        what = "time, and whether three scores are those of sentence()"
        yield Figure("w4", "growth", size, what, times.best / size * 1e6, "us/text", equal)


def distinct(count: int) -> list[str]:
    """Texts no two of which are equal."""
    corpus = english().repeated(count)
    return corpus.hyps


def sampled_pairs(texts: list[str], count: int) -> list[tuple[int, int]]:
    """Places of pairs that are spread over the matrix."""
    size = len(texts)
    places = range(0, size * size, size * size // count + 1)
    return [divmod(place, size) for place in places]


def against_sacrebleu(texts: list[str], pairs: list[tuple[int, int]], rounds: int) -> Iterator[Row]:
    """Both of our ways compared with sacreBLEU."""
    # It remembers the tokens of lines; a whole matrix would tokenize each line once, too.
    theirs = by_sacrebleu(sacrebleu.BLEU(effective_order=True), texts, pairs)
    peer = Contender(peers.named("sacrebleu", " sentence_score"), theirs)
    work = partial(pairwise, texts, summation=peers.SUMMATION, threads=1)
    size = len(texts)
    for name, exact in (("pairwise", False), ("exact=True", True)):
        own = Contender(name, partial(work, exact=exact), repeat=3)
        equal = partial(agree, pairs, exact=exact)
        scale = size**2 / len(pairs)
        yield race("w3", f"{size} x {size}", size**2, own, peer, rounds, equal, scale)


def agree(pairs: list[tuple[int, int]], scores: NDArray[np.float64], theirs: list[float], *, exact: bool) -> bool:
    """Whether the sampled pairs score as they do there: to the last bit, or within 1e-12."""
    values = [float(scores[pair]) for pair in pairs]
    if exact:
        return values == theirs
    return all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(values, theirs, strict=True))


def by_sacrebleu(metric: Any, texts: list[str], pairs: Any) -> Callable[[], list[float]]:
    """The pairs by sacreBLEU, which keeps the tokens of lines it has seen."""
    return lambda: [metric.sentence_score(texts[i], [texts[j]]).score for i, j in pairs]


def against_nltk(texts: list[str], sample: int, rounds: int) -> Row:
    """NLTK's method 1, as Texygen and others call it, of words."""
    words = [BLEU().tokens(text) for text in texts]
    smooth = nltk_bleu.SmoothingFunction().method1

    def theirs() -> list[float]:
        return [
            nltk_bleu.sentence_bleu(words[:i] + words[i + 1 :], words[i], smoothing_function=smooth)
            for i in range(sample)
        ]

    own = Contender("self_bleu", lambda: self_bleu(words, "nltk-method1"), repeat=3)
    peer = Contender(peers.named("nltk", ", words given"), theirs)

    size = len(texts)
    return race(
        "w4",
        f"{size} texts",
        size,
        own,
        peer,
        min(rounds, 3),
        lambda result, scores: result.scores[:sample].tolist() == scores,
        size / sample,
    )

# SPDX-License-Identifier: Apache-2.0
"""chrF, chrF++ and TER against sacreBLEU's, GLEU and NIST against NLTK's, on the same segments."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import peers
import sacrebleu
from corpora import Corpus, examples, wmt
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.nist_score import corpus_nist
from pairs import agree, by_sacrebleu, distinct, sampled_pairs
from results import Row, race
from sacrebleu.metrics.base import Metric
from timing import Contender

from truebleu import CHRF, GLEU, NIST, TER

#: Our name, our metric, sacreBLEU's, and segments of a full run: TER takes sacreBLEU long.
METRICS: tuple[tuple[str, Any, Metric, int], ...] = (
    ("CHRF", CHRF(threads=1), sacrebleu.CHRF(), 2_000),
    ("CHRF, words", CHRF(word_order=2, threads=1), sacrebleu.CHRF(word_order=2), 2_000),
    ("TER", TER(threads=1), sacrebleu.TER(), 400),
)
#: Our metric, and NLTK's.
RELATIVES = ((GLEU(threads=1), corpus_gleu), (NIST(references="best", threads=1), corpus_nist))


def chrf_ter(*, quick: bool) -> Iterator[Row]:
    """chrF, chrF++ and TER of a corpus from lists of strings, one thread."""
    corpora = [each for each in map(wmt, ("de", "en", "ru")) if each] or [examples("en", 2_000)]
    for corpus in corpora[: 1 if quick else None]:
        for name, ours, theirs, segments in METRICS:
            few = corpus.head(segments // 4 if quick else segments)
            yield _race(few, name, ours, theirs, rounds=3)
    yield from _pairs(rounds=3 if quick else 9)


def _race(corpus: Corpus, name: str, ours: Any, theirs: Metric, rounds: int) -> Row:
    hyps, refs = corpus.hyps, corpus.refs
    one = Contender(name, lambda: ours.corpus(hyps, refs).value, repeat=10)
    peer, work = peers.named("sacrebleu"), lambda: theirs.corpus_score(hyps, [refs]).score
    other = Contender(peer, work, peers.clear_caches)
    return race("chrf_ter", corpus.name, len(corpus), one, other, rounds)


def _pairs(rounds: int) -> Iterator[Row]:
    """chrF of all pairs of a set as a matrix, and sacreBLEU's from a sample of the pairs."""
    texts = distinct(1_024)
    for size, words in ((256, 0), (256, 2), (1_024, 0)):
        few = texts[:size]
        pairs = sampled_pairs(few, 300)
        name = f"CHRF.pairwise{', words' * (words > 0)}"
        ours = CHRF(word_order=words, threads=1)
        sample = by_sacrebleu(sacrebleu.CHRF(word_order=words), few, pairs)
        yield race(
            "chrf_ter",
            f"{size} x {size}",
            size * size,
            Contender(name, partial(ours.pairwise, few), repeat=3),
            Contender(peers.named("sacrebleu", " sentence_score"), sample),
            rounds,
            partial(agree, pairs, exact=True),
            size * size / len(pairs),
        )


def family(*, quick: bool) -> Iterator[Row]:
    """GLEU and NIST of a corpus from lists of words, one thread."""
    corpus = (wmt("de") or examples("en", 2_000)).head(500 if quick else 2_000)
    hyps = [hyp.split() for hyp in corpus.hyps]
    refs = [[ref.split()] for ref in corpus.refs]
    for metric, function in RELATIVES:
        peer = Contender(
            peers.named("nltk", f" {function.__name__}"), lambda score=function: round(score(refs, hyps), 12)
        )
        one = Contender(metric.name, lambda own=metric: round(own.corpus(hyps, refs).value, 12), repeat=10)
        yield race("family", corpus.name, len(corpus), one, peer, rounds=3)

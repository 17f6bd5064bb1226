# SPDX-License-Identifier: Apache-2.0
"""GLEU and NIST against NLTK's, on the same lists of words."""

from collections.abc import Callable, Iterator

import peers
from corpora import examples, wmt
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.nist_score import corpus_nist
from results import Row, race
from timing import Contender

from truebleu import GLEU, NIST

#: Our metric, and NLTK's.
METRICS = ((GLEU(threads=1), corpus_gleu), (NIST(references="best", threads=1), corpus_nist))


def family(*, quick: bool) -> Iterator[Row]:
    """GLEU and NIST of a corpus from lists of words, one thread."""
    corpus = (wmt("de") or examples("en", 2_000)).head(500 if quick else 2_000)
    hyps = [hyp.split() for hyp in corpus.hyps]
    refs = [[ref.split()] for ref in corpus.refs]
    for metric, function in METRICS:

        def ours(metric: GLEU | NIST = metric) -> float:
            return round(metric.corpus(hyps, refs).value, 12)

        def theirs(function: Callable[..., float] = function) -> float:
            return round(function(refs, hyps), 12)

        peer = Contender(peers.named("nltk", f" {function.__name__}"), theirs)
        one = Contender(metric.name, ours, repeat=10)
        yield race("family", corpus.name, len(corpus), one, peer, rounds=3)

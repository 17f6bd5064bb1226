# SPDX-License-Identifier: Apache-2.0
"""GLEU against NLTK's, on the same lists of words."""

from collections.abc import Iterator

import peers
from corpora import Corpus, examples, wmt
from nltk.translate.gleu_score import corpus_gleu
from results import Row, race
from timing import Contender

from truebleu import GLEU


def family(*, quick: bool) -> Iterator[Row]:
    """GLEU of a corpus from lists of words, one thread."""
    corpus = (wmt("de") or examples("en", 2_000)).head(500 if quick else 2_000)
    yield _gleu(corpus, rounds=3)


def _gleu(corpus: Corpus, rounds: int) -> Row:
    hyps = [hyp.split() for hyp in corpus.hyps]
    refs = [[ref.split()] for ref in corpus.refs]
    gleu = GLEU(threads=1)
    ours = Contender("GLEU", lambda: gleu.corpus(hyps, refs).value, repeat=10)
    theirs = Contender(peers.named("nltk", " corpus_gleu"), lambda: corpus_gleu(refs, hyps))
    return race("family", corpus.name, len(corpus), ours, theirs, rounds)

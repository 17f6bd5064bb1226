# SPDX-License-Identifier: Apache-2.0
"""W1: the score of a corpus of a few thousand pairs, from lists of strings."""

from collections.abc import Iterator

import peers
from corpora import Corpus, all_languages
from results import Row
from timing import interleave


def w1(*, quick: bool) -> Iterator[Row]:
    """Corpus BLEU of lists of strings, one thread."""
    for corpus in all_languages():
        yield from race(corpus, rounds=2 if quick else 7)


def race(corpus: Corpus, rounds: int) -> Iterator[Row]:
    """Our time and that of each peer that can score the corpus."""
    contenders = [peers.ours(corpus, repeat=5), peers.sacrebleu_corpus(corpus)]
    english = corpus.name.startswith("English")
    if english:
        contenders += [peers.bleuscore_corpus(corpus), peers.nltk_corpus(corpus)]
    (times, score), *others = interleave(contenders, rounds)
    correct = [peers.equals_sacrebleu(score, others[0][1])]
    if english:
        correct += [
            peers.equals_bleuscore(score, others[1][1]),
            peers.equals_nltk(corpus, others[2][1]),
        ]
    for contender, (peer_times, _), equal in zip(contenders[1:], others, correct, strict=True):
        yield Row(
            "w1", corpus.name, len(corpus), contenders[0].name, times, contender.name, peer_times,
            equal,
        )  # fmt: skip

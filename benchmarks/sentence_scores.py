# SPDX-License-Identifier: Apache-2.0
"""W2: a score for each pair."""

from collections.abc import Iterator

import peers
from corpora import english
from results import Row
from timing import Contender, interleave

from truebleu import BLEU


def w2(*, quick: bool) -> Iterator[Row]:
    """One score for each pair, from lists of strings to an array, one thread."""
    segments, sample = (100_000, 500) if quick else (1_000_000, 2_000)
    corpus = english().repeated(segments)
    part = corpus.head(sample)
    bleu = BLEU(tokenize=corpus.tokenize, summation=peers.SUMMATION, threads=1)
    contenders = [
        Contender("sentences", lambda: bleu.sentences(corpus.hyps, corpus.refs), repeat=3),
        *peers.sacrebleu_sentences(part),
    ]
    (times, scores), *others = interleave(contenders, rounds=2 if quick else 5)
    for contender, (peer_times, theirs) in zip(contenders[1:], others, strict=True):
        yield Row(
            "w2", corpus.name, segments, contenders[0].name, times, contender.name,
            peer_times.scaled(segments / sample), scores[:sample].tolist() == theirs,
            estimated=True,
        )  # fmt: skip

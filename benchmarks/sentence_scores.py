# SPDX-License-Identifier: Apache-2.0
"""W2: a score for each pair; and one pair at a time, as in a loop of Python."""

from collections.abc import Callable, Iterator
from typing import Any

import peers
import sacrebleu
from corpora import english
from nltk.translate import bleu_score as nltk_bleu
from results import Row, race
from timing import Contender

from truebleu import BLEU, sentence_bleu


def w2(*, quick: bool) -> Iterator[Row]:
    """One score for each pair, from lists of strings to an array, one thread."""
    segments, sample = (100_000, 500) if quick else (1_000_000, 2_000)
    corpus = english().repeated(segments)
    part = corpus.head(sample)
    bleu = BLEU(tokenize=corpus.tokenize, summation=peers.SUMMATION, threads=1)
    own = Contender("sentences", lambda: bleu.sentences(corpus.hyps, corpus.refs), repeat=3)
    for peer in peers.sacrebleu_sentences(part):
        yield race(
            "w2",
            corpus.name,
            segments,
            own,
            peer,
            2 if quick else 5,
            lambda scores, theirs: scores[:sample].tolist() == theirs,
            segments / sample,
        )


def one_pair(*, quick: bool) -> Iterator[Row]:
    """A call for each pair; and what a call that makes its metric takes."""
    pairs = english().head(50 if quick else 500)
    hyps, refs = pairs.hyps, [[ref] for ref in pairs.refs]
    words = [hyp.split() for hyp in hyps], [[ref.split() for ref in row] for row in refs]
    smooth = nltk_bleu.SmoothingFunction().method1
    changes = {"smooth_method": "floor", "summation": peers.SUMMATION}

    def each(function: Callable[..., Any], *columns: Any) -> Callable[[], list[float]]:
        return lambda: [float(function(*pair)) for pair in zip(*columns, strict=True)]

    for name, mine, peer, theirs, columns in (
        (
            "sentence_bleu(hyp, [ref])",
            lambda hyp, ref: sentence_bleu(hyp, ref, summation=peers.SUMMATION),
            "sacrebleu.sentence_bleu",
            lambda hyp, ref: sacrebleu.sentence_bleu(hyp, ref).score,
            (hyps, refs),
        ),
        (
            "BLEU(...).sentence(hyp, [ref])",
            lambda hyp, ref: BLEU(**changes).sentence(hyp, ref),
            "sacrebleu.BLEU(...)",
            lambda hyp, ref: sacrebleu.BLEU(smooth_method="floor", effective_order=True).sentence_score(hyp, ref).score,
            (hyps, refs),
        ),
        (
            'sentence_bleu(hyp, [ref], "nltk-method1")',
            lambda hyp, ref: sentence_bleu(hyp, ref, "nltk-method1"),
            "nltk sentence_bleu",
            lambda hyp, ref: nltk_bleu.sentence_bleu(ref, hyp, smoothing_function=smooth),
            words,
        ),
    ):
        own = Contender(name, each(mine, *columns), repeat=5)
        other = Contender(peer, each(theirs, *columns))
        yield race("pair", pairs.name, len(pairs), own, other, 2 if quick else 5)

# SPDX-License-Identifier: Apache-2.0
"""The drop-in for sacreBLEU against the original: the same calls, the same results."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import peers
import sacrebleu
from corpora import Corpus, english, non_ascii
from results import Row, race
from timing import Contender

from truebleu.compat import sacrebleu as dropin

Call = Callable[[ModuleType, Corpus], list[Any]]


def corpus_bleu(module: ModuleType, corpus: Corpus) -> list[Any]:
    """The function for a corpus."""
    return [module.corpus_bleu(corpus.hyps, [corpus.refs], tokenize=corpus.tokenize)]


def sentence_score(module: ModuleType, corpus: Corpus) -> list[Any]:
    """The method for one sentence, of a metric that is made once."""
    bleu = module.BLEU(effective_order=True, tokenize=corpus.tokenize)
    pairs = zip(corpus.hyps, corpus.refs, strict=True)
    return [bleu.sentence_score(hyp, [ref]) for hyp, ref in pairs]


def sentence_bleu(module: ModuleType, corpus: Corpus) -> list[Any]:
    """The function for one sentence, which makes a metric each time."""
    pairs = zip(corpus.hyps, corpus.refs, strict=True)
    return [module.sentence_bleu(hyp, [ref], tokenize=corpus.tokenize) for hyp, ref in pairs]


def sacrebleu_dropin(*, quick: bool) -> Iterator[Row]:
    """truebleu.compat.sacrebleu against sacreBLEU: a corpus at once, and one sentence at a time."""
    rounds = 3 if quick else 7
    for corpus in (english(), non_ascii()):
        yield _race(corpus, corpus_bleu, rounds, repeat=5)
        few = corpus.head(300 if quick else 1_000)
        yield _race(few, sentence_score, rounds, repeat=3)
        yield _race(few, sentence_bleu, rounds, repeat=3)


def _race(corpus: Corpus, call: Call, rounds: int, repeat: int) -> Row:
    ours = Contender(call.__name__[:13], lambda: call(dropin, corpus), repeat=repeat)
    peer = Contender(
        f"{peers.named('sacrebleu')}, the same",
        lambda: call(sacrebleu, corpus),
        peers.clear_caches,
    )

    def equal(mine: list[Any], theirs: list[Any]) -> bool:
        return list(map(vars, mine)) == list(map(vars, theirs))

    return race("dropin", corpus.name, len(corpus), ours, peer, rounds, equal)

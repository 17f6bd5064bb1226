# SPDX-License-Identifier: Apache-2.0
"""What Python does again and again: make a metric, score a pair, add rows, read a column."""

import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import sacrebleu
from corpora import english
from nltk.translate import bleu_score as nltk_bleu
from results import Figure, Row, race
from timing import Contender, interleave

import truebleu as tb

#: Calls of which the time is the median's share: one alone is near the resolution of the clock.
CALLS = 100


def everyday(*, quick: bool) -> Iterator[Row | Figure]:
    """Metrics, one pair, a million rows of integers, a column of datasets, references in memory."""
    rounds = 5 if quick else 15
    corpus = english()
    hyp, ref = corpus.hyps[0], corpus.refs[0]

    def calls(name: str, function: Callable[[], Any]) -> Contender:
        return Contender(name, lambda: [function() for _ in range(CALLS)][-1])

    made = calls("sacrebleu.BLEU()", sacrebleu.BLEU)
    for name, function in {"BLEU()": tb.BLEU, 'BLEU("nltk")': lambda: tb.BLEU("nltk"), "GLEU()": tb.GLEU}.items():
        yield race("everyday", "", CALLS, calls(name, function), made, rounds, lambda *_: None)
    bleu, theirs = tb.BLEU(), sacrebleu.BLEU(effective_order=True)
    words, refs = hyp.split(), [ref.split()]
    pairs = {
        "sentence_bleu": (lambda: tb.sentence_bleu(hyp, [ref]), lambda: theirs.sentence_score(hyp, [ref])),
        "sentences": (lambda: bleu.sentences([hyp], [ref]), lambda: theirs.sentence_score(hyp, [ref])),
        "nltk": (lambda: tb.sentence_bleu(words, refs, "nltk"), lambda: nltk_bleu.sentence_bleu(refs, words)),
    }
    for name, (own, peer) in pairs.items():
        yield race("everyday", "", CALLS, calls(name, own), calls("the original", peer), rounds, lambda *_: None)
    rows = bleu.stats(corpus.hyps, corpus.refs)
    rows = rows[np.arange(1_000_000) % len(rows)]
    mask = np.arange(len(rows)) % 3 == 0
    for name, function in {"stats + stats": lambda: rows + rows, "stats[::2]": lambda: rows[::2],
                           "stats[mask]": lambda: rows[mask]}.items():  # fmt: skip
        (times, _), *_ = interleave([Contender(name, function)], rounds)
        yield Row("everyday", "", len(rows), name, times)
    column = datasets.Dataset.from_dict({"hyp": (corpus.hyps * 50)[:100_000], "ref": (corpus.refs * 50)[:100_000]})
    arrow = [column.data.column(name) for name in ("hyp", "ref")]
    own = Contender("datasets", lambda: bleu.corpus(column["hyp"], column["ref"]).value)
    peer = Contender("its Arrow data", lambda: bleu.corpus(*arrow).value)
    yield race("everyday", corpus.name, len(column), own, peer, 5)
    texts = [f"{i} {ref}" for i in range(20_000)]
    with tb.accelerate("sacrebleu"):
        before = _memory()
        held = [sacrebleu.BLEU(references=[[text]]) for text in texts]
        used = (_memory() - before) / len(held)
    yield Figure("everyday", "", len(held), "accelerated sacrebleu.BLEU(references=[[text]])", used, "bytes each")


def _memory() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * resource.getpagesize()

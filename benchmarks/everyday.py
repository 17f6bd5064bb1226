# SPDX-License-Identifier: Apache-2.0
"""What Python does again and again: make a metric, score a pair, add rows, read a column."""

import resource
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from corpora import english
from results import Figure, Row, race
from timing import Contender, interleave

import truebleu as tb

#: Calls of which the time is the median's share: one alone is near the resolution of the clock.
CALLS = 100


def everyday(*, quick: bool) -> Iterator[Row | Figure]:
    """Making metrics, one pair (`pair` has NLTK's), a million rows of integers, columns, memory."""
    rounds = 5 if quick else 15
    corpus = english()
    hyp, ref = corpus.hyps[0], corpus.refs[0]

    def calls(name: str, function: Callable[[], Any]) -> Contender:
        return Contender(name, lambda: [function() for _ in range(CALLS)][-1])

    bleu, theirs = tb.BLEU(), sacrebleu.BLEU(effective_order=True)
    made = calls("sacrebleu.BLEU()", sacrebleu.BLEU)
    scored = calls("its sentence_score", lambda: theirs.sentence_score(hyp, [ref]))
    for name, function, peer in (
        ("BLEU()", tb.BLEU, made),
        ('BLEU("nltk")', lambda: tb.BLEU("nltk"), made),
        ("GLEU()", tb.GLEU, made),
        ("sentence_bleu", lambda: tb.sentence_bleu(hyp, [ref]), scored),
        ("sentences", lambda: bleu.sentences([hyp], [ref]), scored),
    ):
        yield race("everyday", "", CALLS, calls(name, function), peer, rounds, lambda *_: None)
    rows = bleu.stats(corpus.hyps, corpus.refs)
    rows = rows[np.arange(1_000_000) % len(rows)]
    mask = np.arange(len(rows)) % 3 == 0
    sums, slices, masks = lambda: rows + rows, lambda: rows[::2], lambda: rows[mask]
    for name, function in (("stats + stats", sums), ("stats[::2]", slices), ("stats[mask]", masks)):
        ((times, _),) = interleave([Contender(name, function)], rounds)
        yield Row("everyday", "", len(rows), name, times)
    if find_spec("datasets"):  # the tests need no such library
        from datasets import Dataset

        column = Dataset.from_dict({"hyp": (corpus.hyps * 50)[:100_000], "ref": (corpus.refs * 50)[:100_000]})
        arrow = [column.data.column(name) for name in ("hyp", "ref")]
        own = Contender("datasets", lambda: bleu.corpus(column["hyp"], column["ref"]).value)
        peer = Contender("its Arrow data", lambda: bleu.corpus(*arrow).value)
        yield race("everyday", corpus.name, len(column), own, peer, 5)
    texts = [f"{i} {ref}" for i in range(20_000)]
    with get_context("fork").Pool(1) as pool:
        used = pool.apply(_bytes_each, (texts,))
    yield Figure("everyday", "", len(texts), "accelerated sacrebleu.BLEU(references=[[text]])", used, "bytes each")


def _bytes_each(texts: list[str]) -> float:
    """The memory of a metric that holds a text as its references, accelerated in this process."""
    with tb.accelerate("sacrebleu"):
        before = _memory()
        held = [sacrebleu.BLEU(references=[[text]]) for text in texts]
        return (_memory() - before) / len(held)


def _memory() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * resource.getpagesize()

# SPDX-License-Identifier: Apache-2.0
"""Calls that take seconds, to be stopped in the middle: for a test and for a benchmark."""

from __future__ import annotations

import gc
import os
import signal
import time
from contextlib import contextmanager

import numpy as np

from truebleu import (
    BLEU,
    CHRF,
    TER,
    Ids,
    check,
    compare,
    diff,
    explain,
    mbr,
    pairwise,
    plot,
    reconcile,
    self_bleu,
    write_report,
)

METRIC = BLEU()
RNG = np.random.default_rng(7)
WORDS = [f"w{i}" for i in range(500)]


def texts(count, length=25):
    return [" ".join(WORDS[i] for i in row) for row in RNG.integers(0, 500, (count, length))]


SOME = texts(4_000)
OTHERS = SOME[1:] + SOME[:1]
MANY, MANY_OTHERS = SOME * 500, OTHERS * 500
FEW, FEW_OTHERS = SOME[:1_000], OTHERS[:1_000]
IDS = np.tile(RNG.integers(0, 500, (10_000, 100), dtype=np.int32), (50, 1))
(LONG,) = texts(1, 3_000_000)
(LONG_OTHER,) = texts(1, 3_000_000)
LONG_WORDS, LONG_OTHER_WORDS = LONG.split(), LONG_OTHER.split()
LONG_IDS = RNG.integers(0, 500, (2, 1, 5_000_000), dtype=np.int32)
WIDE, WIDE_OTHER = (text.replace("w", "W\u0428\u03a3") for text in (LONG, LONG_OTHER))
PAGES = texts(20, 4_000)
CHAPTERS = [" ".join(LONG_WORDS[i::200]) for i in range(200)]
LISTS = [text.split() for text in SOME] * 20
ID_LISTS = [[int(word[1:]) for word in words] for words in LISTS[:4_000]] * 500


class StopError(Exception):
    """What the handler of the test raises."""


@contextmanager
def signal_after(seconds):
    """Have a signal come whose handler raises, whoever holds the interpreter then."""

    def stop(*_):
        raise StopError

    before = signal.signal(signal.SIGALRM, stop)
    # What is raised while garbage is collected is lost: it waits, and the signal comes again.
    gc.disable()
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def went_on(call, after):
    """How long a call, done again and again, went on when it was stopped after so many seconds."""
    begun = time.perf_counter()
    with signal_after(after):
        try:
            while True:
                call()
        except StopError:
            heard = time.perf_counter()
            # To let go of what the call held may take longer than the next signal does.
            signal.setitimer(signal.ITIMER_REAL, 0)
            return heard - begun - after


SYSTEMS = {"A": SOME, "B": OTHERS, "C": SOME[2:] + SOME[:2]}
REFS = SOME[3:] + SOME[:3]
LARGE = {name: texts * 25 for name, texts in SYSTEMS.items()}

#: Each takes seconds.
CALLS = {
    "corpus": lambda: METRIC.corpus(MANY, MANY_OTHERS),
    "sentences": lambda: METRIC.sentences(MANY, MANY_OTHERS),
    "sentences on one thread": lambda: BLEU(threads=1).sentences(MANY, MANY_OTHERS),
    "stats": lambda: METRIC.stats(MANY, MANY_OTHERS),
    "words": lambda: METRIC.corpus(LISTS * 25, LISTS * 25),
    "words of two references": lambda: METRIC.corpus(LISTS * 25, [[x, x] for x in LISTS] * 25),
    "words of a generator": lambda: METRIC.corpus(map(str.split, MANY), map(str.split, MANY)),
    "lists of ids": lambda: METRIC.corpus(ID_LISTS, ID_LISTS),
    "ids": lambda: METRIC.sentences(IDS, IDS[::-1]),
    "ids in Ids": lambda: METRIC.corpus(Ids(IDS), Ids(IDS[::-1].copy())),
    "prefixes": lambda: METRIC.prefixes(IDS[:100_000], IDS[:100_000][::-1]),
    "another tokenizer": lambda: BLEU(tokenize=str.split).corpus(MANY, MANY_OTHERS),
    "order 40": lambda: BLEU(max_ngram_order=40).corpus(MANY, MANY_OTHERS),
    "a long segment": lambda: METRIC.sentence(LONG, LONG_OTHER),
    "a long list of words": lambda: METRIC.corpus([LONG_WORDS], [LONG_OTHER_WORDS]),
    "a long row of ids": lambda: METRIC.corpus(*LONG_IDS),
    "lower case": lambda: BLEU(tokenize="intl", lowercase=True).corpus([WIDE], [WIDE_OTHER]),
    "many references": lambda: METRIC.corpus(SOME[:1_000], [SOME] * 1_000),
    "accumulator": lambda: METRIC.accumulator().update(MANY, MANY_OTHERS),
    "pairwise": lambda: pairwise(SOME * 2, OTHERS * 2, exact=True),
    "pairwise of one dialect": lambda: pairwise(FEW * 4, dialect="codebleu-weighted"),
    "pairwise of long segments": lambda: pairwise(CHAPTERS, CHAPTERS[::-1]),
    "pairwise of words": lambda: pairwise([LONG_WORDS] * 8, [LONG_OTHER_WORDS] * 8),
    "pairwise of ids": lambda: pairwise(IDS[:8_000]),
    "pairwise of chrF": lambda: pairwise(SOME, metric=CHRF()),
    "pairwise of TER": lambda: pairwise(FEW, metric=TER()),
    "mbr": lambda: mbr([FEW] * 50),
    "mbr of words": lambda: mbr([[LONG_WORDS] * 4, [LONG_OTHER_WORDS] * 4]),
    "self_bleu": lambda: self_bleu(MANY),
    "self_bleu of words": lambda: self_bleu(LISTS * 25),
    "self_bleu of long segments": lambda: self_bleu([LONG, LONG_OTHER]),
    "bootstrap": lambda: compare(SYSTEMS, REFS, test="bootstrap", resamples=3_000_000),
    "permutation": lambda: compare(SYSTEMS, REFS, test="permutation", resamples=3_000_000),
    "sacrebleu-bs": lambda: compare(SYSTEMS, REFS, test="sacrebleu-bootstrap", resamples=200_000),
    "sacrebleu-ar": lambda: compare(SYSTEMS, REFS, test="sacrebleu-ar", resamples=200_000),
    "compare by chrF": lambda: compare(SYSTEMS, REFS, metric=CHRF(), resamples=3_000_000),
    "chrF": lambda: CHRF(word_order=2).corpus(SOME * 100, OTHERS * 100),
    "chrF of long segments": lambda: CHRF().corpus([LONG], [LONG_OTHER]),
    "chrF of lower case": lambda: CHRF(lowercase=True).corpus([WIDE], [WIDE_OTHER]),
    "TER": lambda: TER().sentences(SOME * 20, OTHERS * 20),
    "TER of long segments": lambda: TER().corpus(PAGES, PAGES[1:] + PAGES[:1]),
    "TER on one thread": lambda: TER(threads=1).corpus(PAGES, PAGES[1:] + PAGES[:1]),
    "explain": lambda: explain(MANY, MANY_OTHERS),
    "explain of a generator": lambda: explain(map(str.split, MANY), map(str.split, MANY_OTHERS)),
    "diff": lambda: diff(MANY, MANY_OTHERS, "sacrebleu", "nltk"),
    "reconcile": lambda: reconcile(SOME * 50, OTHERS * 50, 12.34),
    "check": lambda: check(SOME * 25, OTHERS * 25),
    "the first figure": lambda: plot(METRIC.corpus(FEW, FEW_OTHERS)).svg(),
    "report": lambda: write_report(os.devnull, LARGE, REFS * 25),
}  # fmt: skip

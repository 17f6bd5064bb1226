# SPDX-License-Identifier: Apache-2.0
"""`reconcile` against sacreBLEU with some settings tried by hand."""

from collections.abc import Iterator
from itertools import product

import sacrebleu
from corpora import english
from peers import clear_caches, named
from results import Row
from timing import Contender, interleave

from truebleu import reconcile
from truebleu.analysis.reconcile.matches import Matches

#: What one tries by hand: 6 settings, where we try some thousand.
TRIED = list(product(("13a", "intl", "none"), (False, True)))


def search(*, quick: bool) -> Iterator[Row]:
    """`reconcile` with 2,000 segments; equal if it finds what sacreBLEU gives for each setting."""
    corpus = english().head(2_000)

    def peer() -> list[float]:
        return [
            sacrebleu.corpus_bleu(corpus.hyps, [corpus.refs], tokenize=tok, lowercase=case).score
            for tok, case in TRIED
        ]

    def ours() -> Matches:
        return reconcile(corpus.hyps, corpus.refs, "27.3")

    contenders = [
        Contender("reconcile", ours),
        Contender(f"{len(TRIED)} settings", peer, clear_caches),
    ]
    (times, _), (theirs, scores) = interleave(contenders, 3 if quick else 7)
    settings = {
        (match.dialect.tokenize.tokenize, match.dialect.normalize.lowercase)
        for score in scores
        for first in reconcile(corpus.hyps, corpus.refs, score, dialects=["sacrebleu"])
        for match in (first, *first.equivalents)
    }
    yield Row(
        "search", corpus.name, len(corpus), "reconcile", times,
        named("sacrebleu", f", {len(TRIED)} settings"), theirs, settings >= set(TRIED),
    )  # fmt: skip

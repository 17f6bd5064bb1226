# SPDX-License-Identifier: Apache-2.0
"""Tests of significance against sacreBLEU's: resampling alone, from statistics that are at hand."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import peers
import sacrebleu
from corpora import Corpus, english
from results import Figure, Row, race
from timing import Contender, interleave

from truebleu import BLEU, Stats, compare
from truebleu.metrics.resampling import Resampling, numpy_draws

SEED = 12345


def significance(*, quick: bool) -> Iterator[Row | Figure]:
    """Two systems and 1,000 resamples against sacreBLEU's loops; all pairs of twenty systems."""
    corpus = english().repeated(3_000)
    rounds = 3 if quick else 7
    yield from _two_systems(corpus, 1_000, rounds)
    yield from _twenty_systems(corpus, 10_000)


def systems(corpus: Corpus, count: int) -> list[Stats]:
    """Statistics of systems that differ a little: each takes some lines from its neighbor."""
    counted = BLEU(tokenize=corpus.tokenize).stats(corpus.hyps, corpus.refs)
    whole = np.asarray(counted)
    draw = np.random.default_rng(SEED)
    several = []
    for _ in range(count):
        rows = np.where((draw.random(len(whole)) < 0.5)[:, None], whole, np.roll(whole, 1, axis=0))
        several.append(counted.like(np.ascontiguousarray(rows)))
    return several


def _two_systems(corpus: Corpus, resamples: int, rounds: int) -> Iterator[Row]:
    bleu = BLEU(summation=peers.SUMMATION)  # with all cores; sacreBLEU uses one
    stats = systems(corpus, 2)
    bootstrap = Contender(f"{peers.named('sacrebleu')} bs", lambda: _bootstrap_loop(stats, resamples))
    ar = Contender(f"{peers.named('sacrebleu')} ar", lambda: _ar_loop(stats, resamples))

    def draws() -> Any:
        return numpy_draws(np.random.default_rng(SEED))

    for test, run, peer, equal in (
        (
            "sacrebleu-bootstrap",
            lambda own: own.numpy_bootstrap(resamples, draws()),
            bootstrap,
            lambda mine, theirs: np.column_stack(mine).tolist() == theirs,
        ),
        (
            "sacrebleu-ar",
            lambda own: list(own.numpy_permutation(resamples, draws())),
            ar,
            lambda mine, theirs: np.concatenate(mine)[:, 0].tolist() == theirs,
        ),
        # These draw other random numbers.
        ("bootstrap", lambda own: list(own.bootstrap(resamples, SEED)), bootstrap, None),
        ("permutation", lambda own: list(own.permutation(resamples, SEED)), ar, None),
    ):
        own = Contender(test[:13], lambda run=run: run(Resampling(bleu, stats)), repeat=5)
        yield race("signif.", corpus.name, len(corpus), own, peer, rounds, equal or (lambda *_: None))


def _bootstrap_loop(stats: Sequence[Stats], resamples: int) -> list[list[float]]:
    """What `significance._paired_bs_test` does, of two systems: draws, sums, scores."""
    metric = sacrebleu.BLEU()
    rng = np.random.default_rng(SEED)
    size = len(stats[0])
    picks = rng.choice(size, size=(resamples, size), replace=True)
    columns = []
    for one in stats:
        rows = np.asarray(one).astype("float32")
        sums = rows[picks].sum(1)
        columns.append([metric._compute_score_from_stats(row).score for row in sums])
    return [list(pair) for pair in zip(*columns, strict=True)]


def _ar_loop(stats: Sequence[Stats], trials: int) -> list[float]:
    """What `significance._paired_ar_test` does."""
    metric = sacrebleu.BLEU()
    rng = np.random.default_rng(SEED)
    swaps = rng.integers(2, size=(trials, len(stats[0])), dtype=bool)
    a, b = (np.asarray(one) for one in stats)
    sums = swaps @ a + ~swaps @ b, ~swaps @ a + swaps @ b
    scores = [[metric._aggregate_and_compute(row).score for row in rows[:, None]] for rows in sums]
    return [abs(one - other) for one, other in zip(*scores, strict=True)]


def _twenty_systems(corpus: Corpus, resamples: int) -> Iterator[Figure]:
    stats = {f"system {i}": one for i, one in enumerate(systems(corpus, 20))}

    def contender(test: str, threads: int) -> Contender:
        return Contender(test, lambda: compare(stats, resamples=resamples, test=test, threads=threads))

    for test in ("permutation", "bootstrap"):
        (times, two), (_, one) = interleave([contender(test, 2), contender(test, 1)], 3)
        what = f"compare 20 systems, 190 pairs, {resamples:,} resamples, {test}, two threads"
        yield Figure("signif.", corpus.name, len(corpus), what, times.best * 1e3, "ms", two == one)

# SPDX-License-Identifier: Apache-2.0
"""Statistics of systems whose quality is known, for tests of tests: rows alone, without texts."""

import math

import numpy as np

from truebleu import BLEU, Stats
from truebleu.analysis.compare.corrections import holm
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.metrics.resampling import Resampling

#: What a segment keeps of its n-grams as they become longer, of systems such as those of WMT.
DECAY = np.array([0.68, 0.62, 0.68, 0.72])


def rows(rng, segments, systems=2, gain=0.0, orders=4):
    """Rows of systems that translate the same segments equally well, the last by `gain` better.

    Segments are short and long, easy and hard; what is hard for one system is hard for all.
    """
    lengths = 1 + rng.poisson(rng.gamma(4.0, 6.0, segments))
    ease = rng.normal(0.0, 0.35, segments)
    tables = []
    for system in range(systems):
        hyp_len = np.maximum(1, lengths + rng.integers(-2, 3, segments))
        row = np.zeros((segments, 2 + 2 * orders), dtype=np.int64)
        row[:, 0], row[:, 1] = hyp_len, lengths
        luck = ease + rng.normal(0.0, 0.3, segments) + (gain if system == systems - 1 else 0.0)
        left = hyp_len
        for n in range(orders):
            total = np.maximum(0, hyp_len - n)
            kept = DECAY[min(n, 3)]
            chance = 1 / (1 + np.exp(-(np.log(kept / (1 - kept)) + luck)))
            left = rng.binomial(np.minimum(left, total), chance)
            row[:, 2 + n], row[:, 2 + orders + n] = left, total
        tables.append(row)
    return tables


def as_stats(tables, orders=4):
    return [Stats.from_buffer(np.ascontiguousarray(row), orders) for row in tables]


def p_value(bleu, stats, test, resamples, seed):
    """The p-value of the pair, as `compare` finds it."""
    observed = [bleu.score(one).value for one in stats]
    _, (p,), _ = TESTS[test].run(Resampling(bleu, stats), observed, resamples, seed)
    return p


def rejections(test, segments, replicates, *, dialect="sacrebleu", gain=0.0, resamples=999, seed=1):
    """The share of replicates in which the test finds a difference at a level of 5 %."""
    rng = np.random.default_rng([seed, segments])
    bleu = BLEU(dialect, threads=1)
    orders = bleu.dialect.counted_orders
    count = 0
    for replicate in range(replicates):
        stats = as_stats(rows(rng, segments, gain=gain, orders=orders), orders)
        count += p_value(bleu, stats, test, resamples, replicate) <= 0.05
    return count / replicates


def familywise(bleu, draw, replicates, *, test="permutation", resamples=499):
    """The shares of replicates in which maxT and Holm call any pair of equal systems different.

    `draw(replicate)` gives statistics of systems, and for each system the number of its group:
    systems of one group are equally good.
    """
    errors = np.zeros(2)
    for replicate in range(replicates):
        stats, groups = draw(replicate)
        observed = [bleu.score(one).value for one in stats]
        resampling = Resampling(bleu, stats)
        _, ps, joint = TESTS[test].run(resampling, observed, resamples, replicate)
        equal = [groups[a] == groups[b] for a, b in resampling.pairs]
        for i, values in enumerate((joint, holm(ps))):
            errors[i] += any(p <= 0.05 for p, same in zip(values, equal, strict=True) if same)
    return errors / replicates


def swapped(tables, groups, segments, replicate):
    """Systems that are equal by construction: those of a group exchange rows at random.

    Args:
        tables: rows of real systems, an array of systems, segments and columns.
        groups: for each system the number of its group.
        segments: how many are drawn from the tables.
        replicate: the random seed.
    """
    rng = np.random.default_rng(replicate)
    some = tables[:, rng.permutation(tables.shape[1])[:segments]]
    groups = np.array(groups)
    for group in set(groups.tolist()):
        (places,) = np.nonzero(groups == group)
        order = rng.permuted(np.tile(places[:, None], (1, segments)), axis=0)
        some[places] = np.take_along_axis(some, order[:, :, None], axis=0)
    return as_stats(some), groups


def pair_of(segments, gain=0.0, seed=0):
    return dict(zip("AB", as_stats(rows(np.random.default_rng(seed), segments, gain=gain)), strict=True))


def error(share, replicates):
    """The standard error of a share."""
    return math.sqrt(share * (1 - share) / replicates)


def population(gain, seed=9):
    """Rows of very many segments, and the scores that two systems truly have."""
    tables = rows(np.random.default_rng(seed), 100_000, gain=gain)
    bleu = BLEU(threads=1)
    return tables, [bleu.score(stats).value for stats in as_stats(tables)]


def samples(tables, segments, replicates, seed=3):
    """Test sets drawn from a population."""
    rng = np.random.default_rng(seed)
    for _ in range(replicates):
        places = rng.integers(len(tables[0]), size=segments)
        yield dict(zip("AB", as_stats([row[places] for row in tables]), strict=True))

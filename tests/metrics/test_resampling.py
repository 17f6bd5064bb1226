# SPDX-License-Identifier: Apache-2.0
"""The kernel's resampling against the same draws summed in plain NumPy, and NumPy's own draws."""

import bisect
import itertools
import math

import numpy as np
import pytest
from support.example_texts import TWO_REFS, lines
from support.simulated_systems import as_stats, rows

from truebleu import BLEU, CHRF, TER, Stats
from truebleu._core import Resampler, simd_levels
from truebleu.metrics.resampling import Resampling, numpy_draws

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(word):
    """The finalizer of SplitMix64."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def word(seed, purpose, place):
    """The number at a place; picks have the purpose 1, coins 2."""
    start = mix((seed + purpose * GAMMA) & MASK)
    return mix((start + (place + 1) * GAMMA) & MASK)


def picks(seed, resample, units, some=None):
    """Units that a resample picks: 128 from 64 numbers, low halves first."""
    words = (units + 1) // 2
    some = units if some is None else some
    places = []
    for block in range(0, some, 128):
        size = min(128, some - block)
        low = (size + 1) // 2
        numbers = [word(seed, 1, resample * words + block // 2 + i) for i in range(low)]
        places += [pick(number, units) for number in numbers]
        places += [pick((number >> 32) | (number << 32) & MASK, units) for number in numbers][: size - low]
    return places


def pick(number, units):
    """Lemire's: the low 32 bits times the units, drawn again where some would be likelier."""
    while True:
        product = (number & 0xFFFFFFFF) * units
        if product & 0xFFFFFFFF >= (1 << 32) % units:
            return product >> 32
        number = mix((number + GAMMA) & MASK)


#: Resamples whose Poisson numbers are drawn again.
seen_again = set()


def multinomial(seed, resample, units):
    """How often a resample takes each of 512 units or more: Poisson numbers, and some picks."""
    rate = 1 - 3 / math.sqrt(units)
    chances = [65536 * math.exp(-rate)]
    for count in range(1, 21):
        chances.append(chances[-1] * rate / count)
    ends = list(itertools.accumulate(int(chance) for chance in chances))
    parts = list(itertools.accumulate(chance % 1 for chance in chances))
    unclear = 65536 - ends[-1]

    def count(number, lane):
        low = number >> 16 * lane & 0xFFFF
        if low >= unclear:
            return bisect.bisect_right(ends, low - unclear)
        turned = (number << 16 * lane | number >> 64 - 16 * lane) & MASK
        share = (mix((turned + GAMMA) & MASK) >> 11) / 2**53 * parts[-1]
        return bisect.bisect_right(parts, share)

    words = (units + 3) // 4
    for again in range(64):
        numbers = [word(seed, 3, (64 * resample + again) * words + i) for i in range(words)]
        counts = [count(number, lane) for number in numbers for lane in range(4)][:units]
        if sum(counts) <= units:
            break
        seen_again.add((seed, resample, units))
    for unit in picks(seed, resample, units, units - sum(counts)):
        counts[unit] += 1
    return np.array(counts)


def coins(seed, resample, units):
    words = (units + 63) // 64
    bits = [word(seed, 2, resample * words + unit // 64) >> (unit % 64) & 1 for unit in range(units)]
    return np.array(bits, dtype=bool)


def scores(bleu, sums):
    return [bleu.score(Stats([row.tolist()], bleu.dialect.counted_orders)).value for row in sums]


def table(buffer, systems):
    return np.frombuffer(buffer).reshape(-1, systems)


def kernel(bleu, stats):
    return Resampler(bleu.plan, [one.buffer for one in stats])


def pairs_of(systems):
    return list(itertools.combinations(range(systems), 2))


def differences(bleu, tables, swaps):
    """For each resample the second score of each pair minus its first if units are swapped."""
    result = []
    for swap in swaps:
        for a, b in pairs_of(len(tables)):
            one = np.where(swap[:, None], tables[a], tables[b]).sum(axis=0)
            other = np.where(swap[:, None], tables[b], tables[a]).sum(axis=0)
            left, right = scores(bleu, [one, other])
            result.append(right - left)
    return result


@pytest.mark.parametrize("simd", simd_levels())
@pytest.mark.parametrize(
    ("units", "systems", "large"),
    [(2, 2, 1), (7, 3, 1), (64, 2, 1), (65, 4, 1), (129, 2, 1), (300, 7, 1), (90, 3, 50_000)],
)
def test_resamples_are_the_sums_of_what_is_drawn(units, systems, large, simd, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", simd)
    bleu = BLEU()
    tables = [row * large for row in rows(np.random.default_rng(units), units, systems)]
    core = kernel(bleu, as_stats(tables))
    result = table(core.bootstrap(99, (3, 4), 1), systems)
    for resample, line in enumerate(result, start=3):
        places = picks(99, resample, units)
        assert len(places) == units
        assert line.tolist() == scores(bleu, [one[places].sum(axis=0) for one in tables])
    swaps = [coins(99, resample, units) for resample in range(3, 9)]
    drawn = core.permutation(pairs_of(systems), 99, (3, 6), 1)
    assert np.frombuffer(drawn).tolist() == differences(bleu, tables, swaps)
    left = table(core.jackknife((0, units), 1), systems)
    for unit in (0, units - 1):
        rest = [np.delete(one, unit, axis=0).sum(axis=0) for one in tables]
        assert left[unit].tolist() == scores(bleu, rest)


@pytest.mark.parametrize("simd", simd_levels())
@pytest.mark.parametrize("units", [511, 512, 513, 767, 1500, 3001])
def test_resamples_of_many_units_are_the_sums_of_their_counts(units, simd, monkeypatch):
    monkeypatch.setenv("TRUEBLEU_SIMD", simd)
    bleu = BLEU()
    tables = rows(np.random.default_rng(units), units, 2)
    result = table(kernel(bleu, as_stats(tables)).bootstrap(5, (1 << 40, 9), 1), 2)
    for resample, line in enumerate(result, start=1 << 40):
        if units < 512:
            counts = np.bincount(picks(5, resample, units), minlength=units)
        else:
            counts = multinomial(5, resample, units)
        assert counts.sum() == units
        assert line.tolist() == scores(bleu, [counts @ one for one in tables])


def test_a_sum_that_is_too_large_is_drawn_again():
    bleu = BLEU()
    tables = rows(np.random.default_rng(1), 512, 2)
    counts = multinomial(5, 834, 512)
    assert (5, 834, 512) in seen_again
    result = table(kernel(bleu, as_stats(tables)).bootstrap(5, (834, 1), 1), 2)
    assert result[0].tolist() == scores(bleu, [counts @ one for one in tables])


def test_counts_are_those_of_fair_picks():
    """A unit has k of n picks with the binomial's chance, and units share them as they must."""
    units, resamples = 600, 400
    counts = np.array([multinomial(11, resample, units) for resample in range(resamples)])
    assert (counts.sum(axis=1) == units).all()
    chances = [math.comb(units, k) * (1 / units) ** k * (1 - 1 / units) ** (units - k) for k in range(7)]
    for k, chance in enumerate(chances):
        expected = chance * counts.size
        assert abs((counts == k).sum() - expected) < 4 * math.sqrt(expected)
    # The variance of a sum of half of the units is that of picks, where Poisson's is twice as much.
    halves = counts[:, : units // 2].sum(axis=1)
    assert abs(halves.mean() - 300) < 4 * math.sqrt(150 / resamples)
    assert abs(halves.var() / 150 - 1) < 4 * math.sqrt(2 / resamples)
    means = counts.sum(axis=0) / resamples
    assert abs(means - 1).max() < 5 / math.sqrt(resamples)


def test_long_sums_are_taken_out_before_they_overflow():
    """16 bits hold 65,535: counts of 1,000 may be added 65 times."""
    bleu = BLEU()
    tables = [np.full((5000, 10), 1000) - np.arange(10) * (i + 1) for i in range(2)]
    core = kernel(bleu, as_stats(tables))
    whole = scores(bleu, [one.sum(axis=0) for one in tables])
    assert table(core.bootstrap(1, (0, 3), 1), 2).tolist() == [whole] * 3
    swaps = [coins(1, resample, 5000) for resample in range(40)]
    drawn = core.permutation([(0, 1)], 1, (0, 40), 1)
    assert np.frombuffer(drawn).tolist() == differences(bleu, tables, swaps)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_picks_and_coins_are_fair(seed):
    draws = np.array([picks(seed, resample, 300) for resample in range(40)])
    assert set(np.unique(draws)) == set(range(300))
    expected = draws.size / 300
    chi2 = ((np.bincount(draws.ravel(), minlength=300) - expected) ** 2 / expected).sum()
    assert 220 < chi2 < 390  # 299 degrees of freedom: within 3.7 standard deviations
    heads = np.array([coins(seed, resample, 300) for resample in range(40)])
    assert abs(heads.mean() - 0.5) < 4 * 0.5 / np.sqrt(heads.size)
    assert abs(np.corrcoef(heads[0], heads[1])[0, 1]) < 0.25


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_neither_threads_nor_steps_change_a_result(threads):
    bleu = BLEU()
    stats = as_stats(rows(np.random.default_rng(5), 3000, 6))
    core = kernel(bleu, stats)
    whole = core.bootstrap(7, (0, 700), 1)
    assert core.bootstrap(7, (0, 700), threads) == whole
    assert b"".join(core.bootstrap(7, (first, 100), threads) for first in range(0, 700, 100)) == whole
    pairs = pairs_of(6)
    drawn = core.permutation(pairs, 7, (0, 1500), 1)
    assert core.permutation(pairs, 7, (0, 1500), threads) == drawn
    parts = (core.permutation(pairs, 7, (first, 300), threads) for first in range(0, 1500, 300))
    assert b"".join(parts) == drawn
    some = table(core.permutation([(4, 1), (0, 5)], 7, (0, 1500), 1), 2)
    places = [pairs.index(pair) for pair in ((1, 4), (0, 5))]
    assert (some == table(drawn, len(pairs))[:, places] * [-1, 1]).all()
    assert core.jackknife((0, 3000), threads) == core.jackknife((0, 3000), 1)


@pytest.mark.parametrize("units", [1, 2, 63, 64, 100, 1000])
@pytest.mark.parametrize("resamples", [1, 63, 64, 130, 600])
def test_numpy_draws_what_numpy_draws(units, resamples):
    bleu = BLEU()
    tables = rows(np.random.default_rng(8), units, 2)
    core = kernel(bleu, as_stats(tables))
    generator = np.random.default_rng(321)
    draws = numpy_draws(generator)
    swaps = generator.integers(2, size=(resamples, units), dtype=bool)
    choices = generator.choice(units, size=(3, units), replace=True)
    ours = np.frombuffer(core.numpy_permutation([(0, 1)], draws, resamples))
    if resamples <= 64:
        assert ours.tolist() == differences(bleu, tables, swaps)
    else:
        totals = [one.sum(axis=0) for one in tables]
        heads = [swaps.astype(np.int64) @ one for one in tables]
        first = scores(bleu, heads[0] + totals[1] - heads[1])
        second = scores(bleu, heads[1] + totals[0] - heads[0])
        assert ours.tolist() == (np.array(second) - first).tolist()
    # The coins of sacreBLEU come first, and what it resamples comes after them.
    result = table(core.numpy_bootstrap(draws, 3, 1), 2)
    sums = [[one[pick].sum(axis=0) for one in tables] for pick in choices]
    assert np.allclose(result, [scores(bleu, line) for line in sums], rtol=1e-6)


def test_sums_that_floats_of_32_bits_cannot_hold_are_refused():
    bleu = BLEU()
    tables = [row * 100_000 for row in rows(np.random.default_rng(8), 30, 2)]
    core = kernel(bleu, as_stats(tables))
    with pytest.raises(OverflowError, match="16777216 n-grams or more"):
        core.numpy_bootstrap(numpy_draws(np.random.default_rng(1)), 5, 1)


def test_bad_rows_are_refused():
    bleu = BLEU()
    one, other = as_stats(rows(np.random.default_rng(8), 30, 2))
    for systems in ([], [one, other[:20]], [one[:0], other[:0]]):
        with pytest.raises(ValueError, match="the same rows of 10 integers"):
            kernel(bleu, systems)
    core = kernel(bleu, [one, other])
    with pytest.raises(OverflowError):
        core.bootstrap(1, (2**64 - 1, 2), 1)
    with pytest.raises(ValueError, match="there are 30 units"):
        core.jackknife((0, 31), 1)
    with pytest.raises(ValueError, match="there are 2 systems"):
        core.permutation([(0, 2)], 1, (0, 1), 1)
    with pytest.raises(ValueError, match="there are 2 systems"):
        core.numpy_permutation([(2, 0)], numpy_draws(np.random.default_rng(1)), 1)


def test_steps_do_not_change_what_numpy_draws(monkeypatch):
    bleu = BLEU()
    stats = as_stats(rows(np.random.default_rng(8), 77, 2))
    whole = kernel(bleu, stats)
    for in_a_step in (1, 128 * 77 * 2, 1000 * 77 * 2):
        monkeypatch.setattr("truebleu.metrics.resampling._ADDED_IN_A_STEP", in_a_step)
        draws, expected = (numpy_draws(np.random.default_rng(4)) for _ in range(2))
        resampling = Resampling(bleu, stats)
        steps = np.concatenate(list(resampling.numpy_permutation(1500, draws)))
        drawn = np.frombuffer(whole.numpy_permutation([(0, 1)], expected, 1500))
        assert (steps.ravel() == np.abs(drawn)).all()
        scores = np.column_stack(resampling.numpy_bootstrap(300, draws))
        assert scores.tobytes() == whole.numpy_bootstrap(expected, 300, 1)


@pytest.mark.parametrize(
    "metric", [CHRF(), CHRF(word_order=2), CHRF(eps_smoothing=True, beta=0.3), TER(), TER(normalized=True)], ids=str
)
def test_resampled_scores_of_other_metrics_are_scores_of_sums(metric):
    hyps = [lines(f"de-en/hyp.{name}.txt")[:30] for name in ("aurora", "cinder")]
    systems = [metric.stats(one, TWO_REFS[:30]) for one in hyps]
    tables = [np.asarray(one) for one in systems]

    def score(row):
        return metric.score(systems[0].like_rows([row.tolist()])).value

    without = np.concatenate(list(Resampling(metric, systems).jackknife()))
    for unit, row in enumerate(without):
        assert row.tolist() == [score(np.delete(one, unit, axis=0).sum(axis=0)) for one in tables]
    # Every resampled score must be one that picks can make, and with so many draws each occurs.
    few = Resampling(metric, [one[:3] for one in systems])
    possible = {
        tuple(score(one[list(picks)].sum(axis=0)) for one in tables) for picks in itertools.product(range(3), repeat=3)
    }
    drawn = {tuple(row) for row in np.concatenate(list(few.bootstrap(2_000, 1))).tolist()}
    assert drawn == possible

# SPDX-License-Identifier: Apache-2.0
"""Is one system better than another? Tests of every pair, intervals, ranks and power.

The statistics of a corpus are sums of rows, so a resampled corpus is scored without its texts; see
docs/significance.md for what is computed and why.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt

from truebleu.analysis.compare.comparison import Comparison, Pair, System
from truebleu.analysis.compare.corrections import benjamini_hochberg, clusters, holm
from truebleu.analysis.compare.intervals import acceleration, mean_and_half_width, spread
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.power import detectable
from truebleu.analysis.compare.resampling import Resampling, make_room_for_pairs
from truebleu.errors import InputError, OptionError, check_int, describe, suggest
from truebleu.inputs.corpus import column, named_systems
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.bleu import choose_metric
from truebleu.metrics.stats import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.compare.intervals import Spread
    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.bleu import BLEU
    from truebleu.metrics.chrf import CHRF
    from truebleu.metrics.ter import TER

    Array = NDArray[np.float64]

#: The seed of sacreBLEU.
SEED = 12345


def compare(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    test: str = "permutation",
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    documents: Iterable[Any] | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **changes: Any,
) -> Comparison:
    """Compare systems on one test set: every pair, tested, corrected and ranked.

    Args:
        systems: hypotheses by the system's name, as for `BLEU.corpus`; or their statistics.
        refs: as for `BLEU.corpus`; not needed with statistics.
        dialect: whose score is compared.
        metric: whose score is compared, in place of a dialect's: such as `CHRF()`, or `TER()`, of
            which less is better.
        test: `permutation`, paired approximate randomization (Noreen 1989; Riezler and Maxwell
            2005); `bootstrap`, a paired bootstrap whose differences are centered (Hall and Wilson
            1991); or `sacrebleu-ar` and `sacrebleu-bootstrap`, sacreBLEU's with its random
            numbers. The last one finds equal systems different twice as often as it says.
        resamples: how many are drawn; 10,000, or 1,000 for `sacrebleu-bootstrap`.
        seed: of the random numbers, 0 or more.
        alpha: level of the tests after Holm's correction; intervals have the level 1 - alpha.
        documents: a label for each segment; what has the same label is drawn together.
        threads: the most threads to use; they never change a result.
        progress: is told the share that is done, now and then.
        changes: options of the dialect to change, by name.

    Raises:
        InputError: fewer than two systems or segments, names that are equal, texts that are not
            aligned, or a system that has no score.
        OptionError: an option that does not exist or cannot have this value.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "a dog ran home", "it is very late now"] * 10
        >>> worse = ["the cat is on the mat", "a dog ran to home", "it is late now"] * 10
        >>> better = ["the cat sat on a mat", "a dog ran home", "it is very late"] * 10
        >>> found = tb.compare({"A": worse, "B": better}, refs)
        >>> print(found)
        B is better than A: +53.7 BLEU, 95 % interval 47.9 to 60.1, p = 0.0001 after Holm
        >>> found.pairs[0].p_holm, [system.cluster for system in found.systems]
        (9.999000099990002e-05, [2, 1])
    """
    resamples, seed = _check(test, resamples, seed, alpha)
    metric = choose_metric(metric, dialect, threads, changes)
    if refs is not None:
        refs = column("refs", refs)
    names, columns, stats, scores = _score(metric, systems, refs)
    labels = None if documents is None else list(documents)
    if labels is not None:
        stats = [_by_document(one, labels) for one in stats]
    units = len(stats[0])
    if units < 2:
        what = "segment" if documents is None else "document"
        raise InputError(f"one {what} has nothing to be drawn from; give two at least")
    steps = units + resamples * (2 if test in ("permutation", "sacrebleu-ar") else 1)
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(min(1.0, done / steps))

    resampling = Resampling(metric, stats, step)
    observed = [score.value for score in scores]
    resampled, ps = TESTS[test][0](resampling, observed, resamples, seed)
    spreads = _spreads(resampling, observed, resampled, 1 - alpha)
    pairs = _pairs(resampling, names, scores, spreads[len(names) :], ps, alpha)
    found = _systems(names, resampling.sign, scores, spreads[: len(names)], pairs)
    if test == "sacrebleu-bootstrap":
        found = [_as_sacrebleu(system, resampled[:, i]) for i, system in enumerate(found)]
    return Comparison(
        systems=tuple(found),
        pairs=tuple(pairs),
        test=test,
        resamples=resamples,
        seed=seed,
        alpha=alpha,
        units=units,
        by_document=documents is not None,
        signature=scores[0].signature,
        metric=scores[0].name,
        higher_is_better=metric.higher_is_better,
        resampled=resampled,
        texts=None if columns is None else (metric, columns, refs, labels),
    )


def _check(test: str, resamples: int | None, seed: int, alpha: float) -> tuple[int, int]:
    if not isinstance(test, str) or test not in TESTS:
        raise OptionError(f"no test is named {suggest(str(test), TESTS)}")
    if resamples is None:
        resamples = TESTS[test][1]
    resamples = check_int("resamples", resamples, 1)
    seed = check_int("the seed", seed, 0, (1 << 64) - 1)
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise OptionError(
            f"alpha cannot be {describe(alpha)}; it must be between 0 and 1, such as 0.05"
        )
    return resamples, seed


def _score(
    metric: Any, systems: Any, refs: Any
) -> tuple[list[str], dict[str, Any] | None, list[Any], list[Any]]:
    """Names, texts if all systems have some, statistics and scores."""
    pairs = named_systems(systems)
    names = [name for name, _ in pairs]
    if len(pairs) < 2:
        raise InputError(f"a comparison needs two systems at least; {len(pairs)} given")
    make_room_for_pairs(len(pairs))
    signature = ""
    stats = []
    columns = {}
    for name, given in pairs:
        if isinstance(given, Rows):
            metric.check_stats(given)
            stats.append(given)
            continue
        if refs is None:
            raise InputError("refs are missing; only Stats are compared without")
        try:
            columns[name] = hyps = column("hyps", given)
            signature = signature or metric.corpus(hyps, refs).signature
            stats.append(metric.stats(hyps, refs))
        except InputError as error:
            raise InputError(f"system {name!r}: {error}") from None
    lengths = {len(one) for one in stats}
    if len(lengths) > 1:
        counts = " and ".join(map(str, sorted(lengths)))
        raise InputError(f"the systems have {counts} segments; they must be of one test set")
    scores = [metric.score(one).with_signature(signature or metric.signature) for one in stats]
    for name, score in zip(names, scores, strict=True):
        if score.value != score.value:  # true of NaN alone
            raise InputError(f"system {name!r} has no score in this dialect; nothing to compare")
    return names, columns if len(columns) == len(names) else None, stats, scores


def _by_document(stats: Any, labels: Sequence[Any]) -> Any:
    """A row for each label, in the order in which they come first."""
    if len(labels) != len(stats):
        raise InputError(
            f"documents has {len(labels)} labels for {len(stats)} segments; give one for each"
        )
    names, places = group_places(labels)
    return stats.like(group_sums(stats, places, len(names)))


def _spreads(
    resampling: Resampling, observed: list[float], resampled: Array, level: float
) -> list[Spread]:
    """Those of the systems, then those of the pairs."""
    import numpy as np

    def column(scores: Array, b: int, a: int | None) -> Array:
        return scores[:, b] if a is None else scores[:, b] - scores[:, a]

    columns: list[tuple[int, int | None]] = [(i, None) for i in range(len(observed))]
    columns += [(b, a) for a, b in resampling.pairs]
    powers = np.zeros((len(columns), 3))
    whole = np.array([observed])
    for scores in resampling.jackknife():
        for i, which in enumerate(columns):
            moved = column(whole - scores, *which)
            powers[i] += moved.sum(), (moved**2).sum(), (moved**3).sum()
    found = []
    for which, sums in zip(columns, powers.tolist(), strict=True):
        skew = acceleration(resampling.units, *sums)
        found.append(spread(column(resampled, *which), column(whole, *which).item(), skew, level))
    return found


def _pairs(
    resampling: Resampling,
    names: list[str],
    scores: list[Any],
    spreads: list[Spread],
    ps: list[float],
    alpha: float,
) -> list[Pair]:
    corrected = zip(ps, holm(ps), benjamini_hochberg(ps), strict=True)
    found = []
    for (a, b), one, (p, p_holm, p_bh) in zip(resampling.pairs, spreads, corrected, strict=True):
        difference = scores[b].value - scores[a].value
        error = one.standard_error
        gain = resampling.sign * difference
        better = names[b if gain > 0 else a] if p_holm <= alpha and gain else None
        pair = Pair(
            a=names[a],
            b=names[b],
            difference=difference,
            interval=one.interval,
            percentile=one.percentile,
            standard_error=error,
            p=p,
            p_holm=p_holm,
            p_bh=p_bh,
            effect=difference / (error * sqrt(resampling.units)) if error else 0.0,
            superiority=one.above if resampling.sign > 0 else 1 - one.above,
            detectable=detectable(error, alpha),
            better=better,
            units=resampling.units,
            alpha=alpha,
            decimals=1 if getattr(scores[0], "scale", 100) == 100 else 4,
            metric=scores[0].name,
        )
        found.append(pair)
    return found


def _systems(
    names: list[str], sign: int, scores: list[Any], spreads: list[Spread], pairs: list[Pair]
) -> list[System]:
    beaten = {(pair.better, pair.worse) for pair in pairs}

    def differ(i: int, j: int) -> bool:
        return not beaten.isdisjoint({(names[i], names[j]), (names[j], names[i])})

    won = Counter(better for better, _ in beaten)
    lost = Counter(worse for _, worse in beaten)
    ranks = clusters([sign * score.value for score in scores], differ)
    found = []
    for name, score, one, cluster in zip(names, scores, spreads, ranks, strict=True):
        wins, losses = won[name], lost[name]
        system = System(
            name=name,
            score=score,
            interval=one.interval,
            percentile=one.percentile,
            mean=one.mean,
            standard_error=one.standard_error,
            cluster=cluster,
            rank=(1 + losses, len(names) - wins),
            wins=wins,
            losses=losses,
        )
        found.append(system)
    return found


def _as_sacrebleu(system: System, resampled: Array) -> System:
    """The system with sacreBLEU's interval, whose level is 95 %."""
    mean, half = map(float, mean_and_half_width(resampled))
    return replace(system, mean=mean, interval=(mean - half, mean + half))

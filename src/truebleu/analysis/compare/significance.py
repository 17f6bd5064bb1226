# SPDX-License-Identifier: Apache-2.0
"""The comparison of systems: score, resample, test, correct, rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan, sqrt
from typing import Any

from truebleu.analysis.compare.comparison import Comparison, Pair, System, after
from truebleu.analysis.compare.corrections import (
    CORRECTIONS,
    benjamini_hochberg,
    clusters,
    holm,
    resamples_needed,
    resamples_warning,
)
from truebleu.analysis.compare.intervals import Interval, Spread, mean_and_half_width, spreads
from truebleu.analysis.compare.paired_tests import KEPT, PILOT, TESTS, resampled_scores
from truebleu.analysis.compare.power import detectable
from truebleu.analysis.compare.resampling import Resampling
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, check_int, describe, quantity, suggest
from truebleu.inputs.corpus import column, label_list, named_systems
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.runs import opened, without_runs
from truebleu.metrics.stats import Rows

#: sacreBLEU's random seed.
SEED = 12345


def compare(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric[Any, Any] | None = None,
    test: str = "permutation",
    correction: str | None = None,
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    documents: Iterable[Any] | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **changes: Any,
) -> Comparison:
    """Compare systems on one test set: test, correct and rank every pair.

    Args:
        systems: hypotheses by the system's name, as for `BLEU.corpus`; or their statistics, runs of
            one system, or paths of run files.
        refs: as for `BLEU.corpus`; not needed with statistics and runs.
        dialect: whose score is compared (default: the first metric that all runs have, if any).
        metric: compared instead of BLEU: a name, such as `"chrf"`, or a metric. A lower TER is
            better.
        test: `permutation`, paired approximate randomization (Noreen 1989; Riezler and Maxwell
            2005); `bootstrap`, a paired bootstrap with centered differences (Hall and Wilson
            1991); or `sacrebleu-ar` and `sacrebleu-bootstrap`, sacreBLEU's tests with its random
            numbers. The last one rejects twice as many equal systems as its level promises.
        correction: of the p-values of several pairs: `maxt`, step-down maxT (Westfall and Young
            1993), which sacreBLEU's tests do not have; `holm`, the default for those; or `bh`,
            Benjamini and Hochberg's, which bounds the share of false results instead of the
            probability of one.
        baseline: the name of the system that all others are compared with, instead of every pair.
        resamples: how many to draw (default: 10,000, for `sacrebleu-bootstrap` 1,000; with `holm`
            and `bh` of the first two tests at least 200 per pair at a level of 0.05, and at most a
            million). Too few leave a warning in `Comparison.warnings`.
        seed: random seed, 0 or more.
        alpha: level of the tests after the correction; intervals have the level 1 - alpha.
        documents: a label for each segment; segments with the same label are drawn together.
        threads: the most threads to use; they never change a result.
        progress: called with the share of the work that is done.
        changes: options of the dialect to change, by name.

    Raises:
        InputError: fewer than two systems or segments, equal names, texts that are not aligned, or
            a system without a score.
        OptionError: an option that does not exist or cannot have this value.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "a dog ran home", "it is very late now"] * 10
        >>> worse = ["the cat is on the mat", "a dog ran to home", "it is late now"] * 10
        >>> better = ["the cat sat on a mat", "a dog ran home", "it is very late"] * 10
        >>> comparison = tb.compare({"A": worse, "B": better}, refs)
        >>> print(comparison)
        B is better than A: +53.7 BLEU, 95 % interval 47.9 to 60.1, p = 0.0001
        >>> comparison.pairs[0].p_adjusted, [system.cluster for system in comparison.systems]
        (9.999000099990002e-05, [2, 1])
    """
    checked, resamples, seed = check_options(test, correction, resamples, seed, alpha)
    measure = choose_metric(metric, dialect, threads, changes)
    if refs is not None:
        refs = column("refs", refs)
    labels = None if documents is None else label_list("documents", documents)
    named = [(name, opened(hyps)) for name, hyps in named_systems(systems)]
    is_default = metric is None and dialect == "sacrebleu" and not changes
    named, measure, signature = without_runs(named, refs, measure, is_default=is_default)
    names, columns, stats, scores = _score(measure, named, refs, signature)
    if baseline is not None and baseline not in names:
        raise OptionError(f"no system is named {suggest(str(baseline), names)}")
    rows = _by_document(stats, labels)
    units = len(rows[0])
    if units < 2:
        unit = "segment" if documents is None else "document"
        raise InputError(f"compare needs at least two {unit}s to draw from; got one")
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(min(1.0, done / steps))

    place = None if baseline is None else names.index(baseline)
    resampling = Resampling(measure, rows, step, place)
    tests = len(resampling.pairs)
    method = CORRECTIONS[checked] if tests > 1 else None
    factor = 1 if checked == "maxt" else tests
    paired = TESTS[test]
    if resamples is None:
        resamples = paired.resamples
        if not paired.sacrebleu:
            resamples = resamples_needed(factor, alpha, resamples)
    steps = units + resamples + (PILOT if tests > 1 and not paired.sacrebleu else 0)
    if test in ("permutation", "sacrebleu-ar"):
        steps += min(resamples, KEPT // len(names))
    observed = [score.value for score in scores]
    resampled, ps, joint = paired.run(resampling, observed, resamples, seed)
    if joint is not None and checked == "maxt":
        adjusted = joint
    else:
        adjusted = (holm if checked == "holm" else benjamini_hochberg)(ps)
    of_each = spreads(resampling, observed, resampled, 1 - alpha)
    corrected = list(zip(ps, adjusted, strict=True))
    pairs = pairs_of(resampling, names, scores, of_each[len(names) :], corrected, method, alpha)
    results = _systems(names, resampling.sign, scores, of_each[: len(names)], pairs)
    if test == "sacrebleu-bootstrap":
        halves = [map(float, mean_and_half_width(column)) for column in resampled.T]
        results = [
            replace(system, mean=mean, interval=(mean - half, mean + half))
            for system, (mean, half) in zip(results, halves, strict=True)
        ]
    warnings = (resamples_warning(factor, alpha, resamples, after(method)), paired.warning)
    return Comparison(
        systems=tuple(results),
        pairs=tuple(pairs),
        test=test,
        correction=method,
        baseline=baseline,
        resamples=resamples,
        seed=seed,
        alpha=alpha,
        units=units,
        by_document=documents is not None,
        signature=scores[0].signature,
        metric=scores[0].name,
        higher_is_better=measure.higher_is_better,
        resampled=resampled,
        texts=None if columns is None else (measure, columns, refs, labels),
        warnings=tuple(filter(None, warnings)),
    )


def score_intervals(
    metric: Any,
    stats: Sequence[Rows],
    *,
    documents: Iterable[Any] | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
) -> tuple[Interval, ...] | None:
    """The interval of each system's score, as `compare` computes them for two systems or more.

    Args:
        metric: a metric, such as `BLEU()`.
        stats: statistics of each system, one row per segment.
        documents, resamples, seed, alpha: as for `compare`.

    Returns:
        None if there is one unit, or a score is not a number.
    """
    values = [metric.score(one).value for one in stats]
    stats = _by_document(stats, documents)
    if len(stats[0]) < 2 or any(map(isnan, values)):
        return None
    resampling = Resampling(metric, stats)
    count = TESTS["bootstrap"].resamples if resamples is None else resamples
    resampled = resampled_scores(resampling, count, seed)
    of_each = spreads(resampling, values, resampled, 1 - alpha)
    return tuple(one.interval for one in of_each[: len(stats)])


def check_options(
    test: str, correction: str | None, resamples: int | None, seed: int, alpha: float
) -> tuple[str, int | None, int]:
    """The correction, and the resamples and the seed as integers of Python."""
    if not isinstance(test, str) or test not in TESTS:
        raise OptionError(f"no test is named {suggest(str(test), TESTS)}")
    is_sacrebleu = TESTS[test].sacrebleu
    if correction is None:
        correction = "holm" if is_sacrebleu else "maxt"
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise OptionError(f"no correction is named {suggest(str(correction), CORRECTIONS)}")
    if correction == "maxt" and is_sacrebleu:
        raise OptionError(f"{test} has no correction maxt; choose holm or bh")
    if resamples is not None:
        resamples = check_int("resamples", resamples, 1)
    seed = check_int("the seed", seed, 0, (1 << 64) - 1)
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise OptionError(
            f"alpha cannot be {describe(alpha)}; it must be between 0 and 1, such as 0.05"
        )
    return correction, resamples, seed


def _score(
    metric: Any, named: Sequence[tuple[str, Any]], refs: Any, signature: str
) -> tuple[list[str], dict[str, Any] | None, list[Any], list[Any]]:
    """Names, texts if all systems have some, statistics and scores."""
    if len(named) < 2:
        raise InputError(f"compare needs at least two systems; got {len(named)}")
    stats = []
    columns = {}
    for name, system in named:
        if refs is None and not isinstance(system, Rows):
            raise InputError("refs are missing; only Stats are compared without refs")
        try:
            if isinstance(system, Rows):
                metric.check_stats(system)
                stats.append(system)
                continue
            columns[name] = hyps = column("hyps", system)
            signature = signature or metric.corpus(hyps, refs).signature
            stats.append(metric.stats(hyps, refs))
        except InputError as error:
            raise InputError(f"system {name!r}: {error}") from None
    lengths = {len(one) for one in stats}
    if len(lengths) > 1:
        counts = " and ".join(map(str, sorted(lengths)))
        raise InputError(f"the systems have {counts} segments; give systems of one test set")
    scores = [metric.score(one).with_signature(signature or metric.signature) for one in stats]
    names = [name for name, _ in named]
    for name, score in zip(names, scores, strict=True):
        if isnan(score.value):
            raise InputError(f"system {name!r} has no score in this dialect; leave it out")
    return names, columns if len(columns) == len(names) else None, stats, scores


def _by_document(stats: Sequence[Any], documents: Iterable[Any] | None) -> Sequence[Any]:
    """Statistics with a row per document, in the order in which the labels first occur."""
    if documents is None:
        return stats
    labels = list(documents)
    if len(labels) != len(stats[0]):
        raise InputError(
            f"documents has {quantity(len(labels), 'label')} for "
            f"{quantity(len(stats[0]), 'segment')}; give one for each"
        )
    names, places = group_places(labels)
    return [one.like(group_sums(one, places, len(names))) for one in stats]


def pairs_of(
    resampling: Resampling,
    names: list[str],
    scores: list[Any],
    of_pairs: list[Spread],
    corrected: list[tuple[float, float]],
    correction: str | None,
    alpha: float,
) -> list[Pair]:
    """The pairs of a resampling; `names` and `scores` have an item for each of its columns.

    `corrected` has the p-value of each pair, and the same after the `correction`.
    """
    pairs = []
    for (a, b), one, (p, p_adjusted) in zip(resampling.pairs, of_pairs, corrected, strict=True):
        difference = scores[b].value - scores[a].value
        error = one.standard_error
        gain = resampling.sign * difference
        pair = Pair(
            a=names[a],
            b=names[b],
            difference=difference,
            interval=one.interval,
            percentile=one.percentile,
            standard_error=error,
            p=p,
            p_adjusted=p_adjusted,
            correction=correction,
            effect=difference / (error * sqrt(resampling.units)) if error else 0.0,
            superiority=one.above if resampling.sign > 0 else 1 - one.above,
            detectable=detectable(error, alpha),
            better=names[b if gain > 0 else a] if p_adjusted <= alpha and gain else None,
            units=resampling.units,
            alpha=alpha,
            decimals=1 if getattr(scores[0], "scale", 100) == 100 else 4,
            metric=scores[0].name,
        )
        pairs.append(pair)
    return pairs


def _systems(
    names: list[str], sign: int, scores: list[Any], of_systems: list[Spread], pairs: list[Pair]
) -> list[System]:
    results = {(pair.better, pair.worse) for pair in pairs if pair.better}

    def differ(i: int, j: int) -> bool:
        return not results.isdisjoint({(names[i], names[j]), (names[j], names[i])})

    won = Counter(better for better, _ in results)
    lost = Counter(worse for _, worse in results)
    ranks = clusters([sign * score.value for score in scores], differ)
    return [
        System(
            name=name,
            score=score,
            interval=one.interval,
            percentile=one.percentile,
            mean=one.mean,
            standard_error=one.standard_error,
            cluster=cluster,
            rank=(1 + lost[name], len(names) - won[name]),
            wins=won[name],
            losses=lost[name],
        )
        for name, score, one, cluster in zip(names, scores, of_systems, ranks, strict=True)
    ]

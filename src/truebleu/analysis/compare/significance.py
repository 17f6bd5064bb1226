# SPDX-License-Identifier: Apache-2.0
"""The comparison of systems: score, resample, test, correct, rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, sqrt
from typing import Any

from truebleu.analysis.agreement import SOURCE, calibration, unknown
from truebleu.analysis.compare.comparison import (
    ComparedTexts,
    Comparison,
    MeanScore,
    Pair,
    System,
    after,
)
from truebleu.analysis.compare.corrections import (
    CORRECTIONS,
    benjamini_hochberg,
    clusters,
    holm,
    resamples_needed,
    resamples_warning,
)
from truebleu.analysis.compare.paired_tests import (
    PILOT,
    TESTS,
    PairedTest,
)
from truebleu.analysis.compare.power import detectable
from truebleu.analysis.compare.strata import Strata, Stratum
from truebleu.analysis.compare.trials import is_tried, with_trials
from truebleu.analysis.progress import between
from truebleu.analysis.segment_scores import joined
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, check_int, describe, quantity, suggest, within
from truebleu.inputs.corpus import as_python, column, label_list, label_names, named_systems
from truebleu.inputs.ids import is_array
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.intervals import Spread, mean_and_half_width, spreads
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.resampling import KEPT, SEED, Resampling, resampled_scores
from truebleu.metrics.runs import opened, without_runs
from truebleu.metrics.stats import Rows


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """How differences are tested: checked arguments of `compare`."""

    test: str = "permutation"
    correction: str = "maxt"
    resamples: int | None = None
    seed: int = SEED
    alpha: float = 0.05

    @property
    def paired(self) -> PairedTest:
        """The test."""
        return TESTS[self.test]


def compare(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric | None = None,
    test: str = "permutation",
    correction: str | None = None,
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    documents: Iterable[Any] | None = None,
    strata: Iterable[Any] | None = None,
    robustness: bool | None = None,
    scores: Any = None,
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
        strata: a label for each segment, such as its test set or domain. Systems are then compared
            by the mean of their scores on the strata, each of which counts the same; resamples are
            drawn within each. A system whose hypotheses are all None in a stratum lacks it: its
            mean is fitted (score = stratum + system), and its pairs are compared on the strata that
            both systems have.
        robustness: whether to try what would change the verdicts: typography, other settings and
            metrics, each reference alone; see `Pair.survives` and `Pair.trials` (default: for at
            most 50,000 segments of all systems together). Only text can be tried, without strata.
        scores: of segments from elsewhere, such as COMET: for each name the scores by system, None
            for no score; or the paths of files.
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
        >>> domains = ["news"] * 12 + ["chat"] * 18
        >>> print(tb.compare({"A": worse, "B": better}, refs, strata=domains))
        B is better than A: +50.3 average BLEU, 95 % interval 44.0 to 56.5, p = 0.0001
    """
    settings = check_options(test, correction, resamples, seed, alpha)
    measure = choose_metric(metric, dialect, threads, changes)
    if refs is not None and (strata is None or not is_array(refs)):
        refs = column("refs", refs)
    labels = None if documents is None else label_list("documents", documents)
    elsewhere = scores
    named = [(name, opened(hyps)) for name, hyps in named_systems(systems)]
    is_default = metric is None and dialect == "sacrebleu" and not changes
    named, measure, signature = without_runs(named, refs, measure, is_default=is_default)
    names = [name for name, _ in named]
    if not named:
        raise InputError("compare needs at least one system; got none")
    if baseline is not None and baseline not in names:
        raise OptionError(f"no system is named {suggest(str(baseline), names)}")
    texts = None
    tries = False
    resampling: Resampling
    if strata is None:
        columns, stats, scores = score_systems(measure, named, refs, signature)
        place = None if baseline is None else names.index(baseline)
        resampling = Resampling(measure, by_document(stats, labels), baseline=place)
        if len(columns) == len(names) > 1:
            texts = ComparedTexts(measure, columns, refs, labels)
            tries = is_tried(stats) if robustness is None else robustness
    else:
        parts, signature = _by_stratum(
            measure, named, refs, signature, label_list("strata", strata), labels
        )
        resampling, scores = _stratified(measure, parts, names, settings, signature, baseline)
    if resampling.units < 2:
        unit = "segment" if documents is None else "document"
        raise InputError(f"compare needs at least two {unit}s to draw from; got one")
    tested = between(progress, 0, 0.4) if tries else progress
    result = _tested(resampling, names, scores, settings, baseline, tested)
    result = replace(result, by_document=documents is not None, texts=texts)
    if elsewhere is not None:
        if strata is not None or len(columns) != len(names):
            raise OptionError("scores are shown beside those of texts, without strata and runs")
        result = replace(result, scores=joined(elsewhere, measure, columns, refs, 1 - alpha))
    if strata is not None:
        return replace(result, people="unknown for averages")
    if tries:
        result = with_trials(
            result, measure, columns, refs, stats, lambda rows: by_document(rows, labels),
            progress=between(progress, 0.4, 1),
        )  # fmt: skip
    return with_people(result, measure, result.signature, len(stats[0]))


def with_people(result: Comparison, metric: Any, signature: str, segments: int) -> Comparison:
    """The comparison with how often people agreed with such differences; see `unknown`."""
    if not result.pairs:
        return result
    reason = unknown(metric, signature, segments)
    own = None if reason else calibration(metric)
    pairs = tuple(replace(pair, calibration=own) for pair in result.pairs)
    return replace(result, pairs=pairs, people=reason or SOURCE)


def compare_strata(
    metric: Any,
    strata: Mapping[str, Stratum],
    systems: Sequence[str],
    settings: ComparisonSettings,
    progress: Callable[[float], None] = lambda _: None,
) -> Comparison:
    """`compare` of systems by their statistics on each stratum; also of one system.

    Args:
        metric: of the statistics; those of all strata are scored alike.
        strata: by name, at least one; a system that lacks a stratum is absent there.
        systems: the names of all systems, each of which has a stratum.
        settings: their test is no test of sacreBLEU's.
        progress: called with the share of the work that is done.
    """
    resampling, scores = _stratified(metric, strata, systems, settings)
    return _tested(resampling, systems, scores, settings, None, progress)


def _stratified(
    metric: Any,
    strata: Mapping[str, Stratum],
    systems: Sequence[str],
    settings: ComparisonSettings,
    signature: str = "",
    baseline: str | None = None,
) -> tuple[Strata, list[Any]]:
    """The resampling of strata, and the mean score of each of its columns."""
    if settings.paired.sacrebleu:
        raise OptionError(f"{settings.test} has no strata; choose permutation or bootstrap")
    resampling = Strata(metric, strata, systems, baseline)
    name = f"average {metric.name}"
    means = resampling.observed.tolist()
    return resampling, [MeanScore(name, value, signature, None) for value in means]


def _tested(
    resampling: Resampling,
    names: Sequence[str],
    scores: list[Any],
    settings: ComparisonSettings,
    baseline: str | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> Comparison:
    """Test, correct and rank.

    `scores` has an item for each column of the resampling, the first ones for the systems.
    """
    paired, alpha, seed = settings.paired, settings.alpha, settings.seed
    tests = len(resampling.pairs)
    method = CORRECTIONS[settings.correction] if tests > 1 else None
    factor = 1 if settings.correction == "maxt" else max(1, tests)
    resamples = settings.resamples
    if resamples is None:
        resamples = paired.resamples
        if not paired.sacrebleu:
            resamples = resamples_needed(factor, alpha, resamples)
    done = 0
    steps = resampling.units + resamples + (PILOT if tests > 1 and not paired.sacrebleu else 0)
    if settings.test in ("permutation", "sacrebleu-ar"):
        steps += min(resamples, KEPT // resampling.systems)

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(min(1.0, done / steps))

    resampling.progress = step
    observed = [score.value for score in scores]
    joint: list[float] | None
    if tests:
        resampled, ps, joint = paired.run(resampling, observed, resamples, seed)
    else:
        resampled, ps, joint = resampled_scores(resampling, resamples, seed), [], None
    if joint is not None and settings.correction == "maxt":
        adjusted = joint
    else:
        adjusted = (benjamini_hochberg if settings.correction == "bh" else holm)(ps)
    of_each = spreads(resampling, observed, resampled, 1 - alpha)
    corrected = list(zip(ps, adjusted, strict=True))
    pairs = _pairs(resampling, names, scores, of_each[len(observed) :], corrected, method, alpha)
    results = list(_systems(resampling, names, scores, of_each, pairs))
    if settings.test == "sacrebleu-bootstrap":
        halves = [map(float, mean_and_half_width(column)) for column in resampled.T]
        results = [
            replace(system, mean=mean, interval=(mean - half, mean + half))
            for system, (mean, half) in zip(results, halves, strict=True)
        ]
    coarse = resamples_warning(factor, alpha, resamples, after(method, 1)) if tests else ""
    return Comparison(
        systems=tuple(results),
        pairs=tuple(pairs),
        test=settings.test,
        correction=method,
        baseline=baseline,
        resamples=resamples,
        seed=seed,
        alpha=alpha,
        units=resampling.units,
        by_document=False,
        signature=scores[0].signature,
        metric=scores[0].name,
        higher_is_better=resampling.metric.higher_is_better,
        resampled=resampled,
        texts=None,
        warnings=tuple(filter(None, (coarse, paired.warning))),
        strata=resampling.strata,
        misfit=resampling.misfit,
        columns=tuple(resampling.pairs),
    )


def check_options(
    test: str, correction: str | None, resamples: int | None, seed: int, alpha: float
) -> ComparisonSettings:
    """Checked settings, with integers of Python and the default correction of the test."""
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
    return ComparisonSettings(test, correction, resamples, seed, alpha)


def score_systems(
    metric: Any, named: Sequence[tuple[str, Any]], refs: Any, signature: str
) -> tuple[dict[str, Any], list[Rows], list[Any]]:
    """The texts of the systems that have some, and the statistics and the score of each."""
    stats: list[Rows] = []
    columns = {}
    for name, system in named:
        if refs is None and not isinstance(system, Rows):
            raise InputError("refs are missing; only Stats are compared without refs")
        with within(f"system {name!r}"):
            if isinstance(system, Rows):
                metric.check_stats(system)
                stats.append(system)
                continue
            columns[name] = hyps = column("hyps", system)
            signature = signature or metric.corpus(hyps, refs).signature
            stats.append(metric.stats(hyps, refs))
    lengths = {len(rows) for rows in stats}
    if len(lengths) > 1:
        counts = " and ".join(map(str, sorted(lengths)))
        raise InputError(f"the systems have {counts} segments; give systems of one test set")
    scores = [metric.score(rows).with_signature(signature or metric.signature) for rows in stats]
    for (name, _), score in zip(named, scores, strict=True):
        if isnan(score.value):
            raise InputError(f"system {name!r} has no score in this dialect; leave it out")
    return columns, stats, scores


def _by_stratum(
    metric: Any,
    named: Sequence[tuple[str, Any]],
    refs: Any,
    signature: str,
    labels: list[Any],
    documents: list[Any] | None,
) -> tuple[dict[str, Stratum], str]:
    """The statistics of each stratum by system, a row per document if any, and the signature."""
    size = len(labels)
    systems = [(name, _indexable(f"system {name!r}", values, size)) for name, values in named]
    refs = refs if refs is None else _indexable("refs", refs, size)
    documents = documents if documents is None else _indexable("documents", documents, size)
    names = label_names(labels)
    places: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        places.setdefault(names[label], []).append(i)
    strata: dict[str, Stratum] = {}
    for stratum, at in places.items():
        parts = [(name, _at(values, at)) for name, values in systems]
        present = [(name, part) for name, part in parts if not _is_missing(part)]
        with within(f"stratum {stratum!r}"):
            _, stats, scores = score_systems(metric, present, _at(refs, at), signature)
        if present:
            rows = by_document(stats, _at(documents, at))
            own = [name for name, _ in present]
            values = [score.value for score in scores]
            strata[stratum] = Stratum(
                dict(zip(own, rows, strict=True)), dict(zip(own, values, strict=True))
            )
            signature = signature or scores[0].signature
    for name, _ in systems:
        if not any(name in stratum.stats for stratum in strata.values()):
            raise InputError(f"system {name!r} has no hypotheses; leave it out")
    return strata, signature


def _indexable(name: str, values: Any, size: int) -> Any:
    """Statistics and arrays as they are, any other column as Python objects; all of this size."""
    if not isinstance(values, Rows) and not is_array(values):
        values = as_python(name, values)
    if len(values) != size:
        raise InputError(
            f"{name} has {quantity(len(values), 'segment')}, but strata has "
            f"{quantity(size, 'label')}; give a label for each segment"
        )
    return values


def _at(values: Any, places: list[int]) -> Any:
    """The items of a column at these places."""
    if isinstance(values, (tuple, list)):
        return [values[i] for i in places]
    return values if values is None else values[places]


def _is_missing(hyps: Any) -> bool:
    return isinstance(hyps, list) and all(hyp is None for hyp in hyps)


def by_document(stats: Sequence[Any], documents: Iterable[Any] | None) -> Sequence[Any]:
    """Statistics with a row per document, in the order in which the labels first occur."""
    if documents is None:
        return stats
    names, places = group_places(documents, len(stats[0]), "documents")
    return [rows.like(group_sums(rows, places, len(names))) for rows in stats]


def _pairs(
    resampling: Resampling,
    names: Sequence[str],
    scores: list[Any],
    of_pairs: list[Spread],
    corrected: list[tuple[float, float]],
    correction: str | None,
    alpha: float,
) -> list[Pair]:
    """The pairs of a resampling; `scores` has an item for each of its columns.

    `corrected` has the p-value of each pair, and the same after the `correction`.
    """
    pairs = []
    for (a, b), spread, (p, p_adjusted) in zip(resampling.pairs, of_pairs, corrected, strict=True):
        (i, strata), (j, _) = resampling.column(a), resampling.column(b)
        first, second = names[i], names[j]
        difference = scores[b].value - scores[a].value
        error = spread.standard_error
        gain = resampling.sign * difference
        pair = Pair(
            a=first,
            b=second,
            difference=difference,
            interval=spread.interval,
            percentile=spread.percentile,
            standard_error=error,
            p=p,
            p_adjusted=p_adjusted,
            correction=correction,
            effect=difference / (error * sqrt(resampling.units)) if error else 0.0,
            superiority=spread.above if resampling.sign > 0 else 1 - spread.above,
            detectable=detectable(error, alpha),
            better=(second if gain > 0 else first) if p_adjusted <= alpha and gain else None,
            units=resampling.units,
            alpha=alpha,
            decimals=1 if resampling.metric.scale == 100 else 4,
            metric=scores[0].name,
            tests=len(of_pairs),
            strata=strata,
        )
        pairs.append(pair)
    return pairs


def _systems(
    resampling: Resampling,
    names: Sequence[str],
    scores: list[Any],
    of_systems: list[Spread],
    pairs: list[Pair],
) -> Iterator[System]:
    """The systems, with their ranks among each other."""
    strata = [resampling.column(i)[1] for i in range(len(names))]
    ranked = resampling.ranked
    results = {(pair.better, pair.worse) for pair in pairs if pair.better}

    def differ(i: int, j: int) -> bool:
        a, b = names[ranked[i]], names[ranked[j]]
        return not results.isdisjoint({(a, b), (b, a)})

    most = resampling.metric.scale if resampling.sign > 0 else inf
    won = Counter(better for better, _ in results)
    lost = Counter(worse for _, worse in results)
    of_ranked = clusters([resampling.sign * scores[i].value for i in ranked], differ)
    cluster_of = dict(zip(ranked, of_ranked, strict=True))
    for i, (name, own) in enumerate(zip(names, strata, strict=True)):
        spread, is_ranked = of_systems[i], i in cluster_of
        interval = spread.interval
        if own != resampling.strata:  # the errors of a fit have heavy tails, even beyond 0
            interval = max(spread.percentile[0], 0.0), min(spread.percentile[1], most)
        yield System(
            name=name,
            score=scores[i],
            interval=interval,
            percentile=spread.percentile,
            mean=spread.mean,
            standard_error=spread.standard_error,
            cluster=cluster_of.get(i),
            rank=(1 + lost[name], len(ranked) - won[name]) if is_ranked else None,
            wins=won[name] if is_ranked else None,
            losses=lost[name] if is_ranked else None,
            strata=own,
        )

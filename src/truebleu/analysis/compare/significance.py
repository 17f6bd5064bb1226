# SPDX-License-Identifier: Apache-2.0
"""The comparison of systems: score, resample, test, correct, rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, sqrt
from typing import Any, Unpack

from truebleu.analysis.agreement import people_on, source_of, unknown
from truebleu.analysis.compare import corrections
from truebleu.analysis.compare.comparison import ComparedTexts, Comparison, MeanScore, Pair, System
from truebleu.analysis.compare.corrections import detectable
from truebleu.analysis.compare.paired_tests import TESTS
from truebleu.analysis.compare.strata import Strata, Stratum
from truebleu.analysis.compare.trials import is_tried, with_trials
from truebleu.analysis.progress import between
from truebleu.analysis.segment_scores import joined
from truebleu.dialects.changes import MetricChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, check_int, describe, quantity, suggest, within
from truebleu.inputs.corpus import as_python, column, label_list, label_names, named_systems
from truebleu.inputs.ids import is_array
from truebleu.metrics.accumulation import group_places, group_sums
from truebleu.metrics.intervals import mean_and_half_width, spreads
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.resampling import SEED, Resampling, resampled_scores
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
    **changes: Unpack[MetricChanges],
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
    named = [(name, opened(hyps)) for name, hyps in named_systems(systems)]
    is_default = metric is None and dialect == "sacrebleu" and not changes
    named, measure, signature = without_runs(named, refs, measure, is_default=is_default)
    names = [name for name, _ in named]
    if not named:
        raise InputError("compare needs at least one system; got none")
    if baseline is not None and baseline not in names:
        raise OptionError(f"no system is named {suggest(str(baseline), names)}")
    are_texts = not any(isinstance(hyps, Rows) for _, hyps in named)
    if scores is not None and not (are_texts and strata is None):
        raise OptionError("scores are shown beside those of texts, without strata and runs")
    unit = "segment" if labels is None else "document"
    too_few = InputError(f"compare needs at least two {unit}s to draw from; got one")
    if strata is not None:
        parts, signature = _by_stratum(measure, named, refs, signature, label_list("strata", strata), labels)
        result = compare_strata(measure, parts, names, settings, progress, signature, baseline)
        if result.units < 2:
            raise too_few
        return replace(result, by_document=labels is not None, people="unknown for averages")
    columns, stats, own = score_systems(measure, named, refs, signature)
    units = by_document(stats, labels)
    if len(units[0]) < 2:
        raise too_few
    texts, tries = None, False
    if are_texts and len(names) > 1:
        texts = ComparedTexts(measure, columns, refs, labels)
        tries = is_tried(stats) if robustness is None else robustness
    resampling = Resampling(measure, units, baseline=None if baseline is None else names.index(baseline))
    result = _compared(resampling, names, own, settings, between(progress, 0, 0.4) if tries else progress, baseline)
    result = replace(result, by_document=labels is not None, texts=texts)
    if scores is not None:
        result = replace(result, scores=joined(scores, measure, columns, refs, 1 - alpha))
    if tries:
        result = with_trials(
            result, measure, columns, refs, stats, lambda rows: by_document(rows, labels), between(progress, 0.4, 1)
        )
    return with_people(result, measure, result.signature, len(stats[0]))


def with_people(result: Comparison, metric: Any, signature: str, segments: int) -> Comparison:
    """The comparison with how often people agreed with such differences; see `unknown`."""
    if not result.pairs:
        return result
    if reason := unknown(metric, signature, segments):
        return replace(result, people=reason)
    pairs = (
        replace(pair, people=people_on(metric, pair.difference, pair.mean_difference, pair.survives))
        for pair in result.pairs
    )
    return replace(result, pairs=tuple(pairs), people=source_of(metric))


def compare_strata(
    metric: Any,
    strata: Mapping[str, Stratum],
    systems: Sequence[str],
    settings: ComparisonSettings,
    progress: Callable[[float], None] = lambda _: None,
    signature: str = "",
    baseline: str | None = None,
) -> Comparison:
    """`compare` of systems by their statistics on each stratum; also of one system.

    Args:
        metric: of the statistics; those of all strata are scored alike.
        strata: by name, at least one; a system that lacks a stratum is absent there.
        systems: the names of all systems, each of which has a stratum.
        settings: their test is no test of sacreBLEU's.
        progress: called with the share of the work that is done.
        signature: of the scores.
        baseline: the system that all others are compared with.
    """
    if TESTS[settings.test].sacrebleu:
        raise OptionError(f"{settings.test} has no strata; choose permutation or bootstrap")
    resampling = Strata(metric, strata, systems, baseline)
    name = f"average {metric.name}"
    means = [MeanScore(name, value, signature, None) for value in resampling.observed.tolist()]
    return _compared(resampling, systems, means, settings, progress, baseline)


def _compared(
    resampling: Resampling,
    names: Sequence[str],
    scores: list[Any],
    settings: ComparisonSettings,
    progress: Callable[[float], None],
    baseline: str | None,
) -> Comparison:
    """Test, correct and rank.

    `scores` has an item for each column of the resampling, the first ones for the systems.
    """
    paired, alpha, sign = TESTS[settings.test], settings.alpha, resampling.sign
    tests = len(resampling.pairs)
    factor = 1 if settings.correction == "maxt" else max(1, tests)
    resamples = settings.resamples or paired.resamples
    if settings.resamples is None and not paired.sacrebleu:
        resamples = corrections.resamples_needed(factor, alpha, resamples)
    done, steps = 0, resampling.units + 2 * resamples

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(min(1.0, done / steps))

    resampling.progress = step
    observed = [score.value for score in scores]
    if tests:
        resampled, ps, adjusted = paired.run(resampling, observed, resamples, settings.seed)
        if settings.correction != "maxt":
            adjusted = (corrections.holm if settings.correction == "holm" else corrections.benjamini_hochberg)(ps)
    else:
        resampled, ps, adjusted = resampled_scores(resampling, resamples, settings.seed), [], []
    spread_of = spreads(resampling, observed, resampled, 1 - alpha)
    if settings.test == "sacrebleu-bootstrap":
        for i, column in enumerate(resampled.T):
            mean, half = map(float, mean_and_half_width(column))
            spread_of[i] = replace(spread_of[i], mean=mean, interval=(mean - half, mean + half))
    method = corrections.CORRECTIONS[settings.correction] if tests > 1 else None
    pairs = []
    of_pairs = zip(resampling.pairs, spread_of[len(observed) :], ps, adjusted, strict=True)
    for (a, b), spread, p, p_adjusted in of_pairs:
        (i, strata), (j, _) = resampling.column(a), resampling.column(b)
        difference = observed[b] - observed[a]
        error, gain = spread.standard_error, sign * difference
        pair = Pair(
            a=names[i],
            b=names[j],
            difference=difference,
            interval=spread.interval,
            percentile=spread.percentile,
            standard_error=error,
            p=p,
            p_adjusted=p_adjusted,
            correction=method,
            effect=difference / (error * sqrt(resampling.units)) if error else 0.0,
            superiority=spread.above if sign > 0 else 1 - spread.above,
            detectable=detectable(error, alpha),
            better=names[j if gain > 0 else i] if p_adjusted <= alpha and gain else None,
            units=resampling.units,
            alpha=alpha,
            decimals=1 if resampling.metric.scale == 100 else 4,
            metric=scores[0].name,
            tests=tests,
            strata=strata,
        )
        pairs.append(pair)
    different = {frozenset((pair.a, pair.b)) for pair in pairs if pair.better}
    cluster_of = corrections.clusters(
        [sign * value for value in observed[: len(names)]], lambda i, j: frozenset((names[i], names[j])) in different
    )
    won, lost = Counter(pair.better for pair in pairs), Counter(pair.worse for pair in pairs)
    systems = []
    for i, (name, spread) in enumerate(zip(names, spread_of, strict=False)):
        interval, (_, strata) = spread.interval, resampling.column(i)
        if strata != resampling.strata:  # the errors of a fit have heavy tails, even beyond 0
            low, high = spread.percentile
            interval = max(low, 0.0), min(high, resampling.metric.scale if sign > 0 else inf)
        varied = interval, spread.percentile, spread.mean, spread.standard_error
        places = cluster_of[i], (1 + lost[name], len(names) - won[name]), won[name], lost[name]
        cluster, rank, wins, losses = places if resampling.is_ranked else (None, None, None, None)
        systems.append(System(name, scores[i], *varied, cluster, rank, wins, losses, strata))
    coarse = corrections.resamples_warning(factor, alpha, resamples, corrections.after(method, 1))
    return Comparison(
        systems=tuple(systems),
        pairs=tuple(pairs),
        test=settings.test,
        correction=method,
        baseline=baseline,
        resamples=resamples,
        seed=settings.seed,
        alpha=alpha,
        units=resampling.units,
        by_document=False,
        signature=scores[0].signature,
        metric=scores[0].name,
        higher_is_better=resampling.metric.higher_is_better,
        resampled=resampled,
        texts=None,
        warnings=tuple(filter(None, (coarse if tests else "", paired.warning))),
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
    if not isinstance(correction, str) or correction not in corrections.CORRECTIONS:
        raise OptionError(f"no correction is named {suggest(str(correction), corrections.CORRECTIONS)}")
    if correction == "maxt" and is_sacrebleu:
        raise OptionError(f"{test} has no correction maxt; choose holm or bh")
    if resamples is not None:
        resamples = check_int("resamples", resamples, 1)
    seed = check_int("the seed", seed, 0, (1 << 64) - 1)
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise OptionError(f"alpha cannot be {describe(alpha)}; give a level such as 0.05")
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
    if len(lengths := {*map(len, stats)}) > 1:
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
    systems = [(name, _indexable(f"system {name!r}", values, labels)) for name, values in named]
    refs = _indexable("refs", refs, labels)
    documents = _indexable("documents", documents, labels)
    names = label_names(labels)
    places: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        places.setdefault(names[label], []).append(i)
    strata: dict[str, Stratum] = {}
    for stratum, at in places.items():
        parts = {name: _at(values, at) for name, values in systems}
        present = {name: part for name, part in parts.items() if not _is_missing(part)}
        with within(f"stratum {stratum!r}"):
            _, stats, scores = score_systems(metric, [*present.items()], _at(refs, at), signature)
        if present:
            strata[stratum] = dict(zip(present, by_document(stats, _at(documents, at)), strict=True))
            signature = signature or scores[0].signature
    for name, _ in systems:
        if not any(name in stratum for stratum in strata.values()):
            raise InputError(f"system {name!r} has no hypotheses; leave it out")
    return strata, signature


def _indexable(name: str, values: Any, labels: list[Any]) -> Any:
    """Statistics and arrays as they are, other columns as Python objects; an item a label."""
    if not isinstance(values, Rows) and values is not None and not is_array(values):
        values = as_python(name, values)
    if values is not None and len(values) != len(labels):
        segments, size = quantity(len(values), "segment"), quantity(len(labels), "label")
        raise InputError(f"{name} has {segments}, but strata has {size}; give a label for each segment")
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

# SPDX-License-Identifier: Apache-2.0
"""Figures: each function draws values of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Unpack

from truebleu.analysis import slices
from truebleu.analysis.compare import SEED, compare
from truebleu.analysis.compare.comparison import Comparison
from truebleu.analysis.diff.surveys import survey
from truebleu.campaigns.curves import Curve
from truebleu.charts import layout
from truebleu.charts.breakdowns import dialects, groups, lengths
from truebleu.charts.curve import curve
from truebleu.charts.figure import Figure
from truebleu.charts.intervals import difference, scores
from truebleu.charts.look import Look
from truebleu.charts.matrix import matrix
from truebleu.charts.ngrams import losses, precisions
from truebleu.dialects.changes import PlotOptions
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError, describe, suggest
from truebleu.inputs.corpus import column, named_systems
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric
from truebleu.metrics.score import MetricScore, Score

__all__ = [
    "KINDS",
    "Figure",
    "Look",
    "curve",
    "dialects",
    "difference",
    "groups",
    "lengths",
    "losses",
    "matrix",
    "plot",
    "precisions",
    "scores",
]

#: Kinds of figures, and what they show.
KINDS = {
    "precisions": "n-gram precision against n",
    "losses": "points lost to each n-gram order and to the brevity penalty",
    "lengths": "score by reference length",
    "groups": "score by document or group",
    "difference": "differences of pairs with their intervals; of more than 5 systems a matrix",
    "scores": "scores with their intervals",
    "dialects": "score of one system under every dialect",
}
_OF_SCORES = {"precisions": precisions, "losses": losses}
_OF_COMPARISONS: dict[str, Callable[..., Figure]] = {"scores": scores, "difference": difference}


def plot(
    systems: Score | Comparison | Curve | Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any = None,
    kind: str | None = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric | None = None,
    look: Look | None = None,
    given_order: bool = False,
    documents: Iterable[Any] | None = None,
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **options: Unpack[PlotOptions],
) -> Figure:
    """A figure of a score, of a comparison, of a learning curve, or of systems on one test set.

    Args:
        systems: a `Score`; or what `compare` or `learning_curve` returned; or hypotheses by the
            system's name, as `BLEU.corpus` takes them. Only the last needs `refs` and takes the
            arguments that say how to score.
        refs: as `BLEU.corpus` takes them.
        kind: a name in `charts.KINDS`: `precisions` or `losses` of a score, these or `scores` or
            `difference` of a comparison (default: `scores` of a comparison, else `precisions`).
        dialect: the BLEU to compute.
        metric: the metric to compute instead of a dialect's BLEU, such as `"chrf"` or `CHRF()`.
        look: how the figure looks.
        given_order: list systems in the given order, such as that of training, instead of the best
            first, where the figure is a list, a table or a matrix.
        documents: a label for each segment: the groups of kind `groups`; the units that are
            resampled for `difference` and `scores`.
        baseline, resamples, seed: for `difference` and `scores`, as `compare` takes them.
        threads: the most threads to use.
        progress: called with the share of the work that is done, from 0 to 1.
        options: `width`, `height`, `font`, `size`, `colors` and `values` of the `Look`; options of
            the dialect.

    Raises:
        InputError: the texts are not aligned, or there are too few systems for this kind.
        OptionError: an option does not exist or cannot have this value.

    Example:
        >>> from truebleu import corpus_bleu, plot
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> plot({"A": ["the cat sat on a mat", "it is late"]}, refs, "lengths")
        <Figure of 240 x 154 points; save() writes it>
        >>> score = corpus_bleu(["the cat sat on a mat", "it is late"], refs)
        >>> plot(score, kind="losses", width=300)
        <Figure of 300 x 105 points; save() writes it>
    """
    look, changes = _look(look, options)
    if isinstance(systems, MetricScore | Comparison | Curve):
        named = None if isinstance(dialect, str) and dialect == "sacrebleu" else dialect
        of_texts = {
            "refs": refs, "dialect": named, "metric": metric, "documents": documents,
            "baseline": baseline, "resamples": resamples, "threads": threads, **changes,
        }  # fmt: skip
        if names := [name for name, value in of_texts.items() if value is not None]:
            settings = ["kind", "look", *Look.__slots__]
            raise OptionError(f"plot of a result has no option {suggest(names[0], settings)}")
        return _of_result(systems, kind, look, given_order)
    kind = _known(kind, KINDS)
    pairs = [(name, column("hyps", hyps)) for name, hyps in named_systems(systems)]
    if not pairs:
        raise InputError("there is no system to draw; give at least one")
    refs = column("refs", refs)
    measure = choose_metric(metric, dialect, threads, changes)
    if kind in _OF_COMPARISONS:
        drawn: dict[str, Any] = {"documents": documents, "resamples": resamples, "seed": seed}
        comparison = compare(pairs, refs, metric=measure, baseline=baseline, progress=progress, **drawn)
        return _of_result(comparison, kind, look, given_order)
    if kind == "dialects":
        if len(pairs) > 1 or metric is not None or dialect != "sacrebleu":
            raise OptionError("kind dialects shows one system in every dialect; give one")
        return dialects(survey(pairs[0][1], refs, progress=progress, **changes), look)
    stats = {name: measure.stats(hyps, refs) for name, hyps in pairs}
    scored = [(name, measure.score(rows)) for name, rows in stats.items()]
    listed = _listed(scored, given_order, higher_is_better=measure.higher_is_better)
    if kind in _OF_SCORES:
        return _OF_SCORES[kind](listed, look)
    stats = {name: stats[name] for name, _ in listed}
    if kind == "lengths":
        bleu = measure if isinstance(measure, BLEU) else None
        tokens = slices.reference_lengths(pairs[0][1], refs, bleu)
        return lengths(slices.by_length(measure, stats, tokens, intervals=True), look)
    if documents is None:
        raise OptionError("kind groups needs documents, a label for each segment")
    return groups(slices.by_label(measure, stats, documents, intervals=True), look)


def _listed(
    scored: list[tuple[str, Any]], given_order: bool, *, higher_is_better: bool = True
) -> list[tuple[str, Any]]:
    """The systems, the best first if there are so many that a table lists them."""
    if given_order or len(scored) <= layout.DISTINCT:
        return scored
    return sorted(scored, key=lambda pair: pair[1].value, reverse=higher_is_better)


def _look(look: Look | None, options: Mapping[str, Any]) -> tuple[Look, dict[str, Any]]:
    """The look, changed by those of the options that are its fields, and the other options."""
    if look is not None and not isinstance(look, Look):
        raise OptionError(f"look cannot be {describe(look)}; give a Look")
    names = [field.name for field in fields(Look) if field.name in options]
    changes = {name: value for name, value in options.items() if name not in names}
    return replace(look or Look(), **{name: options[name] for name in names}), changes


def _of_result(result: MetricScore | Comparison | Curve, kind: str | None, look: Look, given_order: bool) -> Figure:
    if isinstance(result, Curve):
        _known(kind, ["curve"])
        return curve(result, look)
    if not isinstance(result, Comparison):
        return _OF_SCORES[_known(kind, _OF_SCORES)]([(result.name, result)], look)
    kind = _known(kind, _OF_COMPARISONS | _OF_SCORES)
    if kind in _OF_SCORES:
        scored = [(system.name, system.score) for system in result.systems]
        return _OF_SCORES[kind](_listed(scored, given_order), look)
    if not result.pairs:
        raise InputError(f"kind {kind} compares two systems or more; there is one")
    return _OF_COMPARISONS[kind](result, look, given_order=given_order)


def _known(kind: str | None, kinds: Iterable[str]) -> str:
    """A kind that exists (default: the first)."""
    kind = next(iter(kinds)) if kind is None else kind
    if kind not in kinds:
        raise OptionError(f"unknown kind {suggest(str(kind), kinds)}")
    return kind

# SPDX-License-Identifier: Apache-2.0
"""Figures: each function makes an Altair chart of values of the library; see docs/plots.md."""

from __future__ import annotations

from truebleu.analysis import slices
from truebleu.analysis.compare import SEED, compare
from truebleu.analysis.diff.surveys import survey
from truebleu.charts.figure import Figure
from truebleu.charts.intervals import difference, scores
from truebleu.charts.look import Look
from truebleu.charts.orders import losses, precisions
from truebleu.charts.parts import groups, lengths
from truebleu.charts.surveys import dialects
from truebleu.errors import InputError, OptionError, suggest
from truebleu.inputs.corpus import column, named_systems
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.recent import chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from truebleu.analysis.compare.comparison import Comparison
    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.chrf import CHRF
    from truebleu.metrics.score import Score
    from truebleu.metrics.ter import TER

__all__ = [
    "KINDS",
    "Figure",
    "Look",
    "dialects",
    "difference",
    "groups",
    "lengths",
    "losses",
    "of_comparison",
    "of_score",
    "plot",
    "precisions",
    "scores",
]

#: What figures show, by their names.
KINDS = {
    "precisions": "n-gram precision against n",
    "losses": "points that each n-gram order and brevity cost",
    "lengths": "score by length of the reference",
    "groups": "score by document or group",
    "difference": "resampled differences of pairs, with their intervals",
    "scores": "scores with their intervals",
    "dialects": "score of one system under every dialect",
}


def plot(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any,
    kind: str = "precisions",
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    look: Look | None = None,
    documents: Iterable[Any] | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **changes: Any,
) -> Figure:
    """A figure of systems on one test set.

    Args:
        systems: hypotheses by the system's name, as for `BLEU.corpus`.
        refs: as for `BLEU.corpus`.
        kind: what is shown, a name of `figures.KINDS`.
        dialect: whose score is shown.
        metric: whose score is shown, in place of a dialect's. Orders and dialects are of BLEU.
        look: width, type and colors.
        documents: a label for each segment: the groups of `groups`; what is drawn together in
            `difference` and `scores`.
        resamples, seed: of `difference` and `scores`, as `compare` takes them.
        threads: the most threads to use.
        progress: is told the share of the resamples that is done.
        changes: options of the dialect to change, by name.

    Raises:
        InputError: texts that are not aligned, or too few systems for this kind of figure.
        OptionError: an option that does not exist or cannot have this value.
        MissingExtraError: Altair is not installed.

    Example:
        >>> from truebleu import plot
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> figure = plot({"A": ["the cat sat on a mat", "it is late"]}, refs, "lengths")
        >>> figure
        <Figure of 240 x 154 points; save() writes it>
    """
    _known(kind, KINDS)
    pairs = [(name, column("hyps", hyps)) for name, hyps in named_systems(systems)]
    if not pairs:
        raise InputError("there is no system to draw; give one at least")
    refs = column("refs", refs)
    measure = chosen(metric, dialect, threads, changes)
    if kind in ("difference", "scores"):
        found = compare(
            pairs, refs, metric=measure, documents=documents, resamples=resamples, seed=seed,
            progress=progress,
        )  # fmt: skip
        return of_comparison(found, kind, look)
    if kind == "dialects":
        if len(pairs) > 1 or metric is not None or dialect != "sacrebleu":
            raise OptionError("the figure of dialects shows one system under all of them")
        return Figure(dialects(survey(pairs[0][1], refs, progress=progress, **changes), look))
    if kind in _OF_SCORES:
        return Figure(
            _OF_SCORES[kind]([(name, measure.corpus(hyps, refs)) for name, hyps in pairs], look)
        )
    stats = {name: measure.stats(hyps, refs) for name, hyps in pairs}
    if len(stats) < len(pairs):
        raise InputError("two systems have one name; give each its own")
    if kind == "lengths":
        bleu = measure if isinstance(measure, BLEU) else None
        tokens = slices.reference_lengths(pairs[0][1], refs, bleu)
        return Figure(lengths(slices.by_length(measure, stats, tokens), look))
    if documents is None:
        raise OptionError("the figure of groups needs documents, a label for each segment")
    return Figure(groups(slices.by_label(measure, stats, documents), look))


_OF_SCORES = {"precisions": precisions, "losses": losses}
_OF_COMPARISONS = {"scores": scores, "difference": difference}


def of_score(score: Score, kind: str, look: Look | None = None) -> Figure:
    """What `Score.plot` gives."""
    return Figure(_OF_SCORES[_known(kind, _OF_SCORES)]([(score.name, score)], look))


def of_comparison(found: Comparison, kind: str, look: Look | None = None) -> Figure:
    """What `Comparison.plot` gives."""
    if _known(kind, _OF_COMPARISONS | _OF_SCORES) in _OF_COMPARISONS:
        return Figure(_OF_COMPARISONS[kind](found, look))
    scored: list[Any] = [(system.name, system.score) for system in found.systems]
    return Figure(_OF_SCORES[kind](scored, look))  # which refuse what is not of BLEU


def _known(kind: str, kinds: Iterable[str]) -> str:
    if kind not in kinds:
        raise OptionError(f"no figure here is named {suggest(str(kind), kinds)}")
    return kind

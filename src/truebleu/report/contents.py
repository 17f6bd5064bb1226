# SPDX-License-Identifier: Apache-2.0
"""The numbers of a report, all of them the library's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, TypeVar

from truebleu.analysis import slices
from truebleu.analysis.check import Column, Finding, Texts, begin
from truebleu.analysis.compare import Comparison, compare
from truebleu.analysis.compare.significance import ComparisonSettings, by_document
from truebleu.analysis.contrast import contrast
from truebleu.analysis.contrast.result import Contrast
from truebleu.analysis.diff.surveys import Standing, survey
from truebleu.analysis.explain.worksheet import Worksheet, worksheet
from truebleu.analysis.processes import Call, Processes, results
from truebleu.analysis.progress import between, part_of
from truebleu.analysis.segment_scores import SegmentScores, joined
from truebleu.analysis.slices import Slice
from truebleu.errors import InputError, quantity, within
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.intervals import Interval, score_spread
from truebleu.metrics.stats import Stats
from truebleu.text.escaping import visible

T = TypeVar("T")

#: The segments of each system, or of each reference.
Columns = tuple[tuple[Any, ...], ...]

#: The share of the work that is done once systems are compared, scored under every dialect, and
#: checked; the rest is the page. Measured with 20,000 segments of two systems.
_COMPARED, _SURVEYED, _CHECKED = 0.1, 0.35, 0.7

#: The most documents or groups that are drawn.
DRAWN = 30

#: Segments that decide between the two best systems.
_DECISIVE = 10

#: The other columns of the table of scores.
_HEADS = ("system", "rank", "selection", "place", "BP", "length", "findings")


@dataclass(frozen=True, slots=True)
class Division:
    """The segments by `length`, `document` or `group`; `places` has each segment's part."""

    name: str
    parts: Sequence[Slice]
    places: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)  # `==` of arrays is not a bool
class Contents:
    """The numbers and texts of a report.

    Attributes:
        bleu: the metric that systems are compared by.
        names: of the systems, the best first; all that follows has this order.
        systems: the hypotheses of each.
        refs: the references: the first of all segments, the second, and so on.
        srcs: the sources, or None.
        stats: of each system, a row for each segment.
        scores: for each metric, BLEU first, the score of each system.
        sentences: for each metric and system, the score of each segment by itself.
        intervals: of each system's score; None with one segment.
        alpha: 1 minus the level of the intervals.
        comparison: of all systems; None with one system or one segment.
        contrast: of the two best systems; None with one system, or a mean of segments.
        worksheets: of each system, the points lost to each factor.
        divisions: by length, and by document and group if there are labels.
        standings: of each system, its score under every dialect; empty without a survey.
        findings: of each system, the problems of its texts; None for lists of words and without a
            survey.
        elsewhere: scores of segments from elsewhere.
        others: the metrics besides BLEU, each with the rows of each system.
        command: what the user typed, with names of files for their paths; empty in Python.
    """

    bleu: BLEU
    names: tuple[str, ...]
    systems: Columns
    refs: Columns
    srcs: tuple[Any, ...] | None
    stats: tuple[Stats, ...]
    scores: tuple[tuple[Any, ...], ...]
    sentences: tuple[tuple[Any, ...], ...]
    intervals: tuple[Interval, ...] | None
    alpha: float
    comparison: Comparison | None
    worksheets: tuple[Worksheet, ...]
    divisions: tuple[Division, ...]
    elsewhere: tuple[SegmentScores, ...]
    others: tuple[tuple[Any, tuple[Any, ...]], ...]
    contrast: Contrast | None = None
    standings: tuple[tuple[Standing, ...], ...] = ()
    findings: tuple[tuple[Finding, ...], ...] | None = None
    command: str = ""

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.stats[0])

    @property
    def columns(self) -> list[str]:
        """The names of metrics and of scores from elsewhere; the second of a name has a number."""
        names = list(_HEADS)
        for scores in (*(scores[0] for scores in self.scores), *self.elsewhere):
            names.append(corpus.unused(visible(scores.name), names))
        return names[len(_HEADS) :]

    @property
    def decimals(self) -> int:
        """Decimals of a score, as `truebleu compare` prints it."""
        return 4 if self.bleu.dialect.combine.scale == 1 else 1


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """The texts of a report, and what is shown of them; see `truebleu.report.write_report`.

    Attributes:
        bleu: the metric that systems are compared by.
        comparison: of the systems, if they were compared before.
        settings: of their comparison otherwise.
        survey: whether to compute the scores under every dialect, too.
    """

    bleu: BLEU
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]]
    refs: Any
    comparison: Comparison | None = None
    settings: ComparisonSettings = ComparisonSettings()  # noqa: RUF009  (frozen)
    metrics: Sequence[Any] = ()
    srcs: Any = None
    documents: Iterable[Any] | None = None
    groups: Iterable[Any] | None = None
    ref_names: Sequence[str] | None = None
    scores: Any = None
    survey: bool = True


def gather(
    material: Material,
    processes: Processes | None = None,
    draw: Callable[[Contents], None] = lambda _: None,
    progress: Callable[[float], None] = lambda _: None,
) -> Contents:
    """Compute all numbers of a report.

    Args:
        material: the texts, and what is shown of them.
        processes: check the texts in these, and compute the scores under every dialect; without it,
            the report has neither.
        draw: called with what charts show, before that.
        progress: called with the share of the work that is done.
    """
    bleu, comparison, settings = material.bleu, material.comparison, material.settings
    names, columns, rows = _read(material.systems, material.refs)
    srcs = None if material.srcs is None else _sources(material.srcs, len(rows))
    ref_columns = corpus.reference_columns(rows, tokenized=not isinstance(columns[0][0], str))

    values = [-score.value for score in _each(names, columns, partial(bleu.corpus, refs=rows))]
    labels = None if material.documents is None else corpus.label_list("documents", material.documents)
    order = sorted(range(len(names)), key=values.__getitem__)
    ranked = tuple(names[i] for i in order), tuple(columns[i] for i in order)
    checked = _texts(*ranked, ref_columns, material.ref_names, srcs) if processes else []
    begun = begin(checked, bleu, processes) if processes else []
    options: dict[str, Any] = {"documents": labels, "threads": bleu.threads}
    if comparison is None and len(names) > 1 and len(rows) > 1:
        tests = {"progress": between(progress, 0, _COMPARED), **asdict(settings)}
        comparison = compare(zip(names, columns, strict=True), rows, bleu.dialect, **options, **tests)
    names, columns = ranked
    contrasted: Call[Contrast] | None = None
    if len(names) > 1 and bleu.dialect.aggregate.join != "smoothed":
        options |= {"names": names[:2], "seed": settings.seed, "segments": _DECISIVE}
        best = partial(contrast, columns[0], columns[1], rows, bleu.dialect, **options)
        contrasted = (processes or Processes(0)).call(best)
    counted = tuple((own, _each(names, columns, partial(own.stats, refs=rows))) for own in (bleu, *material.metrics))
    scores = tuple(  # the signature of the first has the number of references
        (metric.corpus(columns[0], rows), *map(metric.score, own[1:])) for metric, own in counted
    )
    sentences = tuple(tuple(map(metric.sentence_values, own)) for metric, own in counted)
    stats = counted[0][1]
    intervals: tuple[Interval, ...] | None = None
    alpha, elsewhere = settings.alpha, tuple[SegmentScores, ...]()
    if comparison is not None:
        alpha, elsewhere = comparison.alpha, comparison.scores
        intervals = tuple(comparison.systems[i].interval for i in order)
    elif spread := score_spread(
        bleu, by_document(stats, labels)[0], 1 - alpha, settings.resamples or 10_000, settings.seed
    ):
        intervals = (spread.interval,)
    if material.scores is not None:
        systems = dict(zip(names, columns, strict=True))
        elsewhere = joined(material.scores, bleu, systems, rows, 1 - alpha)
    lengths = slices.reference_lengths(columns[0], rows, bleu)
    by_label = {"length": lengths, "document": labels, "group": material.groups}
    divisions = _divisions(bleu, dict(zip(names, stats, strict=True)), by_label)
    contents = Contents(
        bleu=bleu,
        names=names,
        systems=columns,
        refs=ref_columns,
        srcs=srcs,
        stats=stats,
        scores=scores,
        sentences=sentences,
        intervals=intervals,
        alpha=alpha,
        comparison=comparison,
        divisions=divisions,
        elsewhere=elsewhere,
        others=counted[1:],
        worksheets=tuple(worksheet(bleu.dialect, score) for score in scores[0]),
    )
    draw(contents)
    progress(_COMPARED)
    surveyed = between(progress, _COMPARED, _SURVEYED)
    standings = tuple(
        tuple(survey(hyps, rows, progress=part_of(surveyed, i, len(columns))))
        for i, hyps in enumerate(columns if processes and material.survey else ())
    )
    findings = tuple(map(tuple, results(begun))) if checked else None
    progress(_CHECKED)
    why = contrasted.result() if contrasted else None
    return replace(contents, standings=standings, findings=findings, contrast=why)


def _each(names: Sequence[str], columns: Columns, compute: Callable[[Any], T]) -> tuple[T, ...]:
    """The results for each system's hypotheses."""
    results = []
    for name, hyps in zip(names, columns, strict=True):
        with within(f"system {name!r}"):
            results.append(compute(hyps))
    return tuple(results)


def by_difference(parts: Sequence[Slice], names: Sequence[str]) -> list[Slice]:
    """Parts of a corpus, those first that matter most to the difference of the first two systems.

    That is the difference within a part times its segments; of one system, the largest are first.
    """

    def influence(part: Slice) -> float:
        first, *others = (part.scores[name].value for name in names[:2])
        gap = abs(first - others[0]) if others else 1.0
        return gap * part.segments if isfinite(gap) else 0.0

    return sorted(parts, key=influence, reverse=True)


def _read(systems: Any, refs: Any) -> tuple[tuple[str, ...], Columns, tuple[Any, ...]]:
    """Names, hypotheses and references, as strings or lists of words."""
    pairs = corpus.named_systems(systems)
    if not pairs:
        raise InputError("there is no system to report on; give at least one")
    refs = corpus.column("refs", refs)
    columns = []
    for name, values in pairs:
        with within(f"system {name!r}"):
            hyps, refs = corpus.columns(values, refs)
            columns.append(tuple(corpus.as_words("hyps", hyps)))
    if not columns[0]:
        raise InputError("there is no segment to report on; give at least one")
    names = tuple(str(name) for name, _ in pairs)
    return names, tuple(columns), tuple(corpus.as_words("refs", refs))


def _sources(srcs: Any, segments: int) -> tuple[Any, ...]:
    texts = tuple(corpus.as_words("srcs", srcs))
    if len(texts) != segments:
        sources = quantity(len(texts), "segment")
        raise InputError(f"srcs has {sources}, refs has {segments:,}; each needs its source")
    return texts


def _divisions(bleu: BLEU, stats: Mapping[str, Stats], labels: Mapping[str, Any]) -> tuple[Division, ...]:
    """The division by each of the labels that there are; with intervals, where they are drawn."""
    divisions = []
    for name, values in labels.items():
        if values is None:
            continue
        if name == "length":
            own = slices.length_labels(values)
            parts = slices.by_length(bleu, stats, values, intervals=True)
        else:
            listed = corpus.label_list(f"{name}s", values)
            own = list(map(corpus.label_names(listed).__getitem__, listed))
            with within(f"{name}s"):
                parts = slices.by_label(bleu, stats, own)
                drawn = {part.name for part in by_difference(parts, list(stats))[:DRAWN]}
                parts = slices.by_label(bleu, stats, own, intervals=drawn)
        index = {part.name: place for place, part in enumerate(parts)}
        divisions.append(Division(name, parts, [index[label] for label in own]))
    return tuple(divisions)


def _texts(
    names: Sequence[str], systems: Columns, refs: Columns, ref_names: Sequence[str] | None, srcs: Any
) -> list[Texts]:
    """What `check` reads of each system; nothing of lists of words."""
    if not isinstance(systems[0][0], str):
        return []
    labels = ref_names or [f"reference {k}" for k in range(1, len(refs) + 1)]
    columns = [Column("ref", *named, first=1) for named in zip(labels, refs, strict=True)]
    src = None if srcs is None else Column("src", "source", srcs, first=1)
    hyps = [Column("hyp", *named, first=1) for named in zip(names, systems, strict=True)]
    return [Texts(hyp, columns, src) for hyp in hyps]

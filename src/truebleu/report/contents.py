# SPDX-License-Identifier: Apache-2.0
"""The numbers of a report, all of them the library's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from truebleu.analysis.check.findings import inspect
from truebleu.analysis.check.texts import Column, Texts
from truebleu.analysis.compare import SEED, _by_document, _check, _spreads, compare
from truebleu.analysis.compare.paired_tests import bootstrap
from truebleu.analysis.compare.resampling import Resampling
from truebleu.analysis.diff.surveys import survey
from truebleu.analysis.explain.worksheet import worksheet
from truebleu.analysis.slices import reference_lengths
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, OptionError
from truebleu.inputs import corpus
from truebleu.metrics.bleu import BLEU
from truebleu.report.divisions import by_label, by_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from truebleu.analysis.check.findings import Finding
    from truebleu.analysis.compare.comparison import Comparison
    from truebleu.analysis.compare.intervals import Interval
    from truebleu.analysis.diff.surveys import Standing
    from truebleu.analysis.explain.worksheet import Worksheet
    from truebleu.metrics.stats import Stats
    from truebleu.report.divisions import Division

    T = TypeVar("T")

#: How much of a report's work is done once systems are compared, scored under every dialect, and
#: checked; the rest is the page. Measured with 20,000 segments of two systems.
_COMPARED, _SURVEYED, _CHECKED = 0.1, 0.35, 0.7


@dataclass(frozen=True, slots=True, eq=False)  # arrays do not compare to one truth
class Contents:
    """What a report says.

    Attributes:
        bleu: the metric whose score is compared.
        names: of the systems.
        systems: the hypotheses of each.
        refs: the references, a column for each place in the lists of a segment.
        srcs: the sources, if they are given.
        stats: of each system, a row for each segment.
        scores: for each metric, BLEU first, the score of each system.
        sentences: for each metric and system, the score of each segment by itself.
        intervals: of each system's score; None with one segment.
        alpha: 1 less the level of the intervals.
        comparison: every pair of systems; None without two systems and two segments.
        worksheets: of each system, the sum and what each factor costs.
        divisions: the segments by length, and by document or group.
        standings: of each system, what every dialect makes of it.
        findings: of each system, what is wrong with the texts; None for lists of words.
    """

    bleu: BLEU
    names: tuple[str, ...]
    systems: tuple[tuple[Any, ...], ...]
    refs: tuple[tuple[Any, ...], ...]
    srcs: tuple[Any, ...] | None
    stats: tuple[Stats, ...]
    scores: tuple[tuple[Any, ...], ...]
    sentences: tuple[tuple[Any, ...], ...]
    intervals: tuple[Interval, ...] | None
    alpha: float
    comparison: Comparison | None
    worksheets: tuple[Worksheet, ...]
    divisions: tuple[Division, ...]
    standings: tuple[tuple[Standing, ...], ...]
    findings: tuple[tuple[Finding, ...], ...] | None

    @property
    def segments(self) -> int:
        """How many there are."""
        return len(self.stats[0])


def gather(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any,
    dialect: str | Dialect | BLEU = "sacrebleu",
    *,
    metrics: Sequence[Any] = (),
    srcs: Any = None,
    documents: Iterable[Any] | None = None,
    groups: Iterable[Any] | None = None,
    ref_names: Sequence[str] | None = None,
    test: str = "permutation",
    resamples: int | None = None,
    seed: int = SEED,
    alpha: float = 0.05,
    comparison: Comparison | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] = lambda _: None,
    **changes: Any,
) -> Contents:
    """Compute all that a report says; see `truebleu.report.write_report` for the arguments."""
    if isinstance(dialect, BLEU):
        threads, dialect = threads or dialect.threads, dialect.dialect
    elif not isinstance(dialect, (str, Dialect)):
        raise OptionError("a report is about BLEU; give chrF and TER as metrics, to stand beside")
    bleu = BLEU(dialect, threads=threads, **changes)
    resamples, seed = _check(test, resamples, seed, alpha)
    pairs = corpus.named_systems(systems)
    if not pairs:
        raise InputError("there is no system to report on; give one at least")
    names, columns, rows = _read(pairs, refs)
    if srcs is not None:
        srcs = corpus.as_words("srcs", srcs)
        if len(srcs) != len(rows):
            raise InputError(
                f"srcs has {len(srcs)} segments, refs has {len(rows)}; each needs its source"
            )
    ref_columns = _columns(columns[0], rows)

    def each(compute: Callable[[Any], T]) -> tuple[T, ...]:
        """What is computed of each system's hypotheses."""
        found = []
        for name, hyps in zip(names, columns, strict=True):
            try:
                found.append(compute(hyps))
            except InputError as error:
                raise InputError(f"system {name!r}: {error}") from None
        return tuple(found)

    every = [bleu, *metrics]
    scores = tuple(each(partial(one.corpus, refs=rows)) for one in every)
    sentences = tuple(each(partial(one.sentences, refs=rows)) for one in every)
    stats = each(partial(bleu.stats, refs=rows))
    labels = None if documents is None else list(documents)
    if comparison is None and len(names) > 1 and len(rows) > 1:
        comparison = compare(
            zip(names, columns, strict=True), rows, bleu.dialect, test=test, resamples=resamples,
            seed=seed, alpha=alpha, documents=labels, threads=bleu.threads,
            progress=lambda share: progress(share * _COMPARED),
        )  # fmt: skip
    intervals: tuple[Interval, ...] | None
    if comparison is not None:
        alpha = comparison.alpha
        intervals = tuple(system.interval for system in comparison.systems)
    else:
        intervals = _intervals(bleu, stats, scores[0], labels, resamples, seed, alpha)
    named = dict(zip(names, stats, strict=True))
    divisions = [by_length(bleu, named, reference_lengths(columns[0], rows, bleu))]
    divisions += [
        by_label(bleu, named, name, given)
        for name, given in (("document", labels), ("group", groups))
        if given is not None
    ]
    progress(_COMPARED)
    standings = []
    for i, hyps in enumerate(columns):

        def step(share: float, before: int = i) -> None:
            done = (before + share) / len(columns)
            progress(_COMPARED + (_SURVEYED - _COMPARED) * done)

        standings.append(tuple(survey(hyps, rows, progress=step)))
    findings = _findings(bleu, names, columns, ref_columns, ref_names, srcs)
    progress(_CHECKED)
    return Contents(
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
        worksheets=tuple(worksheet(bleu.dialect, score) for score in scores[0]),
        divisions=tuple(divisions),
        standings=tuple(standings),
        findings=findings,
    )


def _read(
    pairs: Sequence[tuple[str, Any]], refs: Any
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...], tuple[Any, ...]]:
    """Names, hypotheses and references, as strings or lists of words."""
    names = tuple(str(name) for name, _ in pairs)
    refs = corpus.column("refs", refs)
    systems = []
    for name, given in pairs:
        try:
            hyps, refs = corpus.columns(given, refs)
            systems.append(tuple(corpus.as_words("hyps", hyps)))
        except InputError as error:
            raise InputError(f"system {name!r}: {error}") from None
    if not systems[0]:
        raise InputError("there is no segment to report on; give one at least")
    return names, tuple(systems), tuple(corpus.as_words("refs", refs))


def _columns(hyps: Sequence[Any], rows: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """The references of all segments, first of all the first ones; None where one is absent."""

    def listed(hyp: Any, row: Any) -> list[Any]:
        words = not isinstance(hyp, str) and all(isinstance(word, str) for word in row)
        return [row] if isinstance(row, str) or words else list(row)

    lists = [listed(hyp, row) for hyp, row in zip(hyps, rows, strict=True)]
    most = max(map(len, lists))
    padded = [[*refs, *[None] * (most - len(refs))] for refs in lists]
    return tuple(zip(*padded, strict=True))


def _intervals(
    bleu: BLEU,
    stats: Sequence[Stats],
    scores: Sequence[Any],
    documents: Sequence[Any] | None,
    resamples: int,
    seed: int,
    alpha: float,
) -> tuple[Interval, ...] | None:
    """Of a single system, as `compare` computes them for several."""
    if documents is not None:
        stats = [_by_document(one, documents) for one in stats]
    values = [score.value for score in scores]
    if len(stats[0]) < 2 or any(value != value for value in values):  # noqa: PLR0124  (NaN)
        return None
    resampling = Resampling(bleu, stats)
    resampled, _ = bootstrap(resampling, values, resamples, seed)
    return tuple(one.interval for one in _spreads(resampling, values, resampled, 1 - alpha))


def _findings(
    bleu: BLEU,
    names: Sequence[str],
    systems: Sequence[tuple[Any, ...]],
    refs: Sequence[tuple[Any, ...]],
    ref_names: Sequence[str] | None,
    srcs: tuple[Any, ...] | None,
) -> tuple[tuple[Finding, ...], ...] | None:
    """What `check` finds in the texts of each system; lists of words are no texts."""
    if not isinstance(systems[0][0], str):
        return None
    called = ref_names or [f"reference {k}" for k in range(1, len(refs) + 1)]
    columns = [Column("ref", *named, first=1) for named in zip(called, refs, strict=True)]
    src = None if srcs is None else Column("src", "source", srcs, first=1)
    return tuple(
        tuple(inspect(Texts(Column("hyp", name, hyps, first=1), columns, src), bleu))
        for name, hyps in zip(names, systems, strict=True)
    )

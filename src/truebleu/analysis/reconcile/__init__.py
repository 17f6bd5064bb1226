# SPDX-License-Identifier: Apache-2.0
"""Which setting gives the number in the paper?

A BLEU score without its setting cannot be compared (Post 2018, arXiv:1804.08771). `reconcile` tries
all common settings and lists those that give the reported score, the most common first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.reconcile import penalties
from truebleu.analysis.reconcile.candidates import Candidates, FamilyCandidates
from truebleu.analysis.reconcile.matches import LEVEL, Match, Matches, Reported
from truebleu.analysis.reconcile.texts import CorpusCounts, Variant, variants
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import InputError, OptionError, describe, suggest

Array = NDArray[Any]

_METRICS = (None, "bleu", "chrf", "ter")

#: Scores that differ by less, relatively, are the same: some tools compute in single precision, or
#: add 1e-7 to the counts.
_SAME = 2e-6
#: More points than any setting has.
_NEVER = np.iinfo(np.int64).max // 2
#: Half the width of the window around a score in which other scores are counted; 1 is perfect.
_AROUND = 0.02


def reconcile(
    hyps: Any,
    refs: Any,
    reported: Any,
    *,
    metric: str | None = None,
    dialects: Sequence[str] | None = None,
    threads: int | None = None,
) -> Matches:
    """The settings that give a reported score, the most common first.

    Args:
        hyps, refs: the corpus, as for `corpus_bleu`, with all references that you have. For several
            systems, `hyps` is a dict of names and hypotheses. If each is of a test set of its own,
            such as one system on several domains, `refs` is a dict with the same names.
        reported: the score: text, whose decimals count (`"34.20"` is known to 2), or a float. On a
            scale of 0 to 1 or of 0 to 100, or in percent (`"34.2%"`). For several systems, a list
            with one score for each, or a dict; the settings give all of them.
        metric: `bleu`, `chrf` or `ter`; None for BLEU and, if none of its settings gives the score,
            the others.
        dialects: names of the rows to search; None for all.
        threads: the largest number of threads.

    Returns:
        A list of different settings; `Match.equivalents` has settings with equal scores. Settings
        that give the score by chance are in `accidental` instead. If no other setting gives it, the
        list is empty and `nearest` has the nearest common settings.

    Raises:
        InputError: the corpus cannot be scored, or is empty, or one test set has more references
            than another.
        OptionError: the score is not a number or outside of the scale, there is not one score for
            each system, or a dialect does not exist.

    Example:
        >>> from truebleu import reconcile
        >>> matches = reconcile(["the cat sat on the mat ."], ["The cat sat on a mat ."], "48.9")
        >>> matches[0].dialect.name, matches[0].departures
        ('sacrebleu', ('lowercase',))
        >>> systems = {"A": ["the cat sat on the mat ."], "B": ["the cat sat here ."]}
        >>> matches = reconcile(systems, ["The cat sat on a mat ."], ["48.9", "28.6"])
        >>> matches[0].departures, len(matches[0].values)
        (('lowercase',), 2)
    """
    systems, scores = _systems(hyps, refs, reported)
    if metric not in _METRICS:
        raise OptionError(f"metric cannot be {suggest(metric, filter(None, _METRICS))}")
    if metric in ("chrf", "ter") and dialects is not None:
        raise OptionError("dialects are BLEU's; leave them out to search chrF or TER")
    number = Reported.read(*scores, metric=metric)
    names = {dialect(name).name for name in ([dialects] if isinstance(dialects, str) else dialects or DIALECTS)}
    texts = Variant([CorpusCounts(*system, threads) for system in systems])
    shapes = {(corpus.references, corpus.tokenized) for corpus in texts.corpora}
    if len(shapes) > 1:
        raise InputError("the test sets differ in their number of references; give each as many")
    shape, sources = shapes.pop(), []
    for stage in _stages(texts, [name for name in DIALECTS if name in names], metric or "bleu"):
        sources += stage
        matches = _Search(sources, shape, number).matches()
        if matches:
            return matches
    if len(systems) > 1:
        fits = (_Search(sources, shape, number, i).matches() for i in range(len(systems)))
        nearest = sorted((fit[0] for fit in fits if fit), key=lambda match: match.points)
        matches.nearest = tuple(nearest) or matches.nearest
    if metric is None and dialects is None and not shape[1]:
        sources += [_of_family(texts, name, penalties.METRIC) for name in ("chrf", "ter")]
        return _Search(sources, shape, number).matches() or matches
    return matches


def _stages(texts: Variant, names: list[str], metric: str) -> Iterator[list[list[Any]]]:
    """The candidates of each system: of the texts as they are, then of changed texts."""
    systems = range(len(texts.corpora))
    for stage in ([texts], variants(texts)):
        if metric == "bleu":
            yield [[Candidates(changed, i, names) for i in systems] for changed in stage]
        else:  # TER takes few references
            most = texts.corpora[0].references if metric == "ter" else np.inf
            fitting = (changed for changed in stage if changed.corpora[0].references <= most)
            yield [_of_family(changed, metric) for changed in fitting]


def _of_family(texts: Variant, metric: str, points: int = 0) -> list[Any]:
    """The candidates of each system by chrF or TER."""
    return [FamilyCandidates(texts, i, metric, points) for i in range(len(texts.corpora))]


def _systems(hyps: Any, refs: Any, reported: Any) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """The hypotheses and the references of each system, and its reported score."""
    if not isinstance(hyps, Mapping):
        return [(hyps, refs)], [reported]
    if isinstance(reported, Mapping):
        scores = [reported[name] for name in hyps] if set(reported) == set(hyps) else []
    else:
        scores = list(reported) if isinstance(reported, (list, tuple)) else [reported]
    if not hyps or len(scores) != len(hyps):
        raise OptionError(f"reported cannot be {describe(reported)}; give one score per system")
    if not isinstance(refs, Mapping):
        return [(system, refs) for system in hyps.values()], scores
    if set(refs) != set(hyps):
        raise OptionError("refs has other names than hyps; give the references of each system")
    return [(hyps[name], refs[name]) for name in hyps], scores


class _Search:
    """Finds reported scores among the scores of candidates.

    Args:
        sources: candidates of each system, which have the same settings; the first are of the texts
            as they are.
        shape: the number of references, and whether the caller tokenized.
        reported: the score of each system.
        outlier: the position of a system whose score is not searched.
    """

    def __init__(self, sources: Any, shape: tuple[int, bool], reported: Reported, outlier: int | None = None) -> None:
        self._firsts = firsts = [candidates[0] for candidates in sources]
        values = np.hstack([np.array([own.values for own in source]) for source in sources])
        self._cells = np.flatnonzero(np.isfinite(values).all(axis=0))
        if not len(self._cells):
            raise InputError("none of these tools has a score for these texts; search all of them")
        self._starts = np.cumsum([0, *(len(first.values) for first in firsts)])
        self._all_values = self._values = values[:, self._cells]
        if outlier is not None:
            self._values = np.delete(self._all_values, outlier, axis=0)
            reported = reported.without(outlier)
        self._shape, self._reported, self._outlier = shape, reported, outlier
        # Settings with equal scores form a group.
        numbers = np.array([_numbered(column) for column in self._values])
        _, first, groups = np.unique(numbers, axis=1, return_index=True, return_inverse=True)
        self._groups = groups.reshape(-1)
        self._group_values = self._values[:, first]
        points, self._own_scales = np.hstack([(first.points, first.scales) for first in firsts])[:, self._cells]
        self._costs = {scale: points + penalties.SCALED * (self._own_scales != scale) for scale in reported.scales}
        self._group_costs = {scale: np.full(len(first), _NEVER) for scale in reported.scales}
        for scale, costs in self._costs.items():
            np.minimum.at(self._group_costs[scale], self._groups, costs)

    def matches(self) -> Matches:
        """The settings that give the reported scores; without any, the nearest settings."""
        readings, costs = [], []
        for scale, cost in self._costs.items():
            rounded, truncated = self._reported.readings(self._values * scale)
            readings += [(scale, "rounded"), (scale, "truncated")]
            costs += [np.where(rounded, cost, _NEVER)]
            costs += [np.where(truncated, cost + penalties.TRUNCATED, _NEVER)]
        points, best = np.min(costs, axis=0), np.argmin(costs, axis=0)
        matching = np.argsort(points, kind="stable")[: np.count_nonzero(points < _NEVER)]
        groups: dict[int, list[Match]] = {}
        for cell in matching.tolist():
            match = self._match(cell, *readings[int(best[cell])], int(points[cell]))
            groups.setdefault(int(self._groups[cell]), []).append(match)
        listed = [replace(first, equivalents=tuple(more)) for first, *more in groups.values()]
        convincing = [match for match in listed if match.chance <= LEVEL]
        accidental = [match for match in listed if match.chance > LEVEL]
        nearest = [] if convincing else self._nearest(accidental[:1])
        counts = len(self._cells), self._group_values.shape[1]
        return Matches(convincing, self._reported, accidental, nearest, *counts)

    def _nearest(self, accidental: list[Match]) -> list[Match]:
        """The most common match, or the nearest setting; then more common ones farther away."""
        scale, common = self._reported.scales[0], self._cells < self._starts[1]
        points = self._costs[scale][common]
        distances = abs(self._values[:, common] * scale - np.array(self._reported.values)[:, None]).max(axis=0)
        most = accidental[0].points if accidental else np.inf
        matches, nearest = [], np.inf
        for cell in np.lexsort((distances, points)).tolist():
            if distances[cell] < nearest - _SAME * scale and points[cell] < most:
                nearest = distances[cell]
                matches.append(self._match(cell, scale, "", int(points[cell])))
        return accidental + matches[::-1]

    def _match(self, cell: int, scale: int, rounding: str, points: int) -> Match:
        number = int(self._cells[cell])
        source = int(np.searchsorted(self._starts, number, side="right")) - 1
        setting = self._firsts[source].setting(number - int(self._starts[source]))
        values = tuple((self._all_values[:, cell] * scale).tolist())
        chance = self._chance(cell, scale, points)
        return Match(values, scale, setting, rounding, points, chance, (), self._shape, self._outlier)

    def _chance(self, cell: int, scale: int, points: int) -> float:
        """The expected number of equally common groups that match the reported scores by accident.

        This is the number of groups near the scores, times a share for each system: the last
        decimal divided by the width of the window for the first; for another system, by the spread
        of what the scores of the systems before it leave unexplained. Where truncated scores are as
        common, a group has more ways to match: a score has half a unit above those that round.
        """
        order = np.argsort(self._reported.units, kind="stable")
        units = np.array(self._reported.units)[order] / scale
        away = (self._group_values - self._values[:, cell, None])[order]
        near = (np.abs(away) <= _AROUND).all(axis=0)
        costs = self._group_costs[scale][near]
        truncated = np.count_nonzero(costs + penalties.TRUNCATED <= points)
        count = np.count_nonzero(costs <= points) + truncated * (1 - 0.5 ** len(units))
        # Of one system there is none; `np.median` would import `numpy.ma` in 0.1 s.
        spreads = np.maximum(_unexplained(away[:, near]), units)[1:] if len(units) > 1 else 1
        first = count * min(self._reported.units) / scale / (2 * _AROUND)
        ways = 1 if self._outlier is None else len(self._all_values)
        return float(ways * first * (units[1:] / spreads).prod())


def _unexplained(values: Array) -> Array:
    """The width of the middle half of each row, less its linear fit on the rows before it."""
    spreads = np.zeros(len(values))
    directions, sizes = np.linalg.qr((values - values.mean(axis=1, keepdims=True)).T)
    residuals = np.abs(directions * np.diagonal(sizes))
    spreads[: residuals.shape[1]] = 2 * np.median(residuals, axis=0)
    return spreads


def _numbered(values: Array) -> Array:
    """Numbers from 0 up in the order of the values; equal values have the same number."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    numbers = np.empty(len(values), dtype=np.int64)
    numbers[order] = np.concatenate(([0], np.cumsum(np.diff(ordered) > _SAME * ordered[1:])))
    return numbers

# SPDX-License-Identifier: Apache-2.0
"""The scores of probes by a dialect, with or without a mistake."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.analysis.identify import mistakes
from truebleu.analysis.identify.mistakes import Array
from truebleu.analysis.identify.probes import Probe
from truebleu.dialects.decisions import Dialect
from truebleu.errors import TrueBLEUError
from truebleu.metrics.bleu import BLEU, compile_dialect


@dataclass(frozen=True, slots=True)
class Candidate:
    """A dialect, and a mistake that a scorer makes besides; empty for none."""

    dialect: Dialect
    mistake: str = ""


class Scorer:
    """Scores probes, as strings or lists of tokens; equal counts are counted once."""

    def __init__(self, probes: Iterable[Probe], *, tokens: bool) -> None:
        self.probes, self.tokens = list(probes), tokens
        read: Any = str.split if tokens else str
        self.hyps = [read(hyp) for probe in self.probes for hyp in probe.hyps]
        self.refs = [list(map(read, own)) for probe in self.probes for own in probe.refs]
        self.sizes = np.array([len(probe.hyps) for probe in self.probes])
        self.starts = np.cumsum([0, *self.sizes])[:-1]
        self._corpus = CountedCorpus(self.hyps, self.refs)
        self._rows: dict[Any, Array] = {}
        self._others: dict[str, Scorer] = {}

    def values(self, candidate: Candidate) -> Array:
        """The score of each probe, 1 for a perfect hypothesis; NaN where the tool has none."""
        dialect, mistake = candidate.dialect, candidate.mistake
        if mistake in mistakes.READING:
            return self._read(mistake, mistakes.READING).values(Candidate(dialect))
        by_segment = mistake and dialect.aggregate.join == "mean"
        if by_segment or mistake in mistakes.EACH_REFERENCE:
            dialect = dialect.replace(join="rows")
        if mistake in mistakes.EACH_REFERENCE:
            return self._means(self._each_reference(mistake, dialect))
        rows = self.rows(dialect, mistake)
        # It reads no text; a plan with the white space of ASCII compiles fastest.
        plan = compile_dialect(dialect.replace(whitespace="ascii"))
        if not by_segment:
            rows = np.add.reduceat(rows, self.starts)
        if mistake in mistakes.COMBINING:
            table = np.frombuffer(plan.parts(rows)).reshape(len(rows), -1)
            bps, precisions = table[:, 1], table[:, 2 : 2 + dialect.count.max_ngram_order] / 100
            with np.errstate(all="ignore"):
                means = np.where(bps > 0, table[:, 0] / dialect.combine.scale / bps, 0)
                values = mistakes.COMBINING[mistake](means, bps, precisions, rows[:, 1] / rows[:, 0])
        else:
            values = np.frombuffer(plan.values(rows)) / dialect.combine.scale
        return self._means(values) if by_segment else values

    def rows(self, dialect: Dialect, mistake: str = "") -> Array:
        """The row of statistics of each segment."""
        mistake = mistake if mistake in {**mistakes.LENGTHS, **mistakes.COUNTING} else ""
        key = dialect.counting, mistake
        if key not in self._rows:
            metric = BLEU(dialect, threads=1)
            rows = np.array(self.rows(dialect) if mistake else metric.stats(*self._corpus.columns(metric)))
            if mistake in mistakes.LENGTHS:
                rows[:, :2] = self._read(mistake, mistakes.LENGTHS).rows(dialect)[:, :2]
            elif mistake:
                rows[:, 2:] = self._counted(metric, mistake)
            self._rows[key] = rows
        return self._rows[key]

    def _counted(self, metric: BLEU, mistake: str) -> Array:
        """Matches and totals of each segment, counted in Python."""
        dialect, counting = metric.dialect, mistakes.COUNTING[mistake]
        orders, last = dialect.orders_read, 1 if dialect.count.references == "first" else None
        key = (dialect.normalize, dialect.tokenize, orders, last, mistake)
        if key not in self._rows:
            tokens = cache(metric.tokens)
            words = [
                [tokens(text) if isinstance(text, str) else text for text in (hyp, *refs[:last])]
                for hyp, refs in zip(*self._corpus.columns(metric), strict=True)
            ]
            self._rows[key] = np.array([counting.count(h, refs, orders) for h, *refs in words])
        return np.asarray(np.maximum(self._rows[key], [0] * orders + [int(dialect.count.floor_totals)] * orders))

    def metric(self, name: str) -> Array:
        """The scores by another metric; NaN where it has none."""
        results = []
        for own in map(slice, self.starts, self.starts + self.sizes):
            try:
                results.append(mistakes.METRICS[name](self.hyps[own], self.refs[own]))
            except (ZeroDivisionError, TrueBLEUError):
                results.append(math.nan)
        return np.array(results)

    def _means(self, values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, self.starts) / self.sizes)

    def _read(self, name: str, readings: Any) -> Scorer:
        if name not in self._others:
            self._others[name] = Scorer(map(readings[name], self.probes), tokens=self.tokens)
        return self._others[name]

    def _each_reference(self, mistake: str, dialect: Dialect) -> Array:
        """The score of each segment, from its scores by each reference alone."""
        segments = [pair for p in self.probes for pair in zip(p.hyps, p.refs, strict=True)]
        pairs = (Probe("", (hyp,), ((ref,),)) for hyp, refs in segments for ref in refs)
        counts = np.array([len(refs) for _, refs in segments])
        join = mistakes.EACH_REFERENCE[mistake]
        self._others.setdefault("", Scorer(pairs, tokens=self.tokens))
        joined = join.reduceat(self._others[""].values(Candidate(dialect)), np.cumsum([0, *counts])[:-1])
        return np.asarray(joined / counts if join is np.add else joined)

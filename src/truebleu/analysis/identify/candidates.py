# SPDX-License-Identifier: Apache-2.0
"""The scores of probes by a dialect, with or without a mistake."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from truebleu.analysis.identify.mistakes import (
    COMBINING,
    COUNTING,
    EACH_REFERENCE,
    OF_SEGMENTS,
    READING,
    Array,
    Counting,
    Factors,
)
from truebleu.analysis.identify.probes import Probe
from truebleu.analysis.reconcile.counts import choosing
from truebleu.dialects.decisions import Dialect
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
        self._rows: dict[Any, Array] = {}
        self._others: dict[str, Scorer] = {}

    def values(self, candidate: Candidate) -> Array:
        """The score of each probe, 1 for a perfect hypothesis; NaN where the tool has none."""
        dialect, mistake = candidate.dialect, candidate.mistake
        scale, is_mean = dialect.combine.scale, dialect.aggregate.join == "mean"
        if mistake in READING:
            return self._other(mistake, map(READING[mistake], self.probes)).values(
                Candidate(dialect)
            )
        if is_mean and mistake:
            dialect = dialect.replace(join="rows")
        if mistake in EACH_REFERENCE:
            return self._means(self._each_reference(mistake, dialect))
        rows = self.rows(dialect, COUNTING.get(mistake))
        by_segment = mistake in OF_SEGMENTS or (is_mean and mistake)
        if not by_segment:
            rows = np.add.reduceat(rows, self.starts)
        plan = compile_dialect(dialect)
        if mistake in COMBINING:
            table = np.frombuffer(plan.parts(rows)).reshape(len(rows), -1)
            precisions = table[:, 2 : 2 + dialect.count.max_ngram_order] / 100
            lens = rows[:, 0].astype(float), rows[:, 1]
            with np.errstate(all="ignore"):
                values = COMBINING[mistake](
                    Factors(table[:, 0] / scale, table[:, 1], precisions, *lens, self.starts)
                )
        else:
            values = np.frombuffer(plan.values(rows)) / scale
        return self._means(values) if by_segment and mistake not in OF_SEGMENTS else values

    def _means(self, values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, self.starts) / self.sizes)

    def rows(self, dialect: Dialect, counting: Counting | None = None) -> Array:
        """The row of statistics of each segment."""
        parts = (dialect.normalize, dialect.tokenize, dialect.count, dialect.aggregate)
        joins = dialect.combine if dialect.aggregate.join != "rows" else None
        key = (*parts, dialect.counted_orders, joins, counting and id(counting))
        if key not in self._rows:
            metric = BLEU(dialect, threads=1)
            if counting:
                self._rows[key] = self._counted(metric, counting)
            else:
                self._rows[key] = np.asarray(metric.stats(self.hyps, self.refs))
        return self._rows[key]

    def _counted(self, metric: BLEU, counting: Counting) -> Array:
        """Rows counted in Python."""
        dialect, rows, lengths = metric.dialect, [], []
        floor, first = int(dialect.count.floor_totals), dialect.count.references == "first"
        read: Any = list if self.tokens else cache(metric.tokens)
        for own, others in zip(self.hyps, self.refs, strict=True):
            hyp, refs = read(own), list(map(read, others))
            matches, totals = counting.count(hyp, refs[:1] if first else refs, dialect.orders_read)
            rows.append([counting.length(hyp), 0, *matches, *(max(t, floor) for t in totals)])
            lengths.append(list(map(counting.length, refs)))
        counts, most = np.array(rows, np.int64), max(map(len, lengths))
        if counting.ref_len:
            pairs = zip(counts[:, 0].tolist(), lengths, strict=True)
            counts[:, 1] = [counting.ref_len(own, lens) for own, lens in pairs]
        else:
            table = np.array([lens + [-1] * (most - len(lens)) for lens in lengths])
            chosen = choosing(dialect.aggregate.ref_len)
            hyp_lens = np.ascontiguousarray(counts[:, 0])
            counts[:, 1] = np.frombuffer(chosen.ref_lens(hyp_lens, table), np.int64)
        return counts

    def _other(self, name: str, probes: Iterable[Probe]) -> Scorer:
        """The scorer of other probes, made once."""
        if name not in self._others:
            self._others[name] = Scorer(probes, tokens=self.tokens)
        return self._others[name]

    def _each_reference(self, mistake: str, dialect: Dialect) -> Array:
        """The score of each segment, from its scores by each reference alone."""
        segments = [pair for p in self.probes for pair in zip(p.hyps, p.refs, strict=True)]
        pairs = (Probe("", (hyp,), ((ref,),)) for hyp, refs in segments for ref in refs)
        counts, join = np.array([len(refs) for _, refs in segments]), EACH_REFERENCE[mistake]
        values = self._other("", pairs).values(Candidate(dialect))
        joined = join.reduceat(values, np.cumsum([0, *counts])[:-1])
        return np.asarray(joined / counts if join is np.add else joined)

# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's metrics counted by the kernel, and scored by sacreBLEU's formulas in Python.

The hooks in Python are called instead for a subclass, for an object whose attributes replace
methods, and for input that the kernel does not count as sacreBLEU does: numbers among the strings,
lone surrogates, streams of different lengths. They also raise sacreBLEU's errors.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from truebleu.compat.sacrebleu.metrics.base import Metric, warn_about_periods
from truebleu.errors import InputError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.ter import TER

Kernel = BLEU | CHRF | TER
Streams = Sequence[Sequence[str | None]]

_PLAIN = {list, tuple}


class KernelMetric(Metric):
    """A metric with sacreBLEU's hooks that the kernel can count."""

    #: The names of all attributes of the class. An object that has one of them itself is patched.
    _NAMES: ClassVar[frozenset[str]]

    #: The attributes that decide how references are counted.
    _REFERENCE_SETTINGS: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls._NAMES = frozenset(dir(cls))

    @abstractmethod
    def _kernel(self) -> Kernel | None:
        """The kernel's metric with these settings; None if the hooks must be called."""

    def _is_patched(self) -> bool:
        return not self._NAMES.isdisjoint(self.__dict__)

    def _lowers(self) -> bool:
        """Whether Python lowercases the text before the kernel counts it."""
        return False

    def _row(self, row: list[int]) -> list[Any]:
        """The row of sacreBLEU for a row of the kernel."""
        return row

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Score one segment; see `Metric.sentence_score`."""
        if type(hypothesis) is str and type(references) in _PLAIN and references:
            rows = self._kernel_rows([hypothesis], [[ref] for ref in references])
            if rows is not None:
                return self._aggregate_and_compute(rows)
        return super().sentence_score(hypothesis, references)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """Score a corpus; see `Metric.corpus_score`."""
        if n_bootstrap <= 1:
            streams = self._kept_references() if references is None else references
            total = self._kernel_total(hypotheses, streams)
            if total is not None:
                return self._compute_score_from_stats(total)
        return super().corpus_score(hypotheses, references, n_bootstrap)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[Any]]:
        rows = self._kernel_rows(hypotheses, references or self._kept_references())
        if rows is None:
            return super()._extract_corpus_statistics(hypotheses, references)  # type: ignore[no-any-return]
        return rows

    def _kernel_total(self, hyps: Any, streams: Any) -> list[Any] | None:
        """The summed row of a corpus, or None."""
        columns = self._columns(hyps, streams)
        if columns is None:
            return None
        kernel, hyps, refs = columns
        try:
            row, _, (fewest, most), _ = kernel.plan.total(hyps, refs, kernel.threads)
        except InputError:
            return None
        self.num_refs = fewest if fewest == most else -1
        self._warn(hyps)
        return self._row(row)

    def _kernel_rows(self, hyps: Any, streams: Any) -> list[list[Any]] | None:
        """The row of each segment, or None."""
        columns = self._columns(hyps, streams)
        if columns is None:
            return None
        kernel, hyps, refs = columns
        try:
            flat = memoryview(kernel.plan.rows(hyps, refs, kernel.threads)).cast("q").tolist()
        except InputError:
            return None
        self.num_refs = _count_references(streams)
        self._warn(hyps)
        width = len(flat) // len(hyps)
        return [self._row(flat[at : at + width]) for at in range(0, len(flat), width)]

    def _columns(self, hyps: Any, streams: Any) -> tuple[Kernel, Any, Any] | None:
        """The kernel, the hypotheses and the references of each segment; or None."""
        if type(hyps) not in _PLAIN or type(streams) not in _PLAIN or not hyps or not streams:
            return None
        for stream in streams:
            if type(stream) not in _PLAIN or len(stream) != len(hyps):
                return None
        kernel = self._kernel()
        if kernel is None or type(hyps[0]) is not str:
            return None
        if self._lowers():
            try:
                hyps = [hyp.lower() for hyp in hyps]
                streams = [[ref and ref.lower() for ref in stream] for stream in streams]
            except AttributeError:  # something that is not text
                return None
        if len(streams) > 1:
            return kernel, hyps, list(zip(*streams, strict=True))
        (refs,) = streams
        return (kernel, hyps, refs) if type(refs[0]) is str else None

    def _warn(self, hyps: Sequence[str]) -> None:
        if not self._force:
            warn_about_periods(sum([hyp.endswith(" .") for hyp in hyps]))

    def _keep_references(self, references: Any) -> None:
        """Keep reference streams for the kernel, or the counts of the hooks."""
        if references is None:
            return
        if (
            self._kernel() is None
            or type(references) not in _PLAIN
            or not {*map(type, references)} <= _PLAIN
            or not all(references)
            or len({*map(len, references)}) != 1
            or not {type(ref) for stream in references for ref in stream} <= {str, type(None)}
        ):
            self._ref_cache = self._cache_references(references)
            return
        streams = [list(stream) for stream in references]
        self.num_refs = _count_references(streams)
        self._kept = streams, self._reference_settings()

    def _kept_references(self) -> list[list[str]] | None:
        """The streams of the constructor, unless the settings have changed since."""
        streams, settings = self.__dict__.get("_kept", (None, None))
        return streams if settings == self._reference_settings() else None

    def _reference_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._REFERENCE_SETTINGS}

    @property
    def _ref_cache(self) -> Any:
        """The cached references as counted by the hooks, which happens when this is read."""
        if "_kept" in self.__dict__:
            streams, settings = self.__dict__.pop("_kept")
            counting = object.__new__(self.__class__)
            counting.__dict__.update(self.__dict__, **settings)
            self._infos = counting._cache_references(streams)
        return self._infos

    @_ref_cache.setter
    def _ref_cache(self, infos: Any) -> None:
        self.__dict__.pop("_kept", None)
        self._infos = infos


def _count_references(streams: Streams) -> int:
    """The number of references of each segment; -1 if segments differ."""
    if all(None not in stream for stream in streams):
        return len(streams)
    counts = {sum(ref is not None for ref in refs) for refs in zip(*streams, strict=True)}
    return counts.pop() if len(counts) == 1 else -1

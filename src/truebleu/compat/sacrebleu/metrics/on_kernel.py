# SPDX-License-Identifier: Apache-2.0
"""How a metric of sacreBLEU's is scored by the kernel, and keeps references for it."""

from __future__ import annotations

from abc import abstractmethod
from operator import methodcaller

from truebleu.compat.sacrebleu import kernel
from truebleu.compat.sacrebleu.metrics.base import Metric, _warn_of_periods
from truebleu.compat.sacrebleu.metrics.bleu_score import BLEUScore
from truebleu.errors import TrueBLEUError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ClassVar

    from truebleu.metrics.bleu import BLEU

    Combined = tuple[float, float, list[float]]
    #: The kernel's metric, and its functions for single sentences and for rows.
    Kernel = tuple[BLEU, Callable[..., Any], Callable[[list[int]], Combined]]


def compiled(
    tokenize: str, lowercase: Any, order: Any, method: Any, value: Any, effective: Any
) -> Kernel | None:
    """The kernel for a metric's settings, or None if it would not do as sacreBLEU does."""
    try:
        bleu = kernel.compiled(
            tokenize,
            lowercase=bool(lowercase),
            order=order,
            method=method,
            value=value,
            effective_order=bool(effective),
        )
    except TrueBLEUError:  # a method or a value that fails later, as in sacreBLEU
        return None
    return None if bleu is None else (bleu, bleu.plan.sentence, bleu.plan.combine)


class OnKernel(Metric):
    """What a metric has besides sacreBLEU's hooks."""

    #: The attributes that decide what is counted of references.
    _PREPARED: ClassVar[tuple[str, ...]]

    @abstractmethod
    def _kernel(self) -> Any:
        """The kernel with these settings, or None if it would not do as the hooks do."""

    def _keep(self, references: Sequence[Sequence[str]]) -> bool:
        """Keep reference streams for the kernel, if it can read them; n-grams are not counted."""
        if self._kernel() is None or type(references) not in (list, tuple) or not references:
            return False
        if any(type(stream) not in (list, tuple) or not stream for stream in references):
            return False
        streams = [list(stream) for stream in references]
        if len({len(stream) for stream in streams}) > 1:
            return False
        if any(not set(map(type, stream)) <= {str, type(None)} for stream in streams):
            return False
        self.num_refs = kernel.count_references(streams)
        self._kept_streams = streams, self._preparation()
        return True

    def _kept(self) -> list[list[str]] | None:
        """The streams that were kept, unless the settings are others now."""
        streams, settings = self.__dict__.get("_kept_streams", (None, None))
        return streams if settings == self._preparation() else None

    def _keeps_references(self) -> bool:
        return "_kept_streams" in self.__dict__ or self.__dict__.get("_ref_cache") is not None

    def _preparation(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._PREPARED}

    @property
    def _ref_cache(self) -> Any:
        """What is counted of the cached references: made when someone looks at it."""
        if "_kept_streams" in self.__dict__:
            streams, settings = self.__dict__.pop("_kept_streams")
            then = object.__new__(self.__class__)
            then.__dict__.update(self.__dict__, **settings)
            self.__dict__["_ref_cache"] = then._cache_references(streams)
        return self.__dict__["_ref_cache"]

    @_ref_cache.setter
    def _ref_cache(self, infos: Any) -> None:
        self.__dict__.pop("_kept_streams", None)
        self.__dict__["_ref_cache"] = infos


class BLEUOnKernel(OnKernel):
    """The same for BLEU."""

    _PREPARED = ("lowercase", "tokenizer", "max_ngram_order")

    lowercase: bool
    tokenizer: Any
    max_ngram_order: int
    smooth_method: str
    smooth_value: float | None

    def _score(self, row: list[int], combined: Combined) -> BLEUScore:
        order = self.max_ngram_order
        made = _new(BLEUScore)
        made.score, made.bp, made.precisions = combined
        made.counts, made.totals = row[2 : 2 + order], row[2 + order :]
        made.sys_len, made.ref_len = row[:2]
        if self.smooth_method == "add-k":
            self._add_k(made.counts, made.totals)
        return made

    def _sentence(self, found: tuple[Any, ...]) -> BLEUScore:
        made = _new(BLEUScore)
        (
            made.score, made.bp, made.precisions, made.counts, made.totals, made.sys_len,
            made.ref_len, self.num_refs,
        ) = found  # fmt: skip
        if self.smooth_method == "add-k":
            self._add_k(made.counts, made.totals)
        return made

    def _add_k(self, counts: list[int], totals: list[int]) -> None:
        """What sacreBLEU does to counts while it smooths them."""
        if any(counts):
            value: Any = 1 if self.smooth_value is None else self.smooth_value
            for i in range(1, self.max_ngram_order):
                counts[i] += value
                totals[i] += value
                if totals[i] == 0:
                    break

    def _warn(self, hypotheses: Sequence[str]) -> None:
        if not self._force:
            _warn_of_periods(sum(map(_ends_in_a_period, hypotheses)))


class CountedOnKernel(OnKernel):
    """The same for chrF and TER: the kernel counts, and sacreBLEU's formula in Python scores.

    Text is lower-cased before, so that it is in the lower case of this Python.
    """

    @property
    @abstractmethod
    def _lowers(self) -> bool:
        """Whether text is lower-cased."""

    def _counted(
        self, count: Callable[..., Any], hyps: Any, streams: Any
    ) -> tuple[Any, int] | None:
        """What `count` of the kernel gives, if the kernel may be asked."""
        found = self._kernel() if self._force else None
        if found is None:
            return None
        if self._lowers:
            texts = kernel.lowered(hyps, streams)
            if texts is None:
                return None
            hyps, streams = texts
        counted: tuple[Any, int] | None = count(found, hyps, streams)
        return counted

    def _rows(self, rows: list[list[int]]) -> list[Any]:
        """The kernel's rows as sacreBLEU's."""
        return rows

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Score one segment; see `Metric.sentence_score`."""
        if type(hypothesis) is str and type(references) in (list, tuple) and references:
            streams = [[reference] for reference in references]
            counted = self._counted(kernel.rows, [hypothesis], streams)
            if counted is not None:
                rows, self.num_refs = counted
                return self._aggregate_and_compute(self._rows(rows))
        return super().sentence_score(hypothesis, references)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[Any]:
        counted = self._counted(kernel.rows, hypotheses, references or self._kept())
        if counted is None:
            return super()._extract_corpus_statistics(hypotheses, references)  # type: ignore[no-any-return]
        rows, self.num_refs = counted
        return self._rows(rows)


#: Attributes that are texts come when they are asked for; see `BLEUScore.__getattr__`.
_new = BLEUScore.__new__

_ends_in_a_period = methodcaller("endswith", " .")

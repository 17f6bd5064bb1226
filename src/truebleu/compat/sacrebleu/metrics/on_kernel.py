# SPDX-License-Identifier: Apache-2.0
"""How a BLEU metric of sacreBLEU's is scored by the kernel, and keeps references for it."""

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
    from typing import Any

    from truebleu.metric import BLEU

    Combined = tuple[float, float, list[float]]
    #: The kernel's metric, and its two functions that single sentences need.
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
    return None if bleu is None else (bleu, bleu.plan.total, bleu.plan.combine)


class OnKernel(Metric):
    """What BLEU has besides sacreBLEU's hooks."""

    lowercase: bool
    tokenizer: Any
    max_ngram_order: int
    smooth_method: str
    smooth_value: float | None

    @abstractmethod
    def _kernel(self) -> Kernel | None:
        """The kernel with these settings, or None if it would not do as the hooks do."""

    def _score(self, row: list[int], combined: Combined) -> BLEUScore:
        order = self.max_ngram_order
        counts, totals = row[2 : 2 + order], row[2 + order :]
        if self.smooth_method == "add-k" and any(counts):
            value: Any = 1 if self.smooth_value is None else self.smooth_value
            for i in range(1, order):
                counts[i] += value
                totals[i] += value
                if totals[i] == 0:
                    break
        return BLEUScore._of(combined, counts, totals, row[0], row[1])

    def _warn(self, hypotheses: Sequence[str]) -> None:
        if not self._force:
            _warn_of_periods(sum(map(_ends_in_a_period, hypotheses)))

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

    def _preparation(self) -> tuple[Any, ...]:
        return self.lowercase, self.tokenizer, self.max_ngram_order

    @property
    def _ref_cache(self) -> Any:
        """What is counted of the cached references: made when someone looks at it."""
        if "_kept_streams" in self.__dict__:
            streams, (lowercase, tokenizer, order) = self.__dict__.pop("_kept_streams")
            then = object.__new__(self.__class__)
            then.__dict__.update(
                self.__dict__, lowercase=lowercase, tokenizer=tokenizer, max_ngram_order=order
            )
            self.__dict__["_ref_cache"] = then._cache_references(streams)
        return self.__dict__["_ref_cache"]

    @_ref_cache.setter
    def _ref_cache(self, infos: Any) -> None:
        self.__dict__.pop("_kept_streams", None)
        self.__dict__["_ref_cache"] = infos


_ends_in_a_period = methodcaller("endswith", " .")

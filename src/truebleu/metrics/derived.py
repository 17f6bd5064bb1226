# SPDX-License-Identifier: Apache-2.0
"""The base class of metrics that read text as BLEU does, and count and combine in their own way."""

from __future__ import annotations

from truebleu.dialects.decisions import READING
from truebleu.dialects.signature import counting_signature, derived_signature
from truebleu.dialects.tools import dialect as find_dialect
from truebleu.metrics.bleu import BLEU, plan_options
from truebleu.metrics.kernel import Kernel, compile_metric
from truebleu.metrics.metric import Metric, from_options
from truebleu.metrics.tokenizers import NATIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from truebleu.dialects.decisions import Dialect
    from truebleu.dialects.options import Part
    from truebleu.inputs.corpus import Reading
    from truebleu.metrics.metric import ScoreOfMetric, StatsOfMetric  # noqa: F401


class Derived(Metric["StatsOfMetric", "ScoreOfMetric"]):
    """A metric whose first two decisions are BLEU's: how text is normalized and tokenized.

    Args:
        reader: the BLEU that reads text; some metrics count and combine by it as well.
        options: the metric's own options, by name.
        threads: the most threads that a call uses.

    Attributes:
        options: its own options.
    """

    __slots__ = ("_reader", "options")

    options: Any

    #: The name of the metric in the kernel.
    _KERNEL: ClassVar[str]
    #: The class of its own options.
    _OPTIONS: ClassVar[type[Part]]

    def __init__(self, reader: BLEU, options: dict[str, Any], threads: int | None) -> None:
        self._reader = reader
        self.options = self._OPTIONS(**options)
        super().__init__(
            self._compiled(reader.dialect),
            self._compiled(reader.sentence_dialect),
            self._zero_stats(f"{self.name}|{self._counting}"),
            threads,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return from_options, (type(self), self.settings)

    def _compiled(self, dialect: Dialect) -> Kernel:
        settings = {**plan_options(dialect), **self._kernel_options()}
        if settings["tokenize"] not in NATIVE:
            settings["tokenize"] = "none"  # Python tokenizes
        return compile_metric(self._KERNEL, settings)

    def _kernel_options(self) -> dict[str, Any]:
        """Its own options in the kernel."""
        return dict(vars(self.options))

    def _zero_stats(self, signature: str) -> StatsOfMetric:
        raise NotImplementedError

    @property
    def _counting(self) -> str:
        """The part of the signature that decides what is counted."""
        return self.signature

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        raise NotImplementedError

    @property
    def reader(self) -> BLEU:
        """The BLEU that reads its text."""
        return self._reader

    @property
    def _function(self) -> Callable[[str], Any] | None:
        return self.reader._function

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, after normalization."""
        return self.reader.tokens(text)

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:
        """As `Metric.column`; a tokenizer in Python tokenizes the strings."""
        return self.reader.column(name, values, once=once)

    def _columns(self, hyps: Any, refs: Any, how: Reading) -> tuple[Any, Any]:
        return self.reader._columns(hyps, refs, how)

    def _total(
        self, hyps: Any, refs: Any, how: Reading = ((), (), 1)
    ) -> tuple[StatsOfMetric, int, tuple[int, int], bool]:
        # Words that a Python function made are not the caller's.
        total, segments, counts, tokenized = super()._total(hyps, refs, how)
        return total, segments, counts, tokenized and self._function is None


class ReadAsBLEU(Derived["StatsOfMetric", "ScoreOfMetric"]):
    """A metric that takes only the first two decisions of BLEU, as options of its own."""

    __slots__ = ()

    def __init__(
        self, dialect: str | Dialect = "sacrebleu", *, threads: int | None = None, **changes: Any
    ) -> None:
        row = find_dialect(dialect).options()
        reading = {name: changes.pop(name, row[name]) for name in READING}
        super().__init__(BLEU("sacrebleu", threads=threads, **reading), changes, threads)

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        reading = self.reader.dialect.options()
        return {**{name: reading[name] for name in READING}, **vars(self.options)}

    @property
    def _version(self) -> str:
        """The version of the tool whose score it is."""
        raise NotImplementedError

    def _score_signature(
        self, nrefs: int | str | None, *, tokenized: bool = False, **_: bool
    ) -> str:
        reader = self.reader
        reading = counting_signature(
            reader.dialect,
            tokenizer="given" if tokenized else reader._tokenizer,
            unicode=reader._unicode(tokenized=tokenized),
        )
        return derived_signature(reading, vars(self.options), nrefs=nrefs, version=self._version)

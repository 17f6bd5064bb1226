# SPDX-License-Identifier: Apache-2.0
"""Families of metrics, which are declared: a name, options, statistics and a score.

Their formulas are in the kernel. A family is a subclass of `Family` if it reads text in its own
way, or of `ReadAsBLEU` if it takes the first two decisions of BLEU as options.
"""

from __future__ import annotations

from truebleu.dialects.decisions import READING, Dialect, with_tokenizer
from truebleu.dialects.signature import metric_signature, to_text
from truebleu.dialects.tools import dialect as find_dialect
from truebleu.errors import OptionError, suggest
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU, compile_dialect
from truebleu.metrics.kernel import compile_metric
from truebleu.metrics.metric import Metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from truebleu.dialects.changes import ScoreOfMetric, StatsOfMetric  # noqa: F401
    from truebleu.dialects.options import Part


class Family(Metric["StatsOfMetric", "ScoreOfMetric"]):
    """A metric that is declared.

    Attributes:
        options: its own options, of a class of its own.
        reader: the BLEU that reads its text, None if it reads text in a way of its own.
    """

    __slots__ = ("options", "reader")

    options: Any
    reader: BLEU | None

    #: The name of the metric in the kernel.
    _KERNEL: ClassVar[str]
    #: The row of the tool whose score it is.
    _TOOL: ClassVar[str] = "sacrebleu"
    #: The classes of its own options and of its statistics.
    _OPTIONS: ClassVar[type[Part]]
    _STATS: ClassVar[Any]
    #: The options that determine the width of a row, in the order of the statistics' shape.
    _SHAPE: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *, threads: int | None = None, **changes: Any) -> None:
        self._declare(None, changes, threads)

    def _declare(self, reader: BLEU | None, options: dict[str, Any], threads: int | None) -> None:
        """Compile the metric; `reader` is the BLEU that reads text."""
        self.reader = reader
        self.options = self._OPTIONS(**options)
        settings = self._kernel_options()
        if reader is None:
            plan = compile_metric(self._KERNEL, settings)
            plans = plan, plan
        else:
            plans = (
                compile_dialect(reader.dialect, self._KERNEL, settings),
                compile_dialect(reader.sentence_dialect, self._KERNEL, settings),
            )
        zero = self._STATS._zeros(self._shape(), f"{self.name}|{self._counting}")
        texts = tokenizers.in_python(None, self.options) if reader is None else reader._texts
        super().__init__(plans, zero, threads, texts)

    def _kernel_options(self) -> dict[str, Any]:
        """Its own options in the kernel."""
        return {k: v for k, v in vars(self.options).items() if k != "normalize"}

    def _shape(self) -> tuple[int, ...]:
        """The shape of its statistics."""
        return tuple(getattr(self.options, name) for name in self._SHAPE)

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        return dict(vars(self.options))

    @property
    def _counting(self) -> str:
        """The part of the signature that decides what is counted."""
        return self.signature

    @property
    def _version(self) -> str:
        """The version of the tool whose score it is."""
        return find_dialect(self._TOOL).version

    def _signature_pairs(self, nrefs: int | str | None) -> dict[str, Any]:  # noqa: ARG002
        """The settings in its signature, by their keys."""
        return dict(vars(self.options))

    def _score_signature(
        self,
        nrefs: int | str | None,
        tokenized: bool = False,
        sentence: bool = False,  # noqa: ARG002
    ) -> str:
        pairs, reading = self._signature_pairs(nrefs), ""
        if self.reader is not None:
            reading = self.reader._reading_signature(tokenized=tokenized)
        else:
            names = getattr(self.options, "normalize", ())
            unicode = tokenizers.unicode_read(names, lower=pairs.get("case") == "lc")
            pairs |= {"normalize": names} if names else {}
            pairs |= {"unicode": unicode} if unicode else {}
        return metric_signature(pairs, reading=reading, nrefs=nrefs, version=self._version)


def text_for_kernel(metric: Family[Any, Any]) -> str:
    """The name of a metric and its options, line by line, as the kernel of pages reads them."""
    options = (f"{name}={to_text(value)}" for name, value in metric._kernel_options().items())
    return "\n".join([metric._KERNEL, *options])


class ReadAsBLEU(Family["StatsOfMetric", "ScoreOfMetric"]):
    """A metric that takes the first two decisions of BLEU, as options of its own."""

    __slots__ = ()

    reader: BLEU

    #: Its own options in the tools of some rows, by how their names begin.
    _OF_TOOLS: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, dialect: str | Dialect = "sacrebleu", *, threads: int | None = None, **changes: Any) -> None:
        self._take_built(dialect, threads, changes)

    def _build(self, dialect: str | Dialect, threads: int | None, changes: dict[str, Any]) -> None:
        """Compile the metric with the reading of a dialect."""
        row = find_dialect(dialect)
        changes = with_tokenizer(changes)
        reading = {**row.options(), **changes}
        reading = {name: reading[name] for name in READING}
        own = {name: value for name, value in changes.items() if name not in READING}
        names = [option.name for option in self._OPTIONS.options]
        for name in own:
            if name not in names:
                raise OptionError(f"{self._NAME} has no option {suggest(name, (*names, *READING))}")
        own = {**self._OF_TOOLS.get(row.name.partition("-")[0], {}), **own}
        self._declare(BLEU("sacrebleu", threads=threads, **reading), own, threads)

    @property
    def settings(self) -> dict[str, Any]:
        """All its options by name."""
        reading = self.reader.dialect.options()
        return {**{name: reading[name] for name in READING}, **vars(self.options)}

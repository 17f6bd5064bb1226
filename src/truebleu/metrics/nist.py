# SPDX-License-Identifier: Apache-2.0
"""NIST: matched n-grams weighted by their information (Doddington 2002)."""

from __future__ import annotations

import math
from copy import copy

from truebleu.dialects.options import NISTOptions
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError
from truebleu.inputs import corpus
from truebleu.inputs.ids import Ids
from truebleu.metrics.family import ReadAsBLEU
from truebleu.metrics.score import MetricScore
from truebleu.metrics.stats import Rows
from truebleu.metrics.ter import LENGTH_UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Unpack

    from truebleu.dialects.changes import NISTChanges
    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.accumulation import Accumulator

#: The highest order, which the kernel allows.
_HIGHEST = 22


class NISTStats(Rows):
    """Rows of NIST's statistics, one for each segment or sum of segments. Frozen.

    A row is `[hyp_len, ref_len_units]` and for each order `[info_high, info_low, total]`: the mean
    length of the references in units of which a token has 232,792,560, the information of the
    matched n-grams in units of 2^-20 and 2^-52 bits, and the n-grams of the hypothesis.
    `columns()` gives lengths in tokens and information in bits.
    """

    __slots__ = ()

    _MAGIC = b"TBNIST\x01\x00"
    _SHAPE: ClassVar = {"orders": 5}
    _UNITS: ClassVar = {
        "ref_len_units": ("ref_len", LENGTH_UNITS),
        **{f"info_high_{n}": (f"info_{n}", 2.0**20) for n in range(1, _HIGHEST + 1)},
        **{f"info_low_{n}": (f"info_{n}", 2.0**52) for n in range(1, _HIGHEST + 1)},
    }

    @staticmethod
    def _names(*shape: int) -> list[str]:
        orders = range(1, shape[0] + 1)
        of_orders = [f"{kind}_{n}" for n in orders for kind in ("info_high", "info_low", "total")]
        return ["hyp_len", "ref_len_units", *of_orders]


class NISTScore(MetricScore):
    """A score of NIST in bits, from 0 on. Frozen. Its parts are in `counts()`.

    Attributes:
        name: NIST.
        value: the score.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.

    Example:
        >>> from truebleu import NIST
        >>> print(NIST().corpus(["the cat sat on a mat"], ["the cat sat on the mat"]))
        NIST = 2.1875
    """

    __slots__ = ()

    stats: NISTStats

    scale = math.inf


class NIST(ReadAsBLEU["NISTStats", "NISTScore"]):
    """NIST (Doddington 2002), with the verbs of `BLEU`.

    For each order, the information of the matched n-grams over the n-grams of the hypotheses; their
    sum, times a penalty for short hypotheses, which is one half at two thirds of the references'
    length. The information of an n-gram is log2 of how much rarer it is in all references than its
    first n - 1 tokens, so scores depend on a whole set of references: those of the call, or `info`.

    Args:
        dialect: a row of `DIALECTS`, or a Dialect, whose first two decisions say how text is read;
            those of NLTK also set `references` to `best`.
        info: references to count n-grams in, which accumulators and matrices need: texts, or lists
            of references, or what `truebleu.scan` returns (default: the references of each call).
        order: the highest n-gram order (5).
        references: `all` matches any reference of a segment, with their mean length, as
            mteval-v13a.pl; `best` takes for each order the one reference with the most information,
            as NLTK's `corpus_nist`.
        tokenize: the tokenizer; like other options of these decisions, such as `lowercase`, it
            changes how text is read.
        threads: the most threads that a call uses; see `BLEU`.

    Raises:
        OptionError: an option or a value does not exist.

    Example:
        >>> from truebleu import NIST
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> nist = NIST(info=refs)
        >>> nist.sentences(["the cat is on the mat", "it was late"], refs).round(3)
        array([2.708, 2.113])
    """

    __slots__ = ("_digest", "_source")

    _NAME, _KERNEL = "NIST", "nist"
    options: NISTOptions
    _OPTIONS, _STATS, _SCORE = NISTOptions, NISTStats, NISTScore
    _SHAPE = ("order",)
    _OF_TOOLS: ClassVar = {"nltk": {"references": "best"}}

    def __init__(
        self,
        dialect: str | Dialect = "sacrebleu",
        *,
        info: Any = None,
        threads: int | None = None,
        **changes: Unpack[NISTChanges],
    ) -> None:
        super().__init__(dialect, threads=threads, **changes)
        if info is not None:
            self._inform(*_references(info), corpus.PLAIN)

    def _build(self, dialect: str | Dialect, threads: int | None, changes: dict[str, Any]) -> None:
        self._digest: str | None = None
        self._source: Any = None
        super()._build(dialect, threads, changes)

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), self._source

    def __setstate__(self, source: tuple[Any, Any, corpus.Reading]) -> None:
        self._inform(*source)

    def _inform(self, hyps: Any, refs: Any, options: corpus.Reading) -> None:
        """Weight n-grams by these references."""
        columns = self._columns(hyps, refs, options)
        self.plan, digest = self.plan.informed(*columns, options)
        self.sentence_plan = self.plan
        self._digest = f"{digest:016x}"
        self._source = hyps, refs, options
        self._zero = NISTStats._zeros(self._shape(), f"{self.name}|{self.signature}")

    def _ready(self, hyps: Any, refs: Any, options: corpus.Reading) -> tuple[NIST, Any, Any]:
        if self._digest is not None:
            return self, hyps, refs
        hyps, refs = corpus.column("hyps", hyps), corpus.column("refs", refs)  # read twice
        metric = copy(self)
        metric._inform(hyps, refs, options)
        return metric, hyps, refs

    def _ready_for(self, scan: Any) -> NIST:
        return self._ready(*_references(scan), corpus.PLAIN)[0]

    def _check_informed(self) -> None:
        if self._digest is None:
            raise OptionError("NIST weighs n-grams by all references; name them first: NIST(info=refs)")

    def accumulator(self) -> Accumulator[NISTStats, NISTScore]:
        """As `Metric.accumulator`; the metric must have `info`."""
        self._check_informed()
        return super().accumulator()

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:
        """As `Metric.column`; the metric must have `info`."""
        self._check_informed()
        return super().column(name, values, once=once)

    def check_stats(self, stats: Any) -> None:
        """Check that this metric can score the statistics; without `info`, of any references."""
        if self._digest is None and isinstance(stats, NISTStats) and stats.signature:
            line = stats.signature.rpartition("|info:")[0] or stats.signature
            stats = NISTStats._wrap(stats.buffer, stats.shape, line)
        super().check_stats(stats)

    def _kernel_options(self) -> dict[str, Any]:
        return {"max_ngram_order": self.options.order, "references": self.options.references}

    @property
    def _version(self) -> str:
        return "13a" if self.options.references == "all" else DIALECTS["nltk"].version

    def _score_signature(self, nrefs: int | str | None, *about: bool) -> str:
        line = super()._score_signature(nrefs, *about)
        return line if self._digest is None else f"{line}|info:{self._digest}"


def _references(values: Any) -> tuple[Any, Any]:
    """References of NIST's `info`, and hypotheses of their kind, which are not read."""
    if hasattr(values, "aligned"):
        values = [row for batch in values for row in corpus.as_python("refs", batch.refs)]
    values = corpus.column("info", values)
    if isinstance(values, Ids):
        return values, values
    rows = [row for row in corpus.as_python("info", values) if row is not None]
    listed = ([row] if isinstance(row, str) else row for row in rows)
    return [next((ref for ref in row if ref is not None), "") for row in listed], rows

# SPDX-License-Identifier: Apache-2.0
"""Scores: the value of a metric, its signature, and the statistics it depends on."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.dialects.signature import shorten
from truebleu.dialects.tools import DIALECTS
from truebleu.errors import OptionError, check_bool, check_int, quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.stats import Rows, Stats


class MetricScore(Frozen):
    """A score of any metric, usable as a number: `f"{score:.1f}"`, `score > 30`, `sorted(scores)`.

    Frozen.

    Attributes:
        name: the name of the score, such as BLEU, chrF2++ or TER.
        value: the score; for TER, lower is better.
        scale: the score of a perfect hypothesis.
        spread: what `corpus` adds with `confidence`: the level, the ends of the interval and the
            standard error, by bootstrap; else None.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.
    """

    __slots__ = ("_pair", "name", "signature", "spread", "stats", "value")

    #: The score of a perfect hypothesis.
    scale: float = 100

    #: The arguments of the constructor; a family may have more.
    _FIELDS: tuple[str, ...] = ("name", "value", "signature", "stats")

    name: str
    value: float
    signature: str
    stats: Rows
    spread: tuple[float, float, float, float] | None

    def __init__(self, *values: Any, spread: Any = None) -> None:
        for name, value in zip(self._FIELDS, values, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "spread", spread)

    @classmethod
    def _of_pair(cls, value: float, pair: tuple[Any, ...]) -> Self:
        """A score that computes the rest when it is asked for: loops often read the value alone."""
        score = cls.__new__(cls)
        object.__setattr__(score, "value", value)
        object.__setattr__(score, "_pair", pair)
        return score

    def __reduce__(self) -> tuple[Any, ...]:
        return _score_of, (type(self), self._values(), self.spread)

    def _values(self, **changes: Any) -> tuple[Any, ...]:
        """The arguments of the constructor, some of them changed."""
        return tuple(changes.get(name, getattr(self, name)) for name in self._FIELDS)

    def with_signature(self, signature: str) -> Self:
        """The same score with another signature."""
        return type(self)(*self._values(signature=signature), spread=self.spread)

    def with_spread(self, spread: tuple[float, float, float, float] | None) -> Self:
        """The same score with its interval."""
        return type(self)(*self._values(), spread=spread)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval, if `corpus` was asked for it."""
        return None if self.spread is None else self.spread[1:3]

    @property
    def standard_error(self) -> float | None:
        """The standard error of the score, if `corpus` was asked for an interval."""
        return None if self.spread is None else self.spread[3]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.__reduce__() == self.__reduce__()

    def __hash__(self) -> int:
        return hash((self.name, self.value, self.signature, self.stats))

    if not TYPE_CHECKING:  # checkers know what there is

        def __getattr__(self, name: str) -> Any:
            if name in (*self._FIELDS, "spread"):
                metric, *pair = self._pair
                score = metric._score_of_pair(*pair)
                self.__init__(*score._values())
                return getattr(self, name)
            others = {"score": "value", "sys_len": "hyp_len", "brevity_penalty": "bp"}
            hint = f"; it is {others[name]}" if hasattr(type(self), others.get(name, "")) else ""
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")

    def counts(self) -> dict[str, float]:
        """The counts of the statistics by name, in words and bits where they have fractions."""
        counts: dict[str, float] = self.stats._numbers(self.stats[0])
        return counts

    @property
    def details(self) -> str:
        """The factors of the score, as sacreBLEU prints them after the value; empty if none."""
        return ""

    @property
    def _width(self) -> int:
        """Decimals of the score in text."""
        return 2 if self.scale == 100 else 4

    def format(self, width: int | None = None, *, signature: bool = False, short: bool = False) -> str:
        """sacreBLEU's line.

        Args:
            width: decimals, 0 to 100 (default: 2, or 4 on a scale of 1).
            signature: include the signature.
            short: with short keys.

        Raises:
            OptionError: `width` is not such a number.
        """
        width = self._width if width is None else check_int("width", width, 0, 100)
        line = shorten(self.signature) if check_bool("short", short) else self.signature
        name = f"{self.name}|{line}" if check_bool("signature", signature) else self.name
        line = f"{name} = {self.value:.{width}f} {self.details}".rstrip()
        if self.spread is None:
            return line
        level, low, high, _ = self.spread
        return f"{line} {level * 100:g} % interval {low:.{width}f} to {high:.{width}f}"

    def __float__(self) -> float:
        return self.value

    def __round__(self, ndigits: int | None = None) -> float:
        return round(self.value, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    # Two scores of one metric, or a score and a number; `==` compares everything.
    def __lt__(self, other: MetricScore | float) -> bool:
        return self.value < other

    def __le__(self, other: MetricScore | float) -> bool:
        return self.value <= other

    def __gt__(self, other: MetricScore | float) -> bool:
        return self.value > other

    def __ge__(self, other: MetricScore | float) -> bool:
        return self.value >= other

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.value!r}, {self.signature!r})"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, lists and text, ready for JSON; NaN is None."""
        from truebleu.text.json_text import for_json

        head: dict[str, Any] = {"name": self.name, "value": for_json(self.value)}
        if self.spread is not None:
            level, *interval, error = self.spread
            head |= {"confidence": level, "interval": interval, "standard_error": error}
        head["scale"] = for_json(self.scale)
        return {**head, **self._factors(), "signature": self.signature}

    def _factors(self) -> dict[str, Any]:
        """What `to_dict` has between scale and signature."""
        return self.counts()

    def _repr_html_(self) -> str:
        from truebleu.text import html
        from truebleu.text.escaping import visible

        return html.terminal(visible(self.format()) + "\n" + visible(self.signature))


class Score(MetricScore):
    """A BLEU score with its factors. Frozen.

    Attributes:
        value: the score, in the dialect's scale (0 to 100 for sacreBLEU).
        precisions: of each order, in percent, after smoothing.
        bp: the brevity penalty.
        signature: the settings of the score, as one line.
        stats: the row of statistics that it depends on.
        individual: the score of each n-gram order alone, order 1 first.
        cumulative: the score of the orders 1 to n, for each n, with equal weights: BLEU-1 to
            BLEU-4. Of a mean of segments, those below the last are of the summed counts.
        scale: the score of a perfect hypothesis, 1 or 100.

    Example:
        >>> from truebleu import corpus_bleu
        >>> print(corpus_bleu(["the cat is on the mat"], ["the cat sat on the mat"]))
        BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """

    __slots__ = ("bp", "cumulative", "individual", "precisions", "scale")

    name = "BLEU"

    _FIELDS = (
        "value", "precisions", "bp", "signature", "stats", "individual", "cumulative", "scale",
    )  # fmt: skip

    precisions: tuple[float, ...]
    bp: float
    stats: Stats
    individual: tuple[float, ...]
    cumulative: tuple[float, ...]
    scale: int

    @property
    def matches(self) -> list[int]:
        """Clipped matches of each order."""
        return self.stats.matches

    @property
    def totals(self) -> list[int]:
        """Hypothesis n-grams of each order."""
        return self.stats.totals

    @property
    def skipped(self) -> int:
        """Segments that a mean left out because a side is empty (option `empty`)."""
        return self.stats[0][-2] if "|empty:skip" in self.signature else 0

    def orders(self) -> list[OrderScore]:
        """BLEU-1 to BLEU-N, the scores of `cumulative`, as scores for tables.

        Raises:
            OptionError: the score is a mean of segments, which has one order.
        """
        keys = dict(pair.split(":", 1) for pair in self.signature.split("|"))
        row = DIALECTS[keys.get("dialect", "sacrebleu")]
        if keys.get("join", row.aggregate.join) == "mean":
            raise OptionError("a mean of segments has no other orders; score once for each max_ngram_order")
        return [
            OrderScore(f"BLEU-{n}", value, self.signature, self.stats, self.scale)
            for n, value in enumerate(self.cumulative, start=1)
        ]

    @property
    def hyp_len(self) -> int:
        """Tokens of the hypotheses."""
        return self.stats.hyp_len

    @property
    def ref_len(self) -> int:
        """Tokens of the references that the brevity penalty compares with."""
        return self.stats.ref_len

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len, or 0 without reference tokens."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    @property
    def details(self) -> str:
        """Precisions, brevity penalty and lengths, as sacreBLEU prints them."""
        precisions = "/".join(f"{precision:.1f}" for precision in self.precisions)
        skipped = f" skipped = {self.skipped}" if self.skipped else ""
        return (
            f"{precisions} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {self.ref_len}{skipped}){self._single_order}"
        )

    @property
    def _single_order(self) -> str:
        """A notice, if the weights of a score leave one order above 1."""
        _, _, weights = self.signature.partition("|weights:")
        numbers = weights.partition("|")[0].split(",")
        used = [n for n, weight in enumerate(numbers, start=1) if weight.strip("0.")]
        if len(used) != 1 or used[0] == 1:
            return ""
        return f" of {used[0]}-grams alone, not cumulative BLEU-{used[0]}"

    def __repr__(self) -> str:
        return f"Score({self.value!r}, {self.signature!r})"

    def _factors(self) -> dict[str, Any]:
        from truebleu.text.json_text import for_json

        lists = ("precisions", "individual", "cumulative")
        counts = ("matches", "totals", "bp", "hyp_len", "ref_len", "ratio")
        return {
            **{name: list(map(for_json, getattr(self, name))) for name in lists},
            **{name: getattr(self, name) for name in counts},
            **({"skipped": self.skipped} if "|empty:skip" in self.signature else {}),
        }


class OrderScore(MetricScore):
    """BLEU up to one order, such as BLEU-2. Frozen.

    Attributes:
        scale: the score of a perfect hypothesis, 1 or 100.
    """

    __slots__ = ("scale",)

    _FIELDS = (*MetricScore._FIELDS, "scale")


def _score_of(kind: type[MetricScore], values: tuple[Any, ...], spread: Any) -> MetricScore:
    """A score from its parts, for pickle."""
    return kind(*values, spread=spread)


class Parts(Frozen):
    """BLEU scores of many segments with their factors. Frozen.

    Attributes:
        values: the score of each segment.
        bps: the brevity penalty of each segment.
        precisions: the precision of each segment (row) and order (column), in percent, smoothed.
        stats: the rows of statistics that they depend on.
    """

    __slots__ = ("_table", "bps", "precisions", "stats", "values")

    _table: NDArray[np.float64]
    values: NDArray[np.float64]
    bps: NDArray[np.float64]
    precisions: NDArray[np.float64]
    stats: Stats

    def __init__(self, table: NDArray[np.float64], stats: Stats) -> None:
        parts = {"values": table[:, 0], "bps": table[:, 1], "precisions": table[:, 2:]}
        super().__init__(_table=table, stats=stats, **parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Parts, (self._table, self.stats)

    def __len__(self) -> int:
        return len(self.stats)

    def __repr__(self) -> str:
        return f"<Parts of {quantity(len(self), 'score')}>"

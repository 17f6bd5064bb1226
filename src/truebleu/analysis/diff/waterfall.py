# SPDX-License-Identifier: Apache-2.0
"""The decisions in which two dialects differ, and the path from one score to the other.

Scores are in points of 100, for dialects of any scale, so that they can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.dialects.decisions import OPTIONS, Dialect
from truebleu.errors import quantity
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.stats import Stats
from truebleu.text.results import attributes

#: Options that form one decision: the later ones depend on the first.
_TOGETHER = (
    ("lowercase", "lowercase_rule", "lowercase_when"),
    ("max_ngram_order", "weights", "cumulative_weights"),
    ("measure", "keywords"),
    ("smooth_method", "smooth_value"),
    ("effective_order", "sentence_effective_order"),
)
#: The first option of the decision that an option belongs to, if it is not its own.
HEADS = {name: group[0] for group in _TOGETHER for name in group}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that two dialects make differently.

    Attributes:
        name: the option, or the first option of the decision.
        changes: for each option that differs, its values in both dialects.
    """

    name: str
    changes: dict[str, tuple[Any, Any]]

    @property
    def counts(self) -> bool:
        """Whether it changes the counts of an n-gram order."""
        return any(not _combines(name) for name in self.changes)

    @property
    def combines(self) -> bool:
        """Whether it changes the formula of the score."""
        return any(map(_combines, self.changes))

    def to_dict(self) -> dict[str, Any]:
        """The values of each option, ready for JSON."""
        return {
            name: [_shown(value) if callable(value) else value for value in values]
            for name, values in self.changes.items()
        }

    def __str__(self) -> str:
        return ", ".join(
            f"{name}: {_shown(before)} -> {_shown(after)}" for name, (before, after) in self.changes.items()
        )


def decisions(a: Dialect, b: Dialect) -> tuple[Decision, ...]:
    """The decisions in which `a` and `b` differ, in the order in which BLEU makes them."""
    options, other = a.options(), b.options()
    if options["smooth_method"] == other["smooth_method"]:  # None is the default of the method
        options["smooth_value"] = a.combine.effective_smooth_value()
        other["smooth_value"] = b.combine.effective_smooth_value()
    grouped: dict[str, dict[str, tuple[Any, Any]]] = {}
    for name, value in options.items():
        if value != other[name]:
            grouped.setdefault(HEADS.get(name, name), {})[name] = (value, other[name])
    return tuple(Decision(name, changes) for name, changes in grouped.items())


def _combines(name: str) -> bool:
    return OPTIONS[name].part == "combine" or name == "max_ngram_order"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if callable(value):
        return getattr(value, "__qualname__", type(value).__qualname__)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        shown = ",".join(map(_shown, value[:6])) or "none"
        return f"{shown},... ({len(value)})" if len(value) > 6 else shown
    return "default" if value is None else str(value)


#: The largest number of decisions, and of those that change counts, for averages over all orders:
#: 2^12 scores and 2^5 counts take half a second for 2,000 segments.
_ALL, _ALL_COUNTS = 12, 5


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the path.

    Attributes:
        decisions: one decision, or several if the scores between them are NaN.
        before, after: the score before and after, in points of 100.
    """

    decisions: tuple[Decision, ...]
    before: float
    after: float

    @property
    def effect(self) -> float:
        """The change of the score."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "decisions": {decision.name: decision.to_dict() for decision in self.decisions},
            **attributes(self, ("before", "after", "effect")),
        }


class Waterfall:
    """The scores between those of two dialects, each computed once.

    Attributes:
        decisions: the decisions in which the dialects differ.
    """

    def __init__(self, corpus: CountedCorpus, a: Dialect, b: Dialect) -> None:
        self.decisions = decisions(a, b)
        self._corpus = corpus
        self._dialect, self._b = a, b.options()
        # Count as many orders as any mix of both needs, so that n-gram orders change no counts: one
        # dialect may have more orders, the other a smoothing that needs one more.
        deepest = max(dialect.count.max_ngram_order for dialect in (a, b))
        more = max(dialect.counted_orders - dialect.count.max_ngram_order for dialect in (a, b))
        self._orders = deepest + more
        self._counting = sum(1 << i for i, d in enumerate(self.decisions) if d.counts)
        self._combining = sum(1 << i for i, d in enumerate(self.decisions) if d.combines)
        # Masks have a bit for each decision that is taken from the second dialect.
        self.points = cache(self._compute_points)
        self._row = cache(self._count)
        self._metric = cache(self._make_metric)

    def _compute_points(self, mask: int) -> float:
        """The score with the decisions of the set bits taken from the second dialect."""
        if {self._dialect.aggregate.join, self._b["join"]} != {"rows"}:  # rows hold more
            bleu = BLEU(self._dialect.replace(**self._mixed(mask)))
            value = float(bleu.values(self._corpus.total(bleu))[0])
            return value * (100 / bleu.dialect.combine.scale)
        bleu, row = self._metric(mask & self._combining), self._row(mask & self._counting)
        half, orders = self._orders, bleu.dialect.counted_orders
        matches, totals = row[2 : 2 + half], row[2 + half :]
        stats = Stats([(*row[:2], *matches[:orders], *totals[:orders])], orders)
        return float(bleu.values(stats)[0]) * (100 / bleu.dialect.combine.scale)

    def path(self) -> tuple[Step, ...]:
        """All decisions, in the order in which BLEU makes them."""
        steps, waiting, mask = [], [], 0
        before = self.points(0)
        for i, decision in enumerate(self.decisions):
            waiting.append(decision)
            mask |= 1 << i
            after = self.points(mask)
            if math.isfinite(after) or decision is self.decisions[-1]:
                steps.append(Step(tuple(waiting), before, after))
                before, waiting = after, []
        return tuple(steps)

    def averages(self) -> tuple[dict[str, float], str]:
        """The effect of each decision, averaged over orders, and these orders in words.

        Over all orders, this is the Shapley value (Shapley 1953). Empty if a score between is NaN,
        or if there are too many decisions to try all orders.
        """
        count = len(self.decisions)
        if count > _ALL or self._counting.bit_count() > _ALL_COUNTS:
            return {}, f"{quantity(count, 'decision')} have too many orders"
        # The share of orders with this many decisions before a certain one.
        shares = [
            math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count) for size in range(count)
        ]
        if not all(math.isfinite(self.points(mask)) for mask in range(1 << count)):
            return {}, "some score between the two is NaN"
        effects = [
            math.fsum(
                shares[mask.bit_count()] * (self.points(mask | 1 << i) - self.points(mask))
                for mask in range(1 << count)
                if not mask >> i & 1
            )
            for i in range(count)
        ]
        names = (decision.name for decision in self.decisions)
        orders = f"all {math.factorial(count)} orders of the {quantity(count, 'decision')}"
        return dict(zip(names, effects, strict=True)), orders

    def _mixed(self, mask: int) -> dict[str, Any]:
        """The options that are taken from the second dialect."""
        decisions = [d for i, d in enumerate(self.decisions) if mask >> i & 1]
        return {name: self._b[name] for d in decisions for name in d.changes}

    def _count(self, mask: int) -> Sequence[int]:
        whole = {
            "max_ngram_order": self._orders, "weights": None, "cumulative_weights": None,
            "smooth_method": "none",
        }  # fmt: skip
        dialect = self._dialect.replace(**{**self._mixed(mask), **whole})
        return self._corpus.total(BLEU(dialect))[0]

    def _make_metric(self, mask: int) -> BLEU:
        """A metric for its formula; no tokenizer is needed."""
        return BLEU(self._dialect.replace(**{**self._mixed(mask), "tokenize": "none"}))

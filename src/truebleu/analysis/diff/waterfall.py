# SPDX-License-Identifier: Apache-2.0
"""The decisions in which two dialects differ, and the path from one score to the other.

Scores are in points of 100, for dialects of any scale, so that they can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from truebleu.analysis.diff.counting import CountedCorpus
from truebleu.dialects.decisions import OPTIONS, Dialect
from truebleu.errors import quantity
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
        return any(OPTIONS[name].part != "combine" and name != "max_ngram_order" for name in self.changes)

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


#: The points of 100 with the decisions of the set bits of a mask taken from the second dialect.
Points = Callable[[int], float]


def points_between(corpus: CountedCorpus, a: Dialect, b: Dialect) -> Points:
    """The scores between those of two dialects, each computed once."""
    both, other = decisions(a, b), b.options()

    @cache
    def points(mask: int) -> float:
        changed = [decision for i, decision in enumerate(both) if mask >> i & 1]
        mixed = a.replace(**{name: other[name] for decision in changed for name in decision.changes})
        return corpus.value(mixed) * (100 / mixed.combine.scale)

    return points


def path(decisions: Sequence[Decision], points: Points) -> tuple[Step, ...]:
    """All decisions, in the order in which BLEU makes them."""
    steps, waiting, before = [], [], points(0)
    for i, decision in enumerate(decisions, start=1):
        waiting.append(decision)
        after = points((1 << i) - 1)
        if math.isfinite(after) or decision is decisions[-1]:
            steps.append(Step(tuple(waiting), before, after))
            before, waiting = after, []
    return tuple(steps)


def averages(decisions: Sequence[Decision], points: Points) -> tuple[dict[str, float], str]:
    """The effect of each decision, averaged over orders, and these orders in words.

    Over all orders, this is the Shapley value (Shapley 1953). Empty if a score between is NaN, or
    if there are too many decisions to try all orders.
    """
    count = len(decisions)
    named = quantity(count, "decision")
    if count > _ALL or sum(decision.counts for decision in decisions) > _ALL_COUNTS:
        return {}, f"{named} have too many orders"
    masks, orders = range(1 << count), math.factorial(count)
    if not all(math.isfinite(points(mask)) for mask in masks):
        return {}, "some score between the two is NaN"
    # The share of orders with this many decisions before a certain one.
    shares = [math.factorial(size) * math.factorial(count - size - 1) / orders for size in range(count)]
    effects = {
        decision.name: math.fsum(
            shares[mask.bit_count()] * (points(mask | 1 << i) - points(mask)) for mask in masks if not mask >> i & 1
        )
        for i, decision in enumerate(decisions)
    }
    return effects, f"all {orders} orders of the {named}"

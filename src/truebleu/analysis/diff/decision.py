# SPDX-License-Identifier: Apache-2.0
"""The decisions in which two dialects differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truebleu.dialects.decisions import OPTIONS, Dialect

#: Options that form one decision: the later ones depend on the first.
_TOGETHER = (
    ("lowercase", "lowercase_rule", "lowercase_when"),
    ("max_ngram_order", "weights"),
    ("measure", "keywords"),
    ("smooth_method", "smooth_value"),
    ("effective_order", "sentence_effective_order"),
)
_HEADS = {name: group[0] for group in _TOGETHER for name in group}


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
            f"{name}: {_shown(before)} -> {_shown(after)}"
            for name, (before, after) in self.changes.items()
        )


def decisions(a: Dialect, b: Dialect) -> tuple[Decision, ...]:
    """The decisions in which `a` and `b` differ, in the order in which BLEU makes them."""
    one, other = a.options(), b.options()
    if one["smooth_method"] == other["smooth_method"]:  # None is the default of the method
        one["smooth_value"] = a.combine.effective_smooth_value()
        other["smooth_value"] = b.combine.effective_smooth_value()
    grouped: dict[str, dict[str, tuple[Any, Any]]] = {}
    for name, value in one.items():
        if value != other[name]:
            grouped.setdefault(_HEADS.get(name, name), {})[name] = (value, other[name])
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

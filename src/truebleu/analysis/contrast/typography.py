# SPDX-License-Identifier: Apache-2.0
"""What typography explains of a difference: the steps in which normalizations change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from truebleu.inputs.corpus import reference_columns
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.recounting import arguments
from truebleu.metrics.stats import Stats
from truebleu.text.normalizations import TYPOGRAPHY, normalizer


@dataclass(frozen=True, slots=True)
class Stage:
    """Two systems and their references after a normalization and those before it.

    Attributes:
        name: the group that the normalization is; empty for the texts as they are.
        systems: the hypotheses of A and of B.
        refs: their references.
        stats: of A and of B.
        gap: the score of A minus that of B.
    """

    name: str
    systems: Sequence[Any]
    refs: Any
    stats: Sequence[Stats]
    gap: float


def stages(bleu: BLEU, systems: Sequence[Any], refs: Any, names: tuple[Any, ...] = ()) -> list[Stage]:
    """The texts, then those after each typographic normalization that changes the difference.

    Args:
        bleu: the metric.
        systems: the hypotheses of A and of B.
        refs: their references.
        names: normalizations of all stages.
    """
    reached: list[Stage] = []
    for name, pair, rows in _written(systems, refs, names):
        stats = [bleu.stats(hyps, rows) for hyps in pair]
        value_a, value_b = (float(bleu.values(own.sum())[0]) for own in stats)
        gap = value_a - value_b
        if reached and not isfinite(gap):
            break  # the tool crashes on the text that is left
        if not reached or gap != reached[-1].gap:
            reached.append(Stage(name, pair, rows, stats, gap))
    return reached


def _written(systems: Sequence[Any], refs: Any, names: tuple[Any, ...]) -> Iterator[tuple[str, Sequence[Any], Any]]:
    """The name and the texts of each stage; lists of words have one."""
    if not systems[0] or not isinstance(systems[0][0], str):
        yield "", systems, refs
        return
    columns = [*map(list, systems), *map(list, reference_columns(refs))]
    fixes = {"": normalizer(names), **{row.kind.replace("-", " "): row.fix for row in TYPOGRAPHY}}
    for name, fix in fixes.items():
        after = [[text and fix(text) for text in column] for column in columns]
        if after != columns or not name:
            columns = after
            yield name, columns[:2], arguments(columns[1:])[1]

# SPDX-License-Identifier: Apache-2.0
"""What typography explains of a difference: the steps in which normalizations change it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.inputs.corpus import reference_columns
from truebleu.metrics.stats import Stats
from truebleu.text.normalizations import TYPOGRAPHY, normalizer


@dataclass(frozen=True, slots=True)
class Stage:
    """Two systems and their references after a normalization and those before it.

    Attributes:
        name: the group that the normalization is; empty for the texts as they are.
        systems: the hypotheses of A and of B.
        refs: their references.
        stats: of A and of B, if they are counted.
        gap: the score of A minus that of B.
    """

    name: str
    systems: Sequence[Any]
    refs: Any
    stats: Sequence[Stats] = ()
    gap: float = 0.0


def stages(systems: Sequence[Any], refs: Any, names: tuple[Any, ...] = ()) -> list[Stage]:
    """The texts, then the texts after each typographic normalization that changes some of them.

    Lists of words have one stage.

    Args:
        systems: the hypotheses of A and of B.
        refs: their references.
        names: normalizations of all stages.
    """
    if not systems[0] or not isinstance(systems[0][0], str):
        return [Stage("", systems, refs)]
    columns = [*map(list, systems), *map(list, reference_columns(refs))]
    if names:
        fix = normalizer(names)
        columns = [[text and fix(text) for text in column] for column in columns]
    reached = [_stage("", columns)]
    for row in TYPOGRAPHY:
        search, fix = re.compile(row.pattern).search, row.fix
        after = [[fix(text) if text and search(text) else text for text in column] for column in columns]
        if after != columns:
            columns = after
            reached.append(_stage(row.kind.replace("-", " "), columns))
    return reached


def _stage(name: str, columns: list[list[Any]]) -> Stage:
    refs = columns[2] if len(columns) == 3 else list(zip(*columns[2:], strict=True))
    return Stage(name, columns[:2], refs)

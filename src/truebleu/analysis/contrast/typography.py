# SPDX-License-Identifier: Apache-2.0
"""What typography explains of a difference: the steps in which normalizations change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.text.normalizations import TYPOGRAPHY, normalizer


@dataclass(frozen=True, slots=True)
class Stage:
    """Two systems and their references after a normalization and those before it.

    Attributes:
        name: the group that the normalization is; empty for the texts as they are.
        systems: the hypotheses of A and of B.
        refs: their references.
    """

    name: str
    systems: Sequence[Any]
    refs: Any


def stages(systems: Sequence[Any], refs: Any) -> list[Stage]:
    """The texts as they are, then after each typographic normalization that changes some of them.

    Lists of words have one stage.
    """
    reached = [Stage("", systems, refs)]
    if not systems[0] or not isinstance(systems[0][0], str):
        return reached
    for row in TYPOGRAPHY:
        fix = normalizer((row,))
        before = (*reached[-1].systems, reached[-1].refs)
        after = [
            tuple(
                fix(item) if isinstance(item, str) else [text and fix(text) for text in item]
                for item in column
            )
            for column in before
        ]
        if any(tuple(old) != new for old, new in zip(before, after, strict=True)):
            reached.append(Stage(row.kind.replace("-", " "), after[:-1], after[-1]))
    return reached

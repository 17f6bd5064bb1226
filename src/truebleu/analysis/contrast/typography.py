# SPDX-License-Identifier: Apache-2.0
"""What typography explains of a difference: the steps in which normalizations change it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from truebleu.inputs.corpus import reference_columns
from truebleu.text.normalizations import TYPOGRAPHY


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
    columns = [*map(list, systems), *map(list, reference_columns(refs))]
    for row in TYPOGRAPHY:
        search, fix = re.compile(row.pattern).search, row.fix
        after = [
            [fix(text) if text and search(text) else text for text in column] for column in columns
        ]
        if after != columns:
            columns = after
            rows = columns[2] if len(columns) == 3 else list(zip(*columns[2:], strict=True))
            reached.append(Stage(row.kind.replace("-", " "), columns[:2], rows))
    return reached

# SPDX-License-Identifier: Apache-2.0
"""Segments by what they have in common: their length, their document, a label of the user's."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.analysis import slices
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.analysis.slices import Slice
    from truebleu.metrics.bleu import BLEU
    from truebleu.metrics.stats import Stats


@dataclass(frozen=True, slots=True)
class Division:
    """Segments in classes.

    Attributes:
        name: what they are classes of: `length`, `document` or `group`.
        parts: each class and its scores.
        places: for each segment, the place of its class in `parts`.
    """

    name: str
    parts: tuple[Slice, ...]
    places: tuple[int, ...]


def by_length(bleu: BLEU, stats: Mapping[str, Stats], lengths: Sequence[int]) -> Division:
    """Classes by tokens of the reference, the shortest first."""
    parts = slices.by_length(bleu, stats, lengths)
    return _division("length", parts, slices.length_labels(lengths))


def by_label(bleu: BLEU, stats: Mapping[str, Stats], name: str, labels: Iterable[Any]) -> Division:
    """A class for each label, in the order in which they come first.

    Raises:
        InputError: there is no label for each segment.
    """
    given = [str(label) for label in labels]
    try:
        parts = slices.by_label(bleu, stats, given)
    except InputError as error:
        raise InputError(f"{name}s: {error}") from None
    return _division(name, parts, given)


def _division(name: str, parts: Sequence[Slice], labels: Sequence[str]) -> Division:
    order = {part.name: place for place, part in enumerate(parts)}
    return Division(name, tuple(parts), tuple(order[label] for label in labels))

# SPDX-License-Identifier: Apache-2.0
"""Segments by what they have in common: their length, their document, a label of the user's."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.errors import InputError
from truebleu.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metric import BLEU
    from truebleu.score import Score

#: Where buckets of length begin, in tokens of the first reference: those of compare-mt.
LENGTHS = (0, 10, 20, 30, 40, 50, 60)


@dataclass(frozen=True, slots=True)
class Division:
    """Segments in classes.

    Attributes:
        name: what they are classes of: `length`, `document` or `group`.
        labels: what each class is called.
        places: for each segment, the place of its class in `labels`.
        sizes: for each class, how many segments it has.
        scores: for each system, the score of each class.
    """

    name: str
    labels: tuple[str, ...]
    places: tuple[int, ...]
    sizes: tuple[int, ...]
    scores: tuple[tuple[Score, ...], ...]


def by_length(bleu: BLEU, stats: Sequence[Stats], lengths: Sequence[int]) -> Division:
    """Classes by the number of tokens; those without a segment are left out."""
    ends = [f"{end - 1}" for end in LENGTHS[1:]]
    names = [f"{start}-{end}" for start, end in zip(LENGTHS, ends, strict=False)]
    names.append(f"{LENGTHS[-1]} and more")
    places = [sum(length >= start for start in LENGTHS) - 1 for length in lengths]
    there = sorted(set(places))
    return _division(
        bleu, stats, "length", [names[i] for i in there], [there.index(place) for place in places]
    )


def by_label(bleu: BLEU, stats: Sequence[Stats], name: str, labels: Iterable[Any]) -> Division:
    """A class for each label, in the order in which they come first.

    Raises:
        InputError: there is no label for each segment.
    """
    given = [str(label) for label in labels]
    if len(given) != len(stats[0]):
        raise InputError(
            f"{name}s has {len(given)} labels for {len(stats[0])} segments; give one for each"
        )
    order = {label: place for place, label in enumerate(dict.fromkeys(given))}
    return _division(bleu, stats, name, list(order), [order[label] for label in given])


def _division(
    bleu: BLEU, stats: Sequence[Stats], name: str, labels: Sequence[str], places: Sequence[int]
) -> Division:
    import numpy as np

    scores = []
    for one in stats:
        rows = np.zeros((len(labels), one.width), dtype=np.int64)
        np.add.at(rows, np.asarray(places), one.__array__())
        sums = Stats.from_buffer(rows, one.orders)
        scores.append(tuple(bleu.score(sums[i : i + 1]) for i in range(len(labels))))
    sizes = np.bincount(places, minlength=len(labels)).tolist()
    return Division(name, tuple(labels), tuple(places), tuple(sizes), tuple(scores))

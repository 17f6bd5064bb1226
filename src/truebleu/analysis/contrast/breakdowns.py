# SPDX-License-Identifier: Apache-2.0
"""Two systems on parts of a corpus: by frequency, position, length and domain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.contrast.words import PUNCTUATION
from truebleu.analysis.slices import Slice
from truebleu.metrics.overlap import Integers, Overlap
from truebleu.text.results import Record

#: The least frequency of each band of words.
_BANDS = (0, 1, 2, 5, 10, 100, 1000)
_BAND_NAMES = ("never", "once", "2\u20134", "5\u20139", "10\u201399", "100\u2013999", "1000+")

_THIRDS = ("beginning", "middle", "end")


@dataclass(frozen=True, slots=True)
class Part(Record):
    """A part of a corpus with what two systems reach there.

    Attributes:
        name: of the part.
        size: words of the references, or segments.
        a: the percentage of these words that A matches, or its score on these segments.
        b: likewise of B.
    """

    name: str
    size: int
    a: float
    b: float

    @property
    def difference(self) -> float:
        """a minus b."""
        return self.a - self.b


def by_words(
    texts: Overlap, hits: NDArray[np.uint8], classes: NDArray[np.uint8], frequencies: Integers
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """By the frequency of the references' words, and by their position.

    Args:
        texts: the corpus.
        hits: for each token of the references, bit 0 if A matches it and bit 1 if B does.
        classes: of each token of the vocabulary; punctuation is left out.
        frequencies: of each token of the vocabulary.
    """
    lengths = texts.lengths()
    of_refs = texts.are_references()
    tokens = texts.tokens[np.repeat(of_refs, lengths)]
    lengths = lengths[of_refs]
    ends = np.cumsum(lengths)
    places = np.arange(len(tokens)) - np.repeat(ends - lengths, lengths)
    thirds = 3 * places // np.repeat(lengths, lengths)
    words = classes[tokens] != PUNCTUATION
    bands = np.searchsorted(_BANDS, frequencies, "right") - 1
    hits = hits[words]
    return _parts(_BAND_NAMES, bands[tokens[words]], hits), _parts(_THIRDS, thirds[words], hits)


def _parts(names: tuple[str, ...], places: Integers, hits: NDArray[np.uint8]) -> tuple[Part, ...]:
    """The share of words that each system matches, by part; parts without words are left out."""
    sizes, a, b = (
        np.bincount(places[mask], minlength=len(names)) for mask in (slice(None), hits & 1 > 0, hits & 2 > 0)
    )
    return tuple(
        Part(name, int(size), 100 * int(share) / int(size), 100 * int(other) / int(size))
        for name, size, share, other in zip(names, sizes, a, b, strict=True)
        if size
    )


def of_scores(parts: Iterable[Slice]) -> tuple[Part, ...]:
    """The scores of A and B on parts of the corpus."""
    return tuple(Part(part.name, part.segments, *(score.value for score in part.scores.values())) for part in parts)

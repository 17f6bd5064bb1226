# SPDX-License-Identifier: Apache-2.0
"""Two systems on parts of a corpus: by frequency, position, length and domain.

Words have the classes that people recognize: words, names and numbers, punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.analysis.slices import Slice
from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
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


WORD, NAME, PUNCTUATION = range(3)

#: The largest share of capitals among words inside sentences at which capitals show names: a
#: third of German words begins with one, an eighth of English ones.
_CAPITALS = 0.25

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W_]")


def word_classes(bleu: BLEU, texts: Overlap, systems: Sequence[Any], refs: Any) -> NDArray[np.uint8]:
    """The class of each token of the vocabulary of systems and references.

    Punctuation has neither letters nor digits. Numbers have a digit. Names have two letters or
    more, and occur with a capital inside sentences more often than without one anywhere. Where
    more than a quarter of the references' words inside sentences has a capital, as in German, names
    need a capital after their first letter.
    """
    classes = _classes(texts)
    normalize = bleu.dialect.normalize
    if normalize.lowercase:
        before = Overlap(BLEU(bleu.dialect.replace(lowercase=False)), systems, refs)
        names = {tokenizers.lower(normalize, before.vocabulary[i]) for i in np.flatnonzero(_classes(before) == NAME)}
        classes[[i for i, word in enumerate(texts.vocabulary) if word in names]] = NAME
    return classes


def _classes(texts: Overlap) -> NDArray[np.uint8]:
    vocabulary, tokens = texts.vocabulary, texts.tokens
    # A word continues a sentence if the token before it ends in a letter or a digit.
    inside = np.zeros(len(tokens), dtype=bool)
    inside[1:] = np.array([word[-1:].isalnum() for word in vocabulary], dtype=bool)[tokens[:-1]]
    starts = texts.bounds[:-1]
    inside[starts[starts < len(tokens)]] = False
    of_refs = np.repeat(texts.are_references(), texts.lengths())
    counts, counts_inside, in_refs = (
        np.bincount(tokens[chosen], minlength=len(vocabulary)) for chosen in (slice(None), inside, inside & of_refs)
    )
    numbers = {word: i for i, word in enumerate(vocabulary)}
    classes = np.full(len(vocabulary), WORD, dtype=np.uint8)
    capital = []
    for i, word in enumerate(vocabulary):
        if word.islower() and word.isalpha():
            continue  # most words; the rest takes three times as long
        if _DIGIT.search(word):
            classes[i] = NAME
        elif not _LETTER.search(word):
            classes[i] = PUNCTUATION
        elif len(word) > 1 and (first := _first_letter(word)) and first != first.lower():
            capital.append(i)
    many = in_refs[capital].sum() > _CAPITALS * in_refs[classes == WORD].sum()
    for i in capital:
        word = vocabulary[i]
        small = numbers.get(word.lower())
        rarer = small is None or counts[small] < counts_inside[i]
        ending = word[word.index(_first_letter(word)) + 1 :]
        if rarer and counts_inside[i] and not (many and ending == ending.lower()):
            classes[i] = NAME
    return classes


def _first_letter(word: str) -> str:
    return next(filter(str.isalpha, word), "")

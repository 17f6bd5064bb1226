# SPDX-License-Identifier: Apache-2.0
"""Classes of words that people recognize: words, names and numbers, punctuation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.metrics import tokenizers
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.overlap import Overlap

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
        cased = BLEU(bleu.dialect.replace(lowercase=False))
        before = Overlap(cased, systems, refs)
        names = {tokenizers.lower(normalize, before.vocabulary[i]) for i in np.flatnonzero(_classes(before) == NAME)}
        classes[[i for i, word in enumerate(texts.vocabulary) if word in names]] = NAME
    return classes


def _classes(texts: Overlap) -> NDArray[np.uint8]:
    vocabulary, tokens = texts.vocabulary, texts.tokens
    # A word continues a sentence if the token before it ends in a letter or a digit.
    continued = np.array([word[-1:].isalnum() for word in vocabulary], dtype=bool)
    inside = np.zeros(len(tokens), dtype=bool)
    inside[1:] = continued[tokens[:-1]]
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

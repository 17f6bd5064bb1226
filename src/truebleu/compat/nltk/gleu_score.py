# SPDX-License-Identifier: Apache-2.0
"""A drop-in for `nltk.translate.gleu_score` 3.10.4.

>>> from truebleu.compat.nltk import gleu_score

GLEU (Wu et al. 2016, "Google-BLEU") divides the matched n-grams of all orders by those of the
hypothesis or of the reference, whichever has more. The kernel's GLEU counts.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from truebleu.compat.nltk import ngrams, pad_sequence
from truebleu.compat.nltk.counts import HIGHEST_ORDER, total
from truebleu.metrics.gleu import GLEU

# The names of `from nltk.translate.gleu_score import *`.
__all__ = ["Counter", "corpus_gleu", "everygrams", "ngrams", "sentence_gleu"]

#: The most items of a sequence whose n-grams of every length are made.
_LONGEST = 256


def sentence_gleu(references: Any, hypothesis: Any, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one segment: `corpus_gleu` of a corpus of one.

    Example:
        >>> from truebleu.compat.nltk.gleu_score import sentence_gleu
        >>> sentence_gleu(["the cat sat on the mat".split()], "the cat sat on a mat".split())
        0.6111111111111112
    """
    return corpus_gleu([references], [hypothesis], min_len=min_len, max_len=max_len)


def corpus_gleu(list_of_references: Any, hypotheses: Any, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of a corpus: matched n-grams and the larger number of n-grams, summed over segments.

    Args:
        list_of_references: n lists of references, each a list of tokens. That with the highest
            score of its own counts.
        hypotheses: n lists of tokens, of any hashable type.
        min_len: the lowest n-gram order.
        max_len: the highest one.

    Returns:
        From 0 to 1; 0.0 if there are no n-grams.

    Raises:
        AssertionError: the numbers of hypotheses and lists of references differ.
        TypeError: a token is not hashable, or an argument is not a list.
    """
    assert len(list_of_references) == len(hypotheses), (  # noqa: S101  `python -O` skips NLTK's too
        "The number of hypotheses and their reference(s) should be the same"
    )
    orders_are_usual = type(min_len) is type(max_len) is int and 0 < min_len <= max_len
    if orders_are_usual and max_len <= HIGHEST_ORDER and (Counter, everygrams) == _COUNTS:
        metric = GLEU("nltk", min_len=min_len, max_len=max_len)
        row = total(metric, list_of_references, hypotheses)
        if row is not None:
            return row[0] / row[1] if row[1] else 0.0
    matches = most = 0
    for references, hypothesis in zip(list_of_references, hypotheses, strict=False):
        of_hyp = Counter(everygrams(hypothesis, min_len, max_len))
        of_refs = [Counter(everygrams(reference, min_len, max_len)) for reference in references]
        size = sum(of_hyp.values())
        counts = [(sum((of_ref & of_hyp).values()), max(size, sum(of_ref.values()))) for of_ref in of_refs]
        if fractions := [(match, count) for match, count in counts if count]:
            match, count = max(fractions, key=lambda pair: pair[0] / pair[1])
            matches += match
            most += count
    return matches / most if most else 0.0


def everygrams(
    sequence: Any, min_len: int = 1, max_len: int = -1, pad_left: bool = False, pad_right: bool = False, **kwargs: Any
) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence of all orders in a range, as `nltk.util.everygrams` 3.10.4.

    Args:
        sequence: any iterable.
        min_len: the lowest order.
        max_len: the highest order (default: the length of the sequence).
        pad_left, pad_right, kwargs: as for `ngrams`.

    Raises:
        ValueError: the sequence has more than 256 items and no `max_len`; or that is negative.

    Example:
        >>> from truebleu.compat.nltk.gleu_score import everygrams
        >>> list(everygrams("abc", max_len=2))
        [('a',), ('a', 'b'), ('b',), ('b', 'c'), ('c',)]
    """
    if max_len == -1:
        sequence = sequence if hasattr(sequence, "__len__") else list(sequence)
        max_len = len(sequence)
        if max_len > _LONGEST:
            raise ValueError(f"everygrams() of {max_len} items has too many n-grams; set max_len")
    tokens = pad_sequence(sequence, max_len, pad_left, pad_right, **kwargs)
    window = deque(islice(tokens, max_len))
    while window:
        longest = tuple(window)
        for length in range(min_len, len(longest) + 1):
            yield longest[:length]
        window.extend(islice(tokens, 1))
        window.popleft()


#: The names whose results the kernel's counts replace, unless one of them is replaced.
_COUNTS = (Counter, everygrams)

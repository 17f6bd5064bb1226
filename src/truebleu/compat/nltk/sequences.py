# SPDX-License-Identifier: Apache-2.0
"""The n-grams of any sequence, as in `nltk.util.ngrams`."""

from __future__ import annotations

from collections import deque
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def ngrams(sequence: Iterable[Any], n: int, **padding: Any) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence, in order, as `nltk.util.ngrams` 3.10.4.

    Args:
        sequence: any iterable, which may be endless.
        n: tokens of an n-gram. There are `len(sequence) + 1` 0-grams.
        padding: `pad_left` and `pad_right` add n - 1 symbols before and after the sequence:
            `left_pad_symbol` and `right_pad_symbol` (default: None).

    Raises:
        ValueError: n is negative. As in NLTK, when the first n-gram is read.

    Example:
        >>> from truebleu.compat.nltk import ngrams
        >>> list(ngrams("abcd", 3))
        [('a', 'b', 'c'), ('b', 'c', 'd')]
        >>> list(ngrams("ab", 2, pad_right=True, right_pad_symbol="</s>"))
        [('a', 'b'), ('b', '</s>')]
    """
    tokens = pad_sequence(sequence, n, **padding)
    latest: deque[Any] = deque(islice(tokens, n), maxlen=n)
    if len(latest) == n:
        yield tuple(latest)
    for token in tokens:
        latest.append(token)
        yield tuple(latest)


def pad_sequence(
    sequence: Iterable[Any],
    n: int,
    pad_left: bool = False,
    pad_right: bool = False,
    left_pad_symbol: Any = None,
    right_pad_symbol: Any = None,
) -> Iterator[Any]:
    """The sequence with n - 1 symbols on either side, if requested."""
    tokens = iter(sequence)
    if pad_left:
        tokens = chain((left_pad_symbol,) * (n - 1), tokens)
    if pad_right:
        tokens = chain(tokens, (right_pad_symbol,) * (n - 1))
    return tokens

# SPDX-License-Identifier: Apache-2.0
"""The n-grams of words and characters, counted in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """The counts of the n-grams of several orders, and the number of words."""
    words = line.split()
    ngrams = [
        tuple(words[at : at + order])
        for order in range(min_order, max_order + 1)
        for at in range(len(words) - order + 1)
    ]
    return Counter(ngrams), len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """The counts of the n-grams of one order, which are words joined by spaces."""
    return Counter([" ".join(tokens[at : at + n]) for at in range(len(tokens) - n + 1)])


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The counts of the character n-grams of one order."""
    if not include_whitespace:
        line = "".join(line.split())
    return Counter([line[at : at + n] for at in range(len(line) - n + 1)])


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """The counts of the character n-grams of each order from 1 on."""
    if not include_whitespace:
        line = "".join(line.split())
    return [extract_char_ngrams(line, n, True) for n in range(1, max_order + 1)]

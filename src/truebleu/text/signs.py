# SPDX-License-Identifier: Apache-2.0
"""Characters of lines: which lines have signs, all in one pass, and the scripts of letters."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

#: Lines whose characters are numbers at the same time: they stay in the cache.
_BLOCK = 1024

#: First words of names that are no script.
_SAME = {"CJK": "Han", "IDEOGRAPHIC": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana",
         **dict.fromkeys(("COMBINING", "MODIFIER", "FULLWIDTH", "HALFWIDTH"), "")}  # fmt: skip

#: Whether a text has something.
Sign = Callable[[str], object]


def codes_of(lines: Sequence[str]) -> NDArray[np.uint32]:
    """The characters of lines as numbers, each line with a line feed at its end."""
    text = "\n".join([*lines, ""])
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def flags(lines: Sequence[str], signs: Iterable[str | Sign]) -> NDArray[np.int64]:
    """For each line, a bit for each of up to 63 signs that it has.

    Args:
        lines: any text.
        signs: regular expressions or functions that match single characters, or runs of four.

    Example:
        >>> from truebleu.text.signs import flags
        >>> flags(["a -- b", "a - b: c"], ["-", ":", "--"]).tolist()
        [5, 3]
    """
    result = np.zeros(len(lines), np.int64)
    table = _table(tuple(signs))
    for start in range(0, len(lines), _BLOCK):
        block = lines[start : start + _BLOCK]
        ends = np.cumsum(np.fromiter(map(len, block), np.intp, len(block)) + 1) - 1
        places, marks = table.find(codes_of(block))
        rows = np.searchsorted(ends, places)
        is_inside = places < ends[rows]  # what a line feed alone matches is the end of the line
        rows, marks = rows[is_inside], marks[is_inside]
        if len(rows):
            first = np.flatnonzero(np.append(True, rows[1:] > rows[:-1]))
            result[start + rows[first]] = np.bitwise_or.reduceat(marks, first)
    return result


def alphabet(lines: Sequence[str]) -> Counter[str]:
    """The characters of lines, and how often each occurs; a line feed for each line."""
    times = np.bincount(codes_of(lines))
    return Counter({chr(code): int(times[code]) for code in np.flatnonzero(times).tolist()})


def grams(texts: Sequence[str], size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The n-grams of letters and single spaces of texts, as numbers, and the text of each."""
    codes = codes_of([text.replace("\n", " ") for text in texts])
    folded = np.zeros(int(codes.max(initial=ord("\n"))) + 1, np.uint64)
    for code in np.flatnonzero(np.bincount(codes)).tolist():
        letter = chr(code)
        is_letter = letter.isalpha() or unicodedata.category(letter)[0] == "M"
        folded[code] = ord(letter.lower()[0]) if is_letter else ord(" ")
    folded[ord("\n")] = 0
    plain = folded[codes]
    plain = plain[np.append(True, (plain[1:] != ord(" ")) | (plain[:-1] != ord(" ")))]
    rows = np.cumsum(plain == 0)
    plain, rows = np.append(plain, np.zeros(size, np.uint64)), np.append(rows, [-1] * size)
    values = plain[:-size]
    for place in range(1, size):  # two grams have the same number by a rare chance
        values = values * np.uint64(0x1000193) + plain[place : place - size]
    inside = (rows[:-size] == rows[size - 1 : -1]) & (plain[:-size] > 0)
    return values[inside], rows[:-size][inside]


class _Table:
    """The signs that characters are, alone and repeated: those of the same signs are a class."""

    def __init__(self, signs: Iterable[str | Sign]) -> None:
        self._signs = [re.compile(sign).search if isinstance(sign, str) else sign for sign in signs]
        #: The class of each character: 0 if it is new, 1 if it is no sign.
        self._classes = np.zeros(sys.maxunicode + 1, np.uint16)
        #: The number of each class, by its signs alone and repeated.
        self._numbers = {(-1, -1): 0, (0, 0): 1}

    def find(self, codes: NDArray[np.uint32]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """The places of signs, and which these are; those of a class in a row count once."""
        classes = self._classes.take(codes)
        if not classes.all():
            for code in np.unique(codes[classes == 0]).tolist():
                bits = self._bits(chr(code)), self._bits(chr(code) * 4)
                self._classes[code] = self._numbers.setdefault(bits, len(self._numbers))
            classes = self._classes.take(codes)
        is_run = codes[1:] == codes[:-1]
        is_sign = classes > 1
        is_sign[1:] &= is_run | (classes[1:] != classes[:-1])
        places = np.flatnonzero(is_sign)
        alone, repeated = np.array([*self._numbers]).T[:, classes[places]]
        return places, alone | np.where(is_run[places - 1], repeated, 0)

    def _bits(self, text: str) -> int:
        return sum(1 << k for k, is_sign in enumerate(self._signs) if is_sign(text))


_table = lru_cache(maxsize=8)(_Table)


@cache
def script_of(character: str) -> str:
    """The script of a letter, such as `Latin` or `Han`; empty for other characters."""
    if unicodedata.category(character)[0] not in "LM" or character in "ªºー・":
        return ""
    word = unicodedata.name(character, "").partition(" ")[0]
    return _SAME.get(word, word.title())


def letters(characters: Mapping[str, int]) -> Counter[str]:
    """The number of letters of each script."""
    counts: Counter[str] = Counter()
    for character, times in characters.items():
        if script := script_of(character):
            counts[script] += times
    return counts


def main_script(characters: Mapping[str, int]) -> str:
    """The script of most letters; `Japanese` for a mixture of kana and Han, empty for none."""
    counts = letters(characters)
    # No Chinese text is a tenth kana, and nearly all Japanese texts are.
    if counts["Kana"] * 10 >= counts["Kana"] + counts["Han"] and counts["Kana"]:
        counts["Japanese"] = counts.pop("Kana") + counts.pop("Han", 0)
    return max(counts, key=lambda script: counts[script], default="")

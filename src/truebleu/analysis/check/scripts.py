# SPDX-License-Identifier: Apache-2.0
"""Writing systems by ranges of code points: the blocks of Unicode 17.0 (Blocks.txt).

Python has no script property. For letters, blocks are enough; punctuation and digits have no script
here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

#: First and last code point of each script's blocks.
BLOCKS: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x024F, "Latin"),
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Cyrillic"),
    (0x0530, 0x058F, "Armenian"),
    (0x0590, 0x05FF, "Hebrew"),
    (0x0600, 0x06FF, "Arabic"),
    (0x0750, 0x077F, "Arabic"),
    (0x08A0, 0x08FF, "Arabic"),
    (0x0900, 0x097F, "Devanagari"),
    (0x0980, 0x09FF, "Bengali"),
    (0x0A00, 0x0A7F, "Gurmukhi"),
    (0x0A80, 0x0AFF, "Gujarati"),
    (0x0B00, 0x0B7F, "Oriya"),
    (0x0B80, 0x0BFF, "Tamil"),
    (0x0C00, 0x0C7F, "Telugu"),
    (0x0C80, 0x0CFF, "Kannada"),
    (0x0D00, 0x0D7F, "Malayalam"),
    (0x0D80, 0x0DFF, "Sinhala"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x0F00, 0x0FFF, "Tibetan"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1200, 0x137F, "Ethiopic"),
    (0x1780, 0x17FF, "Khmer"),
    (0x1800, 0x18AF, "Mongolian"),
    (0x1E00, 0x1EFF, "Latin"),
    (0x1F00, 0x1FFF, "Greek"),
    (0x2E80, 0x2FDF, "Han"),
    (0x3005, 0x3007, "Han"),
    (0x3041, 0x30FA, "Kana"),
    (0x31F0, 0x31FF, "Kana"),
    (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"),
    (0xAC00, 0xD7A3, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFB50, 0xFDFF, "Arabic"),
    (0xFE70, 0xFEFF, "Arabic"),
    (0x20000, 0x323AF, "Han"),
)

_STARTS = [first for first, _, _ in BLOCKS]

#: About how many texts show which script most letters have.
_SAMPLE = 2_000
#: Characters of a long text.
_LONG = 10_000

#: Scripts that put no spaces between words.
UNSPACED = ("Han", "Japanese", "Thai", "Lao", "Myanmar", "Khmer", "Tibetan")


@cache
def script_of(character: str) -> str:
    """The script of a letter; empty for other characters."""
    code = ord(character)
    at = bisect_right(_STARTS, code) - 1
    within = at >= 0 and code <= BLOCKS[at][1]
    letter = character.isalpha() or (within and code > 0x0900)
    return BLOCKS[at][2] if within and letter else ""


def count(text: str) -> Counter[str]:
    """The number of letters of each script in a text."""
    letters: Counter[str] = Counter()
    for character, times in _characters(text):
        script = script_of(character)
        if script:
            letters[script] += times
    return letters


def _characters(text: str) -> Iterable[tuple[str, int]]:
    """The characters of a text and their numbers; those of a long text in a tenth of the time."""
    if len(text) < _LONG:
        return Counter(text).items()
    times = np.bincount(np.frombuffer(text.encode("utf-32-le"), np.uint32))
    codes = np.flatnonzero(times)
    return zip(map(chr, codes.tolist()), times[codes].tolist(), strict=True)


def letters_by_script(texts: Sequence[str | None]) -> Counter[str]:
    """How many letters of each script texts have; of many texts, some at equal distances."""
    return count("".join(filter(None, texts[:: max(len(texts) // _SAMPLE, 1)])))


def script_of_most(letters: Counter[str]) -> str:
    """The script of most letters; `Japanese` for a mixture of kana and Han."""
    letters = letters.copy()
    # No Chinese text is a tenth kana, and nearly all Japanese texts are.
    if letters["Kana"] * 10 >= letters["Kana"] + letters["Han"] and letters["Kana"]:
        letters["Japanese"] = letters.pop("Kana") + letters.pop("Han", 0)
    return max(letters, key=lambda script: letters[script], default="")

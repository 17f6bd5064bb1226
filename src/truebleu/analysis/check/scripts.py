# SPDX-License-Identifier: Apache-2.0
"""Writing systems, by the names that Unicode gives to letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache

from truebleu.analysis.check.signs import alphabet

#: First words of names that are no script.
_SAME = {"CJK": "Han", "IDEOGRAPHIC": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}
#: Scripts that put no spaces between words.
UNSPACED = ("Han", "Japanese", "Thai", "Lao", "Myanmar", "Khmer", "Tibetan")
#: About how many texts show which script most letters have.
_SAMPLE = 2_000
#: Characters of a text that NumPy counts faster.
_LONG = 10_000


@cache
def script_of(character: str) -> str:
    """The script of a letter, such as `Latin` or `Han`; empty for other characters."""
    if unicodedata.category(character)[0] not in "LM" or character in "ªºー・":
        return ""
    word = unicodedata.name(character, "").partition(" ")[0]
    return (
        ""
        if word in ("COMBINING", "MODIFIER", "FULLWIDTH", "HALFWIDTH")
        else _SAME.get(word, word.title())
    )


def letters(text: str) -> Counter[str]:
    """The number of letters of each script in a text."""
    counts: Counter[str] = Counter()
    characters = Counter(text) if len(text) < _LONG else alphabet([text])
    for character, times in characters.items():
        if script := script_of(character):
            counts[script] += times
    return counts


def script_of_most(texts: Sequence[str]) -> str:
    """The script of most letters of texts; `Japanese` for a mixture of kana and Han."""
    counts = letters("".join(texts[:: max(len(texts) // _SAMPLE, 1)]))
    # No Chinese text is a tenth kana, and nearly all Japanese texts are.
    if counts["Kana"] * 10 >= counts["Kana"] + counts["Han"] and counts["Kana"]:
        counts["Japanese"] = counts.pop("Kana") + counts.pop("Han", 0)
    return max(counts, key=lambda script: counts[script], default="")

# SPDX-License-Identifier: Apache-2.0
"""The scripts of letters: the first words of their Unicode names."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache

#: First words of names that are no script.
_SAME = {"CJK": "Han", "IDEOGRAPHIC": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana",
         **dict.fromkeys(("COMBINING", "MODIFIER", "FULLWIDTH", "HALFWIDTH"), "")}  # fmt: skip


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

# SPDX-License-Identifier: Apache-2.0
"""What texts are made of, for detectors that compare how lines are written, and how often.

A system and its references share names, numbers and most punctuation. So a mark that many
hypotheses have, and hardly any of their own references, was not written by a translator. Counting
lines where only one side has it, in both directions, is McNemar's test; the share of such lines in
the language does not matter.
"""
# ruff: noqa: RUF001  (quotation marks and dashes of all languages)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from unicodedata import category

#: The fewest lines with a mark that their references lack, and how many times fewer lines may have
#: it the other way round.
FEWEST, TIMES = 4, 8

#: Characters that two writers choose differently, as one.
_SAME = {
    **dict.fromkeys("-‐‑‒–—―−ー－", "-"),
    **dict.fromkeys("•·‧∙◦●▪■", "•"),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("\"'“”„‟«»‘’‚‹›「」『』《》〈〉″＂＇", '"'),
    "…": ".", "。": ".", "、": ",", "【": "[", "】": "]", "　": " ",
}  # fmt: skip
_ANY = re.compile(f"[{re.escape(''.join(_SAME))}]")
#: Marks of sentences: they show nothing, however often one side lacks them.
SENTENCE = frozenset('.,:;!?"-•')
#: Signs that writers use for words: %, &, $, a hashtag.
SIGNS = frozenset("#@&%+/()[]=~")
#: Marks that end sentences, of all scripts, and brackets and quotation marks after them.
STOPS = frozenset('.!?":)։؟۔।॥།။።៕')
#: Marks of one document, such as tags of laughter, are in few lines of this share of the lines, but
#: for one in so many of them: up to 36 lines in WMT23. By accident that happens to one in thirty
#: sets of four lines, and to one in a thousand sets of eight.
_PART, _OUTLIERS, _FEW = 0.2, 5, 40


def plain(text: str) -> str:
    """A text in which quotation marks, dashes and stops of all languages are the same."""
    if text.isascii():
        return text.replace("'", '"')
    return _ANY.sub(lambda match: _SAME[match[0]], text)


def alike(character: str) -> str:
    """All characters that `plain` makes this one."""
    return character + "".join(other for other, same in _SAME.items() if same == character)


@cache
def is_odd(character: str) -> bool:
    """Whether no sentence needs it: brackets of tags, bars, stars, backslashes."""
    return not (
        character.isalnum() or character.isspace() or character in SENTENCE or character in SIGNS
        or character > "\x7f" or category(character) == "Sc"
    )  # fmt: skip


#: All of these in ASCII.
ODD = "".join(sign for sign in map(chr, range(128)) if is_odd(plain(sign)))


def only_here(here: Iterable[int], there: AbstractSet[int], fewest: int = FEWEST) -> list[int]:
    """The rows of `here` that are not in `there`, ascending, if the opposite is rare; else none."""
    own = set(here)
    new = own - there
    return sorted(new) if len(new) >= max(fewest, TIMES * len(there - own)) else []


def is_local(rows: Sequence[int], lines: int) -> bool:
    """Whether these rows, ascending, are few, and nearly all in one part, as a document is."""
    inside = len(rows) - len(rows) // _OUTLIERS
    spans = [last - first + 1 for first, last in zip(rows, rows[inside - 1 :], strict=False)]
    return len(rows) <= _FEW and min(spans, default=0) <= _PART * lines

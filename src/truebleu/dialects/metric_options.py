# SPDX-License-Identifier: Apache-2.0
"""The options of chrF and TER, each declared once; names and defaults are sacreBLEU's."""

from __future__ import annotations

from truebleu.dialects.options import Part, option


class CHRFOptions(Part):
    """chrF: which n-grams count, and how much."""

    char_order: int = option(
        default=6, least=0, help="count n-grams of up to so many characters", flags=("-cc",)
    )
    word_order: int = option(
        default=0,
        least=0,
        help="count n-grams of up to so many words, too; 2 makes chrF++",
        flags=("-cw",),
    )
    beta: float = option(default=2.0, help="how many times as much recall counts as precision")
    lowercase: bool = option(default=False, help="lower-case the text")
    whitespace: bool = option(default=False, help="blanks are characters, too")
    eps_smoothing: bool = option(
        default=False,
        help="an order without n-grams counts a little, in place of being left out (chrF++.py)",
    )
    tie: str = option(
        default="longer",
        choices=("longer", "first"),
        help="of references that score alike, the longest one counts, or the first (sacreBLEU)",
    )


class TEROptions(Part):
    """TER: what Tercom's tokenizer does."""

    normalized: bool = option(default=False, help="set signs apart and undo markup")
    no_punct: bool = option(default=False, help="drop punctuation")
    asian_support: bool = option(
        default=False, help="let the two do the same for Asian signs, and set characters apart"
    )
    case_sensitive: bool = option(default=False, help="do not lower-case the text")

# SPDX-License-Identifier: Apache-2.0
"""Texts for property tests: hard cases for tokenizers, from all of Unicode."""

import sys
import unicodedata

import numpy as np
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer

from truebleu import DIALECTS, spec

#: NLTK itself judges its rules, which the specification does not have.
spec.text.TOKENIZERS["nltk-line"] = NLTKWordTokenizer().tokenize

#: Smoothing methods with values, as sacreBLEU takes them.
SMOOTHINGS = [
    ("exp", None), ("none", None), ("floor", None), ("floor", 0.0), ("floor", 0.37),
    ("add-k", None), ("add-k", 0.5), ("add-k", 3),
]  # fmt: skip

#: Python's sum, and so sacreBLEU's, uses compensated summation since 3.12.
SUMMATION = "naive" if sys.version_info < (3, 12) else "compensated"

#: Dialects that score the sum of all counts, not a mean of segments.
SUMS = [name for name, row in DIALECTS.items() if row.aggregate.join == "rows"]


def _is_known(character: str) -> bool:
    """Whether Python's Unicode tables have the character; later versions may change its class."""
    return unicodedata.category(character) not in ("Cn", "Cs")


characters = st.characters(exclude_categories=("Cs",)).filter(_is_known)

SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
#: Characters like white space: zero width space, word joiner, Mongolian vowel separator, BOM.
NO_SPACES = "\u200b\u2060\u180e\ufeff\x00\x1b\x7f"

pieces = st.one_of(
    st.sampled_from(["the", "cat", "a", "b", "Straße", "ΑΣ", "Σ", "İ", "ǅ", "naïve", "слово"]),
    st.sampled_from(["превосходительство", "Donaudampfschifffahrtsgesellschaft"]),
    st.sampled_from(["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp;quot;", "&", "<", "-\n"]),
    st.sampled_from(["<skipped>", "<skip", "<skip<skipped>ped>", "-<skipped>\n", "&am<skipped>p;"]),
    st.text("0123456789.,-", min_size=1, max_size=6),
    st.text(".,-!?()[]{}'\"/\\@#$%^&*_+=~`|:;", min_size=1, max_size=4),
    st.text("٣४½²Ⅷ５፩", min_size=1, max_size=2),
    st.text("。，、「」“”«»—–…·¿¡；", min_size=1, max_size=3),
    st.text("€£+<>=|~^`´¨©®°∑∞→♥", min_size=1, max_size=2),
    st.text("中文字日本語テスト한국어𠀀𪛖㐀⼀\u2001\u2a6d\u2a6e", min_size=1, max_size=4),
    st.text(SPACES, min_size=1, max_size=2),
    st.text(NO_SPACES, min_size=1, max_size=2),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=13, max_size=40),
    characters,
)

#: Segments with spaces between most pieces, so that there are tokens to match.
texts = st.lists(st.tuples(pieces, st.sampled_from(["", " "])), max_size=30).map(
    lambda parts: "".join(piece + space for piece, space in parts)
)

#: Segments over a tiny vocabulary, where n-grams repeat and clip.
repetitive = st.lists(st.sampled_from("aabbcd.5"), max_size=90).map(" ".join)

segments = st.one_of(texts, repetitive)

#: Short texts of few words.
few_words = st.lists(st.sampled_from("abcd"), max_size=14).map(" ".join)

#: Segments that one thread reads at a time (crates/python/src/chunks.rs).
CHUNK = 1 << 13


def words(length, seed=0):
    """A text of so many words, some of which are frequent."""
    rng = np.random.default_rng(length + 7919 * seed)
    return " ".join(f"w{n}" for n in rng.zipf(1.3, size=length) % 23)


@st.composite
def corpora(draw: st.DrawFn, max_refs: int = 3) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and ragged references that often contain parts of the hypothesis."""
    hyps, refs = [], []
    for _ in range(draw(st.integers(1, 4))):
        hyp = draw(segments)
        related = st.tuples(segments, st.just(hyp), segments).map("".join)
        choices = st.one_of(segments, st.just(hyp), related)
        row: list[str | None] = [draw(choices)]
        row += draw(st.lists(st.one_of(choices, st.none()), max_size=max_refs - 1))
        hyps.append(hyp)
        refs.append(draw(st.permutations(row)))
    return hyps, refs


def present(refs):
    """References without those that are absent."""
    return [[ref for ref in row if ref is not None] for row in refs]


def streams(refs):
    """References of each segment as streams, with None where a segment has fewer."""
    most = max(map(len, refs))
    return [[row[i] if i < len(row) else None for row in refs] for i in range(most)]

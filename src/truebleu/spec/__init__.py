# SPDX-License-Identifier: Apache-2.0
"""BLEU from scratch: the five decisions in plain Python, to read along with the papers.

The tests compare the kernel with it, and the tutorial explains it. It is slow, and no score comes
from it. Start reading here, with `corpus_bleu`; `text.py` and `numbers.py` have the steps.

Example:
    >>> from truebleu import dialect, spec
    >>> spec.corpus_bleu(dialect("sacrebleu"), ["a b c d e"], [["a b c d f"]])
    66.87403049764218
"""

from __future__ import annotations

from collections.abc import Sequence

from truebleu.dialects.decisions import Dialect
from truebleu.spec.numbers import (
    aggregate,
    brevity_penalty,
    clipped_matches,
    combine,
    count,
    ngrams,
    precisions,
    reference_length,
    score_of_sum,
    simple_precision,
)
from truebleu.spec.text import normalize, tokenize

__all__ = [
    "aggregate", "brevity_penalty", "clipped_matches", "combine", "corpus_bleu", "count", "ngrams",
    "normalize", "precisions", "reference_length", "segment_stats",
    "sentence_bleu", "simple_precision", "tokenize",
]  # fmt: skip


def segment_stats(dialect: Dialect, hyp: str, refs: Sequence[str]) -> list[int]:
    """Normalize, tokenize and count one segment."""

    def tokens(text: str) -> list[str]:
        return tokenize(dialect, normalize(dialect, text))

    if dialect.count.swap:
        hyp, refs = refs[0], [hyp]
    words = tokens(hyp)
    characters = dialect.count.length_unit == "characters"
    hyp_len = len(normalize(dialect, hyp)) if characters else len(words)
    return count(dialect, words, [tokens(ref) for ref in refs], hyp_len)


def sentence_bleu(dialect: Dialect, hyp: str, refs: Sequence[str]) -> float:
    """The score of one segment by itself."""
    row = segment_stats(dialect, hyp, refs)
    return combine(dialect.combine, row, dialect.count.max_ngram_order)


def corpus_bleu(dialect: Dialect, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> float:
    """The score of a corpus; `refs[i]` are the references of `hyps[i]`."""
    rows = [segment_stats(dialect, hyp, list(ref)) for hyp, ref in zip(hyps, refs, strict=True)]
    return score_of_sum(dialect, aggregate(rows))

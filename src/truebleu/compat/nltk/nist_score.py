# SPDX-License-Identifier: Apache-2.0
"""A drop-in for `nltk.translate.nist_score` 3.10.4.

>>> from truebleu.compat.nltk import nist_score

NIST (Doddington 2002) weights each matched n-gram by its information: how much rarer it is in the
references than its first n - 1 words. Python counts, each hypothesis and reference once.
"""

from __future__ import annotations

import fractions
import math
from collections import Counter
from typing import Any

from truebleu.compat.nltk import ngrams

# The names of `from nltk.translate.nist_score import *`.
__all__ = [
    "Counter", "corpus_nist", "fractions", "math", "ngrams", "nist_length_penalty", "sentence_nist",
]  # fmt: skip


def sentence_nist(references: Any, hypothesis: Any, n: int = 5) -> float:
    """NIST of one segment: `corpus_nist` of a corpus of one.

    Example:
        >>> from truebleu.compat.nltk.nist_score import sentence_nist
        >>> sentence_nist(["the cat sat on the mat".split()], "the cat sat on a mat".split(), n=2)
        2.1874687506009636
    """
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Any, hypotheses: Any, n: int = 5) -> float:
    """NIST of a corpus: the mean information of its n-grams, summed over orders, times a penalty.

    Args:
        list_of_references: n lists of references, each a list of tokens. For each order, that with
            the highest score of its own counts.
        hypotheses: n lists of tokens, of any hashable type.
        n: the highest n-gram order.

    Returns:
        A number of bits, 0 or more.

    Raises:
        AssertionError: the numbers of hypotheses and lists of references differ.
        ZeroDivisionError: all hypotheses are shorter than `n`, or all references are empty.
        ValueError: a hypothesis has no reference.
        TypeError: a token is not hashable, or an argument is not a list.
    """
    assert len(list_of_references) == len(hypotheses), (  # noqa: S101  `python -O` skips NLTK's too
        "The number of hypotheses and their reference(s) should be the same"
    )
    words = sum(len(ref) for references in list_of_references for ref in references)
    frequencies: Counter[Any] = Counter()
    bits: float = 0
    hyp_len = ref_len = 0
    for i in range(1, n + 1):
        shorter, frequencies = frequencies, Counter()
        of_references = []
        for references in list_of_references:
            in_references = [_ngrams(reference, i) for reference in references]
            for in_reference in in_references:
                frequencies.update(in_reference)
            of_references.append([*map(Counter, in_references)])
        weights: dict[Any, float] = {}
        numerator: float = 0
        denominator = 0
        for references, of_refs, hypothesis in zip(list_of_references, of_references, hypotheses, strict=False):
            of_hyp = Counter(_ngrams(hypothesis, i))
            total = sum(of_hyp.values())
            best = []
            for reference, of_ref in zip(references, of_refs, strict=True):
                matched = [ngram for ngram in of_hyp if ngram in of_ref]
                for ngram in matched:
                    if ngram not in weights:
                        # The empty n-gram, before a single word, occurs once for each word.
                        before = shorter.get(ngram[:-1]) or words
                        ratio = before / frequencies[ngram]
                        weights[ngram] = math.log(ratio, 2)  # noqa: FURB163  (other last bits)
                gain = sum([weights[ngram] * min(of_hyp[ngram], of_ref[ngram]) for ngram in matched])
                best.append((gain / total if total else 0, gain, total, len(reference)))
            _, gain, total, length = max(best)
            numerator += gain
            denominator += total
            ref_len += length
            hyp_len += len(hypothesis)
        bits += numerator / denominator
    return bits * nist_length_penalty(ref_len, hyp_len)


def _ngrams(sequence: Any, n: int) -> list[tuple[Any, ...]]:
    tokens = list(sequence)
    return list(zip(*(tokens[i:] for i in range(n)), strict=False))


def nist_length_penalty(ref_len: float, hyp_len: float) -> float:
    """The penalty for hypotheses that are shorter than their references; 0.5 at two thirds.

    Raises:
        ZeroDivisionError: the references are empty.

    Example:
        >>> from truebleu.compat.nltk.nist_score import nist_length_penalty
        >>> round(nist_length_penalty(12, 8), 3), nist_length_penalty(12, 18)
        (0.5, 1.0)
    """
    ratio = hyp_len / ref_len
    if not 0 < ratio < 1:
        return max(min(ratio, 1.0), 0.0)
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)

# SPDX-License-Identifier: Apache-2.0
"""A drop-in for `nltk.translate.bleu_score` 3.10.4, quirks included; it does not import NLTK.

>>> from truebleu.compat import nltk as bleu_score

Names, argument order (references first), results to the last bit, ints where NLTK gives ints,
warnings and exceptions are NLTK's. What differs is the time, and the module that a warning names.

Input goes to the kernel if it is certain to be counted there as NLTK would count it: lists of
strings, or of other tokens that compare by their value. Whatever else NLTK takes (arrays, objects
of your own) is counted in Python the way NLTK does it. Functions call each other by the names of
this module, as the original's do, so replacing one (`mock.patch`) has the same effect.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections import Counter

from truebleu.compat.nltk.counts import count
from truebleu.compat.nltk.fraction import Fraction
from truebleu.compat.nltk.sequences import ngrams
from truebleu.compat.nltk.smoothing import smooth, standard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# What `from nltk.translate.bleu_score import *` gives.
__all__ = [
    "Counter",
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "math",
    "modified_precision",
    "ngrams",
    "sentence_bleu",
    "sys",
    "warnings",
]


def sentence_bleu(
    references: Any,
    hypothesis: Any,
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of one segment: `corpus_bleu` of a corpus of one.

    Args:
        references: a list of references, each a list of tokens.
        hypothesis: a list of tokens. A string counts as a list of characters.
        weights, smoothing_function, auto_reweigh: as for `corpus_bleu`, and so are result, warnings
            and errors.

    Example:
        >>> from truebleu.compat.nltk import SmoothingFunction, sentence_bleu
        >>> hypothesis = "the cat sat on a mat".split()
        >>> references = ["the cat is on the mat".split(), "there sat the cat on a mat".split()]
        >>> sentence_bleu(references, hypothesis, smoothing_function=SmoothingFunction().method1)
        0.2659147948472494
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


#: The name under which `nltk.translate` and `nltk` export it.
bleu = sentence_bleu


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus (Papineni et al. 2002), as NLTK 3.10.4 computes it.

    It is not everyone's BLEU: a segment too short for an order still adds 1 to that order's total;
    an order whose smoothed precision is 0 is left out, its weight with it; methods 5 to 7 read the
    last segment, so that the order of segments matters.

    Args:
        list_of_references: n lists of references, each a list of tokens.
        hypotheses: n lists of tokens. Tokens are of any hashable type.
        weights: one for each n-gram order from 1 on, or several such tuples for several scores.
        smoothing_function: a method of `SmoothingFunction`, or any function with the arguments
            `(p_n, references=, hypothesis=, hyp_len=)`: a list of Fractions, references and
            hypothesis of the last segment, tokens of all hypotheses. It returns a precision for
            each order, which are smoothed once, for the longest of several weights.
        auto_reweigh: if the hypotheses have less than 4 tokens in all and the weights are the
            default, use as many equal weights as there are tokens.

    Returns:
        A float from 0 to 1, or the int 0 if no token matches; a list of them for several weights.

    Raises:
        AssertionError: there are more or fewer hypotheses than lists of references.
        KeyError: a hypothesis has no reference; ValueError if it is empty, too.
        ZeroDivisionError: there are no segments.
        TypeError: a token is not hashable, or a list is none.

    Warns:
        UserWarning: without smoothing, for each order without a match; it counts as the smallest
            float, 2.2e-308, not as 0.

    Example:
        >>> from truebleu.compat.nltk import corpus_bleu
        >>> hypotheses = ["the cat sat on the mat".split(), "so it was".split()]
        >>> references = [["the cat sat on a mat".split()], ["it was".split(), "so it was".split()]]
        >>> corpus_bleu(references, hypotheses), corpus_bleu(references, hypotheses, [(1,), (0, 1)])
        (0.5555238068023582, [0.8888888888888888, 0.7142857142857143])
    """
    assert len(list_of_references) == len(hypotheses), (  # noqa: S101  `python -O` skips NLTK's too
        "The number of hypotheses and their reference(s) should be the same "
    )
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    orders = max(map(len, weights))
    if type(hypotheses) is not list or type(list_of_references) is not list:
        # Columns of any kind, read once and in step, as NLTK reads them.
        pairs = list(zip(list_of_references, hypotheses, strict=False))
        list_of_references = [references for references, _ in pairs]
        hypotheses = [hypothesis for _, hypothesis in pairs]

    number = standard(smoothing_function, _METHODS)
    # Two methods read the order above the last one, of the last segment: here, the only one.
    whole = 5 if number in (5, 7) and len(hypotheses) == 1 and 0 < orders < 5 else orders
    counted = count(list_of_references, hypotheses, whole) if _counts_are_ours() else None
    matches, totals, hyp_len, ref_len = counted or _count_in_python(
        list_of_references, hypotheses, orders
    )
    bp = brevity_penalty(ref_len, hyp_len)
    # Counted by the kernel, no total is 0; else Fractions may raise, and before all that follows.
    p_n: Any = None if counted else _fractions(matches, totals)
    if not orders or matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    if not smoothing_function:
        smoothing_function = SmoothingFunction().method0
        number = standard(smoothing_function, _METHODS)
    # There is a segment, for something matches: the last one is what smoothing is given.
    last = min(len(list_of_references), len(hypotheses)) - 1
    references, hypothesis = list_of_references[last], hypotheses[last]
    segment = {"references": references, "hypothesis": hypothesis, "hyp_len": hyp_len}
    if counted and number >= 0:
        fifth = (matches[4], totals[4]) if len(hypotheses) == 1 and whole > 4 else None
        counts = matches[:orders], totals[:orders]
        p_n = smooth(number, smoothing_function, counts, segment, fifth or modified_precision)
    if not counted or p_n is None:
        p_n = smoothing_function(p_n or _fractions(matches[:orders], totals[:orders]), **segment)
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < 4 and weight == (0.25, 0.25, 0.25, 0.25):
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901  the rest of the turn is about it
        logarithms = [w * math.log(p) for w, p in zip(weight, p_n, strict=False) if p > 0]
        scores.append(bp * math.exp(math.fsum(logarithms)))
    return scores[0] if len(weights) == 1 else scores


def _count_in_python(
    list_of_references: Any, hypotheses: Any, orders: int
) -> tuple[list[int], list[int], int, int]:
    matches, totals = [0] * orders, [0] * orders
    hyp_len = ref_len = 0
    for references, hypothesis in zip(list_of_references, hypotheses, strict=False):
        for i in range(orders):
            precision = modified_precision(references, hypothesis, i + 1)
            matches[i] += precision.numerator
            totals[i] += precision.denominator
        length = len(hypothesis)
        hyp_len += length
        ref_len += closest_ref_length(references, length)
    return matches, totals, hyp_len, ref_len


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
    """Clipped matches over n-grams of one segment, as a Fraction that is not reduced.

    Args:
        references: a list of references, each a list of tokens.
        hypothesis: a list of tokens.
        n: the n-gram order.

    Returns:
        n-grams of the hypothesis that occur in a reference, each at most as often as in the
        reference that has it most often, over n-grams of the hypothesis, but 1 at least.

    Raises:
        KeyError: there is no reference.
        TypeError: a token is not hashable.

    Example:
        >>> from truebleu.compat.nltk import modified_precision
        >>> p = modified_precision(["the cat is on the mat".split()], "the the the the".split(), 1)
        >>> p.numerator, p.denominator, float(p)
        (2, 4, 0.5)
    """
    if type(n) is int and _counts_are_ours():
        counted = count([references], [hypothesis], n)
        if counted is not None:
            return Fraction(counted[0][-1], counted[1][-1], _normalize=False)
    found = Counter(ngrams(hypothesis, n)) if len(hypothesis) >= n else Counter()
    allowed: dict[Any, int] = {}
    for reference in references:
        present = Counter(ngrams(reference, n)) if len(reference) >= n else Counter()
        for ngram in found:
            allowed[ngram] = max(allowed.get(ngram, 0), present[ngram])
    matches = sum(min(times, allowed[ngram]) for ngram, times in found.items())
    return Fraction(matches, max(1, sum(found.values())), _normalize=False)


def closest_ref_length(references: Iterable[Any], hyp_len: int) -> int:
    """The length of the reference that is closest to `hyp_len`; of two as close, the shorter.

    Raises:
        ValueError: there is no reference.

    Example:
        >>> from truebleu.compat.nltk import closest_ref_length
        >>> closest_ref_length([["a"] * 5, ["a"] * 3], 4)
        3
    """
    lengths = (len(reference) for reference in references)
    return min(lengths, key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """The factor for hypotheses shorter than their references: exp(1 - r/c).

    Returns:
        A float; the int 1 for longer hypotheses, and the int 0 for empty ones.

    Example:
        >>> from truebleu.compat.nltk import brevity_penalty
        >>> brevity_penalty(28, 12), brevity_penalty(12, 12), brevity_penalty(11, 12)
        (0.2635971381157267, 1.0, 1)
    """
    if hyp_len > closest_ref_len:
        return 1
    if hyp_len == 0:
        return 0
    return math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """Smoothing for short segments (Chen and Cherry 2014, table 1), as NLTK 3.10.4 has it.

    The numbers are the paper's, the formulas not always; what differs is said at each method. All
    take `(p_n, references, hypothesis, hyp_len)`: the precisions as Fractions, whose numerators and
    denominators are counts. Methods 3 to 7 write into the list that they are given.

    Args:
        epsilon: of method 1.
        alpha: of method 6.
        k: of method 4.

    Example:
        >>> from truebleu.compat.nltk import SmoothingFunction, sentence_bleu
        >>> smooth = SmoothingFunction(epsilon=0.01).method1
        >>> sentence_bleu(["a b c d".split()], "a b c e".split(), smoothing_function=smooth)
        0.223606797749979
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """None: a zero is the smallest normal float, and a UserWarning."""
        smoothed = []
        for order, p in enumerate(p_n, start=1):
            if p.numerator != 0:
                smoothed.append(p)
                continue
            warnings.warn(
                f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                "Therefore the BLEU score evaluates to 0, independently of\n"
                "how many N-gram overlaps of lower order it contains.\n"
                "Consider using lower n-gram order or use SmoothingFunction()",
                stacklevel=1,
            )
            smoothed.append(sys.float_info.min)
        return smoothed

    def method1(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """`epsilon` matches where there are none."""
        return [
            (p.numerator + self.epsilon) / p.denominator if p.numerator == 0 else p for p in p_n
        ]

    def method2(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """One more match and one more n-gram from order 2 on (Lin and Och 2004)."""
        return [
            Fraction(p_n[i].numerator + 1, p_n[i].denominator + 1, _normalize=False)
            if i
            else p_n[0]
            for i in range(len(p_n))
        ]

    def method3(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """1 / 2^j matches for the j-th order that has none (NIST, mteval-v13a)."""
        zeros = 0
        for i, p in enumerate(p_n):
            if p.numerator == 0:
                zeros += 1
                p_n[i] = 1 / (2**zeros * p.denominator)
        return p_n

    def method4(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None,
        *args: Any, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """ln(hyp_len) / (k 2^j) matches for the j-th order that has none.

        The paper has no 2^j but powers of ln(hyp_len) / k. With a single token nothing is smoothed.
        """
        zeros = 0
        hyp_len = hyp_len or len(hypothesis)
        for i, p in enumerate(p_n):
            if p.numerator == 0 and hyp_len > 1:
                zeros += 1
                p_n[i] = 1 / (2**zeros * self.k / math.log(hyp_len)) / p.denominator
        return p_n

    def method5(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None,
        *args: Any, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """The mean of the precision with those of the order below (smoothed) and above.

        The paper averages matches. Above the last order stands the precision of 5-grams of the last
        segment, whatever the last order is; below the first, its precision and 1, so that a perfect
        hypothesis scores more than 1.
        """
        hyp_len = hyp_len or len(hypothesis)
        above = p_n + [modified_precision(references, hypothesis, 5)]  # noqa: RUF005  arrays add
        below = p_n[0] + 1
        for i, p in enumerate(p_n):
            p_n[i] = below = (below + p + above[i + 1]) / 3
        return p_n

    def method6(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None,
        *args: Any, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """From order 3 on, `alpha` n-grams more, whose precision goes on as the two orders before.

        As Gao and He (2013). The n-grams are those of the last segment, the matches those of all.

        Raises:
            AssertionError: no trigram matches. (The message says bigrams.)
            IndexError: there are less than three orders.
        """
        hyp_len = hyp_len or len(hypothesis)
        assert p_n[2], (  # noqa: S101  `python -O` skips NLTK's too
            "This smoothing method requires non-zero precision for bigrams."
        )
        for i, p in enumerate(p_n):
            if i > 1:
                prior = 0 if p_n[i - 2] == 0 else p_n[i - 1] ** 2 / p_n[i - 2]
                total = sum(1 for _ in ngrams(hypothesis, i + 1))
                p_n[i] = (p.numerator + self.alpha * prior) / (total + self.alpha)
        return p_n

    def method7(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None,
        *args: Any, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Method 4, then method 5."""
        hyp_len = hyp_len or len(hypothesis)
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len)


#: What the kernel's counts stand for. Where one has been replaced, Python counts, by the new one.
_COUNTS = (ngrams, Counter, Fraction, modified_precision, closest_ref_length)

#: The methods by number, as they are here; one that has been replaced is the user's own.
_METHODS = {getattr(SmoothingFunction, f"method{i}"): i for i in range(8)}


def _counts_are_ours() -> bool:
    return (ngrams, Counter, Fraction, modified_precision, closest_ref_length) == _COUNTS


def _fractions(matches: list[int], totals: list[int]) -> list[Fraction]:
    return [Fraction(*pair, _normalize=False) for pair in zip(matches, totals, strict=True)]

# SPDX-License-Identifier: Apache-2.0
"""A drop-in for `nltk.translate.bleu_score` 3.10.4, quirks included. NLTK is not imported.

>>> from truebleu.compat.nltk import bleu_score

Names, argument order (references first), results to the last bit, ints where NLTK returns ints,
warnings and exceptions are NLTK's. It is faster, and warnings name this module.

The kernel counts lists of strings and of ints. Python counts everything else that NLTK accepts,
such as arrays and other tokens. Functions call each other by their names in this module, as in
NLTK, so that replacing one (`mock.patch`) has the same effect.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction as _Fraction
from itertools import chain, islice
from operator import attrgetter
from types import MethodType
from typing import Any, Self

from truebleu.compat.nltk.counts import count, mean_of_counts

#: This module, for `from truebleu.compat.nltk import bleu_score`.
bleu_score = sys.modules[__name__]

# The names of `from nltk.translate.bleu_score import *`.
__all__ = [
    "Counter", "Fraction", "SmoothingFunction", "brevity_penalty", "closest_ref_length",
    "corpus_bleu", "math", "modified_precision", "ngrams", "sentence_bleu", "sys", "warnings",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name != "translate":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return __import__(f"{__name__}.translate", fromlist=["bleu_score"])


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
        hypothesis: a list of tokens. A string is a list of characters.
        weights, smoothing_function, auto_reweigh: as for `corpus_bleu`.

    Returns, warns and raises what `corpus_bleu` does.

    Example:
        >>> from truebleu.compat.nltk import SmoothingFunction, sentence_bleu
        >>> hypothesis = "the cat sat on a mat".split()
        >>> references = ["the cat is on the mat".split(), "there sat the cat on a mat".split()]
        >>> sentence_bleu(references, hypothesis, smoothing_function=SmoothingFunction().method1)
        0.2659147948472494
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


#: Its name in `nltk.translate` and `nltk`.
bleu = sentence_bleu


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = (0.25, 0.25, 0.25, 0.25),
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus (Papineni et al. 2002), as NLTK 3.10.4 computes it.

    NLTK differs from most tools: a segment that is too short for an order adds 1 to that order's
    total; an order whose smoothed precision is 0 is skipped together with its weight; methods 5 to
    7 read the last segment, so the order of segments matters.

    Args:
        list_of_references: n lists of references, each a list of tokens.
        hypotheses: n lists of tokens, of any hashable type.
        weights: a weight for each n-gram order, or several such tuples for several scores.
        smoothing_function: a method of `SmoothingFunction`, or any function with the arguments
            `(p_n, references=, hypothesis=, hyp_len=)`: a list of Fractions, the references and
            hypothesis of the last segment, the number of tokens of all hypotheses. It returns the
            precision of each order. Several weights are smoothed once, for the longest.
        auto_reweigh: with the default weights and fewer than 4 tokens in all hypotheses, use as
            many equal weights as there are tokens.

    Returns:
        A float from 0 to 1, or the int 0 if no token matches; a list of them for several weights.

    Raises:
        AssertionError: the numbers of hypotheses and lists of references differ.
        KeyError: a hypothesis has no reference; ValueError if it is also empty.
        ZeroDivisionError: there are no segments.
        TypeError: a token is not hashable, or an argument is not a list.

    Warns:
        UserWarning: without smoothing, for each order without a match; its precision is the
            smallest float, 2.2e-308, instead of 0.

    Example:
        >>> from truebleu.compat.nltk import corpus_bleu
        >>> hypotheses = ["the cat sat on the mat".split(), "so it was".split()]
        >>> references = [["the cat sat on a mat".split()], ["it was".split(), "so it was".split()]]
        >>> corpus_bleu(references, hypotheses), corpus_bleu(references, hypotheses, [(1,), (0, 1)])
        (0.5555238068023582, [0.8888888888888888, 0.7142857142857143])
    """
    return bleu_of(_OURS, None, list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


class Door:
    """A module whose functions `bleu_of` calls by their names there: this one or NLTK's."""

    _counting = attrgetter("ngrams", "Counter", "Fraction", "modified_precision", "closest_ref_length")

    def __init__(self, module: Any) -> None:
        self.module, self._usual = module, self._counting(module)
        #: The methods 0 to 4.
        self.simple = [getattr(module.SmoothingFunction, f"method{i}") for i in range(5)]

    def is_unchanged(self) -> bool:
        """Whether none of the functions is replaced whose results the kernel's counts replace."""
        return bool(self._counting(self.module) == self._usual)

    def fractions(self, matches: list[int], totals: list[int]) -> list[Any]:
        """The precisions with these counts."""
        return [self.module.Fraction(*pair, _normalize=False) for pair in zip(matches, totals, strict=True)]


def bleu_of(door: Door, original: Callable[..., Any] | None, *arguments: Any) -> Any:
    """`corpus_bleu` with these arguments and the functions of a module.

    The function `original` scores what the kernel cannot count; without it, Python does.
    """
    list_of_references, hypotheses, weights, smoothing_function, auto_reweigh = arguments
    if original and not {type(hypotheses), type(list_of_references)} <= {list, tuple}:
        return original(*arguments)
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

    counted = count(list_of_references, hypotheses, orders) if door.is_unchanged() else None
    if original and not counted:
        return original(*arguments)
    matches, totals, hyp_len, ref_len = counted or _count_in_python(list_of_references, hypotheses, orders)
    bp = door.module.brevity_penalty(ref_len, hyp_len)
    if not counted:
        door.fractions(matches, totals)  # raises NLTK's errors before anything else does
    if not orders or matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    smooth = smoothing_function or door.module.SmoothingFunction().method0
    method, value = _kernel_method(door, smooth, weights) if counted else (None, 0.0)
    if method is None or (method == 0 and 0 in matches):  # method 0 warns
        last = min(len(list_of_references), len(hypotheses)) - 1
        p_n = smooth(
            door.fractions(matches, totals),
            references=list_of_references[last],
            hypothesis=hypotheses[last],
            hyp_len=hyp_len,
        )
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < 4 and weight == (0.25, 0.25, 0.25, 0.25):
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901
        if method is None:
            terms = (w * math.log(p) for w, p in zip(weight, p_n, strict=False) if p > 0)
            scores.append(bp * math.exp(math.fsum(terms)))
        else:
            scores.append(bp * mean_of_counts(method, value, weight, matches, totals, hyp_len))
    return scores[0] if len(weights) == 1 else scores


def _kernel_method(door: Door, smooth: Any, weights: Any) -> tuple[int | None, float]:
    """The number and value of a smoothing method after which the kernel has the mean, or None.

    It has it after the methods 0 to 4; other functions may return any objects.
    """
    if type(smooth) is not MethodType or smooth.__func__ not in door.simple:
        return None, 0.0
    own: Any = smooth.__self__
    method = door.simple.index(smooth.__func__)
    value: Any = {1: own.epsilon, 2: 1.0, 4: own.k}.get(method, 0.0)
    numbers = (value, *chain.from_iterable(weights))
    # With these, the kernel computes as NLTK, which divides by the value of method 4.
    is_plain = all(type(number) in (int, float) and 0 <= number < math.inf for number in numbers)
    return (method, value) if is_plain and (value or method != 4) else (None, 0.0)


def _count_in_python(list_of_references: Any, hypotheses: Any, orders: int) -> tuple[list[int], list[int], int, int]:
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


class Fraction(_Fraction):
    """A fraction that is not reduced: `Fraction` of `nltk.translate.bleu_score` 3.10.4.

    Smoothing methods read its counts. Results of arithmetic are reduced `fractions.Fraction`s.

    Args:
        numerator: matches.
        denominator: n-grams.
        _normalize: whether `numerator` and `denominator` are in lowest terms.

    Raises:
        ZeroDivisionError: the denominator is 0.

    Example:
        >>> from truebleu.compat.nltk import Fraction
        >>> p = Fraction(2, 4)
        >>> p.numerator, p.denominator, float(p), p + 1
        (2, 4, 0.5, Fraction(6, 4))
    """

    # NLTK's instances have these names in their `__dict__`, and no `__slots__`.
    _normalize: bool
    _original_numerator: Any
    _original_denominator: Any

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Self:
        """A fraction of these counts."""
        fraction: Any
        if sys.version_info >= (3, 12):
            fraction = super().__new__(cls, numerator, denominator)
        else:
            fraction = super().__new__(  # type: ignore[call-overload]
                cls, numerator, denominator, _normalize=_normalize
            )
        fraction._normalize = _normalize
        fraction._original_numerator = numerator
        fraction._original_denominator = denominator
        return fraction  # type: ignore[no-any-return]

    @property
    def numerator(self) -> Any:
        """The first argument; in lowest terms with `_normalize`."""
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        """The second argument; in lowest terms with `_normalize`."""
        return super().denominator if self._normalize else self._original_denominator


def ngrams(sequence: Iterable[Any], n: int, **kwargs: Any) -> Iterator[tuple[Any, ...]]:
    """The n-grams of a sequence, in order, as `nltk.util.ngrams` 3.10.4.

    Args:
        sequence: any iterable, which may be endless.
        n: tokens of an n-gram. There are `len(sequence) + 1` 0-grams.
        kwargs: `pad_left` and `pad_right` add n - 1 symbols before and after the sequence:
            `left_pad_symbol` and `right_pad_symbol` (default: None).

    Raises:
        ValueError: n is negative. As in NLTK, when the first n-gram is read.

    Example:
        >>> from truebleu.compat.nltk import ngrams
        >>> list(ngrams("abcd", 3))
        [('a', 'b', 'c'), ('b', 'c', 'd')]
        >>> list(ngrams("ab", 2, pad_right=True, right_pad_symbol="</s>"))
        [('a', 'b'), ('b', '</s>')]
    """
    tokens = pad_sequence(sequence, n, **kwargs)
    latest: deque[Any] = deque(islice(tokens, n), maxlen=n)
    if len(latest) == n:
        yield tuple(latest)
    for token in tokens:
        latest.append(token)
        yield tuple(latest)


def pad_sequence(
    sequence: Iterable[Any],
    n: int,
    pad_left: bool = False,
    pad_right: bool = False,
    left_pad_symbol: Any = None,
    right_pad_symbol: Any = None,
) -> Iterator[Any]:
    """The sequence with n - 1 symbols on either side, if requested."""
    tokens = iter(sequence)
    if pad_left:
        tokens = chain((left_pad_symbol,) * (n - 1), tokens)
    if pad_right:
        tokens = chain(tokens, (right_pad_symbol,) * (n - 1))
    return tokens


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
    """Clipped matches over n-grams of one segment, as an unreduced Fraction.

    Args:
        references: a list of references, each a list of tokens.
        hypothesis: a list of tokens.
        n: the n-gram order.

    Returns:
        The matched n-grams over the n-grams of the hypothesis, which are at least 1. An n-gram
        matches at most as often as it occurs in any one reference.

    Raises:
        KeyError: there are no references.
        TypeError: a token is not hashable.

    Example:
        >>> from truebleu.compat.nltk import modified_precision
        >>> p = modified_precision(["the cat is on the mat".split()], "the the the the".split(), 1)
        >>> p.numerator, p.denominator, float(p)
        (2, 4, 0.5)
    """
    present = Counter(ngrams(hypothesis, n)) if len(hypothesis) >= n else Counter()
    allowed: dict[Any, int] = {}
    for reference in references:
        in_reference = Counter(ngrams(reference, n)) if len(reference) >= n else Counter()
        for ngram in present:
            allowed[ngram] = max(allowed.get(ngram, 0), in_reference[ngram])
    matches = sum(min(times, allowed[ngram]) for ngram, times in present.items())
    return Fraction(matches, max(1, sum(present.values())), _normalize=False)


def closest_ref_length(references: Iterable[Any], hyp_len: int) -> int:
    """The reference length closest to `hyp_len`; the shorter of two that are equally close.

    Raises:
        ValueError: there are no references.

    Example:
        >>> from truebleu.compat.nltk import closest_ref_length
        >>> closest_ref_length([["a"] * 5, ["a"] * 3], 4)
        3
    """
    lengths = (len(reference) for reference in references)
    return min(lengths, key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """The penalty for hypotheses that are shorter than their references: exp(1 - r/c).

    Returns:
        A float; the int 1 for longer hypotheses, the int 0 for empty ones.

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
    """Smoothing for short segments (Chen and Cherry 2014, table 1), as in NLTK 3.10.4.

    The numbers of the methods are the paper's; where a formula differs, the method says so. All
    take `(p_n, references, hypothesis, hyp_len)`: the precisions are Fractions whose numerators and
    denominators are counts. Methods 3 to 7 change the list `p_n`.

    Args:
        epsilon: for method 1.
        alpha: for method 6.
        k: for methods 4 and 7.

    Example:
        >>> from truebleu.compat.nltk import SmoothingFunction, sentence_bleu
        >>> smooth = SmoothingFunction(epsilon=0.01).method1
        >>> sentence_bleu(["a b c d".split()], "a b c e".split(), smoothing_function=smooth)
        0.223606797749979
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon, self.alpha, self.k = epsilon, alpha, k

    def method0(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: a precision of 0 becomes the smallest normal float, with a UserWarning."""
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
        """Orders without a match get `epsilon` matches."""
        return [(p.numerator + self.epsilon) / p.denominator if p.numerator == 0 else p for p in p_n]

    def method2(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """Add 1 to matches and totals from order 2 on (Lin and Och 2004)."""
        added = [(p_n[i].numerator + 1, p_n[i].denominator + 1) for i in range(1, len(p_n))]
        return [*p_n[:1], *(Fraction(*counts, _normalize=False) for counts in added)]

    def method3(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """The j-th order without a match gets 1 / 2^j matches (NIST, mteval-v13a)."""
        zeros = 0
        for i, p in enumerate(p_n):
            if p.numerator == 0:
                zeros += 1
                p_n[i] = 1 / (2**zeros * p.denominator)
        return p_n

    def method4(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """The j-th order without a match gets ln(hyp_len) / (k 2^j) matches.

        The paper has powers of ln(hyp_len) / k without 2^j. A single token is not smoothed.
        """
        zeros = 0
        hyp_len = hyp_len or len(hypothesis)
        for i, p in enumerate(p_n):
            if p.numerator == 0 and hyp_len > 1:
                zeros += 1
                p_n[i] = 1 / (2**zeros * self.k / math.log(hyp_len)) / p.denominator
        return p_n

    def method5(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """The mean of the precisions of the order itself, the one below (smoothed), the one above.

        The paper averages matches. NLTK uses the 5-gram precision of the last segment above the
        last order, whichever that is, and the first precision plus 1 below the first order, so that
        a perfect hypothesis scores more than 1.
        """
        above = p_n + [modified_precision(references, hypothesis, 5)]  # noqa: RUF005  arrays add
        below = p_n[0] + 1
        for i, p in enumerate(p_n):
            p_n[i] = below = (below + p + above[i + 1]) / 3
        return p_n

    def method6(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """From order 3 on, interpolate with a prior from the two lower orders (Gao and He 2013).

        The prior has the weight of `alpha` n-grams. Totals are those of the last segment, matches
        those of all segments.

        Raises:
            AssertionError: no trigram matches. (The message says bigrams.)
            IndexError: there are fewer than three orders.
        """
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
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Method 4, then method 5."""
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len)


_OURS = Door(sys.modules[__name__])

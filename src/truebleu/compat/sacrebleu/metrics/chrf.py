# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's chrF, counted by the kernel where `metrics.kernel` says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.metrics.base import Score, Signature
from truebleu.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from truebleu.compat.sacrebleu.metrics.kernel import KernelMetric
from truebleu.compat.sacrebleu.utils import sum_of_lists
from truebleu.errors import TrueBLEUError
from truebleu.metrics.chrf import CHRF as Kernel

__all__ = [
    "CHRF", "CHRFScore", "CHRFSignature", "Score", "Signature", "extract_all_char_ngrams",
    "extract_word_ngrams", "sum_of_lists",
]  # fmt: skip

#: The precision and recall of an order without n-grams.
_EPS = 1e-16


class CHRFSignature(Signature):
    """The settings of a chrF score (sacreBLEU 2.6.0, `metrics.chrf.CHRFSignature`).

    Args:
        args: the attributes of the metric.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"})
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """A chrF score (sacreBLEU 2.6.0, `metrics.chrf.CHRFScore`).

    Args:
        score: the number.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; the name has a + for each.
        beta: the weight of recall relative to precision.
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(KernelMetric):
    """chrF and chrF++ (sacreBLEU 2.6.0, `metrics.chrf.CHRF`).

    As in sacreBLEU, the first of several references with the same F-score counts, so the order of
    references can change a score. `truebleu.CHRF` takes the longest of them.

    Args:
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; 2 makes chrF++.
        beta: the weight of recall relative to precision.
        lowercase: lowercase the text.
        whitespace: count spaces as characters.
        eps_smoothing: give an order without n-grams a tiny score instead of skipping it.
        references: streams of references to cache for several systems.

    Example:
        >>> from truebleu.compat.sacrebleu.metrics import CHRF
        >>> chrf = CHRF(word_order=2)
        >>> chrf.corpus_score(["a b c d e"], [["a b c d f"]])
        chrF2++ = 60.95
        >>> chrf.get_signature()
        nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0
    """

    CHAR_ORDER = 6

    WORD_ORDER = 0

    BETA = 2

    _PUNCTS = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")  # noqa: RUF012  # sacreBLEU's

    _SIGNATURE_TYPE = CHRFSignature

    _REFERENCE_SETTINGS = ("lowercase", "char_order", "word_order", "whitespace")

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = self.char_order + self.word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._keep_references(references)

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[int]:
        """The n-grams of the hypothesis (0 if the reference has none), the reference, and both."""
        matches = sum(
            min(count, ref_ngrams[ngram])
            for ngram, count in hyp_ngrams.items()
            if ngram in ref_ngrams
        )
        in_hyp = sum(hyp_ngrams.values()) if ref_ngrams else 0
        return [in_hyp, sum(ref_ngrams.values()), matches]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """The words, with punctuation at the end, or else the start, of each split off."""
        words = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in self._PUNCTS:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in self._PUNCTS:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        return words

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _compute_f_score(self, statistics: list[int]) -> float:
        """The F-score of a row, which is a list or a NumPy array."""
        factor = self.beta**2
        sum_of_scores = 0.0
        precision, recall = 0.0, 0.0
        orders = 0
        for i in range(self.order):
            in_hyp, in_ref, matches = statistics[3 * i : 3 * i + 3]
            share_of_hyp = matches / in_hyp if in_hyp > 0 else _EPS
            share_of_ref = matches / in_ref if in_ref > 0 else _EPS
            weighted = factor * share_of_hyp + share_of_ref
            sum_of_scores += (
                (1 + factor) * share_of_hyp * share_of_ref / weighted if weighted > 0 else _EPS
            )
            if in_hyp > 0 and in_ref > 0:
                precision += share_of_hyp
                recall += share_of_ref
                orders += 1
        if self.eps_smoothing:
            return 100 * sum_of_scores / self.order
        if orders == 0:
            return 0.0
        precision /= orders
        recall /= orders
        if not precision + recall:
            return 0.0
        score = (1 + factor) * precision * recall
        score /= (factor * precision) + recall
        return 100 * score

    def _compute_score_from_stats(self, stats: list[int]) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _aggregate_and_compute(self, stats: list[list[int]]) -> CHRFScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    def _ngrams(self, line: str) -> list[Counter[str]]:
        ngrams = extract_all_char_ngrams(line, self.char_order, self.whitespace)
        if self.word_order > 0:
            words = self._remove_punctuation(line)
            ngrams += [extract_word_ngrams(words, n) for n in range(1, self.word_order + 1)]
        return ngrams

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_ngrams": [self._ngrams(ref) for ref in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        ngrams = self._ngrams(hypothesis)
        best: list[int] = []
        best_score = -1.0
        for ref_ngrams in ref_kwargs["ref_ngrams"]:
            row = []
            for mine, its in zip(ngrams, ref_ngrams):  # noqa: B905  # a cache may have other orders
                row += self._get_match_statistics(mine, its)
            score = self._compute_f_score(row)
            if score > best_score:
                best, best_score = row, score
        return best

    def _lowers(self) -> bool:
        return bool(self.lowercase)

    def _kernel(self) -> Kernel | None:
        if (
            type(self) is not CHRF
            or self._is_patched()
            or self.order != self.char_order + self.word_order
        ):
            return None
        try:
            return _compile(
                self.char_order, self.word_order, self.beta, self.whitespace, self.eps_smoothing
            )
        except TypeError:  # a setting without a hash
            return None


@lru_cache(maxsize=64, typed=True)
def _compile(
    char_order: Any, word_order: Any, beta: Any, whitespace: Any, eps_smoothing: Any
) -> Kernel | None:
    """The kernel's metric for these settings; None if its counts would be others."""
    if type(char_order) is not int or type(word_order) is not int:
        return None
    # The square of a larger integer is not exact as a float.
    if type(beta) not in (int, float) or not 0 <= beta < 1e6:
        return None
    try:
        return Kernel(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            whitespace=bool(whitespace),
            eps_smoothing=bool(eps_smoothing),
            tie="first",
        )
    except TrueBLEUError:  # no n-grams at all
        return None

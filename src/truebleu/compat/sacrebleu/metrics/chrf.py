# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's chrF. The kernel counts, unless a hook of the class is not the one written here."""

from __future__ import annotations

from operator import attrgetter

from truebleu.compat.sacrebleu import kernel
from truebleu.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from truebleu.compat.sacrebleu.metrics.on_kernel import CountedOnKernel
from truebleu.compat.sacrebleu.metrics.score import Score, Signature
from truebleu.compat.sacrebleu.utils import sum_of_lists
from truebleu.errors import TrueBLEUError
from truebleu.inputs.corpus import exports_arrow
from truebleu.metrics.chrf import CHRF as Kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from typing import Any

__all__ = [
    "CHRF", "CHRFScore", "CHRFSignature", "Score", "Signature", "extract_all_char_ngrams",
    "extract_word_ngrams", "sum_of_lists",
]  # fmt: skip

#: What stands for a share of nothing.
_EPS = 1e-16


class CHRFSignature(Signature):
    """How a chrF score came about (sacreBLEU 2.6.0, `metrics.chrf.CHRFSignature`).

    Args:
        args: attributes of the metric.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"})
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "no" if args["eps_smoothing"] else "yes",
                "nc": args["char_order"],
                "nw": args["word_order"],
                "space": "yes" if args["whitespace"] else "no",
            }
        )


class CHRFScore(Score):
    """A chrF score (sacreBLEU 2.6.0, `metrics.chrf.CHRFScore`).

    Args:
        score: the number.
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; a + in the name for each.
        beta: how many times as much recall counts as precision.
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(CountedOnKernel):
    """chrF and chrF++ (sacreBLEU 2.6.0, `metrics.chrf.CHRF`).

    Of references whose F-scores are equal, the one listed first counts, as in the original: the
    order of the references can change a score. `truebleu.CHRF` takes the longer one.

    Args:
        char_order: the longest n-grams of characters.
        word_order: the longest n-grams of words; 2 makes chrF++.
        beta: how many times as much recall counts as precision.
        lowercase: lower-case the text.
        whitespace: blanks are characters, too.
        eps_smoothing: an order without n-grams counts a little, in place of being left out.
        references: streams of references to keep for many systems.

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

    _PUNCTS = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")  # noqa: RUF012  # the original's

    _SIGNATURE_TYPE = CHRFSignature

    _PREPARED = ("lowercase", "char_order", "word_order", "whitespace")

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
        if exports_arrow(char_order) or exports_arrow(word_order):
            # PyArrow's sum of an array and a list that holds itself crashes.
            raise TypeError("an order is a whole number, not Arrow data")
        self.order = self.char_order + self.word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        if references is not None and not self._keep(references):
            self._ref_cache = self._cache_references(references)

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[int]:
        """N-grams of the hypothesis (0 if the reference has none), the reference, and both."""
        matches = sum(
            min(count, ref_ngrams[ngram])
            for ngram, count in hyp_ngrams.items()
            if ngram in ref_ngrams
        )
        in_hyp = sum(hyp_ngrams.values()) if ref_ngrams else 0
        return [in_hyp, sum(ref_ngrams.values()), matches]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """Words; a sign at the end of one, or else at its start, is a word of its own."""
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
        """The F-score of a row: a list or a NumPy array, as the original computes with either."""
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

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> CHRFScore:
        """Score a corpus; see `Metric.corpus_score`."""
        if n_bootstrap <= 1:
            streams = self._kept() if references is None else references
            counted = self._counted(kernel.total, hypotheses, streams)
            if counted is not None:
                row, self.num_refs = counted
                return self._compute_score_from_stats(row)
        return super().corpus_score(hypotheses, references, n_bootstrap)  # type: ignore[no-any-return]

    @property
    def _lowers(self) -> bool:
        return bool(self.lowercase)

    def _kernel(self) -> Kernel | None:
        """The kernel's metric with these settings, or None if it would not do the same."""
        if (
            _hooks(self.__class__) != _HOOKS
            or not _HOOK_NAMES.isdisjoint(self.__dict__)
            or (extract_all_char_ngrams, extract_word_ngrams, sum_of_lists) != _FUNCTIONS
            or self.order != self.char_order + self.word_order
        ):
            return None
        settings = (
            self.char_order, self.word_order, self.beta, bool(self.whitespace),
            bool(self.eps_smoothing),
        )  # fmt: skip
        if (type(settings[0]), type(settings[1])) != (int, int) or type(settings[2]) not in _REAL:
            return None
        if settings not in _kernels:
            if len(_kernels) >= 64:
                _kernels.clear()
            _kernels[settings] = _compiled(*settings)
        return _kernels[settings]


def _compiled(
    char_order: int, word_order: int, beta: float, whitespace: bool, eps_smoothing: bool
) -> Kernel | None:
    # The square of a larger one is no float without rounding, with which Python computes.
    if not 0 <= beta < 1e6:
        return None
    try:
        return Kernel(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
            tie="first",
        )
    except TrueBLEUError:  # no n-grams at all
        return None


_REAL = (int, float)

#: What a score depends on in the class. If one is another, the kernel is not asked.
_HOOK_NAMES = frozenset(
    {
        "_PUNCTS",
        "_aggregate_and_compute",
        "_cache_references",
        "_check_corpus_score_args",
        "_check_sentence_score_args",
        "_compute_f_score",
        "_compute_score_from_stats",
        "_compute_segment_statistics",
        "_extract_corpus_statistics",
        "_extract_reference_info",
        "_get_match_statistics",
        "_preprocess_segment",
        "_remove_punctuation",
    }
)
_hooks = attrgetter(*_HOOK_NAMES)
_HOOKS = _hooks(CHRF)
_FUNCTIONS = (extract_all_char_ngrams, extract_word_ngrams, sum_of_lists)

#: What was compiled, by settings.
_kernels: dict[tuple[Any, ...], Kernel | None] = {}

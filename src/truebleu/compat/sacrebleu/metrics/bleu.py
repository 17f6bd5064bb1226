# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's BLEU, scored by the kernel where `metrics.kernel` says so."""

from __future__ import annotations

import logging
import math
import sys
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from truebleu.compat.sacrebleu.metrics.base import Metric, Score, Signature
from truebleu.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from truebleu.compat.sacrebleu.metrics.kernel import KernelMetric
from truebleu.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from truebleu.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from truebleu.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from truebleu.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_spm import (
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)
from truebleu.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from truebleu.compat.sacrebleu.utils import my_log, sum_of_lists
from truebleu.errors import TrueBLEUError
from truebleu.metrics.bleu import BLEU as Kernel

__all__ = [
    "BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature", "Metric", "Score", "Signature",
    "extract_all_word_ngrams", "my_log", "sacrelogger", "sum_of_lists",
]  # fmt: skip

sacrelogger = logging.getLogger("sacrebleu")

MAX_NGRAM_ORDER = 4

#: The kernel has the first five.
_CLASSES: dict[str, type] = {
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
    "spm": TokenizerSPM,
    "flores101": Flores101Tokenizer,
    "flores200": Flores200Tokenizer,
    "spBLEU-1K": spBLEU1KTokenizer,
}
_KERNEL_NAMES = {_CLASSES[name]: name for name in ("none", "zh", "13a", "intl", "char")}

#: As in sacreBLEU: the module and class of each tokenizer.
_TOKENIZERS = {
    name: f"{tokenizer.__module__.rpartition('.')[2]}.{tokenizer.__name__}"
    for name, tokenizer in _CLASSES.items()
}

#: The target languages that have a tokenizer, in the warning about any other.
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


def _get_tokenizer(name: str) -> Any:
    """The class of a tokenizer."""
    return _CLASSES[name]


class BLEUScore(Score):
    """A BLEU score and its parts (sacreBLEU 2.6.0, `metrics.bleu.BLEUScore`).

    Args:
        score: the number, 0 to 100.
        counts: matches of each order.
        totals: n-grams of the hypotheses, of each order.
        precisions: in percent, after smoothing.
        bp: the brevity penalty.
        sys_len: words of the hypotheses.
        ref_len: words of the references.

    Example:
        >>> from truebleu.compat.sacrebleu import corpus_bleu
        >>> corpus_bleu(["the cat is on the mat"], [["the cat sat on the mat"]])
        BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """

    # Texts take longer than the score of a sentence, so they are made when they are first read.
    name = "BLEU"
    _mean = -1.0
    _ci = -1.0
    prec_str: str
    ratio: float

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        self.score = score
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len

    def __getattr__(self, name: str) -> Any:
        if name not in ("prec_str", "ratio", "_verbose"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.prec_str = "/".join([f"{precision:.1f}" for precision in self.precisions])
        self.ratio = self.sys_len / self.ref_len if self.ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )
        return getattr(self, name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """All attributes, in the order in which sacreBLEU sets them."""
        own: dict[str, Any] = Score.__dict__["__dict__"].__get__(self)
        if "ref_len" in own and not own.keys() >= {*_ORDER}:
            attributes = {**{name: getattr(self, name) for name in _ORDER}, **own}
            own.clear()
            own.update(attributes)
        return own


_ORDER = (
    "name", "score", "_mean", "_ci", "_verbose", "bp", "counts", "totals", "sys_len", "ref_len",
    "precisions", "prec_str", "ratio",
)  # fmt: skip


class BLEUSignature(Signature):
    """The settings of a BLEU score (sacreBLEU 2.6.0, `metrics.bleu.BLEUSignature`).

    Args:
        args: the attributes of the metric.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "eff": "e", "tok": "tok", "smooth": "s"})
        smooth = args["smooth_method"]
        value = BLEU.SMOOTH_DEFAULTS[smooth]
        if value is not None:
            if args["smooth_value"] is not None:
                value = args["smooth_value"]
            smooth += f"[{value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth,
        }


class BLEU(KernelMetric):
    """BLEU (sacreBLEU 2.6.0, `metrics.bleu.BLEU`), about 300 times as fast.

    A subclass, and an object of which a method was replaced, are scored by the hooks in Python.
    Replacing a method of this class itself may have no effect.

    Args:
        lowercase: lowercase the text.
        force: do not warn about text that looks tokenized.
        tokenize: a tokenizer's name; by default the one for `trg_lang`, otherwise 13a.
        smooth_method: `exp`, `floor`, `add-k` or `none`.
        smooth_value: for floor (default: 0.1) and add-k (default: 1).
        max_ngram_order: the longest n-grams.
        effective_order: skip orders for which the hypothesis has no n-grams.
        trg_lang: the target language, which selects the tokenizer or warns about another.
        references: streams of references to cache for several systems.

    Raises:
        AssertionError: unknown smoothing method.
        KeyError: unknown tokenizer.

    Example:
        >>> from truebleu.compat.sacrebleu.metrics import BLEU
        >>> bleu = BLEU()
        >>> bleu.corpus_score(["a b c d e"], [["a b c d f"]]).score
        66.87403049764218
        >>> bleu.get_signature()
        nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {
        "none": None,
        "floor": 0.1,
        "add-k": 1,
        "exp": None,
    }

    TOKENIZERS = _TOKENIZERS.keys()

    TOKENIZER_DEFAULT = "13a"

    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

    _SIGNATURE_TYPE = BLEUSignature

    _REFERENCE_SETTINGS = ("lowercase", "tokenizer", "max_ngram_order")

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        if self.smooth_method not in self.SMOOTH_DEFAULTS:
            # The braces are sacreBLEU's.
            raise AssertionError("Unknown smooth_method {self.smooth_method!r}")
        best = BLEU._TOKENIZER_MAP.get(self.trg_lang)
        if tokenize is None:
            tokenize = self._TOKENIZER_MAP.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        elif best and tokenize != best:
            advice = "Consider using the %r or 'spm' tokenizer for %s."
            sacrelogger.warning(advice, best, _LANGUAGES[self.trg_lang])
        self.tokenizer = _get_tokenizer(tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        self._keep_references(references)

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """The score of counts, which are Python or NumPy numbers.

        As in sacreBLEU, `add-k` changes the lists `correct` and `total`, which the score keeps.

        Args:
            correct: matches of each order.
            total: n-grams of the hypotheses, of each order.
            sys_len: words of the hypotheses.
            ref_len: words of the references.
            smooth_method: `exp`, `floor`, `add-k` or `none`.
            smooth_value: for floor (default: 0.1) and add-k (default: 1).
            effective_order: skip orders for which the hypothesis has no n-grams.
            max_ngram_order: the longest n-grams.

        Raises:
            AssertionError: unknown smoothing method.
        """
        if smooth_method not in BLEU.SMOOTH_DEFAULTS:
            raise AssertionError("Unknown smooth_method {smooth_method!r}")
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, bp, sys_len, ref_len)
        halving = 1.0
        orders = max_ngram_order
        for i in range(len(precisions)):
            if smooth_method == "add-k" and i > 0:
                correct[i] += smooth_value  # type: ignore[assignment, operator]
                total[i] += smooth_value  # type: ignore[assignment, operator]
            if total[i] == 0:
                break
            if effective_order:
                orders = i + 1
            if correct[i] != 0:
                precisions[i] = 100.0 * correct[i] / total[i]
            elif smooth_method == "exp":
                halving *= 2
                precisions[i] = 100.0 / (halving * total[i])
            elif smooth_method == "floor":
                precisions[i] = 100.0 * smooth_value / total[i]  # type: ignore[operator]
        logarithms = sum([my_log(precision) for precision in precisions[:orders]])
        score = bp * math.exp(logarithms / orders)
        return BLEUScore(score, correct, total, precisions, bp, sys_len, ref_len)

    def _preprocess_segment(self, sent: str) -> str:
        if self.lowercase:
            sent = sent.lower()
        return self.tokenizer(sent.rstrip())  # type: ignore[no-any-return]

    def _compute_score_from_stats(self, stats: list[int]) -> BLEUScore:
        return self.compute_bleu(
            correct=stats[2 : 2 + self.max_ngram_order],
            total=stats[2 + self.max_ngram_order :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )

    def _aggregate_and_compute(self, stats: list[list[int]]) -> BLEUScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        """The closest length, the shorter of two; -1 without references."""
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        pool: Counter[tuple[str, ...]] | None = None
        lengths = []
        for ref in refs:
            ngrams, length = extract_all_word_ngrams(ref, 1, self.max_ngram_order)
            lengths.append(length)
            if pool is None:
                pool = ngrams
            else:
                for ngram, count in ngrams.items():
                    pool[ngram] = max(pool[ngram], count)
        return {"ref_ngrams": pool, "ref_lens": lengths}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        pool, lengths = ref_kwargs["ref_ngrams"], ref_kwargs["ref_lens"]
        ngrams, hyp_len = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        ref_len = self._get_closest_ref_len(hyp_len, lengths)
        matches, totals = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in ngrams.items():
            totals[len(ngram) - 1] += count
            if ngram in pool:
                matches[len(ngram) - 1] += min(count, pool[ngram])
        return [hyp_len, ref_len, *matches, *totals]

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Score one segment; see `Metric.sentence_score`. Warns without `effective_order`."""
        if not self.effective_order:
            sacrelogger.warning(
                "It is recommended to enable `effective_order` for sentence-level BLEU."
            )
        # add-k also changes the counts of the score, which the formula in Python does.
        if (
            type(hypothesis) is str
            and type(references) in (list, tuple)
            and self.smooth_method != "add-k"
        ):
            kernel = self._sentence_kernel()
            parts = None if kernel is None else kernel.plan.sentence(hypothesis, references)
            if parts is not None:
                score, bp, precisions, counts, totals, hyp_len, ref_len, self.num_refs = parts
                return BLEUScore(score, counts, totals, precisions, bp, hyp_len, ref_len)
        return super().sentence_score(hypothesis, references)  # type: ignore[no-any-return]

    def _kernel(self) -> Kernel | None:
        tokenizer = _KERNEL_NAMES.get(type(self.tokenizer))
        if tokenizer is None or type(self) is not BLEU or self._is_patched():
            return None
        try:
            return _compile(
                tokenizer, self.lowercase, self.max_ngram_order, self.smooth_method,
                self.smooth_value, self.effective_order,
            )  # fmt: skip
        except TypeError:  # a setting without a hash
            return None

    def _sentence_kernel(self) -> Kernel | None:
        """`_kernel`, in half the time if the attributes are those of the last call."""
        if type(self) is not BLEU:
            return None
        attributes, kernel = _last_call[0]
        try:
            # The order 4.0 equals 4, but is an error.
            if attributes == self.__dict__ and type(self.max_ngram_order) is int:
                return kernel
        except Exception:  # noqa: BLE001, S110  (attributes that cannot be compared: arrays)
            pass
        kernel = self._kernel()
        if "_kept" not in self.__dict__ and self._infos is None:  # do not keep references alive
            _last_call[0] = self.__dict__.copy(), kernel
        return kernel


#: The attributes of the object that scored a sentence last, and its kernel.
_last_call: list[tuple[dict[str, Any], Kernel | None]] = [({}, None)]


@lru_cache(maxsize=256, typed=True)
def _compile(
    tokenizer: str, lowercase: Any, order: Any, method: Any, value: Any, effective_order: Any
) -> Kernel | None:
    """The kernel's metric for these settings; None if its scores would be others."""
    if type(order) is not int or order < 1:
        return None
    if value is not None and not (type(value) in (int, float) and 0 <= value < 1e9):
        return None
    try:
        return Kernel(
            "sacrebleu",
            tokenize=tokenizer,
            lowercase=bool(lowercase),
            max_ngram_order=order,
            smooth_method=method,
            smooth_value=value,
            effective_order=bool(effective_order),
            # Python's `sum` is more exact since 3.12, and so are sacreBLEU's scores there.
            summation="naive" if sys.version_info < (3, 12) else "compensated",
        )
    except TrueBLEUError:  # a method or value that sacreBLEU refuses later
        return None

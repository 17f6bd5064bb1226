# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's BLEU. The kernel scores, unless a hook of the class is not the one written here.

Subclasses may override every hook, and tests and tools may replace one on the class, on an object
or in this module: such a metric goes sacreBLEU's way, hook after hook, in plain Python.
"""

from __future__ import annotations

import logging
import math
import sys
from importlib import import_module
from operator import attrgetter

from truebleu.compat.sacrebleu import kernel
from truebleu.compat.sacrebleu.metrics.base import Metric, Score, Signature, Watched, changes
from truebleu.compat.sacrebleu.metrics.bleu_score import BLEUScore
from truebleu.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from truebleu.compat.sacrebleu.metrics.on_kernel import BLEUOnKernel, compiled
from truebleu.compat.sacrebleu.utils import my_log, sum_of_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from truebleu.compat.sacrebleu.metrics.on_kernel import Kernel

__all__ = [
    "BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature", "Metric", "Score", "Signature",
    "extract_all_word_ngrams", "my_log", "sacrelogger", "sum_of_lists",
]  # fmt: skip

sacrelogger = logging.getLogger("sacrebleu")

MAX_NGRAM_ORDER = 4

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}

#: Tokenizers that fit a target language, and what is said to who takes another.
_ADVICE = {
    "zh": ("zh", "Consider using the 'zh' or 'spm' tokenizer for Chinese."),
    "ja": ("ja-mecab", "Consider using the 'ja-mecab' or 'spm' tokenizer for Japanese."),
    "ko": ("ko-mecab", "Consider using the 'ko-mecab' or 'spm' tokenizer for Korean."),
}


def _get_tokenizer(name: str) -> Any:
    """The class of a tokenizer, imported when it is asked for."""
    module, _, class_name = _TOKENIZERS[name].rpartition(".")
    path = f"truebleu.compat.sacrebleu.tokenizers.{module}"
    return getattr(sys.modules.get(path) or import_module(path), class_name)


class BLEUSignature(Signature):
    """How a BLEU score came about (sacreBLEU 2.6.0, `metrics.bleu.BLEUSignature`).

    Args:
        args: attributes of the metric.
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
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "yes" if args["effective_order"] else "no",
                "tok": args["tokenizer_signature"],
                "smooth": smooth,
            }
        )


class BLEU(BLEUOnKernel):
    """BLEU (sacreBLEU 2.6.0, `metrics.bleu.BLEU`), about 300 times as fast.

    Args:
        lowercase: lower-case the text.
        force: say nothing about text that looks tokenized.
        tokenize: a tokenizer's name; by default the one for `trg_lang`, else 13a.
        smooth_method: `exp`, `floor`, `add-k` or `none`.
        smooth_value: of floor (0.1 if not given) and add-k (1).
        max_ngram_order: the longest n-grams that count.
        effective_order: leave out orders of which the hypothesis has no n-gram.
        trg_lang: a language code, to choose the tokenizer or to warn of another.
        references: streams of references to keep for many systems.

    Raises:
        AssertionError: there is no such smoothing method.
        KeyError: there is no such tokenizer.

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
        if tokenize is None:
            tokenize = self._TOKENIZER_MAP.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        else:
            best, advice = _ADVICE.get(self.trg_lang, (tokenize, ""))
            if tokenize != best:
                sacrelogger.warning(advice)
        self.tokenizer = _get_tokenizer(tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None and not self._keep(references):
            self._ref_cache = self._cache_references(references)

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
        """The score of counts: Python or NumPy numbers, as sacreBLEU computes with either.

        `add-k` adds to `correct` and `total` themselves, and they become the score's counts.

        Args:
            correct: matches of each order.
            total: n-grams of the hypotheses, of each order.
            sys_len: words of the hypotheses.
            ref_len: words of the references.
            smooth_method: `exp`, `floor`, `add-k` or `none`.
            smooth_value: of floor (0.1 if not given) and add-k (1).
            effective_order: leave out orders of which the hypothesis has no n-gram.
            max_ngram_order: the longest n-grams that count.

        Raises:
            AssertionError: there is no such smoothing method.
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
        """The length nearest to that of the hypothesis, the shorter of two; -1 if there is none."""
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
        if type(hypothesis) is str and type(references) in (list, tuple):
            kernel = self._kernel_again()
            found = None if kernel is None else kernel[1](hypothesis, references)
            if found is not None:
                return self._sentence(found)
        return super().sentence_score(hypothesis, references)  # type: ignore[no-any-return]

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Score a corpus; see `Metric.corpus_score`."""
        found = None if n_bootstrap > 1 else self._kernel()
        if found is not None:
            streams = self._kept() if references is None else references
            total = kernel.total(found[0], hypotheses, streams)
            if total is not None:
                row, self.num_refs = total
                self._warn(hypotheses)
                return self._score(row, found[2](row))
        return super().corpus_score(hypotheses, references, n_bootstrap)  # type: ignore[no-any-return]

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[int]]:
        found = self._kernel()
        if found is not None:
            made = kernel.rows(found[0], hypotheses, references or self._kept())
            if made is not None:
                rows, self.num_refs = made
                self._warn(hypotheses)
                return rows
        return super()._extract_corpus_statistics(hypotheses, references)  # type: ignore[no-any-return]

    def _kernel_again(self) -> Kernel | None:
        """`_kernel`, in half the time if all is as it was for the last sentence."""
        known = _known.get(self.__class__)
        if known is not None:
            try:
                if (
                    known[0] == self.__dict__
                    and known[1] == changes[0]
                    and type(self.max_ngram_order) is int
                    and known[2] is type(self.tokenizer).__call__
                    and (extract_all_word_ngrams, my_log, sum_of_lists) == _FUNCTIONS
                ):
                    return known[3]
            except Exception:  # noqa: S110, BLE001  (attributes that compare to no truth value)
                pass
        counted = changes[0]
        found = self._kernel()
        watched = all(isinstance(kind, Watched) for kind in self.__class__.__mro__[:-1])
        # References are not kept alive longer than their metric.
        if found is not None and watched and not self._keeps_references():
            if len(_known) >= 64:
                _known.clear()
            call = type(self.tokenizer).__call__
            _known[self.__class__] = self.__dict__.copy(), counted, call, found
        return found

    def _kernel(self) -> Kernel | None:
        """The kernel's metric with these settings, or None if it would not do the same."""
        if (
            _hooks(self.__class__) != _HOOKS
            or not _HOOK_NAMES.isdisjoint(self.__dict__)
            or (extract_all_word_ngrams, my_log, sum_of_lists) != _FUNCTIONS
            or type(self.max_ngram_order) is not int  # 4.0 is as good a key as 4
        ):
            return None
        tokenizer = type(self.tokenizer)
        native = tokenizer.__dict__.get("_native")
        if native is None or tokenizer.__call__ is not native[1]:
            return None
        settings = (
            native[0], self.lowercase, self.max_ngram_order, self.smooth_method,
            self.smooth_value, self.effective_order,
        )  # fmt: skip
        try:
            return _kernels[settings]
        except KeyError:
            if len(_kernels) >= 256:
                _kernels.clear()
            return _kernels.setdefault(settings, compiled(*settings))
        except TypeError:  # a setting that no one thought of
            return None


#: What a score depends on in the class. If one is another, the kernel is not asked.
_HOOK_NAMES = frozenset(
    {
        "_aggregate_and_compute",
        "_cache_references",
        "_check_corpus_score_args",
        "_check_sentence_score_args",
        "_compute_score_from_stats",
        "_compute_segment_statistics",
        "_extract_corpus_statistics",
        "_extract_reference_info",
        "_get_closest_ref_len",
        "_preprocess_segment",
        "compute_bleu",
    }
)
_hooks = attrgetter(*_HOOK_NAMES)
_HOOKS = _hooks(BLEU)
_FUNCTIONS = (extract_all_word_ngrams, my_log, sum_of_lists)

#: By class: the attributes of the object asked last, what else its kernel depends on, the kernel.
#: The same attributes make the same kernel, whatever object has them.
_known: dict[type, tuple[dict[str, Any], int, Any, Kernel]] = {}

#: What was compiled, by settings.
_kernels: dict[tuple[Any, ...], Kernel | None] = {}

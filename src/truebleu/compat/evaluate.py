# SPDX-License-Identifier: Apache-2.0
"""A drop-in for metrics of Hugging Face's evaluate 0.4.6: bleu, sacrebleu, google_bleu, chrf, ter.

>>> from truebleu.compat import evaluate

Nothing is downloaded, and examples stay in memory instead of a cache file. Results have the keys
and the last bits of the originals.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from truebleu.compat.nltk.gleu_score import corpus_gleu
from truebleu.compat.periods import warn_of_periods
from truebleu.errors import describe, suggest
from truebleu.metrics.bleu import cached_bleu
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.steps import steps
from truebleu.metrics.ter import TER

Tokenizer = Callable[[str], Sequence[Any]]
Texts = list[Any]
Rows = list[list[Any]]
Result = dict[str, Any]

#: Python's `sum`, which the originals call, is more exact since 3.12.
_SUMMATION = "naive" if sys.version_info < (3, 12) else "compensated"


def load(
    path: str,
    config_name: str | None = None,  # noqa: ARG001  (no metric has configurations)
    module_type: str | None = None,
    process_id: int = 0,
    num_process: int = 1,
    **_: Any,
) -> EvaluationModule:
    """A new metric.

    Args:
        path: `bleu`, `sacrebleu`, `google_bleu`, `chrf` or `ter`.
        module_type: `metric` or None.
        process_id, num_process: of one process.
        config_name: has no effect, as all other arguments of the original.

    Raises:
        FileNotFoundError: there is no such metric here.
        ValueError: there are several processes, whose examples evaluate gathers in files. Use
            `truebleu.BLEU().accumulator()`, whose states add.

    Example:
        >>> from truebleu.compat import evaluate
        >>> evaluate.load("google_bleu").compute(predictions=["a b c"], references=[["a b d"]])
        {'google_bleu': 0.5}
    """
    if path not in _METRICS or module_type not in (None, "metric"):
        kind = module_type or "metric"
        raise FileNotFoundError(f"there is no {kind} {suggest(path, _METRICS)}")
    if (process_id, num_process) != (0, 1):
        raise ValueError("several processes share no files here; add up accumulators of BLEU")
    return EvaluationModule(path)


def combine(evaluations: Evaluations, force_prefix: bool = False) -> CombinedEvaluations:
    """Several metrics of the same examples.

    Args:
        evaluations: metrics, or their names; in a mapping, by names for the result.
        force_prefix: whether each key of the result begins with the name of its metric, not only \
        keys that several metrics have.

    Example:
        >>> from truebleu.compat import evaluate
        >>> evaluate.combine(["chrf", "ter"]).compute(predictions=["a b"], references=["a b"])
        {'chrf_score': 100.0, 'char_order': 6, 'word_order': 0, 'beta': 2, \
'ter_score': 0.0, 'num_edits': 0, 'ref_length': 2.0}
    """
    return CombinedEvaluations(evaluations, force_prefix)


class EvaluationModule:
    """A metric that stores examples until it computes.

    Attributes:
        name: as for `load`.
        module_type: always `metric`.
    """

    module_type = "metric"

    def __init__(self, name: str) -> None:
        self.name = name
        self._predictions: list[str] = []
        self._references: list[list[str]] = []

    def __len__(self) -> int:
        return len(self._predictions)

    def __repr__(self) -> str:
        return f'EvaluationModule(name: "{self.name}", module_type: "{self.module_type}", stored examples: {len(self)})'

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Store an example.

        Args:
            prediction: a text.
            reference: a text or a list of texts, the same for all examples.

        Raises:
            ValueError: they are something else.
        """
        _refuse(kwargs)
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Store several examples.

        Args:
            predictions: a sequence of texts.
            references: a text or a list of texts for each.

        Raises:
            ValueError: they are something else, or differ in number.
        """
        _refuse(kwargs)
        if not self:
            predictions[0], references[0]  # raises the errors of the original
        if len(predictions) != len(references):
            raise ValueError(
                f"Mismatch in the number of predictions ({len(predictions)}) and references ({len(references)})"
            )
        hyps, refs = list(predictions), list(references)
        kinds = {isinstance(ref, str) for ref in refs}
        rows = [[ref] if isinstance(ref, str) or not hasattr(ref, "__len__") else list(ref) for ref in refs]
        if len(kinds) > 1 or not all(isinstance(text, str) for text in chain(hyps, *rows)):
            raise ValueError(
                "predictions and references do not have the expected format: texts and texts, or "
                f"texts and lists of texts; not {describe(hyps)} and {describe(refs)}"
            )
        self._predictions += hyps
        self._references += rows

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Result:
        """The result of all stored examples, which are then forgotten.

        Args:
            predictions, references: more examples, as for `add_batch`.
            kwargs: options of the metric.

        Raises:
            ValueError: there are no examples; or as `add_batch`.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if not self:
            raise ValueError("there are no examples; call `add` or `add_batch` before `compute`")
        hyps, refs = self._predictions, self._references
        self._predictions, self._references = [], []
        return _METRICS[self.name](hyps, refs, **kwargs)


class CombinedEvaluations:
    """Metrics of the same examples, as `combine` returns them."""

    def __init__(self, evaluation_modules: Evaluations, force_prefix: bool = False) -> None:
        names, modules = None, evaluation_modules
        if isinstance(modules, Mapping):
            names, modules = list(modules), list(modules.values())
        self.evaluation_modules = [load(own) if isinstance(own, str) else own for own in modules]
        self.evaluation_module_names = names or [own.name for own in self.evaluation_modules]
        self.force_prefix = force_prefix

    def add(self, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Store an example in each metric."""
        for module in self.evaluation_modules:
            module.add(prediction=prediction, reference=reference, **kwargs)

    def add_batch(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Store several examples in each metric."""
        for module in self.evaluation_modules:
            module.add_batch(predictions=predictions, references=references, **kwargs)

    def compute(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> Result:
        """The results of all metrics; a key of several has the name of its metric before it."""
        results = [
            module.compute(predictions=predictions, references=references, **kwargs)
            for module in self.evaluation_modules
        ]
        keys, names = Counter(chain(*results)), Counter(self.evaluation_module_names)
        merged: dict[str, Any] = {}
        places: Counter[str] = Counter()
        for name, result in zip(self.evaluation_module_names, results, strict=True):
            prefix = f"{name}_{places[name]}" if names[name] > 1 else name
            places[name] += 1
            for key, value in result.items():
                is_prefixed = keys[key] > 1 or self.force_prefix
                merged[f"{prefix}_{key}" if is_prefixed else key] = value
        return merged


Evaluations = Sequence[str | EvaluationModule] | Mapping[str, str | EvaluationModule]


def _refuse(kwargs: dict[str, Any]) -> None:
    if kwargs:
        raise ValueError(
            f"Bad inputs for evaluation module: {list(kwargs)}. All required inputs are ['predictions', 'references']"
        )


def _bleu(hyps: Texts, refs: Rows, tokenizer: Any = None, max_order: int = 4, smooth: bool = False) -> Result:
    """The BLEU of TensorFlow NMT, after the tokenizer 13a or a function."""
    if tokenizer is not None:
        hyps, refs = _tokens(tokenizer, hyps, refs)
    changes = {"max_ngram_order": max_order, "summation": _SUMMATION}
    if smooth:
        changes["smooth_method"] = "add-k-all"
    bleu = cached_bleu("hf-bleu", None, changes)
    score = bleu.corpus(hyps, refs)
    ratio = score.hyp_len / score.ref_len
    if not ratio:
        raise ZeroDivisionError("float division by zero")
    orders = steps(bleu.dialect, score.stats[0]).orders
    return {
        "bleu": score.value,
        "precisions": [order.precision for order in orders],
        "brevity_penalty": score.bp,
        "length_ratio": ratio,
        "translation_length": score.hyp_len,
        "reference_length": score.ref_len,
    }


def _sacrebleu(
    hyps: Texts,
    refs: Rows,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: Any = None,
    use_effective_order: bool = False,
) -> Result:
    """The result of `sacrebleu.corpus_bleu`."""
    _check_counts("Sacrebleu", refs)
    if smooth_method not in ("exp", "floor", "add-k", "none"):
        raise AssertionError(f"Unknown smooth_method {smooth_method!r}")
    if not force:
        warn_of_periods(hyps)
    changes = {
        "smooth_method": smooth_method, "smooth_value": smooth_value, "lowercase": lowercase,
        "tokenize": tokenize or "13a", "effective_order": use_effective_order,
        "summation": _SUMMATION,
    }  # fmt: skip
    score = cached_bleu("sacrebleu", None, changes).corpus(hyps, refs)
    counts: list[float] = list(score.matches)
    totals: list[float] = list(score.totals)
    if smooth_method == "add-k" and any(counts):  # sacreBLEU adds to the counts themselves
        added = 1 if smooth_value is None else smooth_value
        for numbers in (counts, totals):
            numbers[1:] = [number + added for number in numbers[1:]]
    return {
        "score": score.value, "counts": counts, "totals": totals,
        "precisions": list(score.precisions), "bp": score.bp, "sys_len": score.hyp_len,
        "ref_len": score.ref_len,
    }  # fmt: skip


def _google_bleu(hyps: Texts, refs: Rows, tokenizer: Any = None, min_len: int = 1, max_len: int = 4) -> Result:
    """NLTK's GLEU, after the tokenizer 13a or a function."""
    tokenizer = tokenizer or cached_bleu("hf-bleu", None, {}).tokens
    words, others = _tokens(tokenizer, hyps, refs)
    return {"google_bleu": corpus_gleu(others, words, min_len, max_len)}


def _chrf(hyps: Texts, refs: Rows, char_order: int = 6, word_order: int = 0, beta: int = 2, **options: Any) -> Result:
    """The result of sacreBLEU's chrF."""
    _check_counts("ChrF, as implemented by sacrebleu,", refs)
    orders: dict[str, Any] = {"char_order": char_order, "word_order": word_order, "beta": beta}
    return {"score": CHRF(**orders, **options).corpus(hyps, refs).value, **orders}


def _ter(
    hyps: Texts, refs: Rows, ignore_punct: bool = False, support_zh_ja_chars: bool = False, **options: Any
) -> Result:
    """The result of sacreBLEU's TER."""
    _check_counts("Sacrebleu", refs)
    metric = TER(no_punct=ignore_punct, asian_support=support_zh_ja_chars, **options)
    score = metric.corpus(hyps, refs)
    return {"score": score.value, "num_edits": score.edits, "ref_length": score.ref_len}


def _check_counts(name: str, references: Rows) -> None:
    if any(len(refs) != len(references[0]) for refs in references):
        raise ValueError(f"{name} requires the same number of references for each prediction")


def _tokens(tokenizer: Tokenizer, predictions: Texts, references: Rows) -> tuple[Texts, Rows]:
    refs = [[tokenizer(ref) for ref in row] for row in references]
    return [tokenizer(prediction) for prediction in predictions], refs


#: A function of the texts, and of the options of the metric.
_METRICS: dict[str, Callable[..., Result]] = {
    "bleu": _bleu, "sacrebleu": _sacrebleu, "google_bleu": _google_bleu, "chrf": _chrf, "ter": _ter,
}  # fmt: skip

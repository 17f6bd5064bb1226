# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU counted by the kernel, and scored by sacreBLEU's own formulas.

The kernel counts if the metric is of the very class BLEU, CHRF or TER, if neither the class nor the
object has methods that were replaced, if the tokenizer is one of sacreBLEU's that the kernel has,
and if the texts are strings in lists or tuples of the same length. sacreBLEU's own code does
everything else, raises its errors, and sees its iterators untouched.
"""

from __future__ import annotations

import sys
import threading
from collections import UserList
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import attrgetter
from types import FunctionType
from typing import Any

from truebleu.compat.accelerate.patches import is_own
from truebleu.compat.periods import warn_of_periods
from truebleu.errors import InputError, TrueBLEUError
from truebleu.inputs.corpus import PLAIN
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.ter import LENGTH_UNITS, TER

Kernel = BLEU | CHRF | TER
Function = Callable[..., Any]

_PLAIN = {list, tuple}


def patches(_: str, module: Any) -> Iterator[tuple[FunctionType, Function]]:
    """The functions to replace in `sacrebleu`, each with its replacement."""
    for name, kernel in _KERNELS.items():
        cls = getattr(module.metrics, name)
        names = [name for name in dir(cls) if not name.startswith("__")]
        hooks = attrgetter(*(name for name in names if callable(getattr(cls, name))))
        if all(isinstance(hook, type) or is_own(hook, "sacrebleu") for hook in hooks(cls)):
            _USUAL.setdefault(cls, _Usual(frozenset(names), hooks, hooks(cls), kernel))
    metric = module.metrics.base.Metric
    yield metric._cache_references, _cache_references
    yield metric._extract_corpus_statistics, _extract_corpus_statistics
    yield metric.sentence_score, _sentence_score
    yield metric.corpus_score, _corpus_score


@dataclass(frozen=True, slots=True)
class _Usual:
    """A class of sacreBLEU as it was when it was patched, and what makes the kernel's metric."""

    names: frozenset[str]
    hooks: attrgetter[Any]
    functions: Any
    kernel: Callable[[Any], Kernel | None]


_USUAL: dict[type, _Usual] = {}


def kernel_of(metric: Any) -> Kernel | None:
    """The kernel's metric with the settings of a metric; None if sacreBLEU must count."""
    cls = type(metric)
    usual = _USUAL.get(cls)
    if usual is None or not usual.names.isdisjoint(metric.__dict__) or usual.hooks(cls) != usual.functions:
        return None
    try:
        return usual.kernel(metric)
    except (TypeError, AttributeError, TrueBLEUError):
        return None  # a setting that has no hash, is deleted, or makes sacreBLEU fail later


@lru_cache(maxsize=256, typed=True)
def _compiled(make: Function, **options: Any) -> Kernel:
    return make(**options)  # type: ignore[no-any-return]


def _bleu(metric: Any) -> Kernel | None:
    tokenizer, value = _native(metric.tokenizer), metric.smooth_value
    if not tokenizer or type(metric.max_ngram_order) is not int:
        return None
    if value is not None and not (type(value) in (int, float) and 0 <= value < 1e9):
        return None
    return _compiled(
        BLEU,
        tokenize=tokenizer,
        max_ngram_order=metric.max_ngram_order,
        smooth_method=metric.smooth_method,
        smooth_value=value,
        effective_order=bool(metric.effective_order),
        # Python's `sum` is more exact since 3.12, and so are sacreBLEU's scores there.
        summation="naive" if sys.version_info < (3, 12) else "compensated",
    )


def _chrf(metric: Any) -> Kernel | None:
    characters, words, beta = metric.char_order, metric.word_order, metric.beta
    if not type(characters) is type(words) is int or metric.order != characters + words:
        return None
    # The square of a larger integer is not exact as a float.
    if type(beta) not in (int, float) or not 0 <= beta < 1e6:
        return None
    flags = {name: bool(getattr(metric, name)) for name in ("whitespace", "eps_smoothing")}
    return _compiled(CHRF, char_order=characters, word_order=words, beta=beta, **flags)


def _ter(metric: Any) -> Kernel | None:
    tokenizer = metric.tokenizer
    if _native(tokenizer) != "tercom":
        return None
    names = ("normalized", "no_punct", "asian_support")
    flags = {name: bool(getattr(tokenizer, f"_{name}")) for name in names}
    return _compiled(TER, case_sensitive=True, **flags)  # Python lowercases the text


_KERNELS: dict[str, Callable[[Any], Kernel | None]] = {"BLEU": _bleu, "CHRF": _chrf, "TER": _ter}

#: The kernel's names of tokenizers; 13a calls the one of regular expressions.
_NATIVE = {
    "NoneTokenizer": "none", "Tokenizer13a": "13a", "TokenizerV14International": "intl",
    "TokenizerZh": "zh", "TokenizerChar": "char", "TercomTokenizer": "tercom",
    "TokenizerRegexp": "regexp",
}  # fmt: skip


def _native(tokenizer: Any) -> str | None:
    """The kernel's name of a tokenizer; None for one that is not sacreBLEU's, or was changed."""
    cls: Any = type(tokenizer)
    name = _name_of(cls, cls.__call__)
    if name == "13a":
        inner: Any = type(tokenizer.__dict__.get("_post_tokenizer"))
        return name if _name_of(inner, inner.__call__) == "regexp" else None
    return name


@cache
def _name_of(cls: Any, call: Any) -> str | None:
    """The kernel's name of a class of tokenizers with this method."""
    name = _NATIVE.get(cls.__name__) if is_own(call, "sacrebleu") else None
    return None if name == "intl" and not _has_unicode_18() else name


def _has_unicode_18() -> bool:
    """Whether `regex`, which sacreBLEU's intl uses, has the kernel's version of Unicode."""
    import regex  # type: ignore[import-untyped]

    return bool(regex.match(r"\p{S}", "\u20c4"))


def _lowercases(metric: Any) -> bool:
    """Whether Python lowercases the texts before the kernel counts."""
    if hasattr(metric, "lowercase"):
        return bool(metric.lowercase)
    return not metric.tokenizer._case_sensitive


class References(UserList[Any]):
    """The counts of cached references, which sacreBLEU computes when somebody reads them.

    It is pickled as the list of counts, which needs no TrueBLEU.

    Attributes:
        settings: what decides how they are counted.
        streams: the references; None after the counts were read, because they may be changed.
    """

    def __init__(self, metric: Any, streams: list[list[Any]], count: Function) -> None:
        self.settings = kernel_of(metric), _lowercases(metric)
        self.streams: list[list[Any]] | None = streams
        self._metric, self._count = copy(metric), count

    @property
    def data(self) -> Any:  # type: ignore[override]
        """The counts."""
        if self.streams is not None:
            self._counts = self._count(self._metric, self.streams)
            self.streams = None
        return self._counts

    def __getitem__(self, place: Any) -> Any:
        return self.data[place]

    def __reduce__(self) -> tuple[type, tuple[Any]]:
        return list, (self.data,)


def _cache_references(original: Function, metric: Any, references: Any) -> Any:
    if (
        kernel_of(metric) is None
        or not _are_columns(references)
        or not {type(ref) for stream in references for ref in stream} <= {str, type(None)}
    ):
        return original(metric, references)
    streams = [list(stream) for stream in references]
    metric.num_refs = _number(streams)
    return References(metric, streams, original)


def _number(streams: Sequence[Sequence[Any]]) -> int:
    """The number of references of each segment; -1 if segments differ."""
    if not any(None in stream for stream in streams):
        return len(streams)
    counts = {sum(ref is not None for ref in refs) for refs in zip(*streams, strict=True)}
    return counts.pop() if len(counts) == 1 else -1


def _are_columns(columns: Any) -> bool:
    """Whether this is a list or tuple of lists or tuples of the same length, which is not 0."""
    return (
        type(columns) in _PLAIN
        and {*map(type, columns)} <= _PLAIN
        and len({*map(len, columns)}) == 1
        and len(columns[0]) > 0
    )


def _counted(metric: Any, hyps: Any, references: Any, kernel: Kernel, method: str) -> Any:
    """What a method of the kernel's plan returns for a corpus; None if sacreBLEU must count.

    Without references, these are the cached ones. The number of references is set, and text that
    looks tokenized has sacreBLEU's warning.
    """
    is_cached = references is None or (type(references) in _PLAIN and not references)
    settings = kernel, _lowercases(metric)
    if is_cached:
        cached = metric._ref_cache
        has_streams = type(cached) is References and cached.settings == settings
        references = cached.streams if has_streams else None
    if type(references) not in _PLAIN or not _are_columns([hyps, *references]):
        return None
    columns = [hyps, *references]
    if settings[1]:
        try:
            columns = [[text and text.lower() for text in column] for column in columns]
        except AttributeError:  # something that is not text
            return None
    texts, refs, *others = columns
    if others:
        refs = list(zip(refs, *others, strict=True))
    if not isinstance(texts[0], str) or not (others or isinstance(refs[0], str)):
        return None
    try:
        counted = getattr(kernel.plan, method)(texts, refs, kernel.threads, PLAIN)
    except InputError:
        return None
    if not is_cached:
        metric.num_refs = _number(references)
    if not metric._force:
        warn_of_periods(hyps)
    return counted


def rows_of(metric: Any, hyps: Any, references: Any) -> list[list[Any]] | None:
    """The rows of statistics as sacreBLEU has them; None if it must count."""
    kernel = kernel_of(metric)
    counted = _counted(metric, hyps, references, kernel, "rows") if kernel else None
    if counted is None:
        return None
    numbers = memoryview(counted).cast("q").tolist()
    width = len(numbers) // len(hyps)
    rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    if isinstance(kernel, TER):
        return [[edits, length / LENGTH_UNITS] for edits, length in rows]
    return rows


def _extract_corpus_statistics(original: Function, metric: Any, hypotheses: Any, references: Any) -> Any:
    rows = rows_of(metric, hypotheses, references)
    return original(metric, hypotheses, references) if rows is None else rows


def _corpus_score(original: Function, metric: Any, hypotheses: Any, references: Any, n_bootstrap: Any) -> Any:
    kernel = kernel_of(metric) if type(n_bootstrap) is int and n_bootstrap < 2 else None
    # TER's lengths are means, whose sum depends on the order of the segments.
    if kernel is not None and not isinstance(kernel, TER):
        counted = _counted(metric, hypotheses, references, kernel, "total")
        if counted is not None:
            return metric._compute_score_from_stats(counted[0])
    with only_scores:
        return original(metric, hypotheses, references, n_bootstrap)


class OnlyScores(threading.local):
    """Set while a function of sacreBLEU reads nothing of resampled scores but the number."""

    active = False

    def __enter__(self) -> None:
        self.active = True

    def __exit__(self, *_: object) -> None:
        self.active = False


only_scores = OnlyScores()


def _sentence_score(original: Function, metric: Any, hypothesis: Any, references: Any) -> Any:
    usual = type(hypothesis) is str and type(references) in _PLAIN and references
    parts = _sentence_parts(metric, hypothesis, references) if usual else None
    if parts is None:
        return original(metric, hypothesis, references)
    score, bp, precisions, counts, totals, hyp_len, ref_len, metric.num_refs = parts
    make = sys.modules[type(metric).__module__].BLEUScore
    return make(score, counts, totals, precisions, bp, hyp_len, ref_len)


def _sentence_parts(metric: Any, hypothesis: str, references: Sequence[Any]) -> Any:
    """The parts of a BLEU score; None if they must be computed in another way."""
    kernel = kernel_of(metric)
    # With add-k, sacreBLEU's formula changes the counts, too.
    if type(kernel) is not BLEU or metric.smooth_method == "add-k":
        return None
    if metric.lowercase:
        hypothesis = hypothesis.lower()
        try:
            references = [ref and ref.lower() for ref in references]
        except AttributeError:
            return None
    return kernel.plan.sentence(hypothesis, references)

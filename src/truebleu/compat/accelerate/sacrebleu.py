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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from types import FunctionType
from typing import Any

from truebleu.compat.accelerate.patches import is_own
from truebleu.compat.periods import warn_of_periods
from truebleu.errors import InputError, TrueBLEUError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.ter import LENGTH_UNITS, TER

Kernel = BLEU | CHRF | TER
Function = Callable[..., Any]

_PLAIN = {list, tuple}


def patches(_: str, module: Any) -> Iterator[tuple[FunctionType, Function]]:
    """The functions to replace in `sacrebleu`, and what makes the other ones."""
    for kind in _METRICS:
        cls = getattr(module.metrics, kind)
        if cls not in _USUAL:
            _USUAL[cls] = _Usual(cls)
    metric = module.metrics.base.Metric
    yield metric._cache_references, _cache_references
    yield metric._extract_corpus_statistics, _extract_corpus_statistics
    yield metric.sentence_score, _sentence_score
    yield metric.corpus_score, _corpus_score


class _Usual:
    """A class of sacreBLEU as it was when it was patched."""

    def __init__(self, cls: Any) -> None:
        functions, counting, self.kernel = _METRICS[cls.__name__]
        names = [name for name in dir(cls) if not name.startswith("__")]
        hooks = attrgetter(*(name for name in names if callable(getattr(cls, name))))
        module, called = sys.modules[cls.__module__].__dict__, itemgetter(*functions.split())
        usual = hooks(cls), called(module)
        all_own = all(isinstance(hook, type) or is_own(hook, "sacrebleu")
                      for hook in (*usual[0], *usual[1]))  # fmt: skip
        self.names = frozenset(names)
        self.is_unchanged: Callable[[], bool] = lambda: (
            all_own and (hooks(cls), called(module)) == usual
        )
        self.counting = attrgetter(*counting.split())


_USUAL: dict[type, _Usual] = {}


def kernel_of(metric: Any) -> Kernel | None:
    """The kernel's metric with the settings of a metric; None if sacreBLEU must count."""
    usual = _USUAL.get(type(metric))
    if usual is None or not usual.names.isdisjoint(metric.__dict__) or not usual.is_unchanged():
        return None
    try:
        kernel: Kernel | None = usual.kernel(metric)
    except (TypeError, AttributeError, TrueBLEUError):
        return None  # a setting that has no hash, is deleted, or makes sacreBLEU fail later
    return kernel


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
    return _compiled(
        CHRF,
        char_order=characters,
        word_order=words,
        beta=beta,
        whitespace=bool(metric.whitespace),
        eps_smoothing=bool(metric.eps_smoothing),
    )


def _ter(metric: Any) -> Kernel | None:
    tokenizer = metric.tokenizer
    if _native(tokenizer) != "tercom":
        return None
    return _compiled(
        TER,
        normalized=bool(tokenizer._normalized),
        no_punct=bool(tokenizer._no_punct),
        asian_support=bool(tokenizer._asian_support),
        case_sensitive=True,  # Python lowercases the text
    )


#: For each metric the functions that its methods call, the attributes of its objects that decide
#: how references are counted, and the kernel's metric for an object.
_METRICS: dict[str, tuple[str, str, Function]] = {
    "BLEU": (
        "BLEUScore extract_all_word_ngrams my_log sum_of_lists",
        "lowercase tokenizer max_ngram_order",
        _bleu,
    ),
    "CHRF": (
        "CHRFScore extract_all_char_ngrams extract_word_ngrams sum_of_lists",
        "lowercase char_order word_order whitespace",
        _chrf,
    ),
    "TER": ("TERScore sum_of_lists translation_edit_rate", "tokenizer case_sensitive", _ter),
}

_NATIVE = {
    "NoneTokenizer": "none", "Tokenizer13a": "13a", "TokenizerV14International": "intl",
    "TokenizerZh": "zh", "TokenizerChar": "char", "TercomTokenizer": "tercom",
}  # fmt: skip

#: For each class of tokenizers the name of the kernel's, and its method when it was first seen.
_tokenizers: dict[type, tuple[str, Any]] = {}


def _native(tokenizer: Any) -> str | None:
    """The kernel's name of a tokenizer; None for one that is not sacreBLEU's, or was changed."""
    cls = type(tokenizer)
    if cls not in _tokenizers:
        name = _NATIVE.get(cls.__name__)
        if not name or not is_own(cls.__call__, "sacrebleu"):
            return None
        if name == "intl" and not _has_unicode_18():
            return None
        _tokenizers[cls] = name, cls.__call__
    name, call = _tokenizers[cls]
    inner = type(tokenizer.__dict__.get("_post_tokenizer"))  # in that of 13a, which calls it
    is_usual = name != "13a" or (
        inner.__name__ == "TokenizerRegexp" and is_own(inner.__call__, "sacrebleu")
    )
    return name if cls.__call__ is call and is_usual else None


def _has_unicode_18() -> bool:
    """Whether `regex`, which sacreBLEU's intl uses, has the kernel's version of Unicode."""
    import regex  # type: ignore[import-untyped]

    return bool(regex.match(r"\p{S}", "\u20c4"))


class References(UserList[Any]):
    """The counts of cached references, which sacreBLEU computes when somebody reads them.

    It is pickled as the list of counts, which needs no TrueBLEU.

    Attributes:
        streams: the references; None after the counts were read, because they may be changed.
    """

    def __init__(self, metric: Any, streams: list[list[Any]], count: Function) -> None:
        self.settings = _USUAL[type(metric)].counting(metric)
        self.streams: list[list[Any]] | None = streams
        self._metric = object.__new__(type(metric))
        self._metric.__dict__.update(metric.__dict__)
        self._count = count

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


def _cache_references(original: Function) -> Function:
    def cache_references(metric: Any, references: Any) -> Any:
        if (
            kernel_of(metric) is None
            or not _are_columns(references)
            or not {type(ref) for stream in references for ref in stream} <= {str, type(None)}
        ):
            return original(metric, references)
        streams = [list(stream) for stream in references]
        metric.num_refs = _count(streams)
        return References(metric, streams, original)

    return cache_references


def _count(streams: Iterable[Sequence[Any]]) -> int:
    """The number of references of each segment; -1 if segments differ."""
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


def _cached(metric: Any) -> Any:
    """The streams of cached references, unless the settings have changed since."""
    cached = metric.__dict__.get("_ref_cache")
    if type(cached) is References and cached.settings == _USUAL[type(metric)].counting(metric):
        return cached.streams
    return None


class Corpus:
    """Columns that the kernel can count, or none.

    Args:
        metric: a metric of sacreBLEU.
        hyps: hypotheses, of any type.
        references: streams of references, of any type; None for the cached ones.
    """

    def __init__(self, metric: Any, hyps: Any, references: Any) -> None:
        self.metric, self.hyps, self.is_cached = metric, hyps, references is None
        self.kernel: Kernel | None = None
        streams = _cached(metric) if references is None else references
        if not streams or type(streams) not in _PLAIN or not _are_columns([hyps, *streams]):
            return
        kernel = kernel_of(metric)
        if kernel is None:
            return
        columns = [hyps, *streams]
        is_ter = not hasattr(metric, "lowercase")
        if not metric.tokenizer._case_sensitive if is_ter else metric.lowercase:
            try:
                columns = [[text and text.lower() for text in column] for column in columns]
            except AttributeError:  # something that is not text
                return
        hyps, refs = columns[0], columns[1]
        if len(streams) > 1:
            refs = list(zip(*columns[1:], strict=True))
        if isinstance(hyps[0], str) and (len(streams) > 1 or isinstance(refs[0], str)):
            self.kernel, self._columns = kernel, (hyps, refs)

    def total(self) -> list[Any] | None:
        """The sum of the rows; None if sacreBLEU must count."""
        if isinstance(self.kernel, TER):  # means of lengths are summed in the order of the segments
            rows = self.rows()
            return rows and sys.modules["sacrebleu.utils"].sum_of_lists(rows)
        counted = self._counted("total")
        if counted is None:
            return None
        row, _, (least, most), _ = counted
        self._finish(least if least == most else -1)
        return row  # type: ignore[no-any-return]

    def rows(self) -> list[list[Any]] | None:
        """The rows as sacreBLEU has them; None if it must count."""
        counted = self._counted("rows")
        if counted is None:
            return None
        refs = self._columns[1]
        self._finish(_count(zip(*refs, strict=True)) if type(refs[0]) is tuple else 1)
        numbers = memoryview(counted).cast("q").tolist()
        width = len(numbers) // len(self.hyps)
        rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
        if isinstance(self.kernel, TER):
            return [[edits, length / LENGTH_UNITS] for edits, length in rows]
        return rows

    def _counted(self, method: str) -> Any:
        if self.kernel is None:
            return None
        try:
            return getattr(self.kernel.plan, method)(*self._columns, self.kernel.threads)
        except InputError:
            return None

    def _finish(self, references: int) -> None:
        """Set the number of references, and warn as sacreBLEU does of text that looks tokenized."""
        if not self.is_cached:
            self.metric.num_refs = references
        if not self.metric._force:
            warn_of_periods(self.hyps)


def _extract_corpus_statistics(original: Function) -> Function:
    def extract_corpus_statistics(metric: Any, hypotheses: Any, references: Any) -> Any:
        usual = type(references) in _PLAIN or references is None
        rows = Corpus(metric, hypotheses, references or None).rows() if usual else None
        return original(metric, hypotheses, references) if rows is None else rows

    return extract_corpus_statistics


def _corpus_score(original: Function) -> Function:
    def corpus_score(metric: Any, hypotheses: Any, references: Any, n_bootstrap: Any) -> Any:
        if type(n_bootstrap) is int:
            corpus = Corpus(metric, hypotheses, references)
            if n_bootstrap > 1:
                rows = corpus.rows()
                if rows is not None:
                    return _interval(metric, rows, n_bootstrap)
            else:
                total = corpus.total()
                if total is not None:
                    return metric._compute_score_from_stats(total)
        return original(metric, hypotheses, references, n_bootstrap)

    return corpus_score


class OnlyScores(threading.local):
    """Set while a function of sacreBLEU reads nothing of resampled scores but the number."""

    active = False

    def __enter__(self) -> None:
        self.active = True

    def __exit__(self, *_: object) -> None:
        self.active = False


only_scores = OnlyScores()


def _interval(metric: Any, rows: list[list[Any]], resamples: int) -> Any:
    """The score of a corpus with the interval of resamples."""
    from sacrebleu import significance

    score = metric._aggregate_and_compute(rows)
    metric.n_bootstrap = resamples
    with only_scores:
        metric.seed, resampled = significance._bootstrap_resample(rows, metric, resamples)
    score.estimate_ci(resampled)
    return score


def _sentence_score(original: Function) -> Function:
    def sentence_score(metric: Any, hypothesis: Any, references: Any) -> Any:
        if type(hypothesis) is not str or type(references) not in _PLAIN or not references:
            return original(metric, hypothesis, references)
        if type(metric) in _USUAL and hasattr(metric, "smooth_method"):
            parts = _sentence_parts(metric, hypothesis, references)
            if parts is not None:
                score, bp, precisions, counts, totals, hyp_len, ref_len, metric.num_refs = parts
                make = sys.modules[type(metric).__module__].BLEUScore
                return make(score, counts, totals, precisions, bp, hyp_len, ref_len)
        rows = Corpus(metric, [hypothesis], [[ref] for ref in references]).rows()
        if rows is None:
            return original(metric, hypothesis, references)
        return metric._aggregate_and_compute(rows)

    return sentence_score


#: The attributes of the object of BLEU that scored a sentence last, and its kernel.
_last_sentence: list[tuple[dict[str, Any], Any]] = [({}, None)]


def _sentence_parts(metric: Any, hypothesis: str, references: Sequence[Any]) -> Any:
    """The parts of a BLEU score; None if they must be computed in another way."""
    attributes, kernel = _last_sentence[0]
    try:
        # The order 4.0 equals 4, but is an error.
        same = attributes == metric.__dict__ and type(metric.max_ngram_order) is int
    except Exception:  # noqa: BLE001  (attributes that cannot be compared: arrays)
        same = False
    if not same or not _USUAL[type(metric)].is_unchanged() or not _native(metric.tokenizer):
        kernel = kernel_of(metric)
        if metric.smooth_method == "add-k":
            kernel = None  # sacreBLEU's formula changes the counts, too
        if metric.__dict__.get("_ref_cache") is None:  # do not keep references alive
            _last_sentence[0] = metric.__dict__.copy(), kernel
    if kernel is None:
        return None
    if metric.lowercase:
        hypothesis = hypothesis.lower()
        try:
            references = [ref and ref.lower() for ref in references]
        except AttributeError:
            return None
    return kernel.plan.sentence(hypothesis, references)

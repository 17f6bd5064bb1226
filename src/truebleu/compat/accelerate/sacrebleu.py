# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU counted by the kernel, and scored by sacreBLEU's own formulas.

The kernel counts if the metric is of the very class BLEU, CHRF or TER, if neither the class nor the
object has methods that were replaced, if the tokenizer is one of sacreBLEU's that the kernel has,
and if the texts are strings in lists or tuples of the same length. sacreBLEU's own code does
everything else, raises its errors, and sees its iterators untouched.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import UserList
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from types import FunctionType, ModuleType, SimpleNamespace
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

_logger = logging.getLogger("sacrebleu")


def patches(
    name: str, module: Any
) -> Iterator[tuple[FunctionType, Callable[[FunctionType], Function]]]:
    """The functions to replace in `sacrebleu` or in `sacrebleu.significance`."""
    if name == "sacrebleu":
        metric = module.metrics.base.Metric
        for kind, details in _DETAILS.items():
            cls = getattr(getattr(module.metrics, kind.lower()), kind)
            usual = _Usual(cls, *details)
            if cls not in _USUAL and usual.is_own:
                _USUAL[cls] = usual
        yield metric._cache_references, _cache_references
        yield metric._extract_corpus_statistics, _extract_corpus_statistics
        yield metric.sentence_score, _sentence_score
        yield metric.corpus_score, _corpus_score
        return
    yield module._bootstrap_resample, lambda original: _bootstrap_resample(original, module)
    yield module._paired_bs_test, lambda original: _paired_test(original, module, "bs")
    yield module._paired_ar_test, lambda original: _paired_test(original, module, "ar")
    yield module.PairedTest.__init__, _paired_init
    yield module.PairedTest.__call__, _paired_call


class _Usual:
    """A class of sacreBLEU as it was when it was patched.

    Args:
        cls: the class.
        functions: names in its module that its methods call.
        counting: attributes of its objects that decide how references are counted.
        kernel: the kernel's metric for an object.
    """

    def __init__(
        self, cls: Any, functions: Sequence[str], counting: Sequence[str], kernel: Function
    ) -> None:
        names = [name for name in dir(cls) if not name.startswith("__")]
        hooks = attrgetter(*(name for name in names if callable(getattr(cls, name))))
        module = sys.modules[cls.__module__].__dict__
        called = itemgetter(*functions)
        usual = hooks(cls), called(module)
        self.is_own = all(isinstance(hook, type) or is_own(hook, "sacrebleu")
                          for hook in (*usual[0], *usual[1]))  # fmt: skip
        self.names = frozenset(names)
        self.is_unchanged: Callable[[], bool] = lambda: (hooks(cls), called(module)) == usual
        self.counting = attrgetter(*counting)
        self.kernel = kernel


_USUAL: dict[type, _Usual] = {}


def _kernel(metric: Any) -> Kernel | None:
    """The kernel's metric with the settings of a metric; None if sacreBLEU must count."""
    usual = _USUAL.get(type(metric))
    if usual is None or not usual.names.isdisjoint(metric.__dict__) or not usual.is_unchanged():
        return None
    try:
        kernel: Kernel | None = usual.kernel(metric)
    except (TypeError, AttributeError, TrueBLEUError):
        return None  # a setting that has no hash, is deleted, or makes sacreBLEU fail later
    return kernel


def _bleu(metric: Any) -> Kernel | None:
    tokenizer = _native(metric.tokenizer)
    if tokenizer is None:
        return None
    return _compiled_bleu(  # type: ignore[no-any-return]
        tokenizer, metric.max_ngram_order, metric.smooth_method, metric.smooth_value,
        metric.effective_order,
    )  # fmt: skip


@lru_cache(maxsize=256, typed=True)
def _compiled_bleu(tokenizer: str, order: Any, method: Any, value: Any, effective: Any) -> Any:
    if type(order) is not int or order < 1:
        return None
    if value is not None and not (type(value) in (int, float) and 0 <= value < 1e9):
        return None
    return BLEU(
        "sacrebleu",
        tokenize=tokenizer,
        max_ngram_order=order,
        smooth_method=method,
        smooth_value=value,
        effective_order=bool(effective),
        # Python's `sum` is more exact since 3.12, and so are sacreBLEU's scores there.
        summation="naive" if sys.version_info < (3, 12) else "compensated",
    )


def _chrf(metric: Any) -> Kernel | None:
    if metric.order != metric.char_order + metric.word_order:
        return None
    return _compiled_chrf(  # type: ignore[no-any-return]
        metric.char_order, metric.word_order, metric.beta, metric.whitespace, metric.eps_smoothing
    )


@lru_cache(maxsize=64, typed=True)
def _compiled_chrf(characters: Any, words: Any, beta: Any, whitespace: Any, eps: Any) -> Any:
    if type(characters) is not int or type(words) is not int:
        return None
    # The square of a larger integer is not exact as a float.
    if type(beta) not in (int, float) or not 0 <= beta < 1e6:
        return None
    return CHRF(
        char_order=characters,
        word_order=words,
        beta=beta,
        whitespace=bool(whitespace),
        eps_smoothing=bool(eps),
        tie="first",
    )


def _ter(metric: Any) -> Kernel | None:
    tokenizer = metric.tokenizer
    if _native(tokenizer) != "tercom":
        return None
    return _compiled_ter(
        bool(tokenizer._normalized), bool(tokenizer._no_punct), bool(tokenizer._asian_support)
    )


@lru_cache
def _compiled_ter(normalized: bool, no_punct: bool, asian: bool) -> Kernel:
    return TER(normalized=normalized, no_punct=no_punct, asian_support=asian, case_sensitive=True)


_DETAILS: dict[str, tuple[Sequence[str], Sequence[str], Function]] = {
    "BLEU": (
        ("BLEUScore", "extract_all_word_ngrams", "my_log", "sum_of_lists"),
        ("lowercase", "tokenizer", "max_ngram_order"),
        _bleu,
    ),
    "CHRF": (
        ("CHRFScore", "extract_all_char_ngrams", "extract_word_ngrams", "sum_of_lists"),
        ("lowercase", "char_order", "word_order", "whitespace"),
        _chrf,
    ),
    "TER": (("TERScore", "sum_of_lists", "translation_edit_rate"), ("tokenizer",) * 2, _ter),
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
    inner = tokenizer.__dict__.get("_post_tokenizer")
    # That of 13a has a second one, which is a plain TokenizerRegexp.
    return name if cls.__call__ is call and (inner is None or _native_inner(inner)) else None


def _native_inner(tokenizer: Any) -> bool:
    cls = type(tokenizer)
    return cls.__name__ == "TokenizerRegexp" and is_own(cls.__call__, "sacrebleu")


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
            _kernel(metric) is None
            or type(references) not in _PLAIN
            or not {*map(type, references)} <= _PLAIN
            or not all(references)
            or len({*map(len, references)}) != 1
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


def _cached(metric: Any) -> Any:
    """The streams of cached references, unless the settings have changed since."""
    cached = metric.__dict__.get("_ref_cache")
    if type(cached) is References and cached.settings == _USUAL[type(metric)].counting(metric):
        return cached.streams
    return None


def _are_usual(hyps: Any, streams: Any) -> bool:
    """Whether texts and streams of texts are lists or tuples of the same length."""
    return (
        type(hyps) in _PLAIN
        and type(streams) in _PLAIN
        and bool(hyps)
        and bool(streams)
        and all(type(stream) in _PLAIN and len(stream) == len(hyps) for stream in streams)
        and isinstance(hyps[0], str)
    )


def _is_ter(metric: Any) -> bool:
    return not hasattr(metric, "lowercase")


class _Corpus:
    """Columns that the kernel can count, or none.

    Args:
        metric: a metric of sacreBLEU.
        hyps: hypotheses, of any type.
        references: streams of references, of any type; None for the cached ones.
    """

    def __init__(self, metric: Any, hyps: Any, references: Any) -> None:
        self.metric, self.hyps, self._are_cached = metric, hyps, references is None
        streams = _cached(metric) if references is None else references
        self.kernel = _kernel(metric) if _are_usual(hyps, streams) else None
        if self.kernel is None:
            return
        if not metric.tokenizer._case_sensitive if _is_ter(metric) else metric.lowercase:
            try:
                hyps = [hyp.lower() for hyp in hyps]
                streams = [[ref and ref.lower() for ref in stream] for stream in streams]
            except AttributeError:  # something that is not text
                self.kernel = None
                return
        self._columns = hyps, streams[0]
        if len(streams) > 1:
            self._columns = hyps, list(zip(*streams, strict=True))
        elif not isinstance(streams[0][0], str):
            self.kernel = None

    def total(self) -> list[Any] | None:
        """The sum of the rows; None if sacreBLEU must count."""
        if isinstance(self.kernel, TER):  # means of lengths are summed in the order of the segments
            rows = self.rows()
            return rows and sys.modules["sacrebleu.utils"].sum_of_lists(rows)
        if self.kernel is None:
            return None
        try:
            row, _, (least, most), _ = self.kernel.plan.total(*self._columns, self.kernel.threads)
        except InputError:
            return None
        self._finish(least if least == most else -1)
        return row

    def counts(self) -> Any:
        """The rows in one buffer of 64-bit integers; None if sacreBLEU must count."""
        if self.kernel is None:
            return None
        hyps, refs = self._columns
        try:
            buffer = self.kernel.plan.rows(hyps, refs, self.kernel.threads)
        except InputError:
            return None
        several = type(refs[0]) is tuple
        self._finish(_count(zip(*refs, strict=True)) if several else 1)
        return memoryview(buffer).cast("q")

    def rows(self) -> list[list[Any]] | None:
        """The rows as sacreBLEU has them; None if it must count."""
        counts = self.counts()
        if counts is None:
            return None
        numbers = counts.tolist()
        width = len(numbers) // len(self.hyps)
        rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
        if isinstance(self.kernel, TER):
            return [[edits, length / LENGTH_UNITS] for edits, length in rows]
        return rows

    def _finish(self, references: int) -> None:
        """Set the number of references, and warn as sacreBLEU does of text that looks tokenized."""
        if not self._are_cached:
            self.metric.num_refs = references
        if not self.metric._force:
            warn_of_periods(self.hyps)


def _extract_corpus_statistics(original: Function) -> Function:
    def extract_corpus_statistics(metric: Any, hypotheses: Any, references: Any) -> Any:
        usual = type(references) in _PLAIN or references is None
        rows = _Corpus(metric, hypotheses, references or None).rows() if usual else None
        return original(metric, hypotheses, references) if rows is None else rows

    return extract_corpus_statistics


def _corpus_score(original: Function) -> Function:
    def corpus_score(metric: Any, hypotheses: Any, references: Any, n_bootstrap: Any) -> Any:
        if type(n_bootstrap) is int:
            corpus = _Corpus(metric, hypotheses, references)
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


def _interval(metric: Any, rows: list[list[Any]], resamples: int) -> Any:
    """The score of a corpus with the interval of resamples."""
    from sacrebleu import significance

    score = metric._aggregate_and_compute(rows)
    metric.n_bootstrap = resamples
    with _only_scores:
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
        rows = _Corpus(metric, [hypothesis], [[ref] for ref in references]).rows()
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
        kernel = _kernel(metric)
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


# Resamples and tests, with sacreBLEU's random numbers.


class _OnlyScores(threading.local):
    """Set while a function of sacreBLEU reads nothing of resampled scores but the number."""

    active = False

    def __enter__(self) -> None:
        self.active = True

    def __exit__(self, *_: object) -> None:
        self.active = False


_only_scores = _OnlyScores()


def _resampling(metric: Any, systems: Sequence[Any]) -> Any:
    """The systems for the kernel to resample; None if its numbers would differ from sacreBLEU's."""
    import numpy as np

    from truebleu.analysis.compare.resampling import Resampling

    kernel = _kernel(metric)
    # NumPy 1 rounds numbers of 32 bits in other places.
    if kernel is None or np.__version__.startswith("1.") or not len(systems[0]):
        return None
    if isinstance(kernel, CHRF) and kernel.options.eps_smoothing:
        return None  # sacreBLEU mixes 32 and 64 bits
    if isinstance(kernel, TER):
        systems = [np.array(rows, dtype=np.float64) * (1, LENGTH_UNITS) for rows in systems]
        # Sums of thirds depend on their order, and a reference length of 0 is 64 bits.
        if any(
            (rows[:, 1] % (LENGTH_UNITS // 16)).any() or not rows[:, 1].all() for rows in systems
        ):
            return None
    zero = kernel.zero_stats()
    return Resampling(kernel, [zero.like(np.array(rows, dtype=np.int64)) for rows in systems])


def _bootstrap(metric: Any, systems: Sequence[Any], resamples: int, seed: int | None) -> Any:
    """The scores of the same resamples of each system, as arrays; None if sacreBLEU must count."""
    import numpy as np

    from truebleu.analysis.compare.resampling import numpy_draws

    resampling = _resampling(metric, systems)
    try:
        draws = numpy_draws(np.random.default_rng(seed))
        return resampling and resampling.numpy_bootstrap(resamples, draws)
    except OverflowError:  # sums that 32 bits round
        return None


def _bootstrap_resample(original: Function, module: Any) -> Function:
    def bootstrap_resample(stats: Any, metric: Any, n_samples: Any) -> Any:
        text = module.os.environ.get("SACREBLEU_SEED", "12345").lower()
        if not _only_scores.active or type(n_samples) is not int:
            return original(stats, metric, n_samples)
        drawn = _bootstrap(metric, [stats], n_samples, None if text == "none" else int(text))
        if drawn is None:
            return original(stats, metric, n_samples)
        (scores,) = drawn
        numbers = scores.tolist()
        if not hasattr(metric, "smooth_method"):  # all but BLEU are 32-bit, and a chrF of 0 is not
            short = module.np.float32
            numbers = [short(number) if number or scores.dtype == short else 0.0
                       for number in numbers]  # fmt: skip
        return text, [SimpleNamespace(score=number) for number in numbers]

    return bootstrap_resample


def _paired_init(original: Function) -> Function:
    def init(*arguments: Any) -> None:
        with _only_scores:
            original(*arguments)

    return init


def _paired_call(original: Function) -> Function:
    def call(test: Any) -> Any:
        jobs = test.n_jobs
        if jobs == 1 or None in map(_kernel, test.metrics.values()):
            return original(test)
        # The kernel has threads, and processes would get the counts of references.
        _logger.info("Launching %s parallel workers.", jobs)
        test.n_jobs = 1
        try:
            return original(test)
        finally:
            test.n_jobs = jobs

    return call


def _paired_test(original: Function, module: ModuleType, kind: str) -> Function:
    kernel_test = _kernel_bootstrap if kind == "bs" else _kernel_randomization

    def test(
        baseline_info: Any, sys_name: Any, hypotheses: Any, references: Any, metrics: Any,
        n_samples: Any, n_ar_confidence: Any, seed: Any,
    ) -> Any:  # fmt: skip
        results = {}
        for name, metric in metrics.items():
            result = None
            if kind == "bs" or n_ar_confidence <= 0:
                result = kernel_test(
                    module, baseline_info[name], (name, sys_name), metric, hypotheses, references,
                    n_samples, seed,
                )  # fmt: skip
            if result is None:
                _, result = original(
                    baseline_info, sys_name, hypotheses, references, {name: metric}, n_samples,
                    n_ar_confidence, seed,
                )  # fmt: skip
                result = result[name]
            results[name] = result
        return sys_name, results

    return test


_COMPUTING = "Computing %s for %r and extracting sufficient statistics"


def _kernel_bootstrap(
    module: Any, baseline: Any, names: Any, metric: Any, hyps: Any, references: Any,
    resamples: int, seed: int | None,
) -> Any:  # fmt: skip
    """The result of the paired bootstrap test; None if sacreBLEU must compute it."""
    import numpy as np

    rows = _Corpus(metric, hyps, references or None).rows()
    drawn = rows and _bootstrap(metric, (baseline[0], rows), resamples, seed)
    if not drawn:
        return None
    _logger.info(_COMPUTING, *names)
    _logger.info(" > Performing paired bootstrap resampling test (# resamples: %s)", resamples)
    score = metric._aggregate_and_compute(rows).score
    theirs, ours = drawn
    differences = np.abs(ours - theirs)
    differences -= differences.mean()
    p = module._compute_p_value(differences, abs(baseline[1].score - score))
    return module.Result(score, p, *module.estimate_ci(ours))


def _kernel_randomization(
    module: Any, baseline: Any, names: Any, metric: Any, hyps: Any, references: Any,
    trials: int, seed: int | None,
) -> Any:  # fmt: skip
    """The result of approximate randomization; None if sacreBLEU must compute it."""
    import numpy as np

    from truebleu.analysis.compare.resampling import numpy_draws

    rows = _Corpus(metric, hyps, references or None).rows()
    resampling = rows and _resampling(metric, (baseline[0], rows))
    if not resampling:
        return None
    _logger.info(_COMPUTING, *names)
    _logger.info(" > Performing approximate randomization test (# trials: %s)", trials)
    score = metric._aggregate_and_compute(rows).score
    draws = numpy_draws(np.random.default_rng(seed))
    differences = np.concatenate(list(resampling.numpy_permutation(trials, draws)))
    return module.Result(
        score, module._compute_p_value(differences, abs(baseline[1].score - score))
    )

# SPDX-License-Identifier: Apache-2.0
"""The front of the kernel: a dialect compiled once, then scores of anything.

The only module that imports `truebleu._core`.
"""

from __future__ import annotations

import os

from truebleu import _core, corpus, tokenizers
from truebleu.accumulation import Accumulator
from truebleu.dialect import OPTIONS
from truebleu.dialects import dialect as find_dialect
from truebleu.errors import InputError, OptionError
from truebleu.score import Score
from truebleu.signature import signature
from truebleu.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialect import Dialect

    T = TypeVar("T")

#: Where bytes stop being UTF-8, or None: three times as fast as decoding them to find out.
invalid_utf8 = _core.invalid_utf8

#: Whether columns are lists of words, each exactly a `str`, with a reference for each hypothesis.
hold_words = _core.hold_words

#: Statistics of systems that the kernel resamples, and the generator that sacreBLEU draws from.
Resampler = _core.Resampler
Pcg64 = _core.Pcg64

_MOST_THREADS = 1 << 16

#: Options that the kernel's plan reads: all but the one that chooses between two plans.
_PLANNED = tuple(name for name in OPTIONS if name != "sentence_effective_order")


class BLEU:
    """A dialect, compiled. Frozen, safe to share between threads, and cheap to keep.

    Args:
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        threads: the most threads that a call uses; by default TRUEBLEU_NUM_THREADS, else as many
            as the process may run on. Threads never change a result.
        changes: options to change, by name.

    Attributes:
        dialect: the dialect with its changes.
        sentence_dialect: the same for single sentences, with `sentence_effective_order`.
        threads: as given, or what that default came to.
        plan: the dialect as the kernel holds it, for code that must spare what surrounds it here.
        sentence_plan: the same with `sentence_effective_order`.

    Raises:
        OptionError: a dialect, an option or a value does not exist.
        MissingExtraError: the tokenizer needs a library that is not installed.

    Example:
        >>> from truebleu import BLEU
        >>> bleu = BLEU("sacrebleu", tokenize="intl")
        >>> bleu.corpus(["Hello, world!"], ["Hello, world!"]).value
        100.00000000000004
    """

    __slots__ = (
        "_function", "_tokenizer", "dialect", "plan", "sentence_dialect", "sentence_plan",
        "threads",
    )  # fmt: skip

    def __init__(
        self, dialect: str | Dialect = "sacrebleu", *, threads: int | None = None, **changes: Any
    ) -> None:
        self.dialect = find_dialect(dialect, **changes)
        self.threads = _check_threads(threads)
        sentence = self.dialect.combine.sentence_effective_order
        self.sentence_dialect = self.dialect.replace(effective_order=sentence)
        self._function, self._tokenizer = tokenizers.find(self.dialect.tokenize.tokenize)
        self.plan = _compile(self.dialect)
        self.sentence_plan = _compile(self.sentence_dialect)

    def __reduce__(self) -> tuple[Any, ...]:
        return BLEU, (self.dialect,)

    def __repr__(self) -> str:
        return f"BLEU({self.signature!r})"

    @property
    def signature(self) -> str:
        """How this metric computes scores, as one line; a score's own adds the references."""
        return self._signature(self.dialect, nrefs=None)

    @property
    def sentence_signature(self) -> str:
        """The same for scores of single segments."""
        return self._signature(self.sentence_dialect, nrefs=None)

    def corpus(self, hyps: Any, refs: Any) -> Score:
        """Score a corpus.

        Args:
            hyps: n segments: strings, or lists of words if you tokenize yourself. Lists, tuples,
                generators, NumPy and pandas columns, and Arrow data of any library.
            refs: n entries: a string each, or a list of strings each, `None` among them where a
                reference is absent.

        Raises:
            InputError: they are not aligned, or not text.
        """
        total, _, nrefs, tokenized = self._total(hyps, refs)
        return self._score_of(total, nrefs, tokenized)

    def sentence(self, hyp: Any, refs: Any) -> Score:
        """Score one segment by itself, with `sentence_effective_order`.

        Args:
            hyp: a string, or a list of words.
            refs: a string or a list of strings; lists of words if `hyp` is one.
        """
        total, _, nrefs, tokenized = self._total((hyp,), (refs,))
        return self._score(self.sentence_plan, self.sentence_dialect, total, nrefs, tokenized)

    def sentences(self, hyps: Any, refs: Any) -> NDArray[np.float64]:
        """Score each segment by itself: an array of n floats, as `sentence` would give."""
        import numpy as np

        scores = self.sentence_plan.scores(*self._columns(hyps, refs), self.threads)
        return np.frombuffer(scores, dtype=np.float64)

    def stats(self, hyps: Any, refs: Any) -> Stats:
        """The statistics of each segment: n rows."""
        rows = self.plan.rows(*self._columns(hyps, refs), self.threads)
        return Stats.from_buffer(rows, self.dialect.counted_orders)

    def score(self, stats: Stats) -> Score:
        """The score of the sum of `stats`.

        Raises:
            InputError: they were counted up to another n-gram order, or there are none.
        """
        self._check_orders(stats)
        if not len(stats):
            raise InputError("there are no statistics to score; give one row at least")
        return self._score(self.plan, self.dialect, stats.sum())

    def values(self, stats: Stats) -> NDArray[np.float64]:
        """The score of each row of `stats` by itself: an array of floats, as `score` would give.

        Raises:
            InputError: they were counted up to another n-gram order.
        """
        import numpy as np

        self._check_orders(stats)
        return np.frombuffer(self.plan.values(stats.buffer), dtype=np.float64)

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, after normalization."""
        if self._function is not None:
            (words,) = tokenizers.apply(self._function, self.dialect.normalize, "text", (text,))
            return list(words)
        return self.plan.tokens((text,))[0]

    def column(self, name: str, values: Any) -> Any:
        """Segments that are not paired with others, as a column that `plan` reads.

        Args:
            name: what errors call it.
            values: strings or lists of words, in what `corpus` takes, too.
        """
        values = corpus.column(name, values)
        if self._function is None:
            return _for_kernel(values)
        values = corpus.as_python(name, values)
        if values and isinstance(values[0], (list, tuple)):
            return values  # the caller tokenized
        return tokenizers.apply(self._function, self.dialect.normalize, name, values)

    def accumulator(self) -> Accumulator:
        """An empty accumulator for a corpus that comes in batches."""
        return Accumulator(self)

    @property
    def _identity(self) -> Dialect:
        return self.dialect

    def _no_stats(self) -> Stats:
        orders = self.dialect.counted_orders
        return Stats(((0,) * (2 + 2 * orders),), orders)

    def _score_of(self, total: Stats, nrefs: int | str | None, tokenized: bool) -> Score:
        return self._score(self.plan, self.dialect, total, nrefs, tokenized)

    def _check_orders(self, stats: Stats) -> None:
        orders = self.dialect.counted_orders
        if stats.orders != orders:
            raise InputError(
                f"the statistics go to order {stats.orders}, the dialect to {orders}; "
                f"set max_ngram_order={stats.orders}"
            )

    def _columns(self, hyps: Any, refs: Any) -> tuple[Any, Any]:
        hyps, refs = corpus.columns(hyps, refs)
        if self._function is None:
            return _for_kernel(hyps), _for_kernel(refs)
        hyps, refs = corpus.as_python("hyps", hyps), corpus.as_python("refs", refs)
        if hyps and isinstance(hyps[0], (list, tuple)):
            return hyps, refs  # the caller tokenized
        how = self.dialect.normalize
        apply = tokenizers.apply
        return apply(self._function, how, "hyps", hyps), apply(self._function, how, "refs", refs)

    def _total(self, hyps: Any, refs: Any) -> tuple[Stats, int, int | str, bool]:
        columns = self._columns(hyps, refs)
        row, segments, (fewest, most), tokenized = self.plan.total(*columns, self.threads)
        total = Stats((row,), self.dialect.counted_orders)
        nrefs = fewest if fewest == most else "var"
        return total, segments, nrefs, tokenized and self._function is None

    def _score(
        self,
        plan: _core.Plan,
        dialect: Dialect,
        total: Stats,
        nrefs: int | str | None = None,
        tokenized: bool = False,
    ) -> Score:
        row = list(total[0])
        value, bp, precisions = plan.combine(row)
        individual, cumulative = plan.by_order(row)
        line = self._signature(dialect, nrefs, tokenized)
        return Score(
            value, tuple(precisions), bp, line, total,
            tuple(individual), tuple(cumulative), dialect.combine.scale,
        )  # fmt: skip

    def _signature(self, dialect: Dialect, nrefs: int | str | None, tokenized: bool = False) -> str:
        categories, lower = _core.unicode_versions()
        versions = []
        if self._tokenizer in ("intl", "intl-split") and not tokenized:
            versions.append(f"categories-{categories}")
        if dialect.normalize.lowercase and dialect.normalize.lowercase_rule == "unicode":
            versions.append(f"lower-{lower}")
        tokenizer = "given" if tokenized else self._tokenizer
        return signature(dialect, nrefs=nrefs, tokenizer=tokenizer, unicode=",".join(versions))


def corpus_bleu(
    hyps: Any,
    refs: Any,
    dialect: str | Dialect = "sacrebleu",
    *,
    threads: int | None = None,
    **changes: Any,
) -> Score:
    """Score a corpus; see `BLEU.corpus`.

    Example:
        >>> from truebleu import corpus_bleu
        >>> corpus_bleu(["the cat sat"], [["the cat sat", "a cat sat"]], max_ngram_order=2).value
        100.00000000000004
    """
    return compiled(dialect, threads, changes).corpus(hyps, refs)


def sentence_bleu(
    hyp: Any, refs: Any, dialect: str | Dialect = "sacrebleu", **changes: Any
) -> Score:
    """Score one segment, with effective order as sacreBLEU's sentence mode; see `BLEU.sentence`.

    Example:
        >>> from truebleu import sentence_bleu
        >>> sentence_bleu("the cat", ["the cat", "a cat"]).value
        100.00000000000004
    """
    return compiled(dialect, 1, changes).sentence(hyp, refs)


#: Compiled metrics of recent calls.
_recent: dict[Any, BLEU] = {}


def compiled(dialect: str | Dialect, threads: int | None, changes: dict[str, Any]) -> BLEU:
    """`BLEU(dialect, threads=threads, **changes)`, kept for the next call."""
    # With types: 2.0 equals 2, and is no n-gram order.
    key = (dialect, threads, type(threads), *changes.items(), *map(type, changes.values()))
    try:
        found = _recent.get(key)
    except TypeError:  # a list of weights: no key
        return BLEU(dialect, threads=threads, **changes)
    if found is None:
        found = BLEU(dialect, threads=threads, **changes)
        if len(_recent) >= 64:
            _recent.clear()
        _recent[key] = found
    return found


def _for_kernel(column: Any) -> Any:
    if isinstance(column, corpus.Lines):
        return _core.Lines([column.data])
    if isinstance(column, corpus.LineStreams):
        return _core.Lines([file.data for file in column.files])
    return column


def _compile(dialect: Dialect) -> _core.Plan:
    options = dialect.options()
    options["smooth_value"] = dialect.combine.effective_smooth_value()
    if options["tokenize"] not in tokenizers.NATIVE:
        options["tokenize"] = "none"  # the kernel is given words
    return in_kernel(
        _core.Plan, {name: options[name] for name in _PLANNED if options[name] is not None}
    )


def in_kernel(make: Callable[[list[tuple[str, str]]], T], options: dict[str, Any]) -> T:
    """What the kernel makes of options, which it is given as text."""
    settings = [(name, _plan_text(value)) for name, value in options.items()]
    simd = os.environ.get("TRUEBLEU_SIMD")
    if simd:
        settings.append(("simd", simd))
    try:
        return make(settings)
    except ValueError as error:
        raise OptionError(str(error)) from None


def _plan_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(item if isinstance(item, str) else repr(item) for item in value)
    return value if isinstance(value, str) else repr(value)


def _check_threads(threads: int | None) -> int:
    if threads is None:
        text = os.environ.get("TRUEBLEU_NUM_THREADS", "")
        if not text:
            if hasattr(os, "sched_getaffinity"):
                return len(os.sched_getaffinity(0))
            return os.cpu_count() or 1
        if not text.isdecimal():
            raise OptionError(f"TRUEBLEU_NUM_THREADS is {text!r}; it must be a whole number")
        threads = int(text)
    if (
        isinstance(threads, bool)
        or not isinstance(threads, int)
        or not 1 <= threads <= _MOST_THREADS
    ):
        raise OptionError(f"threads cannot be {threads!r}; it must be 1 to {_MOST_THREADS}")
    return threads

# SPDX-License-Identifier: Apache-2.0
"""The front of the kernel: a dialect compiled once, then scores of anything.

The only module that imports `truebleu._core`.
"""

from __future__ import annotations

from truebleu import _core
from truebleu.dialects.signature import nrefs, signature
from truebleu.dialects.tools import dialect as find_dialect
from truebleu.errors import InputError, OptionError, check_bool
from truebleu.inputs import corpus
from truebleu.inputs.corpus import reading
from truebleu.inputs.ids import Ids
from truebleu.metrics import tokenizers
from truebleu.metrics.score import Parts, Score
from truebleu.metrics.settings import plan_options, settings
from truebleu.metrics.stats import Stats
from truebleu.metrics.threads import check as check_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.decisions import Dialect
    from truebleu.inputs.corpus import Reading
    from truebleu.metrics.accumulation import Accumulator

#: Where bytes stop being UTF-8, or None: three times as fast as decoding them to find out.
invalid_utf8 = _core.invalid_utf8
#: How many lines end in bytes from a place on, but so many at most, and where the last one ends.
lines_end = _core.lines_end
#: Whether columns are lists of words, each exactly a `str`, with a reference for each hypothesis.
hold_words = _core.hold_words
#: Of a column of token ids, where groups of rows begin and end, and whether there are groups.
id_bounds = _core.id_bounds
#: Statistics of systems that the kernel resamples, and the generator that sacreBLEU draws from.
Resampler = _core.Resampler
Pcg64 = _core.Pcg64
#: What calls of other threads are stopped by: Ctrl-C stops those of the main thread alone.
Stop = _core.Stop
#: Raises InputError unless there is memory for so many bytes.
make_room = _core.make_room


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
        "_function", "_tokenizer", "_words", "dialect", "plan", "sentence_dialect",
        "sentence_plan", "threads",
    )  # fmt: skip

    #: What its scores are called, and that more of them is better.
    name: ClassVar[str] = "BLEU"
    higher_is_better: ClassVar[bool] = True

    def __init__(
        self, dialect: str | Dialect = "sacrebleu", *, threads: int | None = None, **changes: Any
    ) -> None:
        self.dialect = find_dialect(dialect, **changes)
        self.threads = check_threads(threads)
        sentence = self.dialect.combine.sentence_effective_order
        self.sentence_dialect = self.dialect.replace(effective_order=sentence)
        self._function, self._tokenizer = tokenizers.find(self.dialect.tokenize.tokenize)
        function, normalize = self._function, self.dialect.normalize
        self._words = function and tokenizers.applied(function, normalize)
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

    def corpus(
        self,
        hyps: Any,
        refs: Any = None,
        *,
        pad_id: int | None = None,
        eos_id: int | None = None,
        group: int = 1,
    ) -> Score:
        """Score a corpus.

        Args:
            hyps: n segments: strings; lists of words or of token ids if you tokenize yourself.
                Lists, tuples, generators, NumPy and pandas columns, Arrow data of any library; for
                ids also 2-D arrays of NumPy, PyTorch and others, and `Ids`. Without `refs`, batches
                that hold both: what `truebleu.scan` gives, or an iterator of Arrow tables.
            refs: n entries: a segment each, or a list of segments each, `None` among strings where
                a reference is absent.
            pad_id: the id of padding, which is no token.
            eos_id: the id that ends a segment; neither it nor what follows is a token. Padding
                before the first token is passed over first, so that both ids may be the same.
            group: `refs` has an entry for so many hypotheses in a row, such as the samples of a
                prompt.

        Raises:
            InputError: they are not aligned, or neither text nor ids.
        """
        if refs is None:
            from truebleu.inputs import batches

            score: Score = batches.corpus(self, hyps)
            return score
        how = reading(pad_id, eos_id, group)
        total, _, counts, tokenized = self._total(hyps, refs, how)
        return self._score_of(total, nrefs(counts), tokenized)

    def sentence(
        self, hyp: Any, refs: Any, *, pad_id: int | None = None, eos_id: int | None = None
    ) -> Score:
        """Score one segment by itself, with `sentence_effective_order`.

        Args:
            hyp: a string, or a list of words or token ids.
            refs: a string or a list of strings; lists of words or ids if `hyp` is one.
            pad_id: as in `corpus`.
            eos_id: as in `corpus`.
        """
        how = reading(pad_id, eos_id, 1)
        total, _, counts, tokenized = self._total((hyp,), (refs,), how)
        plan, dialect = self.sentence_plan, self.sentence_dialect
        return self._score(plan, dialect, total, nrefs(counts), tokenized)

    def sentences(
        self,
        hyps: Any,
        refs: Any = None,
        *,
        pad_id: int | None = None,
        eos_id: int | None = None,
        group: int = 1,
    ) -> NDArray[np.float64]:
        """Score each segment by itself: an array of n floats, as `sentence` would give.

        The arguments are those of `corpus`.
        """
        import numpy as np

        if refs is None:
            from truebleu.inputs import batches

            found: NDArray[np.float64] = batches.sentences(self, hyps)
            return found
        how = reading(pad_id, eos_id, group)
        scores = self.sentence_plan.scores(*self._columns(hyps, refs, how), self.threads, how)
        return np.frombuffer(scores, dtype=np.float64)

    def prefixes(
        self,
        hyps: Any,
        refs: Any,
        *,
        pad_id: int | None = None,
        eos_id: int | None = None,
        group: int = 1,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Score each segment after each of its tokens, as if it ended there.

        The work grows with the tokens, and not with their square. The arguments are those of
        `corpus`.

        Returns:
            Scores and offsets: those of segment i are `scores[offsets[i]:offsets[i + 1]]`, one for
            each token, and the last is what `sentences` gives.

        Example:
            >>> from truebleu import BLEU
            >>> scores, offsets = BLEU().prefixes([[5, 7, 9]], [[5, 7, 8]])
            >>> scores.round(1), offsets
            (array([13.5, 60.7, 55. ]), array([0, 3]))
        """
        import numpy as np

        how = reading(pad_id, eos_id, group)
        columns = self._columns(hyps, refs, how)
        scores, offsets = self.sentence_plan.prefixes(*columns, self.threads, how)
        return np.frombuffer(scores, dtype=np.float64), np.frombuffer(offsets, dtype=np.int64)

    def stats(
        self,
        hyps: Any,
        refs: Any,
        *,
        pad_id: int | None = None,
        eos_id: int | None = None,
        group: int = 1,
    ) -> Stats:
        """The statistics of each segment: n rows. The arguments are those of `corpus`."""
        how = reading(pad_id, eos_id, group)
        rows = self.plan.rows(*self._columns(hyps, refs, how), self.threads, how)
        return Stats.from_buffer(rows, self.dialect.counted_orders)

    def parts(self, stats: Stats) -> Parts:
        """What the score of each segment is made of: arrays of scores, penalties and precisions.

        Raises:
            InputError: the statistics were counted up to another n-gram order.

        Example:
            >>> from truebleu import BLEU
            >>> bleu = BLEU()
            >>> parts = bleu.parts(bleu.stats(["a b c d", "e f"], ["a b c d", "e g h"]))
            >>> parts.values.round(2), parts.bps.round(2), parts.precisions[1]
            (array([100.  ,  30.33]), array([1.  , 0.61]), array([50., 50.,  0.,  0.]))
        """
        import numpy as np

        self._check_orders(stats)
        table = np.frombuffer(self.sentence_plan.parts(stats.buffer), dtype=np.float64)
        width = 2 + self.dialect.count.max_ngram_order
        return Parts(table.reshape(-1, width), stats)

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
        if self._words:
            return list(self._words("text", (text,))[0])
        return self.plan.tokens((text,))[0]

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:
        """Segments that are not paired with others, as a column that `plan` reads.

        Args:
            name: what errors call it.
            values: strings, lists of words or token ids, in what `corpus` takes, too.
            once: it is read once, so that it need not be held.
        """
        once = check_bool("once", once)
        values = corpus.column(name, values, once=once)
        if not self._words or isinstance(values, Ids):
            return for_kernel(values)
        item, values = corpus.first(corpus.as_python(name, values, once=once))
        if isinstance(item, (list, tuple)):
            return values  # the caller tokenized
        return _core.Tokenized(values, self._words) if once else self._words(name, values)

    def accumulator(self) -> Accumulator:
        """An empty accumulator for a corpus that comes in batches."""
        from truebleu.metrics.accumulation import Accumulator

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
        if not isinstance(stats, Stats):
            kind = type(stats).__name__
            raise InputError(f"the statistics are {kind}, not Stats; count them with stats() here")
        if stats.orders != orders:
            raise InputError(
                f"the statistics go to order {stats.orders}, the dialect to {orders}; "
                f"set max_ngram_order={stats.orders}"
            )

    def _columns(self, hyps: Any, refs: Any, how: Reading) -> tuple[Any, Any]:
        hyps, refs = corpus.columns(hyps, refs, group=how[2], once=True)
        if not self._words or isinstance(hyps, Ids):
            return for_kernel(hyps), for_kernel(refs)
        item, hyps = corpus.first(corpus.as_python("hyps", hyps, once=True))
        refs = corpus.as_python("refs", refs, once=True)
        if isinstance(item, (list, tuple)):
            return hyps, refs  # the caller tokenized
        return _core.Tokenized(hyps, self._words), _core.Tokenized(refs, self._words)

    def _total(
        self, hyps: Any, refs: Any, how: Reading
    ) -> tuple[Stats, int, tuple[int, int], bool]:
        columns = self._columns(hyps, refs, how)
        row, segments, counts, tokenized = self.plan.total(*columns, self.threads, how)
        total = Stats((row,), self.dialect.counted_orders)
        return total, segments, counts, tokenized and self._function is None

    def _score(
        self,
        plan: _core.Metric,
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


def for_kernel(column: Any) -> Any:
    """A column in the form that the kernel takes, its data where they are."""
    if isinstance(column, Ids):
        return _core.Ids(column.values, column.offsets, column.items)
    if isinstance(column, corpus.Lines):
        return _core.Lines([column.part])
    if isinstance(column, corpus.LineStreams):
        return _core.Lines([file.part for file in column.files])
    return column


def _compile(dialect: Dialect) -> _core.Metric:
    options = plan_options(dialect)
    if options["tokenize"] not in tokenizers.NATIVE:
        options["tokenize"] = "none"  # the kernel is given words
    return in_kernel("bleu", options)


def in_kernel(name: str, options: dict[str, Any]) -> _core.Metric:
    """A metric of the kernel, which reads options as text."""
    try:
        return _core.Metric(name, settings(options))
    except ValueError as error:
        raise OptionError(str(error)) from None

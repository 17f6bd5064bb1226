# SPDX-License-Identifier: Apache-2.0
"""The base class of all metrics, with their verbs."""

from __future__ import annotations

import os

from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError, OptionError, check_bool, describe
from truebleu.inputs import corpus
from truebleu.inputs.corpus import PLAIN, Marks, Reading, reading
from truebleu.inputs.ids import is_array
from truebleu.metrics.kernel import Kernel, check_threads, for_kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Generic, Self

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.changes import ScoreOfMetric, StatsOfMetric
    from truebleu.metrics.accumulation import Accumulator
    from truebleu.metrics.stats import Rows
    from truebleu.metrics.tokenizers import PythonTexts

    #: Of BLEU: the penalty, precisions, and the scores of each order alone and of those up to each.
    Factors = tuple[float, list[float], list[float], list[float]]
    #: References of a segment, as in signatures; whether the caller tokenized; whether the score is
    #: that of a segment by itself.
    Signed = tuple[int | str | None, bool, bool]

    class _Typed(Generic[StatsOfMetric, ScoreOfMetric]):
        """Tells type checkers which statistics and scores a metric has."""

else:

    class _Typed:
        __slots__ = ()
        __class_getitem__ = classmethod(lambda cls, _: cls)


#: Metrics by their arguments: compiling one takes ten times as long as scoring a pair.
_BUILT: dict[Any, Any] = {}


class Metric(_Typed["StatsOfMetric", "ScoreOfMetric"]):
    """A metric that counts each segment, adds the counts and scores the sum.

    Frozen; threads can share it.

    Attributes:
        threads: the most threads that a call uses.
        plan: the metric in the kernel.
        sentence_plan: the same for scores of single segments.
    """

    __slots__ = ("_has_threads", "_texts", "_zero", "plan", "sentence_plan", "threads")

    #: Whether a higher score is better.
    higher_is_better: ClassVar[bool] = True

    #: The name of its scores, and their class.
    _NAME: ClassVar[str]
    _SCORE: ClassVar[Any]
    #: Whether the kernel counts all integers of its rows.
    _IN_KERNEL: ClassVar[bool] = True

    threads: int
    plan: Kernel
    sentence_plan: Kernel
    #: Normalizes or tokenizes texts in Python; None if the kernel reads them as they are.
    _texts: PythonTexts | None

    def __init__(
        self, plans: tuple[Kernel, Kernel], zero: StatsOfMetric, threads: int | None, texts: PythonTexts | None = None
    ) -> None:
        self.plan, self.sentence_plan = plans
        self._zero = zero
        self._texts = texts
        self.threads, self._has_threads = check_threads(threads), threads is not None

    @classmethod
    def _built(cls, dialect: Any, threads: int | None, changes: Mapping[str, Any], simd: str | None = None) -> Self:
        """The metric of these arguments, which callers share; the key may have a `simd`."""
        # The types belong to the key: 2.0 equals 2, but is not an n-gram order.
        types = map(type, (threads, *changes.values()))
        fixed = (tuple(value) if type(value) is list else value for value in changes.values())
        key = (cls, simd, dialect, threads, *changes, *fixed, *types)
        try:
            built: Any = _BUILT.get(key)
        except TypeError:  # a value without a hash
            built, key = None, ()
        if built is None:
            built = cls.__new__(cls)
            built._build(dialect, threads, changes)
            if len(_BUILT) >= 256:  # a survey makes one for each row of the table
                _BUILT.clear()
            if key:
                _BUILT[key] = built
        metric: Self = built
        return metric

    def _take_built(self, dialect: Any, threads: int | None, changes: Mapping[str, Any]) -> None:
        """Become a copy of the metric of these arguments."""
        simd = os.environ.get("TRUEBLEU_SIMD")
        self._take(self._built(dialect, None, changes, simd))
        self.threads, self._has_threads = check_threads(threads), threads is not None

    def _take(self, model: Any) -> None:
        """Take all attributes of a metric of the same class."""
        for base in type(self).__mro__:
            for name in getattr(base, "__slots__", ()):
                setattr(self, name, getattr(model, name))

    def __copy__(self) -> Self:
        copy = type(self).__new__(type(self))
        copy._take(self)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        from functools import partial  # not needed to score

        is_own = self._has_threads or self.threads != check_threads(None)
        threads = self.threads if is_own else None
        return partial(type(self), **self.settings, threads=threads), ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.signature!r})"

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of the constructor but `threads`, by name."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The name of its scores."""
        return self._NAME

    @property
    def reader(self) -> Any:
        """The BLEU that reads its text, None if it reads text in a way of its own."""
        return None

    @property
    def scale(self) -> float:
        """The score of a perfect hypothesis; infinite for NIST."""
        return float(self._SCORE.scale)

    @property
    def signature(self) -> str:
        """The settings of this metric as one line; a score's signature adds the references."""
        return self._score_signature(None)

    def corpus(
        self,
        hyps: Any,
        refs: Any = None,
        *,
        pad_id: Marks = None,
        eos_id: Marks = None,
        group: int = 1,
        confidence: float | None = None,
    ) -> ScoreOfMetric:
        """Score a corpus.

        Args:
            hyps: n segments: strings, or lists of words or token ids if you tokenize yourself
                (chrF and TER join words by spaces and cannot read ids). Lists, tuples, generators,
                NumPy and pandas columns, Arrow data of any library; for ids also 2-D arrays of
                NumPy, PyTorch and others, and `Ids`. Without `refs`, batches that hold both: what
                `truebleu.scan` returns, or an iterator of Arrow tables.
            refs: n entries: a segment each, or a list of segments each, `None` among strings where
                a reference is absent; for ids also 3-D arrays, in which a row of padding alone is
                an absent reference.
            pad_id: the id of padding, which is not a token; or several, such as `[0, -100]`.
            eos_id: the id that ends a segment, or several; neither it nor what follows is a token.
                Padding before the first token is skipped first, so one id may be both.
            group: the number of hypotheses in a row that share one entry of `refs`, such as the
                samples of a prompt.
            confidence: also compute `score.interval` at this level, such as 0.95, and
                `score.standard_error`: BCa over 10,000 bootstrap resamples of the segments (Efron
                1987), as `truebleu.compare` does.

        Returns:
            A `Score` of BLEU, or a `MetricScore`, such as a `CHRFScore`.

        Raises:
            InputError: they are not aligned, or neither text nor ids.

        Example:
            >>> from truebleu import BLEU
            >>> score = BLEU().corpus(["a cat is here"], [["the cat is here", "a dog is here"]])
            >>> score.value, score.precisions, score.bp
            (63.894310424627285, (100.0, 66.66666666666667, 50.0, 50.0), 1.0)
        """
        if confidence is not None:
            return self._with_interval(hyps, refs, reading(pad_id, eos_id, group), confidence)
        if refs is None:
            from truebleu.metrics import accumulation

            score: ScoreOfMetric = accumulation.corpus_of_batches(self, hyps)
            return score
        return self._scored(hyps, refs, reading(pad_id, eos_id, group))

    def sentence(self, hyp: Any, refs: Any, *, pad_id: Marks = None, eos_id: Marks = None) -> ScoreOfMetric:
        """Score one segment by itself; BLEU does so with `sentence_effective_order`.

        Args:
            hyp: a string, or a list of words or token ids.
            refs: a string or a list of strings; lists of words or ids if `hyp` is one.
            pad_id, eos_id: as in `corpus`.
        """
        if type(hyp) is str and pad_id is eos_id is None and self._texts is None:
            score = self._scored_pair(hyp, (refs,) if type(refs) is str else refs)
            if score is not None:
                return score
        several = refs[None] if is_array(refs) and getattr(refs, "ndim", 0) == 2 else (refs,)
        return self._scored((hyp,), several, reading(pad_id, eos_id, 1), sentence=True)

    def sentences(
        self, hyps: Any, refs: Any = None, *, pad_id: Marks = None, eos_id: Marks = None, group: int = 1
    ) -> NDArray[np.float64]:
        """Score each segment by itself, as `sentence` would: an array of n floats.

        The arguments are those of `corpus`.
        """
        import numpy as np

        if refs is None:
            from truebleu.metrics import accumulation

            return accumulation.sentences_of_batches(self, hyps)
        options = reading(pad_id, eos_id, group)
        if not self._IN_KERNEL:
            return self.sentence_values(self._rows(hyps, refs, options))
        metric, hyps, refs = self._ready(hyps, refs, options)
        columns = metric._columns(hyps, refs, options)
        return np.frombuffer(metric.sentence_plan.scores(*columns, self.threads, options))

    def stats(
        self, hyps: Any, refs: Any, *, pad_id: Marks = None, eos_id: Marks = None, group: int = 1
    ) -> StatsOfMetric:
        """The statistics of each segment: n rows. The arguments are those of `corpus`."""
        return self._rows(hyps, refs, reading(pad_id, eos_id, group))

    def score(self, stats: Rows) -> ScoreOfMetric:
        """The score of the sum of `stats`."""
        self.check_stats(stats)
        if not len(stats):
            raise InputError("there are no statistics to score; give at least one row")
        return self._score_of_sum(stats.sum(), None)

    def values(self, stats: Rows) -> NDArray[np.float64]:
        """The score of each row of `stats`, as `score` would compute it: an array of n floats."""
        import numpy as np

        self.check_stats(stats)
        return np.frombuffer(self.plan.values(stats.buffer))

    def sentence_values(self, stats: Rows) -> NDArray[np.float64]:
        """The score of each row of `stats`, as `sentences` would compute it."""
        import numpy as np

        self.check_stats(stats)
        return np.frombuffer(self.sentence_plan.values(stats.buffer))

    def pairwise(
        self,
        candidates: Any,
        references: Any = None,
        *,
        exact: bool = False,
        pad_id: Marks = None,
        eos_id: Marks = None,
    ) -> NDArray[np.float64]:
        """The score of each candidate against each reference, as `sentence` scores one pair.

        Args:
            candidates: n segments, in anything that `corpus` takes.
            references: m segments (default: the candidates).
            exact: compute each score of BLEU to the last bit; see `truebleu.pairwise`. Scores of
                chrF and TER are always exact.
            pad_id, eos_id: as in `corpus`.

        Returns:
            An array of n rows and m columns: `scores[i, j]` is the score of candidate i against
            reference j.

        Raises:
            InputError: a column cannot be scored.

        Example:
            >>> from truebleu import CHRF
            >>> CHRF().pairwise(["the cat", "a cat"], ["the cats"]).round(1)
            array([[77.6],
                   [26.7]])
        """
        import numpy as np

        options = reading(pad_id, eos_id, 1)
        columns = self._unpaired_columns(candidates, references)
        exact = check_bool("exact", exact)
        scores: NDArray[np.float64] = self.sentence_plan.pairwise(columns, exact, self.threads, np.empty, options)
        return scores

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, after normalization."""
        if self._texts is not None:
            (text,) = self._texts.column("text", (text,))
        return self.plan.tokens((text,))[0] if isinstance(text, str) else list(text)

    def accumulator(self) -> Accumulator[StatsOfMetric, ScoreOfMetric]:
        """An empty accumulator for a corpus that comes in batches."""
        from truebleu.metrics.accumulation import Accumulator

        return Accumulator(self)

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:
        """Segments that are not paired with references, as a column that `plan` reads.

        Args:
            name: the column's name in error messages.
            values: strings, or lists of words or token ids, in anything that `corpus` takes.
            once: the column is read only once, so an iterator need not be stored.
        """
        values = corpus.column(name, values, once=check_bool("once", once))
        if self._texts is None:
            return for_kernel(values)
        return self._texts.column(name, values, once=once)

    def zero_stats(self) -> StatsOfMetric:
        """The statistics of no segment: one row of zeros."""
        return self._zero

    def check_stats(self, stats: Any) -> None:
        """Check that this metric can score the statistics."""
        zero = self._zero
        if type(stats) is not type(zero):
            kinds = f"{type(stats).__name__}, not {type(zero).__name__}"
            raise InputError(f"the statistics are {kinds}; count them with this metric's stats()")
        if stats.shape != zero.shape:
            its, own = (rows._described(rows.shape) for rows in (stats, zero))
            raise InputError(f"the statistics have {its}, but the metric {own}; count them with its stats()")
        if stats.signature not in (None, zero.signature):
            raise InputError(
                f"the statistics were counted with {stats.signature}, but the metric counts with "
                f"{zero.signature}; score them with the metric that counted them"
            )

    def _ready(self, hyps: Any, refs: Any, options: Reading) -> tuple[Any, Any, Any]:  # noqa: ARG002
        """The metric that counts these columns; another one if it depends on all references."""
        return self, hyps, refs

    def _ready_for(self, scan: Any) -> Any:  # noqa: ARG002
        """The metric that counts what a scan reads."""
        return self

    def _columns(self, hyps: Any, refs: Any, options: Reading) -> tuple[Any, Any]:
        hyps, refs = corpus.columns(hyps, refs, group=options.group, once=True)
        if self._texts is None:
            return for_kernel(hyps), for_kernel(refs)
        return self._texts.columns(hyps, refs)

    def _unpaired_columns(self, candidates: Any, references: Any) -> tuple[Any, Any | None]:
        columns = None if references is None else self.column("references", references)
        return self.column("candidates", candidates), columns

    def _rows(self, hyps: Any, refs: Any, options: Reading) -> StatsOfMetric:
        metric, hyps, refs = self._ready(hyps, refs, options)
        columns = metric._columns(hyps, refs, options)
        rows: StatsOfMetric = metric._zero.like(metric.plan.rows(*columns, self.threads, options))
        return rows

    def _total(
        self, hyps: Any, refs: Any, options: Reading = PLAIN
    ) -> tuple[StatsOfMetric, int, tuple[int, int], bool]:
        """The summed row, its segments, its fewest and most references, if the caller tokenized."""
        metric, hyps, refs = self._ready(hyps, refs, options)
        columns = metric._columns(hyps, refs, options)
        row, segments, counts, tokenized = metric.plan.total(*columns, self.threads, options)
        # Words that a Python function made are not the caller's.
        tokenized = tokenized and self._texts is None
        return metric._zero.like_rows((row,)), segments, counts, tokenized

    def _scored(self, hyps: Any, refs: Any, options: Reading, *, sentence: bool = False) -> ScoreOfMetric:
        """The score of a corpus, in one call of the kernel."""
        if not self._IN_KERNEL:
            total, segments, counts, _ = self._total(hyps, refs, options)
            if not segments:
                raise InputError("hyps is empty; give at least one segment")
            return self._score_of_sum(total, nrefs(counts))
        metric, hyps, refs = self._ready(hyps, refs, options)
        columns = metric._columns(hyps, refs, options)
        formula = self.sentence_plan if sentence else self.plan
        row, counts, tokenized, values = metric.plan.corpus(formula, *columns, self.threads, options)
        tokenized = tokenized and self._texts is None
        return self._made(values, metric._zero.like(row), (nrefs(counts), tokenized, sentence))

    def _with_interval(self, hyps: Any, refs: Any, options: Reading, confidence: float) -> ScoreOfMetric:
        from truebleu.metrics.intervals import score_spread  # which imports NumPy

        if not isinstance(confidence, float) or not 0 < confidence < 1:
            level = describe(confidence)
            raise OptionError(f"confidence cannot be {level}; it must be between 0 and 1")
        if refs is None:
            raise InputError("an interval needs the segments; give hyps and refs, not batches")
        hyps, refs = corpus.column("hyps", hyps), corpus.column("refs", refs)  # read twice
        metric, hyps, refs = self._ready(hyps, refs, options)
        score: ScoreOfMetric = metric._scored(hyps, refs, options)
        spread = score_spread(metric, metric._rows(hyps, refs, options), confidence)
        if spread is None:
            return score
        return score.with_spread((confidence, *spread.interval, spread.standard_error))

    def _scored_pair(self, hyp: str, refs: Any) -> ScoreOfMetric | None:
        """The score of a text, without columns; None if it must be read in the usual way."""
        if not self._IN_KERNEL or type(refs) not in (list, tuple):
            return None
        metric, _, _ = self._ready((hyp,), (refs,), PLAIN)
        pair = metric.plan.pair(hyp, refs, metric.sentence_plan)
        if pair is None:
            return None
        value, row, count = pair
        score: ScoreOfMetric = self._SCORE._of_pair(value, (self, metric, row, count))
        return score

    def _score_of_pair(self, metric: Metric, row: bytearray, count: int) -> ScoreOfMetric:
        """The whole of a score of which `metric` counted the row."""
        total = metric._zero.like(row)
        values = metric.sentence_plan.score(list(total[0]))
        return self._made(values, total, (count, False, True))

    def _score_of_sum(self, total: Any, nrefs: int | str | None, *, tokenized: bool = False) -> ScoreOfMetric:
        """The score of one row; `nrefs` is for the signature, None if it is not known."""
        return self._made(self.plan.score(list(total[0])), total, (nrefs, tokenized, False))

    def _made(self, values: tuple[float, Factors | None], total: Any, signed: Signed) -> ScoreOfMetric:
        """The score object: the kernel's values of one row with their signature."""
        line = self._score_signature(*signed)
        scale = (self.scale,) * ("scale" in self._SCORE._FIELDS)  # which is that of a dialect
        score: ScoreOfMetric = self._SCORE(self.name, values[0], line, total, *scale)
        return score

    def _score_signature(self, nrefs: int | str | None, tokenized: bool = False, sentence: bool = False) -> str:
        """The signature of a score with `nrefs` references per segment; None if unknown."""
        raise NotImplementedError

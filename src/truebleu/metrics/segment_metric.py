# SPDX-License-Identifier: Apache-2.0
"""What chrF and TER have in common: the verbs of BLEU, on the kernel's other metrics."""

from __future__ import annotations

from truebleu import _core
from truebleu.dialects.signature import nrefs
from truebleu.errors import InputError
from truebleu.inputs import batches, corpus
from truebleu.metrics.accumulation import Accumulator
from truebleu.metrics.bleu import for_kernel, in_kernel
from truebleu.metrics.threads import check as check_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.options import Part
    from truebleu.inputs.corpus import Reading
    from truebleu.metrics.metric_scores import CHRFScore, CHRFStats, TERScore, TERStats

    StatsT = TypeVar("StatsT", CHRFStats, TERStats)
    ScoreT = TypeVar("ScoreT", CHRFScore, TERScore)

    class _Base(Generic[StatsT, ScoreT]):
        """Tells type checkers what a metric counts and gives."""

else:

    class _Base:
        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls


#: The version of sacreBLEU that is reproduced.
VERSION = "2.6.0"


class SegmentMetric(_Base["StatsT", "ScoreT"]):
    """A metric that counts segments one by one. Frozen, and safe to share between threads.

    Attributes:
        options: its options, with those that were changed.
        threads: the most threads that a call uses.
        plan: the metric as the kernel holds it.
    """

    __slots__ = ("options", "plan", "threads")

    #: Whether more is better.
    higher_is_better: ClassVar[bool] = True

    _KIND: ClassVar[str]
    _OPTIONS: ClassVar[type[Part]]

    def __init__(self, *, threads: int | None = None, **changes: Any) -> None:
        self.options: Any = self._OPTIONS(**changes)
        self.threads = check_threads(threads)
        self.plan = in_kernel(self._KIND, self._kernel_options())

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), vars(self.options))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.signature!r})"

    @property
    def name(self) -> str:
        """What its scores are called."""
        raise NotImplementedError

    def _kernel_options(self) -> dict[str, Any]:
        return dict(vars(self.options))

    def _stats(self, rows: Any) -> StatsT:
        raise NotImplementedError

    def _made(self, value: float, signature: str, total: StatsT) -> ScoreT:
        raise NotImplementedError

    def _signature(self, nrefs: int | str | None) -> dict[str, Any]:
        """Keys and values of the signature between `nrefs` and `version`."""
        raise NotImplementedError

    @property
    def signature(self) -> str:
        """How this metric computes scores, as one line; a score's own adds the references."""
        return self._line(None)

    def corpus(self, hyps: Any, refs: Any = None) -> ScoreT:
        """Score a corpus.

        Args:
            hyps: n segments, in anything that `BLEU.corpus` takes; lists of words are joined by
                blanks. Without `refs`, batches that hold both: what `truebleu.scan` gives, or an
                iterator of Arrow tables.
            refs: n entries: a string each, or a list of strings each, `None` among them where a
                reference is absent.

        Raises:
            InputError: they are not aligned, or not text.
        """
        if refs is None:
            score: ScoreT = batches.corpus(self, hyps)
            return score
        total, _, counts, _ = self._total(hyps, refs)
        return self._score_of(total, nrefs(counts))

    def sentence(self, hyp: Any, refs: Any) -> ScoreT:
        """Score one segment by itself.

        Args:
            hyp: a string.
            refs: a string or a list of strings.
        """
        return self.corpus((hyp,), (refs,))

    def sentences(self, hyps: Any, refs: Any = None) -> NDArray[np.float64]:
        """Score each segment by itself: an array of n floats, as `sentence` would give."""
        import numpy as np

        if refs is None:
            found: NDArray[np.float64] = batches.sentences(self, hyps)
            return found
        scores = self.plan.scores(*self._columns(hyps, refs), self.threads)
        return np.frombuffer(scores, dtype=np.float64)

    def stats(self, hyps: Any, refs: Any) -> StatsT:
        """The statistics of each segment: n rows."""
        return self._stats(self.plan.rows(*self._columns(hyps, refs), self.threads))

    def score(self, stats: StatsT) -> ScoreT:
        """The score of the sum of `stats`.

        Raises:
            InputError: they are of another metric or of other orders, or there are none.
        """
        self._check(stats)
        if not len(stats):
            raise InputError("there are no statistics to score; give one row at least")
        return self._score_of(stats.sum(), None)

    def values(self, stats: StatsT) -> NDArray[np.float64]:
        """The score of each row of `stats` by itself: an array of floats, as `score` would give.

        Raises:
            InputError: they are of another metric or of other orders.
        """
        import numpy as np

        self._check(stats)
        return np.frombuffer(self.plan.values(stats.buffer), dtype=np.float64)

    def pairwise(self, candidates: Any, references: Any = None) -> NDArray[np.float64]:
        """The score of each candidate against each reference, as `sentence` gives it for one pair.

        All n-grams of chrF are looked up once for the whole matrix; TER takes its time for each
        pair.

        Args:
            candidates: n segments, strings or lists of words.
            references: m segments; without, the candidates are their own.

        Returns:
            An array of n rows and m columns: `scores[i, j]` is that of candidate i.

        Raises:
            InputError: a column holds no text.

        Example:
            >>> from truebleu import CHRF
            >>> CHRF().pairwise(["the cat", "a cat"], ["the cats"]).round(1)
            array([[77.6],
                   [26.7]])
        """
        import numpy as np

        rows = self.column("candidates", candidates)
        columns = None if references is None else self.column("references", references)
        scores: NDArray[np.float64] = self.plan.pairwise(
            (rows, columns), True, self.threads, np.empty
        )
        return scores

    def column(self, name: str, values: Any) -> Any:
        """Segments that are not paired with others, as a column that `plan` reads.

        Args:
            name: what errors call it.
            values: strings or lists of words, in what `corpus` takes, too.
        """
        return for_kernel(corpus.column(name, values))

    def accumulator(self) -> Accumulator:
        """An empty accumulator for a corpus that comes in batches."""
        return Accumulator(self)

    @property
    def _identity(self) -> Part:
        options: Part = self.options
        return options

    def _no_stats(self) -> StatsT:
        return self._stats(bytes(8 * self.plan.width))

    def _check(self, stats: Any) -> None:
        mine = self._no_stats()
        if type(stats) is not type(mine):
            kinds = f"{type(stats).__name__}, not {type(mine).__name__}"
            raise InputError(f"the statistics are {kinds}; count them with this metric's stats()")
        if stats._shape != mine._shape:
            its, own = (one._described(one._shape) for one in (stats, mine))
            raise InputError(f"the statistics have {its}, the metric {own}")

    def _columns(self, hyps: Any, refs: Any) -> tuple[Any, Any]:
        hyps, refs = corpus.columns(hyps, refs, once=True)
        return for_kernel(hyps), for_kernel(refs)

    def _total(
        self, hyps: Any, refs: Any, how: Reading = (None, None, 1)
    ) -> tuple[StatsT, int, tuple[int, int], bool]:
        if how != (None, None, 1):
            name = type(self).__name__
            raise InputError(f"pad_id, eos_id and group are of BLEU, not of {name}; leave them out")
        columns = self._columns(hyps, refs)
        row, segments, counts, tokenized = self.plan.total(*columns, self.threads)
        return self._no_stats()._alike((row,)), segments, counts, tokenized

    def _score_of(self, total: StatsT, nrefs: int | str | None, _: bool = False) -> ScoreT:
        (value,) = memoryview(self.plan.values(total.buffer)).cast("d")
        return self._made(value, self._line(nrefs), total)

    def _line(self, nrefs: int | str | None) -> str:
        pairs = {} if nrefs is None else {"nrefs": nrefs}
        pairs |= self._signature(nrefs)
        if pairs["case"] == "lc":
            pairs["unicode"] = f"lower-{_core.unicode_versions()[1]}"
        pairs["version"] = VERSION
        return "|".join(f"{key}:{value}" for key, value in pairs.items())


def yes_no(value: bool) -> str:
    """A yes or no of a signature."""
    return "yes" if value else "no"


def _again(metric: type[SegmentMetric[Any, Any]], options: dict[str, Any]) -> Any:
    return metric(**options)

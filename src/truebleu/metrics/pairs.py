# SPDX-License-Identifier: Apache-2.0
"""Every candidate against every other: matrices of scores, and the candidate that expects most."""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError, check_bool
from truebleu.inputs.corpus import reading
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.recent import chosen
from truebleu.metrics.sources import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.chrf import CHRF
    from truebleu.metrics.sources import Sources
    from truebleu.metrics.ter import TER


def pairwise(
    candidates: Any,
    references: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    exact: bool = False,
    pad_id: int | None = None,
    eos_id: int | None = None,
    threads: int | None = None,
    **changes: Any,
) -> NDArray[np.float64]:
    """The score of each candidate against each reference: `scores[i, j]` is that of candidate i.

    A score is that of the segment by itself, with `sentence_effective_order`, as `sentence_bleu`
    gives it for one pair. The matrix is not symmetric: candidate j is the reference in column j.

    Args:
        candidates: n segments: strings, lists of words or token ids, in what `BLEU.corpus` takes.
        references: m segments; without, the candidates are their own.
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        metric: what scores in place of a dialect, such as `CHRF()`, whose scores are all exact.
        exact: whether every score is that of `sentence_bleu` to the last bit. If not, scores of
            four orders are computed by square roots, in a third of the time or less, and are within
            1e-12 of it (some units of the last place).
        pad_id: of ids, as in `BLEU.corpus`.
        eos_id: of ids, as in `BLEU.corpus`.
        threads: the most threads to use; they never change a result.
        changes: options of the dialect to change, by name; the one called `references` is changed
            in `dialect`.

    Returns:
        An array of n rows and m columns.

    Raises:
        InputError: a column holds neither text nor ids.

    Example:
        >>> from truebleu import pairwise
        >>> pairwise(["a b c d e", "a b c d"]).round(1)
        array([[100. ,  66.9],
               [ 77.9, 100. ]])
        >>> import numpy as np
        >>> pairwise(np.array([[5, 7, 9, 2, 4], [5, 7, 9, 2, 0]]), pad_id=0).round(1)
        array([[100. ,  66.9],
               [ 77.9, 100. ]])
    """
    import numpy as np

    how = reading(pad_id, eos_id, 1)
    scorer = chosen(metric, dialect, threads, changes)
    columns = _columns(scorer, candidates, references)
    scores: NDArray[np.float64]
    if isinstance(scorer, BLEU):
        plan = scorer.sentence_plan
        scores = plan.pairwise(columns, check_bool("exact", exact), scorer.threads, np.empty, how)
    else:
        scores = scorer.plan.pairwise(columns, True, scorer.threads, np.empty, how)
    return scores


class MBR(Frozen):
    """The candidate that expects most, and what each candidate expects.

    Attributes:
        best: the winner, as it was given; of several with the best score, the first. Of ids in
            an array it is a NumPy array in the same memory, with padding if there is some.
        index: its place among the candidates.
        scores: the expected score of each candidate.
    """

    __slots__ = ("best", "index", "scores")

    best: Any
    index: int
    scores: tuple[float, ...]

    def __init__(self, best: Any, index: int, scores: Sequence[float]) -> None:
        for name, value in (("best", best), ("index", index), ("scores", tuple(scores))):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MBR):
            return NotImplemented
        # Of an array, a comparison would be an array.
        alike = list(self.best) == list(other.best)
        return alike and self._values()[1:] == other._values()[1:]

    def __hash__(self) -> int:
        return hash((self.index, self.scores))

    def __reduce__(self) -> tuple[Any, ...]:
        return MBR, self._values()

    def __repr__(self) -> str:
        return f"MBR(best={self.best!r}, index={self.index}, score={self.scores[self.index]:.2f})"

    def _values(self) -> tuple[Any, int, tuple[float, ...]]:
        return self.best, self.index, self.scores


def mbr(
    candidates: Any,
    weights: Any = None,
    references: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    exact: bool = False,
    group: int | None = None,
    pad_id: int | None = None,
    eos_id: int | None = None,
    threads: int | None = None,
    **changes: Any,
) -> Any:
    """Minimum Bayes risk decoding: the candidate with the best expected score.

    What a candidate expects is the mean of its scores against references that stand for what is
    true: samples of the model (Eikema and Aziz 2020), usually the candidates themselves, each of
    them among its own references. With weights, such as probabilities, it is the weighted mean
    (Kumar and Byrne 2004). See `pairwise` for the single scores.

    Args:
        candidates: strings or rows of token ids for one source; or for many sources a list each, a
            3-D array or `Ids` with `items`. Lists of words stand in the place of strings if there
            is a list for each source.
        weights: a number for each reference, in the shape of the references; they need not sum
            to 1. Without, all weigh the same.
        references: in the shape of the candidates; without, those.
        exact: as for `pairwise`.
        group: the candidates lie one behind the other, so many in a row for each source; of the
            references each source has an equal share.
        pad_id: of ids, as in `BLEU.corpus`.
        eos_id: of ids, as in `BLEU.corpus`.
        dialect, metric, threads, changes: as for `pairwise`; n-gram weights are changed in
            `dialect`.

    Returns:
        An MBR for one source; a list of them for many.

    Raises:
        InputError: a source has no candidate or no reference, shapes differ, or a weight is
            negative or no number.

    Example:
        >>> from truebleu import mbr
        >>> mbr(["a cat sat", "the cat sat down", "a cat sat down"])
        MBR(best='a cat sat down', index=2, score=72.97)
        >>> [found.index for found in mbr([["a b", "a b", "c"], ["d"]])]
        [0, 0]
        >>> [found.best for found in mbr([[5, 7], [5, 7, 9], [5], [8], [6], [6]], group=3)]
        [[5, 7], [6]]
    """
    how = reading(pad_id, eos_id, 1 if group is None else group)
    scorer = chosen(metric, dialect, threads, changes)
    given = read("candidates", candidates, group)
    others = None
    if references is not None:
        others = read("references", references, group, like=given)
    counted = others or given
    shares = None if weights is None else _shares(counted.split("weights", weights), counted.bounds)
    columns = _columns(scorer, given.column, None if others is None else others.column)
    groups = given.bounds, None if others is None else others.bounds, shares
    if isinstance(scorer, BLEU):
        plan = scorer.sentence_plan
        exact = check_bool("exact", exact)
        scores = plan.expected(columns, groups, exact, scorer.threads, how)
    else:
        scores = scorer.plan.expected(columns, groups, True, scorer.threads, how)
    sign = 1 if scorer.higher_is_better else -1
    found = [_best(given, start, scores[start:end], sign) for start, end in given.spans()]
    return found[0] if given.single else found


def _columns(scorer: Any, candidates: Any, references: Any) -> tuple[Any, Any | None]:
    columns = None if references is None else scorer.column("references", references)
    return scorer.column("candidates", candidates), columns


def _best(sources: Sources, start: int, scores: Sequence[float], sign: int) -> MBR:
    # A score that is not a number is below all others; of equals, max takes the first.
    index = max(range(len(scores)), key=lambda i: (scores[i] == scores[i], sign * scores[i]))
    return MBR(sources.item(start + index), index, scores)


def _shares(sources: Sequence[Any], bounds: Sequence[int]) -> list[float]:
    """Weights that sum to 1 for each source."""
    from math import fsum, inf

    shares: list[float] = []
    for i, source in enumerate(sources):
        count = bounds[i + 1] - bounds[i]
        try:
            given = [float(weight) for weight in source]
        except (TypeError, ValueError):
            raise InputError(f"weights[{i}] holds something that is no number") from None
        if len(given) != count:
            raise InputError(
                f"weights[{i}] has {len(given)} numbers, not one for each of {count} references"
            )
        if not all(0 <= weight < inf for weight in given):
            raise InputError(f"weights[{i}] holds a weight that is negative or not finite")
        total = fsum(given)
        if not 0 < total < inf:
            raise InputError(f"weights[{i}] sum to {total}; one must be more than 0")
        shares += [weight / total for weight in given]
    return shares

# SPDX-License-Identifier: Apache-2.0
"""Every candidate against every reference: matrices of scores, and minimum Bayes risk decoding."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, inf, isnan

from truebleu.errors import InputError, check_bool
from truebleu.inputs.corpus import reading
from truebleu.metrics.bleu import choose_metric
from truebleu.metrics.sources import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.bleu import BLEU
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
        references: m segments (default: the candidates).
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        metric: the metric to use instead of a dialect, such as `CHRF()`.
        exact: compute each score to the last bit of `sentence_bleu`. Otherwise, BLEU of four orders
            is computed by square roots, in a third of the time or less, and differs by at most
            1e-12 (some units in the last place). Scores of chrF and TER are always exact.
        pad_id: for ids, as in `BLEU.corpus`.
        eos_id: for ids, as in `BLEU.corpus`.
        threads: the most threads to use; they never change a result.
        changes: options of the dialect to change, by name; change the option `references` in
            `dialect`.

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
    scorer = choose_metric(metric, dialect, threads, changes)
    scores: NDArray[np.float64] = scorer.pairwise(
        candidates, references, exact=exact, pad_id=pad_id, eos_id=eos_id
    )
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class MBR:
    """The candidate with the highest expected score, and the expected score of each candidate.

    Attributes:
        best: the winner in the type of the candidates; with equal scores, the first. For ids in an
            array it is a NumPy array in the same memory, padding included.
        index: its place among the candidates.
        scores: the expected score of each candidate.
    """

    best: Any
    index: int
    scores: tuple[float, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MBR):
            return NotImplemented
        # Comparing arrays would give an array.
        same = list(self.best) == list(other.best) and self.index == other.index
        return same and self.scores == other.scores

    def __hash__(self) -> int:
        return hash((self.index, self.scores))

    def __repr__(self) -> str:
        return f"MBR(best={self.best!r}, index={self.index}, score={self.scores[self.index]:.2f})"


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

    The expected score of a candidate is the mean of its scores against references that represent
    the truth: samples of the model (Eikema and Aziz 2020), usually the candidates themselves, each
    of which is then among its own references. With weights, such as probabilities, it is the
    weighted mean (Kumar and Byrne 2004). See `pairwise` for the single scores.

    Args:
        candidates: strings or rows of token ids for one source; for many sources a list of these
            for each, a 3-D array or `Ids` with `items`. Lists of words can replace strings if there
            is a list for each source.
        weights: a number for each reference, in the shape of the references; they need not sum
            to 1 (default: equal weights).
        references: in the shape of the candidates (default: the candidates).
        exact: as for `pairwise`.
        group: the number of candidates in a row that belong to one source; the references are
            divided equally among the sources.
        pad_id: for ids, as in `BLEU.corpus`.
        eos_id: for ids, as in `BLEU.corpus`.
        dialect, metric, threads, changes: as for `pairwise`; change n-gram weights in `dialect`.

    Returns:
        An MBR for one source; a list of them for many.

    Raises:
        InputError: a source has no candidate or no reference, shapes differ, or a weight is
            negative or not a number.

    Example:
        >>> from truebleu import mbr
        >>> mbr(["a cat sat", "the cat sat down", "a cat sat down"])
        MBR(best='a cat sat down', index=2, score=72.97)
        >>> [best.index for best in mbr([["a b", "a b", "c"], ["d"]])]
        [0, 0]
        >>> [one.best for one in mbr([[5, 7], [5, 7, 9], [5], [8], [6], [6]], group=3)]
        [[5, 7], [6]]
    """
    how = reading(pad_id, eos_id, 1 if group is None else group)
    scorer = choose_metric(metric, dialect, threads, changes)
    sources = read("candidates", candidates, group)
    others = None if references is None else read("references", references, group, like=sources)
    counted = others or sources
    shares = None if weights is None else _shares(counted.split("weights", weights), counted.bounds)
    columns = scorer._unpaired_columns(sources.column, others and others.column)
    groups = sources.bounds, others and others.bounds, shares
    exact = check_bool("exact", exact)
    scores = scorer.sentence_plan.expected(columns, groups, exact, scorer.threads, how)
    sign = 1 if scorer.higher_is_better else -1
    best = [_best(sources, start, scores[start:end], sign) for start, end in sources.spans()]
    return best[0] if sources.single else best


def _best(sources: Sources, start: int, scores: Sequence[float], sign: int) -> MBR:
    # NaN is below all other scores; among equals, max takes the first.
    index = max(range(len(scores)), key=lambda i: (not isnan(scores[i]), sign * scores[i]))
    return MBR(sources.item(start + index), index, tuple(scores))


def _shares(sources: Sequence[Any], bounds: Sequence[int]) -> list[float]:
    """Weights that sum to 1 for each source."""
    shares: list[float] = []
    for i, source in enumerate(sources):
        count = bounds[i + 1] - bounds[i]
        try:
            numbers = [float(weight) for weight in source]
        except (TypeError, ValueError):
            raise InputError(f"weights[{i}] holds something that is not a number") from None
        if len(numbers) != count:
            raise InputError(
                f"weights[{i}] has {len(numbers)} numbers for {count} references; give one for each"
            )
        if not all(0 <= weight < inf for weight in numbers):
            raise InputError(f"weights[{i}] holds a weight that is negative or not finite")
        total = fsum(numbers)
        if not 0 < total < inf:
            raise InputError(f"weights[{i}] sum to {total}; at least one must be positive")
        shares += [weight / total for weight in numbers]
    return shares

# SPDX-License-Identifier: Apache-2.0
"""Every candidate against every other: matrices of scores, and the candidate that expects most."""

from __future__ import annotations

from truebleu.corpus import as_python, as_words
from truebleu.errors import InputError
from truebleu.frozen import Frozen
from truebleu.metric import BLEU
from truebleu.recent import chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.chrf import CHRF
    from truebleu.dialect import Dialect
    from truebleu.ter import TER

    #: Segments one behind the other, and where each group of them begins and ends.
    Groups = tuple[list[Any], list[int]]


def pairwise(
    candidates: Any,
    references: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: BLEU | CHRF | TER | None = None,
    exact: bool = False,
    threads: int | None = None,
    **changes: Any,
) -> NDArray[np.float64]:
    """The score of each candidate against each reference: `scores[i, j]` is that of candidate i.

    A score is that of the segment by itself, with `sentence_effective_order`, as `sentence_bleu`
    gives it for one pair. The matrix is not symmetric: candidate j is the reference in column j.

    Args:
        candidates: n segments, strings or lists of words.
        references: m segments; without, the candidates are their own.
        dialect: the name of a row of `DIALECTS`, or a Dialect.
        metric: what scores in place of a dialect, such as `CHRF()`, whose scores are all exact.
        exact: whether every score is that of `sentence_bleu` to the last bit. If not, scores of
            four orders are computed by square roots, in a third of the time or less, and are within
            1e-12 of it (some units of the last place).
        threads: the most threads to use; they never change a result.
        changes: options of the dialect to change, by name; the one called `references` is changed
            in `dialect`.

    Returns:
        An array of n rows and m columns.

    Raises:
        InputError: a column holds no text.

    Example:
        >>> from truebleu import pairwise
        >>> pairwise(["a b c d e", "a b c d"]).round(1)
        array([[100. ,  66.9],
               [ 77.9, 100. ]])
    """
    import numpy as np

    bleu = chosen(metric, dialect, threads, changes)
    if not isinstance(bleu, BLEU):
        found: NDArray[np.float64] = bleu.pairwise(candidates, references)
        return found
    rows = bleu.column("candidates", candidates)
    columns = None if references is None else bleu.column("references", references)
    scores: NDArray[np.float64] = bleu.sentence_plan.pairwise(
        rows, columns, exact, bleu.threads, np.empty
    )
    return scores


class MBR(Frozen):
    """The candidate that expects most, and what each candidate expects.

    Attributes:
        best: the winner, as it was given; of several with the best score, the first.
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
        return isinstance(other, MBR) and self._values() == other._values()

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
    threads: int | None = None,
    **changes: Any,
) -> Any:
    """Minimum Bayes risk decoding: the candidate with the best expected score.

    What a candidate expects is the mean of its scores against references that stand for what is
    true: samples of the model (Eikema and Aziz 2020), usually the candidates themselves, each of
    them among its own references. With weights, such as probabilities, it is the weighted mean
    (Kumar and Byrne 2004). See `pairwise` for the single scores.

    Args:
        candidates: strings for one source; or for many sources a list each. Lists of words stand
            in the place of strings if there is a list for each source.
        weights: a number for each reference, in the shape of the references; they need not sum
            to 1. Without, all weigh the same.
        references: in the shape of the candidates; without, those.
        dialect, metric, exact, threads, changes: as for `pairwise`; n-gram weights are changed in
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
    """
    scorer = chosen(metric, dialect, threads, changes)
    sources = as_words("candidates", candidates)
    if not sources:
        raise InputError("candidates is empty; give one candidate at least")
    if not _is_list(sources[0]):
        weights = None if weights is None else [weights]
        references = None if references is None else [references]
        (found,) = _decode([sources], weights, references, scorer, exact)
        return found
    return _decode(sources, weights, references, scorer, exact)


def _decode(
    sources: Sequence[Any],
    weights: Any,
    references: Any,
    scorer: Any,
    exact: bool,
) -> list[MBR]:
    flat, bounds = _flatten("candidates", sources)
    others = None
    counts = bounds
    if references is not None:
        segments, counts = _flatten("references", as_words("references", references))
        if len(counts) != len(bounds):
            raise InputError(
                f"references are for {len(counts) - 1} sources, candidates for {len(bounds) - 1}"
            )
        others = scorer.column("references", segments), counts
    shares = None if weights is None else _shares(as_python("weights", weights), counts)
    columns = scorer.column("candidates", flat), bounds
    if isinstance(scorer, BLEU):
        plan = scorer.sentence_plan
        scores = plan.expected(columns, others, shares, exact, scorer.threads)
    else:
        scores = scorer.plan.expected(columns, others, shares, scorer.threads)
    sign = 1 if scorer.higher_is_better else -1
    spans = [slice(bounds[i], bounds[i + 1]) for i in range(len(bounds) - 1)]
    return [_best(flat[span], scores[span], sign) for span in spans]


def _best(candidates: Sequence[Any], scores: Sequence[float], sign: int) -> MBR:
    # A score that is not a number is below all others; of equals, max takes the first.
    index = max(range(len(scores)), key=lambda i: (scores[i] == scores[i], sign * scores[i]))
    return MBR(candidates[index], index, scores)


def _is_list(item: object) -> bool:
    return not isinstance(item, str) and hasattr(item, "__len__")


def _flatten(name: str, sources: Sequence[Any]) -> Groups:
    """The segments of all sources."""
    flat: list[Any] = []
    bounds = [0]
    for i, source in enumerate(sources):
        segments = as_words(f"{name}[{i}]", source)
        if not segments:
            raise InputError(f"{name}[{i}] is empty; each source needs one at least")
        flat += segments
        bounds.append(len(flat))
    return flat, bounds


def _shares(sources: Sequence[Any], bounds: Sequence[int]) -> list[float]:
    """Weights that sum to 1 for each source."""
    from math import fsum, inf

    if len(sources) != len(bounds) - 1:
        raise InputError(f"weights are for {len(sources)} sources, not for {len(bounds) - 1}")
    shares: list[float] = []
    for i, source in enumerate(sources):
        count = bounds[i + 1] - bounds[i]
        try:
            given = [float(weight) for weight in as_python(f"weights[{i}]", source)]
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

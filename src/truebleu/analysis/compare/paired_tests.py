# SPDX-License-Identifier: Apache-2.0
"""Tests of whether two systems differ: for each, resampled scores and a p-value for every pair.

A p-value is (c + 1) / (n + 1): c of n resamples are as extreme as what was observed, which is one
more of them. So a test at a level errs no more often than the level says, however few there are
(Phipson and Smyth 2010, *Permutation p-values should never be zero*).
"""

from __future__ import annotations

from truebleu.analysis.compare.resampling import numpy_draws
from truebleu.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.compare.resampling import Resampling

    #: A column of resampled scores for each system, and a p-value for each pair.
    Drawn = tuple[NDArray[np.float64], list[float]]
    Test = Callable[[Resampling, Sequence[float], int, int], Drawn]

#: Resampled scores that are kept for intervals, of all systems together: 8 MB. p-values count
#: every resample, however many there are.
KEPT = 1 << 20


def permutation(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Drawn:
    """Paired approximate randomization, two-sided.

    If the systems are alike, their outputs for a unit may as well change places (Noreen 1989,
    *Computer-intensive methods for testing hypotheses*; Riezler and Maxwell 2005).
    """
    scores, _ = _bootstrap(resampling, observed, min(resamples, _room(resampling)), seed)
    counts = resampling.permutation(resamples, seed)
    return scores, [(more + equal + 1) / (resamples + 1) for more, equal in counts]


def bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Drawn:
    """A paired bootstrap, two-sided.

    How far resampled differences are from the observed one is how far the observed one may be from
    the truth (Hall and Wilson 1991, *Two guidelines for bootstrap hypothesis testing*).
    """
    scores, counts = _bootstrap(resampling, observed, resamples, seed)
    return scores, [(count + 1) / (resamples + 1) for count in counts]


def sacrebleu_ar(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Drawn:
    """sacreBLEU's approximate randomization: its coins, and a tie is not as extreme."""
    import numpy as np

    scores, _ = _bootstrap(resampling, observed, min(resamples, _room(resampling)), seed)
    draws = numpy_draws(np.random.default_rng(seed))
    counts = resampling.numpy_permutation(resamples, draws)
    return scores, [(more + 1) / (resamples + 1) for more, _ in counts]


def sacrebleu_bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> Drawn:
    """sacreBLEU's paired bootstrap, which is Moses': anti-conservative.

    It centers absolute differences, and so looks at one tail of the two: at a level of 5 % it finds
    about 10 % of equal systems different.

    Raises:
        InputError: the test set is too large for sacreBLEU's 32-bit floats.
        OptionError: so many resamples do not fit into the memory that a test may take.
    """
    import numpy as np

    room = _room(resampling)
    if resamples > room:  # p-values need the mean of them all, and intervals their order
        raise OptionError(
            f"sacrebleu-bootstrap keeps all scores: resamples can be {room} at most for "
            f"{resampling.systems} systems; use the test bootstrap for more"
        )
    try:
        draws = numpy_draws(np.random.default_rng(seed))
        scores = resampling.numpy_bootstrap(resamples, draws)
    except OverflowError as error:
        raise InputError(
            f"{error}, more than sacreBLEU's 32-bit floats can count; use the test bootstrap"
        ) from None
    ps = []
    for a, b in resampling.pairs:
        gap = abs(observed[b] - observed[a])
        differences = np.abs(scores[b] - scores[a])
        ps.append(exceeding(differences - differences.mean(), gap))
    return np.column_stack(scores), ps


def exceeding(values: NDArray[np.float64], gap: float) -> float:
    """How often a value exceeds `gap`, counting one more of each: sacreBLEU's p-value."""
    import numpy as np

    return float((np.count_nonzero(values > gap) + 1) / (len(values) + 1))


#: The tests by name, and how many resamples each draws unless told otherwise.
TESTS: dict[str, tuple[Test, int]] = {
    "permutation": (permutation, 10_000),
    "bootstrap": (bootstrap, 10_000),
    "sacrebleu-ar": (sacrebleu_ar, 10_000),
    "sacrebleu-bootstrap": (sacrebleu_bootstrap, 1_000),
}


def _room(resampling: Resampling) -> int:
    return max(1, KEPT // resampling.systems)


def _bootstrap(
    resampling: Resampling, observed: Sequence[float], resamples: int, seed: int
) -> tuple[NDArray[np.float64], list[int]]:
    """The first resampled scores, and for each pair how many differences are as extreme as ours."""
    import numpy as np

    room = _room(resampling)
    kept = []
    counts = [0] * len(resampling.pairs)
    for scores in resampling.bootstrap(resamples, seed):
        if room > 0:  # an empty view would keep its step alive
            kept.append(scores[:room])
            room -= len(scores)
        for i, (a, b) in enumerate(resampling.pairs):
            gap = observed[b] - observed[a]
            error = np.abs(scores[:, b] - scores[:, a] - gap)
            # What is no number is counted, too: it speaks for no difference.
            counts[i] += len(scores) - int(np.count_nonzero(error < abs(gap)))
    return np.concatenate(kept), counts

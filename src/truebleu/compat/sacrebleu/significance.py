# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's significance tests, with its random numbers, so with its p-values.

One fault is not reproduced: with `SACREBLEU_SEED=0`, sacreBLEU draws a random seed for its paired
tests, so that two runs differ while both signatures have `seed:0`. Here 0 is a seed.
"""

from __future__ import annotations

import logging
import multiprocessing as mp
import os
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truebleu.analysis.compare.intervals import mean_and_half_width
from truebleu.analysis.compare.paired_tests import exceeding
from truebleu.analysis.compare.resampling import Resampling, numpy_draws
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.ter import LENGTH_UNITS, TER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Stats = list[list[int]]
    #: Rows and result of the baseline, by the metric's name.
    BaselineInfo = dict[str, tuple[Stats, "Result"]]

sacrelogger = logging.getLogger("sacrebleu")

_COMPUTING = "Computing %s for %r and extracting sufficient statistics"


@dataclass(repr=False, eq=False)
class Result:
    """The result of a system for a metric (sacreBLEU 2.6.0, `significance.Result`).

    Args:
        score: the score.
        p_value: the p-value of the test against the baseline.
        mean: the mean of the scores of bootstrap resamples.
        ci: half the width of their middle 95 %.
    """

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join([f"{name}={value!s}" for name, value in self.__dict__.items()])


def estimate_ci(scores: NDArray[np.float64]) -> tuple[float, float]:
    """The mean of scores, and half the width of their middle 95 %."""
    return mean_and_half_width(scores)


def _seed() -> tuple[int | None, str]:
    """The seed in SACREBLEU_SEED, None for a random one; and its text."""
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return None if text == "none" else int(text), text


def _bootstrap_resample(stats: Stats, metric: Any, n_samples: int = 1000) -> tuple[str, list[Any]]:
    """The text of the seed, and scores of resamples of the segments."""
    import numpy as np

    seed, text = _seed()
    return text, _scores_of_resamples(stats, metric, n_samples, np.random.default_rng(seed))


def _scores_of_resamples(stats: Any, metric: Any, samples: int, rng: Any) -> list[Any]:
    """The scores of resamples, whose rows are summed in 32 bits as sacreBLEU sums them."""
    import numpy as np

    rows = np.array(stats, dtype="float32")
    picks = (rng.choice(len(rows), size=len(rows)) for _ in range(samples))
    return [metric._compute_score_from_stats(rows[pick].sum(0)) for pick in picks]


def _compute_p_value(stats: NDArray[np.float64], real_difference: float) -> float:
    """The share of values that exceed the real difference, with 1 added to both counts."""
    return exceeding(stats, real_difference)


def _resampling(metric: Any, systems: Sequence[Any]) -> Resampling | None:
    """The systems for the kernel to resample; None if its numbers would differ from sacreBLEU's."""
    import numpy as np

    kernel = metric._kernel() if hasattr(metric, "_kernel") else None
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


def _bootstrap(metric: Any, systems: Sequence[Any], samples: int, rng: Any) -> list[Any]:
    """The scores of the same resamples of each system, as arrays. `rng` does not advance."""
    import numpy as np

    resampling = _resampling(metric, systems)
    if resampling is not None:
        try:
            return resampling.numpy_bootstrap(samples, numpy_draws(rng))
        except OverflowError:  # sums that 32 bits round
            pass
    return [
        np.array([one.score for one in _scores_of_resamples(rows, metric, samples, deepcopy(rng))])
        for rows in systems
    ]


def _paired_ar_test(
    baseline_info: BaselineInfo,
    sys_name: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    metrics: dict[str, Any],
    n_samples: int = 10000,
    n_ar_confidence: int = -1,
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """Approximate randomization: segments of the two systems are swapped at random."""
    import numpy as np

    results = {}
    for name, metric in metrics.items():
        sacrelogger.info(_COMPUTING, name, sys_name)
        rows = metric._extract_corpus_statistics(hypotheses, references)
        result = results[name] = Result(metric._aggregate_and_compute(rows).score)
        sacrelogger.info(" > Performing approximate randomization test (# trials: %s)", n_samples)
        if n_ar_confidence > 0:
            sacrelogger.info(
                " > Performing bootstrap resampling for confidence interval (# resamples: %s)",
                n_ar_confidence,
            )
        baseline, baseline_result = baseline_info[name]
        rng = np.random.default_rng(seed)
        resampling = _resampling(metric, (baseline, rows)) if n_ar_confidence <= 0 else None
        if resampling is not None:
            steps = list(resampling.numpy_permutation(n_samples, numpy_draws(rng)))
            difference = abs(baseline_result.score - result.score)
            result.p_value = exceeding(np.concatenate(steps), difference)
            continue
        swaps = rng.integers(2, size=(n_samples, len(rows)), dtype=bool)
        theirs, ours = (
            np.array([metric._aggregate_and_compute(row).score for row in sums[:, None]])
            for sums in (swaps @ baseline + ~swaps @ rows, ~swaps @ baseline + swaps @ rows)
        )
        difference = abs(baseline_result.score - result.score)
        result.p_value = _compute_p_value(np.abs(theirs - ours), difference)
        if n_ar_confidence > 0:
            resampled = _scores_of_resamples(rows, metric, n_ar_confidence, rng)
            result.mean, result.ci = estimate_ci(np.array([one.score for one in resampled]))
    return sys_name, results


def _paired_bs_test(
    baseline_info: BaselineInfo,
    sys_name: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    metrics: dict[str, Any],
    n_samples: int = 1000,
    n_ar_confidence: int = -1,  # noqa: ARG001
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """Paired bootstrap resampling, as Moses' `bootstrap-hypothesis-difference-significance.pl`.

    `n_ar_confidence` is ignored. It gives both tests the same arguments.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    results = {}
    for name, metric in metrics.items():
        sacrelogger.info(_COMPUTING, name, sys_name)
        rows = metric._extract_corpus_statistics(hypotheses, references)
        score = metric._aggregate_and_compute(rows).score
        sacrelogger.info(
            " > Performing paired bootstrap resampling test (# resamples: %s)", n_samples
        )
        baseline, baseline_result = baseline_info[name]
        theirs, ours = _bootstrap(metric, (baseline, rows), n_samples, rng)
        differences = np.abs(ours - theirs)
        differences -= differences.mean()
        p = _compute_p_value(differences, abs(baseline_result.score - score))
        results[name] = Result(score, p, *estimate_ci(ours))
    return sys_name, results


class PairedTest:
    """Tests each system against the first (sacreBLEU 2.6.0, `significance.PairedTest`).

    Call it to run the test. It returns the signatures by metric, and a dictionary with the names
    under "System" and a `Result` of each system under each metric's name.

    Args:
        named_systems: names and hypotheses; the first system is the baseline.
        metrics: metrics by name.
        references: streams of references; None if the metrics have cached them.
        test_type: `ar` for approximate randomization, `bs` for paired bootstrap.
        n_samples: trials or resamples; 0 for 10,000 (`ar`) or 1,000 (`bs`).
        n_ar_confidence: resamples for confidence intervals with `ar`; -1 for none, 0 for 1,000.
        n_jobs: processes; 0 for one per system.

    Raises:
        AssertionError: unknown test.
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012  # as in the original

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Any],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in ("ar", "bs"):
            raise AssertionError(f"Unknown test type {test_type!r}")
        self.test_type = test_type
        self._fn = _paired_ar_test if test_type == "ar" else _paired_bs_test
        self._seed = _seed()[0]
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else 1000
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1
        if os.name == "nt":
            sacrelogger.warning("Parallel tests are not supported on Windows.")
            self.n_jobs = 1
        elif self.n_jobs == 0:
            # half of the processors, because two may share a core
            self.n_jobs = min(mp.cpu_count() // 2, self.n_systems) if mp.cpu_count() > 1 else 1
        self._signatures: dict[str, Any] = {}
        self._baseline_info: BaselineInfo = {}
        self.metrics: dict[str, Any] = {}
        import numpy as np

        baseline, hypotheses = named_systems[0]
        for name, metric in metrics.items():
            sacrelogger.info("Pre-computing %s statistics for %r", name, baseline)
            stats = metric._extract_corpus_statistics(hypotheses, self.references)
            score = metric._aggregate_and_compute(stats)
            result = Result(score.score)
            resamples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
            if resamples > 0:
                rng = np.random.default_rng(self._seed)
                (resampled,) = _bootstrap(metric, (stats,), resamples, rng)
                result.mean, result.ci = estimate_ci(resampled)
            # The name of the score: that of chrF has its settings.
            self._baseline_info[score.name] = stats, result
            self.metrics[score.name] = metric
            signature = metric.get_signature()
            signature.update("seed", str(self._seed).lower())
            signature.update(self.test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                signature.update("bs", self.n_ar_confidence)
            self._signatures[score.name] = signature

    def __call__(self) -> tuple[dict[str, Any], dict[str, list[str | Result]]]:
        """Run the test."""
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric, (_, result) in self._baseline_info.items():
            scores[metric] = [result]
        tasks = [
            (
                self._baseline_info, name, hypotheses, self.references, self.metrics,
                self.n_samples, self.n_ar_confidence, self._seed,
            )
            for name, hypotheses in self.named_systems[1:]
        ]  # fmt: skip
        if self.n_jobs == 1:
            results = [self._fn(*task) for task in tasks]
        else:
            sacrelogger.info("Launching %s parallel workers.", self.n_jobs)
            with mp.get_context("fork").Pool(self.n_jobs) as pool:
                results = pool.starmap(self._fn, tasks, chunksize=1)
        for _, by_metric in results:
            for metric, result in by_metric.items():
                scores[metric].append(result)
        return self._signatures, scores

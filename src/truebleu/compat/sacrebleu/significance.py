# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's tests of significance: the same random numbers, so the same p-values.

One fault is not reproduced: with `SACREBLEU_SEED=0` the original draws a seed from the system for
its paired tests, and two runs differ under a signature that says `seed:0`. Here 0 is a seed.
"""

from __future__ import annotations

import logging
import multiprocessing as mp
import os
from copy import deepcopy

from truebleu.analysis.compare.intervals import mean_and_half_width
from truebleu.analysis.compare.paired_tests import exceeding
from truebleu.analysis.compare.resampling import Resampling, numpy_draws
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.metric_scores import LENGTH_UNITS
from truebleu.metrics.ter import TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Stats = list[list[int]]
    #: Rows and result of the baseline, by the metric's name.
    BaselineInfo = dict[str, tuple[Stats, "Result"]]

IS_WINDOWS = os.name == "nt"

sacrelogger = logging.getLogger("sacrebleu")


class Result:
    """What is known of a system under one metric (sacreBLEU 2.6.0, `significance.Result`).

    Args:
        score: its score.
        p_value: of the test against the baseline.
        mean: of the scores of bootstrap resamples.
        ci: half the width of their middle 95%.
    """

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join([f"{name}={value!s}" for name, value in self.__dict__.items()])


def estimate_ci(scores: NDArray[np.float64]) -> tuple[float, float]:
    """The mean of scores, and half the width of their middle 95%."""
    return mean_and_half_width(scores)


def _bootstrap_resample(stats: Stats, metric: Any, n_samples: int = 1000) -> tuple[str, list[Any]]:
    """Scores of resamples of a system's segments, and the seed in words."""
    import numpy as np

    seed, text = _seed()
    rng = np.random.default_rng(seed)
    picks = rng.choice(len(stats), size=(n_samples, len(stats)), replace=True)
    return text, _scores_of_resamples(stats, metric, picks)


def _bootstrap_values(stats: Stats, metric: Any, n_samples: int) -> tuple[str, list[Any]] | None:
    """The same as numbers, if the kernel computes them."""
    import numpy as np

    resampling = _on_kernel(metric, (stats,))
    if resampling is None:
        return None
    seed, text = _seed()
    try:
        draws = numpy_draws(np.random.default_rng(seed))
        (scores,) = resampling.numpy_bootstrap(n_samples, draws)
    except OverflowError:  # sums that sacreBLEU's floats round
        return None
    if scores.dtype == np.float32:
        return text, list(scores)
    # The original's numbers are Python's; of a chrF that is 0 at times, they are of both kinds.
    return (text, scores.tolist()) if isinstance(resampling.metric, BLEU) else None


def _seed() -> tuple[int | None, str]:
    """The seed that SACREBLEU_SEED names: None to draw one from the system."""
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return None if text == "none" else int(text), text


def _scores_of_resamples(stats: Any, metric: Any, picks: Any) -> list[Any]:
    """The score of each row of picked segments, summed in 32-bit floats as sacreBLEU sums them.

    One resample at a time: the original holds all segments of all resamples at once.
    """
    import numpy as np

    rows = np.array(stats, dtype="float32")
    return [metric._compute_score_from_stats(rows[pick].sum(0)) for pick in picks]


def _compute_p_value(stats: NDArray[np.float64], real_difference: float) -> float:
    """How often a statistic exceeds the real difference, counting one more of each."""
    return exceeding(stats, real_difference)


def _on_kernel(metric: Any, systems: Sequence[Any]) -> Resampling | None:
    """The systems for the kernel to resample, or None if it would not do as the metric does.

    Before NumPy 2, numbers of 32 bits were rounded elsewhere.
    """
    import numpy as np

    found = metric._kernel() if hasattr(metric, "_kernel") else None
    found = found[0] if isinstance(found, tuple) else found
    if found is None or int(np.__version__.partition(".")[0]) < 2 or not len(systems[0]):
        return None
    if isinstance(found, CHRF) and found.options.eps_smoothing:
        return None  # an order without n-grams is 64 bits there, and others 32
    if isinstance(found, TER):
        systems = [np.array(rows, dtype=np.float64) * (1, LENGTH_UNITS) for rows in systems]
        # Sums of thirds of words depend on their order; of no words, the score is 64 bits.
        if any(
            (rows[:, 1] % (LENGTH_UNITS // 16)).any() or not rows[:, 1].all() for rows in systems
        ):
            return None
    shape = found._no_stats()
    return Resampling(
        found,
        [shape._wrap(np.array(rows, dtype=np.int64), shape._shape) for rows in systems],
    )


def _resampled(
    metric: Any, systems: Sequence[Any], samples: int, rng: np.random.Generator
) -> list[NDArray[np.float64]]:
    """For each system the scores of resamples, which all share what `rng` draws."""
    import numpy as np

    resampling = _on_kernel(metric, systems)
    if resampling is not None:
        try:
            scores = resampling.numpy_bootstrap(samples, numpy_draws(rng))
        except OverflowError:  # sums that sacreBLEU's floats round
            pass
        else:
            return scores
    picks = deepcopy(rng).choice(len(systems[0]), size=(samples, len(systems[0])), replace=True)
    return [
        np.array([one.score for one in _scores_of_resamples(rows, metric, picks)])
        for rows in systems
    ]


def _swapped(
    metric: Any, systems: Sequence[Any], difference: float, samples: tuple[int, int], seed: Any
) -> tuple[float, NDArray[np.float64] | None]:
    """The p-value of approximate randomization, and resampled scores of the second system.

    `samples` are trials and, if above 0, resamples. Swaps are drawn first, then what is resampled.
    """
    import numpy as np

    trials, resamples = samples
    rng = np.random.default_rng(seed)
    resampling = _on_kernel(metric, systems)
    if resampling is not None:
        draws = numpy_draws(rng)
        ((more, _),) = resampling.numpy_permutation(trials, draws)
        p = (more + 1) / (trials + 1)
        if resamples <= 0:
            return p, None
        try:
            return p, resampling.numpy_bootstrap(resamples, draws)[1]
        except OverflowError:  # sums that sacreBLEU's floats round
            pass
    size = len(systems[1])
    swaps = rng.integers(2, size=(trials, size), dtype=bool)
    baseline, stats = systems
    sums = swaps @ baseline + ~swaps @ stats, ~swaps @ baseline + swaps @ stats
    scores_a, scores_b = (
        np.array([metric._aggregate_and_compute(row).score for row in rows[:, None]])
        for rows in sums
    )
    p = _compute_p_value(np.abs(scores_a - scores_b), difference)
    if resamples <= 0:
        return p, None
    picks = rng.choice(size, size=(resamples, size), replace=True)
    return p, np.array([one.score for one in _scores_of_resamples(stats, metric, picks)])


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
    """Approximate randomization: segments of the two systems change places at random."""
    results = {}
    for name, metric in metrics.items():
        baseline, baseline_result = baseline_info[name]
        stats, score = _score_system(name, sys_name, metric, hypotheses, references)
        sacrelogger.info(" > Performing approximate randomization test (# trials: %s)", n_samples)
        if n_ar_confidence > 0:
            sacrelogger.info(
                " > Performing bootstrap resampling for confidence interval (# resamples: %s)",
                n_ar_confidence,
            )
        difference = abs(baseline_result.score - score.score)
        samples = n_samples, n_ar_confidence
        p, resampled = _swapped(metric, (baseline, stats), difference, samples, seed)
        results[name] = Result(score.score, p)
        if resampled is not None:
            results[name].mean, results[name].ci = estimate_ci(resampled)
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

    `n_ar_confidence` is not used; it is there because the two tests are called alike.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    results = {}
    for name, metric in metrics.items():
        baseline, baseline_result = baseline_info[name]
        stats, score = _score_system(name, sys_name, metric, hypotheses, references)
        sacrelogger.info(
            " > Performing paired bootstrap resampling test (# resamples: %s)", n_samples
        )
        difference = abs(baseline_result.score - score.score)
        theirs, ours = _resampled(metric, (baseline, stats), n_samples, rng)
        mean, ci = estimate_ci(ours)
        differences = np.abs(ours - theirs)
        p = _compute_p_value(differences - differences.mean(), difference)
        results[name] = Result(score.score, p, mean, ci)
    return sys_name, results


def _score_system(
    name: str, system: str, metric: Any, hypotheses: Any, references: Any
) -> tuple[Any, Any]:
    sacrelogger.info("Computing %s for %r and extracting sufficient statistics", name, system)
    stats = metric._extract_corpus_statistics(hypotheses, references)
    return stats, metric._aggregate_and_compute(stats)


class PairedTest:
    """Each system against the first (sacreBLEU 2.6.0, `significance.PairedTest`).

    Args:
        named_systems: names and hypotheses; the first is the baseline.
        metrics: metrics by name.
        references: streams of references; None if the metrics have cached them.
        test_type: `ar`, approximate randomization, or `bs`, paired bootstrap.
        n_samples: trials or resamples; 0 for 10,000 or 1,000.
        n_ar_confidence: resamples for confidence intervals beside `ar`; -1 for none, 0 for 1,000.
        n_jobs: processes; 0 for one for each system.

    Calling it runs the test and gives signatures and, under "System" and each metric's name,
    what is known of each system.

    Raises:
        AssertionError: there is no such test.
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
        if IS_WINDOWS:
            sacrelogger.warning("Parallel tests are not supported on Windows.")
            self.n_jobs = 1
        elif self.n_jobs == 0:
            # half of the processors, which may be threads of one core
            self.n_jobs = min(mp.cpu_count() // 2, self.n_systems) if mp.cpu_count() > 1 else 1
        self._signatures: dict[str, Any] = {}
        self._baseline_info: BaselineInfo = {}
        self.metrics: dict[str, Any] = {}
        for name, metric in metrics.items():
            self._score_baseline(name, metric)

    def _score_baseline(self, name: str, metric: Any) -> None:
        import numpy as np

        baseline, hypotheses = self.named_systems[0]
        sacrelogger.info("Pre-computing %s statistics for %r", name, baseline)
        stats = metric._extract_corpus_statistics(hypotheses, self.references)
        score = metric._aggregate_and_compute(stats)
        result = Result(score.score)
        resamples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if resamples > 0:
            rng = np.random.default_rng(self._seed)
            (resampled,) = _resampled(metric, (stats,), resamples, rng)
            result.mean, result.ci = estimate_ci(resampled)
        # The score's own name: chrF's tells its settings.
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
            found = [self._fn(*task) for task in tasks]
        else:
            sacrelogger.info("Launching %s parallel workers.", self.n_jobs)
            with mp.get_context("fork").Pool(self.n_jobs) as pool:
                found = [job.get() for job in [pool.apply_async(self._fn, task) for task in tasks]]
        for _, results in found:
            for metric, result in results.items():
                scores[metric].append(result)
        return self._signatures, scores

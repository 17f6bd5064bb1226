# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's intervals and tests resampled by the kernel, with sacreBLEU's random numbers.

A module of its own because it imports NumPy, as `sacrebleu.significance` does.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from truebleu.compat.accelerate.sacrebleu import kernel_of, only_scores, rows_of
from truebleu.errors import TrueBLEUError
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.resampling import Resampling, numpy_draws
from truebleu.metrics.ter import LENGTH_UNITS, TER

Function = Callable[..., Any]

_logger = logging.getLogger("sacrebleu")


def patches(_: str, module: Any) -> Iterator[tuple[FunctionType, Function]]:
    """The functions to replace in `sacrebleu.significance`, each with its replacement."""
    yield module._bootstrap_resample, _bootstrap_resample
    yield module._paired_bs_test, partial(_paired_test, "bs", module)
    yield module._paired_ar_test, partial(_paired_test, "ar", module)
    yield module.PairedTest.__init__, _paired_init
    yield module.PairedTest.__call__, _paired_call


def _drawn(metric: Any, systems: Sequence[Any], kind: str, samples: Any, seed: Any) -> Any:
    """Scores of each system for bs, one array of differences for ar.

    None if the kernel's numbers would differ from sacreBLEU's.
    """
    kernel = kernel_of(metric)
    is_usual = type(samples) is int and samples > 0 and len({*map(len, systems)}) == 1
    # NumPy 1 rounds numbers of 32 bits in other places, and with this option sacreBLEU mixes them
    # with those of 64.
    is_rounded = isinstance(kernel, CHRF) and kernel.options.eps_smoothing
    is_rounded |= np.__version__.startswith("1.")
    if kernel is None or is_rounded or not is_usual or not len(systems[0]):
        return None
    rows = [np.array(system, dtype=np.float64) for system in systems]
    if isinstance(kernel, TER):
        rows = [system * (1, LENGTH_UNITS) for system in rows]
        # Sums of thirds depend on their order, and a reference length of 0 is 64 bits.
        if any((row[:, 1] % (LENGTH_UNITS // 16)).any() or not row[:, 1].all() for row in rows):
            return None
    zero, draws = kernel.zero_stats(), numpy_draws(np.random.default_rng(seed))
    try:
        resampling = Resampling(kernel, [zero.like(system.astype(np.int64)) for system in rows])
        if kind == "bs":
            return resampling.numpy_bootstrap(samples, draws)
        return [np.concatenate(list(resampling.numpy_permutation(samples, draws)))]
    except (OverflowError, TrueBLEUError):  # sums that 32 bits round; rows of another metric
        return None


def _bootstrap_resample(original: Function, stats: Any, metric: Any, n_samples: Any) -> Any:
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    drawn = None
    if only_scores.active:
        drawn = _drawn(metric, [stats], "bs", n_samples, None if text == "none" else int(text))
    if drawn is None:
        return original(stats, metric, n_samples)
    scores = drawn[0].tolist()
    if not hasattr(metric, "smooth_method"):  # all but BLEU are 32-bit, and a chrF of 0 is not
        is_short = drawn[0].dtype == np.float32
        scores = [np.float32(score) if score or is_short else 0.0 for score in scores]
    return text, [SimpleNamespace(score=score) for score in scores]


def _paired_init(original: Function, *arguments: Any) -> None:
    with only_scores:
        original(*arguments)


def _paired_call(original: Function, test: Any) -> Any:
    jobs = test.n_jobs
    if jobs == 1 or None in map(kernel_of, test.metrics.values()):
        return original(test)
    # The kernel has threads, and processes would get the counts of references.
    _logger.info("Launching %s parallel workers.", jobs)
    test.n_jobs = 1
    try:
        return original(test)
    finally:
        test.n_jobs = jobs


_TESTS = {
    "bs": " > Performing paired bootstrap resampling test (# resamples: %s)",
    "ar": " > Performing approximate randomization test (# trials: %s)",
}


def _paired_test(kind: str, module: Any, original: Function, *arguments: Any) -> Any:
    baseline_info, name, hyps, refs, metrics, *options = arguments
    samples, confidence, seed = options
    results: dict[str, Any] = {}
    for title, metric in metrics.items():
        stats, baseline = baseline_info[title]
        rows = drawn = None
        if kind == "bs" or confidence <= 0:
            rows = rows_of(metric, hyps, refs)
            drawn = rows and _drawn(metric, (stats, rows), kind, samples, seed)
        if not rows or not drawn:
            plain = original(baseline_info, name, hyps, refs, {title: metric}, *options)
            results |= plain[1]
            continue
        _logger.info("Computing %s for %r and extracting sufficient statistics", title, name)
        _logger.info(_TESTS[kind], samples)
        score = metric._aggregate_and_compute(rows).score
        differences, interval = drawn[0], ()
        if kind == "bs":
            differences = np.abs(drawn[1] - drawn[0])
            differences -= differences.mean()
            interval = module.estimate_ci(drawn[1])
        p = module._compute_p_value(differences, abs(baseline.score - score))
        results[title] = module.Result(score, p, *interval)
    return name, results

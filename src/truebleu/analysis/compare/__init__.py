# SPDX-License-Identifier: Apache-2.0
"""Is one system better than another? Tests of every pair, intervals, ranks and power.

The statistics of a corpus are sums of rows, so a resampled corpus is scored without its texts.
docs/significance.md describes the methods.
"""

from truebleu.analysis.compare.comparison import Comparison, Pair, System, Trial
from truebleu.analysis.compare.significance import compare
from truebleu.metrics.resampling import SEED

__all__ = ["SEED", "Comparison", "Pair", "System", "Trial", "compare"]

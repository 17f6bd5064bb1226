# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's metrics."""

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from truebleu.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from truebleu.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: dict[str, type] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

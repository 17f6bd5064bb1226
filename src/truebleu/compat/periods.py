# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's warning about text that looks tokenized."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from truebleu.metrics.kernel import spaced_periods


def warn_of_periods(hyps: Sequence[str]) -> None:
    """Warn as sacreBLEU does if 100 hypotheses end in a period after a space."""
    if spaced_periods(hyps) < 100:
        return
    logger = logging.getLogger("sacrebleu")
    logger.warning("That's 100 lines that end in a tokenized period ('.')")
    logger.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
    logger.warning(
        "If you insist your data is detokenized, or don't care, you can suppress this message "
        "with the `force` parameter."
    )

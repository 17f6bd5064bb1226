# SPDX-License-Identifier: Apache-2.0
"""The names of sacreBLEU's chrF, so that imports beside BLEU work. TrueBLEU has no chrF yet."""

# the arguments are the original's

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics.score import Score
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ABSENT = "TrueBLEU does not have chrF yet; use sacrebleu.metrics.CHRF for it"


class CHRFScore(Score):
    """Not there yet.

    Raises:
        OptionError: always.
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        raise OptionError(ABSENT)


class CHRF:
    """Not there yet.

    Raises:
        OptionError: always.
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        raise OptionError(ABSENT)

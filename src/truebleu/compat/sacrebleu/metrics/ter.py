# SPDX-License-Identifier: Apache-2.0
"""The names of sacreBLEU's TER, so that imports beside BLEU work. TrueBLEU has no TER yet."""

# the arguments are the original's

from __future__ import annotations

from truebleu.compat.sacrebleu.metrics.score import Score
from truebleu.compat.sacrebleu.tokenizers.tokenizer_ter import ABSENT
from truebleu.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class TERScore(Score):
    """Not there yet.

    Raises:
        OptionError: always.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        raise OptionError(ABSENT)


class TER:
    """Not there yet.

    Raises:
        OptionError: always.
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        raise OptionError(ABSENT)

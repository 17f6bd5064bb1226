# SPDX-License-Identifier: Apache-2.0
"""The tokenizer of TER, which TrueBLEU does not have yet."""

# the arguments are the original's

from __future__ import annotations

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from truebleu.errors import OptionError

ABSENT = "TrueBLEU does not have TER yet; use sacrebleu.metrics.TER for it"


class TercomTokenizer(BaseTokenizer):
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
    ) -> None:
        raise OptionError(ABSENT)

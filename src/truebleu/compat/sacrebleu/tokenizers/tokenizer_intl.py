# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `intl`: that of mteval-v14.pl with --international-tokenization."""

from __future__ import annotations

import re
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerV14International(KernelTokenizer):
    """Splits off all symbols, and Unicode punctuation that is not between digits."""

    _NAME = "intl"

    def _refuse(self, line: Any) -> None:
        re.sub("x", "", line)

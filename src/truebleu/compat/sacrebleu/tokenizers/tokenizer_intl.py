# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `intl`: that of mteval-v14.pl with --international-tokenization."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, tokenized


class TokenizerV14International(BaseTokenizer):
    """Splits off all symbols, and Unicode punctuation that is not between digits."""

    def signature(self) -> str:
        """The name in signatures."""
        return "intl"

    def __init__(self) -> None:
        pass

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        if not isinstance(line, str):
            re.sub("x", "", line)  # raises the error of sacreBLEU
        return tokenized("intl", line)

# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `intl`: that of mteval-v14.pl with --international-tokenization."""

from __future__ import annotations

import re
from functools import lru_cache

from truebleu.compat.sacrebleu.kernel import tokenized
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TokenizerV14International(BaseTokenizer):
    """Sets Unicode's punctuation apart unless it stands between digits, and all symbols."""

    def signature(self) -> str:
        """The name in signatures."""
        return "intl"

    def __init__(self) -> None:
        pass

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        if not isinstance(line, str):
            re.sub("x", "", line)  # fails as the original does
        return tokenized("intl", line)

    _native = ("intl", __call__)

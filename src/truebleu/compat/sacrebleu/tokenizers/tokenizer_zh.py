# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `zh`: each Chinese character, and what the shared part makes of the rest."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.kernel import tokenized
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TokenizerZh(BaseTokenizer):
    """Sets Chinese characters apart, in the ranges of sacreBLEU's table, misprints included."""

    def signature(self) -> str:
        """The name in signatures."""
        return "zh"

    def __init__(self) -> None:
        self._post_tokenizer = TokenizerRegexp()

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        return tokenized("zh", line)

    _native = ("zh", __call__)

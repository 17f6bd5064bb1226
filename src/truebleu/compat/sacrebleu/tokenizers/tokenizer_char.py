# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `char`: every code point is a token."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TokenizerChar(BaseTokenizer):
    """Puts a blank between all code points, blanks among them."""

    def signature(self) -> str:
        """The name in signatures."""
        return "char"

    def __init__(self) -> None:
        pass

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The code points of a line."""
        return " ".join(line)

    _native = ("char", __call__)

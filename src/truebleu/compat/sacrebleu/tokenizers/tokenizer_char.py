# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `char`: each code point is a token."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Puts a space between all code points, spaces included."""

    def signature(self) -> str:
        """The name in signatures."""
        return "char"

    def __init__(self) -> None:
        pass

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The code points of a line."""
        return " ".join(line)

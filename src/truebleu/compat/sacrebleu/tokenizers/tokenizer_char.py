# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `char`: each code point is a token."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerChar(KernelTokenizer):
    """Puts a space between all code points, spaces included, which the kernel would drop."""

    _NAME = "char"

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The code points of a line."""
        return " ".join(line)

# SPDX-License-Identifier: Apache-2.0
"""Tokenizer `13a`: that of mteval-v13a.pl, which WMT uses."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.kernel import tokenized
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Tokenizer13a(BaseTokenizer):
    """Sets ASCII punctuation apart, after undoing four entities and `<skipped>`."""

    def signature(self) -> str:
        """The name in signatures."""
        return "13a"

    def __init__(self) -> None:
        self._post_tokenizer = TokenizerRegexp()

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        if not isinstance(line, str):
            line.replace("<skipped>", "")  # fails as the original does
        return tokenized("13a", line)

    _native = ("13a", __call__)

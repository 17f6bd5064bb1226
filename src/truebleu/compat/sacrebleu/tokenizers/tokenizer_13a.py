# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `13a`: that of mteval-v13a.pl, which WMT uses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, tokenized
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp


class Tokenizer13a(BaseTokenizer):
    """Splits off ASCII punctuation, after replacing four entities and `<skipped>`."""

    def signature(self) -> str:
        """The name in signatures."""
        return "13a"

    def __init__(self) -> None:
        self._post_tokenizer = TokenizerRegexp()

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        if not isinstance(line, str):
            line.replace("<skipped>", "")  # raises the error of sacreBLEU
        return tokenized("13a", line)

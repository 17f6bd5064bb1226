# SPDX-License-Identifier: Apache-2.0
"""The rules for ASCII punctuation that the tokenizers `13a` and `zh` share."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_RULES = (
    # ASCII punctuation, except ' , - .
    (re.compile(r"([!-&(-+/:-@\[-`{-~ ])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


class TokenizerRegexp(BaseTokenizer):
    """Splits off ASCII punctuation, except periods and commas between digits."""

    def signature(self) -> str:
        """The name in signatures."""
        return "re"

    def __init__(self) -> None:
        self._re = list(_RULES)

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        for pattern, replacement in self._re:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())

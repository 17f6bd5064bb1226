# SPDX-License-Identifier: Apache-2.0
"""The part that the tokenizers `13a` and `zh` share, as a tokenizer of its own."""

from __future__ import annotations

import re
from functools import lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RULES = (
    # all of ASCII's punctuation but ' , - .
    (re.compile(r"([!-&(-+/:-@\[-`{-~ ])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


class TokenizerRegexp(BaseTokenizer):
    """Sets ASCII punctuation apart, but not periods and commas between digits."""

    def signature(self) -> str:
        """The name in signatures."""
        return "re"

    def __init__(self) -> None:
        self._re = list(_RULES)

    @lru_cache(maxsize=2**16)  # noqa: B019  # as the original: callers clear and inspect the cache
    def __call__(self, line: Any) -> str:
        """The tokens of a line."""
        for pattern, replacement in self._re:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())

# SPDX-License-Identifier: Apache-2.0
"""Tercom's tokenizer."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu import kernel
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TercomTokenizer(BaseTokenizer):
    """Tercom's tokenizer (sacreBLEU 2.6.0, `TercomTokenizer`).

    Args:
        normalized: set signs apart and undo markup.
        no_punct: drop punctuation.
        asian_support: the two do the same for Asian signs; `normalized` sets characters apart.
        case_sensitive: do not lower-case.

    Example:
        >>> TercomTokenizer(normalized=True)("It's 3.5 km, no more.")
        "it 's 3.5 km , no more ."
    """

    ASIAN_PUNCT = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"

    FULL_WIDTH_PUNCT = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    @lru_cache(maxsize=2**16)  # noqa: B019  # the original remembers lines and tokenizers alike
    def __call__(self, sent: str) -> str:
        """The words of a line, joined by blanks."""
        if not sent:
            return ""
        if not self._case_sensitive:
            sent = sent.lower()
        if not isinstance(sent, str):
            return self._refuse(sent)
        return kernel.tercom(
            sent,
            normalized=bool(self._normalized),
            no_punct=bool(self._no_punct),
            asian_support=bool(self._asian_support),
        )

    def _refuse(self, sent: Any) -> str:
        """Raise what the original's steps raise for what is no text."""
        if self._normalized or self._no_punct:
            import re

            re.sub("", "", sent)
        return " ".join(sent.split())

    def signature(self) -> str:
        """The name in signatures."""
        return "tercom"

# SPDX-License-Identifier: Apache-2.0
"""Tercom's tokenizer."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, joined
from truebleu.metrics.ter import TER


class TercomTokenizer(BaseTokenizer):
    """Tercom's tokenizer (sacreBLEU 2.6.0, `TercomTokenizer`).

    Args:
        normalized: split off punctuation and replace entities.
        no_punct: remove punctuation.
        asian_support: apply both options to Asian text as well, and split its characters.
        case_sensitive: do not lowercase.

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

    @lru_cache(maxsize=2**16)  # noqa: B019  # as in sacreBLEU
    def __call__(self, sent: str) -> str:
        """The words of a line, joined by spaces."""
        if not sent:
            return ""
        if not self._case_sensitive:
            sent = sent.lower()
        if not isinstance(sent, str):
            if self._normalized or self._no_punct:
                re.sub("", "", sent)  # raises the error of sacreBLEU
            return " ".join(sent.split())
        return joined(self._kernel().words, sent)

    def _kernel(self) -> TER:
        return _compile(bool(self._normalized), bool(self._no_punct), bool(self._asian_support))

    def signature(self) -> str:
        """The name in signatures."""
        return "tercom"


@cache
def _compile(normalized: bool, no_punct: bool, asian_support: bool) -> TER:
    return TER(
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=True,  # Python has lowercased the text
    )

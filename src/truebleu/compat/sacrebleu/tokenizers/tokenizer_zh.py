# SPDX-License-Identifier: Apache-2.0
"""The tokenizer `zh`: each Chinese character is a token; the rest is split as by `13a`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

#: The first and last Chinese characters of sacreBLEU's table, compared as strings. Two ranges were
#: meant for planes above the first. Their ends have two characters, so they match U+2001 to U+2A6D.
_UCODE_RANGES = [
    ("\u3400", "\u4db5"), ("\u4e00", "\u9fa5"), ("\u9fa6", "\u9fbb"), ("\uf900", "\ufa2d"),
    ("\ufa30", "\ufa6a"), ("\ufa70", "\ufad9"), ("\u20000", "\u2a6d6"), ("\u2f800", "\u2fa1d"),
    ("\uff00", "\uffef"), ("\u2e80", "\u2eff"), ("\u3000", "\u303f"), ("\u31c0", "\u31ef"),
    ("\u2f00", "\u2fdf"), ("\u2ff0", "\u2fff"), ("\u3100", "\u312f"), ("\u31a0", "\u31bf"),
    ("\ufe10", "\ufe1f"), ("\ufe30", "\ufe4f"), ("\u2600", "\u26ff"), ("\u2700", "\u27bf"),
    ("\u3200", "\u32ff"), ("\u3300", "\u33ff"),
]  # fmt: skip


class TokenizerZh(KernelTokenizer):
    """Splits off the characters in sacreBLEU's table, including its misprints."""

    _NAME = "zh"

    _post_tokenizer = TokenizerRegexp()

    @staticmethod
    @lru_cache(maxsize=2**16)
    def _is_chinese_char(uchar: Any) -> bool:
        """Whether a character is a token by itself."""
        return any(first <= uchar <= last for first, last in _UCODE_RANGES)

    def _refuse(self, line: Any) -> None:
        any(map(self._is_chinese_char, line.strip()))
